"""From settings to a vector store. A new store is a module and a line here.

Only the store that is opened is imported: clients and the shard's library cost start-up time. Not here: the stores.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from legal_pipeline.registry.database import Database
from legal_pipeline.settings import Settings
from legal_pipeline.stores.store import VectorStore

if TYPE_CHECKING:
    from legal_pipeline.stores.pgvector import PgvectorStore


def open_store(settings: Settings) -> VectorStore:
    """The Qdrant server of the settings, else Qdrant Edge under the home folder. Touches neither network nor disk yet."""
    if settings.qdrant_url is not None:
        from legal_pipeline.stores.qdrant_answers import retry_policy
        from legal_pipeline.stores.qdrant_server import QdrantServerStore

        key = settings.qdrant_api_key
        return QdrantServerStore.connect(
            settings.qdrant_url,
            api_key=key.get_secret_value() if key else None,
            timeout=settings.qdrant_timeout_seconds,
            quantization=settings.qdrant_quantization,
            retries=retry_policy(settings.qdrant_attempts, settings.qdrant_wait_seconds),
        )
    from legal_pipeline.stores.qdrant_edge import QdrantEdgeStore

    return QdrantEdgeStore(settings.home / "qdrant", quantization=settings.qdrant_quantization)


def open_pgvector(settings: Settings, database: Database) -> PgvectorStore:
    """The tables of `database`, as the settings want them. Touches nothing yet."""
    from legal_pipeline.stores.pgvector import PgvectorStore

    return PgvectorStore(database, vector_type=settings.pgvector_type, iterative_scan=settings.pgvector_iterative_scan)

"""Opens the vector store of the settings. A new store is a module and a line here.

Only the selected store is imported: clients and the shard's library increase start-up time. Not here: the stores.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from legal_pipeline.registry.database import Database
from legal_pipeline.settings import Settings
from legal_pipeline.stores.store import VectorStore

if TYPE_CHECKING:
    from legal_pipeline.stores.pgvector import PgvectorStore


def open_store(settings: Settings) -> VectorStore:
    """Return the Qdrant server of the settings, else Qdrant Edge under the home folder. Uses neither network nor disk yet."""
    if settings.qdrant_url is not None:
        from legal_pipeline.stores.qdrant_answers import retry_policy
        from legal_pipeline.stores.qdrant_server import Placement, QdrantServerStore

        key = settings.qdrant_api_key
        return QdrantServerStore.connect(
            settings.qdrant_url,
            api_key=key.get_secret_value() if key else None,
            timeout=settings.qdrant_timeout_seconds,
            quantization=settings.qdrant_quantization,
            placement=Placement(
                settings.qdrant_shards,
                settings.qdrant_replicas,
                settings.qdrant_payload_on_disk,
                settings.qdrant_vectors_on_disk,
            ),
            retries=retry_policy(settings.qdrant_attempts, settings.qdrant_wait_seconds),
        )
    from legal_pipeline.stores.qdrant_edge import QdrantEdgeStore

    return QdrantEdgeStore(settings.home / "qdrant", quantization=settings.qdrant_quantization)


def open_pgvector(settings: Settings, database: Database) -> PgvectorStore:
    """Return the pgvector store in `database` with the options of the settings. Uses no connection yet."""
    from legal_pipeline.stores.pgvector import PgvectorStore

    return PgvectorStore(
        database,
        vector_type=settings.pgvector_type,
        iterative_scan=settings.pgvector_iterative_scan,
        # written row by row, the graph took half of PostgreSQL's time of a first load, more with every document
        deferred_index=True,
    )

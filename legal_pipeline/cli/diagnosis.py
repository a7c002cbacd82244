"""`doctor`: checks of what is configured, reachable, and missing, one finding per part.

Not here: repairs.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from legal_pipeline.embedding.admission import probe_texts
from legal_pipeline.embedding.choice import choices
from legal_pipeline.embedding.embedder import Embedder
from legal_pipeline.embedding.model_embedder import ModelEmbedder
from legal_pipeline.embedding.registry import configured_embedders, options_of
from legal_pipeline.registry.database import Database
from legal_pipeline.registry.warehouse import Warehouse
from legal_pipeline.settings import Settings
from legal_pipeline.stages import pgvector_chunks
from legal_pipeline.stages.qdrant_chunks import COLLECTION
from legal_pipeline.stores.pgvector import PgvectorStore
from legal_pipeline.stores.registry import open_store
from legal_pipeline.system.urls import render_url
from legal_pipeline.text.tokens import ENCODING, count_tokens


@dataclass(frozen=True)
class Finding:
    """The result of one check. `detail` describes what was found, or what to do."""

    part: str
    ok: bool
    detail: str


def diagnose(settings: Settings, measure: bool = False) -> list[Finding]:
    """Check every part once. Starts the embedded database; loads a model only if `measure` is set."""
    return [
        _try("database", lambda: _database(settings)),
        _try("warehouse", lambda: _warehouse(settings)),
        _try("vector store", lambda: _store(settings)),
        _try("pgvector", lambda: _pgvector(settings)),
        _try("embedding model", lambda: _embedding(settings, measure)),
        _try(
            "token counts",
            lambda: f"{ENCODING}, {count_tokens('2 kap. 3 § arbetsmiljölagen')} tokens in a test sentence",
        ),
        Finding(
            "language model",
            True,
            "Claude (ANTHROPIC_API_KEY is set)"
            if settings.anthropic_api_key
            else "extractive (ANTHROPIC_API_KEY is not set)",
        ),
    ]


def _try(part: str, look: Callable[[], str]) -> Finding:
    try:
        return Finding(part, True, look())
    except Exception as error:  # every error is a finding here
        return Finding(part, False, f"{type(error).__name__}: {error}")


def _embedding(settings: Settings, measure: bool) -> str:
    """Return the backend that would run each model, and the reason; with `measure` the backend that runs it, and its speed."""
    embedders = configured_embedders(settings)
    found = []
    for embedder in embedders.by_vector.values():
        languages = [*embedders.named(embedder), *(["all others"] if embedder.name == embedders.other.name else [])]
        read = f" for {', '.join(languages)}" if embedders.by_language else ""
        found.append(f"{_backend(settings, embedder, measure)}{read}")
    return "; ".join(found)


def _backend(settings: Settings, embedder: Embedder, measure: bool) -> str:
    assert isinstance(embedder, ModelEmbedder)
    if not measure:
        return f"{embedder.name} by {choices(options_of(settings))[0]}"
    texts = probe_texts()
    embedder.embed_passages(texts)  # loads the model; the first time also converts it
    begin = time.perf_counter()
    tokens = sum(embedder.embed_passages(texts).embedded_tokens)
    seconds = time.perf_counter() - begin
    return (
        f"{embedder.name} by {embedder.backend.description}: {len(texts) / seconds:.0f} texts/s "
        f"of {tokens / len(texts):.0f} tokens on average"
    )


def _database(settings: Settings) -> str:
    with Database.open(settings) as database, database.connection() as connection:
        row = connection.execute("select current_setting('server_version') as version").fetchone()
        return f"PostgreSQL {row['version'] if row else '?'} at {database.place}"


def _store(settings: Settings) -> str:
    if "qdrant" not in settings.store_names:
        return "left out by LEGAL_PIPELINE_STORES"
    place = render_url(settings.qdrant_url) if settings.qdrant_url else f"Qdrant Edge under {settings.home / 'qdrant'}"
    store = open_store(settings)
    try:
        found = store.generations(COLLECTION)
        if not any(generation.live for generation in found):
            return f"{place}, nothing was indexed yet"
        each = [
            f"{store.count(generation.name)} points with {generation.model.name}{'' if generation.live else ' (not searched yet)'}"
            for generation in found
        ]
        return f"{place}, {', '.join(each)}"
    finally:
        store.close()


def _pgvector(settings: Settings) -> str:
    if "pgvector" not in settings.store_names:
        return "left out by LEGAL_PIPELINE_STORES"
    with Database.open(settings) as database:
        tables = PgvectorStore(database)
        if not tables.exists(pgvector_chunks.COLLECTION):
            return "no table yet: nothing was ingested"
        return f"the table {pgvector_chunks.COLLECTION}, {tables.count(pgvector_chunks.COLLECTION)} rows"


def _warehouse(settings: Settings) -> str:
    warehouse = Warehouse(settings.warehouse_root)
    return f"{warehouse.place}, {len(warehouse.file_versions(('chunks',)))} documents with chunks"

"""`chunk_embeddings`: one vector per chunk and per summary, of its header, context prefix and text (seed 000).

Not here: how vectors are kept and reused (`processing.vectors`).
"""

from __future__ import annotations

import contextlib
from typing import Any

from legal_pipeline.errors import LegalPipelineError
from legal_pipeline.processing.stage import AssetKey, Batch, Materialized
from legal_pipeline.processing.vectors import Text, VectorTable
from legal_pipeline.stages import chunks, context_prefixes, raptor_summaries, superseded_chunks

KEY: AssetKey = ("chunk_embeddings",)

_Row = dict[str, Any]


def rows(batch: Batch, document_id: str) -> list[_Row]:
    """The chunks in text order, then the summaries, then superseded chunks; `context_prefix` stands on each (None for one without)."""
    prefixes = context_prefixes.load(batch, document_id)
    found = [*chunks.load(batch, document_id), *raptor_summaries.load(batch, document_id)]
    current = [{**row, "context_prefix": prefixes.get(row["chunk_id"])} for row in found]
    return [*current, *superseded_chunks.load(batch, document_id)]


def text_of(row: _Row) -> Text:
    return row["chunk_id"], chunks.embedding_text(row, row["context_prefix"])


def embed_ahead(batch: Batch, made: Materialized) -> None:
    """Have the texts of a document embedded as soon as they are known: when `made` says that its chunks were cut, or, where these get
    context prefixes, that they have them. Whatever keeps it from that is reported by the stage itself."""
    if batch.embedding_ahead is None or made.asset_key not in (chunks.KEY, context_prefixes.KEY) or made.reused:
        return
    with_prefixes = context_prefixes.STAGE.kind in batch.resources.settings.enrichments
    if (made.asset_key == context_prefixes.KEY) != with_prefixes:
        return
    document_id = made.document_id
    with contextlib.suppress(LegalPipelineError):
        prefixes = context_prefixes.load(batch, document_id) if with_prefixes else {}
        found = chunks.load(batch, document_id)
        texts = [text_of({**row, "context_prefix": prefixes.get(row["chunk_id"])}) for row in found]
        batch.embedding_ahead.put(STAGE.lacking(batch, document_id, texts))


STAGE = VectorTable(
    KEY,
    (chunks.KEY, context_prefixes.KEY, raptor_summaries.KEY, superseded_chunks.KEY),
    "chunk_id",
    lambda batch, document_id: [text_of(row) for row in rows(batch, document_id)],
    lambda batch, document_id: int(batch.input_stamp(chunks.KEY, document_id).facts["chunks"]),
)

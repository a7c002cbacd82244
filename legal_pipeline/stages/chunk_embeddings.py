"""`chunk_embeddings`: one vector per chunk and per summary, of its header, context prefix and text.

Not here: storing and reusing vectors (`processing.vectors`).
"""

from __future__ import annotations

from typing import Any

from legal_pipeline.processing.stage import AssetKey, Batch
from legal_pipeline.processing.vectors import Text, VectorTable
from legal_pipeline.stages import chunks, context_prefixes, raptor_summaries, superseded_chunks

KEY: AssetKey = ("chunk_embeddings",)

_Row = dict[str, Any]


def rows(batch: Batch, document_id: str) -> list[_Row]:
    """Return the chunks in text order, then summaries, then superseded chunks; each has a `context_prefix` (None if it has no prefix)."""
    prefixes = context_prefixes.load(batch, document_id)
    found = [*chunks.load(batch, document_id), *raptor_summaries.load(batch, document_id)]
    current = [{**row, "context_prefix": prefixes.get(row["chunk_id"])} for row in found]
    return [*current, *superseded_chunks.load(batch, document_id)]


def text_of(row: _Row) -> Text:
    return Text(row["chunk_id"], chunks.embedding_text(row, row["context_prefix"]), row["language"])


STAGE = VectorTable(
    KEY,
    (chunks.KEY, context_prefixes.KEY, raptor_summaries.KEY, superseded_chunks.KEY),
    "chunk_id",
    lambda batch, document_id: [text_of(row) for row in rows(batch, document_id)],
    lambda batch, document_id: int(batch.input_stamp(chunks.KEY, document_id).facts["chunks"]),
)

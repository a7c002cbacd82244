"""`qdrant_chunks`: the chunks and summaries of a document as points in the vector store.

Not here: replacing and publishing points (`processing.publication`, `stores`).
"""

from __future__ import annotations

from typing import Any

from legal_pipeline.model import identity
from legal_pipeline.processing.publication import Publication
from legal_pipeline.processing.stage import AssetKey, Batch
from legal_pipeline.processing.vectors import StoredVector
from legal_pipeline.retrieval.filters import SUPERSEDED
from legal_pipeline.stages import canonical_documents, chunk_embeddings, chunks, raptor_summaries, superseded_chunks
from legal_pipeline.stores.store import ROW_HASH, Point

KEY: AssetKey = ("qdrant_chunks",)
COLLECTION = "legal_chunks"

#: Columns of the chunk table that searches filter by or show.
PAYLOAD_COLUMNS = (
    "chunk_id", "document_id", "source_file", "strategy", "chunk_type", "path", "eid", "seq", "parent_chunk_id", "level",
    "content_role", "contextual_header", "chunk_text", "start_char", "end_char", "num_tokens", "language", "jurisdiction", "doc_type",
    "date_context", "temporal_status", "valid_from", "valid_to", "source_url", "source_sha256", "requires_manual_review",
    "retrieval_weight", "generator", "context_prefix",
)  # fmt: skip

#: Columns of superseded chunks, and of current chunks if history is kept.
HISTORY_COLUMNS = ("valid_from_basis", "valid_to_basis", "expression")


def points(batch: Batch, document_id: str) -> list[Point]:
    """Return the points of a document: every chunk and summary with its vector. Raises `DocumentError` if the tables do not match."""
    rows = chunk_embeddings.rows(batch, document_id)
    texts = [chunk_embeddings.text_of(row) for row in rows]
    vectors = chunk_embeddings.STAGE.load(batch, document_id, texts)
    known = superseded_chunks.intervals(batch, document_id)
    rows = [{**row, **known.get(row["chunk_id"], {}), **_stated(row)} for row in rows]
    return [point(row, text.text, vector) for row, text, vector in zip(rows, texts, vectors, strict=True)]


def expected_points(batch: Batch, document_id: str) -> int:
    """Return the number of points for the document's present chunks and summaries, and the stored superseded chunks."""
    beside = [batch.table_stamp(key, document_id) for key in (raptor_summaries.KEY, superseded_chunks.KEY)]
    found: int = batch.input_stamp(chunks.KEY, document_id).facts["chunks"]
    return found + sum(int(stamp.facts["rows"]) for stamp in beside if stamp is not None)


def point(row: dict[str, Any], text: str, vector: StoredVector) -> Point:
    """Return the point of a chunk row with its `context_prefix`."""
    payload = {name: row[name] for name in PAYLOAD_COLUMNS if row[name] is not None}
    payload.update({key: value for key, value in row["metadata"].items() if value is not None})
    payload.update({name: row[name] for name in HISTORY_COLUMNS if row.get(name) is not None})
    payload.update(identity.country_and_part(str(payload.get("jurisdiction") or ""), payload.get("work_uri")))
    if "expression" in row:
        payload[SUPERSEDED] = True
    if "child_ids" in row:
        payload["child_ids"] = row["child_ids"]
    # a new fetch of the same text writes no point
    content = {key: value for key, value in payload.items() if key not in canonical_documents.PROVENANCE}
    row_hash = identity.input_hash(content, vector.input_hash)
    return Point(
        id=identity.point_id(row["chunk_id"]),
        document_id=row["document_id"],
        vector=vector.values,
        text=text,
        language=row["language"],
        payload={**payload, ROW_HASH: row_hash},
        vector_name=vector.name,
    )


def _stated(row: dict[str, Any]) -> dict[str, Any]:
    """Return the validity start that the text itself states; it has priority over the start in the history."""
    return {"valid_from": row["valid_from"]} if row["valid_from"] is not None else {}


STAGE = Publication(
    KEY,
    (chunks.KEY, chunk_embeddings.KEY),
    COLLECTION,
    "chunk_id",
    points,
    beside=chunk_embeddings.STAGE.above,
    version="2",
)

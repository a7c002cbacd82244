"""`qdrant_chunks`: the points of a document in the vector store, and the manifest that lets readers see them.

Points whose row hash the store holds already are left alone. Not here: how points are replaced (`stores`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from legal_pipeline.corpus import identity
from legal_pipeline.errors import DocumentError
from legal_pipeline.stages import chunk_embeddings, chunks
from legal_pipeline.stages.stage import AssetKey, Batch, Materialized, StageEvent, failed, per_document
from legal_pipeline.stores.store import ROW_HASH, Point

KEY: AssetKey = ("qdrant_chunks",)
COLLECTION = "legal_chunks"

#: Columns of the chunk table that readers filter by or show.
PAYLOAD_COLUMNS = (
    "chunk_id", "document_id", "source_file", "strategy", "chunk_type", "path", "eid", "seq", "parent_chunk_id", "level",
    "content_role", "contextual_header", "chunk_text", "start_char", "end_char", "num_tokens", "language", "jurisdiction", "doc_type",
    "date_context", "temporal_status", "valid_from", "valid_to", "source_url", "source_sha256", "requires_manual_review",
    "retrieval_weight", "generator",
)  # fmt: skip

#: Says when and from where the text was fetched, not what it says: a new fetch of the same text writes no point.
PROVENANCE = frozenset({"source_file", "source_url", "source_sha256", "fetched_at", "parser_version"})


class QdrantChunks:
    asset_keys = (KEY,)

    def run(self, batch: Batch) -> Iterator[StageEvent]:
        if not batch.document_ids:
            return
        store = batch.resources.store
        try:
            store.ensure_collection(COLLECTION, batch.resources.embedder.dimension)
        except Exception as error:
            yield from (failed(KEY, document_id, error) for document_id in list(batch.document_ids))
            return
        with store.session(COLLECTION, f"writing {len(batch.document_ids)} documents"):
            yield from per_document(batch, KEY, lambda document_id: _replace(batch, document_id))


def _replace(batch: Batch, document_id: str) -> Materialized:
    registry, store = batch.resources.registry, batch.resources.store
    inputs = {
        "chunks": batch.input_stamp(chunks.KEY, document_id).data_version,
        "chunk_embeddings": batch.input_stamp(chunk_embeddings.KEY, document_id).data_version,
    }
    found = points(batch, document_id)
    manifest = {str(point.payload["chunk_id"]): point.row_hash for point in found}
    before = registry.published(document_id, COLLECTION)

    def publish() -> None:
        if manifest != before:
            registry.publish(document_id, COLLECTION, manifest)

    if found:
        result = store.replace_document(COLLECTION, document_id, found, publish=publish)
        written, deleted, unchanged = result.written, result.deleted, result.unchanged
    else:
        registry.unpublish(document_id, COLLECTION)
        written, deleted, unchanged = 0, store.delete_document(COLLECTION, document_id), 0
    metadata = {
        "points": len(found),
        "points_written": written,
        "points_deleted": deleted,
        "points_unchanged": unchanged,
    }
    version = identity.input_hash(sorted(manifest.items()))
    return Materialized(KEY, document_id, version, inputs, metadata, written == 0 and deleted == 0)


def points(batch: Batch, document_id: str) -> list[Point]:
    """The points of a document: every chunk with its vector. Raises `DocumentError` when the two tables do not belong together."""
    rows = chunks.load(batch, document_id)
    table = batch.warehouse.read_table(chunk_embeddings.KEY, document_id)
    model = batch.resources.embedder.name
    # by what was embedded and not by the chunk's id: a new heading above a chunk changes its vector and leaves its id
    expected = [chunk_embeddings.input_hash(model, row) for row in rows]
    if table["input_hash"].to_pylist() != expected or table["chunk_id"].to_pylist() != [
        row["chunk_id"] for row in rows
    ]:
        raise DocumentError(
            "chunk_embeddings is not of the present chunks and model; make it first", document=document_id
        )
    if not rows:
        return []
    vectors = np.asarray(table["vector"].combine_chunks().flatten(), dtype=np.float32).reshape(len(rows), -1)
    return [
        _point(document_id, row, vector, embedded)
        for row, vector, embedded in zip(rows, vectors, table["input_hash"].to_pylist(), strict=True)
    ]


def _point(
    document_id: str, row: dict[str, Any], vector: np.ndarray[Any, np.dtype[np.float32]], embedded: str
) -> Point:
    payload = {name: row[name] for name in PAYLOAD_COLUMNS if row[name] is not None}
    payload.update({key: value for key, value in row["metadata"].items() if value is not None})
    row_hash = identity.input_hash({key: value for key, value in payload.items() if key not in PROVENANCE}, embedded)
    return Point(
        id=identity.point_id(row["chunk_id"]),
        document_id=document_id,
        vector=vector,
        text=chunks.embedding_text(row),
        language=row["language"],
        payload={**payload, ROW_HASH: row_hash},
    )

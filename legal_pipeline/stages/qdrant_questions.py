"""`qdrant_questions`: the questions of a document as separate points, each with the id of the chunk that answers it.

They have the columns of their chunk that searches filter by, so that one filter works for both collections. Not here: replacing and
publishing points (`processing.publication`, `stores`).
"""

from __future__ import annotations

from legal_pipeline.errors import DocumentError
from legal_pipeline.model import identity
from legal_pipeline.processing.enrichment import Row
from legal_pipeline.processing.publication import Publication
from legal_pipeline.processing.stage import AssetKey, Batch
from legal_pipeline.processing.vectors import StoredVector
from legal_pipeline.stages import chunks, question_embeddings, quim_questions
from legal_pipeline.stores.store import INDEXED_FIELDS, ROW_HASH, Point

KEY: AssetKey = ("qdrant_questions",)
COLLECTION = "quim_questions"

#: Columns of the chunk that a search can filter by, except those that a question has itself.
_CHUNK_FIELDS = tuple(name for name in INDEXED_FIELDS if name not in ("chunk_id", "seq"))


def points(batch: Batch, document_id: str) -> list[Point]:
    """Return one point per question. Raises `DocumentError` if the tables do not match."""
    rows = quim_questions.load(batch, document_id)
    vectors = question_embeddings.STAGE.load(batch, document_id, question_embeddings.texts(batch, document_id))
    asked = {row["chunk_id"]: row for row in chunks.load(batch, document_id)} if rows else {}
    if not asked.keys() >= {row["source_chunk_id"] for row in rows}:
        raise DocumentError("quim_questions is not of the present chunks; make it first", document=document_id)
    return [_point(row, asked[row["source_chunk_id"]], vector) for row, vector in zip(rows, vectors, strict=True)]


def _point(row: Row, chunk: Row, vector: StoredVector) -> Point:
    columns = {**chunk["metadata"], **chunk}
    columns |= identity.country_and_part(str(columns.get("jurisdiction") or ""), columns.get("work_uri"))
    payload = {name: columns[name] for name in _CHUNK_FIELDS if columns.get(name) is not None}
    payload |= {name: row[name] for name in ("question_id", "source_chunk_id", "question", "generator")}
    return Point(
        id=identity.point_id(f"question {row['question_id']}"),
        document_id=row["document_id"],
        vector=vector.values,
        text=row["question"],
        language=chunk["language"],
        payload={**payload, ROW_HASH: identity.input_hash(payload, vector.input_hash)},
        vector_name=vector.name,
    )


STAGE = Publication(
    KEY, (chunks.KEY, quim_questions.KEY, question_embeddings.KEY), COLLECTION, "question_id", points, version="2"
)

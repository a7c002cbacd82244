"""Explain a chunk: why it was cut so, the text embedded with it, its neighbours and the nearest chunks by vector.

Not here: finding its row and the route of the router (`views.explanation`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from legal_pipeline.errors import DocumentError, NotFoundError
from legal_pipeline.processing.stage import Batch
from legal_pipeline.reading.access import Access
from legal_pipeline.reading.answers import ChunkBeside, ChunkExplanation
from legal_pipeline.reading.provisions import provision_id
from legal_pipeline.retrieval.citation_form import citation_of
from legal_pipeline.retrieval.query_text import verify_text
from legal_pipeline.retrieval.searcher import Searcher
from legal_pipeline.stages import chunk_embeddings, chunks
from legal_pipeline.stores.store import DOCUMENT_ID, AnyOf, Not
from legal_pipeline.views.explanation import Explanation, explain

#: Number of nearest chunks shown.
_NEAREST = 5

#: Fields that have the same names in both explanations.
_SAME = (
    "chunk_id", "document_id", "citation", "title", "path", "strategy", "route", "parser", "source_file", "spans", "source_text_matches",
)  # fmt: skip

_Row = Mapping[str, Any]


def explained(access: Access, searcher: Searcher, chunk_id: str) -> ChunkExplanation:
    """Return the explanation. Raises `NotFoundError` if no published document that the reader may see has such a chunk."""
    verify_text("the id", chunk_id)
    missing = NotFoundError(f"no published chunk has the id {chunk_id[:200]!r}")
    try:
        found = explain(access.resources, chunk_id)
    except DocumentError:
        raise missing from None
    if found.document_id in access.visibility.hidden:
        raise missing
    if not found.parser:  # a summary of several documents has no neighbours
        return _explanation(access, found, {})
    batch = access.texts.batch(found.document_id)
    rows = chunk_embeddings.rows(batch, found.document_id)
    at = next((place for place, row in enumerate(rows) if row["chunk_id"] == found.chunk_id), None)
    if at is None:  # the document was cut again since
        raise missing
    work, listed = access.work(found.document_id)
    in_text = chunks.load(batch, found.document_id)
    ids = [row["chunk_id"] for row in in_text]
    place = ids.index(found.chunk_id) if found.chunk_id in ids else None
    beside = {
        "before": in_text[place - 1] if place else None,
        "after": in_text[place + 1] if place is not None and place + 1 < len(in_text) else None,
    }
    is_withheld = access.is_withheld(found.document_id)
    more = {
        "language": rows[at]["language"],
        "prefix": None if is_withheld else rows[at]["context_prefix"],
        **{name: row and _beside(access, row["document_id"], row) for name, row in beside.items()},
        "nearest": _nearest(access, searcher, batch, rows, at),
        "origin": access.origin(work.latest.document, listed),
    }
    return _explanation(access, found, more)


def _explanation(access: Access, found: Explanation, more: Mapping[str, Any]) -> ChunkExplanation:
    is_withheld = access.is_withheld(found.document_id)
    fields = {
        **{name: getattr(found, name) for name in _SAME},
        "provision_id": provision_id(found.document_id, found.eid) if found.eid else None,
        "language": "",
        "reason": found.route_reason,
        "tokens": found.num_tokens,
        "text": None if is_withheld else found.text,
        "text_withheld": is_withheld,
        "nearest": [],
        **more,
    }
    return ChunkExplanation.model_validate(fields)


def _nearest(
    access: Access, searcher: Searcher, batch: Batch, rows: Sequence[dict[str, Any]], at: int
) -> list[ChunkBeside]:
    """Return the published chunks nearest to row `at` by vector; none while the document's vectors are being made."""
    document_id = rows[at]["document_id"]
    try:
        vectors = chunk_embeddings.STAGE.load(batch, document_id, [chunk_embeddings.text_of(row) for row in rows])
    except DocumentError:
        return []
    filters = [Not(AnyOf("chunk_id", (rows[at]["chunk_id"],)))]
    if access.visibility.hidden:
        filters.append(Not(AnyOf(DOCUMENT_ID, tuple(sorted(access.visibility.hidden)))))
    points = searcher.nearest(vectors[at].values, using=vectors[at].name, filters=filters, limit=_NEAREST)
    return [_beside(access, point.payload[DOCUMENT_ID], point.payload, round(point.score, 3)) for point in points]


def _beside(access: Access, document_id: str, row: _Row, similarity: float | None = None) -> ChunkBeside:
    """Return the chunk of a row of the chunk table, or of a payload."""
    is_point = similarity is not None
    return ChunkBeside(
        chunk_id=row["chunk_id"],
        document_id=document_id,
        provision_id=provision_id(document_id, row["eid"]) if row.get("eid") else None,
        citation=citation_of(row) if is_point else row["contextual_header"],
        path=row["path"],
        language=row["language"],
        text=None if access.is_withheld(document_id) else row["chunk_text"],
        similarity=similarity,
    )

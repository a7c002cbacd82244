"""Citations and entities of a document, read once, and what of them stands in each chunk.

Not here: the grammars (`citations`, `chunking.entities`).
"""

from __future__ import annotations

import bisect
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from legal_pipeline.chunking.chunk import Chunk, Span
from legal_pipeline.chunking.entities import Mention, entities_within, mentions
from legal_pipeline.citations import Citation, CitingDocument, find
from legal_pipeline.citations.cross_references import CrossReference, cross_references
from legal_pipeline.jurisdictions.jurisdiction import jurisdiction
from legal_pipeline.model.document import Document


@dataclass(frozen=True)
class Annotations:
    """What `read_annotations` found in a document's text, in text order."""

    citations: tuple[Citation, ...]
    mentions: tuple[Mention, ...]
    references: tuple[CrossReference, ...]


def read_annotations(document: Document) -> Annotations:
    citing = CitingDocument(
        document.work_uri,
        document.doc_type,
        [(node.eid, node.start, node.end) for node in document.walk() if node.eid is not None],
    )
    country = jurisdiction(document.jurisdiction)
    found = find(document.text, country, citing)
    return Annotations(
        tuple(found),
        tuple(mentions(document.text, country, document.language, citing, found)),
        tuple(cross_references(document.document_id, citing, found)),
    )


def annotate(chunks: Iterable[Chunk], annotations: Annotations) -> None:
    """Fill in `entities` and `cross_references` of each chunk with what stands wholly inside one of its spans."""
    starts = [citation.start for citation in annotations.citations]
    for chunk in chunks:
        found = entities_within(annotations.mentions, chunk.spans)
        chunk.entities = {kind: values for kind, values in found.items() if values}
        chunk.cross_references = [
            _reference(citation) for span in chunk.spans for citation in _within(annotations.citations, starts, span)
        ]


def _within(citations: tuple[Citation, ...], starts: list[int], span: Span) -> list[Citation]:
    low = bisect.bisect_left(starts, span[0])
    high = bisect.bisect_left(starts, span[1])
    return [citation for citation in citations[low:high] if citation.end <= span[1]]


def _reference(citation: Citation) -> dict[str, Any]:
    return {
        "start": citation.start,
        "end": citation.end,
        "raw": citation.raw,
        "work_uri": citation.work_uri,
        "eid": citation.eid,
        "kind": citation.kind,
    }

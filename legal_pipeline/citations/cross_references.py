"""Rows of the table `cross_references`: who cites what, from one document's text and the spans of its provisions.

Takes and gives plain values, since a text knows no model of documents. Not here: joining rows of many documents to a graph.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from legal_pipeline.citations.model import Citation, CitingDocument, Kind


class CrossReference(NamedTuple):
    """One citation of one target. `eid` is the citing section or article, None outside of any; `start` and `end` are offsets in the
    document's text; `target_work_uri` is None where the Act is not known, `target_eid` None where a whole work is cited."""

    document_id: str
    eid: str | None
    start: int
    end: int
    raw: str
    target_work_uri: str | None
    target_eid: str | None
    kind: Kind


def cross_references(document_id: str, document: CitingDocument, citations: Sequence[Citation]) -> list[CrossReference]:
    """A row for each of `citations`, which `find` gave for the text of `document`.

    A citation in the number or heading of a provision counts as that provision's.
    """
    return [
        CrossReference(
            document_id,
            document.provision_at(citation.start),
            citation.start,
            citation.end,
            citation.raw,
            citation.work_uri,
            citation.eid,
            citation.kind,
        )
        for citation in citations
    ]

"""The text and metadata of a hit, for all adapters. Not here: the frameworks' own types."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from legal_pipeline.reading.answers import WITHHELD_NOTE, SearchAnswer, SearchHit


class SearchesLaw(Protocol):
    """A `LawReader` or a `Client`."""

    @property
    def search(self) -> Callable[..., SearchAnswer]: ...


@dataclass(frozen=True)
class Passage:
    """The text of a hit, verbatim unless `is_rewritten`, and its citation data. `metadata` has only strings, numbers, booleans and lists of
    strings."""

    id: str
    text: str
    score: float
    metadata: dict[str, Any]


def passages(reader: SearchesLaw, query: str, limit: int, options: dict[str, Any]) -> list[Passage]:
    """Return the best hits of `reader.search(query, limit=limit, **options)`.

    Each has the citations of the query that the index cannot answer: a framework passes on documents, and nothing about a search.
    """
    answer = reader.search(query, limit=limit, **options)
    unresolved = [f"{citation.citation}: {citation.reason}" for citation in answer.unresolved]
    return [passage_of(hit, unresolved) for hit in answer.hits]


def passage_of(hit: SearchHit, unresolved: Sequence[str] = ()) -> Passage:
    """Return the text of `hit`, or a note if its source forbids redistribution; `unresolved` goes to its metadata."""
    origin, interval = hit.origin, hit.interval
    metadata = {
        "citation": hit.citation,
        "provision_id": hit.provision_id,
        "document_id": origin.document_id,
        "title": origin.title,
        "jurisdiction": origin.jurisdiction,
        "language": origin.language,
        "source_url": origin.source_url,
        "licence": origin.licence,
        "consolidated_through": origin.consolidated_through,
        "valid_from": interval.valid_from,
        "valid_to": interval.valid_to,
        "pending_amendments": [amendment.number for amendment in hit.pending_amendments],
        "later_text_from": origin.later_text_from,
        "is_cited": hit.is_cited,
        "is_rewritten": hit.is_rewritten,
        "unresolved": list(unresolved),
        "text_withheld": hit.text_withheld,
        "requires_manual_review": origin.requires_manual_review,
    }
    return Passage(hit.chunk_id, WITHHELD_NOTE if hit.text is None else hit.text, hit.score, metadata)

"""The citations in a text that is not of the index, read as lawyers of several countries write.

Not here: which documents and provisions they mean (`law_reader`), and queries, which are written with less care
(`retrieval.citation_query`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from legal_pipeline.citations import Reference, find
from legal_pipeline.jurisdictions.jurisdiction import Jurisdiction
from legal_pipeline.retrieval.act_names import named_works
from legal_pipeline.retrieval.citation_query import readers


@dataclass(frozen=True, slots=True)
class CitationInText:
    """A reference as one country reads it."""

    country: Jurisdiction
    reference: Reference


def citations_in(text: str, jurisdictions: Sequence[str]) -> list[CitationInText]:
    """The citations of `text` in its order. Where two countries read the same words otherwise, the one that knows the work is right, then
    the one that reads more of the words, then the one that stands first in `jurisdictions`. Without any, every country reads."""
    read = [CitationInText(country, one) for country in readers(jurisdictions) for one in _read(text, country)]
    order = {country.code: place for place, country in enumerate(readers(jurisdictions))}
    read.sort(
        key=lambda one: (one.reference.work_uri is None, _start(one) - one.reference.end, order[one.country.code])
    )
    kept: list[CitationInText] = []
    for one in read:
        if all(
            one.country is other.country or one.reference.end <= _start(other) or other.reference.end <= _start(one)
            for other in kept
        ):
            kept.append(one)
    return sorted(kept, key=lambda one: (_start(one), one.reference.end))


def _read(text: str, country: Jurisdiction) -> list[Reference]:
    """With the works that are cited by their names alone."""
    found = find(text, country) if any(map(str.isdigit, text)) else []
    taken = [(one.start, one.end) for one in found]
    return found + [
        Reference(name.start, name.end, text[name.start : name.end], name.uri, None, "act")
        for name in named_works(text, country)
        if all(name.end <= start or end <= name.start for start, end in taken)
    ]


def _start(one: CitationInText) -> int:
    return one.reference.start

"""Find the citations in a text that is not from the index, in the citation styles of several countries.

Not here: the documents and provisions that they mean (`law_reader`), and queries, which are written less carefully
(`retrieval.citation_query`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from legal_pipeline.citations import Reference, find
from legal_pipeline.jurisdictions.jurisdiction import Jurisdiction
from legal_pipeline.retrieval.act_names import named_works
from legal_pipeline.retrieval.citation_query import may_cite, readers


@dataclass(frozen=True, slots=True)
class CitationInText:
    """A reference in the citation style of one country."""

    country: Jurisdiction
    reference: Reference


def citations_in(text: str, jurisdictions: Sequence[str], *, first: Sequence[str] = ()) -> list[CitationInText]:
    """Return the citations of `text` in its order.

    If two countries read the same words differently, the reading that knows the work wins, then the reading of more words, then the
    country that is first in `jurisdictions`. Without `jurisdictions` all countries are used, those of `first` before the others.
    """
    used = dict.fromkeys((*readers(first), *readers())) if first and not jurisdictions else readers(jurisdictions)
    read = [CitationInText(country, citation) for country in used for citation in _read(text, country)]
    # equal readings stay in the order of their countries
    read.sort(key=lambda citation: (citation.reference.work_uri is None, _start(citation) - citation.reference.end))
    kept: list[CitationInText] = []
    for citation in read:
        if all(
            citation.country is other.country
            or citation.reference.end <= _start(other)
            or other.reference.end <= _start(citation)
            for other in kept
        ):
            kept.append(citation)
    return sorted(kept, key=lambda citation: (_start(citation), citation.reference.end))


def _read(text: str, country: Jurisdiction) -> list[Reference]:
    """Return the references of `text`, including works that are cited only by their name."""
    found = find(text, country) if may_cite(text, country) else []
    taken = [(citation.start, citation.end) for citation in found]
    return found + [
        Reference(name.start, name.end, text[name.start : name.end], name.uri, None, "act")
        for name in named_works(text, country)
        if all(name.end <= start or end <= name.start for start, end in taken)
    ]


def _start(citation: CitationInText) -> int:
    return citation.reference.start

"""Citations of a common law country that needs no grammar of its own: sections, named Acts, Acts by number and year ("Act 108 of 1996")
and neutral citations. A name that its data does not have is an unknown Act: "Companies Act" is another one in each country.

Not here: countries with series of reports or Acts cited in their own way (`jurisdictions/<code>/citations.py`).
"""

from __future__ import annotations

import functools
from collections.abc import Iterator

from legal_pipeline.citations.common_law import NamedActs, Patterns, Reader, compile_patterns, report_uri
from legal_pipeline.citations.country import Country, Grammar
from legal_pipeline.citations.model import Citation, CitingDocument
from legal_pipeline.citations.works import names

_NEUTRAL = r"(?P<neutral>\[(?P<year>(?:19|20)\d\d)\] (?P<court>[A-Z]{3,10}) (?P<number>\d{1,4})\b)"


def grammar(country: Country) -> Grammar:
    """Finds the citations of a text, in order, with the names in the data of `country`."""
    acts = NamedActs(country.code, names(country))
    return functools.partial(_find, acts, compile_patterns(acts, anchors=(_NEUTRAL,)))


def _find(acts: NamedActs, patterns: Patterns, text: str, document: CitingDocument | None) -> Iterator[Citation]:
    reader = Reader(text, document, acts, patterns)
    search, position = patterns.anchor.search, 0
    while anchor := search(text, position):
        position = anchor.end()
        if anchor.lastgroup == "neutral":
            own = anchor["court"].startswith(acts.code.upper())
            uri = report_uri(acts.code, anchor["court"], anchor["year"], anchor["number"]) if own else None
            yield reader.cite(anchor.start(), position, uri, None, "case")
            continue
        found, position = reader.word(anchor)
        yield from found

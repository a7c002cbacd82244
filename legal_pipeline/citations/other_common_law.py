"""Citations of common law countries that have no table of Acts here: sections, and Acts by number and year ("Act 108 of 1996").

A name alone is an unknown Act: "Companies Act" is another one in each of them. Not here: India and Zimbabwe, which have tables.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator

from legal_pipeline.citations.common_law import Jurisdiction, Patterns, Reader, compile_patterns, report_uri
from legal_pipeline.citations.model import Citation, CitingDocument

#: South Africa, Tanzania, Kenya, Uganda, Ghana, Nigeria, Zambia, Botswana, Namibia, Lesotho, Eswatini, Malawi, Sierra Leone, Gambia.
CODES = ("za", "tz", "ke", "ug", "gh", "ng", "zm", "bw", "na", "ls", "sz", "mw", "sl", "gm")

_NEUTRAL = r"(?P<neutral>\[(?P<year>(?:19|20)\d\d)\] (?P<court>[A-Z]{3,10}) (?P<number>\d{1,4})\b)"


def find(text: str, document: CitingDocument | None, code: str) -> Iterator[Citation]:
    """The citations of `text`, in order, read as in the country `code`."""
    patterns = _patterns(code)
    reader = Reader(text, document, Jurisdiction(code, {}), patterns)
    search, position = patterns.anchor.search, 0
    while anchor := search(text, position):
        position = anchor.end()
        if anchor.lastgroup == "neutral":
            own = anchor["court"].startswith(code.upper())
            uri = report_uri(code, anchor["court"], anchor["year"], anchor["number"]) if own else None
            yield reader.cite(anchor.start(), position, uri, None, "case")
            continue
        found, position = reader.word(anchor)
        yield from found


@functools.cache
def _patterns(code: str) -> Patterns:
    return compile_patterns(Jurisdiction(code, {}), anchors=(_NEUTRAL,))

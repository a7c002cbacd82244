"""Takes the marks of notes from headings. Not here: which blocks are headings (`recogniser.writing`)."""

from __future__ import annotations

import re

from legal_pipeline.text.markup import RAISED

_MARKED = re.compile(rf"(?<=[^\W\d_]{{4}})[{RAISED}]+\Z")
#: "Interpretation[1]", "(Oversight) (2)", "(1) (Electric lamps)"
_BRACKETED_MARK = re.compile(r"(?<=[^\W\d_])\[\d{1,3}\]\Z|(?<=\))\s\(\d{1,2}\)\Z|\A\(\d{1,2}\)\s(?=\([^\W\d_])")
#: The signs of strong words around the mark of a note that is left out: `Customs duties**[^18]**`.
_EMPTY_STRONG = "****"


def without_mark(heading: str) -> str:
    """Return `heading` without the marks of notes at its end, raised or in brackets; the 2 of m² is not a mark."""
    heading = _BRACKETED_MARK.sub("", heading)
    if not (words := heading.rstrip(f"{RAISED} ")):
        return ""
    glued = heading[len(words) :].partition(" ")[0]
    return _MARKED.sub("", words + glued).removesuffix(_EMPTY_STRONG).rstrip()

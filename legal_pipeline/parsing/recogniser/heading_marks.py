"""Takes the marks of notes from headings, and tells headings and remarks on amendments apart. Not here: which blocks are headings
(`recogniser.writing`)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from legal_pipeline.text.markup import RAISED

_MARKED = re.compile(rf"(?<=[^\W\d_]{{4}})[{RAISED}]+\Z")
#: "Interpretation[1]", "(Oversight) (2)", "(1) (Electric lamps)", "(2031/22) Fees": the act that amended the provision.
_BRACKETED_MARK = re.compile(
    r"(?<=[^\W\d_])\[\d{1,3}\]\Z|(?<=\))\s\(\d{1,2}\)\Z|\A\(\d{1,2}\)\s(?=\([^\W\d_])|\A\(\d{4}[:/]\d{1,4}\)\s(?=[^\W\d_])"
)
#: "AR 45/2012 s3", "Compare: 1999 No 7 s 4", "Artículo adicionado 02-05-2032", "(Added to NRS by 2031, 77)": a remark on the provision
#: before.
SOURCE = re.compile(
    r"\A[A-Z]{2,4} \d{1,4}/\d{2,4} s\d[\w.,;/ ]*\Z|:\s.*\d\Z|\d[/.-]\d{1,2}[/.-]\d{4}\Z|\A[(\[].*\b(?:1[89]|20)\d\d\b.*[)\]]\Z"
)
#: "(Amended: 7/2/2031-12/3)": a remark in brackets with the date of an amendment, which may be in bold as the label before it.
CHANGED = re.compile(r"[(\[<][^()\[\]<>]*\b(?:1[89]|20)\d\d\b[^()\[\]<>]*[)\]>]\W*")
#: "[F2Lamps in fog": the bracket of an inserted provision with the mark of its note, before its heading.
OPENING_MARK = re.compile(r"\[[A-Z]\d{1,3}(?=[^\W\d_]{2})")
_ONLY_BRACKETS = re.compile(r"\([^\W\d_][^()]+\)")
#: "(lamps of the harbour)": a heading in brackets below a number, with a small letter; figures are those of a reference or a day.
SMALL_HEADING = re.compile(r"\([^\W\d_][^()\d]{2,100}\)")
#: The signs of strong words around the mark of a note that is left out: `Customs duties**[^18]**`.
_EMPTY_STRONG = "****"


def without_mark(heading: str) -> str:
    """Return `heading` without the marks of notes: raised or in brackets at its end, or behind a bracket at its beginning. The raised 2 of
    "m²" is not a mark."""
    mark = OPENING_MARK.match(heading)
    heading = _BRACKETED_MARK.sub("", heading[mark.end() :] if mark else heading)
    if not (words := heading.rstrip(f"{RAISED} ")):
        return ""
    glued = heading[len(words) :].partition(" ")[0]
    return _MARKED.sub("", words + glued).removesuffix(_EMPTY_STRONG).rstrip()


def are_bracketed(texts: Sequence[str], share: float) -> bool:
    """Whether at least `share` of `texts`, which stand behind the numbers of provisions, are nothing but words in brackets.

    Then all such brackets are headings, also those with the year of another law, which would otherwise be remarks on an amendment."""
    return sum(_ONLY_BRACKETS.fullmatch(text) is not None for text in texts) >= share * len(texts) > 0

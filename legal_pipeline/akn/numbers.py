"""The number of an element as it is cited, from the number as it is printed.

Not here: numbers in the mark-up of publishers (`parsing.profiles.values`).
"""

from __future__ import annotations

import re

from legal_pipeline.text.normalise import one_line

_NUM_DECORATION = re.compile(r"\A[\s(\[]+|\s+kap\.?\Z|[\s§)\].:,–—-]+\Z")
_NUM_WORD = re.compile(
    r"(?:part|chapter|article|section|division|sub-?part|schedule|book|title|paragraph|rule|art\.|sec\.|s\.|§+)\s*(?=[\dA-Z])",
    re.IGNORECASE,
)
_WORD_ALONE = re.compile(
    r"(?:part|chapter|article|section|division|sub-?part|schedule|book|title|rule)\W*\Z", re.IGNORECASE
)


#: A number with one word of any language before or after it, or an ordinal: `1 luku`, `2. Abschnitt:`, `Chapitre Ier.`, `Art. 1er`.
_WORDED = re.compile(
    r"(?:(?:[^\W\d_]{2,}\.?|§+) )?"
    r"(?P<number>\d+(?: ?(?:bis|ter|quater|quinquies|sexies|septies|octies)| ?(?!er|re)[a-z]{1,2})?|[IVXLCDM]+)"
    r"(?:er|re|º|°|ª)?[.:]?(?: (?:[^\W\d_]{2,}[.:]?|§))?[.:]?"
)
#: The end of an id as the standard forms it: the abbreviation of the level and its number, in versions before 3.0 without a line between.
_IN_ID = re.compile(r"(?:\A|__|[-/.])(?:sec|art)_?(?P<number>\d+[A-Za-z]{0,2})\Z")


def bare_number(text: str) -> str | None:
    """Return the number as it is cited: `(a)` -> `a`, `Chapter 2` -> `2`, `1.` -> `1`, `Art. 1er.` -> `1`; None if there is none."""
    line = one_line(text)
    if _WORD_ALONE.match(line):
        return None
    if match := _WORDED.fullmatch(line):
        return match["number"]
    stripped = _NUM_DECORATION.sub("", _NUM_WORD.sub("", line, count=1)) if line else ""
    return stripped or line or None


def number_in_id(eid: str | None) -> str | None:
    """Return the number of the section or article with the id `eid`: `sec4` -> `4`, `part_1__art_12a` -> `12a`; None if it states none."""
    match = _IN_ID.search(eid or "")
    return match["number"] if match else None

"""Every way to read the number of a marker: `i` is the ninth letter and the first numeral.

Not here: which reading is right, which depends on the numbers around it (`numbering.search`).
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from legal_pipeline.numbering.numerals import LATIN, roman_value

#: `12`, `12A`, `2 a`, `3bis`, `4-1`. An int is never made of a long row of digits: that takes the square of their number.
_NUMBER = re.compile(r"(\d{1,9})[ \xa0]?(-\d{1,9}|[^\W\d_]*)")
_GREEK = {
    letter: value
    for row, size in (("αβγδεϛζηθ", 1), ("ικλμνξοπϟ", 10))
    for value, letter in zip(range(size, size * 10, size), row, strict=True)
}
_CYRILLIC = "абвгґдеёєжзиіїйклмнопрстуфхцчшщъыьэюя"


class Reading(NamedTuple):
    """One way to understand a number: its kind, its place in the series, and what was inserted after it (the `a` of `2a`).

    Kinds: `digit`; `alpha`, `roman`, `double` (aa is the first), `greek`, `cyrillic`, in capitals where the marker is; `dash`.
    """

    kind: str
    value: int
    suffix: str = ""

    @property
    def is_first(self) -> bool:
        """Whether it begins a series. `aa` does where letters were used up outside."""
        return self.value <= 1 or self.continues_alphabet

    @property
    def continues_alphabet(self) -> bool:
        """Whether it is the first after the last single letter: `aa`."""
        return self.kind.startswith("alpha") and self.value == len(LATIN) + 1


@lru_cache(maxsize=4096)
def readings(num: str, alphabet: str = LATIN) -> tuple[Reading, ...]:
    """Every way to read `num`, the more usual first; none for a word.

    >>> [(reading.kind, reading.value) for reading in readings("i")]
    [('alpha', 9), ('roman', 1)]
    >>> readings("12A")[0], readings("the")
    (Reading(kind='digit', value=12, suffix='A'), ())
    """
    if match := _NUMBER.fullmatch(num):
        return (Reading("digit", int(match[1]), match[2]),)
    if num in ("-", "–", "—", "•", "·", "*"):
        return (Reading("dash", 0),)
    bare, tail = (num[:-1], num[-1]) if num[-1:].isdecimal() else (num, "")
    lower = bare.lower()
    if not lower or bare not in (lower, bare.upper()):
        return ()
    found = _lettered(lower, alphabet)
    found = [reading._replace(suffix=reading.suffix + tail) for reading in found]
    return tuple(reading._replace(kind=reading.kind.upper()) for reading in found) if bare.isupper() else tuple(found)


def _lettered(text: str, alphabet: str) -> list[Reading]:
    """Readings of letters in lower case."""
    greek = text.replace("στ", "ϛ").replace("ς", "ϛ")
    if all(letter in _GREEK for letter in greek):
        return [Reading("greek", sum(_GREEK[letter] for letter in greek))]
    if text[0] in _CYRILLIC:
        return [Reading("cyrillic", _CYRILLIC.index(text) + 1)] if len(text) == 1 else []
    place = alphabet.find(text[0]) + 1
    as_roman = _roman(text)
    if not place:
        return as_roman
    if len(text) == 1:
        return [Reading("alpha", place), *as_roman]
    found = as_roman
    if len(set(text)) == 1 and len(text) <= 3:
        found.append(Reading("alpha", (len(text) - 1) * len(alphabet) + place))
    if len(text) == 2:
        found.append(Reading("alpha", place, text[1]))
        if text[0] == text[1]:
            found.append(Reading("double", place))
    return found


def _roman(text: str) -> list[Reading]:
    """A numeral, or a numeral with a letter inserted after it (`iva`)."""
    for length in (len(text), len(text) - 1):
        if value := roman_value(text[:length]):
            return [Reading("roman", value, text[length:])]
    return []

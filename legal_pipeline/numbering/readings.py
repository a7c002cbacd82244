"""Lists every reading of the number of a marker: `i` is the ninth letter and the first Roman numeral.

Not here: which reading is right, which depends on the numbers around it (`numbering.search`).
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from legal_pipeline.numbering.numerals import LATIN, roman_value

#: `12`, `12A`, `2 a`, `3bis`, `4-1`. At most 9 digits, because converting n digits to an int takes time in the square of n.
_NUMBER = re.compile(r"(\d{1,9})[ \xa0]?(-\d{1,9}|[^\W\d_]*)")
_GREEK = {
    letter: value
    for row, size in (("αβγδεϛζηθ", 1), ("ικλμνξοπϟ", 10))
    for value, letter in zip(range(size, size * 10, size), row, strict=True)
}
_CYRILLIC = "абвгґдеёєжзиіїйклмнопрстуфхцчшщъыьэюя"


class Reading(NamedTuple):
    """One reading of a number: its kind, its position in the series, and its suffix (the `a` of `2a`).

    Kinds: `digit`; `alpha`, `roman`, `double` (aa is the first), `greek`, `cyrillic`, in capitals if the marker is; `dash`.
    """

    kind: str
    value: int
    suffix: str = ""

    @property
    def is_first(self) -> bool:
        """Whether the number can begin a series. `aa` can, if the single letters are used in an outer list."""
        return self.value <= 1 or self.continues_alphabet

    @property
    def continues_alphabet(self) -> bool:
        """Whether the number is the first after the last single letter: `aa`."""
        return self.kind.startswith("alpha") and self.value == len(LATIN) + 1


@lru_cache(maxsize=4096)
def readings(num: str, alphabet: str = LATIN) -> tuple[Reading, ...]:
    """Return every reading of `num`, the most usual first; an empty tuple for a word.

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
    """Return the readings of letters in lower case."""
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
    """Return the reading as a Roman numeral, or as a numeral with a letter as suffix (`iva`)."""
    for length in (len(text), len(text) - 1):
        if value := roman_value(text[:length]):
            return [Reading("roman", value, text[length:])]
    return []

"""List markers of Swedish statutes and the nesting that their order implies.

Not here: where items go in the tree (`parsing.sweden.writer`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass

#: The marker at the beginning of a block. A number with a full stop, a letter or number with a bracket, a dash.
MARKER = re.compile(
    r"(?P<marker>(?P<num>\d{1,3})(?P<suffix>[ \xa0]?[a-zåäö])?\.(?=[\s\xa0])"
    r"|(?P<open>\(?)(?P<in>\d{1,3}(?:[ \xa0]?[a-z])?|[a-zåäö]{1,2}|[ivx]{1,5})\)(?=[\s\xa0])"
    r"|(?P<dot>[a-zåäö])\.(?=[\s\xa0])"
    r"|(?P<dash>[-–—•·*])(?=[\s\xa0]))[\s\xa0]*"
)
_ROMAN = re.compile(r"x{0,3}(?:ix|iv|v?i{0,3})")
_ROMAN_VALUES = {"i": 1, "v": 5, "x": 10}
_ALPHABET = "abcdefghijklmnopqrstuvwxyzåäö"


@dataclass(frozen=True, slots=True)
class Marker:
    """A marker as printed, its family and where it stands in its list: `4 a.` is family `1.`, ordinal (4, 1)."""

    text: str
    family: str
    ordinal: tuple[int, int]


def _roman(text: str) -> int | None:
    if not text or not _ROMAN.fullmatch(text):
        return None
    total = 0
    for index, letter in enumerate(text):
        value = _ROMAN_VALUES[letter]
        smaller = index + 1 < len(text) and _ROMAN_VALUES[text[index + 1]] > value
        total += -value if smaller else value
    return total


def _letter(text: str) -> int:
    """`a` is 1, `aa` follows `ö`."""
    value = _ALPHABET.find(text[0]) + 1
    return value if len(text) == 1 else len(_ALPHABET) * value + _ALPHABET.find(text[1]) + 1


class Lists:
    """Tells the level of each item from the items before it; `end` when the stycke is over."""

    def __init__(self) -> None:
        self._open: list[tuple[str, tuple[int, int]]] = []

    def end(self) -> None:
        if self._open:
            self._open.clear()

    @property
    def point(self) -> int:
        """The number of the open point where the outermost list is numbered ("3." of a treaty's article), else 0."""
        return self._open[0][1][0] if self._open and self._open[0][0] == "1." else 0

    def end_inner(self) -> None:
        """What is nested in the outermost item is over; the item itself goes on."""
        del self._open[1:]

    def level(self, marker: re.Match[str]) -> tuple[Marker, int]:
        """The marker and its level (0 outermost)."""
        candidates = self._readings(marker)
        for index in range(len(self._open) - 1, -1, -1):
            family, last = self._open[index]
            for candidate in candidates:
                if candidate.family == family and self._follows(candidate, last):
                    return self._take(candidate, index)
        first = next((c for c in candidates if c.ordinal in ((1, 0), (0, 0))), None)
        top = self._open[-1][0] if self._open else None
        if first is not None and first.family != top:
            return self._take(first, len(self._open))
        for index in range(len(self._open) - 1, -1, -1):
            for candidate in candidates:
                if candidate.family == self._open[index][0]:
                    return self._take(candidate, index)
        # "2." under "g)" goes on with a list that a stycke interrupted: it stands outside the letters.
        outermost = candidates[0].family == "1." and first is None
        return self._take(candidates[0], 0 if outermost else len(self._open))

    def _take(self, marker: Marker, level: int) -> tuple[Marker, int]:
        del self._open[level:]
        self._open.append((marker.family, marker.ordinal))
        return marker, level

    @staticmethod
    def _follows(marker: Marker, last: tuple[int, int]) -> bool:
        if marker.family == "-":
            return True
        number, suffix = marker.ordinal
        return (number == last[0] + 1 and suffix <= 1) or (number == last[0] and suffix > last[1])

    @staticmethod
    def _readings(match: re.Match[str]) -> list[Marker]:
        """What a marker may be: `i)` is a letter or a Roman number."""
        text = match["marker"]
        if match["dash"]:
            return [Marker(text, "-", (0, 0))]
        if number := match["num"]:
            suffix = (match["suffix"] or "").strip()
            return [Marker(text, "1.", (int(number), _letter(suffix) if suffix else 0))]
        if letter := match["dot"]:
            return [Marker(text, "a.", (_letter(letter), 0))]
        inner, bracket = match["in"], match["open"]
        if inner[0].isdigit():
            digits = inner.rstrip(_ALPHABET + " \xa0")
            suffix = inner[len(digits) :].strip()
            return [Marker(text, f"{bracket}1)", (int(digits), _letter(suffix) if suffix else 0))]
        roman = _roman(inner)
        readings = [Marker(text, f"{bracket}a)", (_letter(inner), 0))] if len(inner) < 3 else []
        if roman is not None:
            as_roman = Marker(text, f"{bracket}i)", (roman, 0))
            readings = [*readings, as_roman] if len(inner) == 1 else [as_roman, *readings]
        return readings or [Marker(text, f"{bracket}a)", (1, 0))]

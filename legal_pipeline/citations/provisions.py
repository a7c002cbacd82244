"""Eids of cited provisions: from print (`12A(1)(a)`, `3 a`, `16 c–16 e`) to segments (`sec_12a__subsec_1__para_a`).

The forms are those of Akoma Ntoso as the canonical model writes them. Not here: which work they belong to.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from legal_pipeline.model.slug import number_slug
from legal_pipeline.numbering.numerals import roman, roman_value

_BRACKET = re.compile(r"\(([^()]*)\)")
_LETTERED = re.compile(r"(\d+)\s?-?([A-Za-z]{0,3})$")
_LETTERS_BEFORE = re.compile(r"^(?![IVX]+\.)([A-Z]{1,2}\*?)\.(\*?)(?=\d+(?!\d|\.\d))")
_ORDINAL = re.compile(r"^(\d+)(?:er|re)$")
_ROMAN = re.compile(r"[ivxl]+$")
#: A Roman numeral that follows another in a list; "l" more often follows k.
_NUMERAL = re.compile(r"[ivx]+")

#: Maximum length of a range of sections; a misread number must not give thousands of citations.
LONGEST_RANGE = 80


def segment(kind: str, number: str) -> str:
    """`segment("sec", "3 a")` -> `sec_3a`; only print style is a hyphen between number and letters (`153-A`), a full stop
    after letters before it (`L. 121-1`, but not `B.01.001` or `XX.225`), and the ending of an ordinal (`1er`): they are removed."""
    plain = _ORDINAL.sub(r"\1", _LETTERS_BEFORE.sub(r"\1\2", number.replace(" ", "")))
    return f"{kind}_{number_slug(plain)}"


def bracketed(pins: str, before: str = "", *, by_depth: bool = False) -> list[str]:
    """Return the segments of `(1)(a)(ii)`: by their numbers (digit: subsec, letter: para, roman below a letter or a digit: item), or
    `by_depth` for codes that count by depth (first subsec, second para, then item). `before` is the kind of the level above them."""
    out: list[str] = []
    for depth, number in enumerate(_BRACKET.findall(pins)):
        if by_depth:
            kind = ("subsec", "para")[depth] if depth < 2 else "item"
        elif number[:1].isdigit():
            kind = "subsec" if before in ("", "def") else "item"
        elif number.islower() and before in ("", "subsec") and not (before and _ROMAN.match(number)):
            kind = "para"
        else:
            kind = "item"
        out.append(segment(kind, number))
        before = kind
    return out


def join(*segments: str | None) -> str | None:
    """Join the segments that are not None; None if there are none."""
    return "__".join(part for part in segments if part) or None


def expand(first: str, last: str) -> list[str]:
    """Return the numbers from `first` to `last` as print counts them: `4`-`6` -> 4, 5, 6; `16 c`-`16 e` -> 16c, 16d, 16e;
    `4`-`6 a` -> 4, 5, 6, 6a; `a`-`c` -> a, b, c; `I`-`III` -> I, II, III; `i`-`v` -> i, ii, iii, iv, v.

    Lettered numbers between whole numbers (4 a) cannot be known here. A range that runs backwards or too far gives its two ends.
    """
    first, last = first.replace(" ", ""), last.replace(" ", "")
    if len(first) == len(last) == 1 and "a" <= first < last <= "z" and (first != "i" or last not in "vx"):
        return [chr(letter) for letter in range(ord(first), ord(last) + 1)]
    one, other = _LETTERED.match(first), _LETTERED.match(last)
    if one is None or other is None:
        return _numerals(first, last) or [first, last]
    (low, low_letter), (high, high_letter) = one.groups(), other.groups()
    start, end = int(low), int(high)
    if start == end and low_letter.lower() <= high_letter.lower() and len(low_letter) <= 1 == len(high_letter):
        letters = range(ord(low_letter.lower()) if low_letter else ord("a"), ord(high_letter.lower()) + 1)
        named = [f"{low}{chr(letter)}" for letter in letters]
        return named if low_letter else [low, *named]
    if not start < end <= start + LONGEST_RANGE:
        return [first, last] if first != last else [first]
    return [first, *map(str, range(start + 1, end)), high, *([last] if high_letter else [])]


def level_of(number: str, numbers: Sequence[str]) -> int | None:
    """Return the level of `numbers`, the inner ones first, that `number` goes on in a list: (iii) after (1)(b)(ii) is on the third, (c)
    on the second. None if it goes on none."""
    return next((level for level in reversed(range(len(numbers))) if _goes_on(numbers[level], number)), None)


def kept_levels(numbers: Sequence[str], following: Sequence[str]) -> int:
    """Return how many of the levels `numbers` the entry `following` in brackets of the same list keeps: none of (1A)(b) for (3), the first
    for (c). Below 0 if the entry has more levels."""
    level = level_of(following[0], numbers)
    if level is not None:
        return level
    depth = len(numbers) - len(following)
    digits = [index for index, number in enumerate(numbers) if number[:1].isdigit()]
    return digits[-1] if digits and following[0][:1].isdigit() and depth not in digits else depth


def _goes_on(before: str, number: str) -> bool:
    """Whether `number` comes after `before` where both are digits, Roman numerals or letters of one case: iii after ii, but c not after
    i."""
    if before.isdecimal() and number.isdecimal():
        return int(before) < int(number)
    if not (before.isalpha() and number.isalpha()) or before.isupper() != number.isupper():
        return False
    before, number = before.lower(), number.lower()
    if _NUMERAL.fullmatch(before) and _NUMERAL.fullmatch(number):
        return (roman_value(before) or 0) < (roman_value(number) or 0)
    return len(before) == len(number) == 1 and before < number


def letters_in(listed: str) -> list[str]:
    """Return the letters of a list: `a), b eller e–g` -> a, b, e, f, g."""
    found = re.findall(r"(?<!\w)([a-z])(?:[–-]([a-z]))?(?!\w)", listed)
    return [letter for first, last in found for letter in (expand(first, last) if last else first)]


def _numerals(first: str, last: str) -> list[str]:
    """Return the Roman numerals from `first` to `last`; empty if they are none, or run backwards or too far."""
    is_upper = first.isupper() and last.isupper()
    if not is_upper and not (first.islower() and last.islower()):
        return []
    low, high = roman_value(first.lower()), roman_value(last.lower())
    if low is None or high is None or not low < high <= low + LONGEST_RANGE:
        return []
    numerals = [roman(value) for value in range(low, high + 1)]
    return [numeral.upper() for numeral in numerals] if is_upper else numerals

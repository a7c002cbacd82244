"""Recovers the hierarchy of American provisions from their designators: (a)(1)(i)(A) in the CFR, (a)(1)(A)(i)(I) in statutes.

Neither format nests its paragraphs; `(i)` may be the letter after `(h)` or the first roman numeral, and only what follows tells.
Not here: nodes and text (`usa.paragraphs`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

#: Kinds of designator, level by level. In the CFR levels five and six are italic digits and roman numerals (1 CFR 21.11).
CFR_LADDER = ("lower", "digit", "roman", "upper", "digit", "roman")
#: 2 U.S.C. drafting style: subsection, paragraph, subparagraph, clause, subclause, item, subitem.
STATUTE_LADDER = ("lower", "digit", "upper", "roman", "upper_roman", "double", "double_upper")

_DESIGNATOR = re.compile(r"\(([a-zA-Z]{1,7}|\d{1,3}(?:-\d+|[A-Z])?)\)[ \u2002]*")
_ROMAN = re.compile(r"m{0,3}(cm|cd|d?c{0,3})(xc|xl|l?x{0,3})(ix|iv|v?i{0,3})")
_ROMAN_VALUES = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100, "d": 500, "m": 1000}
#: What may stand between two designators of one paragraph: a heading that ends in a full stop or a dash.
_HEADING = re.compile(r"[A-Z\u201c\"'][^()]{1,120}?(?:\.|:|--|[\u2014\u2013]|\.\u2014)\s*")
_BEAM = 12
#: Costs of a reading: an expected next number costs nothing, a gap in a series little, a number out of series much.
_SKIPPED, _OUT_OF_SERIES, _LEVEL_JUMPED, _UNEXPECTED_CHILD, _LEAD_IN_IGNORED = 2.0, 8.0, 4.0, 0.3, 0.6


@dataclass(frozen=True, slots=True)
class Designator:
    """`(num)` at `start` of its paragraph's text; `italic` where the source says so (None: it does not tell)."""

    num: str
    start: int
    end: int
    italic: bool | None = None


def designators_of(
    text: str, ladder: Sequence[str], italics: Sequence[tuple[int, int]] | None = None
) -> list[Designator]:
    """The designators that open a paragraph: `(h) Title.—(1) General. (i) Text` has three.

    A second one counts only when it is the first of a kind that the ladder knows ((a), (1), (i), (A)) and nothing but a heading
    stands between.
    """
    found: list[Designator] = []
    position = 0
    while (match := _DESIGNATOR.match(text, position)) is not None:
        italic = None if italics is None else any(a <= match.start(1) < b for a, b in italics)
        first = any(ordinal(match.group(1), kind) == 1 for kind in ladder)
        if found and not first and match.start() != found[-1].end:
            break
        if not any(ordinal(match.group(1), kind) for kind in ladder):
            break
        found.append(Designator(match.group(1), match.start(), match.end(), italic))
        position = match.end()
        if _DESIGNATOR.match(text, position) is None:
            heading = _HEADING.match(text, position)
            if heading is None or _DESIGNATOR.match(text, heading.end()) is None:
                break
            position = heading.end()
    return found


def ordinal(num: str, kind: str) -> int:
    """The place of `num` in the series `kind` ((a) is 1), 0 when it is not of that kind."""
    if kind == "digit":
        digits = re.match(r"\d+", num)
        return int(digits.group()) if digits else 0
    if kind == "roman":
        return _roman(num)
    if kind == "upper_roman":
        return _roman(num.lower()) if num.isupper() else 0
    if kind in ("double", "double_upper"):
        wanted = num.islower() if kind == "double" else num.isupper()
        return ord(num[0].lower()) - 96 if wanted and len(num) == 2 and num[0] == num[1] else 0
    if not num.isalpha() or not (num.islower() if kind == "lower" else num.isupper()) or len(set(num)) > 1:
        return 0
    return (len(num) - 1) * 26 + ord(num[0].lower()) - 96 if len(num) <= 3 else 0


def _roman(num: str) -> int:
    if not num or not num.islower() or _ROMAN.fullmatch(num) is None:
        return 0
    values = [_ROMAN_VALUES[letter] for letter in num]
    return sum(-value if value < after else value for value, after in zip(values, [*values[1:], 0], strict=True))


@dataclass(frozen=True, slots=True)
class _Reading:
    cost: float
    path: tuple[tuple[int, int], ...]  # (level, ordinal) of the open designators
    levels: tuple[int, ...]


def assign_levels(series: Sequence[tuple[Designator, str]], ladder: Sequence[str]) -> list[int]:
    """The level (0 = first) of each designator of one section, in document order.

    `series` pairs a designator with the text that stands before it (the lead-in of a list ends in a colon or a dash). The cheapest
    reading of the whole series is found by a beam search; where two cost the same the deeper one wins.
    """
    readings = [_Reading(0.0, (), ())]
    for designator, before in series:
        lead_in = before.rstrip().endswith((":", "\u2014", "--", "\u2013"))
        candidates: dict[tuple[tuple[int, int], ...], _Reading] = {}
        for reading in readings:
            for level, kind in enumerate(ladder):
                number = ordinal(designator.num, kind)
                if not number:
                    continue
                cost = reading.cost + _step_cost(reading.path, level, number, lead_in, designator, ladder)
                path = (*(step for step in reading.path if step[0] < level), (level, number))
                known = candidates.get(path)
                if known is None or cost < known.cost:
                    candidates[path] = _Reading(cost, path, (*reading.levels, level))
        readings = sorted(candidates.values(), key=lambda item: (item.cost, -len(item.path)))[:_BEAM] or readings
    return list(readings[0].levels)


def _step_cost(
    path: tuple[tuple[int, int], ...],
    level: int,
    number: int,
    lead_in: bool,
    designator: Designator,
    ladder: Sequence[str],
) -> float:
    cost = 0.0
    if designator.italic is not None and len(ladder) == len(CFR_LADDER) and designator.italic != (level >= 4):
        cost += 1.5  # the source's italics are forgotten now and then, so they weigh and do not decide
    if not path:
        # an excerpt may begin anywhere; a whole section begins at the first number of the first level
        return cost + (0.0 if level == 0 else 0.5 * level) + (0.0 if number == 1 else 0.2)
    deepest = path[-1][0]
    if level > deepest:
        cost += _LEVEL_JUMPED * (level - deepest - 1)
        cost += 0.0 if number == 1 else _OUT_OF_SERIES
        return cost + (0.0 if lead_in else _UNEXPECTED_CHILD)
    previous = next((value for step, value in path if step == level), None)
    if previous is None:
        cost += _LEVEL_JUMPED + (0.0 if number == 1 else _OUT_OF_SERIES)
    elif number == previous + 1:
        cost += 0.0
    elif number > previous:
        cost += _SKIPPED
    elif number == previous:
        cost += _OUT_OF_SERIES / 2  # the same number twice: a second wording, or an error of the source
    else:
        cost += _OUT_OF_SERIES
    return cost + (_LEAD_IN_IGNORED if lead_in else 0.0)

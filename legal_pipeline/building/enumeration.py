"""Which level a bracketed number belongs to: subsection (1), paragraph (a), item (i), sub-item A.

A number alone is ambiguous ((i) is a letter after (h) and a numeral after "namely—"; "subsection (2)" is a reference), so the
whole sequence of a provision is read at once and the cheapest reading wins. Not here: cutting texts into blocks, and nodes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, NamedTuple

Kind = Literal["digit", "alpha", "roman", "ALPHA", "ROMAN", "dot", "definition", "proviso"]

#: A number at the start of a text: `(1)`, `(2a)`, `(b)`, `(iv)`, `A.`, `12.`.
MARKER = re.compile(
    r"(?:\((\d{1,3}[A-Za-z]{0,2}|[a-z]{1,5}\d?|[A-Z]{1,5})\)|([A-Z])\.(?=\s)|(\d{1,3}[A-Z]{0,2})\.(?=\s))\s*"
)

_ROMAN = re.compile(r"m{0,3}(?:cm|cd|d?c{0,3})(?:xc|xl|l?x{0,3})(?:ix|iv|v?i{0,3})")
_ROMAN_VALUES = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100, "d": 500, "m": 1000}
_NUMBER = re.compile(r"(\d+)([A-Za-z]*)")

#: How far in a kind usually stands: a digit never opens inside a letter, a numeral may open anywhere.
_RANK: dict[str, int] = {"dot": 0, "digit": 1, "alpha": 2, "roman": 3, "ALPHA": 4, "ROMAN": 5}
#: Levels that text without a number never closes.
_FLOOR = frozenset({"dot", "digit", "definition"})

_BEAM = 24


class Reading(NamedTuple):
    """One way to understand a number: its kind, its place in the series, and the letters inserted after it (`2a`)."""

    kind: Kind
    value: int
    suffix: str = ""


@dataclass(frozen=True, slots=True)
class Event:
    """A number (`num`), a definition, a proviso, or plain text (`kind="text"`).

    `closed`: what stands before ends as a clause ends. `announced`: it ends with a dash or colon, so that a list follows.
    `reference`: it ends as a reference begins ("in terms of subsection"), so that a number here is part of it.
    """

    kind: Literal["number", "definition", "proviso", "text"]
    num: str = ""
    dotted: bool = False
    closed: bool = True
    announced: bool = False
    reference: bool = False


@dataclass(frozen=True, slots=True)
class Placed:
    """Where an event stands: its level counted from 0 (-1: it is no number, and belongs to the text before), and its kind.

    For plain text, `level` is the number of levels that stay open around it.
    """

    level: int
    kind: Kind | Literal["text"]


class _Level(NamedTuple):
    kind: Kind
    value: int
    suffix: str


class _State(NamedTuple):
    cost: float
    levels: tuple[_Level, ...]
    placed: tuple[_State, Placed] | None


def roman_value(text: str) -> int | None:
    """The value of a Roman numeral in lower case, None for anything else.

    >>> roman_value("xiv"), roman_value("iiii"), roman_value("")
    (14, None, None)
    """
    if not text or not _ROMAN.fullmatch(text):
        return None
    values = [_ROMAN_VALUES[letter] for letter in text]
    return sum(-a if a < b else a for a, b in zip(values, [*values[1:], 0], strict=True))


@lru_cache(maxsize=4096)
def readings(num: str, dotted: bool = False) -> tuple[Reading, ...]:
    """Every way to read `num`; `(i)` is the ninth letter and the first numeral."""
    if match := _NUMBER.fullmatch(num):
        return (Reading("dot" if dotted else "digit", int(match[1]), match[2]),)
    found: list[Reading] = []
    bare, digit = (num[:-1], num[-1]) if num[-1:].isdigit() else (num, "")
    lower = bare.lower()
    upper = bare.isupper()
    if len(lower) == 1:
        found.append(Reading("ALPHA" if upper else "alpha", ord(lower) - 96, digit))
    elif len(set(lower)) == 1 and len(lower) == 2:
        found.append(Reading("ALPHA" if upper else "alpha", ord(lower[0]) - 96 + 26, digit))
        found.append(Reading("ALPHA" if upper else "alpha", ord(lower[0]) - 96, lower[1] + digit))
    elif len(lower) == 2 and not upper:
        found.append(Reading("alpha", ord(lower[0]) - 96, lower[1] + digit))
    value = roman_value(lower)
    if value is not None and not dotted:
        found.append(Reading("ROMAN" if upper else "roman", value, digit))
    return tuple(found)


def resolve(events: Sequence[Event], outer: Iterable[Kind] = ()) -> list[Placed]:
    """A place for every event, in order. `outer` are kinds that the surrounding provision already uses.

    Linear in the number of events: at each one the 24 cheapest states are kept.
    """
    states = [_State(0.0, (), None)]
    used = frozenset(outer)
    for event in events:
        best: dict[tuple[_Level, ...], _State] = {}
        for state in states:
            for cost, levels, placed in _moves(event, state.levels, used):
                total = state.cost + cost
                known = best.get(levels)
                if known is None or total < known.cost:
                    best[levels] = _State(total, levels, (state, placed))
        states = sorted(best.values(), key=lambda item: (item.cost, len(item.levels), item.levels))[:_BEAM]
    result: list[Placed] = []
    state = states[0]
    while state.placed is not None:
        state, placed = state.placed
        result.append(placed)
    return result[::-1]


_Move = tuple[float, tuple[_Level, ...], Placed]


def _moves(event: Event, levels: tuple[_Level, ...], used: frozenset[Kind]) -> Iterable[_Move]:
    if event.kind == "number":
        yield from _number_moves(event, levels, used)
        return
    floor = max((index + 1 for index, level in enumerate(levels) if level.kind in _FLOOR), default=0)
    if event.kind == "definition":
        keep = next((index for index, level in enumerate(levels) if level.kind == "definition"), None)
        if keep is None:
            keep = max((index + 1 for index, level in enumerate(levels) if level.kind in ("dot", "digit")), default=0)
        yield 0.0, (*levels[:keep], _Level("definition", 0, "")), Placed(keep, "definition")
        return
    # Text after a list closes as much of it as the numbers that follow allow.
    for keep in range(floor, len(levels) + 1):
        cost = 0.05 * (keep - floor) + (0.3 if keep and levels[keep - 1].kind == "proviso" else 0.0)
        if event.kind == "proviso":
            yield cost, (*levels[:keep], _Level("proviso", 0, "")), Placed(keep, "proviso")
        else:
            if keep == len(levels) and not event.closed:
                cost = 0.0
            yield cost, levels[:keep], Placed(keep, "text")


def _number_moves(event: Event, levels: tuple[_Level, ...], used: frozenset[Kind]) -> Iterable[_Move]:
    refused = 0.05 if event.reference else (1.0 if not event.closed else 2.5)
    yield refused, levels, Placed(-1, "text")
    context = (3.0 if event.reference else 0.0) + (0.0 if event.closed or event.announced else 0.4)
    for reading in readings(event.num, event.dotted):
        level = _Level(*reading)
        for index in range(len(levels) - 1, -1, -1):
            before = levels[index]
            if before.kind != reading.kind:
                continue
            step = _step(before, reading)
            if step is None:
                continue
            cost = context + step + 0.02 * (len(levels) - 1 - index) + (0.5 if event.announced else 0.0)
            yield cost, (*levels[:index], level), Placed(index, reading.kind)
        first = reading.value == 1 or (reading.kind == "alpha" and reading.value == 27)
        open_kinds = [before.kind for before in levels]
        if not first and reading.kind in open_kinds:
            continue
        # A list whose first numbers are missing from the source costs more.
        cost = context + (0.0 if first else 1.8)
        yield cost + _opening_cost(event, reading, levels, used), (*levels, level), Placed(len(levels), reading.kind)
        if reading.kind in ("digit", "dot") and levels:
            yield cost + 0.6, (level,), Placed(0, reading.kind)
        if reading.kind in open_kinds:
            index = open_kinds.index(reading.kind)
            yield cost + (2.6 if event.announced else 1.9), (*levels[:index], level), Placed(index, reading.kind)


def _step(before: _Level, after: Reading) -> float | None:
    """What it costs that `after` follows `before` in one list, None where it cannot."""
    if after.value == before.value + 1:
        return 0.0 if not after.suffix else 0.8
    if after.value == before.value:
        if after.suffix > before.suffix:
            return 0.1
        return 3.2 if after.suffix == before.suffix else None
    if before.value + 1 < after.value <= before.value + 12:
        return 1.2 + 0.1 * (after.value - before.value)
    return None


def _opening_cost(event: Event, reading: Reading, levels: tuple[_Level, ...], used: frozenset[Kind]) -> float:
    cost = 0.1 if event.announced or not levels else 0.5
    if reading.suffix:
        cost += 1.5
    inside = [level.kind for level in levels]
    if reading.kind in inside:
        since = inside[len(inside) - 1 - inside[::-1].index(reading.kind) :]
        cost += 0.3 if "proviso" in since or "definition" in since else 2.0
    elif reading.kind in used and not levels:
        cost += 0.5
    deeper = [kind for kind in inside if _RANK.get(kind, -1) > _RANK[reading.kind]]
    if deeper and not (reading.kind == "alpha" and reading.value == 27):
        cost += 1.2
    if reading.kind in ("roman", "ROMAN") and reading.value == 1 and "alpha" not in inside and "ALPHA" not in inside:
        cost += 0.1
    if reading.kind == "alpha" and reading.value == 27:
        cost += 0.0 if any(kind in ("roman", "ALPHA") for kind in inside) else 0.8
    return cost

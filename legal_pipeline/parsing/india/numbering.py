"""Which list each `(…)` at the start of a paragraph belongs to: `(i)` is the first of a new list or follows `(h)`.

A search over the whole section (beam), because only what follows decides. Not here: what the lists are called (`section_body`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

BEAM = 6
#: Lists within lists; deeper ones in a statute are garbage.
MAX_DEPTH = 10
#: Costs of a reading. A list that goes on is free; one that starts where no text announces it, or that skips numbers, is not.
_CLOSE_LEVEL, _UNANNOUNCED, _SAME_STYLE_INSIDE, _GAP, _NOT_FIRST, _NO_LABEL = 0.15, 0.6, 0.5, 0.8, 2.5, 3.0

_ROMAN = re.compile(r"(?=[ivxlc])(?:xc|xl|l?x{0,3})(?:ix|iv|v?i{0,3})$")
_ROMAN_VALUES = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}
_DIGIT = re.compile(r"(\d{1,3})([A-Z]{0,2})$")

Ordinal = tuple[int, str]


@dataclass(frozen=True)
class Reading:
    style: str
    ordinal: Ordinal


@dataclass(frozen=True)
class Entry:
    """One label (`12A`, `iv`) or, with `label` None, the start of a context that lists may stand in (proviso, explanation).

    `announced`: the text before ends with a dash or colon, or there is none.
    """

    label: str | None
    announced: bool = False


@dataclass(frozen=True)
class Place:
    """Where a label stands: the list's number within the section (None: it is no label) and the label's style."""

    list_id: int | None
    style: str | None = None


def readings(label: str) -> list[Reading]:
    """All that a label can be: `i` is the roman one and the letter; the more usual reading first."""
    out: list[Reading] = []
    if match := _DIGIT.match(label):
        return [Reading("digit", (int(match[1]), match[2]))]
    low = label.lower()
    case = "upper" if label.isupper() else "lower" if label.islower() else None
    if case is None:
        return []
    for length in (len(low), len(low) - 1):
        if length and _ROMAN.match(low[:length]):
            out.append(Reading(f"roman_{case}", (_roman(low[:length]), low[length:])))
            break
    if len(low) <= 2:
        out.append(Reading(f"alpha_{case}", (ord(low[0]) - 96, low[1:])))
    return out


def _roman(text: str) -> int:
    values = [_ROMAN_VALUES[letter] for letter in text]
    return sum(
        -value if index + 1 < len(values) and values[index + 1] > value else value for index, value in enumerate(values)
    )


def _step(last: Ordinal, new: Ordinal, style: str) -> float | None:
    """Cost of `new` after `last`; None when it cannot follow."""
    if style.startswith("alpha") and new[1] and new[1] == chr(new[0] + 96) and last[0] == 26 and not last[1]:
        return 0.0  # after (z) comes (aa)
    if new <= last:
        return None
    if new[0] == last[0] or new[0] == last[0] + 1:
        return 0.0
    return min(_GAP + 0.2 * (new[0] - last[0] - 1), 2.4)


@dataclass(frozen=True)
class _Frame:
    style: str
    ordinal: Ordinal
    list_id: int


@dataclass(frozen=True)
class _State:
    """One reading so far; `before` is the reading without its last entry (a chain, since sections may have thousands of entries)."""

    cost: float
    stack: tuple[_Frame, ...]
    lists: int
    place: Place | None = None
    before: _State | None = None


def resolve(entries: Sequence[Entry]) -> list[Place]:
    """A place for every entry, in order; the cheapest reading of the whole section."""
    beam = [_State(0.0, (), 0)]
    for entry in entries:
        following: list[_State] = []
        found = readings(entry.label) if entry.label is not None else []
        for state in beam:
            following.extend([_context(state)] if entry.label is None else _label(state, found, entry.announced))
        following.sort(key=lambda state: state.cost)
        beam = following[:BEAM]
    places: list[Place] = []
    last: _State | None = beam[0]
    while last is not None and last.place is not None:
        places.append(last.place)
        last = last.before
    return places[::-1]


def _context(state: _State) -> _State:
    """A proviso or explanation stands beside the one before it, not inside."""
    depth = next((index for index, frame in enumerate(state.stack) if frame.style == "context"), len(state.stack))
    frame = _Frame("context", (0, ""), -1)
    return _State(state.cost, (*state.stack[:depth], frame), state.lists, Place(None), state)


def _label(state: _State, found: Sequence[Reading], announced: bool) -> list[_State]:
    out = [_State(state.cost + _NO_LABEL, state.stack, state.lists, Place(None), state)]
    for reading in found:
        for index, frame in enumerate(state.stack):
            if frame.style != reading.style:
                continue
            step = _step(frame.ordinal, reading.ordinal, reading.style)
            if step is None:
                continue
            closed = len(state.stack) - 1 - index
            stack = (*state.stack[:index], _Frame(frame.style, reading.ordinal, frame.list_id))
            place = Place(frame.list_id, reading.style)
            out.append(_State(state.cost + step + _CLOSE_LEVEL * closed, stack, state.lists, place, state))
        if len(state.stack) >= MAX_DEPTH:
            continue
        cost = 0.0 if announced or not state.stack or state.stack[-1].style == "context" else _UNANNOUNCED
        if reading.ordinal[0] != 1:
            cost += _NOT_FIRST
        if any(frame.style == reading.style for frame in state.stack):
            cost += _SAME_STYLE_INSIDE
        frame = _Frame(reading.style, reading.ordinal, state.lists)
        place = Place(state.lists, reading.style)
        out.append(_State(state.cost + cost, (*state.stack, frame), state.lists + 1, place, state))
    return out

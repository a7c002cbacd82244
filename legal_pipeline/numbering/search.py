"""Finds the level of each marker of a sequence: the reading of the whole sequence with the lowest cost (a beam search).

A single marker is ambiguous: (i) is a letter after (h) and a numeral after "namely—"; the (2) of "subsection (2)" is a reference.
Not here: the costs (`numbering.styles`), splitting texts into blocks, and nodes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from heapq import nsmallest
from typing import NamedTuple

from legal_pipeline.numbering.readings import Reading
from legal_pipeline.numbering.styles import NEVER, Style

NUMBER, TEXT, DEFINITION = "number", "text", "definition"
PROVISO, EXPLANATION, EXCEPTION, ILLUSTRATION = "proviso", "explanation", "exception", "illustration"

#: Contexts that contain lists separate from the lists of the provision.
_CONTEXTS = frozenset({DEFINITION, PROVISO, EXPLANATION, EXCEPTION, ILLUSTRATION})
#: Costs of text without a number: for each list that it leaves open, and if it is inside a proviso.
_STAYS_OPEN, _IN_PROVISO = 0.05, 0.3
#: After this many states, the cost limit is updated above which the remaining states cannot be among the cheapest.
_PRUNED_AT = (4, 8, 16)
#: Sums of the same costs in another order differ by less than this. Of equal readings, the one that was cheaper before is kept.
_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class Event:
    """A number, plain text, or a context with its own lists (a definition, a proviso, an illustration).

    `bracket`: the signs around the number: `()`, `)`, `.`.
    `closed`: the text before ends as a clause ends. `announced`: the text before ends with a dash or colon, so that a list follows.
    `reference`: the text before ends as a reference begins ("in terms of subsection"), so that a number here is part of it.
    `italic`: whether the number is in italics; None if the source does not mark italics.
    `within`: the event is part of the innermost open context of these. `outermost`: its words state that it belongs to the whole
    provision.
    """

    kind: str
    num: str = ""
    bracket: str = "()"
    closed: bool = True
    announced: bool = False
    reference: bool = False
    italic: bool | None = None
    within: tuple[str, ...] = ()
    outermost: bool = False


@dataclass(frozen=True, slots=True)
class Placed:
    """The place of an event: its level from 0 (-1: it is not a number and belongs to the text before), and its series or kind.

    `opens`: it begins a list. For plain text, `level` is the number of levels that stay open around it.
    """

    level: int
    kind: str
    opens: bool = False


class Level(NamedTuple):
    """An open list and its last number; `rung` is its level in a ladder, else -1."""

    kind: str
    value: int = 0
    suffix: str = ""
    rung: int = -1


#: The fields of a `Placed`. Most readings are discarded, and creating a tuple takes a third of the time.
_Place = tuple[int, str, bool]


class _State(NamedTuple):
    cost: float
    levels: tuple[Level, ...]
    placed: tuple[_State, _Place] | None


_Move = tuple[float, tuple[Level, ...], _Place]
_IN_TEXT: _Place = (-1, TEXT, False)


def resolve(events: Iterable[Event], style: Style) -> list[Placed]:
    """Return the place of every event, in order."""
    search = Search(style)
    for event in events:
        search.add(event)
    return search.places()


class Search:
    """An incremental search over a sequence of events. The time per event does not depend on the length of the sequence."""

    def __init__(self, style: Style) -> None:
        self.style = style
        self._states = [_State(0.0, (), None)]
        self._openings: dict[tuple[object, ...], float] = {}

    def add(self, event: Event) -> None:
        """Read one more event and keep the cheapest readings."""
        found = self.style.readings(event.num, event.bracket) if event.kind == NUMBER else []
        best: dict[tuple[Level, ...], tuple[float, _State, _Place]] = {}
        beam = self.style.beam
        most = NEVER
        for index, state in enumerate(self._states):
            if index in _PRUNED_AT and len(best) >= beam:
                most = nsmallest(beam, [other[0] for other in best.values()])[-1]
            if state.cost > most:  # costs are not negative: this and all later states cost more than those kept
                break
            for cost, levels, place in self._moves(event, found, state.levels):
                total = state.cost + cost
                known = best.get(levels)
                if total < NEVER and (known is None or total < known[0] - _ROUNDING):
                    best[levels] = (total, state, place)
        if not best:  # the style has no reading of this number
            best = {state.levels: (state.cost, state, _IN_TEXT) for state in self._states}
        sign = -1 if self.style.deeper_wins else 1
        cheapest = sorted(best.items(), key=lambda item: (item[1][0], sign * len(item[0])))[:beam]
        self._states = [_State(cost, levels, (state, place)) for levels, (cost, state, place) in cheapest]

    @property
    def levels(self) -> tuple[Level, ...]:
        """The open lists of the cheapest reading, outermost first."""
        return self._states[0].levels

    @property
    def last(self) -> Placed:
        """The place of the last event in the cheapest reading so far. Raises `ValueError` before the first event."""
        if self._states[0].placed is None:
            raise ValueError("no event was added")
        return Placed(*self._states[0].placed[1])

    def close_to(self, depth: int) -> None:
        """End all lists but the `depth` outermost."""
        self._states = [state._replace(levels=state.levels[:depth]) for state in self._states]

    def places(self) -> list[Placed]:
        """Return the places of all events so far, in the cheapest reading."""
        result: list[Placed] = []
        state = self._states[0]
        while state.placed is not None:
            state, place = state.placed
            result.append(Placed(*place))
        return result[::-1]

    def _moves(self, event: Event, found: Sequence[Reading], levels: tuple[Level, ...]) -> Iterable[_Move]:
        if event.kind == NUMBER:
            return self._number_moves(event, found, levels)
        if event.kind == TEXT:
            return self._text_moves(event, levels)
        places = self._context_places(event, levels)
        return [(cost, (*levels[:keep], Level(event.kind)), (keep, event.kind, True)) for cost, keep in places]

    def _text_moves(self, event: Event, levels: tuple[Level, ...]) -> Iterator[_Move]:
        """Yield the moves of text without a number, which may close lists; the numbers after it decide how many."""
        floor = self._floor(levels)
        for keep in range(floor, len(levels) + 1):
            cost = 0.0 if keep == len(levels) and not event.closed else _stay_cost(levels, keep, floor)
            rung = levels[keep].rung if keep < len(levels) else -1
            yield cost, levels[:keep], (rung if rung >= 0 else keep, TEXT, False)

    def _floor(self, levels: tuple[Level, ...]) -> int:
        """Return how many of `levels` a text without a number never closes."""
        if self.style.ladder:
            return min(len(levels), 1)
        kinds = [level.kind for level in levels]
        if any(kind in self.style.holds_lists for kind in kinds):
            return len(levels)
        return max((index + 1 for index, kind in enumerate(kinds) if kind in self.style.holds_text), default=0)

    def _context_places(self, event: Event, levels: tuple[Level, ...]) -> Iterator[tuple[float, int]]:
        """Yield (cost, number of levels that stay open) for each possible place of a context."""
        style = self.style
        kinds = [level.kind for level in levels]
        around = [index for index, kind in enumerate(kinds) if kind in event.within]
        if event.outermost or around:
            yield 0.0, 0 if event.outermost else around[-1] + 1
        elif event.kind == DEFINITION:
            # A definition is on the level of the definition before it, not inside it.
            held = max((index + 1 for index, kind in enumerate(kinds) if kind in style.definition_under), default=0)
            yield 0.0, kinds.index(DEFINITION) if DEFINITION in kinds else held
        else:
            beside = (index for index, kind in enumerate(kinds) if style.contexts_apart and kind in _CONTEXTS)
            most = next(beside, len(levels))
            floor = self._floor(levels[:most])
            for keep in range(floor, most + 1):
                yield _stay_cost(levels, keep, floor), keep

    def _number_moves(self, event: Event, found: Sequence[Reading], levels: tuple[Level, ...]) -> list[_Move]:
        style = self.style
        if event.reference:
            refused, taken = style.refuse_reference, style.reference
        elif event.closed:
            refused, taken = style.refuse_finished, 0.0
        else:
            refused, taken = style.refuse_unfinished, 0.0
        if not event.closed:
            taken += style.unfinished
        moves: list[_Move] = [(refused, levels, _IN_TEXT)]
        if style.ladder:
            for reading in found:
                moves += [
                    (taken + cost, after, place) for cost, after, place in self._ladder_moves(event, reading, levels)
                ]
            return moves
        kinds = tuple([level.kind for level in levels])
        for reading in found:
            self._add_series_moves(moves, taken, event, reading, levels, kinds)
        return moves

    def _add_series_moves(
        self,
        moves: list[_Move],
        taken: float,
        event: Event,
        reading: Reading,
        levels: tuple[Level, ...],
        kinds: tuple[str, ...],
    ) -> None:
        """Add the moves of `reading`, which costs `taken`, to `moves`; any series may be inside any other."""
        style, kind = self.style, reading.kind
        level = Level(*reading)
        depth = len(levels)
        announced = event.announced * style.announced
        outermost = -1
        for index in range(depth - 1, -1, -1):
            if kinds[index] == kind:
                outermost = index
                cost = _follow_cost(levels[index], reading, style)
                if cost < NEVER:
                    cost = cost + style.close_each * (depth - 1 - index) + announced
                    moves.append((taken + cost, (*levels[:index], level), (index, kind, False)))
        later = 0.0 if reading.is_first else style.later
        if later >= NEVER:
            return
        if depth < style.depth:
            cost = later + self._opening(event, reading, levels, kinds)
            moves.append((taken + cost, (*levels, level), (depth, kind, True)))
        if outermost >= 0:
            cost = later + style.restart + announced
            moves.append((taken + cost, (*levels[:outermost], level), (outermost, kind, True)))
        if levels and kind in style.outermost:
            cost = later + (style.restart_top if reading.is_first else style.restart_top_later)
            moves.append((taken + cost, (level,), (0, kind, True)))

    def _opening(self, event: Event, reading: Reading, levels: tuple[Level, ...], kinds: tuple[str, ...]) -> float:
        """Return the cost if the reading opens a list; equal open lists and announcements have equal costs, which are cached."""
        doubled = reading.continues_alphabet
        key = (event.announced, reading.kind, bool(reading.suffix), reading.value == 1, doubled, kinds)
        cost = self._openings.get(key)
        if cost is None:
            cost = self._openings[key] = _open_cost(event, reading, levels, self.style)
        return cost

    def _ladder_moves(self, event: Event, reading: Reading, levels: tuple[Level, ...]) -> Iterator[_Move]:
        """Yield the moves of `reading` if each level has its own series."""
        style = self.style
        for rung, kind in enumerate(style.ladder):
            if kind != reading.kind:
                continue
            index = next((index for index, level in enumerate(levels) if level.rung >= rung), len(levels))
            cost = 0.0
            if (
                event.italic is not None
                and style.italic_from is not None
                and event.italic != (rung >= style.italic_from)
            ):
                cost += style.italic  # sources sometimes omit italics, so this is only a cost
            follows = index < len(levels) and levels[index].rung == rung
            first = reading.value == 1
            if follows:
                cost += _follow_cost(levels[index], reading, style) + event.announced * style.announced
            elif not levels:
                cost += style.lower_top * rung + (0.0 if first else style.later_top)
            elif index == len(levels):
                cost += style.skipped_level * (rung - levels[-1].rung - 1) + (0.0 if first else style.later)
                cost += style.open_announced if event.announced else style.open_unannounced
            else:
                cost += style.skipped_level + (0.0 if first else style.later)
            yield cost, (*levels[:index], Level(*reading, rung)), (rung, kind, not follows)


def _stay_cost(levels: tuple[Level, ...], keep: int, floor: int) -> float:
    """Return the cost if text leaves `keep` lists open where it could close all but `floor`."""
    return _STAYS_OPEN * (keep - floor) + (_IN_PROVISO if keep > floor and levels[keep - 1].kind == PROVISO else 0.0)


def _follow_cost(before: Level, after: Reading, style: Style) -> float:
    """Return the cost if `after` follows `before` in one list."""
    difference = after.value - before.value
    if after.kind == "dash":
        return 0.0
    if difference == 1:
        return style.next_lettered if after.suffix else 0.0
    if difference == 0 and after.suffix > before.suffix:
        return style.inserted
    if difference == 0 and after.suffix == before.suffix:
        return style.repeated
    if difference <= 0:
        return style.earlier
    return min(style.gap + style.gap_each * difference, style.gap_most) if difference <= style.gap_longest else NEVER


def _open_cost(event: Event, reading: Reading, levels: tuple[Level, ...], style: Style) -> float:
    inside = [level.kind for level in levels]
    if event.announced or not levels:
        cost = style.open_announced
    else:
        cost = style.open_context if inside[-1] in _CONTEXTS else style.open_unannounced
    if reading.suffix:
        cost += style.later_lettered
    if reading.kind in inside:
        since = inside[len(inside) - inside[::-1].index(reading.kind) :]
        if since:
            cost += style.inside_context if _CONTEXTS.intersection(since) else style.inside
        else:
            cost += style.directly_inside
    return cost + _rank_cost(reading, inside, style, announced=event.announced)


def _rank_cost(reading: Reading, inside: list[str], style: Style, *, announced: bool) -> float:
    """Return the additional cost if a list of this series opens inside lists of the series `inside`; none if it is `announced` and the
    outermost list is of a lower rank, too: "(a) …: (1)"."""
    kind, doubled = reading.kind, reading.continues_alphabet
    cost = 0.0
    if kind in style.ranks and not doubled:
        deeper = style.ranks[style.ranks.index(kind) + 1 :]
        is_reversed = any(other in deeper for other in inside) and not (announced and inside[0] in deeper)
        cost += style.rank_reversed if is_reversed else 0.0
    if kind.lower() == "roman" and reading.value == 1 and "alpha" not in inside and "ALPHA" not in inside:
        cost += style.unlettered_numeral
    if doubled and "roman" not in inside and "ALPHA" not in inside:
        cost += style.double_letter
    return cost

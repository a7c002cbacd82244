"""Finds the numbered sequence that runs through a document among the labels that might belong to it.

At each label the cheapest ways to get there are kept, so the time grows with the number of labels. Not here: what a label looks like
(`recogniser.labels`), and which words name divisions (`recogniser.divisions`).
"""

from __future__ import annotations

import bisect
import dataclasses
import itertools
from collections.abc import Sequence, Set
from dataclasses import dataclass
from typing import NamedTuple

from legal_pipeline.parsing.recogniser.labels import FAIR, STRONG, Label
from legal_pipeline.parsing.recogniser.numbers import Number

#: How many ways to come to a label are kept.
_BEAM = 40
#: A sequence that does not begin with its first number: a fixed part, a part for each number before it, and at most so much.
_LATE_BEGINNING, _LATE_BEGINNING_EACH, _LATE_BEGINNING_MOST = 0.2, 0.02, 1.0
#: What it costs that numbering begins anew: behind the heading of a division, anywhere else, and with a label alone on its line.
_RESTART_IN_DIVISION, _RESTART, _RESTART_ALONE = 0.3, 2.5, 0.9
#: Numbering begins anew in another series without the heading of a division between.
_RESTART_IN_SERIES = 1.0
#: Numbering begins anew with a later number than the first: for each number before it, and at most so much; a label alone on its line
#: costs only a share of it.
_LATE_RESTART_EACH, _LATE_RESTART_MOST, _LATE_RESTART_ALONE = 0.15, 0.9, 0.1
#: Numbers that are missing: a fixed part, a part for each, and at most so much; more where the label behind the gap is weak.
_GAP, _GAP_EACH, _GAP_MOST, _GAP_BEFORE_WEAK = 0.15, 0.02, 1.2, 0.3
#: The next number, of another series of the same code.
_OTHER_SERIES = 0.2
#: The same number again: an older wording that the publisher left in.
_REPEAT = 0.75
#: The next number of the law that publishes another one, behind that one.
_RESUME = 0.69


class _State(NamedTuple):
    """`outer`: the number behind which another law begins that this one publishes."""

    score: float
    label: Label
    before: _State | None
    outer: Number | None = None


@dataclass(frozen=True)
class Run:
    """`labels` in order; `score` is their strength less what the steps between them cost; `gaps`: pairs of numbers between which some are
    missing; `steps`: how many follow directly, `restarts`: how often numbering begins anew."""

    labels: tuple[Label, ...]
    score: float
    gaps: tuple[tuple[str, str], ...]
    steps: int
    restarts: int

    @property
    def regularity(self) -> float:
        """Share of the steps that lead to the next number or to a new beginning, 0 to 1."""
        total = len(self.labels) - 1
        return 1.0 if total <= 0 else (self.steps + self.restarts) / total


def best_run(labels: Sequence[Label], divisions: Sequence[int], enacted: Set[int] = frozenset()) -> Run:
    """The best sequence among `labels`, in the order of the document; `divisions` are the indices of blocks that head a division,
    `enacted` those of blocks right behind the words that enact a law."""
    states: dict[tuple[str, object], _State] = {}
    best: _State | None = None
    for label in labels:
        found = _State(label.strength - _start_cost(label.number), label, None)
        for state in states.values():
            cost, outer = _step(state, label, divisions, enacted)
            if state.score - cost + label.strength > found.score:
                found = _State(state.score - cost + label.strength, label, state, outer)
        key = (label.number.series, label.number.key)
        known = states.get(key)
        if known is None or found.score >= known.score:
            states[key] = found
        if best is None or found.score >= best.score:
            best = found
        if len(states) > 2 * _BEAM:
            kept = sorted(states.items(), key=lambda item: -item[1].score)[:_BEAM]
            states = dict(kept)
    return _run(best, divisions)


def _start_cost(number: Number) -> float:
    return 0.0 if number.is_first else min(_LATE_BEGINNING + _LATE_BEGINNING_EACH * number.value, _LATE_BEGINNING_MOST)


def _step(state: _State, after: Label, divisions: Sequence[int], enacted: Set[int]) -> tuple[float, Number | None]:
    """What the step to `after` costs, and the number behind which the law that goes on there is interrupted."""
    if after.index in enacted and after.number.is_first:
        return _RESTART_IN_DIVISION, state.label.number
    cost = _step_cost(state.label, after, divisions)
    if state.outer is not None and after.kinds and cost > _RESUME and after.number.follows(state.outer) == 0:
        return _RESUME, None
    return cost, state.outer


def _step_cost(before: Label, after: Label, divisions: Sequence[int]) -> float:
    gap = after.number.follows(before.number)
    if gap == 0:
        return 0.0
    if gap is None and (mixed := _follows_in_another_series(before.number, after.number)) is not None:
        return _OTHER_SERIES + min(_GAP_EACH * mixed, _GAP_MOST)
    crossed = _crosses(before, after, divisions)
    if gap is not None:
        cost = min(_GAP + _GAP_EACH * gap, _GAP_MOST)
        return cost if after.strength >= FAIR or not after.kinds else cost + _GAP_BEFORE_WEAK
    if after.number == before.number and not crossed:
        return _REPEAT if after.kinds else _RESTART
    late = 0.0
    if not after.number.is_first:
        late = min(_LATE_RESTART_EACH * (after.number.key[-1][0] - 1), _LATE_RESTART_MOST)
    if crossed:
        cost = _RESTART_IN_DIVISION + late
    elif after.number.series != before.number.series:
        cost = _RESTART_IN_SERIES + late
    else:
        cost = _RESTART + late
    # A label alone on its line counts in whatever order it stands: an older wording, a text that is annexed.
    is_sure = after.alone and after.strength >= STRONG and after.kinds
    return min(cost, _RESTART_ALONE + _LATE_RESTART_ALONE * late) if is_sure else cost


def _follows_in_another_series(before: Number, after: Number) -> int | None:
    """How many numbers lie between where two series of a code count together: D. 112-20, R. 112-21."""
    apart = ("", "roman", "letter")
    if before.series == after.series or before.series in apart or after.series in apart:
        return None
    return dataclasses.replace(after, series=before.series).follows(before)


def _crosses(before: Label, after: Label, divisions: Sequence[int]) -> bool:
    return bisect.bisect_right(divisions, after.index) > bisect.bisect_right(divisions, before.index)


def _run(state: _State | None, divisions: Sequence[int]) -> Run:
    labels: list[Label] = []
    score = state.score if state is not None else 0.0
    while state is not None:
        labels.append(state.label)
        state = state.before
    labels.reverse()
    gaps: list[tuple[str, str]] = []
    steps = restarts = 0
    for before, after in itertools.pairwise(labels):
        gap = after.number.follows(before.number)
        if gap == 0:
            steps += 1
        elif gap is not None:
            gaps.append((before.number.text, after.number.text))
        elif _crosses(before, after, divisions):
            restarts += 1
    return Run(tuple(labels), score, tuple(gaps), steps, restarts)

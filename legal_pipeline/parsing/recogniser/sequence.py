"""Finds the numbered sequence of a document's provisions among its labels (a beam search).

At each label only the best sequences are kept, so the time is linear in the number of labels. Not here: finding labels
(`recogniser.labels`), and headings of divisions (`recogniser.divisions`).
"""

from __future__ import annotations

import bisect
import dataclasses
import itertools
import operator
from collections import Counter
from collections.abc import Sequence, Set
from dataclasses import dataclass
from typing import NamedTuple

from legal_pipeline.parsing.recogniser.labels import FAIR, IN_CODE, STRONG, Label, Labels
from legal_pipeline.parsing.recogniser.numbers import Number

#: Number of best sequences that are kept when there are more than twice as many.
_BEAM = 40
#: Cost of a sequence that begins with a later number: a fixed part, a part for each number, and the maximum.
_LATE_BEGINNING, _LATE_BEGINNING_EACH, _LATE_BEGINNING_MOST = 0.2, 0.02, 1.0
#: Cost of a restart of the numbering: after the heading of a division, elsewhere, and with a label alone on its line.
_RESTART_IN_DIVISION, _RESTART, _RESTART_ALONE = 0.3, 2.5, 0.9
#: Cost of a restart in another series without the heading of a division between.
_RESTART_IN_SERIES = 1.0
#: Additional cost of a restart with a later number than the first: for each number before it, and the maximum; factor of this cost for a
#: label alone on its line.
_LATE_RESTART_EACH, _LATE_RESTART_MOST, _LATE_RESTART_ALONE = 0.15, 0.9, 0.1
#: Cost of missing numbers: a fixed part, a part for each, the maximum, and an additional cost if the label after the gap is weak.
_GAP, _GAP_EACH, _GAP_MOST, _GAP_BEFORE_WEAK = 0.15, 0.02, 1.2, 0.3
#: Maximum cost of missing numbers where the law leaves numbers free.
_GAP_WHERE_FREE = 0.3
#: Cost of the next number in another series of the same code.
_OTHER_SERIES = 0.2
#: Cost of the same number again: an older wording that the publisher retained.
_REPEAT = 0.75
#: Cost of a return, after a law that this law publishes, to the next number of this law.
_RESUME = 0.69


class _State(NamedTuple):
    """A sequence that ends with `label`; `outer`: the last number before another law that this law publishes."""

    score: float
    label: Label
    before: _State | None
    outer: Number | None = None


_score = operator.attrgetter("score")


@dataclass(frozen=True)
class Run:
    """`labels` in order; `score`: the sum of their strengths minus the costs of the steps between them; `gaps`: pairs of numbers between
    which some are missing; `steps`: how many numbers directly follow the one before; `restarts`: how often numbering restarts."""

    labels: tuple[Label, ...]
    score: float
    gaps: tuple[tuple[str, str], ...]
    steps: int
    restarts: int

    @property
    def regularity(self) -> float:
        """Share of the steps that lead to the next number or are a restart, 0 to 1."""
        total = len(self.labels) - 1
        return 1.0 if total <= 0 else (self.steps + self.restarts) / total


def best_run(labels: Labels, divisions: Sequence[int], enacted: Set[int] = frozenset()) -> Run:
    """Return the best sequence of `labels`, in the order of the document; `divisions` are the indices of blocks that head a division,
    `enacted` those of blocks directly after an enacting formula."""
    states: dict[tuple[str, object], _State] = {}
    best: _State | None = None
    cheap = _first_in_divisions(labels, divisions)
    free = _free(labels, cheap)
    for label in labels:
        crossed = divisions if label.index in cheap else ()
        found = _State(label.strength - _start_cost(label.number), label, None)
        # No step costs less than nothing: a sequence that scores less than the best one after its step cannot win.
        likely = max(states.values(), key=_score, default=found)
        least = likely.score - (0.0 if likely is found else _step(likely, label, crossed, enacted, free)[0])
        for state in states.values():
            if state.score < least:
                continue
            cost, outer = _step(state, label, crossed, enacted, free)
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
    return _run(best, divisions, free)


def _first_in_divisions(labels: Labels, divisions: Sequence[int]) -> set[int]:
    """Return the blocks of `labels` at which numbers may begin anew in a division: the first sure label with a word below its heading, and
    labels without a word. Below a later one, the label before it would be lost."""
    first: set[int] = set()
    before = -1
    for label in labels:
        if not label.kinds or bisect.bisect_right(divisions, before) < bisect.bisect_right(divisions, label.index):
            first.add(label.index)
        if label.kinds and label.strength >= FAIR:
            before = label.index
    return first


def _free(labels: Labels, first: Set[int]) -> set[int]:
    """Return the blocks of `labels` before which the law may leave numbers out: all sections of a code, else those that are `first` in a
    division and have numbers of several parts, "16.201", or 201 where the first of all is 101."""
    by_hundreds = bool(labels) and labels[0].number.begins_hundred

    def is_numbered_by_division(label: Label) -> bool:
        return len(label.number.key) > 1 or (by_hundreds and label.number.begins_hundred)

    sure = {
        label.index for label in labels if label.kinds and label.strength >= FAIR and is_numbered_by_division(label)
    }
    return {label.index for label in labels if label.style.startswith(IN_CODE)} | (sure & first)


def _start_cost(number: Number) -> float:
    if number.is_first or number.begins_hundred or number.is_hundred:
        return 0.0
    return min(_LATE_BEGINNING + _LATE_BEGINNING_EACH * number.value, _LATE_BEGINNING_MOST)


def _step(
    state: _State, after: Label, divisions: Sequence[int], enacted: Set[int], free: Set[int]
) -> tuple[float, Number | None]:
    """Return the cost of the step to `after`, and the `outer` number of the new state."""
    if after.index in enacted and after.number.is_first:
        return _RESTART_IN_DIVISION, state.label.number
    cost = _step_cost(state.label, after, divisions, free)
    if state.outer is not None and after.kinds and cost > _RESUME and after.number.follows(state.outer) == 0:
        return _RESUME, None
    return cost, state.outer


def _step_cost(before: Label, after: Label, divisions: Sequence[int], free: Set[int]) -> float:
    gap = after.number.follows(before.number)
    if gap == 0:
        return 0.0
    if gap is None and (mixed := _follows_in_another_series(before.number, after.number)) is not None:
        return _OTHER_SERIES + min(_GAP_EACH * mixed, _GAP_MOST)
    crossed = _crosses(before, after, divisions)
    if gap is not None:
        cost = min(_GAP + _GAP_EACH * gap, _GAP_WHERE_FREE if after.index in free else _GAP_MOST)
        return cost if after.strength >= FAIR or not after.kinds else cost + _GAP_BEFORE_WEAK
    if after.number == before.number and not crossed:
        return _REPEAT if after.kinds or (after.alone and after.strength >= FAIR) else _RESTART
    late = 0.0
    if not after.number.is_first:
        late = min(_LATE_RESTART_EACH * (after.number.key[-1][0] - 1), _LATE_RESTART_MOST)
    if crossed:
        cost = _RESTART_IN_DIVISION + late
    elif after.number.series != before.number.series:
        cost = _RESTART_IN_SERIES + late
    else:
        cost = _RESTART + late
    # A strong label alone on its line is cheap in any order: it may be an older wording or an annexed text.
    is_sure = after.alone and after.strength >= STRONG and after.kinds
    return min(cost, _RESTART_ALONE + _LATE_RESTART_ALONE * late) if is_sure else cost


def _follows_in_another_series(before: Number, after: Number) -> int | None:
    """Return how many numbers are missing if two series of a code are counted together (D. 112-20, R. 112-21), else None."""
    apart = ("", "roman", "greek", "letter")
    if before.series == after.series or before.series in apart or after.series in apart:
        return None
    return dataclasses.replace(after, series=before.series).follows(before)


def _crosses(before: Label, after: Label, divisions: Sequence[int]) -> bool:
    return bisect.bisect_right(divisions, after.index) > bisect.bisect_right(divisions, before.index)


def _without_strays(labels: Labels, divisions: Sequence[int], resumed: Set[int]) -> list[Label]:
    """Return `labels` without those that neither continue a sequence nor begin one, and whose number is elsewhere: an article of another
    law, quoted under its number. `resumed`: the blocks at which this law continues after another one."""
    counts = Counter(label.number.place for label in labels)

    def is_apart(before: Label, after: Label) -> bool:
        return after.number.follows(before.number) is None and after.number.place != before.number.place

    kept = list(labels[:1])
    for place, label in enumerate(labels[1:], 1):
        before, after = labels[place - 1], labels[place + 1] if place + 1 < len(labels) else None
        is_stray = (
            counts[label.number.place] > 1
            and label.index not in resumed
            and not label.number.is_first
            and is_apart(before, label)
            and not _crosses(before, label, divisions)
            and (after is None or is_apart(label, after))
        )
        kept += [] if is_stray else [label]
    return kept


def _without_references(labels: Labels) -> list[Label]:
    """Return `labels` without references: a label that reads as one, behind a label that does not, and before no next number ("Section 9 of
    the Ports Act applies" below section 8, the last of its law). If all labels of a law read so, they are provisions."""
    kept: list[Label] = []
    for before, label, after in zip([None, *labels], labels, [*labels[1:], None], strict=False):
        is_behind_sure = before is not None and not before.refers
        is_followed = after is not None and after.number.follows(label.number) is not None
        kept += [] if label.refers and is_behind_sure and not is_followed else [label]
    return kept


def _run(state: _State | None, divisions: Sequence[int], free: Set[int]) -> Run:
    labels: list[Label] = []
    score = state.score if state is not None else 0.0
    resumed: set[int] = set()
    while state is not None:
        labels.append(state.label)
        if state.before is not None and state.before.outer is not None and state.outer is None:
            resumed.add(state.label.index)
        state = state.before
    labels.reverse()
    labels = _without_references(_without_strays(labels, divisions, resumed))
    gaps: list[tuple[str, str]] = []
    steps = restarts = 0
    for before, after in itertools.pairwise(labels):
        gap = after.number.follows(before.number)
        if gap == 0 or (gap is not None and after.index in free):
            steps += 1
        elif gap is not None:
            gaps.append((before.number.text, after.number.text))
        elif _crosses(before, after, divisions):
            restarts += 1
    return Run(tuple(labels), score, tuple(gaps), steps, restarts)

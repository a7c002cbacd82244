"""Where offsets of one text stand in another that says the same with other white space, and perhaps leaves something out.

Not here: texts that say different things (`corpus` compares versions).
"""

from __future__ import annotations

import bisect
from collections.abc import Sequence

#: Characters that are looked for, without white space, the longest first.
_PROBES = (48, 24, 12)
#: How far a probe may stand from where it is expected: two lines that read the same are common in law.
_REACH = 5_000


def align(source: str, target: str, offsets: Sequence[int]) -> list[int]:
    """The offset in `target` for each of `offsets` in `source`, clamped to its ends.

    White space is passed over on both sides. What follows an offset is looked for near the place where it should stand, else what
    stands before it; an offset of which neither is found keeps the distance of the one before.
    """
    squeezed, places = _squeeze(source)
    wanted, target_places = _squeeze(target)
    found: dict[int, int] = {}
    shift = 0
    for offset in sorted(set(offsets)):
        at = bisect.bisect_left(places, offset)
        place = _find(squeezed, wanted, at, at + shift)
        if place is None:
            place = min(max(at + shift, 0), len(wanted))
        shift = place - at
        found[offset] = target_places[place] if place < len(target_places) else len(target)
    return [found[offset] for offset in offsets]


def _squeeze(text: str) -> tuple[str, list[int]]:
    """`text` without white space, and where each of its characters stands."""
    places = [index for index, char in enumerate(text) if not char.isspace()]
    return "".join(text[index] for index in places), places


def _find(source: str, target: str, at: int, expected: int) -> int | None:
    for length in _PROBES:
        after, before = source[at : at + length], source[max(at - length, 0) : at]
        for probe, step in ((after, 0), (before, len(before))):
            if len(probe) < length:
                continue
            place = _nearest(target, probe, expected - step)
            if place is not None:
                return place + step
    return None


def _nearest(target: str, probe: str, expected: int) -> int | None:
    """The occurrence of `probe` that stands nearest to `expected`, within reach."""
    low = max(expected - _REACH, 0)
    best: int | None = None
    place = target.find(probe, low, expected + _REACH + len(probe))
    while place >= 0:
        if best is None or abs(place - expected) < abs(best - expected):
            best = place
        if place > expected:
            break
        place = target.find(probe, place + 1, expected + _REACH + len(probe))
    return best

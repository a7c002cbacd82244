"""Maps offsets of one text to another text with the same words but different white space, and possibly some words missing.

Not here: texts with different content (`corpus` compares versions).
"""

from __future__ import annotations

import bisect
from collections.abc import Sequence

#: Lengths of the searched strings in characters without white space, the longest first.
_PROBES = (48, 24, 12)
#: Maximum distance of a match from its expected position, in characters: identical lines are common in law.
_REACH = 5_000


def align(source: str, target: str, offsets: Sequence[int]) -> list[int]:
    """Return the offset in `target` for each of `offsets` in `source`, clamped to the ends of `target`.

    White space is ignored in both texts. The characters after an offset are searched near the expected position, then those before
    it; if neither is found, the offset is shifted by as much as the offset before it.
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
    """Return `text` without white space, and the offset of each of its characters."""
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
    """Return the offset of the occurrence of `probe` nearest to `expected`, None if there is none within `_REACH`."""
    before = target.rfind(probe, max(expected - _REACH, 0), expected + len(probe))
    after = target.find(probe, max(expected + 1, 0), expected + _REACH + len(probe))
    places = [place for place in (before, after) if place >= 0]
    return min(places, key=lambda place: abs(place - expected), default=None)

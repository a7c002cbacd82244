"""A printed character of a PDF page, and pages whose text is turned. Not here: reading and joining the characters (`pdf.glyphs`)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

#: Minimum angle of rotated text, in radians. Slanted type and crooked scans are below it, text set along the margin is above it.
TURNED = 0.5
_QUARTER = math.pi / 2
#: Angles that differ from a whole turn by less than this are level.
_LEVEL = 1e-3


@dataclass(slots=True)
class Glyph:
    """A printed character: its edges, baseline, place of origin (from the left) and type size in points, and the clockwise angle of its
    baseline in radians."""

    char: str
    x0: float
    x1: float
    baseline: float
    size: float
    angle: float
    index: int = -1
    bottom: float = 0.0
    top: float = 0.0
    origin: float = 0.0


def turned_by(angle: float, by: float) -> float:
    """Return the sum of two angles in radians, from 0 up to a whole turn; 0 for level text."""
    found = (angle + by) % math.tau
    return found if _LEVEL < found < math.tau - _LEVEL else 0.0


def quarter_turns(glyphs: Sequence[Glyph]) -> int:
    """Return by how many quarters, clockwise, most of the text of a page is turned: 0 to 3."""
    turns: Counter[int] = Counter()
    for angle, count in Counter(glyph.angle for glyph in glyphs if not glyph.char.isspace()).items():
        turns[round(angle / _QUARTER) % 4] += count
    return next((turn for turn, count in turns.items() if 2 * count > turns.total()), 0)


def levelled(glyphs: Sequence[Glyph], turns: int, width: float, height: float) -> list[Glyph]:
    """Return `glyphs` as they are on a page of this size, in points, after it is turned anticlockwise by 1 to 3 quarters."""
    found = []
    for glyph in glyphs:
        if turns == 1:
            x0, x1, baseline = height - glyph.top, height - glyph.bottom, glyph.origin
        elif turns == 2:
            x0, x1, baseline = width - glyph.x1, width - glyph.x0, height - glyph.baseline
        else:
            x0, x1, baseline = glyph.bottom, glyph.top, width - glyph.origin
        angle = turned_by(glyph.angle, -turns * _QUARTER)
        found.append(replace(glyph, x0=x0, x1=x1, baseline=baseline, angle=angle))
    return found

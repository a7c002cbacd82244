"""A printed character of a PDF page. Not here: reading and joining them (`pdf.glyphs`)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(slots=True)
class Glyph:
    """A printed character: its left and right edge, baseline and type size in points, and the angle of its baseline in radians."""

    char: str
    x0: float
    x1: float
    baseline: float
    size: float
    angle: float
    index: int = -1

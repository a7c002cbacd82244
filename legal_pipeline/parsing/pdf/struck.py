"""Finds the glyphs of a PDF page that a drawn line strikes out.

Not here: leaving them out of the text (`pdf.glyphs`).
"""

from __future__ import annotations

import bisect
from collections.abc import Iterable, Sequence
from typing import Any

from legal_pipeline.parsing.pdf.glyph import Glyph

#: Maximum height and minimum width of a drawn line, in points.
_HEIGHT, _WIDTH = 2.0, 3.0
#: The height of the line above the baseline, as shares of the type size. An underline is below it, the rule of a table above.
_LOW, _HIGH = 0.15, 0.45
#: Maximum distance between the end of the line and that of the struck text, as a share of the type size: a rule of a table is longer.
_OVERHANG = 0.8

#: Left, bottom, right and top edge in points.
Box = tuple[float, float, float, float]


def drawn_lines(objects: Iterable[Any]) -> list[Box]:
    """Return the boxes of the horizontal lines among the objects of a PDFium page, drawn as strokes or as flat rectangles.

    The boxes of objects inside forms are relative to the form; these are left out.
    """
    import pypdfium2 as pdfium

    boxes = [item.get_bounds() for item in objects if item.type == pdfium.raw.FPDF_PAGEOBJ_PATH and item.level == 0]
    return [box for box in boxes if box[3] - box[1] <= _HEIGHT and box[2] - box[0] >= _WIDTH]


def struck_glyphs(glyphs: Sequence[Glyph], lines: Sequence[Box]) -> set[int]:
    """Return the indices of the glyphs in `glyphs` through whose middle one of `lines` goes, from one end of their text to the other."""
    level = sorted(
        (glyph.baseline, index) for index, glyph in enumerate(glyphs) if not glyph.char.isspace() and glyph.angle == 0
    )
    largest = max((glyph.size for glyph in glyphs), default=0.0)
    struck: set[int] = set()
    for left, bottom, right, top in lines:
        middle = (bottom + top) / 2
        start = bisect.bisect_left(level, (middle - _HIGH * largest, -1))
        end = bisect.bisect_right(level, (middle, len(glyphs)))
        under = [
            (glyphs[index], index)
            for baseline, index in level[start:end]
            if _LOW <= (middle - baseline) / (glyphs[index].size or 1.0) <= _HIGH
            and left <= (glyphs[index].x0 + glyphs[index].x1) / 2 <= right
        ]
        if not under:
            continue
        overhang = _OVERHANG * max(glyph.size for glyph, _ in under)
        if (
            min(glyph.x0 for glyph, _ in under) - left <= overhang
            and right - max(glyph.x1 for glyph, _ in under) <= overhang
        ):
            struck.update(index for _, index in under)
    return struck


def struck_words(glyphs: Sequence[Glyph], struck: set[int]) -> list[str]:
    """Return the texts of the `struck` glyphs; white space between two of them belongs to the text."""
    texts: list[str] = []
    text = ""
    for index, glyph in enumerate(glyphs):
        if index in struck or (text and glyph.char.isspace()):
            text += glyph.char
        elif text:
            texts.append(" ".join(text.split()))
            text = ""
    return [*texts, " ".join(text.split())] if text else texts

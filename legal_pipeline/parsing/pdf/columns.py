"""Divides the text of a page that is set in two columns into parts in reading order.

Lines that cross the gutter (titles, page numbers) divide the columns above and below them. Not here: margin text, headers and footnotes
(`pdf.layout`), and the cells of tables.
"""

from __future__ import annotations

import itertools
import statistics
from collections import Counter
from collections.abc import Sequence

from legal_pipeline.parsing.pdf.glyphs import Line

#: Maximum width of a line in a column, and the range in which the right column begins, as shares of the width of the page's text.
_LINE_WIDTH, _BEGINS, _ENDS = 0.55, 0.35, 0.7
#: Minimum share of the characters that are in columns, and minimum number of lines of a column.
_IN_COLUMNS, _LINES = 0.6, 8
#: The same minimum on a page whose gutter is that of another page: the last page of a law may be short.
_FEW_LINES = 2
#: Minimum median length of the lines of a column, in characters, and minimum share of them that continue a sentence. Cells of tables are
#: shorter and begin anew.
_LINE_CHARS, _CONTINUED = 18, 0.25
#: Distance between the gutter's right edge and the right column, in type sizes.
_CLEAR = 0.3


#: Lines of a page with the left and right edge of their column, in points.
Part = tuple[list[Line], float, float]


def in_reading_order(lines: Sequence[Line], left: float, right: float, gutter: float | None) -> list[Part]:
    """Return the parts of a page; one part with all `lines` if `gutter` is None. `left` and `right` are the edges of its text."""
    if gutter is None:
        return [(list(lines), left, right)]
    parts: list[Part] = []
    for crosses, group in itertools.groupby(
        sorted(lines, key=lambda line: -line.baseline), key=lambda line: line.x0 < gutter < line.x1
    ):
        found = list(group)
        if crosses:
            parts.append((found, left, right))
            continue
        sides = filter(None, _sides(found, gutter))
        parts += [(side, min(line.x0 for line in side), max(line.x1 for line in side)) for side in sides]
    return parts


def find_gutter(
    lines: Sequence[Line], left: float, right: float, size: float, known: Sequence[float] = ()
) -> float | None:
    """Return the x position between two columns of running text, None if the page has no columns. `known`: gutters of pages before."""
    width = right - left
    narrow = [line for line in lines if line.x1 - line.x0 < _LINE_WIDTH * width]
    starts = Counter(round(line.x0) for line in narrow if left + _BEGINS * width < line.x0 < left + _ENDS * width)
    if not starts:
        return None
    begins = starts.most_common(1)[0][0]
    own = begins - _CLEAR * size
    column = [line.baseline for line in narrow if round(line.x0) == begins]
    for gutter, least, band in (
        (own, _LINES, lines),
        *((other, _FEW_LINES, lines) for other in known),
        # the columns may fill only a part of the page
        (own, _LINES, [line for line in lines if min(column) <= line.baseline <= max(column)]),
    ):
        sides = _sides([line for line in band if line.x1 - line.x0 < _LINE_WIDTH * width], gutter)
        inside = sum(len(line.text) for side in sides for line in side)
        enough = inside >= _IN_COLUMNS * sum(len(line.text) for line in band)
        if enough and all(_is_running_text(side, least) for side in sides):
            return gutter
    return None


def _sides(lines: Sequence[Line], gutter: float) -> tuple[list[Line], list[Line]]:
    return [line for line in lines if line.x1 <= gutter], [line for line in lines if line.x0 >= gutter]


def _is_running_text(lines: Sequence[Line], least: int) -> bool:
    texts = [line.text.strip() for line in lines]
    if len(texts) < least or statistics.median(map(len, texts)) < _LINE_CHARS:
        return False
    return sum(text[:1].islower() for text in texts) >= _CONTINUED * len(texts)

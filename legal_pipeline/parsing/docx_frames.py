"""Word files that a program made from a PDF: each line is a frame with a place on the page, in the order of its height over both columns.

Not here: frames beside running text (`parsing.docx_text` reads them in the order of the file).
"""

from __future__ import annotations

import itertools
import statistics
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from legal_pipeline.parsing.docx_archive import WORD as _W

#: Minimum number and share of the paragraphs that have a place of their own.
_FRAMED, _SHARE = 20, 0.9
#: Minimum number of lines of each of two columns, and how far a line may reach over the middle, as a share of the width of the text.
_COLUMN_LINES, _OVER = 5, 0.01
#: Lines whose heights differ by less than this share of the line distance are one line; a larger distance than the second ends a paragraph.
_LEVEL, _APART = 0.35, 1.25
#: Line distance of a text without wrapped lines, in twentieths of a point.
_USUAL_PITCH = 240.0


@dataclass
class _Frame:
    """Lines in one frame; its place and width in twentieths of a point, from the upper left corner of the page."""

    x: int
    y: int
    width: int
    lines: list[str] = field(default_factory=list)


def framed_text(body: Any, line_of: Callable[[Any], str]) -> str | None:
    """Return the text of `body`, column by column, with a form feed between two pages and an empty line between paragraphs apart; None if
    not nearly all paragraphs have a place on the page. `line_of` returns the text of a paragraph."""
    pages: list[list[_Frame]] = [[]]
    framed = others = 0
    for element in body.iterchildren(f"{_W}p", f"{_W}tbl"):
        text = line_of(element) if element.tag == f"{_W}p" else "table"
        if element.find(f".//{_W}br[@{_W}type='page']") is not None:
            pages.append([])
        if not text:
            continue
        place = _place(element)
        if place is None:
            others += 1
            continue
        framed += 1
        if not pages[-1] or (pages[-1][-1].x, pages[-1][-1].y, pages[-1][-1].width) != place:
            pages[-1].append(_Frame(*place))
        pages[-1][-1].lines.append(text)
    if framed < _FRAMED or framed < _SHARE * (framed + others):
        return None
    columns = [list(_columns(page)) for page in pages if page]
    pitch = _pitch([column for page in columns for column in page])
    return "\n\f".join(_joined([list(_lines(column, pitch)) for column in page]) for page in columns)


def _joined(columns: Sequence[Sequence[str]]) -> str:
    """Join the lines of columns: a paragraph may go on in the next column, but a line over both is one of its own."""
    text = ""
    for above, below in itertools.pairwise([[], *columns]):
        alone = min(len(above), len(below)) == 1
        text += ("" if not above else "\n\n" if alone else "\n") + "\n".join(below)
    return text


def _place(element: Any) -> tuple[int, int, int] | None:
    frame = element.find(f"{_W}pPr/{_W}framePr")
    if frame is None:
        return None
    values = [frame.get(f"{_W}{name}", "") for name in ("x", "y", "w")]
    return (int(values[0]), int(values[1]), int(values[2])) if all(value.isdigit() for value in values) else None


def _columns(page: Sequence[_Frame]) -> Iterator[list[_Frame]]:
    """Yield the frames in the order in which they are read: a line over both columns ends the columns above it."""
    left, right = min(frame.x for frame in page), max(frame.x + frame.width for frame in page)
    middle, over = (left + right) / 2, _OVER * (right - left)
    ordered = sorted(page, key=lambda frame: (frame.y, frame.x))
    sides = ["left" if f.x + f.width <= middle + over else "right" if f.x >= middle - over else "" for f in ordered]
    counts = {
        side: sum(len(frame.lines) for frame, other in zip(ordered, sides, strict=True) if other == side)
        for side in ("left", "right", "")
    }
    if min(counts["left"], counts["right"]) < max(_COLUMN_LINES, counts[""]):
        yield ordered
        return
    band: dict[str, list[_Frame]] = {"left": [], "right": []}
    for frame, side in zip(ordered, sides, strict=True):
        if side:
            band[side].append(frame)
            continue
        yield from filter(None, band.values())
        band = {"left": [], "right": []}
        yield [frame]
    yield from filter(None, band.values())


def _pitch(columns: Sequence[Sequence[_Frame]]) -> float:
    """Return the distance of two lines of a paragraph."""
    steps = [
        (below.y - above.y) / len(above.lines)
        for column in columns
        for above, below in itertools.pairwise(column)
        if len(above.lines) > 1 and below.y > above.y
    ]
    return statistics.median_low(steps) if steps else _USUAL_PITCH


def _lines(column: Sequence[_Frame], pitch: float) -> Iterator[str]:
    """Yield the lines of `column`; pieces on one height are one line ("1" and "— The keeper")."""
    waiting, bottom = "", 0.0
    for frame in column:
        first, *more = frame.lines
        if waiting and abs(frame.y - bottom) < _LEVEL * pitch:
            waiting = f"{waiting} {first}"
        else:
            if waiting:
                yield waiting
                if frame.y - bottom > _APART * pitch:
                    yield ""
            waiting = first
        for line in more:
            yield waiting
            waiting = line
        bottom = frame.y + pitch * len(more)
    yield waiting

"""Sets the notes in small type beside numbered provisions above them, as headings: "Lent lamps." in the margin of "4.—(1) The Board may".

Not here: notes in the columns of a plain text (`readers.marginal_notes`), and other text in a margin (`pdf.layout`).
"""

from __future__ import annotations

import dataclasses
import itertools
import re
from collections.abc import Iterator, Sequence

from legal_pipeline.parsing.pdf.glyphs import Line, Page
from legal_pipeline.parsing.recogniser.numbers import Number, read_number

#: The first line of a provision.
_START = re.compile(r"(?P<num>\d{1,4}[A-Z]{0,3})\.(?:\s*[–—-]|\s+(?=[^\W\d_]|\())\s*\S")
#: Maximum type size of a note, and minimum type size of the first line of a provision, relative to the body.
_SMALL, _FULL = 0.85, 0.95
#: Minimum number of provisions, and minimum share of them with a note.
_LEAST, _NOTED = 3, 0.6
#: Maximum distances, in lines of a note, between its lines, and between it and the first line of its provision.
_STEP, _NEAR = 1.6, 1.2


#: The first line of a provision on a page, its number, and the lines of the note beside it.
_Provision = tuple[Line, Number, Sequence[Line]]


def with_notes_above(pages: Sequence[Page], body_size: float) -> list[Page]:
    """Return `pages` with the notes beside provisions above their first lines, in bold and without a full stop at the end.

    Without notes beside most of the provisions, which are numbered from 1 on, the pages stay as they are. `body_size` is in points.
    """
    found = {page.number: list(_provisions(page, body_size)) for page in pages}
    starts = [provision for page in pages for provision in found[page.number]]
    noted = [index for index, (_, _, note) in enumerate(starts) if note]
    numbers = [starts[index][1] for index in noted]
    if (
        len(noted) < _LEAST
        or not numbers[0].is_first
        or len(noted) < _NOTED * (noted[-1] + 1)  # the paragraphs of schedules have no notes
        or not all(before.key < after.key for before, after in itertools.pairwise(numbers))
    ):
        return list(pages)
    return [dataclasses.replace(page, segments=list(_set_above(page, found[page.number]))) for page in pages]


def _provisions(page: Page, body_size: float) -> Iterator[_Provision]:
    lines = [line for line in page.segments if not line.rotated]
    starts = [
        (line, number)
        for line in lines
        if line.size >= _FULL * body_size
        and (match := _START.match(line.text)) is not None
        and (number := read_number(match["num"])) is not None
    ]
    if not starts:
        return
    left, right = min(line.x0 for line, _ in starts), max(line.x1 for line, _ in starts)
    beside = [line for line in lines if line.size <= _SMALL * body_size and (line.x1 <= left or line.x0 >= right)]
    notes = list(_notes(beside))
    for line, number in starts:
        near = (note for note in notes if _is_beside(note, line))
        yield line, number, next(near, ())


def _notes(lines: Sequence[Line]) -> Iterator[tuple[Line, ...]]:
    """Yield the lines below each other with a common left edge."""
    note: list[Line] = []
    for line in sorted(lines, key=lambda line: (round(line.x0), -line.baseline)):
        if note and not (abs(line.x0 - note[-1].x0) < 2 and note[-1].baseline - line.baseline <= _STEP * line.size):
            yield tuple(note)
            note = []
        note.append(line)
    if note:
        yield tuple(note)


def _is_beside(note: Sequence[Line], line: Line) -> bool:
    """Whether the note begins in the line of the text, or around it."""
    return -_NEAR * note[0].size <= note[0].baseline - line.baseline <= _NEAR * note[0].size


def _set_above(page: Page, provisions: Sequence[_Provision]) -> Iterator[Line]:
    moved = {id(line) for _, _, note in provisions for line in note}
    noted = {id(line): note for line, _, note in provisions if note}
    for line in page.segments:
        if id(line) in moved:
            continue
        if note := noted.get(id(line)):
            yield _heading(line, note)
        yield line


def _heading(start: Line, note: Sequence[Line]) -> Line:
    return dataclasses.replace(
        note[0],
        text=" ".join(line.text.strip() for line in note).removesuffix("."),
        x0=start.x0,
        x1=start.x0 + sum(line.x1 - line.x0 for line in note),
        baseline=start.baseline + 0.9 * start.size,
        text_x=start.x0,
        bold=(True, True),
        lead="",
    )

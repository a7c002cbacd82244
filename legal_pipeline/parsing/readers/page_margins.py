"""Sets notes beside numbered provisions above them where they change sides: to the right of the text on odd pages and to the left on even
ones, as in printed collections of laws.

Not here: notes that are to the left on all pages (`readers.marginal_notes`), and tables (`parsing.text_tables`).
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from legal_pipeline.parsing.recogniser.numbers import Number, read_number
from legal_pipeline.parsing.recogniser.words import division_alone
from legal_pipeline.parsing.text_lines import TextLine

#: A provision with its note to the left, with white space in its place, and with its note to the right.
_LEFT = re.compile(r"(?P<note>[^\W\d_]\S*(?:\s\S+)*)?\s{2,}(?P<num>\d{1,4}[A-Z]{0,3})\.\s+\S")
_RIGHT = re.compile(r"\s{1,12}(?P<num>\d{1,4}[A-Z]{0,3})\.\s+\S.*?\S(?:\s{3,}(?P<note>\S+(?:\s\S+)*))?\s*\Z")
_NOTE = re.compile(r"\S+(?:\s\S+)*(?=\s{2}|\s*\Z)")
#: Minimum number of provisions, minimum share of them with a note, and where the column of the notes ends on a left and begins on a right
#: margin.
_LEAST, _NOTED, _LEFT_ENDS, _RIGHT_BEGINS = 3, 0.6, range(6, 41), range(50, 120)


@dataclass(frozen=True)
class _Start:
    """The line `index` begins the provision `number`; `column` is where its note on the right begins, or its number beside a note on
    the left."""

    index: int
    number: Number
    is_right: bool
    column: int
    has_note: bool


def with_notes_of_pages_above(lines: Sequence[TextLine]) -> list[TextLine]:
    """Return `lines` with the notes on the outer margins of the pages above the provisions beside them, between blank lines.

    The first sentence of a note is the heading; what follows, the acts that amended the provision, is set below it. Without notes on both
    sides, return `lines`. The numbers of the provisions follow each other from 1 on.
    """
    pages = [list(page) for _, page in itertools.groupby(range(len(lines)), key=lambda index: lines[index].page)]
    starts = [_starts(page, lines) for page in pages]
    found = [start for page in starts for start in page]
    if len({start.is_right for start in found}) < 2 or not _are_provisions(found):
        return list(lines)
    return [line for page, own in zip(pages, starts, strict=True) for line in _set_above(page, own, lines)]


def _starts(page: Sequence[int], lines: Sequence[TextLine]) -> list[_Start]:
    """Return the provisions that begin on a page, all with their notes on the side on which most are."""
    sides: list[list[_Start]] = []
    for pattern, is_right, columns in ((_LEFT, False, _LEFT_ENDS), (_RIGHT, True, _RIGHT_BEGINS)):
        matches = [(index, match) for index in page if (match := pattern.match(lines[index].text))]
        places = [match.start("note" if is_right else "num") for _, match in matches if match["note"]]
        column, _ = max(Counter(places).items(), key=lambda item: item[1], default=(0, 0))
        if column not in columns:
            continue
        numbered = [
            _Start(index, number, is_right, column, bool(match["note"]))
            for index, match in matches
            if (number := read_number(match["num"])) is not None
            and (is_right or match.start("num") == column)
            and (not match["note"] or match.start("note" if is_right else "num") == column)
        ]
        beside = [lines[index].text for index in page if numbered and index >= numbered[0].index]
        if not any(_crosses(text, column) if is_right else _split(text) > _LEFT_ENDS.stop for text in beside):
            sides.append(numbered)
    return max(sides, key=lambda side: sum(start.has_note for start in side), default=[])


def _crosses(text: str, column: int) -> bool:
    return "\t" in text[: column + 1] or (len(text) > column and bool(text[column - 1 : column].strip()))


def _split(text: str) -> int:
    """Return where a note on the left margin ends: it begins the line, and wide space or the line's end follows it."""
    note = _NOTE.match(text)
    return note.end() if note else 0


def _are_provisions(starts: Sequence[_Start]) -> bool:
    return (
        len(starts) >= _LEAST
        and starts[0].number.key == ((1, ()),)
        and all(after.number.follows(before.number) == 0 for before, after in itertools.pairwise(starts))
        and sum(start.has_note for start in starts) >= _NOTED * len(starts)
    )


def _set_above(page: Sequence[int], starts: Sequence[_Start], lines: Sequence[TextLine]) -> list[TextLine]:
    if not starts:
        return [lines[index] for index in page]
    found = [lines[index] for index in page if index < starts[0].index]
    for start, after in itertools.zip_longest(starts, starts[1:]):
        inside = [lines[index] for index in page if start.index <= index and (after is None or index < after.index)]
        borders = [start.column if start.is_right else _split(line.text) for line in inside]
        left = [_part(line, 0, border) for line, border in zip(inside, borders, strict=True)]
        right = [_part(line, border, len(line.text)) for line, border in zip(inside, borders, strict=True)]
        notes, text = (right, left) if start.is_right else (left, right)
        # a line with a note alone does not divide the text beside it
        text = [part for part, line in zip(text, inside, strict=True) if part.stripped or not line.stripped]
        heading, others = _heading([line for line in notes if line.stripped])
        blank = inside[0].part(0, 0)
        end = next((place for place, line in enumerate(text) if division_alone().fullmatch(line.stripped)), len(text))
        found += [blank, *heading, blank, *text[:end], blank, *others, blank, *text[end:]]
    return found


def _part(line: TextLine, start: int, end: int) -> TextLine:
    return TextLine(line.text[start:end].rstrip(), line.offset + min(start, len(line.text)), line.page)


def _heading(notes: Sequence[TextLine]) -> tuple[list[TextLine], list[TextLine]]:
    """Return the lines of the heading without its full stop, as one line where they are short, and the other lines."""
    end = next((index + 1 for index, line in enumerate(notes) if line.stripped.endswith(".")), len(notes))
    heading = list(notes[:end])
    if heading and heading[-1].stripped.endswith("."):
        heading[-1] = heading[-1].part(0, len(heading[-1].text.rstrip()) - 1)
    return heading, list(notes[end:])

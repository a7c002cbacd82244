"""Tables set with spaces or tabs: recognise the rows and the start of their cells.

Not here: the place of a table in the tree (each format).
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Sequence

from legal_pipeline.text.normalise import joins_without_space

#: A gap between two cells: a tab or at least three spaces. Two spaces may be a typing error in running text.
GAP = re.compile(r"(?<=\S)(?:[ \xa0]{3,}|[ \xa0]*\t[ \t\xa0]*)(?=\S)")
_SEGMENT = re.compile(r"\S+(?:[ \xa0]{1,2}\S+)*")
_TWO_SPACES = re.compile(r" {2}")
_PIECE = re.compile(r"\S+(?: \S+)*")
#: "1. föräldrapenning,      (11 och 12 kap.)" is an item with a reference at the right margin, not a row.
_CHAPTER_REFERENCE = re.compile(r"\(\d.*")
_NEW_ROW = re.compile(r"[A-ZÅÄÖ0-9\"”]")
_NUMBERED = re.compile(r"\d+\.\s")
#: A cell belongs to a column if it begins within this many characters of it: typists did not count.
_TOLERANCE = 9
#: A line without a gap that is indented less than this is text, not the continuation of a right-hand cell.
_DEEP_INDENT = 8

#: A cell of words, not a number or the mark of an item.
_WORDS = re.compile(r"(?!\w{1,4}[.)])[^\W\d_]{2,}")
#: A first cell that is the label of a provision ("Article 5", "§ 5", "5 §"), and the minimum number of words in its text.
_LABEL = re.compile(r"\s*(?:[^\W\d_]+\.?\s\d+\w{0,3}|§+\s*\d.*|\d+\w{0,3}\.?\s*§)[.:]?\s*")
_PROVISION_WORDS = 4
#: Maximum distance between the start of a cell and its column in `read_table`.
_ALIGNED = 2

Pairs = list[tuple[int, int]]
Row = list[str]
#: Cells of a line: (start with tabs expanded, text, start in the line).
Segments = list[tuple[int, str, int]]
CELL_SEPARATOR = " | "
_DASHES = re.compile(r"-+|=+")
_RULE = re.compile(r" *(?:-{2,}|={2,})(?: +(?:-{2,}|={2,}))* *")


def _segments(line: str, columns: frozenset[int] = frozenset()) -> Segments:
    """Return the cells of a line with their positions. Two spaces separate cells only where a column of the block begins."""
    segments: Segments = []
    for match in _SEGMENT.finditer(line):
        raw, text = match.start(), match.group()
        start = len(line[:raw].expandtabs(8)) if "\t" in line else raw
        at = 0
        if columns and "  " in text:
            for gap in _TWO_SPACES.finditer(text):
                if start + gap.end() in columns:
                    segments.append((start + at, text[at : gap.start()], raw + at))
                    at = gap.end()
        segments.append((start + at, text[at:], raw + at))
    return segments


def _columns(lines: list[str]) -> frozenset[int]:
    """Return the starts of all cells except the first in lines with a wide gap."""
    return frozenset(segment[0] for line in lines if GAP.search(line) for segment in _segments(line)[1:])


def _nearest(columns: list[int], start: int, first: int = 0) -> int:
    """Return the index, from `first` on, of the column that begins nearest to `start`."""
    return min(range(first, len(columns)), key=lambda index: abs(columns[index] - start))


def read_table(lines: Sequence[str], start: int) -> tuple[str, Pairs] | None:
    """Return the rows of a table, one per line, and their offset map to the raw text, in which the lines begin at `start`.

    None if the lines are not a table. A table needs two rows in the same columns whose first cells are words: a provision whose number is
    set apart looks like a row with a number.
    """
    if (found := _tabbed_rows(lines, start)) is not None:
        return found
    rows = [segments for line in lines if GAP.search(line) and len(segments := _segments(line)) > 1]
    if len(rows) < 2 or not all(_WORDS.match(row[0][1]) for row in rows):
        return None
    if any(_is_provision([text for _, text, _ in row]) for row in rows):
        return None
    columns = [start for start, _, _ in max(rows, key=len)]
    aligned = all(abs(columns[_nearest(columns, start)] - start) <= _ALIGNED for row in rows for start, _, _ in row)
    raw = "\n".join(lines)
    if not aligned or not is_table_block(raw, after_table=False):
        return None
    return _table(TableColumns().rows(raw, start))


def _table(rows: Iterable[tuple[Row, Pairs]]) -> tuple[str, Pairs]:
    """Return the rows, one per line, and their offset map."""
    texts: list[str] = []
    pairs: Pairs = []
    length = 0
    for cells, offsets in rows:
        pairs += [(length + position, offset) for position, offset in offsets]
        texts.append(CELL_SEPARATOR.join(cells))
        length += len(texts[-1]) + 1
    return "\n".join(texts), pairs


def _is_provision(row: Sequence[str]) -> bool:
    """Whether the first cell is the label of a provision and the second its text; a row of two labels refers to provisions."""
    return _LABEL.fullmatch(row[0]) is not None and len(row[1].split()) >= _PROVISION_WORDS


def _tabbed_rows(lines: Sequence[str], start: int) -> tuple[str, Pairs] | None:
    """Return the rows of a table whose cells single tabs separate, one row per line; None if the lines are not such a table."""
    rows = [line.split("\t") for line in lines]
    width = len(rows[0])
    if len(rows) < 2 or width < 2 or any(len(row) != width or not row[0].strip() for row in rows):
        return None
    # "5.<tab>The keeper lights the lamp." and "Article 5<tab>The keeper" are provisions whose number is set apart.
    if any(_is_provision(row) for row in rows) or (
        width == 2 and not all(_WORDS.match(row[0].lstrip()) for row in rows)
    ):
        return None
    found: list[tuple[Row, Pairs]] = []
    offset = start
    for row in rows:
        place, cells, pairs = 0, Row(), Pairs()
        for cell in row:
            pairs += [(place, offset + len(cell) - len(cell.lstrip()))] if cell.strip() else []
            cells.append(" ".join(cell.split()))
            place += len(cells[-1]) + len(CELL_SEPARATOR)
            offset += len(cell) + 1
        found.append((cells, pairs))
    return _table(found)


def read_ruled_table(lines: Sequence[str], rule: int, offsets: Sequence[int]) -> tuple[str, Pairs, int, int] | None:
    """Return the table whose columns the dashes of line `rule` draw: its rows up to the next rule, or to a blank line below a heading row.

    `offsets` are those of the lines in the raw text. Returns the rows, one per line, their offset map, and the indices of the first and
    last line. Between rules, blank lines separate rows whose cells wrap. None if a line does not fit the columns.
    """
    columns = [match.start() for match in _DASHES.finditer(lines[rule])]
    first = rule
    while first and lines[first - 1].strip() and not _RULE.fullmatch(lines[first - 1]):
        first -= 1
    head = _rows(lines, range(first, rule), wrapped=True)
    if not _fit(lines, head, columns):
        head, first = [], rule
    end = next((index for index in range(rule + 1, len(lines)) if _RULE.fullmatch(lines[index])), len(lines))
    blank = next((index for index in range(rule + 1, end) if not lines[index].strip()), end)
    body = _rows(lines, range(rule + 1, end), wrapped=blank < end)
    if end < len(lines) and body and _fit(lines, body, columns):
        opened = bool(head and first and _RULE.fullmatch(lines[first - 1]))
        return *_ruled_table(lines, [*head, *body], columns, offsets), first - opened, end
    body = _rows(lines, range(rule + 1, blank), wrapped=False)
    if head and body and _fit(lines, body, columns):
        return *_ruled_table(lines, [*head, *body], columns, offsets), first, blank - 1
    return None


def _ruled_table(
    lines: Sequence[str], rows: Sequence[Sequence[int]], columns: Sequence[int], offsets: Sequence[int]
) -> tuple[str, Pairs]:
    """Return the text of `rows`, each a list of line indices, and its offset map."""
    found: list[tuple[Row, Pairs]] = []
    for row in rows:
        cells: list[list[tuple[str, int]]] = [[] for _ in columns]
        for index in row:
            for cell, (start, stop) in zip(cells, itertools.pairwise([*columns, None]), strict=True):
                text = lines[index][start:stop]
                if text.strip():
                    cell.append((text.strip(), offsets[index] + (start or 0) + len(text) - len(text.lstrip())))
        found.append(TableColumns.join_cells(cells))
    return _table(found)


def is_rule(line: str) -> bool:
    """Whether `line` draws columns: at least two runs of dashes."""
    return _RULE.fullmatch(line) is not None and len(_DASHES.findall(line)) > 1


def _rows(lines: Sequence[str], inside: range, *, wrapped: bool) -> list[list[int]]:
    """Return the line indices of each row: with wrapped cells a run of lines without a blank line, else a single line."""
    rows: list[list[int]] = []
    for index in inside:
        if lines[index].strip():
            if not wrapped or index == inside.start or not lines[index - 1].strip():
                rows.append([])
            rows[-1].append(index)
    return rows


def _fit(lines: Sequence[str], rows: Sequence[Sequence[int]], columns: Sequence[int]) -> bool:
    """Whether there is a space before each column, and nothing to the left of the first column."""
    printed = [lines[index] for row in rows for index in row]
    return all(
        not line[: columns[0]].strip() and all(line[column - 1 : column] in ("", " ") for column in columns[1:])
        for line in printed
    )


def is_table_block(raw: str, marker: re.Pattern[str] | None = None, *, after_table: bool) -> bool:
    """Whether all lines of a block fit into columns.

    `after_table`: the block before was a row, so an indented block continues it. `marker` matches the mark of a list item.
    """
    lines = raw.split("\n")
    with_gap = [line for line in lines if GAP.search(line)]
    if not with_gap:
        return after_table and all(len(line) - len(line.lstrip()) >= _DEEP_INDENT for line in lines if line.strip())
    rows = [segments for line in with_gap if len(segments := _segments(line)) > 1]
    if not rows:
        return False
    if marker and len(with_gap) == 1 and marker.match(raw) and _CHAPTER_REFERENCE.fullmatch(rows[0][-1][1]):
        return False
    column = min(row[1][0] for row in rows)
    columns = _columns(lines)
    for line in lines:
        if GAP.search(line) or not line.strip() or len(_segments(line, columns)) > 1:
            continue
        expanded = line.expandtabs(8).rstrip()
        indent = len(expanded) - len(expanded.lstrip())
        if indent < min(_DEEP_INDENT, column) and len(expanded) > max(column + 2, 24):
            return False
    return True


class TableColumns:
    """The starts of a table's columns, learned from the rows so far."""

    def __init__(self) -> None:
        self.starts: list[int] = []

    def rows(self, raw: str, start: int = 0) -> list[tuple[Row, Pairs]]:
        """Return the rows of a block that begins at offset `start` of the raw text, each with the offset map of its line."""
        result: list[tuple[Row, Pairs]] = []
        group: list[Segments] = []
        offset = start
        lines = raw.split("\n")
        columns = _columns(lines)
        for line in lines:
            segments = [(at, text, offset + within) for at, text, within in _segments(line, columns)]
            if segments:
                if group and self._starts_row(segments, group):
                    result.append(self._row(group))
                    group = []
                group.append(segments)
            offset += len(line) + 1
        if group:
            result.append(self._row(group))
        return result

    @staticmethod
    def _starts_row(segments: Segments, group: list[Segments]) -> bool:
        """Whether a line begins a new row without a blank line before it."""
        first, text, _ = segments[0]
        if first > 2 or group[-1][0][1].endswith("-"):
            return False
        if _NUMBERED.match(text) and len(group[-1]) == 1 and group[-1][0][0] > 2:
            return True
        widest = max(map(len, group))
        return len(segments) >= widest > 1 and _NEW_ROW.match(text) is not None

    def _row(self, group: list[Segments]) -> tuple[Row, Pairs]:
        own = [segment[0] for segment in max(group, key=len)]
        if own[0] > 2 and not self.starts and any(line[0][0] <= 2 for line in group):
            own.insert(0, 0)
        columns = self._columns(own)
        cells: list[list[tuple[str, int]]] = [[] for _ in columns]
        for line in group:
            free = 0  # two cells of a line never share a column
            for start, text, raw in line:
                index = _nearest(columns, start, min(free, len(columns) - 1))
                cells[index].append((text, raw))
                free = index + 1
        while cells and not cells[-1]:
            cells.pop()
        if len(own) > 1:
            self.starts = columns
        return self.join_cells(cells)

    @staticmethod
    def join_cells(cells: list[list[tuple[str, int]]]) -> tuple[Row, Pairs]:
        """Return the texts of the cells, and the offset map of their joined line."""
        row: Row = []
        pairs: Pairs = []
        position = 0
        for fragments in cells:
            cell = ""
            for fragment, raw in fragments:
                if cell:
                    joined = joins_without_space(cell, fragment) if cell.endswith("-") else None
                    cell = f"{cell} " if joined is None else joined
                for piece in _PIECE.finditer(fragment):
                    if piece.start():
                        cell += " "
                    pairs.append((position + len(cell), raw + piece.start()))
                    cell += piece.group()
            row.append(cell)
            position += len(cell) + len(CELL_SEPARATOR)
        return row, pairs

    def _columns(self, own: list[int]) -> list[int]:
        """Return the columns of the earlier rows if the cells of this row fit into them, else the row's own columns."""
        known = self.starts
        if known:
            places = [_nearest(known, start) for start in own]
            near = all(abs(known[place] - start) <= _TOLERANCE for place, start in zip(places, own, strict=True))
            if near and len(set(places)) == len(places):
                return known
            left = [start for start in known if start < own[0] - _TOLERANCE]
            return [*left, *own]
        return own if own[0] < _DEEP_INDENT else [0, *own]

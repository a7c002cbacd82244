"""Sets notes in a column to the left of numbered provisions above them, "Lent lamps    4.  The Board may lend a lamp.", and notes
that a publisher writes into the lines behind the block, "SEC. 4. <<NOTE: Deadline.>> LENT LAMPS.".

Not here: notes that a format keeps apart from the text, and tables (`parsing.text_tables`).
"""

from __future__ import annotations

import dataclasses
import itertools
import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence

from legal_pipeline.parsing.blocks import Block, part_of_block
from legal_pipeline.parsing.recogniser.numbers import read_number
from legal_pipeline.parsing.text_lines import TextLine

#: A marginal note in a line of the text.
_IN_LINE = re.compile(r"<<NOTE:[^<>]*>>\s*")
#: A line with a note, or with white space in its place, before the number of a provision.
_START = re.compile(
    r"(?P<note>[^\W\d_][^\t.;:]*?\s+|\s+)"
    r"(?:(?P<num>\d{1,4}[A-Z]{0,3})\.(?:\s+\S|[-–—]\s?\()|(?<=\s\s)(?P<label>[^\W\d_]{2,7}\.)\s(?P<of_label>\d{1,4}[a-z]?)(?:\[\d{1,3}\])?\s)"
)
#: The raised number of a paragraph, behind the number of its article or alone, with its text in the next line; or glued to the text.
_LABEL = r"\s*[^\W\d_]{2,7}\.\s\d{1,4}[a-z]?(?:\[\d{1,3}\])?\s+"
_RAISED_NUMBER = re.compile(rf"(?:{_LABEL}|\s*)\d{{1,2}}\s*")
_GLUED_NUMBER = re.compile(rf"{_LABEL}\d{{1,2}}(?=[^\W\d_]{{2}})")
#: Minimum number of provisions, minimum share of them with a note, the width of the column in characters, and by how many characters the
#: first line of a provision may be indented.
_LEAST, _NOTED, _WIDTH, _INDENT = 3, 0.6, range(6, 41), 6


def with_notes_above(lines: list[TextLine]) -> tuple[list[TextLine], frozenset[int]]:
    """Return `lines` with the notes in a left column above the provisions beside them, between blank lines, and the indices of the lines
    that go on a note; without such a column, `lines`.

    The numbers of the provisions are in one column and follow each other from 1 on, and no line beside a note crosses the column.
    """
    starts = {index: match for index, line in enumerate(lines) if (match := _START.match(line.text))}
    columns = Counter(match.end("note") for match in starts.values() if match["note"].strip())
    first_lines, _ = max(columns.items(), key=lambda item: item[1], default=(0, 0))
    starts = {index: match for index, match in starts.items() if match.end("note") == first_lines}
    if first_lines not in _WIDTH or not _are_provisions(list(starts.values())):
        return lines, frozenset()
    groups = list(_groups(lines))
    found_column = _column(lines, groups, starts, first_lines)
    if found_column is None:
        return lines, frozenset()
    column, beside = found_column
    found: list[TextLine] = []
    further: set[int] = set()
    for group in groups:
        if group.start not in beside:
            found += (lines[index] for index in group)
            continue
        borders = sorted({group.start, group.stop, *(index for index in group if index in starts)})
        for first, end in itertools.pairwise(borders):
            notes = [part for line in lines[first:end] if (part := line.part(0, column)).stripped]
            further.update(range(len(found) + 2, len(found) + 1 + len(notes)))
            blank = lines[first].part(0, 0)
            found += [blank, *notes, blank] if notes else []
            beside_notes = (part for line in lines[first:end] if (part := line.part(column)).stripped)
            text = [part for line in beside_notes for part in _without_glued_number(line)]
            further.update(
                len(found) + place for place, line in enumerate(text[:-1], 1) if _RAISED_NUMBER.fullmatch(line.text)
            )
            found += text
    return found, frozenset(further)


def _without_glued_number(line: TextLine) -> list[TextLine]:
    """Return the line, or two: a print may leave no space behind the raised number of the first paragraph ("Art. 4 1The Board")."""
    match = _GLUED_NUMBER.match(line.text)
    return [line] if match is None else [line.part(0, match.end()), line.part(match.end())]


def _column(
    lines: Sequence[TextLine], groups: Sequence[range], starts: Collection[int], first_lines: int
) -> tuple[int, set[int]] | None:
    """Return the column of the text, and the first lines of the groups in it: it is that of the first lines of provisions, or to the left
    of it if these are indented; None if lines cross each such column."""
    heads = {group.start: lines[group.start].text for group in groups if group}
    for column in range(first_lines, max(first_lines - _INDENT, min(_WIDTH)) - 1, -1):
        beside = {
            index for index, head in heads.items() if head.strip() and (index in starts or not head[:column].strip())
        }
        if not any(_crosses(lines[index].text, column) for group in groups if group.start in beside for index in group):
            return column, beside
    return None


def _are_provisions(starts: Sequence[re.Match[str]]) -> bool:
    numbers = [number for match in starts if (number := read_number(match["num"] or match["of_label"])) is not None]
    notes = [note for match in starts if (note := match["note"].strip())]
    return (
        len(numbers) >= _LEAST
        and numbers[0].key == ((1, ()),)
        and all(after.follows(before) == 0 for before, after in itertools.pairwise(numbers))
        and len(notes) >= _NOTED * len(starts)
        and 2 * len(set(notes)) > len(notes)  # the word of a label is always the same
        and len({match["label"] for match in starts}) == 1
    )


def _groups(lines: Sequence[TextLine]) -> Iterator[range]:
    """Yield the ranges of lines that are between blank lines, and those of blank lines, in order."""
    for _, group in itertools.groupby(range(len(lines)), key=lambda index: bool(lines[index].stripped)):
        first, *others = group
        yield range(first, first + 1 + len(others))


def _crosses(text: str, column: int) -> bool:
    return "\t" in text[: column + 1] or bool(text[column - 1 : column].strip())


def with_notes_behind(block: Block) -> list[Block]:
    """Return `block` without the marginal notes in its lines, and each of these as a footnote behind it; offsets stay complete."""
    notes = list(_IN_LINE.finditer(block.text)) if block.kind == "text" and "<<NOTE:" in block.text else []
    if not notes:
        return [block]
    borders = [0, *itertools.chain.from_iterable(note.span() for note in notes), len(block.text)]
    kept = [
        part_of_block(block, start, end) for start, end in zip(borders[::2], borders[1::2], strict=True) if start < end
    ]
    apart = [part_of_block(block, note.start(), len(note.group().rstrip()) + note.start()) for note in notes]
    parts = [(text, pairs) for text, pairs in kept if text.strip()]
    joined, offsets = "", list[tuple[int, int]]()
    for text, pairs in parts:
        offsets += [(len(joined) + place, raw) for place, raw in pairs]
        joined += text
    if joined != joined.rstrip():
        joined = joined.rstrip()
        offsets = [(place, raw) for place, raw in offsets if place < len(joined)]
    footnotes = [Block(text, "footnote", page=block.page, offsets=tuple(pairs)) for text, pairs in apart]
    text_block = [dataclasses.replace(block, text=joined, offsets=tuple(offsets))] if joined else []
    return [*text_block, *footnotes]

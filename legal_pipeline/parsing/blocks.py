"""The input of the recogniser, the same for all formats: one block per paragraph, heading, list item or table, with its styling.

Not here: reading a format (`parsing.readers`), the meaning of a block (`parsing.recogniser`), blocks of a judgment
(`parsing.judgment.blocks`).
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from legal_pipeline.text.normalise import one_line

#: Kinds of blocks outside the running text, and the node type of each.
ASIDE_TYPES = {"table": "table", "footnote": "footnote", "running": "running_header", "quotation": "quotation"}

#: What numbers a paragraph in a cell of its own.
_MARKER = re.compile(r"\(\w{1,4}\)|\w{1,3}[.)]|[—–•-]")

#: The number of a provision without a word, and the end of its text, in a table with marginal notes; the maximum length of a note in
#: characters, and the minimum ratio of the lengths of the texts and of the notes.
_PROVISION = re.compile(r"\d{1,4}[A-Z]{0,2}\.\s?[^\W\d_]|\d{1,4}[A-Z]{0,2}\.\s?[(\[“\"]")
_SENTENCE_ENDS = re.compile(r"[.;:—–][”\"’)\]]*\Z|\]\Z|[”\"]\.?\Z")
_NOTE_CHARS, _TEXT_TO_NOTES = 150, 2


@dataclass(frozen=True, slots=True)
class Block:
    """One block; its `text` is already canonical: one line, for a table one line per row.

    `kind` is `text` or a key of `ASIDE_TYPES`. `level` is the level of a heading that the format marks, 1 to 6, and 0 for other
    blocks. `depth` counts from 1 in a list and is 0 outside; the mark of an item is in `text`. `lines` are the lines of the
    source with their raw offsets, if a line break may separate blocks (plain text); `offsets` are pairs (offset in `text`, raw
    offset). `is_link`: the whole text is a link into the same document; `is_quoted`: it is in an element for quotations, which some
    pages use to indent text. `lead`: its first words in bold, if others are not.
    """

    text: str
    kind: str = "text"
    level: int = 0
    depth: int = 0
    bold: bool = False
    italic: bool = False
    centred: bool = False
    page: int | None = None
    is_link: bool = False
    is_quoted: bool = False
    lead: str = ""
    lines: tuple[tuple[str, int], ...] = ()
    offsets: tuple[tuple[int, int], ...] = ()

    @property
    def is_styled(self) -> bool:
        """Whether the format distinguishes the whole block: as a heading, in bold, in italics or centred."""
        return self.level > 0 or self.bold or self.italic or self.centred


Blocks = Sequence[Block]


def part_of_block(block: Block, start: int, end: int) -> tuple[str, list[tuple[int, int]]]:
    """Return the characters `[start, end)` of a block with their offsets."""
    inside = [(place - start, raw) for place, raw in block.offsets if start < place < end]
    before = [(place, raw) for place, raw in block.offsets if place <= start]
    first = [(0, before[-1][1] + start - before[-1][0])] if before else []
    return block.text[start:end], [*first, *inside]


def split_block(block: Block, at: int) -> tuple[Block, Block]:
    """Return the two parts of `block` before and behind the white space at `at`; offsets stay complete."""
    start = at + len(block.text[at:]) - len(block.text[at:].lstrip())
    parts = (part_of_block(block, 0, at), part_of_block(block, start, len(block.text)))
    first, second = (dataclasses.replace(block, text=text, offsets=tuple(offsets)) for text, offsets in parts)
    return first, second


def join_blocks(first: Block, second: Block) -> Block:
    """Return one block with the texts of both; offsets stay complete."""
    start = len(first.text) + 1
    offsets = (*first.offsets, *((place + start, raw) for place, raw in second.offsets))
    return dataclasses.replace(first, text=f"{first.text} {second.text}", offsets=offsets)


def numbered_rows(rows: Sequence[Sequence[str]]) -> list[str] | None:
    """Return the paragraphs of a table that only puts numbers beside their text ("(1)" | "Whereas …"); None for any other table."""
    if all(len(row) == 2 and _MARKER.fullmatch(row[0]) and row[1] for row in rows):
        return [" ".join(row) for row in rows]
    return None


def noted_column(rows: Sequence[Sequence[Sequence[str]]]) -> int | None:
    """Return the column of the text, 0 or 1, of a table that only puts marginal notes beside numbered provisions; None for any other table.

    A cell is its paragraphs. In the column of the text each cell begins with a number ("1. This Act may …") and ends as a sentence; the
    notes are short and begin with a letter.
    """
    cells = [[[line for line in cell if line] for cell in row] for row in rows]
    if not cells or any(len(row) != 2 for row in cells):
        return None
    for column in (0, 1):
        texts, notes = [row[column] for row in cells], [row[1 - column] for row in cells]
        is_text = all(text and _PROVISION.match(text[0]) and _SENTENCE_ENDS.search(text[-1]) for text in texts)
        is_noted = all(not note or (note[0][0].isalpha() and len(note[0]) <= _NOTE_CHARS) for note in notes)
        if is_text and is_noted and any(notes) and _size(texts) >= _TEXT_TO_NOTES * _size(notes):
            return column
    return None


def _size(cells: Iterable[Sequence[str]]) -> int:
    return sum(len(line) for cell in cells for line in cell)


def bold_lead(parts: Iterable[tuple[str, bool]]) -> str:
    """Return the first words in bold of a block with these parts (text, whether it is in bold); "" if all or none are in bold."""
    lead: list[str] = []
    has_others = False
    for text, is_bold in parts:
        is_sign = not any(map(str.isalnum, text))
        if is_bold or (lead and is_sign):
            lead.append(text)
        elif not is_sign:
            has_others = True
            if lead:
                break
    return one_line("".join(lead)) if has_others else ""

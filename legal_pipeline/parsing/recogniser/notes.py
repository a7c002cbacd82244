"""Finds the list of notes at the end of a document, and their marks in its text.

Not here: notes that a format marks elsewhere (`Block.kind`), and raised digits behind numbers of provisions (`recogniser.raised`).
"""

from __future__ import annotations

import dataclasses
import re

from legal_pipeline.parsing.blocks import Block, Blocks
from legal_pipeline.parsing.recogniser.numbers import lowered
from legal_pipeline.text.markup import RAISED

#: Raised digits; and digits that lost their style: before a bracket ("2[(c) oil]", "3[4A. Oil]"), or directly after a word ("date1",
#: "kaprů1)").
_MARK = re.compile(
    rf"(?<=[^\s{RAISED}])\s?(?P<figure>[{RAISED}]{{1,3}})|(?<![\w.])(?P<bracketed>\d{{1,3}})\[|(?<=[^\W\d_A-Z]{{3}})(?P<glued>\d{{1,2}})(?!\w)"
)
_NOTE = re.compile(rf"(?:(?P<digits>\d{{1,3}})[.)]?|(?P<raised>[{RAISED}]{{1,3}}))(?=\s+\S)")
#: A rule between the text and its notes.
_RULE = re.compile(r"[_–—―-]{3,}")
#: Minimum number of notes in a list without a rule above it, and the minimum share of them whose marks are in the text.
_LEAST, _MARKED_SHARE = 2, 0.8
#: Maximum number of blocks between the first blocks of two notes: a note may have several paragraphs.
_BETWEEN = 3


def with_notes(blocks: Blocks) -> tuple[Blocks, int]:
    """Return `blocks` with the notes at their end as footnotes, and the index of the first note or of the heading above it.

    Notes are numbered from 1 on, and their marks are in the text above them, or the format marks them as notes below a heading. A rule
    above them is no text. Without notes, the index is `len(blocks)`.
    """
    if blocks and blocks[-1].kind == "footnote":
        first = next(index for index in range(len(blocks), -1, -1) if not index or blocks[index - 1].kind != "footnote")
        if first and blocks[first - 1].level:
            return blocks, first - 1
    start = _list_start(blocks)
    if start is None:
        return blocks, len(blocks)
    # marks inside the list are those of the sections of a short act
    marks = {
        lowered(match[match.lastgroup or 0])
        for block in blocks[:start]
        if block.kind == "text"
        for match in _MARK.finditer(block.text)
    }
    listed = [number for block in blocks[start:] if (number := _number(block)) is not None]
    is_ruled = start > 0 and _RULE.fullmatch(blocks[start - 1].text) is not None
    if len(listed) < (1 if is_ruled else _LEAST) or sum(number in marks for number in listed) < _MARKED_SHARE * len(
        listed
    ):
        return blocks, len(blocks)
    notes = (
        dataclasses.replace(block, kind="footnote", level=0) if block.kind == "text" else block
        for block in blocks[start:]
    )
    if is_ruled:
        rule = dataclasses.replace(blocks[start - 1], kind="running")
        return [*blocks[: start - 1], rule, *notes], start - 1
    return [*blocks[:start], *notes], start


def _list_start(blocks: Blocks) -> int | None:
    """Return the index at which the list of notes begins, found by counting back from the end to 1; None if there is none."""
    expected: int | None = None
    others = 0
    for index in range(len(blocks) - 1, -1, -1):
        number = _number(blocks[index])
        if number is not None and (expected is None or number == expected):
            if number == 1:
                return index
            expected, others = number - 1, 0
        elif (others := others + 1) > _BETWEEN:
            return None
    return None


def _number(block: Block) -> int | None:
    match = _NOTE.match(block.text) if block.kind == "text" else None
    return lowered(match["digits"] or match["raised"]) if match else None

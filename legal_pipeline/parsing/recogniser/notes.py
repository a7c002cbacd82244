"""Notes and their marks where no format says which they are: raised figures in the text, and the list of notes that ends the document.

Not here: notes that a format marks (`Block.kind`), and raised figures that are part of a number ("Article 13¹").
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Sequence

from legal_pipeline.parsing.blocks import Block
from legal_pipeline.parsing.recogniser.labels import Label
from legal_pipeline.parsing.recogniser.numbers import lowered, read_number
from legal_pipeline.text.markup import RAISED

_MARK = re.compile(rf"(?<=[^\s{RAISED}])\s?(?P<figure>[{RAISED}]{{1,3}})")
_NOTE = re.compile(rf"(?:(?P<digits>\d{{1,3}})[.)]?|(?P<raised>[{RAISED}]{{1,3}}))(?=\s+\S)")
#: A list of notes has at least so many, and so large a share of them have their mark in the text.
_LEAST, _MARKED_SHARE = 2, 0.8
#: So many blocks may stand between two notes: a note has paragraphs.
_BETWEEN = 3


def with_notes(blocks: Sequence[Block]) -> tuple[Sequence[Block], int]:
    """`blocks` with the notes at their end as footnotes, and the index of the first: numbers from 1 on, whose marks stand in the text."""
    marks = {
        lowered(match["figure"]) for block in blocks if block.kind == "text" for match in _MARK.finditer(block.text)
    }
    start = _list_start(blocks) if marks else None
    if start is None:
        return blocks, len(blocks)
    listed = [number for block in blocks[start:] if (number := _number(block)) is not None]
    if len(listed) < _LEAST or sum(number in marks for number in listed) < _MARKED_SHARE * len(listed):
        return blocks, len(blocks)
    notes = (
        dataclasses.replace(block, kind="footnote", level=0) if block.kind == "text" else block
        for block in blocks[start:]
    )
    return [*blocks[:start], *notes], start


def _list_start(blocks: Sequence[Block]) -> int | None:
    """Where the list begins that counts back from the end of the document to 1; None where there is none."""
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


def without_marks(labels: Sequence[Label]) -> list[Label]:
    """`labels` whose raised figures are marks of notes, without them. They are parts of the numbers where most of the labels that have
    one stand behind the same number without it ("13¹" behind "13"), or behind the figure before ("13²" behind "13¹")."""
    raised = [label for label in labels if label.number.text[-1:] in RAISED and label.number.text.rstrip(RAISED)]
    known = {(label.kinds, label.number.text.rstrip(RAISED), label.number.key[-1][1]) for label in labels}
    parts = 0
    for label in raised:
        figure = label.number.key[-1][1]
        before = (*figure[:-1], figure[-1] - 1) if figure[-1] > 1 else figure[:-1]
        parts += (label.kinds, label.number.text.rstrip(RAISED), before) in known
    if not raised or 2 * parts >= len(raised):
        return list(labels)
    return [_unmarked(label) for label in labels]


def _unmarked(label: Label) -> Label:
    number = read_number(label.number.text.rstrip(RAISED)) if label.number.text[-1:] in RAISED else None
    return dataclasses.replace(label, number=number) if number is not None else label

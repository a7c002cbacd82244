"""Finds the sections whose sign a scan misread: "81 Scope", "8 2 Duties", "$ 3" before "§ 4".

The signs that were read, and the numbers that are missing between them, show which lines these are: "8 2" is the number of a section only
behind section 1. The text stays as it was read. Not here: digits that lost their raised style (`recogniser.raised`).
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Set

from legal_pipeline.parsing.blocks import Block, Blocks
from legal_pipeline.parsing.recogniser.labels import FAIR, Label, Labels, labels_of
from legal_pipeline.parsing.recogniser.words import Words

_SIGN = "§"
#: What recognition makes of the sign, and the number behind it.
_MISREAD = re.compile(r"[8$&]\s?(?P<num>\d{1,3})(?=\.?(?:\s+[^\W\d_a-zß-öø-ÿ]|\s+\(|\s*\Z))")
#: Minimum number of sections whose sign was read, and maximum number of those before a misread one that were not read at all.
_READ, _LOST = 2, 2


def with_misread_signs(labels: Labels, blocks: Blocks, listed: Set[int], words: Words) -> list[Label]:
    """Return `labels` with labels of sections for the blocks that begin with a misread sign and a number that fits the sequence.

    Such a label replaces the number without a word that the block had. The labels are unchanged if fewer than two signs were read rightly.
    Blocks in `listed` are tables of contents."""
    read = [label for label in labels if label.strength >= FAIR and blocks[label.index].text.startswith(_SIGN)]
    if len(read) < _READ:
        return list(labels)
    signed = {label.index for label in read}
    misread = [
        label
        for index, block in enumerate(blocks)
        if index not in listed and index not in signed and (label := _misread(index, block, words)) is not None
    ]
    if not misread:
        return list(labels)
    found = {label.index: label for label in _in_sequence(read, misread) if label.index not in signed}
    kept = [label for label in labels if label.index not in found]
    return sorted([*kept, *found.values()], key=lambda label: label.index)


def _in_sequence(read: Labels, misread: Labels) -> list[Label]:
    """Return the longest sequence of labels with rising numbers, in which a label with a misread sign has one of the next numbers.

    Labels outside the sequence may be references in the text."""
    signed = {label.index for label in read}
    items = sorted([*read, *misread], key=lambda label: label.index)
    #: number -> (length, last place) of the longest sequence up to it
    best: dict[int, tuple[int, int]] = {0: (0, -1)}
    before: list[int] = [-1] * len(items)
    for place, label in enumerate(items):
        number = label.number.value
        least = 0 if label.index in signed else number - 1 - _LOST
        lower = [best[known] for known in best if least <= known < number]
        if not lower or label.number.series:
            continue
        length, before[place] = max(lower)
        if length + 1 > best.get(number, (0, -1))[0]:
            best[number] = length + 1, place
    place = max(best.values())[1]
    found = []
    while place >= 0:
        found.append(items[place])
        place = before[place]
    return found


def _misread(index: int, block: Block, words: Words) -> Label | None:
    """Return the label that the block has if its first sign is read as that of a section; None if it begins with no such sign."""
    match = _MISREAD.match(block.text) if block.kind == "text" else None
    if match is None:
        return None
    sign = f"{_SIGN} {match['num']}"
    meant = dataclasses.replace(block, text=sign + block.text[match.end() :])
    label = next((label for label in labels_of(index, meant, words) if label.is_provision), None)
    return None if label is None else dataclasses.replace(label, end=label.end - len(sign) + match.end())

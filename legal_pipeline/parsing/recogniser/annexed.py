"""Finds texts that are annexed to a law under a heading without a word for annex: a convention below the Act that makes it law.

Not here: schedules whose heading says what they are (`recogniser.outline`).
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence, Set

from legal_pipeline.parsing.blocks import Block
from legal_pipeline.parsing.recogniser.labels import Label

#: Minimum number of provisions of the law, and of the texts annexed to it.
_LEAST = 2


def annexed_texts(named: Sequence[Label], labelled: Set[int], blocks: Sequence[Block]) -> list[int]:
    """Return the indices of the headings of texts annexed to the law.

    From the first of them on, all provisions have another word than those of the law (articles after sections) and begin with the first
    number. `named` are the labels of provisions, `labelled` the indices of all labels; only headings that the format marks count.
    """
    heads = [label for label in named if blocks[label.index].level]
    if not heads:
        return []
    own = set(heads[0].kinds)
    first = next((place for place, label in enumerate(heads) if own.isdisjoint(label.kinds)), len(heads))
    annexed = heads[first:]
    if first < _LEAST or len(annexed) < _LEAST or not annexed[0].number.is_first:
        return []
    if not all(own.isdisjoint(label.kinds) for label in annexed):
        return []
    level = min(blocks[label.index].level for label in heads[:first])
    found = [
        head
        for before, after in itertools.pairwise(heads[first - 1 :])
        if after.number.is_first and (head := _heading_between(before.index, after.index, level, labelled, blocks))
    ]
    # Without a heading, the first text cannot be told from the last provision of the law.
    return found if found and found[0] < annexed[0].index else []


def _heading_between(start: int, end: int, level: int, labelled: Set[int], blocks: Sequence[Block]) -> int:
    """Return the index of the outermost heading without a label between `start` and `end`, above `level`; if all have labels ("Part C",
    below which the convention has parts of its own), that of the last outermost one; 0 if there is none."""
    inside = [index for index in range(start + 1, end) if 0 < blocks[index].level < level]
    unlabelled = [index for index in inside if index not in labelled]
    return min(unlabelled or reversed(inside), key=lambda index: blocks[index].level, default=0)

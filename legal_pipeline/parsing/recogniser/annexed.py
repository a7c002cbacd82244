"""Finds texts that are annexed to a law under a heading without a word for annex: a convention below the Act that makes it law, and the
protocols to a treaty.

Not here: schedules whose heading says what they are (`recogniser.outline`).
"""

from __future__ import annotations

import itertools
from collections.abc import Set

from legal_pipeline.parsing.blocks import Blocks
from legal_pipeline.parsing.recogniser.headings import is_heading_like, reads_as_heading
from legal_pipeline.parsing.recogniser.labels import FAIR, Label, Labels
from legal_pipeline.parsing.recogniser.numbers import Number
from legal_pipeline.parsing.recogniser.words import DIVISION_KINDS, PROVISION_KINDS, Words

#: Minimum number of provisions of the law, and of the texts annexed to it.
_LEAST = 2
#: Maximum number of blocks from the heading of an appended text to its first provision.
_ABOVE = 3
#: Kinds of what may contain provisions.
_OUTER = frozenset((*PROVISION_KINDS, *DIVISION_KINDS))


def annexed_texts(named: Labels, labelled: Set[int], blocks: Blocks) -> list[int]:
    """Return the indices of the headings of texts annexed to the law.

    Such texts are found only if all provisions behind the law have another word than its own (articles after sections), and their numbers
    begin anew. `named` are the labels of provisions, `labelled` the indices of all labels; only headings that the format marks count.
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


def appended_texts(labels: Labels, usual: tuple[str, ...], blocks: Blocks) -> list[int]:
    """Return the indices of the headings of texts that are appended to a law whose numbers begin anew in each of its divisions.

    Such a heading ("ORDINANCE") comes after the last division ("ARTICLE XVIII" of a constitution), has no number, and is not inside a
    division by its level. Below it the numbers of the provisions begin anew; their labels have the kinds `usual`.
    """
    own = [label for label in labels if label.kinds == usual and label.strength >= FAIR]
    divisions = [
        label.index
        for label in labels
        if label.kinds != usual and not _OUTER.isdisjoint(label.kinds) and is_heading_like(blocks[label.index])
    ]
    steps = [(before, after) for before, after in itertools.pairwise(own) if after.number.is_first]
    if not any(before.index < index < after.index for before, after in steps for index in divisions):
        return []
    level = min(blocks[index].level for index in divisions)
    found: list[int] = []
    for before, after in steps:
        if before.index < divisions[-1] or before.number.is_first:
            continue
        near = range(max(before.index + 1, after.index - _ABOVE), after.index)
        heads = (index for index in near if is_heading_like(blocks[index]))
        found += [index for index in heads if blocks[index].level == level or 0 < blocks[index].level < level][:1]
    return found


def protocols(named: Labels, blocks: Blocks, words: Words) -> dict[int, Number | None]:
    """Return the index of the heading of each protocol to a treaty, with its number: "Protocol No. 4 to the Convention".

    Its articles begin with the first number, and no article of the treaty follows them. A protocol without articles is found only if its
    heading has no further words. All other headings with the word are ignored: in laws of procedure "Protokoll" means minutes.
    """
    found: dict[int, Number | None] = {}
    last_own = max((label.index for label in named if label.kinds == named[0].kinds), default=0)
    for before, after in itertools.zip_longest(named, named[1:]):
        if after is not None:
            begins_anew = after.number.is_first and not before.number.is_first
            is_inside = after.kinds != named[0].kinds and after.index < last_own
            if is_inside or not begins_anew:
                continue
        for index in range(before.index + 1, after.index if after is not None else len(blocks)):
            block = blocks[index]
            match = words.protocol.match(block.text) if is_heading_like(block) or reads_as_heading(block) else None
            if match is not None and (after is not None or not block.text[match.end() :].strip(" .:")):
                found[index] = words.number(match["num"] or match["ordinal"] or "")
                break
    return found if len(named) >= _LEAST else {}


def _heading_between(start: int, end: int, level: int, labelled: Set[int], blocks: Blocks) -> int:
    """Return the index of the outermost heading without a label between `start` and `end`, above `level`; if all have labels ("Part C",
    below which the convention has parts of its own), that of the last outermost one; 0 if there is none."""
    inside = [index for index in range(start + 1, end) if 0 < blocks[index].level < level]
    unlabelled = [index for index in inside if index not in labelled]
    return min(unlabelled or reversed(inside), key=lambda index: blocks[index].level, default=0)


def without_references_of(schedules: Labels, labels: Labels, blocks: Blocks, words: Words) -> list[Label]:
    """Return `labels` without references directly below the headings of `schedules`, which name the provision that a schedule belongs to.

    Such a line is kept if a later label of the same kind has the next number: it is then the first provision of the schedule."""
    below = {schedule.index + 1 for schedule in schedules}
    return [
        label
        for place, label in enumerate(labels)
        if label.index not in below
        or not words.is_reference(blocks[label.index].text)
        or any(
            other.index not in below and other.kinds == label.kinds and other.number.follows(label.number) == 0
            for other in labels[place + 1 :]
        )
    ]

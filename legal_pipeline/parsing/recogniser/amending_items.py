"""Finds the numbered items by which an Act amends other laws ("2 After section 6"), and the wordings that they insert without marks.

Australia has the items in schedules, New Zealand as sections of the Act. Not here: wordings in quotation marks, and those behind sections
with a word (`recogniser.quotations`).
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from legal_pipeline.parsing.blocks import Blocks
from legal_pipeline.parsing.recogniser.headings import ITEM, reads_as_heading
from legal_pipeline.parsing.recogniser.labels import FAIR, Label, Labels
from legal_pipeline.parsing.recogniser.words import CLOSING_KINDS, Words

#: Minimum number of items with the number of a provision in their heading.
_LEAST = 2
_OPENING = ("“", '"', "„", "«", "‘")


def inserted_wordings(blocks: Blocks, labels: Labels, words: Words) -> frozenset[int]:
    """Return the indices of the blocks that items insert into another law without quotation marks: from behind the block that announces
    them up to the next item, and the headings above it. `labels` are those of the blocks, in order."""
    if not any(words.inserts.search(block.text) for block in blocks):
        return frozenset()
    closing = [label.index for label in labels if _heads_schedule(label, blocks)]
    found: set[int] = set()
    for start, end in itertools.pairwise([0, *closing, len(blocks)]):
        numbered = [label for label in labels if start <= label.index < end and not label.kinds]
        items = list(_items(numbered, blocks, words))
        if sum(_cites(label, blocks, words) for label in items) < _LEAST:
            continue
        ends = [_above(label.index, blocks) for label in items[1:]]
        for item, last in zip(items, [*ends, end], strict=True):
            if (first := _announced(item, last, blocks, words)) is not None:
                found.update(range(first, last))
    return frozenset(found)


def mostly_cite(labels: Labels, blocks: Blocks, words: Words) -> bool:
    """Whether at least half of `labels` have the number of a provision behind them: they are items and not sections."""
    return len(labels) >= _LEAST and 2 * sum(_cites(label, blocks, words) for label in labels) >= len(labels)


def _heads_schedule(label: Label, blocks: Blocks) -> bool:
    is_closing = not set(label.kinds).isdisjoint(CLOSING_KINDS)
    return is_closing and label.strength >= FAIR and reads_as_heading(blocks[label.index])


def _items(numbered: Labels, blocks: Blocks, words: Words) -> Iterator[Label]:
    """Yield the labels that are numbered from the first on without a gap; of two with the same number, the one that cites a provision."""
    citing = {label.number.place: label.index for label in numbered if _cites(label, blocks, words)}
    value = 0
    for label in numbered:
        is_next = label.number.key == ((value + 1, ()),)
        if is_next and (_cites(label, blocks, words) or citing.get(label.number.place, -1) < label.index):
            yield label
            value += 1


def _cites(label: Label, blocks: Blocks, words: Words) -> bool:
    text = blocks[label.index].text[label.end :]
    return words.references.search(text) is not None and not text.endswith(".")


def _above(index: int, blocks: Blocks) -> int:
    """Return the index of the first of the headings directly above the block `index`, which follow a sentence."""
    first = index
    while first and reads_as_heading(blocks[first - 1]):
        first -= 1
    return first


def _announced(item: Label, end: int, blocks: Blocks, words: Words) -> int | None:
    """Return the first block of the wording that `item` inserts before the block `end`, if it is without quotation marks."""
    for index in range(item.index, end - 1):
        text = blocks[index].text
        if not words.inserts.search(text) or (index > item.index and ITEM.match(text)):
            continue
        cites = _cites(item, blocks, words) or words.references.search(text) is not None
        return index + 1 if cites and not blocks[index + 1].text.startswith(_OPENING) else None
    return None

"""Tables of contents: runs of short blocks whose words stand again elsewhere in the document.

Not here: what is listed in them.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence

from legal_pipeline.parsing.blocks import Block

#: A table of contents has at least so many entries, and so large a share of its blocks stand again elsewhere.
_ENTRIES, _SHARE = 5, 0.75
#: An entry is no longer than this.
_ENTRY_CHARS = 250
_PREFIX = 14
_WORD = re.compile(r"§|\w+")
#: Dots and the number of a page behind an entry.
_LEADER = re.compile(r"(?:\s*[.…·_]{2,}\s*|\s{2,}|\t+|\s+)\d{1,4}$")
#: A number at the beginning, or behind one word.
_NUMBERED = re.compile(r"(?:[^\W\d]+\.?\s+)?(?:§+\s*)?(?:\d+|[IVXLC]+\b)|[^\W\d]+\s[^\W\d]+\s*[:–—-]")
_DOTS = re.compile(r"[.…·_]{3,}\s*\d{1,4}\s*$")


def find_contents(blocks: Sequence[Block]) -> list[tuple[int, int]]:
    """Ranges `[start, end)` of blocks that list what stands elsewhere. Linear in the number of blocks."""
    words = [_words(block) for block in blocks]
    places: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for index, found in enumerate(words):
        joined = found
        if len(found) < _PREFIX and index + 1 < len(words):
            joined = (*found, *words[index + 1])
        for length in range(1, min(len(joined), _PREFIX) + 1):
            places[joined[:length]].append(index)
    is_entry = [_is_entry(index, blocks[index], words[index], places) for index in range(len(blocks))]
    return _without_the_law(_runs(blocks, is_entry, words), blocks, words, places)


def _words(block: Block) -> tuple[str, ...]:
    text = _LEADER.sub("", block.text[:_ENTRY_CHARS]) if block.kind == "text" else ""
    return tuple(word.casefold() for word in _WORD.findall(text))


def _is_entry(index: int, block: Block, words: tuple[str, ...], places: dict[tuple[str, ...], list[int]]) -> bool:
    text = block.text
    if block.kind != "text" or not words or len(text) > _ENTRY_CHARS:
        return False
    if block.is_link or _DOTS.search(text):
        return True
    if (
        text.endswith((";", ",", ":"))
        or text[0].islower()
        or text[0] == "("
        or (len(words) > _PREFIX and text.endswith("."))
    ):
        return False
    return len(words) > 1 and len(places[words[:_PREFIX]]) > 1


def _runs(blocks: Sequence[Block], is_entry: Sequence[bool], words: Sequence[tuple[str, ...]]) -> list[tuple[int, int]]:
    """Stretches in which nearly every block is an entry; a block between two entries need not be an entry (a title, a line that wraps).

    A stretch ends where an entry stands for the second time: there the text itself begins.
    """
    runs: list[tuple[int, int]] = []
    index = 0
    while index < len(blocks):
        if not is_entry[index]:
            index += 1
            continue
        start, last, entries, misses = index, index, 0, 0
        seen: set[tuple[str, ...]] = set()
        while index < len(blocks) and misses < 3:
            if is_entry[index]:
                if len(words[index]) > 1 and words[index][:_PREFIX] in seen:
                    break
                seen.add(words[index][:_PREFIX])
                entries, misses, last = entries + 1, 0, index
            else:
                misses += 1
                if len(blocks[index].text) > _ENTRY_CHARS or blocks[index].kind != "text":
                    break
            index += 1
        index = last + 1
        if entries >= _ENTRIES and entries >= _SHARE * (last + 1 - start):
            runs.append((start, last + 1))
    return runs


def _without_the_law(
    runs: list[tuple[int, int]],
    blocks: Sequence[Block],
    words: Sequence[tuple[str, ...]],
    places: dict[tuple[str, ...], list[int]],
) -> list[tuple[int, int]]:
    """Only runs whose entries are numbered or lead elsewhere, and stand outside of them again: a law that repeats its own lines is not
    a list of itself."""
    kept = []
    for start, end in runs:
        outside = total = numbered = 0
        for index in range(start, end):
            block = blocks[index]
            if not words[index] or (len(words[index]) < 2 and not block.is_link):
                continue
            total += 1
            numbered += block.is_link or bool(_NUMBERED.match(block.text) or _DOTS.search(block.text))
            elsewhere = places[words[index][:_PREFIX]]
            outside += elsewhere[0] < start or elsewhere[-1] >= end
        if total >= _ENTRIES and outside >= 0.7 * total and numbered >= 0.6 * total:
            kept.append((start, end))
    return kept

"""Finds lists of provisions, divisions and schedules that have no text: tables of contents whose words are not repeated.

Not here: tables of contents that show by their words (`recogniser.contents`).
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Sequence, Set

from legal_pipeline.parsing.blocks import Block, Blocks
from legal_pipeline.parsing.recogniser.contents import ENTRIES, NUMBER_ALONE, SENTENCE_CHARS, SHARE, is_sentence
from legal_pipeline.parsing.recogniser.headings import HEADING_CHARS, reads_as_heading
from legal_pipeline.parsing.recogniser.labels import STRONG, Divisions, Label, Labels
from legal_pipeline.parsing.recogniser.words import CLOSING_KINDS

#: For provisions without text: minimum number, minimum share of them, and minimum share of the text that the last one has.
_MANY, _EMPTY_SHARE, _LAST_SHARE = 15, 0.9, 0.6
#: Minimum number of divisions of one kind, all without text, that are a list, and how many times fewer other divisions are.
_ROW, _FEWER = 3, 4
#: Number of blocks behind a short table of contents in which the next listed schedule is.
_TAIL = 4
#: Number of letters in which an entry and the heading above its provision are the same.
_SAME_LETTERS = 16
#: Minimum number of letters in a sentence of a provision; "Short title." is a heading.
_TEXT_LETTERS = 12
#: The end of a sentence or of an item of a list.
STATES = re.compile(r"[.;][”\"’]?\Z")
#: Maximum number of words of a block that is not text of a provision.
_SHORT_WORDS = 3


def listed_provisions(run: Labels, divisions: Set[int], blocks: Blocks) -> tuple[int, int] | None:
    """Return the range `[start, end)` of a list of provision numbers without text, of any length, or None.

    It ends before the number of its first entry is repeated. `run` holds the labels of provisions, `divisions` the indices of blocks
    that head a division.
    """
    again = next((place for place in range(1, len(run)) if run[place].number.place == run[0].number.place), None)
    return (again and _listed_before(again, run, divisions, blocks)) or _last_entries(run, blocks)


def _last_entries(run: Labels, blocks: Blocks) -> tuple[int, int] | None:
    """Return the range of the entries of a table of contents that are not yet known: without a sentence between them, they are above the
    first provision, and their numbers are repeated below it. None if there are none.

    Entries that begin with the first number must be many: a short chapter has no sentence either. Two lists, of chapters and of
    articles, may follow each other.
    """
    fewest = _MANY if run and run[0].number.is_first else ENTRIES
    if fewest == _MANY and not any(is_sentence(block) for block in blocks[run[0].index :]):
        return None
    found = None
    for first in range(fewest, len(run)):
        if not run[first].number.is_first:
            continue
        listed, numbers = run[:first], {label.number.place for label in run[first:]}
        start, end = listed[0].index, listed[-1].index + 1
        if any(is_sentence(block) for block in blocks[start:end]):
            break
        if sum(label.number.place in numbers for label in listed) >= SHARE * len(listed):
            found = start, end
    return found


def _listed_before(again: int, run: Labels, divisions: Set[int], blocks: Blocks) -> tuple[int, int] | None:
    listed, numbers = run[:again], {label.number.place for label in run[again:]}
    known = sum(label.number.place in numbers or len(label.number.key) > 1 for label in listed)
    borders = [*(label.index for label in run[again:]), len(blocks)]
    behind = {blocks[place].text.casefold() for place, after in itertools.pairwise(borders) if after > place + 1}
    own = {label.index for label in run}
    above = {_letters(blocks[label.index - 1].text) for label in run[again:] if label.index - 1 not in own} - {""}
    alone = sum(
        label.alone
        or blocks[label.index].is_link
        or _is_headed_entry(label, after, blocks, behind)
        or _letters(blocks[label.index].text[label.end :]) in above
        for label, after in itertools.zip_longest(listed, listed[1:])
    )
    if len(listed) < 2 or min(known, alone) < SHARE * len(listed):
        return None
    start, end = listed[0].index, listed[-1].index + 1
    index = start - 1
    while index >= 0 and (index in divisions or _is_short(blocks[index])):
        start = index if index in divisions else start
        index -= 1
    while end < run[again].index and blocks[end].is_link:
        end += 1
    heads = divisions | {label.index for label in listed}
    others = [blocks[index] for index in range(start, end) if index not in heads and not _is_short(blocks[index])]
    # Each entry may have its heading on the next line.
    return (start, end) if len(others) <= len(listed) and all(map(reads_as_heading, others)) else None


def _letters(text: str) -> str:
    """Return the first letters of a heading. The marginal note of an entry may have no full stop, hyphens, or fewer words."""
    return "".join(filter(str.isalpha, text.casefold()))[:_SAME_LETTERS]


def _is_headed_entry(label: Label, after: Label | None, blocks: Blocks, behind: Set[str]) -> bool:
    """Whether an entry has its heading behind its number: it is directly before the next entry, and does not end as a sentence, or it is
    also the heading of a provision with text (one of `behind`)."""
    text, is_next = blocks[label.index].text, after is not None and after.index == label.index + 1
    if text.casefold() in behind:
        return is_next or not STATES.search(blocks[label.index + 1].text)
    return is_next and not text.endswith((".", ";", ":"))


def empty_provisions(run: Labels, end: int, blocks: Blocks) -> tuple[int, int] | None:
    """Return the range of the provisions of `run` if nearly all are lines without text, and the last has most of the text up to the block
    `end`: they are a table of contents whose lines differ from the headings of the law. None otherwise."""
    if len(run) < _MANY:
        return None
    start, last = run[0].index, run[-1].index
    most = sum(len(block.text) for block in blocks[last:end])
    if most < _LAST_SHARE * sum(len(block.text) for block in blocks[start:end]):
        return None
    empty = sum(
        not any(is_sentence(block) for block in blocks[before.index : after.index])
        for before, after in itertools.pairwise(run)
    )
    return (start, last + 1) if empty >= _EMPTY_SHARE * (len(run) - 1) else None


def listed_divisions(divisions: Divisions, run: Labels, blocks: Blocks) -> tuple[int, int] | None:
    """Return the range `[start, end)` of a list of divisions and provisions without text, or None.

    All listed divisions are repeated below it; it ends before the first repeated one, or behind its own last division. Or a publisher has
    moved all divisions to a place above the first provision. `run` holds the labels of provisions.
    """
    heads = [(label.index, (kind, label.number.place)) for label, kind in divisions]
    again = next((index for index, head in heads[1:] if head == heads[0][1]), None)
    if moved := _above_the_law(divisions, run, blocks):
        return moved
    if again is None:
        return None
    listed = [head for index, head in heads if index < again]
    behind = [head for index, head in heads if index >= again]
    if len(listed) < 2 or not set(listed) <= set(behind):
        return None
    start = heads[0][0]
    if short := _short_entries(heads[0][0], again, {index for index, _ in heads}, run, blocks):
        return start, short
    entries = {index for index, _ in heads} | {label.index for label in run if label.alone}

    def is_list(end: int) -> bool:
        return all(reads_as_heading(blocks[index]) for index in range(start, end) if index not in entries)

    if is_list(again):
        return start, again
    # the title and the preamble may follow a list of divisions alone
    last = max(index for index, _ in heads if index < again)
    is_alone = not any(start <= label.index < again for label in run)
    return (start, last + 1) if is_alone and is_list(last) else None


def _short_entries(start: int, again: int, heads: Set[int], run: Labels, blocks: Blocks) -> int | None:
    """Return the end of a list of divisions and provisions whose entries end as sentences ("1. Short title."): they are short, all their
    numbers are repeated below, and only headings of divisions, which may also end so, are between them. None without such a list."""
    listed = [label for label in run if start < label.index < again]
    numbers = {label.number.place for label in run if label.index >= again}
    if not listed or any(label.number.place not in numbers for label in listed):
        return None
    entries = heads | {label.index for label in listed}
    last = max(index for index in entries if index < again)
    others = [index for index in range(start, last) if index not in entries]
    is_list = all(len(blocks[label.index].text) <= SENTENCE_CHARS for label in listed) and all(
        reads_as_heading(blocks[index]) or (index - 1 in heads and len(blocks[index].text) <= SENTENCE_CHARS)
        for index in others
    )
    return last + 1 if is_list else None


def _above_the_law(divisions: Divisions, run: Labels, blocks: Blocks) -> tuple[int, int] | None:
    """Return the range of a list of divisions: headings in a row above the first provision, at least `_ROW` of one kind. None otherwise.

    The provisions then belong to no division. An annexed text among them may have a few. A remark in brackets ("(repealed)") says why a
    division has no provisions: such headings are not a list, and neither are articles above sections.
    """
    if not run or not run[0].number.is_first or any(label.is_provision for label, _ in divisions):
        return None
    above = [(label.index, kind) for label, kind in divisions if label.index < run[0].index]
    among = sum(run[0].index < label.index < run[-1].index for label, _ in divisions)
    if len(above) < _ROW or among * _FEWER > len(above):
        return None
    first, last = above[0][0], above[-1][0]
    is_row = last + 1 == run[0].index and len(above) >= SHARE * (last - first + 1)
    is_bare = all(block.level and not block.text.endswith((")", "]")) for block in blocks[first : last + 1])
    most = max(Counter(kind for _, kind in above).values())
    return (first, last + 1) if is_row and is_bare and most >= _ROW else None


def with_schedules(
    contents: Sequence[tuple[int, int]], labels: Labels, blocks: Blocks, closing: re.Pattern[str]
) -> list[tuple[int, int]]:
    """Return the ranges of `contents`, extended by the schedules listed behind them: at least half of these are repeated below, perhaps in
    other words, or all of them precede the first provision.

    `labels` holds all labels of the document; `closing` matches a schedule without a number.
    """
    named = {
        label.index: (label.kinds, label.number.place) for label in labels if set(label.kinds) & set(CLOSING_KINDS)
    }
    # An entry may be as long as a sentence and have its full stop.
    headed = {label.index for label in labels if label.index in named and label.strength >= STRONG}
    last = {schedule: index for index, schedule in named.items()}
    found: list[tuple[int, int]] = []
    for start, end in contents:
        listed: list[int] = []
        index = end
        # Behind a long list may be its last provisions, and each schedule may have its parts below it.
        tail = max(_TAIL, end - start if end - start >= _MANY else 0)
        while index < min((listed or [end])[-1] + tail, len(blocks)) and (
            index in headed or not is_sentence(blocks[index])
        ):
            if index in named or closing.fullmatch(blocks[index].text):
                listed.append(index)
            index += 1
        behind = {block.text.casefold() for block in blocks[index:]} if listed else set()
        repeated = [
            place
            for place in listed
            if (place in named and last[named[place]] > place) or blocks[place].text.casefold() in behind
        ]
        are_entries = (repeated and 2 * len(repeated) >= len(listed)) or _is_above_the_law(end, listed, labels)
        found.append((start, listed[-1] + 1 if are_entries else end))
    return found


def _is_above_the_law(end: int, listed: Sequence[int], labels: Labels) -> bool:
    """Whether the schedules `listed` behind the contents that end at `end` precede all provisions: a file may hold the law without its
    schedules."""
    provisions = [label for label in labels if label.index >= end and (not label.kinds or label.is_provision)]
    return bool(listed) and bool(provisions) and provisions[0].index > listed[-1] and provisions[0].number.is_first


def listed_schedules(schedules: Labels, labels: Labels, blocks: Blocks) -> set[int]:
    """Return the indices of headings of schedules that are entries of a table of contents: no provision above them has text, and the first
    provision is below them. `find_contents` does not recognise such a table if its numbers are in a column."""
    heads = [label for label in labels if not label.kinds or label.is_provision]
    borders = [*(label.index for label in heads), len(blocks)]
    text = next(
        (
            index
            for first, last in itertools.pairwise(borders)
            for index in range(first, last)
            if _is_text(blocks[index])
        ),
        0,
    )
    above = [label.index for label in schedules if label.index < text and "transitional" not in label.kinds]
    below = [label for label in heads if above and label.index > above[-1]]
    return set(above) if below and below[0].number.is_first else set()


def _is_text(block: Block) -> bool:
    """Whether the block has a sentence of a provision, and not only the heading of one."""
    return len(block.text) > HEADING_CHARS or (
        STATES.search(block.text) is not None and sum(map(str.isalpha, block.text)) >= _TEXT_LETTERS
    )


def _is_short(block: Block) -> bool:
    """Whether the block is too short to be text of a law: a link, a number, a button, a heading of a few words."""
    if block.kind != "text" or block.is_link:
        return block.is_link
    few = len(block.text.split()) <= _SHORT_WORDS and not block.text.endswith((".", ";", ":"))
    return few or NUMBER_ALONE.fullmatch(block.text) is not None

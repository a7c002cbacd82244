"""Finds tables of contents: runs of short blocks whose words are repeated elsewhere in the document.

Not here: the listed provisions.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Sequence, Set

from legal_pipeline.parsing.blocks import Block, Blocks
from legal_pipeline.parsing.recogniser.labels import HEADING_CHARS, STRONG, Divisions, Label, Labels, reads_as_heading
from legal_pipeline.parsing.recogniser.repeated_words import (
    LABEL_WORDS,
    PREFIX,
    Tokens,
    has_label,
    places_of,
    repeated_at,
)
from legal_pipeline.parsing.recogniser.words import CLOSING_KINDS

#: Minimum number of entries in a table of contents, and the minimum share of its blocks that are entries.
_ENTRIES, _SHARE = 5, 0.75
#: Minimum share of the entries that are repeated in the text, and not only in another list.
_IN_TEXT = 0.5
#: Maximum length of an entry in characters, and of one that begins with the label of a provision of a code.
_ENTRY_CHARS, _LABELLED_CHARS = 250, 800
#: Maximum number of blocks between two parts of one table of contents.
_BETWEEN = 2
#: A block that ends as a sentence and is longer than this (characters) is text of the law.
_SENTENCE_CHARS = 80
#: An entry without a number that ends as a sentence and has at least this many words is text of the law; the maximum share of such
#: entries in a table of contents.
_SENTENCE_WORDS, _MOST_SENTENCES = 5, 0.25
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
_WORD = re.compile(r"§|\w+")
#: Dots and the page number after an entry; each part of an ordinance may have pages of its own ("2-14", "S1-2").
_PAGE_OF_PART = r"(?:\d{1,3}[A-Z]?|[A-Z]\d{0,2})-\d{1,3}"
_LEADER = re.compile(rf"(?:\s*[.…·_]{{2,}}\s*|\s{{2,}}|\t+|\s+)(?:\d{{1,4}}|{_PAGE_OF_PART})$")
#: An entry with such a page, and how many times fewer they may be than all entries of a table of contents.
_PAGED, _PAGED_FEWER = re.compile(rf"\d.*\s{_PAGE_OF_PART}$"), 3
#: A number at the beginning or after one word, or two words and a sign.
_NUMBERED = re.compile(r"(?:[^\W\d]+\.?\s+)?(?:§+\s*)?(?:\d+|[IVXLC]+\b(?!['’]))|[^\W\d]+\s[^\W\d]+\s*[:–—-]")
#: "NRS 432B.153 Presumptions concerning …": a heading with the label of its provision, which may be as long as a sentence.
_LABELLED = re.compile(r"[^\W\d_]+\.?\s+(?:§+\s*)?\d+[A-Z]{0,2}[.:-]\d")
_NUMBER_ALONE = re.compile(r"(?:§\s*)?\d{1,4}\s?[A-Za-z]{0,2}\s?[.:)]?")
#: "Art. 8-11, 11bis, 12-14": only a table of contents has a block of the numbers of several provisions.
_NUMBERS_ALONE = re.compile(
    r"[^\W\d_]{1,12}\.?\s+(?=.*[-–,])\d{1,4}[^\W\d_]{0,8}(?:\s?(?:[-–,]|[^\W\d_]{1,3}(?=\s))\s?\d{1,4}[^\W\d_]{0,8})*\.?"
)
#: "(Ord. 12-15, repealed 2031)": the source of a provision, below its text or its heading.
_SOURCE_NOTE = re.compile(r"[(\[][^()\[\]]*\b(?:19|20)\d\d\b[^()\[\]]*[)\]]")
_DOTS = re.compile(r"[.…·_]{3,}\s*\d{1,4}\s*$")


def find_contents(blocks: Blocks) -> list[tuple[int, int]]:
    """Return ranges `[start, end)` of blocks that are tables of contents. Time is linear in the number of blocks."""
    words = [_words(block) for block in blocks]
    places = places_of(words)
    elsewhere = [repeated_at(index, words, places) for index in range(len(blocks))]
    is_entry = [
        _is_entry(block, words[index], elsewhere[index]) and not _is_head_among(block, elsewhere[index], blocks)
        for index, block in enumerate(blocks)
    ]
    for index in range(len(blocks) - 1):
        # The number of an entry may be on a separate line.
        if is_entry[index + 1] and _is_number_alone(blocks[index]):
            is_entry[index] = True
    found = _without_mirrors(
        _without_the_law(_runs(blocks, is_entry, words), blocks, words, elsewhere), blocks, elsewhere
    )
    return _joined(found, blocks, words, elsewhere)


def _is_head_among(block: Block, elsewhere: Sequence[int], blocks: Blocks) -> bool:
    """Whether the block is a heading of the same level as those with its words: an entry has another level than the heading it names."""
    return block.level > 0 and all(blocks[index].level == block.level for index in elsewhere)


def _joined(
    runs: Sequence[tuple[int, int]], blocks: Blocks, words: Sequence[Tokens], elsewhere: Sequence[Sequence[int]]
) -> list[tuple[int, int]]:
    """Return `runs`; two are one if between them is only an entry whose heading is printed otherwise in the text, or if no sentence is
    between them and the two are longer than what is (a running header, numbers in another case, a cover). A long entry that ends with
    an abbreviation ("on acquisition, etc.") is not a sentence."""
    joined: list[tuple[int, int]] = []
    for start, end in runs:
        first, before = joined[-1] if joined else (0, -len(blocks) - 1)
        is_one = start - before <= _BETWEEN and all(_is_line(block) for block in blocks[before:start])
        if not is_one and 2 * end < len(blocks) and start - before <= before - first + end - start:
            between = range(before, start)
            is_one = all(
                _is_line(blocks[index]) and (not _is_sentence(blocks[index]) or elsewhere[index]) for index in between
            )
            if is_one:
                # The text begins where the first entry is repeated.
                listed = {_entry(index, blocks, words) for index in range(first, before) if len(words[index]) > 1}
                again = [index for index in range(before, end) if _entry(index, blocks, words) in listed]
                # several entries between the two are the text: the sections of a chapter that have none, because they were repealed
                is_one = sum(index < start for index in again) <= _BETWEEN
                end = again[0] if is_one and again else end
        if is_one:
            joined[-1] = (first, max(before, end))
        else:
            joined.append((start, end))
    return joined


def _entry(index: int, blocks: Blocks, words: Sequence[Tokens]) -> Tokens:
    """Return the first words of an entry, with those of the label above it: two parts may have the same heading."""
    above = index - 1
    if index and len(words[above]) in LABEL_WORDS and _NUMBERED.match(blocks[above].text):
        return (*words[above], *words[index])[:PREFIX]
    return words[index][:PREFIX]


def _is_line(block: Block) -> bool:
    return block.kind == "text" and len(block.text) <= _ENTRY_CHARS


def _is_sentence(block: Block) -> bool:
    """Whether the block is text of a law; an entry may have the points of its section, which end with a semicolon."""
    return len(block.text) > _ENTRY_CHARS or (len(block.text) > _SENTENCE_CHARS and block.text.endswith("."))


def _words(block: Block) -> Tokens:
    if block.kind != "text":
        return ()
    text = block.text[:_ENTRY_CHARS]
    found = _WORD.findall(_LEADER.sub("", text))
    if len(found) < 2:  # "PART 1" is not an entry of page 1
        found = _WORD.findall(text)
    return tuple(word.casefold() for word in found)


def _is_entry(block: Block, words: Tokens, elsewhere: Sequence[int]) -> bool:
    text = block.text
    is_labelled = _LABELLED.match(text) is not None
    if block.kind != "text" or not words or len(text) > (_LABELLED_CHARS if is_labelled else _ENTRY_CHARS):
        return False
    if block.is_link or _DOTS.search(text) or _NUMBERS_ALONE.fullmatch(text):
        return True
    if (
        text.endswith((";", ",", ":"))
        or text[0].islower()
        or text[0] == "("
        or (len(words) > PREFIX and text.endswith(".") and not is_labelled)
    ):
        return False
    return bool(elsewhere)


def _runs(blocks: Blocks, is_entry: Sequence[bool], words: Sequence[Tokens]) -> list[tuple[int, int]]:
    """Return ranges in which most blocks are entries. Up to two blocks between entries may be something else (a title, a wrapped line).

    A range ends before an entry that it already contains: there the text itself begins.
    """
    runs: list[tuple[int, int]] = []
    index = 0
    seen: set[Tokens] = set()
    labelled: set[Tokens] = set()  # the same without the word before the number
    while index < len(blocks):
        if not is_entry[index]:
            index += 1
            continue
        start, last, entries, misses, numbers = index, index, 0, 0, 0
        if not runs or start - runs[-1][1] > _BETWEEN:
            seen, labelled = set(), set()
        while index < len(blocks) and misses < 3:
            if is_entry[index]:
                alone = _is_number_alone(blocks[index]) and index + 1 < len(blocks)
                own = (*words[index], *words[index + 1])[:PREFIX] if alone else words[index][:PREFIX]
                if len(own) > 1 and (own in seen or (own in labelled and len(labelled) >= _ENTRIES)):
                    break
                if len(own) in LABEL_WORDS and index + 1 < len(blocks) and (*own, *words[index + 1])[:PREFIX] in seen:
                    break
                seen.add(own)
                labelled |= {own[1:]} if has_label(own) else set()
                entries, numbers, misses, last = entries + (not alone), numbers + alone, 0, index
            else:
                misses += 1
                text = blocks[index].text
                if blocks[index].kind != "text" or _is_running_text(text) or _SOURCE_NOTE.fullmatch(text):
                    break
            index += 1
        index = last + 1
        if entries >= _ENTRIES and entries >= _SHARE * (last + 1 - start - numbers):
            runs.append((start, last + 1))
    return runs


def _is_number_alone(block: Block) -> bool:
    return block.kind == "text" and _NUMBER_ALONE.fullmatch(block.text) is not None


def _is_numbered(index: int, blocks: Blocks, words: Sequence[Tokens]) -> bool:
    """Whether the entry has a number, or the block before it is a short label with a number."""
    if _NUMBERED.match(blocks[index].text):
        return True
    return bool(index and len(words[index - 1]) in LABEL_WORDS and _NUMBERED.match(blocks[index - 1].text))


def _is_running_text(text: str) -> bool:
    """Whether the block is a sentence or longer than an entry, so that a list ends before it."""
    return len(text) > _ENTRY_CHARS or (len(text) > _SENTENCE_CHARS and text.endswith((".", ";", ":")))


def _without_the_law(
    runs: list[tuple[int, int]], blocks: Blocks, words: Sequence[Tokens], elsewhere: Sequence[Sequence[int]]
) -> list[tuple[int, int]]:
    """Return runs whose entries are mostly numbered or links and are repeated outside the run.

    A law that repeats its own lines is not a table of contents.
    """
    kept = []
    for start, end in runs:
        outside = total = numbered = sentences = 0
        for index in range(start, end):
            block = blocks[index]
            if len(words[index]) < 2 and not (block.is_link and elsewhere[index]):
                continue
            if _NUMBERS_ALONE.fullmatch(block.text) and not elsewhere[index]:
                continue
            total += 1
            has_number = block.is_link or _is_numbered(index, blocks, words) or bool(_DOTS.search(block.text))
            numbered += has_number
            sentences += not has_number and len(words[index]) >= _SENTENCE_WORDS and block.text.endswith(".")
            outside += any(place < start or place >= end for place in elsewhere[index])
        is_law = sentences > _MOST_SENTENCES * total
        if total >= _ENTRIES and outside >= 0.7 * total and numbered >= 0.6 * total and not is_law:
            kept.append((start, end))
    return kept


def _without_mirrors(
    runs: list[tuple[int, int]], blocks: Blocks, elsewhere: Sequence[Sequence[int]]
) -> list[tuple[int, int]]:
    """Return runs whose entries are repeated in the text, not only in another run, or have pages of parts.

    The first headings of a law are repeated in its table of contents, and a law that is printed twice is not a table of contents.
    """
    listed = {index for start, end in runs for index in range(start, end)}

    def is_in_text(run: tuple[int, int], heads: Set[int]) -> bool:
        entries = [index for index in range(*run) if elsewhere[index]]
        in_text = sum(
            any(place not in listed or (place in heads and place > index) for place in elsewhere[index])
            for index in entries
        )
        paged = sum(_PAGED.match(blocks[index].text) is not None for index in entries)
        return in_text >= _IN_TEXT * len(entries) or _PAGED_FEWER * paged >= len(entries)

    # the first line of a later list may be the heading of the chapter whose sections it lists
    heads = {run[0] for run in runs if is_in_text(run, frozenset())}
    return [run for run in runs if is_in_text(run, heads)]


def listed_provisions(run: Labels, divisions: Set[int], blocks: Blocks) -> tuple[int, int] | None:
    """Return the range `[start, end)` of a list of provision numbers without text, of any length; None if there is no such list.

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
    fewest = _MANY if run and run[0].number.is_first else _ENTRIES
    if fewest == _MANY and not any(_is_sentence(block) for block in blocks[run[0].index :]):
        return None
    found = None
    for first in range(fewest, len(run)):
        if not run[first].number.is_first:
            continue
        listed, numbers = run[:first], {label.number.place for label in run[first:]}
        start, end = listed[0].index, listed[-1].index + 1
        if any(_is_sentence(block) for block in blocks[start:end]):
            break
        if sum(label.number.place in numbers for label in listed) >= _SHARE * len(listed):
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
    if len(listed) < 2 or min(known, alone) < _SHARE * len(listed):
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
        not any(_is_sentence(block) for block in blocks[before.index : after.index])
        for before, after in itertools.pairwise(run)
    )
    return (start, last + 1) if empty >= _EMPTY_SHARE * (len(run) - 1) else None


def listed_divisions(divisions: Divisions, run: Labels, blocks: Blocks) -> tuple[int, int] | None:
    """Return the range `[start, end)` of a list of divisions and provisions without text, None if there is no such list.

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
    numbers are repeated below, and only headings of divisions, which may also end so, are between them. None if there is no such list."""
    listed = [label for label in run if start < label.index < again]
    numbers = {label.number.place for label in run if label.index >= again}
    if not listed or any(label.number.place not in numbers for label in listed):
        return None
    entries = heads | {label.index for label in listed}
    last = max(index for index in entries if index < again)
    others = [index for index in range(start, last) if index not in entries]
    is_list = all(len(blocks[label.index].text) <= _SENTENCE_CHARS for label in listed) and all(
        reads_as_heading(blocks[index]) or (index - 1 in heads and len(blocks[index].text) <= _SENTENCE_CHARS)
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
    is_row = last + 1 == run[0].index and len(above) >= _SHARE * (last - first + 1)
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
            index in headed or not _is_sentence(blocks[index])
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
    return few or _NUMBER_ALONE.fullmatch(block.text) is not None

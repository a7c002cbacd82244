"""Finds tables of contents: runs of short blocks whose words are repeated elsewhere in the document.

Not here: lists of numbers that this does not see, because their words are not repeated (`recogniser.listed`).
"""

from __future__ import annotations

import bisect
import re
from collections.abc import Mapping, Sequence, Set
from itertools import accumulate, chain

from legal_pipeline.parsing.blocks import Block, Blocks
from legal_pipeline.parsing.recogniser.repeated_words import (
    LABEL_WORDS,
    PREFIX,
    Tokens,
    has_label,
    places_of,
    repeated_at,
)

#: Minimum number of entries in a table of contents, and the minimum share of its blocks that are entries.
ENTRIES, SHARE = 5, 0.75
#: Minimum share of the entries that are repeated in the text, and not only in another list.
_IN_TEXT = 0.5
#: Maximum length of an entry in characters, and of one that begins with the label of a provision of a code.
_ENTRY_CHARS, _LABELLED_CHARS = 250, 800
#: Maximum number of blocks between two parts of one table of contents.
_BETWEEN = 2
#: An entry that is repeated more often does not show where the text begins.
_OFTEN = 3
#: A block that ends as a sentence and is longer than this (characters) is text of the law.
SENTENCE_CHARS = 80
#: An entry without a number that ends as a sentence and has at least this many words is text of the law; the maximum share of such
#: entries in a table of contents.
_SENTENCE_WORDS, _MOST_SENTENCES = 5, 0.25
_WORD = re.compile(r"§|\w+")
#: Dots and the page number after an entry; each part of an ordinance may have pages of its own ("2-14", "S1-2").
_PAGE_OF_PART = r"(?:\d{1,3}[A-Z]?|[A-Z]\d{0,2})-\d{1,3}"
_LEADER = re.compile(rf"(?:\s*[.…·_]{{2,}}\s*|\s{{2,}}|\t+|\s+)(?:\d{{1,4}}|{_PAGE_OF_PART})$")
#: An entry with such a page, and how many times fewer they may be than all entries of a table of contents.
_PAGED, _PAGED_FEWER = re.compile(rf"\d.*\s{_PAGE_OF_PART}$"), 3
_PAGE = re.compile(r"\w{3}\W+(\d{1,4})$")
#: Minimum share of the entries with a page in a table of contents with pages.
_PAGED_ENTRIES = 0.6
#: A number at the beginning or after one word (perhaps with a dash between them), or two words and a sign.
_NUMBERED = re.compile(
    r"(?:[^\W\d]+(?:\s?[-–—]\s?|\.?\s+))?(?:§+\s*)?(?:\d+|[IVXLC]+\b(?!['’]))|[^\W\d]+\s[^\W\d]+\s*[:–—-]"
)
_ROMAN = re.compile(r"[ivxlc]+")
#: "NRS 432B.153 Presumptions concerning …": a heading with the label of its provision, which may be as long as a sentence.
_LABELLED = re.compile(r"[^\W\d_]+\.?\s+(?:§+\s*)?\d+[A-Z]{0,2}[.:-]\d")
NUMBER_ALONE = re.compile(r"(?:§\s*)?\d{1,4}\s?[A-Za-z]{0,2}\s?[.:)]?")
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
    runs = [
        (start, end)
        for start, end in _runs(blocks, is_entry, words, places)
        if is_entry[end : end + 1] == [True] or not _is_chain(range(start, end), blocks, words)
    ]
    found = _without_mirrors(_without_the_law(runs, blocks, words, elsewhere), blocks, elsewhere)
    joined = _joined(found, blocks, words, elsewhere, places)
    ends = [0, *(end for _, end in joined)]
    return [(_start(run, blocks, before), run[1]) for run, before in zip(joined, ends, strict=False)]


def _start(run: tuple[int, int], blocks: Blocks, before: int) -> int:
    """Return the start of a table of contents with pages: also of entries with pages above it, behind `before`, whose headings are printed
    otherwise."""
    start, end = run
    pages = [page for block in blocks[start:end] if (page := _page(block)) is not None]
    if len(pages) < _PAGED_ENTRIES * (end - start):
        return start
    page = pages[0]
    while start > before and (above := _page(blocks[start - 1])) is not None and above <= page:
        start, page = start - 1, above
    return start


def _page(block: Block) -> int | None:
    """Return the page at the end of an entry."""
    match = _PAGE.search(block.text) if _is_line(block) else None
    return int(match[1]) if match else None


def _is_head_among(block: Block, elsewhere: Sequence[int], blocks: Blocks) -> bool:
    """Whether the block is a heading of the same level as those with its words: an entry has another level than the heading it names."""
    return block.level > 0 and all(blocks[index].level == block.level for index in elsewhere)


def _joined(
    runs: Sequence[tuple[int, int]],
    blocks: Blocks,
    words: Sequence[Tokens],
    elsewhere: Sequence[Sequence[int]],
    places: Mapping[Tokens, Sequence[int]],
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
                _is_line(blocks[index]) and (not is_sentence(blocks[index]) or elsewhere[index]) for index in between
            )
            if is_one:
                # The text begins where the first entry is repeated; a line that is repeated often may be the header of a page.
                entries = {_entry(index, blocks, words) for index in range(first, before) if len(words[index]) > 1}
                listed = {entry for entry in entries if len(places.get(entry, ())) <= _OFTEN}
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


def is_sentence(block: Block) -> bool:
    """Whether the block is text of a law; an entry may have the points of its section, which end with a semicolon."""
    return len(block.text) > _ENTRY_CHARS or (len(block.text) > SENTENCE_CHARS and block.text.endswith("."))


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


def _runs(
    blocks: Blocks, is_entry: Sequence[bool], words: Sequence[Tokens], places: Mapping[Tokens, Sequence[int]]
) -> list[tuple[int, int]]:
    """Return ranges in which most blocks are entries. Up to two blocks between entries may be something else (a title, a wrapped line).

    A range ends where its first entry is repeated, or before another entry that it already contains: there the text itself begins.
    """
    runs: list[tuple[int, int]] = []
    lists = _Lists(blocks, is_entry)
    index = 0
    seen: set[Tokens] = set()
    labelled: set[Tokens] = set()  # the same without the word before the number
    while index < len(blocks):
        if not is_entry[index]:
            index += 1
            continue
        own = words[index] if len(words[index]) not in LABEL_WORDS else tuple(chain(*words[index : index + 2]))
        alike = places.get(own[:PREFIX], ())
        place = bisect.bisect(alike, index)
        if place < len(alike) and lists.is_list(index, again := alike[place]):
            last = next(place for place in range(again - 1, index, -1) if is_entry[place])
            seen |= {words[place][:PREFIX] for place in range(index, again) if len(words[place]) > 1}
            runs.append((index, last + 1))
            index = again
            continue
        start, last, entries, misses, numbers = index, index, 0, 0, 0
        if not runs or start - runs[-1][1] > _BETWEEN:
            seen, labelled = set(), set()
        while index < len(blocks) and misses < 3:
            if is_entry[index]:
                alone = _is_number_alone(blocks[index]) and index + 1 < len(blocks)
                own = (*words[index], *words[index + 1])[:PREFIX] if alone else words[index][:PREFIX]
                if len(own) > 1 and (own in seen or (own in labelled and len(labelled) >= ENTRIES)):
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
        if entries >= ENTRIES and entries >= SHARE * (last + 1 - start - numbers):
            runs.append((start, last + 1))
    return runs


class _Lists:
    """Whether ranges of `blocks` are lists: most blocks are entries, and none is running text. Each answer takes the same time."""

    def __init__(self, blocks: Blocks, is_entry: Sequence[bool]) -> None:
        self._entries = [0, *accumulate(is_entry)]
        self._texts = [0, *accumulate(block.kind != "text" or _is_running_text(block.text) for block in blocks)]

    def is_list(self, start: int, end: int) -> bool:
        entries, size = self._entries[end] - self._entries[start], end - start
        is_short = 2 * size < len(self._entries)  # the text is longer than its table of contents
        return is_short and self._texts[start] == self._texts[end] and entries >= max(ENTRIES, SHARE * size)


def _is_number_alone(block: Block) -> bool:
    return block.kind == "text" and NUMBER_ALONE.fullmatch(block.text) is not None


def _is_numbered(index: int, blocks: Blocks, words: Sequence[Tokens]) -> bool:
    """Whether the entry has a number, or the block before it is a short label with a number."""
    if _NUMBERED.match(blocks[index].text):
        return True
    return bool(index and len(words[index - 1]) in LABEL_WORDS and _NUMBERED.match(blocks[index - 1].text))


def _is_running_text(text: str) -> bool:
    """Whether the block is a sentence or longer than an entry, so that a list ends before it."""
    return len(text) > _ENTRY_CHARS or (len(text) > SENTENCE_CHARS and text.endswith((".", ";", ":")))


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
        if total >= ENTRIES and outside >= 0.7 * total and numbered >= 0.6 * total and not is_law:
            kept.append((start, end))
    return kept


def _is_chain(run: range, blocks: Blocks, words: Sequence[Tokens]) -> bool:
    """Whether no two labels have the same word: TITLE V, CHAPTER 1, SECTION 1 and Article 21 are the headings above an article."""
    labels = [words[index][0] for index in run if words[index] and _NUMBERED.match(blocks[index].text)]
    return len(set(labels)) == len(labels) and all(label.isalpha() and not _ROMAN.fullmatch(label) for label in labels)


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

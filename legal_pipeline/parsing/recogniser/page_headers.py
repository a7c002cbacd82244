"""Finds the headers and footers of printed pages that name what is on the page: "Part 2  Licences", "Section 5", "Lamps Act 2031   7".

They look like the labels of divisions and provisions, and differ from page to page. What they repeat decides: the numbers of sections
without a word, headings of divisions and the title. Not here: lines that are repeated alike on pages (the readers of formats).
"""

from __future__ import annotations

import bisect
import dataclasses
import itertools
import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from legal_pipeline.parsing.blocks import Block, Blocks, join_blocks, split_block
from legal_pipeline.parsing.recogniser.numbers import Number, read_number
from legal_pipeline.parsing.recogniser.words import PROVISION_KINDS, Words

#: "Section 5", "Section 5   Cap. 99": a word and a number, alone or with words that are the same on each page.
_NAMED = re.compile(r"(?P<word>[^\W\d_]{3,14})\s(?P<num>\d{1,4}[A-Z]{0,3})(?:\s+(?P<rest>\S.{0,40}))?")
#: "5  Fee", "5. Fee", "5(1) A fee": a section without a word.
_NUMBERED = re.compile(r"(?P<num>\d{1,4}[A-Z]{0,3})(?:\.?\s+(?![\d.])\S|\.?[–—]|\(1\)\s)")
_LABEL = r"(?P<word>[^\W\d_]{3,14}) (?P<num>\d{1,4}[A-Z]{0,3}|[IVXLC]{1,6})"
#: "Part 2 …", "… Part 2": a division on a left or on a right page.
_BEGINS, _ENDS = re.compile(rf"{_LABEL}(?!\w)"), re.compile(rf".*?{_LABEL}\Z")
_PAGE = r"\d{1,4}(?:[-–]\d{1,4})?|[ivxlc]{1,6}"
_BEFORE_PAGE, _BEHIND_PAGE = re.compile(rf"(?P<title>.+?) (?:{_PAGE})"), re.compile(rf"(?:{_PAGE}) (?P<title>.+)")
_DIGITS = re.compile(r"\d+")
#: "LAMPS ACT 2031 - SECT 5A Fees", "LAMPS ACT 2031 - SECT 11-12 (Repealed)".
_BANNER = re.compile(
    r"(?P<title>\S.+?) - (?P<word>[A-Z]{3,10}) (?P<num>\d{1,4}[A-Z]{0,3}(?:-\d{1,4}[A-Z]{0,3})?)(?P<rest>(?:\s\S.*)?)"
)
#: Minimum number of such lines, and their maximum length in characters.
_BANNERS, _BANNER_CHARS = 3, 400
#: Maximum length of a header in characters.
_CHARS = 100
#: Minimum share of the blocks with a word that name the section of their page, and minimum number of pages with the title.
_SHARE, _PAGES = 0.75, 2
#: Maximum number of blocks of a header above the section that it names, and of blocks below it in which the heading of its division is.
_ABOVE, _BELOW = 6, 4
#: A line with a day before or behind some words, and the number of the page in its issue of a journal; minimum number of such lines.
_DATED = re.compile(r"(?=.*\s.*\s.*\s)(?:\d{1,2}[./-]\d{1,2}[./-]\d{4}\s.+|.+\s\d{1,2}[./-]\d{1,2}[./-]\d{4})\Z")
_PAGE_OF_ISSUE, _DATED_PAGES = re.compile(r"(?<=\d/)\d{1,4}(?=\s|\Z)"), 4
#: Number of blocks at the beginning that may be the title, and its minimum number of words.
_TITLES, _TITLE_WORDS = 6, 2


def without_banners(blocks: Blocks, words: Words) -> Blocks:
    """Return `blocks` with lines such as "LAMPS ACT 2031 - SECT 5" marked as `running`: some publishers print one above each provision.

    If the next lines do not repeat the number, as for a repealed section, the line is divided: the number is the label of the provision.
    For a schedule or a division ("LAMPS ACT 2031 - SCHEDULE 1") the label is word and number.
    """
    heads = {block.text.partition(" - ")[0] for block in blocks[:_TITLES]}
    titles = {text for text in heads if len(text.split()) >= _TITLE_WORDS}
    named = {
        index: match for index, block in enumerate(blocks) if (match := _BANNER.fullmatch(_text(block, _BANNER_CHARS)))
    }
    banners = {index: match for index, match in named.items() if match["title"] in titles}
    if len(banners) < _BANNERS:
        return blocks
    found: list[Block] = []
    index = 0
    while index < len(blocks):
        match, block, following = banners.get(index), blocks[index], blocks[index + 1 : index + 3]
        index += 1
        if match is None:
            found.append(block)
            continue
        repeated = re.compile(rf"(?:{match['word']}\s)?{re.escape(match['num'])}(?!\w)")
        numbered = next((place for place, other in enumerate(following) if repeated.match(other.text)), None)
        if numbered is not None:
            # the heading may be a line of its own, and is repeated behind the number
            is_heading = numbered == 1 and following[1].text.endswith(following[0].text)
            found += [dataclasses.replace(each, kind="running") for each in (block, *following[:is_heading])]
            index += is_heading
            continue
        kinds = words.kinds_of(match["word"])
        is_division = bool(kinds) and set(kinds).isdisjoint(PROVISION_KINDS)
        banner, label = split_block(block, match.start("word" if is_division else "num") - 1)
        if not is_division and not match["rest"] and following:
            label, index = join_blocks(label, following[0]), index + 1
        found += [dataclasses.replace(banner, kind="running"), label]
    return found


def without_page_headers(blocks: Blocks, words: Words) -> Blocks:
    """Return `blocks` with the headers and footers of pages as `running`."""
    found = _dated_headers(blocks)
    if any(_named(block) for block in blocks):
        found |= _Pages(blocks).headers(words)
    if not found:
        return blocks
    return [
        dataclasses.replace(block, kind="running") if index in found else block for index, block in enumerate(blocks)
    ]


def _dated_headers(blocks: Blocks) -> set[int]:
    """Return the indices of lines with a day that are alike except for the number of their page, which rises: "4.3.2031 EN Official
    Journal of the Lamps C 9/3"."""
    alike: dict[tuple[str, str], list[tuple[int, int]]] = defaultdict(list)
    for index, block in enumerate(blocks):
        if (dated := _DATED.match(_text(block))) and (match := _PAGE_OF_ISSUE.search(dated[0])):
            alike[dated[0][: match.start()], dated[0][match.end() :]].append((index, int(match[0])))
    return {
        index
        for places in alike.values()
        if len(places) >= _DATED_PAGES
        and all(page < following for (_, page), (_, following) in itertools.pairwise(places))
        for index, _ in places
    }


@dataclass(frozen=True)
class _Place:
    """A block that may name the section at which its page begins, and the next and the last section without a word around it."""

    index: int
    number: Number
    before: Number | None
    after: Number | None

    @property
    def begins(self) -> bool:
        """Whether the named section is the first one below."""
        return self.after is not None and self.after.place == self.number.place

    @property
    def goes_on(self) -> bool:
        """Whether the named section goes on below, from the page above."""
        is_last = self.before is not None and self.before.place == self.number.place
        return is_last and (self.after is None or self.after.follows(self.number) is not None)


class _Pages:
    def __init__(self, blocks: Blocks) -> None:
        self._blocks = blocks
        self._texts = [_text(block) for block in blocks]
        self._titles = {
            text
            for text in self._texts[:_TITLES]
            if len(text.split()) >= _TITLE_WORDS and not _NUMBERED.match(text) and not _BEGINS.match(text)
        }
        self._numbers = [
            read_number(match["num"]) if block.kind == "text" and (match := _NUMBERED.match(block.text)) else None
            for block in blocks
        ]
        self._alike = Counter(_DIGITS.sub("#", text) for text in self._texts if text)
        #: word -> (block, number) of the headings of divisions with it
        self._divisions: dict[str, list[tuple[int, str]]] = defaultdict(list)
        for index, text in enumerate(self._texts):
            if text and (match := _BEGINS.match(text)):
                self._divisions[match["word"].casefold()].append((index, match["num"]))

    def headers(self, words: Words) -> set[int]:
        """Return the indices of the blocks of headers and footers."""
        found: set[int] = set()
        for word, places in self._places().items():
            kinds = words.kinds_of(word)
            sure = [place for place in places if place.begins or place.goes_on]
            if len(sure) < _SHARE * len(places) or (kinds and set(kinds).isdisjoint(PROVISION_KINDS)):
                continue
            are_several = bool(kinds) and self._name_pages(sure)
            below = self._repeated_below([place.index for place in sure]) if are_several else {}
            for place in sure:
                above = self._above(place.index)
                if are_several or self._is_sure(place.index, above):
                    found |= {place.index, *above, *below.get(place.index, ())}
        pages = [index for index in range(len(self._texts)) if self._is_page_of_title(index)] if found else []
        return found | set(pages if len(pages) >= _PAGES else ())

    def _name_pages(self, places: Sequence[_Place]) -> bool:
        """Whether `places` name the first sections of pages and are not headings: not each section has one, and below "Article 2" are not
        the paragraphs from 1 on."""
        named = {place.number.place for place in places}
        numbered = {number.place for number in self._numbers if number is not None}
        return (
            len(named) > 1
            and len(named) < _SHARE * len(numbered)
            and any(place.begins and place.number.value > 1 for place in places)
        )

    def _places(self) -> dict[str, list[_Place]]:
        """Return, for each word that always has the same words behind its number, the blocks that may name the section of a page."""
        # the last number up to each block, and the first one from it on
        before = list(itertools.accumulate(self._numbers, _latest))
        after = list(itertools.accumulate(self._numbers[::-1], _latest))[::-1]
        found: dict[str, list[_Place]] = defaultdict(list)
        behind: dict[str, set[str]] = defaultdict(set)
        for index, block in enumerate(self._blocks):
            match = _named(block)
            number = read_number(match["num"]) if match else None
            if match and number:
                found[match["word"]].append(_Place(index, number, before[index], after[index]))
                behind[match["word"]].add(match["rest"] or "")
        return {word: places for word, places in found.items() if len(behind[word]) == 1}

    def _above(self, index: int) -> list[int]:
        """Return the blocks of the header above the section that it names, and of the footer of the page before."""
        found: list[int] = []
        for place in range(index - 1, max(index - 1 - _ABOVE, -1), -1):
            text = self._texts[place]
            if not text or not ((place and self._is_repeated(place, index)) or self._is_page_of_title(place)):
                break
            found.append(place)
        return found

    def _repeated_below(self, named: Sequence[int]) -> dict[int, tuple[int, ...]]:
        """Return the rest of each header below the block that names its section, if it is the same on all pages: the title of the law."""
        title, *others = {self._texts[index + 1] if index + 1 < len(self._texts) else "" for index in named}
        if others or len(title.split()) < _TITLE_WORDS or _NUMBERED.match(title):
            return {}
        # the pages of a schedule name it instead of a section: "Schedule   LR 7/2031"
        behind = {self._texts[index].split(None, 2)[2] for index in named if len(self._texts[index].split()) > 2}
        schedules = [
            index
            for index, text in enumerate(self._texts[:-1])
            if text.partition(" ")[2] in behind and self._texts[index + 1] == title
        ]
        return {index: (index + 1,) for index in named} | {
            named[0]: (named[0] + 1, *(place for index in schedules for place in (index, index + 1)))
        }

    def _is_repeated(self, place: int, index: int) -> bool:
        """Whether the block at `place` repeats the title, a footer, or the heading of the division in which the section that the block
        `index` names is: the last one above this header, or one just below it."""
        text = self._texts[place]
        match = _BEGINS.match(text) or _ENDS.fullmatch(text)
        if match is None or text in self._titles:
            return text in self._titles or self._alike[_DIGITS.sub("#", text)] > 1
        headings = self._divisions[match["word"].casefold()]
        above = bisect.bisect_left(headings, (place, ""))
        return (above > 0 and headings[above - 1][1] == match["num"]) or self._is_below(match, index)

    def _is_below(self, division: re.Match[str], index: int) -> bool:
        """Whether the heading of `division` is just below the block `index`."""
        headings = map(_BEGINS.match, self._texts[index + 1 : index + 1 + _BELOW])
        label = f"{division['word']} {division['num']}".casefold()
        return any(found is not None and found[0].casefold() == label for found in headings)

    def _is_page_of_title(self, index: int) -> bool:
        """Whether the block is the title with the number of a page before or behind it, perhaps in a row above the rest of a footer."""
        text = self._texts[index].partition("\n")[0]
        return any(
            (match := pattern.fullmatch(text)) and match["title"] in self._titles
            for pattern in (_BEFORE_PAGE, _BEHIND_PAGE)
        )

    def _is_sure(self, index: int, above: Sequence[int]) -> bool:
        """Whether a single header is one: the heading of its division is below it too, or the title with the page is above it."""
        divisions = [_BEGINS.match(self._texts[place]) or _ENDS.fullmatch(self._texts[place]) for place in above]
        return any(match is not None and self._is_below(match, index) for match in divisions) or any(
            self._is_page_of_title(place) for place in above
        )


def _text(block: Block, most: int = _CHARS) -> str:
    """Return the text of a short block that is not marked as a heading, with rows of a table as lines, else nothing."""
    if block.kind not in ("text", "table") or block.level or block.depth or len(block.text) > most:
        return ""
    return block.text.replace(" | ", " ")


def _latest(last: Number | None, number: Number | None) -> Number | None:
    return number or last


def _named(block: Block) -> re.Match[str] | None:
    return _NAMED.fullmatch(_text(block)) if block.kind == "text" else None

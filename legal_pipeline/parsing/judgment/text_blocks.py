"""Split the plain text of a judgment into blocks: at blank lines or, where a PDF's text has none, at numbers and headings.

Page numbers and footnotes at the foot of a page are kept out of the paragraphs that they interrupt. Not here: the role of the blocks
(`structure`), and layout known only from a PDF.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from legal_pipeline.parsing.judgment.blocks import Block
from legal_pipeline.parsing.judgment.glued_headings import glued_number
from legal_pipeline.parsing.judgment.paragraph_numbers import listed_numbers
from legal_pipeline.parsing.judgment.phrases import Phrases
from legal_pipeline.parsing.text_lines import TextLine, joined, text_lines

#: With a smaller share of blank lines than this, blank lines do not separate the paragraphs of a text.
_BLANK_SHARE = 0.08

_NUMBER_LINE = re.compile(r"^\[?(?P<num>\d{1,3})(?:\]|\.(?=\s|$|[A-Z“\"‘])|\)(?=\s|$))|^(?P<sub>\d{1,3}\.\d{1,2})\.?\s")
_PAGE_NUMBER = re.compile(r"^(?:(?:.{0,80}\s)?[Pp]age\s+)?(?P<num>\d{1,4})(?:\s*(?:of|/)\s*\d{1,4})?$")
_NOISE = re.compile(r"^(?:Signature Not Verified|Digitally signed by.*|Date: \d{4}\.\d\d\.\d\d.*|Reason:)$")
_ITEM = re.compile(r"^(?:\(?[a-z]\)|\(?[ivxl]{1,5}\)|\([A-Z]\)|[•●▪-])\s")
_ENDED = re.compile(r"[.;:?!”\"’)\]_-]\s*(?:\d{1,2})?\s*$")
_MAX_FOOTNOTE_LINES = 12
#: A heading has at most this many characters, and this share of those of a long line.
_HEADING_CHARS, _HEADING_SHARE = 90, 0.6
#: "(b) The lamps", "The lamps", "1. The lamps"; "xxx" is an omission.
_HEAD = re.compile(r"\(\w|[^\W\d_a-z]|\d{1,2}\.\s+[^\W\d_a-z]")
#: "B. The lamps", "II. The lamps": a heading above another one.
_OUTER_HEAD = re.compile(r"(?:[A-Z]|[IVX]{1,5})\.\s+[^\W\d_a-z]")


def text_blocks(text: str, phrases: Phrases) -> list[Block]:
    """Return the blocks of `text` with offsets into it, in reading order."""
    lines, asides = _take_asides(list(text_lines(text)))
    out: list[Block] = []
    waiting = sorted(asides, key=lambda aside: aside.offsets[0][1])
    for group in _groups(lines, phrases):
        # A page number or footnote inside a paragraph comes after the paragraph, which stays one block.
        text, pairs = joined(group)
        if not text:
            continue
        while waiting and waiting[0].offsets[0][1] < group[0].offset:
            out.append(waiting.pop(0))
        style = "heading" if len(group) == 1 and phrases.is_title(text) else None
        out.append(Block(text, style, page=group[0].page, offsets=tuple(pairs)))
    return [*out, *waiting]


def _take_asides(lines: list[TextLine]) -> tuple[list[TextLine], list[Block]]:
    """Return (the running text, page numbers and footnotes as separate blocks).

    A page number is a line with the next number; a footnote begins with the next footnote number and ends at a page number.
    """
    numbers = _page_numbers(lines)
    flow: list[TextLine] = []
    asides: list[Block] = []
    footnote = 1
    index = 0
    while index < len(lines):
        line = lines[index]
        if index in numbers or _NOISE.match(line.stripped):
            style = "page_number" if index in numbers else "running_footer"
            asides.append(_aside([line], style))
            index += 1
            continue
        number = _footnote_number(line, footnote, flow) if numbers else None
        if number is not None:
            footnote = number
            end = next(
                (i for i in range(index + 1, min(index + _MAX_FOOTNOTE_LINES, len(lines))) if i in numbers), None
            )
            if (
                end is None
                and len(lines) - index <= _MAX_FOOTNOTE_LINES
                and not any(_NUMBER_LINE.match(later.stripped) for later in lines[index:])
            ):
                end = len(lines)
            if end is not None:
                for note in _footnotes([each for each in lines[index:end] if each.stripped], footnote):
                    asides.append(_aside(note, "footnote"))
                    footnote += 1
                index = end
                continue
        flow.append(line)
        index += 1
    return flow, asides


def _footnote_number(line: TextLine, expected: int, flow: list[TextLine]) -> int | None:
    """Return the number with which `line` begins a footnote, or None.

    It is the expected number, or a slightly higher number where two notes are on one line; its call must be in the text above,
    directly after a word (`per annum4`).
    """
    match = re.match(r"(\d{1,3})\s+\S", line.stripped)
    if match is None or not expected <= int(match[1]) <= expected + 3:
        return None
    call = re.compile(rf"[^\W\d][.,;:”\"’)]*{match[1]}(?!\d)|[.,;:”\"’)]{match[1]}(?!\d)")
    return int(match[1]) if any(call.search(each.text) for each in flow[-80:]) else None


def _page_numbers(lines: list[TextLine]) -> set[int]:
    """Return the indices of lines that are page numbers: at least two, each one higher than the last; empty otherwise."""
    found: set[int] = set()
    last = 0
    for index, line in enumerate(lines):
        match = _PAGE_NUMBER.match(line.stripped)
        if match and int(match["num"]) in ((last + 1,) if last else (1, 2)):
            found.add(index)
            last = int(match["num"])
    return found if len(found) >= 2 else set()


def _footnotes(lines: list[TextLine], first: int) -> Iterator[list[TextLine]]:
    """Yield the footnotes at the foot of one page; a new footnote begins where a line starts with the next number."""
    expected = first + 1
    note: list[TextLine] = []
    for line in lines:
        if note and re.match(rf"{expected}\s+\S", line.stripped):
            yield note
            note = []
            expected += 1
        note.append(line)
    if note:
        yield note


def _aside(lines: list[TextLine], style: str) -> Block:
    text, pairs = joined(lines)
    return Block(text, style, page=lines[0].page, offsets=tuple(pairs))


def _has_header(lines: list[TextLine], phrases: Phrases) -> bool:
    head = [line.stripped for line in lines[:80] if line.stripped]
    if any(phrases.body_begins.match(text) for text in head):
        return True
    first_number = next((index for index, text in enumerate(head) if _NUMBER_LINE.match(text)), 0)
    return first_number > 2 and any(re.match(r"(?i)\W*(?:versus|vs?\.?)\W*$", text) for text in head[:first_number])


def _groups(lines: list[TextLine], phrases: Phrases) -> Iterator[list[TextLine]]:
    """Yield the lines of each block. A block begins at a blank line, the next number, a heading or an item; header lines are separate."""
    printed = [line for line in lines if line.stripped]
    listed = frozenset(printed[index].offset for index in listed_numbers([line.stripped for line in printed]))
    reader = _LineReader(phrases, _body_line(lines, phrases), listed, _headings(printed), _has_header(lines, phrases))
    trusted = _blank_lines_part(lines)
    group: list[TextLine] = []
    for line in lines:
        is_blank = not line.stripped
        is_end = is_blank and (trusted or _ENDED.search(reader.before) is not None)
        if (is_end or (not is_blank and reader.begins_block(line, len(group)))) and group:
            yield group
            group = []
        if not is_blank:
            group.append(line)
    if group:
        yield group


@dataclass
class _LineReader:
    """Reads the lines with text in order: `body` as in `_body_line`, `listed` the offsets of lines whose number is that of a list inside a
    paragraph, `headings` as in `_headings`, `number` of the last paragraph, `before` the line read last, `below_heading` whether that is a
    heading."""

    phrases: Phrases
    body: int | None
    listed: frozenset[int]
    headings: frozenset[int]
    in_header: bool
    number: int = 0
    before: str = ""
    below_heading: bool = False

    def begins_block(self, line: TextLine, length: int) -> bool:
        """Whether the next line begins a block; the block before it has `length` lines so far."""
        text, before, phrases = line.stripped, self.before, self.phrases
        is_below_title = phrases.is_title(before)
        ended = (
            not length or _ENDED.search(before) is not None or before.isupper() or is_below_title or self.below_heading
        )
        number, is_of_paragraph = (self.number, False) if line.offset in self.listed else self._number(text, ended)
        begins_body = phrases.body_begins.match(text) is not None and (self.body is None or line.offset >= self.body)
        begins = (
            self.in_header
            or is_of_paragraph
            or line.offset in self.headings
            or begins_body
            or _SIGNATURE_LINE.match(text) is not None
            or (ended and (_is_heading_line(text) or _ITEM.match(text) is not None or phrases.is_title(text)))
            or _is_heading_line(before)
            or (length == 1 and is_below_title)
            or phrases.body_begins.match(before) is not None
            or _judge_above(before, phrases)
        )
        self.in_header = self.in_header and not begins_body and number == self.number
        self.number, self.before, self.below_heading = number, text, line.offset in self.headings
        return begins

    def _number(self, text: str, ended: bool) -> tuple[int, bool]:
        """Return the number of the paragraph that `text` is in, and whether it begins that paragraph or a sub-paragraph of it."""
        if self.number and ended and glued_number(text, self.number, self.phrases) is not None:
            return self.number + 1, True
        match = _NUMBER_LINE.match(text)
        number = int(match["num"]) if match and match["num"] else 0
        if self.number < number <= self.number + 3 and (ended or self.in_header):
            return number, True
        return self.number, bool(match and match["sub"] and match["sub"].split(".")[0] == str(self.number))


def _headings(printed: list[TextLine]) -> frozenset[int]:
    """Return the offsets of short lines between the end of a sentence and the number of a paragraph: "(b) The lamps"."""
    lengths = sorted(len(line.stripped) for line in printed)
    longest = min(_HEADING_CHARS, _HEADING_SHARE * lengths[len(lengths) * 3 // 4]) if lengths else 0
    return frozenset(
        line.offset
        for above, line, below in zip(printed, printed[1:], printed[2:], strict=False)
        if len(line.stripped) <= longest
        and _HEAD.match(line.stripped) is not None
        and (_ENDED.search(above.stripped) is not None or _is_outer_head(above.stripped, longest))
        and _ENDED.search(line.stripped) is None
        and _NUMBER_LINE.match(below.stripped) is not None
    )


def _is_outer_head(text: str, longest: float) -> bool:
    return len(text) <= longest and _OUTER_HEAD.match(text) is not None and _ENDED.search(text) is None


def _body_line(lines: list[TextLine], phrases: Phrases) -> int | None:
    """Return the offset of the last line "JUDGMENT" above paragraph 1 (a cover page may have one too); None if it is uncertain."""
    found = None
    for line in [line for line in lines if line.stripped][:80]:
        match = _NUMBER_LINE.match(line.stripped)
        if match and match["num"] == "1":
            return found
        if phrases.body_begins.match(line.stripped):
            found = line.offset
    return None


def _judge_above(before: str, phrases: Phrases) -> bool:
    return len(before) < 60 and before.endswith("J.") and phrases.judge_line.match(before) is not None


def _blank_lines_part(lines: list[TextLine]) -> bool:
    """Whether blank lines separate paragraphs. In the text of a PDF they may be at page ends and inside sentences."""
    blank = sum(not line.stripped for line in lines)
    if blank <= _BLANK_SHARE * max(len(lines), 1):
        return False
    parted = broken = 0
    before = ""
    gap = False
    for line in lines:
        text = line.stripped
        if not text:
            gap = True
            continue
        if gap and before:
            parted += 1
            broken += text[0].islower()
        gap, before = False, text
    return broken < 0.1 * max(parted, 1)


_SIGNATURE_LINE = re.compile(r"^(?:[.…]{3,}.*J\.?|\[[A-Z .]+\]|\([A-Z .]+\)|NEW DELHI[;,.]?|[A-Z]+ \d{1,2}, \d{4}\.?)$")


def _is_heading_line(text: str) -> bool:
    letters = [char for char in text if char.isalpha()]
    return len(letters) > 3 and len(text) < 90 and text.isupper() and not text.endswith(",")

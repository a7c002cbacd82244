"""Joins the wrapped lines of the flow to paragraphs, also over the end of a page.

Paragraph ends are found by layout: the distance to the next line, indents, type, and whether the next word would have fitted on the
line. Not here: the meaning of a paragraph.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from legal_pipeline.parsing.pdf.glyphs import MARK_BASE, Line
from legal_pipeline.parsing.pdf.layout import PageLayout
from legal_pipeline.parsing.readers.plain_text import (
    BLOCK_START,
    LABEL_START,
    OPENING,
    SURE_START,
    WHOLE_NUMBER,
    opens_block,
)
from legal_pipeline.parsing.recogniser.numbers import DIGITS
from legal_pipeline.parsing.recogniser.words import begins_with_number_and_word
from legal_pipeline.text.normalise import unwrap

#: A number, letter or bullet that opens an item; the text after it may have a hanging indent.
_OPENER = re.compile(
    r"(?:\d{1,3}(?:\.\d{1,3})*[.)]|\(\w{1,5}\)|[a-zA-Z][.)]|[ivxIVX]{1,5}[.)]|[•●▪■–—-]|\d{1,3}(?:\s?[a-z])?\s?§(?=[^§\w]*\s+[^a-zåäö])|\[\d{1,4}\])(?:\s|$)"
)
#: "40 Keepers of lamps": the heading of a section whose number has no stop.
_NUMBER_AND_HEADING = re.compile(r"\d{1,4}[A-Z]{0,2}\s+(?=[^\W\d_])(?=\S*[A-Z])")
#: "CHAPTER 2: LAMPS": a word, a number and a sign, which in capitals go on no heading ("RULES UNDER / SECTION 12 OF THE ACT").
_SIGNED_LABEL = re.compile(rf"[^\W\d_]{{4,14}}\s(?:{DIGITS}|[IVXLC]{{1,6}})\s?[.:–—](?:\s|$)")
_ENDS_SENTENCE = re.compile(r"(?:[.;:?!…—”“«»\"’)\]]|\.\s?[-–])$")
_ENDS_CLAUSE = re.compile(r"[.;:?!]$")
_GAP = 1.3
#: A line shorter than this share of its column, with room for the next word, is not wrapped.
_SHORT = 0.5
#: Minimum number of wrapped lines from which the line distance of a document is computed.
_WRAPPED_LINES = 5
#: Minimum frequency of a line distance, relative to the most frequent one: a judgment has wide line spacing and close quotations.
_WRAPPED_SHARE = 0.2
_PRIVATE = re.compile(r"[\U000F0000-\U000FFFEF]")


@dataclass
class TextBlock:
    """One paragraph. `page_breaks` holds (offset in `text`, number of the page that begins there), `marks` (offset, mark, page);
    `lead`: its first words in bold, if others are not."""

    text: str
    page: int
    size: float
    page_breaks: list[tuple[int, int]] = field(default_factory=list)
    marks: list[tuple[int, str, int]] = field(default_factory=list)
    bold: bool = False
    lead: str = ""


def text_blocks(layouts: Sequence[PageLayout], body_size: float) -> list[TextBlock]:
    """Return the paragraphs of the flow in reading order; `body_size` is in points."""
    pages = [_Column(layout) for layout in layouts]
    return [_block(lines) for lines in _paragraphs(pages, _line_pitch(pages), body_size)]


class _Column:
    """The text column of a page. An indented quotation has another right edge than the column, so `right` has it per line."""

    def __init__(self, layout: PageLayout) -> None:
        self.number, self.left, self.lines = layout.number, layout.left, layout.lines
        self.width = layout.right - layout.left
        self.right = [layout.right] * len(layout.lines)
        start = 0
        while start < len(self.lines):
            end = start
            while end < len(self.lines) and self.lines[end].x0 > layout.left + 1.2 * self.lines[end].size:
                end += 1
            run = self.lines[start:end]
            edge = max((line.x1 for line in run), default=0.0)
            # Centred lines and lists are indented too: only lines with a common right edge are a block of running text.
            if len(run) >= 3 and sum(edge - line.x1 < 2.5 for line in run) >= max(2, len(run) // 3):
                self.right[start:end] = [edge] * len(run)
            start = max(end, start + 1)


def _line_pitch(pages: Sequence[_Column]) -> float:
    """Return the line distance inside paragraphs, in points: the usual one, unless it is rare between wrapped lines; 0 without any.

    Where most paragraphs have one line, the usual distance is that between paragraphs. A full line and a next line that begins with a
    small letter are certainly wrapped.
    """
    pairs = [
        (above, below, page.right[index])
        for page in pages
        for index, (above, below) in enumerate(itertools.pairwise(page.lines))
        if 0 < above.baseline - below.baseline < 4 * max(above.size, 1)
    ]
    wrapped = Counter(
        round(above.baseline - below.baseline)
        for above, below, right in pairs
        if below.text[:1].islower()
        and not _ENDS_CLAUSE.search(above.text)
        and above.x1 + _first_word_width(below) > right - 0.3 * above.size
    )
    steps = Counter(round(above.baseline - below.baseline) for above, below, _ in pairs)
    (usual, _), *_ = steps.most_common(1) or [(0, 0)]
    (pitch, count), *_ = wrapped.most_common(1) or [(0, 0)]
    return float(pitch if count >= _WRAPPED_LINES and wrapped[usual] < _WRAPPED_SHARE * count else usual)


def _paragraphs(pages: Sequence[_Column], pitch: float, body_size: float) -> Iterator[list[Line]]:
    current: list[Line] = []
    before: tuple[_Column, float] | None = None
    for page in pages:
        for index, line in enumerate(page.lines):
            if current and before is not None and _breaks(current, line, *before, page, pitch, body_size):
                yield current
                current = []
            current.append(line)
            before = page, page.right[index]
    if current:
        yield current


def _breaks(
    paragraph: Sequence[Line], line: Line, before: _Column, right: float, here: _Column, pitch: float, body_size: float
) -> bool:
    """Whether `line` begins a new paragraph; `right` is the right edge of the line above, `pitch` the usual line distance in points."""
    last = paragraph[-1]
    size = max(last.size, line.size)
    if min(last.size, line.size) < 0.9 * size:
        return True
    same_page = before is here
    step = last.baseline - line.baseline
    if size > 1.1 * body_size and same_page:
        # A heading in larger type: its lines belong together even if they are short.
        return step > 1.5 * size or abs(last.x0 - line.x0) > 0.6 * size
    if same_page and pitch and step > _GAP * max(pitch, 1.1 * size) and step > _GAP * _own_pitch(paragraph, pitch):
        return True
    indent_last, indent = last.x0 - before.left, line.x0 - here.left
    if indent_last - indent > 0.25 * max(before.width, 1.0):
        return True
    hanging = len(paragraph) == 1 and _OPENER.match(last.text) is not None
    full = last.x1 + _first_word_width(line) > right - 0.3 * size
    opens = _OPENER.match(line.text) is not None
    if _changes_weight(paragraph, line) or SURE_START.match(line.text):
        return True
    # At the top of a page, or after a full line, the distance shows no new paragraph; the label of a provision does.
    patterns = (LABEL_START, WHOLE_NUMBER) if same_page else (BLOCK_START,)
    labelled = begins_with_number_and_word(line.text) or any(
        pattern.match(line.text.lstrip(OPENING)) for pattern in patterns
    )
    if hanging and abs(line.x0 - last.text_x) < 0.8 * size and same_page and not opens:
        short = last.x1 - before.left < _SHORT * before.width
        return (labelled or (not full and not line.text[:1].islower())) and (_ends(last) or short)
    if indent > indent_last + 0.6 * size:
        return not hanging or opens or _ends(last)
    if last.leader or (opens and abs(line.x0 - paragraph[0].x0) < 0.6 * size and _OPENER.match(paragraph[0].text)):
        return True
    if _is_capitals(last) and _is_capitals(line):
        return last.x1 < before.left + 0.9 * before.width or not full or _SIGNED_LABEL.match(line.text) is not None
    if _is_capitals(line) or (_is_capitals(last) and labelled):
        return True
    settled = indent_last < 0.6 * size or (len(paragraph) > 1 and abs(paragraph[-2].x0 - last.x0) < 0.6 * size)
    goes_on = line.text[:1].islower() and not opens and not _ENDS_CLAUSE.search(last.text)
    if settled and goes_on and abs(indent - indent_last) < 0.6 * size:
        return False  # unjustified lines may end early, but a small letter continues the sentence
    stepped_back = len(paragraph) > 1 and indent < indent_last - 0.6 * size and same_page
    if stepped_back and abs(paragraph[-2].x0 - last.x0) < 0.6 * size:
        return True
    if not full or ((opens or labelled) and _ends(last) and not last.text.endswith("kap.")):
        return True
    return not same_page and len(paragraph) == 1 and _is_cut_off_heading(last.text, line.text)


def _changes_weight(paragraph: Sequence[Line], line: Line) -> bool:
    """Whether `line` is text below a bold heading, or a bold heading with a label below text."""
    if all(all(other.bold) for other in paragraph):
        return not line.bold[0] and not line.text[:1].islower()
    if not all(line.bold) or paragraph[-1].bold[1]:
        return False
    return opens_block(line.text) or (_NUMBER_AND_HEADING.match(line.text) is not None and _ends(paragraph[-1]))


def _is_cut_off_heading(last: str, first: str) -> bool:
    """Whether `last` is a heading at the foot of a page and `first` begins its provision on the next page.

    A heading begins with a capital and does not end with a short word, as a sentence does before a reference ("as laid down in").
    """
    return last[:1].isupper() and len(last.split()[-1]) > 3 and LABEL_START.match(first) is not None


def _own_pitch(paragraph: Sequence[Line], pitch: float) -> float:
    """Return the line distance inside this paragraph, else `pitch`: quotations may have closer lines than the rest of the document."""
    step = paragraph[-2].baseline - paragraph[-1].baseline if len(paragraph) > 1 else 0.0
    if step < 0 or len(paragraph) < 2 or paragraph[-1].page != paragraph[-2].page:
        return pitch
    return max(step, 1.0)


def _is_capitals(line: Line) -> bool:
    return line.text.isupper() and len(line.text) > 3


def _ends(line: Line) -> bool:
    return _ENDS_SENTENCE.search(_PRIVATE.sub("", line.text).rstrip()) is not None


def _first_word_width(line: Line) -> float:
    """Return the width, in points, that the first word of `line` and a space would need on the line above."""
    text = line.text
    word = text.split(None, 1)[0] if text else ""
    return (len(word) + 1) * (line.x1 - line.x0) / max(len(text), 1)


def _block(lines: Sequence[Line]) -> TextBlock:
    """Join the lines, and replace the private-use characters of marks and page breaks by offsets."""
    marks: list[tuple[str, int]] = []
    breaks: list[int] = []
    prepared: list[str] = []
    page = lines[0].page
    for line in lines:
        text = line.text
        for index, mark in enumerate(line.marks):
            text = text.replace(chr(MARK_BASE + index), chr(MARK_BASE + 0x8000 + len(marks)))
            marks.append((mark, line.page))
        if line.page != page:
            page = line.page
            breaks.append(page)
            text = chr(MARK_BASE + len(breaks) - 1) + text
        prepared.append(text)
    joined = _unwrap(prepared)
    out: list[str] = []
    length = 0
    block = TextBlock("", lines[0].page, max(line.size for line in lines), bold=all(all(line.bold) for line in lines))
    block.lead = "" if block.bold else _lead(lines)
    for char in joined:
        code = ord(char)
        if code >= MARK_BASE + 0x8000 and code - MARK_BASE - 0x8000 < len(marks):
            mark, on_page = marks[code - MARK_BASE - 0x8000]
            block.marks.append((length, mark, on_page))
        elif code >= MARK_BASE and code - MARK_BASE < len(breaks):
            block.page_breaks.append((length, breaks[code - MARK_BASE]))
        elif char != " " or out[-1:] != [" "]:
            out.append(char)
            length += 1
    block.text = "".join(out).strip()
    return block


def _lead(lines: Sequence[Line]) -> str:
    """Return the first words in bold of the paragraph that these lines are."""
    bold = list(itertools.takewhile(lambda line: all(line.bold), lines))
    return unwrap([line.text for line in bold] + [line.lead for line in lines[len(bold) :][:1]])[0].strip()


def _unwrap(lines: list[str]) -> str:
    """Join lines as `unwrap` does; a page break inside a hyphenated word moves to the start of its first line."""
    moved: list[str] = []
    for line in lines:
        if moved and line and MARK_BASE <= ord(line[0]) < MARK_BASE + 0x8000 and moved[-1].endswith("-"):
            moved[-1] = line[0] + moved[-1]
            line = line[1:]
        moved.append(line)
    return unwrap(moved)[0]

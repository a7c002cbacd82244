"""Plain American texts as paragraphs: lines are joined where the next word would not have fitted; page headers are kept apart.

Not here: the meaning of a paragraph (`usa.opinion_text`, `usa.cfr_text`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from legal_pipeline.building.designated_paragraphs import Paragraph
from legal_pipeline.parsing.text_lines import TextLine, joined, text_lines

#: "3432                 KAZARIAN v. USCIS", "KAZARIAN v. USCIS                   3433", "Page 7"
_HEADER = re.compile(
    r"\s*(?:(?P<first>\d{1,5})\s{3,}(?P<left>\S.{0,80}?)|(?P<right>[A-Z][^a-z]{0,60}\b[vV]\. .{1,60}?)\s{3,}(?P<last>\d{1,5})"
    r"|(?:Page|page)\s+(?P<page>\d{1,4})(?: of \d{1,4})?)\s*"
)
_ALONE = re.compile(r"\s*(?P<number>\d{1,5})\s*")
#: "580 F.3d 1030" on its own line: sites that link citations break the sentence around them.
_REPORTER_CITATION = re.compile(r"\d{1,4} [A-Z][A-Za-z.\d& ]{0,20}? \d{1,5}")
_SENTENCE_END = re.compile(r"[.:;?!\u201d\")]$")
#: A line shorter than this share of the usual width was ended by its writer, not wrapped.
_FULL = 0.72


@dataclass
class PlainPages:
    """`paragraphs` in order; `beside` holds (node type, text, page number) of headers and page numbers."""

    paragraphs: list[Paragraph] = field(default_factory=list)
    beside: list[tuple[str, str, str | None]] = field(default_factory=list)


def read_paragraphs(text: str, starts: re.Pattern[str] | None = None) -> PlainPages:
    """Return the paragraphs of `text` (LF). A blank line ends a paragraph, and so does a line with space for the next word.

    `starts` matches lines that always begin a paragraph (designators, headings). A number alone is a page number if it continues the
    page numbers before it, or if a header with a near number follows.
    """
    out = PlainPages()
    lines = list(text_lines(text))
    width = _usual_width(lines)
    current: list[TextLine] = []
    last_page = 0

    def flush() -> None:
        if current:
            words, offsets = joined(current)
            out.paragraphs.append(Paragraph(words, offsets=offsets))
            current.clear()

    for index, line in enumerate(lines):
        if not line.stripped:
            flush()
            continue
        if header := _HEADER.fullmatch(line.text):
            number = _page_of(header)
            out.beside.append(("running_header", " ".join(line.text.split()), number))
            last_page = int(number)
            continue
        alone = _ALONE.fullmatch(line.text)
        if alone and (
            last_page < int(alone["number"]) <= last_page + 5 or _is_page_number(lines, index, alone["number"])
        ):
            out.beside.append(("page_number", alone["number"], alone["number"]))
            last_page = int(alone["number"])
            continue
        if current and _breaks(current[-1].stripped, line.stripped, width, starts):
            flush()
        current.append(line)
    flush()
    return out


def _usual_width(lines: Sequence[TextLine]) -> int:
    """Return the length of full lines: the 90th percentile."""
    lengths = sorted(len(line.stripped) for line in lines if line.stripped)
    return lengths[int(len(lengths) * 0.9)] if lengths else 0


def _is_page_number(lines: Sequence[TextLine], index: int, number: str) -> bool:
    """Whether a header with a near number follows a number within three lines; the number is then a page number."""
    headers = (header for line in lines[index + 1 : index + 4] if (header := _HEADER.fullmatch(line.text)))
    return any(abs(int(_page_of(header)) - int(number)) <= 5 for header in headers)


def _page_of(header: re.Match[str]) -> str:
    return header["first"] or header["last"] or header["page"]


def _breaks(last: str, line: str, width: int, starts: re.Pattern[str] | None) -> bool:
    if starts is not None and starts.match(line):
        return True
    if _REPORTER_CITATION.fullmatch(line) or _REPORTER_CITATION.fullmatch(last):
        return False
    if _is_capitals(last) != _is_capitals(line):
        return True
    fits = len(last) + 1 + len(line.split(None, 1)[0]) <= width * (0.95 if _SENTENCE_END.search(last) else _FULL)
    return fits and not (line[:1].islower() and not _SENTENCE_END.search(last))


def _is_capitals(line: str) -> bool:
    letters = [char for char in line if char.isalpha()]
    return len(letters) > 3 and all(char.isupper() for char in letters)

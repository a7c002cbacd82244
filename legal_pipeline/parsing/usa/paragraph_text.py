"""Plain American texts as paragraphs: lines are joined where the next word would not have fitted; page headers are kept apart.

Not here: the meaning of a paragraph (`usa.opinion_text`, `usa.cfr_text`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from legal_pipeline.text.normalise import unwrap

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
class TextParagraph:
    text: str
    offsets: list[tuple[int, int]]


@dataclass
class PlainPages:
    """`paragraphs` in order; `beside` holds (node type, text, page number) of headers and page numbers."""

    paragraphs: list[TextParagraph] = field(default_factory=list)
    beside: list[tuple[str, str, str | None]] = field(default_factory=list)


def read_paragraphs(text: str, starts: re.Pattern[str] | None = None) -> PlainPages:
    """Return the paragraphs of `text` (LF). A blank line ends a paragraph, and so does a line with space for the next word.

    `starts` matches lines that always begin a paragraph (designators, headings). A number alone is a page number if it continues the
    page numbers before it, or if a header with a near number follows.
    """
    out = PlainPages()
    lines = [(line, offset) for line, offset in _lines(text)]
    width = _usual_width([line for line, _ in lines])
    current: list[tuple[str, int]] = []
    last_page = 0

    def flush() -> None:
        if current:
            joined, pairs = unwrap([line for line, _ in current], [offset for _, offset in current])
            out.paragraphs.append(TextParagraph(joined, pairs))
            current.clear()

    for index, (line, offset) in enumerate(lines):
        if not line.strip():
            flush()
            continue
        if header := _HEADER.fullmatch(line):
            number = header["first"] or header["last"] or header["page"]
            out.beside.append(("running_header", " ".join(line.split()), number))
            last_page = int(number)
            continue
        alone = _ALONE.fullmatch(line)
        if alone and (
            last_page < int(alone["number"]) <= last_page + 5 or _is_page_number(lines, index, alone["number"])
        ):
            out.beside.append(("page_number", alone["number"], alone["number"]))
            last_page = int(alone["number"])
            continue
        if current and _breaks(current[-1][0], line, width, starts):
            flush()
        current.append((line, offset))
    flush()
    return out


def _lines(text: str) -> list[tuple[str, int]]:
    out = []
    position = 0
    for line in text.replace("\f", "\n").split("\n"):
        out.append((line, position))
        position += len(line) + 1
    return out


def _usual_width(lines: Sequence[str]) -> int:
    """Return the length of full lines: the 90th percentile."""
    lengths = sorted(len(line.strip()) for line in lines if line.strip())
    return lengths[int(len(lengths) * 0.9)] if lengths else 0


def _is_page_number(lines: Sequence[tuple[str, int]], index: int, number: str) -> bool:
    """Whether a header with a near number follows a number within three lines; the number is then a page number."""
    for line, _ in lines[index + 1 : index + 4]:
        if (header := _HEADER.fullmatch(line)) and abs(
            int(header["first"] or header["last"] or header["page"]) - int(number)
        ) <= 5:
            return True
    return False


def _breaks(last: str, line: str, width: int, starts: re.Pattern[str] | None) -> bool:
    last, line = last.strip(), line.strip()
    if starts is not None and starts.match(line):
        return True
    if _REPORTER_CITATION.fullmatch(line) or _REPORTER_CITATION.fullmatch(last):
        return False
    if _is_capitals(last) != _is_capitals(line):
        return True
    if last.endswith("-") and line[:1].islower():
        return False
    fits = len(last) + 1 + len(line.split(None, 1)[0]) <= width * (0.95 if _SENTENCE_END.search(last) else _FULL)
    return fits and not (line[:1].islower() and not _SENTENCE_END.search(last))


def _is_capitals(line: str) -> bool:
    letters = [char for char in line if char.isalpha()]
    return len(letters) > 3 and all(char.isupper() for char in letters)

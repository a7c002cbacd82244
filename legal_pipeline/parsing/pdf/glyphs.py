"""Reads the pages of a PDF with PDFium as lines with position and size.

A raised small digit or sign is a mark of its line, not part of its text; struck text is left out and listed.
Not here: which lines are running text (`pdf.layout`).
"""

from __future__ import annotations

import bisect
import ctypes
import itertools
import math
import re
import statistics
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from legal_pipeline.building.source import SourceFile
from legal_pipeline.errors import EmptyDocumentError, LimitExceededError, ParseError, TruncatedDocumentError
from legal_pipeline.parsing.pdf.glyph import TURNED, Glyph, levelled, quarter_turns, turned_by
from legal_pipeline.parsing.pdf.spaces import with_spaces
from legal_pipeline.parsing.pdf.struck import drawn_lines, struck_glyphs, struck_words
from legal_pipeline.text.look_alikes import in_one_alphabet

if TYPE_CHECKING:
    import pypdfium2 as pdfium

NAME = "pdf"
#: First of the private-use characters that keep the positions of raised marks in a line, one per mark, until its text is final.
MARK_BASE = 0xF0000
_LEADER = re.compile(r"\.{4,}\s*\d{0,4}$")
_BOLD = re.compile(rb"(?i)bold|black|heavy|[-,]bd")
_NAME_BYTES = 128
_MAX_MARKS = 0xFFF0
#: Characters by which PDFium reports a hyphen that only divides a word at a line end.
_DIVIDING_HYPHENS = frozenset("\x02\u00ad\ufffe")
#: Maximum number of pages of a document. A scan of a whole gazette must be split first.
MAX_PAGES = 5_000


@dataclass(slots=True)
class Line:
    """A printed line; coordinates in points from the page's lower left corner. `marks` are the raised figures, in order."""

    text: str
    x0: float
    x1: float
    baseline: float
    size: float
    page: int
    text_x: float = 0.0
    rotated: bool = False
    #: Whether the line ends with dots, or with a number far from its words, as an entry of a table of contents does.
    leader: bool = False
    marks: list[str] = field(default_factory=list)
    #: Whether its first and its last character are bold.
    bold: tuple[bool, bool] = (False, False)
    #: Its first words in bold, if its last character is not.
    lead: str = ""


@dataclass(slots=True)
class Page:
    number: int
    width: float
    height: float
    #: Pieces of lines in PDFium's order; `merge` joins those with the same baseline.
    segments: list[Line]
    #: Number of characters of the text layer without white space; 0: the page has no text layer.
    characters: int = 0
    has_images: bool = False
    #: Texts that a drawn line strikes out; they are not in the segments.
    struck: list[str] = field(default_factory=list)


@contextmanager
def open_pdf(source: SourceFile) -> Iterator[pdfium.PdfDocument]:
    """Open the file; close it on exit.

    Raises `EmptyDocumentError` for a file without pages, `TruncatedDocumentError` for a cut-off one, `LimitExceededError` for more than
    `MAX_PAGES` pages, and `ParseError` for a damaged, encrypted or other file.
    """
    import pypdfium2 as pdfium

    source.check_size()
    if b"%PDF-" not in source.data[:1024]:
        raise ParseError("no PDF signature", position="byte 0", expected="%PDF-")
    try:
        document = pdfium.PdfDocument(source.data)
    except pdfium.PdfiumError as error:
        message = str(error).lower()
        if "password" in message or b"/Encrypt" in source.data:
            raise ParseError("the file is encrypted", expected="a PDF that opens without a password") from error
        if b"%%EOF" not in source.data[-2048:]:
            raise TruncatedDocumentError(
                "the file ends before its cross-reference table", position=f"byte {len(source.data)}", expected="%%EOF"
            ) from error
        raise ParseError(f"damaged: {error}", expected="a readable PDF") from error
    try:
        if len(document) == 0:
            raise EmptyDocumentError("no pages", expected="at least one page")
        if len(document) > MAX_PAGES:
            raise LimitExceededError(f"{len(document):,} pages", expected=f"at most {MAX_PAGES:,}")
        yield document
    finally:
        document.close()


def read_pages(document: pdfium.PdfDocument) -> list[Page]:
    """Return every page with its segments in PDFium's text order. Raises `ParseError`, which names the page that cannot be read."""
    import pypdfium2 as pdfium

    pages: list[Page] = []
    for index in range(len(document)):
        try:
            page = document[index]
            width, height = page.get_size()
            if page.get_rotation() % 180:
                width, height = height, width  # places of characters are those before the page is turned
            text_page = page.get_textpage()
            objects = list(page.get_objects(max_depth=3))
            glyphs = with_spaces(_glyphs(text_page), objects, text_page)
            images = any(item.type == pdfium.raw.FPDF_PAGEOBJ_IMAGE for item in objects)
            turns = quarter_turns(glyphs)
            if turns:
                glyphs = levelled(glyphs, turns, width, height)
                width, height = (height, width) if turns % 2 else (width, height)
            struck = struck_glyphs(glyphs, drawn_lines(objects) if not turns else ())
        except pdfium.PdfiumError as error:
            raise ParseError(
                f"damaged page: {error}", position=f"page {index + 1}", expected="a readable page"
            ) from error
        kept = [glyph for place, glyph in enumerate(glyphs) if place not in struck]
        segments = [_segment(run, index + 1, text_page) for run in _runs(kept)]
        characters = sum(not glyph.char.isspace() for glyph in glyphs)
        printed = [item for item in segments if item.text.strip()]
        pages.append(Page(index + 1, width, height, printed, characters, images, struck_words(glyphs, struck)))
        text_page.close()
        page.close()
    return pages


def _glyphs(text_page: Any) -> list[Glyph]:
    import pypdfium2.raw as raw

    x, y = ctypes.c_double(), ctypes.c_double()
    box, matrix = raw.FS_RECTF(), raw.FS_MATRIX()
    found: list[Glyph] = []
    for index in range(text_page.count_chars()):
        code = raw.FPDFText_GetUnicode(text_page, index)
        char = "-" if chr(code) in _DIVIDING_HYPHENS else chr(code)
        if code == 0 or 0xD800 <= code < 0xE000:
            continue
        if char in "\r\n":
            found.append(Glyph("\n", 0, 0, 0, 0, 0))
            continue
        raw.FPDFText_GetCharOrigin(text_page, index, x, y)
        raw.FPDFText_GetLooseCharBox(text_page, index, box)
        angle = raw.FPDFText_GetCharAngle(text_page, index)
        size = abs(box.top - box.bottom)
        if raw.FPDFText_GetMatrix(text_page, index, matrix):
            # The loose box depends on the font's metrics; the type size does not.
            printed = raw.FPDFText_GetFontSize(text_page, index)
            size = abs(printed) * math.hypot(matrix.b, matrix.d) or size
            if printed < 0:  # a negative type size turns the text back that the angle shows upside down
                angle = turned_by(angle, math.pi)
        found.append(Glyph(char, box.left, box.right, y.value, size, angle, index, box.bottom, box.top, x.value))
    return found


def _runs(glyphs: list[Glyph]) -> Iterator[list[Glyph]]:
    """Yield runs of glyphs of one baseline, angle and size, without a wide gap or a step back."""
    run: list[Glyph] = []
    for glyph in glyphs:
        if glyph.char == "\n":
            if run:
                yield run
            run = []
            continue
        if glyph.char.isspace():
            if run:
                run.append(glyph)
            continue
        last = next((item for item in reversed(run) if not item.char.isspace()), None)
        if last is not None:
            size = max(min(last.size, glyph.size), 1.0)
            turned = abs(last.angle - glyph.angle) > TURNED
            level = glyph.angle < TURNED
            apart = level and abs(glyph.baseline - last.baseline) > 0.2 * size
            resized = glyph.size < 0.75 * last.size or last.size < 0.75 * glyph.size
            jumped = level and (glyph.x0 - last.x1 > 2.5 * size or glyph.x1 < last.x0 - size)
            if turned or apart or resized or jumped:
                yield run
                run = []
        run.append(glyph)
    if run:
        yield run


def _is_bold(text_page: Any, glyph: Glyph) -> bool:
    """Whether the font name contains a word for bold. The weight that PDFium reports often comes from a program, not from the font."""
    import pypdfium2.raw as raw

    name = ctypes.create_string_buffer(_NAME_BYTES)
    length = raw.FPDFText_GetFontInfo(text_page, glyph.index, name, _NAME_BYTES, None)
    return 0 < length <= _NAME_BYTES and _BOLD.search(name.value) is not None


def _segment(run: list[Glyph], page: int, text_page: Any) -> Line:
    ink = [glyph for glyph in run if not glyph.char.isspace()] or run
    size = statistics.median(glyph.size for glyph in ink)
    text = in_one_alphabet("".join(glyph.char for glyph in run))
    rotated = any(TURNED < glyph.angle < 2 * math.pi - TURNED for glyph in ink)
    bold = (_is_bold(text_page, ink[0]), _is_bold(text_page, ink[-1]))
    lead = ""
    if bold == (True, False):
        end = bisect.bisect_left(ink, True, key=lambda glyph: not _is_bold(text_page, glyph))
        lead = "".join(glyph.char for glyph in itertools.takewhile(lambda glyph: glyph is not ink[end], run))
    x0, x1 = min(glyph.x0 for glyph in ink), max(glyph.x1 for glyph in ink)
    baseline = statistics.median(glyph.baseline for glyph in ink)
    return Line(text, x0, x1, baseline, size, page, rotated=rotated, bold=bold, lead=lead)


def merge(segments: list[Line]) -> list[Line]:
    """Join the segments of each baseline to a line, from left to right; raised small digits and signs become marks of their line."""
    hosts = [(segment, _host(segment, segments)) for segment in segments]
    raised = {id(segment): above for segment, above in hosts}
    groups: list[list[Line]] = []
    for segment, above in hosts:
        if above is not None:
            continue
        host = next((group for group in reversed(groups[-6:]) if _same_line(group, segment)), None)
        if host is not None:
            host.append(segment)
        else:
            groups.append([segment])
    for segment, above in hosts:
        if above is not None:
            while (higher := raised.get(id(above))) is not None:  # a raised segment may be the host of a smaller one
                above = higher
            next(group for group in groups if any(item is above for item in group)).append(segment)
    return [_line(group) for group in groups]


def _same_line(group: list[Line], segment: Line) -> bool:
    first = max(group, key=lambda item: len(item.text.strip()))
    small = min(first.size, segment.size)
    return abs(first.baseline - segment.baseline) <= 0.2 * small and small > 0.5 * max(first.size, segment.size)


def _is_mark(segment: Line) -> bool:
    text = segment.text.strip()
    return len(text) <= 3 and (text.isdigit() or set(text) <= set("*†‡"))


def _host(raised: Line, segments: list[Line]) -> Line | None:
    """Return the segment next to a raised small figure or ending ("2nd", the number of a footnote); None if `raised` is not raised."""
    if len(raised.text.strip()) > 4:
        return None
    near: list[tuple[float, Line]] = []
    for item in segments:
        rise = raised.baseline - item.baseline
        if item is raised or raised.size >= 0.85 * item.size or not 0.1 * item.size < rise < 0.75 * item.size:
            continue
        after, before = abs(raised.x0 - item.x1), abs(item.x0 - raised.x1)
        inside = item.x0 <= raised.x0 <= item.x1
        distance = 0.0 if inside else min(after, before)
        if distance <= 1.5 * item.size and item.text.strip():
            near.append((distance, item))
    return min(near, key=lambda pair: pair[0])[1] if near else None


def _line(group: list[Line]) -> Line:
    """Join the segments to one line, sorted by x; each mark is a private-use character in its text."""
    group.sort(key=lambda item: item.x0)
    body = max(group, key=lambda item: (len(item.text.strip()), item.size))
    text = ""
    marks: list[str] = []
    last: Line | None = None
    text_x = None
    lead, is_lead = 0, True
    for item in group:
        raised = item is not body and item.size < 0.85 * body.size and item.baseline > body.baseline + 0.1 * body.size
        if raised and not _is_mark(item):
            text = text.rstrip() + item.text
        elif raised:
            marks.append(item.text.strip())
            if len(marks) < _MAX_MARKS:
                text = text.rstrip() + chr(MARK_BASE + len(marks) - 1)
                if item.text.endswith(" "):
                    text += " "
        else:
            gap = item.x0 - last.x1 if last is not None else 0.0
            text += (" " if last is not None and gap > 0.12 * body.size else "") + item.text
            if last is not None and text_x is None and gap > 0.3 * body.size:
                text_x = item.x0
            if is_lead:
                lead = len(text) if all(item.bold) else len(text) - len(item.text) + len(item.lead)
                is_lead = all(item.bold)
        last = item
    x0, x1 = min(item.x0 for item in group), max(item.x1 for item in group)
    tail = group[-1].text.strip()
    wide = len(group) > 1 and tail.isdigit() and group[-1].x0 - group[-2].x1 > body.size
    leader = wide or _LEADER.search(text.strip()) is not None
    start = text_x if text_x is not None else x0
    bold = (group[0].bold[0], group[-1].bold[1])
    lead_text = text[:lead].strip()
    return Line(
        text.strip(), x0, x1, body.baseline, body.size, body.page, start, leader=leader, marks=marks, bold=bold, lead=lead_text
    )  # fmt: skip

"""Write an Act from its printed lines: find its table of contents, preamble, chapters, sections and schedules by their layout.

Used for plain text and for the pages of a PDF's text. Not here: the content of a section (`section_body`).
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Sequence

from legal_pipeline.building.builder import BLOCK_SEPARATOR, DocumentBuilder
from legal_pipeline.parsing.blocks import Block
from legal_pipeline.parsing.india.blocks import Paragraph
from legal_pipeline.parsing.india.section_starts import (
    NUMBERED,
    OPEN_END,
    RUN_IN,
    SECTION,
    STARTS_BLOCK,
    Start,
    repeated_numbers,
    section_starts,
)
from legal_pipeline.parsing.india.section_writer import NoteReader, SectionText, write_section
from legal_pipeline.parsing.recogniser.notes import with_notes
from legal_pipeline.parsing.text_lines import TextLine, joined
from legal_pipeline.text.normalise import collapse_spaces, one_line

_DIVISION = re.compile(
    r"^(?P<kind>PART|CHAPTER|C\s?HAPTER|P\s?ART)\s+(?P<num>[IVXLC]+[A-Z]?|\d+[A-Z]?)\b\.?\s*(?:[—–:-]\s*)?(?P<heading>.*)$"
)
#: In small letters only alone on the line, or with a sign before the heading: "Chapter II of the Code" is a reference.
_DIVISION_ALONE = re.compile(
    r"^(?P<kind>Part|Chapter)\s+(?P<num>[IVXLC]+[A-Z]?|\d+[A-Z]?)(?:\.?$|\s*[:—–]\s*(?P<heading>[^.]{3,150})$)"
)
_SCHEDULE = re.compile(r"^(?:THE\s+)?(?:(?P<ordinal>[A-Z]+)\s+)?SCHEDULE(?:\s+(?P<num>[IVXLC]+|\d+|[A-Z]))?\s*\.?\s*$")
_TOC = re.compile(r"^A\s?RRANGEMENT\s+OF\s+(?:SECTIONS|CLAUSES)\b|^(?:TABLE\s+OF\s+)?CONTENTS\s*$", re.I)
_BODY_BEGINS = re.compile(
    r"\bA\s?CT\s+N[O0]\.?\s*\d+|^An\s+Act\s+to\b|^B\s?E\s+it\s+enacted\b|^\[\s*\d{1,2}\s?\w{2}\s+\w+,?\s+\d{4}", re.I
)
_LONG_TITLE = re.compile(r"^An\s+Act\s+(?:to|further)\b", re.I)
_ENACTED = re.compile(r"^B\s?E\s+it\s+(?:further\s+)?enacted\b|^WHEREAS\b", re.I)
_CLOSED_END = re.compile(r"[.;:—–\]-]\s*[\"”’')]*\s*$|\b(?:and|or)\s*$|[;,]\s*(?:and|or)\s*$")
_ORDINALS = [
    "FIRST", "SECOND", "THIRD", "FOURTH", "FIFTH", "SIXTH", "SEVENTH", "EIGHTH", "NINTH", "TENTH", "ELEVENTH", "TWELFTH",
]  # fmt: skip
_RULE = re.compile(r"^[_\-=*\s]{3,}$")


def write_act(builder: DocumentBuilder, lines: Sequence[TextLine], title: str) -> list[str] | None:
    """Write the Act printed in `lines` and return warnings; return None, with nothing written, if no section is found."""
    lines, footnotes = _without_notes(lines)
    body_from = _contents_end(lines, title)
    starts = section_starts(lines[body_from:])
    if not starts:
        return None
    by_line = {start.line + body_from: start for start in starts}
    first = min(by_line)
    toc_from = next((index for index, line in enumerate(lines[:body_from]) if _TOC.match(line.stripped)), body_from)
    _write_front(builder, lines[:toc_from])
    if body_from > toc_from:
        with builder.node("toc"):
            _add_lines(builder, lines[toc_from:body_from])
    last_start = max(by_line)
    notes = NoteReader()
    # the heading of a part or chapter directly before the first section belongs to the body
    index = next((index for index in range(body_from, first) if _division(lines, index)), first)
    _write_front(builder, lines[body_from:index])
    while index < len(lines):
        text = lines[index].stripped
        start = by_line.get(index)
        if start is not None:
            end = _section_end(lines, index + 1, by_line, last_start)
            _write_section(builder, start, lines[index:end], notes)
            index = end
        elif text and (match := _division(lines, index)):
            index = _write_division(builder, lines, index, match)
        elif index > last_start and text and (match := _SCHEDULE.match(one_line(text))):
            end = _next_schedule(lines, index + 1)
            builder.close_to(0)
            _write_schedule(builder, lines[index:end], match)
            index = end
        else:
            _write_loose(builder, lines[index])
            index += 1
    builder.close_to(0)
    for line in footnotes:
        _write(builder, line, "footnote")
    return [
        f"two sections are numbered {num}: the first is text of the section before it"
        for num in repeated_numbers(lines[body_from:], starts)
    ]


def _without_notes(lines: Sequence[TextLine]) -> tuple[Sequence[TextLine], Sequence[TextLine]]:
    """Return `lines` without the list of notes at their end whose marks are in the text, and the written lines of that list."""
    written = [index for index, line in enumerate(lines) if line.stripped]
    _, start = with_notes([Block(collapse_spaces(lines[index].text)) for index in written])
    if start == len(written):
        return lines, ()
    return lines[: written[start]], [lines[index] for index in written[start:]]


def write_pages(builder: DocumentBuilder, lines: Sequence[TextLine]) -> None:
    """Write one `page` node per page, with its page number as a node and its lines unchanged."""
    for page, printed in itertools.groupby(lines, lambda line: line.page):
        here = [line for line in printed if line.stripped]
        with builder.node("page", str(page), attributes={"page_number": page}):
            if here and _is_page_number(here[0]):
                _write(builder, here.pop(0), "page_number")
            _add_lines(builder, here)


def _write(builder: DocumentBuilder, line: TextLine, type: str) -> None:
    builder.block(collapse_spaces(line.text), type, offsets=[(0, _at(line))])


def _add_lines(builder: DocumentBuilder, lines: Iterable[TextLine]) -> None:
    """Add the lines that have text as one block, each on a line of its own."""
    printed = ((text, line) for line in lines if (text := collapse_spaces(line.text)))
    for number, (text, line) in enumerate(printed):
        builder.add(text, separator="\n" if number else BLOCK_SEPARATOR, offsets=[(0, _at(line))])


def _at(line: TextLine) -> int:
    return line.offset + len(line.text) - len(line.text.lstrip())


def _is_page_number(line: TextLine) -> bool:
    return line.page > 0 and line.stripped == str(line.page)


def _with_page_number(lines: Sequence[TextLine], index: int) -> int:
    """Return the line at which a part that begins at `index` begins with the page number above it."""
    return index - 1 if _is_page_number(lines[index - 1]) else index


def _contents_end(lines: Sequence[TextLine], title: str) -> int:
    """Return the index of the line after the arrangement of sections, 0 if there is none.

    It ends where the title is repeated, the body begins, or section 1 is printed a second time.
    """
    start = next((index for index, line in enumerate(lines) if _TOC.match(line.stripped)), None)
    if start is None:
        return 0
    heading = one_line(title).casefold()
    for index in range(start + 1, len(lines)):
        text = one_line(lines[index].text)
        if not text:
            continue
        if text.casefold().removeprefix("the ") == heading.removeprefix("the ") or _BODY_BEGINS.search(text):
            return _with_page_number(lines, index)
    numbers = [
        index
        for index in range(start + 1, len(lines))
        if re.match(r"\[?1\.\s|(?:Section|Sec\.|S\.)\s*1\b", lines[index].stripped)
    ]
    return numbers[1] if len(numbers) > 1 else 0


def _division(lines: Sequence[TextLine], index: int) -> re.Match[str] | None:
    text = one_line(lines[index].text)
    if match := _DIVISION.match(text):
        return match
    return _DIVISION_ALONE.match(text) if not index or not lines[index - 1].stripped else None


def _section_end(lines: Sequence[TextLine], index: int, starts: dict[int, Start], last_start: int) -> int:
    ends = (position for position in range(index, len(lines)) if position in starts or _division(lines, position))
    end = next(ends, len(lines))
    return end if index <= last_start else min(end, _next_schedule(lines, index))


def _next_schedule(lines: Sequence[TextLine], index: int) -> int:
    schedules = (position for position in range(index, len(lines)) if _SCHEDULE.match(one_line(lines[position].text)))
    found = next(schedules, None)
    return len(lines) if found is None else _with_page_number(lines, found)


def _write_division(builder: DocumentBuilder, lines: Sequence[TextLine], index: int, match: re.Match[str]) -> int:
    kind = "part" if match["kind"].replace(" ", "").upper() == "PART" else "chapter"
    if kind == "part":
        builder.close_to(0)
    else:
        builder.close_through("chapter")
    printed = [lines[index]]
    heading = (match["heading"] or "").strip()
    if not heading and index + 1 < len(lines):
        following = one_line(lines[index + 1].text)
        begins_other = NUMBERED.match(following) or SECTION.match(following) or _division(lines, index + 1)
        if following and not begins_other and len(following) < 150:
            heading = following
            printed.append(lines[index + 1])
    builder.open(kind, match["num"], heading.rstrip(".") or None)
    text, pairs = joined(printed)
    builder.heading(text, offsets=pairs)
    return index + len(printed)


def _write_section(builder: DocumentBuilder, start: Start, lines: Sequence[TextLine], notes: NoteReader) -> None:
    body = [line for line in lines if line.stripped and not _is_page_number(line) and not _RULE.match(line.text)]
    first = body[0]
    head_end = first.text.index(start.num) + len(start.num)
    beginning, pairs = joined(body[:3])
    prefix = re.match(rf".*?{re.escape(start.num)}\s*[.:]?\s*[—–-]*\s*", beginning)
    assert prefix is not None
    run_in = RUN_IN.match(beginning, prefix.end()) if start.style == "number" else None
    pages = sorted({line.page for line in body if line.page})
    heading: str | None = None
    if run_in:
        heading = run_in["heading"].strip()
        title_line = beginning[: run_in.end()].rstrip()
    elif start.style == "word" and start.rest and not STARTS_BLOCK[0].match(start.rest):
        own = start.rest.strip()
        inline = RUN_IN.match(own)
        # "Section 2. Definitions.—In this Act" continues with the text; "Section 2. Definitions" is a line without text.
        if inline and inline.end() < len(own):
            heading = inline["heading"].strip()
            title_line = one_line(first.text)[: len(one_line(first.text)) - len(one_line(own[inline.end() :]))].rstrip()
        elif len(own) < 150 and len(body) > 1 and not own.endswith((";", ",")):
            heading = own
            title_line = collapse_spaces(first.text)
        else:
            title_line = beginning[: prefix.end()].rstrip()
    else:
        title_line = one_line(first.text[: head_end + 1])
    section = SectionText(
        start.num,
        heading,
        title_line,
        _paragraphs(_drop(body, len(title_line))),
        title_offset=pairs[0][1] if pairs else None,
        attributes={"pages": pages} if pages else {},
    )
    write_section(builder, section, notes)


def _drop(lines: list[TextLine], length: int) -> list[TextLine]:
    """Return `lines` without their first `length` characters, counted after joining."""
    out: list[TextLine] = []
    position = 0
    for line in lines:
        text = collapse_spaces(line.text)
        if position + len(text) <= length:
            position += len(text) + 1
            continue
        if position < length:
            kept = text[length - position :]
            # The offset is counted from the end of the line, because runs of spaces before the kept text may have been joined.
            raw = line.text.rstrip()
            at = len(raw) - len(kept) if raw.endswith(kept) else 0
            out.append(TextLine(raw[at:], line.offset + at, line.page))
        else:
            out.append(line)
        position += len(text) + 1
    return out


def _paragraphs(lines: Sequence[TextLine]) -> list[Paragraph]:
    """Join lines to paragraphs; a new paragraph begins after a blank line and at a label, a proviso or an explanation."""
    groups: list[list[TextLine]] = []
    before = ""
    for line in lines:
        text = line.stripped
        begins = not groups or (
            (not before or _CLOSED_END.search(before) or not OPEN_END.search(before))
            and any(pattern.match(text) for pattern in STARTS_BLOCK)
        )
        if begins or not before:
            groups.append([])
        groups[-1].append(line)
        before = text
    return [Paragraph(text, tuple(pairs)) for text, pairs in map(joined, groups) if text]


def _write_front(builder: DocumentBuilder, lines: Sequence[TextLine]) -> None:
    """Write title, number, date, long title and enacting words, one block each."""
    group: list[TextLine] = []

    def flush() -> None:
        if not group:
            return
        text, pairs = joined(group)
        group.clear()
        builder.block(text, "longtitle" if _LONG_TITLE.match(text) else "preamble", offsets=pairs)

    for line in lines:
        text = line.stripped
        if not text or _RULE.match(text):
            flush()
            continue
        if _is_page_number(line):
            flush()
            _write(builder, line, "page_number")
            continue
        if (
            text.isupper()
            or text.startswith("[")
            or _LONG_TITLE.match(text)
            or _ENACTED.match(text)
            or _BODY_BEGINS.match(text)
        ):
            flush()
        group.append(line)
        if text.isupper():
            flush()
    flush()


def _write_schedule(builder: DocumentBuilder, lines: Sequence[TextLine], match: re.Match[str]) -> None:
    ordinal = match["ordinal"]
    num = match["num"] or (str(_ORDINALS.index(ordinal) + 1) if ordinal in _ORDINALS else None)
    with builder.node("schedule", num, collapse_spaces(lines[0].text).title()):
        _write(builder, lines[0], "heading")
        for are_page_numbers, group in itertools.groupby(lines[1:], _is_page_number):
            if are_page_numbers:
                for line in group:
                    _write(builder, line, "page_number")
            else:
                _add_lines(builder, group)


def _write_loose(builder: DocumentBuilder, line: TextLine) -> None:
    if _is_page_number(line):
        _write(builder, line, "page_number")
    elif (text := collapse_spaces(line.text)) and not _RULE.match(text):
        _write(builder, line, "heading")

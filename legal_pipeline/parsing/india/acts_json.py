"""Acts as a JSON array with one object per section; the names of the keys differ per file (`Section`, `section`, `section_desc`).

Not here: the content of a section (`section_body`).
"""

from __future__ import annotations

import re
from typing import Any

from legal_pipeline.building.builder import DocumentBuilder
from legal_pipeline.building.format import CERTAIN, LIKELY, NEAR, NO, Format
from legal_pipeline.building.source import SourceFile
from legal_pipeline.errors import ParseError
from legal_pipeline.model.document import Document
from legal_pipeline.parsing.india.blocks import paragraphs, without_offsets
from legal_pipeline.parsing.india.identity import act_identity, short_title
from legal_pipeline.parsing.india.india_code import act_document
from legal_pipeline.parsing.india.section_writer import NoteReader, SectionText, section_warnings, write_section
from legal_pipeline.parsing.json_source import parse_json
from legal_pipeline.text.normalise import one_line

NAME = "acts_json"
VERSION = "8"

#: Possible names of each key, in lower case and without characters that are not letters.
_KEYS = {
    "num": ("section", "sectionno", "sectionnumber", "sec", "article", "articleno"),
    "heading": ("sectiontitle", "title", "sectionname", "heading", "name"),
    "text": ("sectiondesc", "description", "desc", "sectiontext", "content", "text"),
    "chapter": ("chapter", "chapterno", "chapternumber"),
    "chapter_title": ("chaptertitle", "chaptername"),
}
_EXPECTED = "an array of objects with a section number, a title and a text"
_FIRST_OBJECT = re.compile(r'\s*\[\s*\{\s*"(?P<key>(?:[^"\\]|\\.)*)"')
#: Words that an amendment omitted from the name of an Act: "the 1*** Divorce Act".
_OMISSION = re.compile(r"\b\d{0,2}\*(?:\s?\*)+\s*")
#: What the first section of an Act of India says; arrays of other laws have the same keys.
_SHORT_TITLE = re.compile(r"\b(?:called|cited)\b")
_CSV_KEY = re.compile(r"(?i)(?=.*\bsection)(?=.*,)")


def sniff(source: SourceFile) -> float:
    head = source.head
    match = _FIRST_OBJECT.match(head)
    if match is None:
        return NO
    if _CSV_KEY.match(match["key"]):
        return LIKELY  # a table converted to JSON; `parse` reports the problem
    first = head.partition("}")[0]
    names = {_plain(key) for key in re.findall(r'"((?:[^"\\]|\\.)*)"\s*:', first)}
    if not (names & set(_KEYS["num"]) and names & set(_KEYS["text"])):
        return NO
    return CERTAIN if source.hints.get("title") or _SHORT_TITLE.search(head) else NEAR


def parse(source: SourceFile) -> Document:
    rows = _rows(source)
    names = _names(rows)
    builder, notes = DocumentBuilder(), NoteReader()
    warnings: list[str] = []
    open_chapter: Any = None
    for index, row in enumerate(rows):
        if not isinstance(row, dict) or any(names[what] not in row for what in ("num", "text")):
            raise ParseError(
                f"entry {index} has not the keys of the first one",
                position=f"entry {index}",
                expected=", ".join(names.values()),
            )
        chapter = row.get(names.get("chapter", ""))
        if chapter is not None and (chapter != open_chapter or not builder.depth):
            builder.close_to(0)
            _open_chapter(builder, str(chapter), row.get(names.get("chapter_title", "")))
            open_chapter = chapter
        num = one_line(str(row[names["num"]])).rstrip(".")
        if not num:
            raise ParseError("a section without a number", position=f"entry {index}", expected=names["num"])
        heading = one_line(str(row.get(names.get("heading", ""), "") or ""))
        # one paragraph per line: the export has only the line breaks of the web page
        lines = "\n\n".join(_lines(str(row[names["text"]] or "")))
        body, problems = paragraphs(lines, glued_marks=True)
        warnings += section_warnings(num, body, problems)
        title_line = f"Section {num}: {heading}" if heading else f"Section {num}"
        write_section(builder, SectionText(num, heading or None, title_line, without_offsets(body)), notes)
    first_text = _OMISSION.sub("", "\n".join(str(row[names["text"]]) for row in rows[:3]))
    own_title = short_title(first_text)
    title = own_title or source.hints.get("title")
    if not title:
        raise ParseError(
            "the text does not name its Act",
            position="entries 0 to 2",
            expected="`This Act may be called …`, or a title given with the file",
        )
    identity = act_identity(title, number=source.hints.get("number"))
    return act_document(builder, source, title=title, identity=identity, language="eng", warnings=tuple(warnings))


def _plain(key: str) -> str:
    return re.sub(r"[^a-z]", "", key.lower())


def _rows(source: SourceFile) -> list[Any]:
    rows = parse_json(source)
    if not isinstance(rows, list) or not rows or not isinstance(rows[0], dict):
        raise ParseError("no array of objects", position="line 1", expected=_EXPECTED)
    return rows


def _names(rows: list[Any]) -> dict[str, str]:
    """Return the file's own keys for number, heading, text, chapter and chapter title."""
    keys = list(rows[0])
    if len(keys) == 1 and _CSV_KEY.match(keys[0]):
        raise ParseError(
            f"a CSV table was turned into JSON as if it had one column: every object has the single key {keys[0]!r} and rows are split "
            f"at line breaks ({len(rows)} fragments)",
            position="entry 0, line 2",
            expected=_EXPECTED,
        )
    found: dict[str, str] = {}
    for what, names in _KEYS.items():
        key = next((key for name in names for key in keys if _plain(key) == name and key not in found.values()), None)
        if key is not None:
            found[what] = key
    missing = [what for what in ("num", "text") if what not in found]
    if missing:
        raise ParseError(
            f"no key for {' and '.join(missing)} among {', '.join(map(repr, keys))}",
            position="entry 0",
            expected=_EXPECTED,
        )
    return found


def _open_chapter(builder: DocumentBuilder, num: str, title: Any) -> None:
    heading = one_line(str(title)) if title else None
    builder.open("chapter", num, heading)
    builder.heading(f"Chapter {num}: {heading}" if heading else f"Chapter {num}")


def _lines(raw: str) -> list[str]:
    """Return non-empty lines; a line of one or two punctuation characters is joined to the line before."""
    out: list[str] = []
    for text in filter(None, map(str.strip, raw.split("\n"))):
        if out and len(text) <= 2 and not text.isalnum():
            out[-1] += text
        else:
            out.append(text)
    return out


FORMAT = Format(NAME, "Indian Acts as a JSON array of sections", sniff, parse, VERSION)

"""India Code in Links Notation: named objects with indented `key value` lines; the text is in `line` entries.

Only the part of the notation that occurs in these files is read. Not here: sections (`section_writer`). Translations in the same
file are another expression; the metadata names them, and the text does not contain them.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from legal_pipeline.building.builder import DocumentBuilder
from legal_pipeline.building.format import CERTAIN, NEAR, NO, Format
from legal_pipeline.building.source import SourceFile
from legal_pipeline.errors import ParseError, TruncatedDocumentError
from legal_pipeline.model.document import Document
from legal_pipeline.parsing.india.blocks import paragraphs, without_offsets
from legal_pipeline.parsing.india.identity import act_identity
from legal_pipeline.parsing.india.india_code import act_document
from legal_pipeline.parsing.india.section_writer import (
    NoteReader,
    SectionText,
    read_footnotes,
    section_warnings,
    write_section,
)

NAME = "india_code_lino"
VERSION = "7"

_OBJECT = re.compile(r"^(\w+):$")
_ENTRY = re.compile(r"^ {2}(\S+)(?: (.*))?$")
_ISO_DATE = re.compile(r"\d{4}-\d{2}-\d{2}$")

Objects = dict[str, list[tuple[str, str]]]


def sniff(source: SourceFile) -> float:
    head = source.head
    if not re.match(r"\w+:\n {2}\w+ \S", head):
        return NO
    return CERTAIN if re.search(r"^ {2}(?:sectionNo|law|sections) ", head, re.M) else NEAR


def parse(source: SourceFile) -> Document:
    objects = _read(source)
    law = _law(objects)
    values = {key: _value(objects, raw) for key, raw in objects[law] if raw}
    listed = [name for name, _ in objects.get(str(values.get("sections", "")), [])]
    if not listed:
        raise ParseError("no sections", position=law, expected="`sections` with members")
    title = str(values.get("title") or source.hints.get("title") or "")
    if not title:
        raise ParseError("no title", position=law, expected="`title`")
    builder, notes = DocumentBuilder(), NoteReader()
    warnings = [warning for name in listed for warning in _write(builder, notes, objects, name)]
    return act_document(
        builder,
        source,
        title=title,
        identity=act_identity(title, number=str(values.get("actNumber", ""))),
        language="eng",
        metadata=_metadata(objects, values),
        warnings=tuple(warnings),
    )


def _metadata(objects: Objects, values: dict[str, Any]) -> dict[str, Any]:
    enacted = str(values.get("enactmentDate", ""))
    translations = [key for key, _ in objects.get(str(values.get("translations", "")), [])]
    return {
        "date_enacted": enacted if _ISO_DATE.match(enacted) else None,
        "commencement": values.get("enforcementDate"),
        "ministry": values.get("ministry"),
        "department": values.get("department"),
        "long_title": values.get("longTitle"),
        "handle": values.get("sourceUrl"),
        "translations": translations or None,
    }


def _read(source: SourceFile) -> Objects:
    objects: Objects = {}
    current: list[tuple[str, str]] | None = None
    for number, line in enumerate(source.text.split("\n"), 1):
        if match := _OBJECT.match(line):
            current = objects.setdefault(match[1], [])
        elif match := _ENTRY.match(line):
            if current is None:
                raise ParseError("an entry outside of an object", position=f"line {number}", expected="`name:`")
            current.append((match[1], match[2] or ""))
        elif line.strip():
            raise ParseError(
                f"neither an object nor an entry: {line[:40]!r}",
                position=f"line {number}",
                expected="`name:` or two spaces and `key value`",
            )
    return objects


def _law(objects: Objects) -> str:
    """Return the name of the object with the sections: the value of `law` in the first object, else the first object."""
    first = next(iter(objects), None)
    if first is None:
        raise ParseError("no object", position="line 1", expected="`name:`")
    name = dict(objects[first]).get("law", first)
    if name not in objects or "sections" not in dict(objects[name]):
        raise ParseError(f"object {name!r} has no sections", position=name, expected="`sections …`")
    return name


def _value(objects: Objects, raw: str) -> Any:
    """Return a scalar: quoted text, a number in brackets, or bare words; a reference to a `string` object gives its lines."""
    if len(raw) >= 2 and raw[0] == raw[-1] and raw[0] in "`\"'":
        return raw[1:-1]
    if raw.startswith("(") and raw.endswith(")"):
        return raw[1:-1]
    if raw in ("undefined", "null"):
        return None
    entries = objects.get(raw)
    if entries and entries[0][0] == "string":
        return "\n".join(str(_value({}, text) or "") for key, text in entries[1:] if key == "line")
    return raw


def _write(builder: DocumentBuilder, notes: NoteReader, objects: Objects, name: str) -> list[str]:
    entries = objects.get(name)
    if entries is None:
        raise TruncatedDocumentError(
            f"section object {name!r} is listed but not there", position=name, expected=f"`{name}:`"
        )
    values = {key: _value(objects, raw) for key, raw in entries}
    num = str(values.get("sectionNo") or "")
    content = values.get("content")
    if not num or content is None or content == f"{name}_content":
        raise TruncatedDocumentError(
            "a section without its number or its content", position=name, expected="sectionNo and content"
        )
    heading = values.get("title")
    # No offsets: the text is not contiguous in a file of `line` entries.
    body, problems = paragraphs(content)
    printed = values.get("footnotes")
    footnotes = read_footnotes(printed, 0) if isinstance(printed, str) and printed != f"{name}_footnotes" else []
    section = SectionText(
        num,
        heading,
        f"Section {num} - {heading}" if heading else f"Section {num}",
        without_offsets(body),
        footnotes=[replace(note, offsets=()) for note in footnotes],
    )
    write_section(builder, section, notes)
    return section_warnings(num, body, problems)


FORMAT = Format(NAME, "India Code Acts in Links Notation", sniff, parse, VERSION)

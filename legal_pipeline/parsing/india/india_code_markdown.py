"""India Code as markdown: front matter, `## Section 2 - Definitions.` or `## Page 3`, `### Footnotes`; long Acts in several parts.

Not here: joining the parts (`parsing.parts`), sections of page texts (`act_text`), the content of a section (`section_body`).
"""

from __future__ import annotations

import re
from typing import Any

from legal_pipeline.building.builder import DocumentBuilder
from legal_pipeline.building.format import CERTAIN, LIKELY, NEAR, NO, Format
from legal_pipeline.building.source import SourceFile
from legal_pipeline.errors import ParseError, TruncatedDocumentError
from legal_pipeline.model.document import Document
from legal_pipeline.parsing.front_matter import FrontMatter, has_front_matter, read_front_matter
from legal_pipeline.parsing.india.act_lines import write_act, write_pages
from legal_pipeline.parsing.india.blocks import paragraphs
from legal_pipeline.parsing.india.identity import act_identity
from legal_pipeline.parsing.india.india_code import act_document, act_language
from legal_pipeline.parsing.india.section_writer import (
    NoteReader,
    SectionText,
    read_footnotes,
    section_warnings,
    write_section,
)
from legal_pipeline.parsing.text_lines import TextLine
from legal_pipeline.text.quality import measure

NAME = "india_code_markdown"
VERSION = "10"

_SECTION = re.compile(r"^## (?P<line>Section (?P<num>\d[\w-]*) - ?(?P<heading>.*))$", re.M)
_PAGE = re.compile(r"^## Page (?P<num>\d+)[ \t]*$", re.M)
_FOOTNOTES = re.compile(r"^### Footnotes[ \t]*\n", re.M)
_RANGE = re.compile(r"^(?P<what>Sections|Pages): (?P<first>\w+) to (?P<last>\w+)\s*$", re.M)
_SOURCE = re.compile(r"^- (?P<kind>html|pdf): (?P<url>\S+)", re.M)


def sniff(source: SourceFile) -> float:
    head = source.head
    if not has_front_matter(head):
        return NO
    if _SECTION.search(head) or _PAGE.search(head):
        return CERTAIN if "indiacode.nic.in" in head else LIKELY
    return NEAR if re.search(r"^parts?:", head, re.M) else NO


def parse(source: SourceFile) -> Document:
    text = source.text
    front = read_front_matter(text)
    sections = list(_SECTION.finditer(text, front.end))
    pages = list(_PAGE.finditer(text, front.end))
    first = min((match.start() for match in (*sections, *pages)), default=len(text))
    head = _head(source, front, text[front.end : first])
    builder = DocumentBuilder()
    if sections:
        warnings, is_garbled = _write_sections(builder, text, sections), False
        _check_range(head["metadata"]["range"], [match["num"] for match in sections])
    elif pages:
        warnings, is_garbled = _write_pages(builder, text, head, pages)
    else:
        raise ParseError(
            "neither a section nor a page",
            position=f"character {front.end}",
            expected="`## Section 1 - …` or `## Page 1`",
        )
    return act_document(builder, source, **head, warnings=tuple(warnings), requires_manual_review=is_garbled)


def _head(source: SourceFile, front: FrontMatter, intro: str) -> dict[str, Any]:
    """Return the fields of the document that the beginning of the file states."""
    heading = re.search(r"^# (.+)$", intro, re.M)
    title = front.text("title") or (heading[1].strip() if heading else None) or source.hints.get("title")
    if not title:
        raise ParseError("no title", position="front matter", expected="title: …")
    links = {match["kind"]: match["url"] for match in _SOURCE.finditer(intro)}
    part, parts = front.text("part"), front.text("parts")
    found = _RANGE.search(intro)
    metadata: dict[str, Any] = {
        "part": int(part) if part and part.isdigit() else None,
        "parts": int(parts) if parts and parts.isdigit() else None,
        "source_links": links or None,
        "handle": front.text("source"),
        "range": [found["first"], found["last"]] if found else None,
    }
    identity = act_identity(title, text=source.head, links="\n".join([front.text("source") or "", *links.values()]))
    language = act_language(front.text("language"))
    return {"title": title, "language": language, "identity": identity, "metadata": metadata}


def _write_sections(builder: DocumentBuilder, text: str, found: list[re.Match[str]]) -> list[str]:
    notes = NoteReader()
    warnings: list[str] = []
    for index, match in enumerate(found):
        end = found[index + 1].start() if index + 1 < len(found) else len(text)
        split = _FOOTNOTES.search(text, match.end(), end)
        body, problems = paragraphs(text[match.end() : split.start() if split else end], match.end())
        warnings += section_warnings(match["num"], body, problems)
        section = SectionText(
            match["num"],
            match["heading"].strip() or None,
            match["line"].strip(),
            body,
            title_offset=match.start("line"),
            footnotes=read_footnotes(text[split.end() : end], split.end()) if split else (),
        )
        write_section(builder, section, notes)
    return warnings


def _check_range(said: list[str] | None, numbers: list[str]) -> None:
    """Raise `TruncatedDocumentError` if the last section of the range stated in the file's head is missing."""
    if said and said[1][0].isdigit() and said[1] not in numbers:
        raise TruncatedDocumentError(
            f"the last section is {numbers[-1]}",
            position=f"after section {numbers[-1]}",
            expected=f"sections {said[0]} to {said[1]}, as the file's head says",
        )


def _write_pages(
    builder: DocumentBuilder, text: str, head: dict[str, Any], found: list[re.Match[str]]
) -> tuple[list[str], bool]:
    """Write the text of the pages; return warnings, and whether it is garbled."""
    said = head["metadata"]["range"]
    last = found[-1]["num"]
    if said and said[1].isdigit() and int(said[1]) > int(last):
        raise TruncatedDocumentError(
            f"the last page is {last}",
            position=f"after page {last}",
            expected=f"pages {said[0]} to {said[1]}, as the file's head says",
        )
    lines: list[TextLine] = []
    for index, match in enumerate(found):
        end = found[index + 1].start() if index + 1 < len(found) else len(text)
        position = match.end() + 1
        for line in text[position:end].rstrip("\n").split("\n"):
            lines.append(TextLine(line, position, int(match["num"])))
            position += len(line) + 1
    quality = measure("\n".join(line.text for line in lines))
    head["metadata"] |= {"total_pages": int(last), "quality": quality.to_json()}
    # Sections read from garbled text would be wrong, so garbled text is kept as pages.
    doubts = None if quality.is_garbled else write_act(builder, lines, head["title"])
    if doubts is None:
        write_pages(builder, lines)
    if quality.is_garbled:
        doubts = [f"{quality.score:.0%} of the words are garbled: kept as pages, a person must look"]
    return doubts or [], quality.is_garbled


FORMAT = Format(NAME, "India Code Acts as markdown, by section or by page", sniff, parse, VERSION)

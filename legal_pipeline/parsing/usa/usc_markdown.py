"""Sections of the United States Code in "legalize" markdown: YAML front matter, a heading, flat paragraphs with designators.

Not here: the countries whose articles need a vocabulary (`parsing.legalize`).
"""

from __future__ import annotations

import re

from legal_pipeline.building.builder import DocumentBuilder
from legal_pipeline.building.designated_paragraphs import Paragraph, add_paragraphs
from legal_pipeline.building.format import CERTAIN, NO, Format
from legal_pipeline.building.source import SourceFile
from legal_pipeline.errors import EmptyDocumentError, ParseError
from legal_pipeline.jurisdictions.jurisdiction import jurisdiction
from legal_pipeline.model.document import Document
from legal_pipeline.model.identity import document_id
from legal_pipeline.parsing.front_matter import has_front_matter, read_front_matter
from legal_pipeline.parsing.usa.paragraph_text import read_paragraphs

NAME = "usc_markdown"
VERSION = "4"

_IDENTIFIER = re.compile(r"USC-T(?P<title>\d+[A-Za-z]?)-S(?P<section>[\w.\-–]+)")
_HEADING = re.compile(r"#{1,6}\s+(?P<text>\S.*)")
_SECTION_HEADING = re.compile(r"§+\s*[\w.\-–]+\.\s*(?P<heading>.*)")
_LINK = re.compile(r"\[([^\]\n]{1,300})\]\([^)\s]{1,300}\)")
_DESIGNATED = re.compile(r"\([a-zA-Z0-9]{1,5}\)\s|#{1,6}\s")
_ISO_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")


def sniff(source: SourceFile) -> float:
    if not has_front_matter(source.head):
        return NO
    try:
        identifier = read_front_matter(source.head).text("identifier")
    except ParseError:
        return NO
    return CERTAIN if identifier and _IDENTIFIER.fullmatch(identifier) else NO


def parse(source: SourceFile) -> Document:
    """Parse one section. Links keep their words; headings after the section's own heading begin notes, which are remarks."""
    text = source.text
    front = read_front_matter(text)
    named = _IDENTIFIER.fullmatch(front.text("identifier") or "")
    if named is None:
        raise ParseError("no identifier of a section", position="front matter", expected="USC-T8-S1153")
    title_number, section = named["title"], named["section"]
    citation = f"{title_number} U.S.C. § {section}"
    builder = DocumentBuilder()
    waiting: list[Paragraph] = []
    notes: list[str] = []
    seen = ""
    with builder.node("section", section) as node:
        for item in read_paragraphs(_LINK.sub(r"\1", text[front.end :]), _DESIGNATED).paragraphs:
            heading = _HEADING.fullmatch(item.text)
            if heading is not None and (match := _SECTION_HEADING.fullmatch(heading["text"])):
                if not seen:
                    builder.heading(heading["text"])
                    node.heading = match["heading"].strip() or None
                seen = heading["text"]
            elif heading is not None and not seen and not waiting:
                builder.heading(heading["text"])  # a title of the page
            elif heading is not None or notes:
                notes.append(heading["text"] if heading is not None else item.text)
            else:
                waiting.append(Paragraph(item.text))
        add_paragraphs(builder, waiting, jurisdiction("us").drafting("statute"))
    if not waiting:
        raise EmptyDocumentError("a heading and no text", expected="paragraphs")
    for note in notes:
        builder.block(note, "remark")
    updated = front.text("last_updated") or ""
    return builder.document(
        source,
        document_id=document_id("us", "usc", title_number, section),
        work_uri=f"/akn/us/act/usc/t{title_number.lower()}/s{section}",
        title=front.text("title") or citation,
        number=citation,
        jurisdiction="us",
        doc_type="act",
        language="eng",
        as_of_date=updated if _ISO_DATE.fullmatch(updated) else source.hints.get("as_of_date"),
        metadata={
            "canonical_citation": citation,
            "title_number": title_number,
            "release_point": front.text("release_point"),
            "status": front.text("status"),
        },
    )


FORMAT = Format(NAME, "United States Code section in legalize markdown", sniff, parse, VERSION)

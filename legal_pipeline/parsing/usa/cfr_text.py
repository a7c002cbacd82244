"""Plain text of CFR sections: "8 CFR 204.5" or "§ 204.5 Title." above paragraphs with designators.

Not here: the hierarchy of the designators (`building.designators`).
"""

from __future__ import annotations

import re

from legal_pipeline.building.builder import DocumentBuilder
from legal_pipeline.building.designated_paragraphs import Paragraph, add_paragraphs
from legal_pipeline.building.designators import designators_of
from legal_pipeline.building.format import LIKELY, NEAR, NO, Format
from legal_pipeline.building.source import SourceFile
from legal_pipeline.errors import ParseError
from legal_pipeline.jurisdictions.jurisdiction import jurisdiction
from legal_pipeline.model.document import Document
from legal_pipeline.model.identity import document_id
from legal_pipeline.numbering.styles import Style
from legal_pipeline.parsing.generic.plain_text import is_plain_text
from legal_pipeline.parsing.usa.paragraph_text import read_paragraphs

NAME = "cfr_text"
VERSION = "4"

_CITATION = re.compile(
    r"\b(?P<title>\d{1,2})\s+(?:CFR|C\.\s?F\.\s?R\.)\s+(?:§+\s*|[Ss]ec(?:tion|\.)\s*)?(?P<section>\d{1,4}\.\d{1,4}[a-z]?)"
)
_SECTION = re.compile(r"§\s*(?P<section>\d{1,4}\.\d{1,4}[a-z]?(?:-\d+)?)\.?\s+(?P<heading>[A-Z].{2,200})")
_DESIGNATED = re.compile(r"\([a-zA-Z0-9]{1,5}\)\s")
_HEAD_CHARS = 600


def sniff(source: SourceFile) -> float:
    """Likely with a CFR citation at the top, or a section line and the title in the hints, and at least three paragraphs that begin with
    designators."""
    head = source.head
    if not is_plain_text(head):
        return NO
    cited = _CITATION.search(head[:_HEAD_CHARS]) is not None
    # without its title, "§ 5.3" is a section of some other code
    marked = bool(source.hints.get("cfr_title")) and re.search(
        rf"^\s*{_SECTION.pattern}", head[:_HEAD_CHARS], re.MULTILINE
    )
    designated = len(re.findall(rf"^\s*{_DESIGNATED.pattern}", head, re.MULTILINE))
    lines = sum(bool(line.strip()) for line in head.split("\n"))
    if (cited or marked) and designated >= 3 and designated * 10 >= lines:
        return LIKELY if cited else LIKELY - 0.1
    return NEAR if cited else NO


def parse(source: SourceFile) -> Document:
    """Parse the text. Raises `ParseError` when no citation names the title and the section."""
    text = source.text
    cited = _CITATION.search(text[:_HEAD_CHARS])
    title = cited["title"] if cited else str(source.hints.get("cfr_title") or "")
    pages = read_paragraphs(text, _DESIGNATED)
    sections = [match["section"] for item in pages.paragraphs if (match := _SECTION.fullmatch(item.text))]
    if not sections and cited:
        sections = [cited["section"]]
    if not title or not sections:
        raise ParseError("no citation of a CFR section", position="first lines", expected="8 CFR 204.5")
    builder = DocumentBuilder()
    heading = _write(builder, pages.paragraphs, sections[0])
    for kind, words, number in pages.beside:
        builder.block(words, kind, number)
    one = len(set(sections)) == 1
    part = sections[0].partition(".")[0]
    number, path = (sections[0], f"p{part}/s{sections[0]}") if one else (part, f"p{part}")
    citation = f"{title} CFR {sections[0]}" if one else f"{title} CFR Part {part}"
    return builder.document(
        source,
        document_id=document_id("us", "cfr", title, number),
        work_uri=f"us/cfr/t{title}/{path}",
        title=f"{citation} {heading}".strip(),
        number=citation,
        jurisdiction="us",
        doc_type="regulation",
        language="eng",
        metadata={"title_number": title, "canonical_citation": citation},
    )


def _write(builder: DocumentBuilder, paragraphs: list[Paragraph], first: str) -> str:
    """Write sections with their paragraphs; return the first heading of a section. Short text above the first designator is a heading,
    and so are the lines above the first section line, such as the citation: they are not a section."""
    drafting = jurisdiction("us").drafting("regulation")
    starts = (index for index, item in enumerate(paragraphs) if _SECTION.fullmatch(item.text))
    above = paragraphs[: next(starts, 0)]
    if all(_is_short(item, drafting) for item in above):
        for item in above:
            builder.heading(item.text, offsets=item.offsets)
        paragraphs = paragraphs[len(above) :]
    heading = ""
    number: str | None = None
    waiting: list[Paragraph] = []

    def close() -> None:
        if number is not None:
            add_paragraphs(builder, waiting, drafting)
            waiting.clear()
            builder.close()

    for item in paragraphs:
        section = _SECTION.fullmatch(item.text)
        if section is not None:
            close()
            number = section["section"]
            heading = heading or section["heading"]
            builder.open("section", number, section["heading"])
            builder.heading(item.text, offsets=item.offsets)
            continue
        if number is None:
            number = first
            builder.open("section", number)
            if _is_short(item, drafting):
                builder.heading(item.text, offsets=item.offsets)
                continue
        waiting.append(item)
    close()
    return heading


def _is_short(item: Paragraph, drafting: Style) -> bool:
    """Whether a paragraph is short and has no designator, as a heading."""
    return len(item.text) < 200 and not designators_of(item.text, drafting)


FORMAT = Format(NAME, "Plain text of CFR sections", sniff, parse, VERSION)

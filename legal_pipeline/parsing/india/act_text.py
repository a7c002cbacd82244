"""Indian Acts as plain text: `Section 3. …`, `3. Short title.—…`, chapters, schedules.

Not here: finding sections in lines (`section_starts`), writing them (`act_lines`).
"""

from __future__ import annotations

import re
from dataclasses import replace

from legal_pipeline.building.builder import DocumentBuilder
from legal_pipeline.building.format import LIKELY, NEAR, NO, Format
from legal_pipeline.building.source import SourceFile
from legal_pipeline.errors import ParseError
from legal_pipeline.model.document import Document
from legal_pipeline.model.identity import JUDGMENTS
from legal_pipeline.parsing.front_matter import has_front_matter
from legal_pipeline.parsing.india.act_lines import write_act
from legal_pipeline.parsing.india.identity import act_identity, is_indian, short_title
from legal_pipeline.parsing.india.india_code import act_document, act_language
from legal_pipeline.parsing.india.section_starts import section_starts
from legal_pipeline.parsing.judgment.plain_text import looks_like_a_judgment
from legal_pipeline.parsing.text_lines import TextLine, text_lines
from legal_pipeline.text.normalise import one_line
from legal_pipeline.text.quality import measure

NAME = "india_act_text"
VERSION = "15"

#: Words of an Act.
_ACT = re.compile(
    r"\bThis (?:Act|Code|Sanhita|Adhiniyam) (?:may|shall) be (?:called|cited)|\bB ?e it enacted\b|\bAct No\.? ?\d+ of \d{4}|\bAn Act to\b",
    re.I,
)
_TITLE = re.compile(
    r"^(?:THE\s+)?[A-Z][A-Z0-9 ,.()'’&/-]{6,160}(?:ACT|CODE|SANHITA|ADHINIYAM|ORDINANCE)\b,?\s*\(?\d{0,4}\)?\.?\s*$",
    re.I,
)
_MARKUP = re.compile(r"\s*(?:<|\{|\[\s*\{|%PDF)")


def sniff(source: SourceFile) -> float:
    head = source.head
    if not head or _MARKUP.match(head) or has_front_matter(head) or re.search(r"^#{1,3} ", head, re.M):
        return NO
    starts = section_starts(_lines(head))
    if len(starts) < 2:
        return NEAR if starts and _ACT.search(head) else NO
    act = _ACT.search(one_line(head)) is not None
    indian = source.hints.get("jurisdiction") == "in" or is_indian(head)
    if looks_like_a_judgment(head) or source.hints.get("doc_type") in JUDGMENTS:
        return NEAR
    if act and indian:
        return LIKELY
    if source.hints.get("jurisdiction") == "in" and source.hints.get("doc_type", "act") == "act":
        return LIKELY - 0.1
    return NEAR


def parse(source: SourceFile) -> Document:
    lines = _lines(source.text)
    title = _title(source, lines)
    builder = DocumentBuilder()
    warnings = write_act(builder, lines, title)
    if warnings is None:
        raise ParseError(
            "no section was found", position="line 1", expected="lines that begin `Section 1.` or `1. Short title.—`"
        )
    quality = measure(source.text)
    return act_document(
        builder,
        source,
        title=title,
        identity=act_identity(title, text=source.head, number=source.hints.get("number")),
        language=act_language(source.hints.get("language")),
        metadata={"quality": quality.to_json() if quality.score else None},
        warnings=(*warnings, *((f"{quality.score:.0%} of the words are garbled",) if quality.is_garbled else ())),
        requires_manual_review=quality.is_garbled,
    )


def _lines(text: str) -> list[TextLine]:
    """Return the lines with their page numbers; form feeds separate pages."""
    lines = text_lines(text)
    return list(lines) if "\f" in text else [replace(line, page=0) for line in lines]


def _title(source: SourceFile, lines: list[TextLine]) -> str:
    """Return the title printed above the text, else the short title in the Act's text, else the title in the hints."""
    for line in lines[:40]:
        text = one_line(line.text)
        if _TITLE.match(text):
            return text.rstrip(".")
    title = short_title(source.head) or source.hints.get("title")
    if not title:
        raise ParseError(
            "the text does not name its Act",
            position="line 1",
            expected="a title in the first lines, `This Act may be called …`, or a title given with the file",
        )
    return str(title)


FORMAT = Format(NAME, "Indian Acts as plain text", sniff, parse, VERSION)

"""Word files: judgments with numbered paragraphs, Acts, and other documents.

Not here: reading the archive (`parsing.docx_text`), the segments of a judgment (`parsing.judgment`), the hierarchy of an Act
(`parsing.importer_html`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

from legal_pipeline.building.builder import DocumentBuilder
from legal_pipeline.building.format import CERTAIN, NO, Format
from legal_pipeline.building.source import SourceFile
from legal_pipeline.errors import EmptyDocumentError
from legal_pipeline.jurisdictions.countries import country_named
from legal_pipeline.model.document import Document
from legal_pipeline.model.identity import document_id
from legal_pipeline.parsing.docx_text import WordParagraph, word_paragraphs
from legal_pipeline.parsing.importer_html import act_document, looks_like_an_act
from legal_pipeline.parsing.judgment.structure import Block, write_judgment
from legal_pipeline.parsing.word_paragraphs import Paragraph

NAME = "docx"
VERSION = "2"

_COURT = re.compile(r"\bIN THE\s+(?P<court>[A-Z][A-Za-z’' ,]*?COURT\b[A-Za-z’' ,()]*)", re.IGNORECASE)
_DIVISION = re.compile(r"\bDIVISION\b|\bHELD AT\b", re.IGNORECASE)
_CASE_NUMBER = re.compile(r"\bCASE\s+N(?:O|UMBER|R)S?\b\.?\s*:?\s*(?P<number>[A-Z]{0,4}\s?\d[\w/.-]*)", re.IGNORECASE)
_CITATION = re.compile(r"\[(?P<year>\d{4})\]\s+(?P<court>[A-Z]{3,8})\s+(?P<number>\d+)")
_DATE = re.compile(
    r"\b(?:DATE|DELIVERED|HANDED DOWN|DECIDED)\b[^\d]{0,30}(?P<date>\d{4}[-/]\d{2}[-/]\d{2}|\d{1,2}\s+[A-Za-z]+\s+\d{4})",
    re.IGNORECASE,
)
_JUDGE = re.compile(r"^(?P<name>[A-Z][A-Z’'. -]{2,40}?),?\s+(?P<office>AJA|JA|DJP|JP|AJ|CJ|ACJ|DCJ|J|P)\s*(?::|\(|$)")
_BETWEEN = re.compile(r"^in the (?:matter|appeal|application)\b.*\bbetween\b", re.IGNORECASE)
_TITLE = re.compile(r"^(?:J\s*U\s*D\s*G\s*M\s*E\s*N\s*T|R\s*U\s*L\s*I\s*N\s*G|O\s*R\s*D\s*E\s*R)\b", re.IGNORECASE)
_NUMBERED = re.compile(r"^\[\d{1,3}\]")


def sniff(source: SourceFile) -> float:
    """A zip archive with Word's main part in it."""
    data = source.data
    return CERTAIN if data.startswith(b"PK\x03\x04") and b"word/document.xml" in data else NO


def parse(source: SourceFile) -> Document:
    """A judgment, an Act, or a document of another kind, as its text shows. See `word_paragraphs` for the errors."""
    found = word_paragraphs(source)
    if not found:
        raise EmptyDocumentError("the file holds no text", document=source.name, format=NAME, expected="paragraphs")
    if _is_judgment(found):
        return _judgment(source, found)
    looks = [look for item in found if item.kind != "running" for look in _looks(item)]
    if looks_like_an_act(looks):
        return act_document(looks, source, NAME, VERSION)
    return _other(source, found)


def _looks(item: WordParagraph) -> Iterator[Paragraph]:
    """The paragraph as it looks, with its number, and its footnotes behind it."""
    yield Paragraph(
        (f"{item.number} {item.lines[0]}".strip(), *item.lines[1:]) if item.kind != "table" else item.lines,
        item.bold,
        item.italic,
        item.centred,
        item.kind if item.kind in ("heading", "table") else "paragraph",
    )
    for note in item.footnotes:
        yield Paragraph((note,), kind="footnote")


def _is_judgment(found: Sequence[WordParagraph]) -> bool:
    start = [item.text for item in found[:40]]
    signs = (
        any(_COURT.search(text) for text in start[:10]),
        any(_BETWEEN.match(text) or _CASE_NUMBER.search(text) for text in start),
        any(_TITLE.match(text) for text in start),
        sum(bool(_NUMBERED.match(item.number or item.text)) for item in found) >= 3,
    )
    return sum(signs) >= 2


def _judgment(source: SourceFile, found: Sequence[WordParagraph]) -> Document:
    texts = [item.text for item in found if item.kind != "running"]
    country = str(source.hints.get("jurisdiction") or "") or country_named(" ".join(texts[:15])) or "xx"
    builder = DocumentBuilder()
    outline = write_judgment(builder, _blocks(found), country)
    for item in found:
        if item.kind == "running":
            builder.block(item.text, "page_number" if item.text.isdigit() else "running_header")
    header = [line for block in outline.header for line in block.text.split("\n")] or texts[:15]
    metadata = _cause(header, texts)
    citation = next((match for text in texts[:20] if (match := _CITATION.search(text))), None)
    parts: tuple[str, ...]
    if citation is not None:
        parts = (citation["court"].lower(), citation["year"], citation["number"])
    else:
        parts = ("case", str(metadata.get("case_number") or source.sha256[:12]))
    title = source.hints.get("title") or metadata.get("title") or texts[0][:200]
    return builder.document(
        source,
        document_id=document_id(country, "judgment", *parts),
        title=str(title),
        jurisdiction=country,
        doc_type="judgment",
        language=str(source.hints.get("language") or "eng"),
        format=NAME,
        parser_version=VERSION,
        number=citation.group() if citation else metadata.get("case_number"),
        work_uri="/".join(("/akn", country, "judgment", *parts)) if citation else None,
        as_of_date=metadata.get("date_decided") or source.hints.get("as_of_date"),
        metadata={key: value for key, value in metadata.items() if key != "title"}
        | {"neutral_citation": citation.group() if citation else None},
    )


def _blocks(found: Sequence[WordParagraph]) -> list[Block]:
    blocks: list[Block] = []
    for item in found:
        if item.kind == "running":
            continue
        if item.kind == "table":
            blocks.append(Block("\n".join(item.lines), "table"))
        else:
            # Word prints automatic numbers before the text; the offsets of a citation need them in it.
            text = f"{item.number} {item.text}".strip() if _NUMBERED.match(item.number) else item.text
            number = item.number if item.number and not _NUMBERED.match(item.number) else None
            blocks.append(
                Block(
                    f"{number} {text}" if number else text, "heading" if item.kind == "heading" and not number else None
                )
            )
        blocks.extend(Block(note, "footnote") for note in item.footnotes)
    return blocks


def _cause(header: Sequence[str], texts: Sequence[str]) -> dict[str, Any]:
    """Court, case number, date, judge and parties, as far as the header says them."""
    start = list(texts[:25])
    court = next(((index, match) for index, text in enumerate(start) if (match := _COURT.search(text))), None)
    name = None
    if court is not None:
        name = court[1]["court"].strip()
        following = start[court[0] + 1] if court[0] + 1 < len(start) else ""
        if _DIVISION.search(following) and len(following) < 120:
            name = f"{name}, {following.strip()}"
    date = next((match["date"] for text in start if (match := _DATE.search(text))), None)
    judge = next((match for text in [*start, *texts[-8:]] if (match := _JUDGE.match(text))), None)
    number = next((match["number"] for text in start if (match := _CASE_NUMBER.search(text))), None)
    parties = _parties(start)
    return {
        "court": name,
        "case_number": number,
        "date_decided": _iso(date) if date else None,
        "judges": [f"{judge['name'].title()} {judge['office']}"] if judge else None,
        "parties": {"applicant": parties[0], "respondent": parties[1]} if parties else None,
        "title": " v ".join(parties) if parties else None,
    }


def _parties(lines: Sequence[str]) -> tuple[str, str] | None:
    between = next((index for index, line in enumerate(lines) if _BETWEEN.match(line)), None)
    if between is None:
        return None
    rest = [line.strip(" :") for line in lines[between + 1 :]]
    middle = next((index for index, line in enumerate(rest[:8]) if line.lower() in ("and", "v", "vs", "versus")), None)
    if not middle or middle + 1 >= len(rest):
        return None
    return rest[0], rest[middle + 1]


def _iso(text: str) -> str | None:
    for form in ("%Y-%m-%d", "%Y/%m/%d", "%d %B %Y", "%d %b %Y"):
        try:
            return datetime.strptime(text.strip(), form).date().isoformat()
        except ValueError:
            continue
    return None


def _other(source: SourceFile, found: Sequence[WordParagraph]) -> Document:
    builder = DocumentBuilder()
    for item in found:
        text = f"{item.number} {item.text}".strip()
        if item.kind == "table":
            builder.block("\n".join(item.lines), "table")
        elif item.kind == "running":
            builder.block(item.text, "running_header")
        elif item.kind == "heading" or (item.bold and len(text) < 150):
            builder.heading(text)
        else:
            builder.block(text, "block")
        for note in item.footnotes:
            builder.block(note, "footnote")
    title = str(
        source.hints.get("title") or next((item.text for item in found if item.kind == "heading"), found[0].text)[:200]
    )
    country = str(source.hints.get("jurisdiction") or "xx")
    return builder.document(
        source,
        document_id=document_id(country, "doc", title[:80], source.sha256[:8]),
        title=title,
        jurisdiction=country,
        doc_type=str(source.hints.get("doc_type") or "other"),
        language=str(source.hints.get("language") or "und"),
        format=NAME,
        parser_version=VERSION,
    )


FORMAT = Format(NAME, "Word file (.docx): judgment, Act or other document", sniff, parse, VERSION)

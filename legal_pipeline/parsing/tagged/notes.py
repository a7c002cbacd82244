"""Parses tagged notes: blocks with the paragraph number of the judgment that they report; the tag is removed from the text.

Not here: finding the blocks (`tagged.blocks`).
"""

from __future__ import annotations

import re
from typing import Any

from legal_pipeline.building.builder import DocumentBuilder
from legal_pipeline.building.format import CERTAIN, LIKELY, NEAR, NO, POSSIBLE, Format
from legal_pipeline.building.source import SourceFile
from legal_pipeline.model.document import Document
from legal_pipeline.parsing.front_matter import read_front_matter
from legal_pipeline.parsing.generic.law import text_document
from legal_pipeline.parsing.generic.plain_text import is_plain_text
from legal_pipeline.parsing.tagged.blocks import Block, blocks, read_signs
from legal_pipeline.parsing.text_lines import PARAGRAPH, unwrap_at
from legal_pipeline.text.dates import first_date
from legal_pipeline.text.normalise import one_line

NAME = "tagged_notes"
VERSION = "1"

_HEADER_LINE = re.compile(r"(?P<key>[A-Z][A-Za-z/ ]{2,30}):\s*(?P<value>\S.*)")
_METADATA_KEYS = {
    "date of judgement": "date_decided", "date of judgment": "date_decided", "delivered by": "judges", "case type": "case_type",
    "year/volume": "volume", "court": "court", "citation": "citation",
}  # fmt: skip


def sniff(source: SourceFile) -> float:
    """Return `CERTAIN` for three or more closing tags, `LIKELY` for fewer or for bullets that open sections, else less than `POSSIBLE`."""
    if not is_plain_text(source.head):
        return NO
    signs = read_signs(source.head)
    if signs.tags_close_blocks:
        return CERTAIN if signs.closing_tags >= 3 else LIKELY
    if signs.bullets_open_sections:
        return LIKELY
    return POSSIBLE - 0.1 if signs.closing_tags else (NEAR if signs.bullets else NO)


def parse(source: SourceFile) -> Document:
    """Return a document with a `block` node per block; a tag gives it the attributes `para_id` (`[Para 26]`), `tag`, `paras` and `pins`."""
    text = source.text
    builder = DocumentBuilder()
    front = read_front_matter(text)
    signs = read_signs(text)
    metadata, start = _header(builder, text, front.end)
    mode = "bullet" if signs.bullets_open_sections else "tag"
    for number, block in enumerate(blocks(text, start, use_bullets=mode == "bullet"), 1):
        _add_block(builder, text, block, number)
    metadata["mode"] = mode
    hints = source.hints
    said = {
        **hints,
        "title": front.text("title") or hints.get("title") or metadata.pop("title", None),
        "jurisdiction": hints.get("jurisdiction") or front.text("country"),
        "language": hints.get("language") or front.text("language"),
    }
    return text_document(source, builder, said, metadata=metadata)


def _header(builder: DocumentBuilder, text: str, start: int) -> tuple[dict[str, Any], int]:
    """Add a header of title and `Key: value` lines, if the note has one; return its metadata and the offset where the note begins."""
    rest = text[start:]
    lead = len(rest) - len(rest.lstrip())
    head = rest[lead:].split("\n\n", 1)[0]
    lines = [line for line in head.split("\n") if line.strip()]
    keyed = [match for line in lines if (match := _HEADER_LINE.fullmatch(line.strip())) and "[" not in line]
    if len(keyed) < 2 or len(lines) - len(keyed) > 2:
        return {}, start
    metadata: dict[str, Any] = {}
    with builder.node("header"):
        for line in lines:
            builder.add(one_line(line))
    if _HEADER_LINE.fullmatch(lines[0].strip()) is None:
        metadata["title"] = one_line(lines[0])
    for match in keyed:
        key = _METADATA_KEYS.get(match["key"].strip().lower())
        if key:
            value = one_line(match["value"])
            metadata[key] = (first_date(value, "eng", "month first") or value) if key == "date_decided" else value
    return metadata, start + lead + len(head)


def _add_block(builder: DocumentBuilder, text: str, block: Block, number: int) -> None:
    attributes: dict[str, Any] = {}
    if block.tag is not None:
        attributes["para_id"] = one_line(re.sub(r"\s+\]", "]", block.tag))
        attributes["tag"] = block.tag
        attributes["paras"] = list(block.paras)
        if block.pins:
            attributes["pins"] = list(block.pins)
    with builder.node("block", str(number), attributes=attributes):
        for paragraph in PARAGRAPH.finditer(text, block.start, block.end):
            joined, pairs = unwrap_at(paragraph.start(), paragraph.group())
            builder.add(joined, offsets=pairs)


FORMAT = Format(NAME, "Notes with paragraph tags or section bullets", sniff, parse, VERSION)

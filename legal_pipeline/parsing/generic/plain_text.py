"""Plain text of any origin: a law that the recogniser finds, otherwise blocks divided at blank lines, with headings that are certain.

Not here: plain text whose layout a publisher defines.
"""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterator

from legal_pipeline.building.builder import DocumentBuilder
from legal_pipeline.building.format import NO, POSSIBLE, Format
from legal_pipeline.building.source import SourceFile
from legal_pipeline.building.xml import is_one_element
from legal_pipeline.model.document import Document
from legal_pipeline.parsing.front_matter import BESIDE_TEXT
from legal_pipeline.parsing.generic.judgment import recognise_judgment
from legal_pipeline.parsing.generic.law import law_document, recognise_law, text_document
from legal_pipeline.parsing.generic.stated_provision import provision_document
from legal_pipeline.parsing.json_source import begins_as_json
from legal_pipeline.parsing.readers.plain_text import text_blocks
from legal_pipeline.parsing.recogniser.recognise import VERSION as RECOGNISER
from legal_pipeline.parsing.text_lines import text_lines
from legal_pipeline.parsing.text_tables import read_table
from legal_pipeline.text.markup import tags
from legal_pipeline.text.normalise import unwrap

NAME = "plain_text"
VERSION = f"10.{RECOGNISER}"

_TAG = re.compile(
    r"<(?:!doctype|\?xml|html|head|body|div|p|span|table|article|section|akomaNtoso|[a-z]+:[a-z]+)\b[^<>]{0,300}>",
    re.IGNORECASE,
)
#: A text may quote one or two tags; a text with more is an HTML page, even if all of them are line breaks.
_MAX_TAGS = 2
_BINARY_START = ("%PDF-", "PK\x03\x04", "{\\rtf")
_ITEM = re.compile(r"[ \t]*(?:([-*•–])|(\d{1,3}|[a-zåäö]|[ivxl]{2,5})([.)])|\((\w{1,4})\))[ \t]+(?=\S)")
_LABELLED = re.compile(
    r"(?:CHAPTER|PART|SCHEDULE|APPENDIX|KAPITEL|AVDELNING|BILAGA)\s+(?:\d+[A-Z]?|[IVXLC]+|[A-Z])\b.{0,100}",
    re.IGNORECASE,
)
#: A longer line in capitals is a sentence, not a heading.
_HEADING_CHARS = 100


def is_plain_text(head: str) -> bool:
    """Whether `head` is prose: not JSON, XML, HTML or another markup or binary format."""
    start = head.lstrip("\ufeff \t\n")
    if not start or start.startswith(_BINARY_START) or _TAG.search(head) or len(tags(head)) > _MAX_TAGS:
        return False
    if start[0] == "<" and re.match(r"<[!?/a-zA-Z]", start):
        return False
    if begins_as_json(start):
        return False
    if start[0] in "[{":  # "[2025] ZWHHC 304" opens with a valid JSON list, but something follows it
        try:
            _, end = json.JSONDecoder().raw_decode(start)
        except ValueError:
            return True
        return bool(start[end:].strip())
    return True


def sniff(source: SourceFile) -> float:
    """Return at most `POSSIBLE`: plain text is the fallback format. JSON, XML and HTML are never read as prose."""
    return POSSIBLE if is_plain_text(source.head) and not is_one_element(source) else NO


def parse(source: SourceFile) -> Document:
    """Return a law, or blocks with headings; the offset map is complete.

    Raises `EmptyDocumentError` and `ParseError` as `SourceFile.text` does.
    """
    hints = source.hints
    blocks = text_blocks(source.text)
    if (judgment := recognise_judgment(source, blocks, hints)) is not None:
        return judgment
    recognition = recognise_law(blocks, hints)
    front = source.memo.get(BESIDE_TEXT)
    if (provision := provision_document(source, front, blocks, recognition, hints)) is not None:
        return provision
    if recognition.builder is not None:
        return law_document(source, recognition, hints)
    builder = DocumentBuilder()
    title = hints.get("title")
    paragraphs = list(_paragraphs(source.text))
    for lines, offsets in paragraphs:
        if _is_heading(lines) or (not builder.position and len(paragraphs) > 1 and _is_title(lines)):
            text, pairs = unwrap(lines, offsets)
            builder.heading(text, offsets=pairs)
            title = title or text
        elif (table := read_table(lines, offsets[0])) is not None:
            builder.block(table[0], "table", offsets=table[1])
        elif len(lines) > 1 and sum(1 for line in lines if _ITEM.match(line)) >= 2:
            _add_list(builder, lines, offsets)
        else:
            text, pairs = unwrap(lines, offsets)
            builder.block(text, "block", offsets=pairs)
    return text_document(source, builder, hints, recognition, title)


def _paragraphs(text: str) -> Iterator[tuple[list[str], list[int]]]:
    """Yield (lines, their offsets) of each run of lines without a blank line; a form feed counts as a line end."""
    for is_written, lines in itertools.groupby(text_lines(text), key=lambda line: bool(line.stripped)):
        if is_written:
            texts, offsets = zip(*((line.text, line.offset) for line in lines), strict=True)
            yield list(texts), list(offsets)


def _is_heading(lines: list[str]) -> bool:
    """Whether the block is one line that is in capitals or begins with a label and a number, and does not end as a sentence does."""
    if len(lines) > 1:
        return False
    line = lines[0].strip()
    if len(line) > _HEADING_CHARS or line[-1] in ".,;:?!":
        return False
    letters = sum(character.isalpha() for character in line)
    return (letters >= 4 and line.isupper() and not _ITEM.match(line)) or bool(_LABELLED.fullmatch(line))


def _is_title(lines: list[str]) -> bool:
    """Whether the first block is the title: one short line that begins with a capital and does not end as a sentence does."""
    line = lines[0].strip()
    return len(lines) == 1 and len(line) <= _HEADING_CHARS and line[0].isupper() and line[-1] not in ".,;:?!"


def _add_list(builder: DocumentBuilder, lines: list[str], offsets: list[int]) -> None:
    """Add a block in which every marked line begins an item; the lines before the first mark introduce the list."""
    starts = [index for index, line in enumerate(lines) if _ITEM.match(line)]
    with builder.node("block"):
        if starts[0]:
            text, pairs = unwrap(lines[: starts[0]], offsets[: starts[0]])
            builder.add(text, offsets=pairs)
        for index, end in zip(starts, [*starts[1:], len(lines)], strict=True):
            match = _ITEM.match(lines[index])
            assert match is not None
            text, pairs = unwrap(lines[index:end], offsets[index:end])
            with builder.node("item", match.group(2) or match.group(4)):
                builder.add(text, separator="\n" if index else "\n\n", offsets=pairs)


FORMAT = Format(NAME, "Plain text without a known layout", sniff, parse, VERSION)

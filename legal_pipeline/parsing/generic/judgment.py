"""Judgments in files of a generic format: web pages, markdown, plain text, Word, PDF.

Not here: reading the blocks (each format), recognising a judgment and its parts (`parsing.judgment`).
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping, Sequence
from typing import Any

from legal_pipeline.building.builder import DocumentBuilder
from legal_pipeline.building.source import SourceFile
from legal_pipeline.model.document import Document
from legal_pipeline.model.identity import JUDGMENTS
from legal_pipeline.parsing.blocks import ASIDE_TYPES, Block, Blocks, join_blocks
from legal_pipeline.parsing.generic.identity import generic_document_id, language_warning
from legal_pipeline.parsing.generic.law import stated_law
from legal_pipeline.parsing.judgment import blocks as judgment_blocks
from legal_pipeline.parsing.judgment.cause_title import country_of, judgment_document
from legal_pipeline.parsing.judgment.frame import is_paragraph
from legal_pipeline.parsing.judgment.languages import ENGLISH, judgment_language, names_itself
from legal_pipeline.parsing.judgment.own_citation import own_citation
from legal_pipeline.parsing.judgment.paragraph_numbers import MINIMUM, number_paragraphs
from legal_pipeline.parsing.judgment.phrases import Phrases, load_phrases, mark_alone
from legal_pipeline.parsing.judgment.plain_text import (
    has_title_of_collection,
    is_stated_as_another,
    looks_like_a_judgment,
)
from legal_pipeline.parsing.judgment.structure import write_judgment
from legal_pipeline.parsing.recogniser.signs import Stated
from legal_pipeline.text.language import detect_language

#: The cover of an English judgment is in this many blocks at the beginning.
_COVER_BLOCKS = 40
#: Minimum share of the blocks that are numbered paragraphs, in a judgment without a title; maximum number of words of a heading.
_NUMBERED_SHARE = 1 / 3
_HEADING_WORDS = 15
_SENTENCE_ENDS = tuple('.;,?!”"’»')
#: A line of a cover with a label, "RELATOR : MIN. ANA VELA", which some courts repeat above each part.
_LABELLED = re.compile(r"[^:]{1,30}\s:\s+\S")
#: A paragraph as a table of one row: behind its number or mark, or behind an empty cell. A table with one cell in each row.
_ROW = re.compile(r"(?P<mark>[^\s\w|]? ?\(?\w{0,4}[.)]?) ?\| (?P<text>[^|\n]+)")
_ONE_CELL = re.compile(r"(?:\| )?[^|\n]+(?:\n(?:\| )?[^|\n]+)+")


def recognise_judgment(
    source: SourceFile,
    blocks: Blocks,
    said: Mapping[str, Any],
    metadata: Mapping[str, Any] | None = None,
    page_title: tuple[str, str] | None = None,
    **fields: Any,
) -> Document | None:
    """Return the judgment that `blocks` are; None if they are not one, or its language is not known, or `said` states another type.

    `said` holds hints and front matter, as for `recognise_law`; `page_title` is as for `judgment_document`, and `fields` are
    further fields of the document. The judgment has the id and the work that `said` states; it has the number that `said` states only if
    its text does not identify it.
    """
    if stated_law(said) != Stated.NOTHING or is_stated_as_another(said):
        return None
    texts = [block.text for block in blocks if block.kind not in ("footnote", "running")]
    code = ENGLISH if looks_like_a_judgment("\n".join(texts[:_COVER_BLOCKS])) else judgment_language(texts)
    is_stated = said.get("doc_type") in JUDGMENTS
    if code is None and is_stated:
        code = detect_language("\n".join(texts)).code
    if code is None:
        return None
    if refuted := language_warning(said, "\n".join(texts)):
        said = {**said, "language": code}
        fields["warnings"] = (*refuted, *fields.get("warnings", ()))
    stated = source.with_hints(**{key: value for key, value in said.items() if value})
    country = country_of(stated, texts)
    phrases = load_phrases(country, code)
    read = [_read(block, phrases) for block in _with_margin_numbers([_without_rows(block) for block in blocks])]
    if not names_itself(texts, phrases, code) and not _is_numbered(read, texts, is_stated):
        return None
    builder = DocumentBuilder()
    outline = write_judgment(builder, read, country, code)
    document = judgment_document(
        builder, stated, outline, texts, country=country, language=code, page_title=page_title, **fields
    )
    document = dataclasses.replace(document, metadata={**(metadata or {}), **document.metadata})
    if said.get("document_id") or said.get("work_uri") or (said.get("number") and document.work_uri is None):
        number = said.get("number") or document.number
        document_id = generic_document_id(source.path, said, country, number)
        return dataclasses.replace(
            document, document_id=document_id, number=number, work_uri=said.get("work_uri") or document.work_uri
        )
    return document


def _is_numbered(blocks: Sequence[judgment_blocks.Block], texts: Sequence[str], is_stated: bool) -> bool:
    """Whether the text is mostly numbered paragraphs, or has some and its own citation, the title of a collection or the stated type of a
    judgment: a note on a judgment may have a numbered list."""
    numbers = number_paragraphs(blocks)
    is_named = own_citation(texts) is not None or has_title_of_collection("\n".join(texts[:_COVER_BLOCKS]))
    share = 0 if is_stated or is_named else _NUMBERED_SHARE
    return len(numbers) >= max(MINIMUM, share * len(blocks))


def _read(block: Block, phrases: Phrases) -> judgment_blocks.Block:
    is_heading = block.kind == "text" and (block.level > 0 or _reads_as_heading(block, phrases))
    style = "heading" if is_heading else ASIDE_TYPES.get(block.kind)
    return judgment_blocks.Block(block.text, style, page=block.page, offsets=block.offsets)


def _reads_as_heading(block: Block, phrases: Phrases) -> bool:
    """Whether a short block that is not a sentence is set apart by its style, or announces a part."""
    if mark_alone(block.text) is not None:
        return True
    if len(block.text.split()) > _HEADING_WORDS or block.text[-1:] in _SENTENCE_ENDS or block.text[:1].islower():
        return False
    is_set_apart = block.is_styled and _LABELLED.match(block.text) is None
    return is_set_apart or phrases.heading_role(block.text) is not None or phrases.is_division(block.text)


def _with_margin_numbers(blocks: Blocks) -> list[Block]:
    """Return `blocks` with each paragraph number that is a block of its own before the text of its paragraph.

    Fewer than `MINIMUM` such numbers, counted from 1, are left as they are.
    """
    out: list[Block] = []
    number = 0
    waiting: Block | None = None
    for block in blocks:
        if waiting is not None and block.kind == "text" and not block.level:
            out.append(join_blocks(Block(waiting.text, page=block.page, offsets=waiting.offsets), block))
            number, waiting = number + 1, None
            continue
        if waiting is not None:
            out.append(waiting)
        waiting = block if block.kind == "text" and block.text == str(number + 1) else None
        if waiting is None:
            if block.text.startswith(f"{number + 1} ") and is_paragraph(block.text):
                number += 1
            out.append(block)
    return [*out, *([waiting] if waiting is not None else [])] if number >= MINIMUM else list(blocks)


def _without_rows(block: Block) -> Block:
    """Return a paragraph that its page sets as a table, of one row or with one cell in each row, as text."""
    if block.kind != "table":
        return block
    if row := _ROW.fullmatch(block.text):
        return Block(f"{row['mark'].strip()} {row['text']}".strip(), page=block.page)
    if _ONE_CELL.fullmatch(block.text):
        return Block(" ".join(line.removeprefix("| ") for line in block.text.split("\n")), page=block.page)
    return block

"""Word files: judgments with numbered paragraphs, Acts, and other documents.

Not here: reading the archive (`parsing.docx_text`), the segments of a judgment (`parsing.judgment`), the hierarchy of an Act
(`parsing.importer_html`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from legal_pipeline.building.builder import DocumentBuilder
from legal_pipeline.building.format import CERTAIN, NO, Format
from legal_pipeline.building.source import SourceFile
from legal_pipeline.errors import EmptyDocumentError
from legal_pipeline.model.document import Document
from legal_pipeline.parsing.docx_text import WordParagraph, word_paragraphs
from legal_pipeline.parsing.generic.judgment import recognise_judgment
from legal_pipeline.parsing.generic.law import law_document, recognise_law, text_document
from legal_pipeline.parsing.importer_html import act_document, may_be_act
from legal_pipeline.parsing.judgment.cause_title import country_of, judgment_document
from legal_pipeline.parsing.judgment.phrases import Phrases, load_phrases
from legal_pipeline.parsing.judgment.plain_text import is_stated_as_another, looks_like_a_judgment
from legal_pipeline.parsing.judgment.structure import Block, write_judgment
from legal_pipeline.parsing.readers.word import blocks_of_word, without_frames
from legal_pipeline.parsing.recogniser.outline import Outline
from legal_pipeline.parsing.recogniser.recognise import VERSION as RECOGNISER
from legal_pipeline.parsing.recogniser.recognise import Recognition

NAME = "docx"
VERSION = f"13.{RECOGNISER}"

_NUMBERED = re.compile(r"^\[\d{1,3}\]")


def sniff(source: SourceFile) -> float:
    """Recognise a zip archive that contains the main part of a Word file."""
    data = source.data
    return CERTAIN if data.startswith(b"PK\x03\x04") and b"word/document.xml" in data else NO


def parse(source: SourceFile) -> Document:
    """Parse a judgment, an Act or another document, as its text shows. See `word_paragraphs` for the errors."""
    found = list(without_frames(word_paragraphs(source)))
    if not found:
        raise EmptyDocumentError("the file holds no text", expected="paragraphs")
    head = "\n".join(line for item in found[:40] for line in item.lines)
    if not is_stated_as_another(source.hints) and looks_like_a_judgment(head):
        return _judgment(source, found)
    blocks = blocks_of_word(found)
    if (judgment := recognise_judgment(source, blocks, source.hints)) is not None:
        return judgment
    recognition = recognise_law(blocks, source.hints)
    text = [block for block in blocks if block.kind != "running"]
    if may_be_act(text, source) and not _has_words(recognition.outline):
        # before the text: headers and footers of pages are not part of the last section
        return act_document([*(block for block in blocks if block.kind == "running"), *text], source)
    if recognition.builder is not None:
        return law_document(source, recognition, source.hints)
    return _text_document(source, found, recognition)


def _has_words(outline: Outline) -> bool:
    """Whether most provisions have a word before their number ("Article 3"): bold points below them are not sections."""
    labels = outline.labels
    return 2 * sum(bool(label.kinds) for label in labels) > len(labels)


def _judgment(source: SourceFile, found: Sequence[WordParagraph]) -> Document:
    texts = ["\n".join(item.lines) for item in found if item.kind != "running"]
    country = country_of(source, texts)
    builder = DocumentBuilder()
    outline = write_judgment(builder, _blocks(found, load_phrases(country)), country)
    for item in found:
        if item.kind == "running":
            builder.block(item.text, "page_number" if item.text.isdigit() else "running_header")
    return judgment_document(builder, source, outline, texts, country=country)


def _blocks(found: Sequence[WordParagraph], phrases: Phrases) -> list[Block]:
    blocks: list[Block] = []
    for item in found:
        if item.kind == "running":
            continue
        if item.kind == "table":
            blocks.append(Block("\n".join(item.lines), "table"))
        else:
            # Word prints automatic numbers before the text; a citation needs them in the text with offsets.
            is_item = bool(item.number) and not _NUMBERED.match(item.number)
            is_heading = not is_item and (item.kind == "heading" or phrases.is_title(item.text))
            style = "heading" if is_heading else None
            blocks.append(Block(f"{item.number} {item.text}".strip(), style))
        blocks.extend(Block(note, "footnote") for note in item.footnotes)
    return blocks


def _text_document(source: SourceFile, found: Sequence[WordParagraph], recognition: Recognition) -> Document:
    """Return headings and blocks, with what the recogniser says of the text."""
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
    first = found[0].lines[0] if found[0].kind == "table" else found[0].text
    title = next((item.text for item in found if item.kind == "heading"), first)
    return text_document(source, builder, source.hints, recognition, title)


FORMAT = Format(NAME, "Word file (.docx): judgment, Act or other document", sniff, parse, VERSION)

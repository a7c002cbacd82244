"""Builds a document from a PDF: the parser that recognises its running text parses it; headers, page numbers and footnotes follow.

The canonical text contains first all running text, then everything else, so that no header interrupts a provision. Each header, footer,
page number and footnote is a node (`running_header`, `running_footer`, `page_number`, `footnote`) with its page; a footnote also has
the offset of its mark. Not here: layout (`pdf.layout`), paragraphs (`pdf.paragraphs`), OCR (`pdf.ocr`).
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from legal_pipeline.building.builder import BLOCK_SEPARATOR, DocumentBuilder
from legal_pipeline.building.format import CERTAIN, NO, POSSIBLE, Format
from legal_pipeline.building.source import STRUCK_WORDS, SourceFile
from legal_pipeline.errors import EmptyDocumentError, ParseError
from legal_pipeline.model.document import Document, Node
from legal_pipeline.model.identity import assign_eids
from legal_pipeline.parsing.countries import country_formats
from legal_pipeline.parsing.generic.judgment import recognise_judgment
from legal_pipeline.parsing.generic.law import law_document, recognise_law, text_document
from legal_pipeline.parsing.pdf.alignment import align
from legal_pipeline.parsing.pdf.blocks import blocks_of_pdf, is_heading
from legal_pipeline.parsing.pdf.glyphs import NAME, Page
from legal_pipeline.parsing.pdf.layout import Matter, PageLayout, lay_out, text_size
from legal_pipeline.parsing.pdf.ocr import OcrPage
from legal_pipeline.parsing.pdf.paragraphs import TextBlock, text_blocks
from legal_pipeline.parsing.pdf.reading import read_pdf
from legal_pipeline.parsing.recogniser.recognise import VERSION as RECOGNISER
from legal_pipeline.parsing.recogniser.recognise import Recognition
from legal_pipeline.text.hyphens import words_of
from legal_pipeline.text.normalise import one_line, prepare, unwrap
from legal_pipeline.text.quality import measure

VERSION = f"15.{RECOGNISER}"

#: Formats that accept any text, and the format for prints flattened to one line. Not used here: the layout gives better blocks.
_ANY_TEXT = frozenset({"plain_text", "markdown", "amendment_text", NAME})
_REVIEW_CONFIDENCE = 0.80


def sniff(source: SourceFile) -> float:
    # a ZIP archive may hold a PDF as it is, behind a short head
    return CERTAIN if b"%PDF-" in source.data[:1024] and not source.data.startswith(b"PK\x03\x04") else NO


def parse(source: SourceFile, formats: Sequence[Format]) -> Document:
    """Return the document; its running text is parsed as an official print, by the most confident of `formats`, or generically.

    Raises `EmptyDocumentError` for pages without text, and `ParseError` for a damaged or encrypted file or a scan that cannot be read.
    """
    pages, scans = read_pdf(source)
    source.memo[STRUCK_WORDS] = [text for page in pages for text in page.struck]
    with words_of(lambda: "\n".join(segment.text for page in pages for segment in page.segments)):
        return _of_pages(source, formats, pages, scans)


def _of_pages(
    source: SourceFile, formats: Sequence[Format], pages: Sequence[Page], scans: dict[int, OcrPage]
) -> Document:
    layouts = lay_out([page for page in pages if page.number not in scans])
    size = text_size(pages)
    blocks = text_blocks(layouts, size)
    if not blocks and not any(scan.paragraphs for scan in scans.values()):
        raise EmptyDocumentError(f"no text on any of {len(pages)} pages", expected="a text layer or scanned pages")
    if scans:
        return _scanned(source, pages, layouts, scans, size)
    flow, starts, anchors = _flow(blocks)
    inner = (
        _official_print(source, blocks, layouts, size)
        or _structured(source, flow, formats)
        or _generic(source, blocks, size)
    )
    return _with_layout(source, inner, flow, starts, anchors, layouts, len(pages))


def _flow(blocks: Sequence[TextBlock]) -> tuple[str, list[tuple[int, int]], list[tuple[str, int, int]]]:
    """Return (running text, (page, offset) of page starts, (mark, page, offset) of footnote marks)."""
    parts: list[str] = []
    starts: list[tuple[int, int]] = []
    anchors: list[tuple[str, int, int]] = []
    position = 0
    for block in blocks:
        if not block.text:
            continue
        if parts:
            position += len(BLOCK_SEPARATOR)
        if not starts or block.page > starts[-1][0]:
            starts.append((block.page, position))
        starts.extend((page, position + offset) for offset, page in block.page_breaks if page > starts[-1][0])
        anchors.extend((mark, page, position + offset) for offset, mark, page in block.marks)
        parts.append(block.text)
        position += len(block.text)
    return BLOCK_SEPARATOR.join(parts), starts, anchors


def _official_print(
    source: SourceFile, blocks: Sequence[TextBlock], layouts: Sequence[PageLayout], size: float
) -> Document | None:
    """Return an official print of the country named by the hints, or of any country; None if no country recognises it.

    The number of a print may be only in the margin or header, so the countries also get the text beside the running text.
    """
    kept = [block for block in blocks if block.text]
    paragraphs = [prepare(block.text) for block in kept]
    headings = [is_heading(block, size) for block in kept]
    beside = [matter.text for layout in layouts[:8] for matter in layout.matter if matter.kind != "footnote"]
    for country in country_formats():
        if country.read_print is None or source.hints.get("jurisdiction", country.code) != country.code:
            continue
        if (found := country.read_print(source, paragraphs, headings, beside)) is not None:
            return found
    return None


def _structured(source: SourceFile, flow: str, formats: Sequence[Format]) -> Document | None:
    """Return the running text parsed by the most confident text format, None when only generic formats accept it."""
    text = dataclasses.replace(source, data=flow.encode("utf-8"), name=source.name.removesuffix(".pdf"))
    text.memo[STRUCK_WORDS] = source.memo.get(STRUCK_WORDS, [])
    candidates = [format for format in formats if format.name not in _ANY_TEXT]
    scored = [(format.sniff(text), -index, format) for index, format in enumerate(candidates)]
    score, _, best = max(scored, key=lambda row: row[:2], default=(0.0, 0, None))
    if best is None or score < POSSIBLE:
        return None
    try:
        return best.parse(text)
    except ParseError:
        # The text only resembled this format: the blocks of the layout are used instead.
        return None


def _generic(source: SourceFile, blocks: Sequence[TextBlock], size: float) -> Document:
    """Return a law that the recogniser finds, else a document of headings and blocks."""
    read = blocks_of_pdf(blocks, size)
    if (judgment := recognise_judgment(source, read, source.hints)) is not None:
        return judgment
    recognition = recognise_law(read, source.hints)
    if recognition.builder is not None:
        return law_document(source, recognition, source.hints)
    builder = DocumentBuilder()
    for block in blocks:
        if is_heading(block, size):
            builder.heading(block.text)
        else:
            builder.block(block.text, "block")
    return _document(source, builder, recognition)


def _document(source: SourceFile, builder: DocumentBuilder, recognition: Recognition | None = None) -> Document:
    heading = next((node for node in builder.nodes if node.type == "heading"), None)
    first = builder.text[heading.start : heading.end] if heading is not None else None
    return text_document(source, builder, source.hints, recognition, first)


def _with_layout(
    source: SourceFile,
    inner: Document,
    flow: str,
    starts: Sequence[tuple[int, int]],
    anchors: Sequence[tuple[str, int, int]],
    layouts: Sequence[PageLayout],
    total: int,
) -> Document:
    """Return `inner` with the page table in its metadata and the layout matter after its text."""
    moved = align(prepare(flow), inner.text, [*(offset for _, offset in starts), *(offset for _, _, offset in anchors)])
    page_starts = [(page, offset) for (page, _), offset in zip(starts, moved, strict=False)]
    placed = {(page, mark): offset for (mark, page, _), offset in zip(anchors, moved[len(starts) :], strict=True)}
    metadata = {"structure_format": inner.format or NAME, **_page_table(page_starts, len(inner.text), total)}
    warnings = list(inner.warnings)
    quality = measure(inner.text)
    if quality.is_garbled:
        metadata["text_quality"] = quality.to_json()
        warnings.append(f"{quality.score:.0%} of the words are garbled: the text layer needs a person's eye")
    return dataclasses.replace(
        _with_matter(inner, layouts, placed),
        format=NAME,
        parser_version=f"{VERSION}+{inner.format}.{inner.parser_version}" if inner.format else VERSION,
        source_file=source.name,
        source_sha256=source.sha256,
        metadata={**inner.metadata, **metadata},
        requires_manual_review=inner.requires_manual_review or quality.is_garbled,
        warnings=tuple(warnings),
    )


def _page_table(starts: Sequence[tuple[int, int]], end: int, total: int) -> dict[str, Any]:
    """Return the range of characters of each page, made from `starts`: (page number, offset of its first character).

    A provision may continue on the next page, so pages are not parents of provisions.
    """
    ends = [*(start for _, start in starts[1:]), end]
    rows = [{"number": number, "start": start, "end": stop} for (number, start), stop in zip(starts, ends, strict=True)]
    return {"pages": rows, "total_pages": total}


def _with_matter(document: Document, layouts: Sequence[PageLayout], placed: Mapping[tuple[int, str], int]) -> Document:
    """Return `document` with the layout matter after its text; `placed` are the offsets of the marks of footnotes."""
    parts = [document.text]
    length = len(document.text)
    nodes = list(document.nodes)
    for layout in layouts:
        for matter in layout.matter:
            words = _matter_text(matter)
            if not words:
                continue
            parts.extend((BLOCK_SEPARATOR, words))
            start = length + len(BLOCK_SEPARATOR)
            length = start + len(words)
            attributes: dict[str, Any] = {"page": matter.page}
            if matter.kind == "footnote" and matter.num is not None and (matter.page, matter.num) in placed:
                attributes["anchor"] = placed[matter.page, matter.num]
            nodes.append(Node(matter.kind, start, length, matter.num, attributes=attributes))
    assign_eids(nodes)
    return dataclasses.replace(document, text="".join(parts), nodes=tuple(nodes), offset_map=())


def _matter_text(matter: Matter) -> str:
    text = prepare(matter.text)
    return unwrap(text.split("\n"))[0] if matter.kind == "footnote" else one_line(text)


def _scanned(
    source: SourceFile, pages: Sequence[Page], layouts: Sequence[PageLayout], scans: dict[int, OcrPage], size: float
) -> Document:
    """Return a law that the recogniser finds in the text of all pages, else a document with a node per page. OCR confidences are in
    `metadata`. No paragraph continues over a scanned page."""
    blocks: list[TextBlock] = []
    for start, end in itertools.pairwise([0, *sorted(scans), pages[-1].number + 1]):
        if start in scans:
            read = (TextBlock(prepare(one_line(text)), start, size) for text in scans[start].paragraphs)
            blocks += [block for block in read if block.text]
        if between := [layout for layout in layouts if start < layout.number < end]:
            blocks += text_blocks(between, size)
    recognition = recognise_law(blocks_of_pdf(blocks, size), source.hints)
    if recognition.builder is not None:
        inner = law_document(source, recognition, source.hints)
        document = _with_layout(source, inner, *_flow(blocks), layouts, len(pages))
    else:
        document = _by_page(source, pages, layouts, blocks, scans)
        document = dataclasses.replace(document, warnings=(*document.warnings, *recognition.warnings))
    return _with_confidence(document, scans, len(pages))


def _by_page(
    source: SourceFile,
    pages: Sequence[Page],
    layouts: Sequence[PageLayout],
    blocks: Sequence[TextBlock],
    scans: dict[int, OcrPage],
) -> Document:
    """Return a document with a node per page; the node of a scan has its OCR confidence."""
    builder = DocumentBuilder()
    starts: list[tuple[int, int]] = []
    for page in pages:
        with builder.node("page", str(page.number)) as node:
            scan = scans.get(page.number)
            if scan is not None:
                node.attributes["ocr_confidence"] = scan.confidence
            for block in blocks:
                if block.page == page.number:
                    builder.block(block.text, "block")
        starts.append((page.number, node.start))
    document = _document(source, builder)
    return dataclasses.replace(
        _with_matter(document, layouts, {}),
        metadata={**document.metadata, **_page_table(starts, len(document.text), len(pages))},
        requires_manual_review=measure(document.text).is_garbled,
    )


def _with_confidence(document: Document, scans: dict[int, OcrPage], total: int) -> Document:
    """Return `document` with a warning of the pages read by OCR and its confidences; a low confidence requires a manual review."""
    found = [scan.confidence for scan in scans.values() if scan.confidence is not None]
    confidence = round(sum(found) / len(found), 4) if found else None
    low = confidence is None or confidence < _REVIEW_CONFIDENCE
    metadata = {"ocr_confidence": confidence, "ocr_pages": [scan.report() for scan in scans.values()]}
    warning = f"{len(scans)} of {total} pages were read by OCR, mean word confidence {confidence}"
    return dataclasses.replace(
        document,
        metadata={**document.metadata, **metadata},
        requires_manual_review=document.requires_manual_review or low,
        warnings=(*document.warnings, warning),
    )


def pdf_format(formats: Callable[[], Sequence[Format]]) -> Format:
    """Return the PDF format, which parses running text as one of `formats`.

    `formats` is called only when a file is parsed, because its list may contain this format.
    """
    return Format(
        NAME, "PDF with a text layer, or scanned pages", sniff, lambda source: parse(source, formats()), VERSION
    )

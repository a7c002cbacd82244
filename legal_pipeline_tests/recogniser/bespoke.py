"""The parser of each text format beside the recogniser, on the same files of the corpus.

The same work in marked form says what is right, else the number of sections that the file marks, else the format's own parser: then the
figures of the recogniser are its agreement with it. Two states of a law may differ by some sections; both parsers lose the same there.
A format without files of its own gets the text of marked Acts. Not here: renderings (`recogniser.renderings`).
"""

from __future__ import annotations

import html
import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from legal_pipeline.building.source import SourceFile
from legal_pipeline.errors import LegalPipelineError
from legal_pipeline.model.document import Document
from legal_pipeline.parsing.generic.law import law_document, recognise_law
from legal_pipeline.parsing.pdf.blocks import blocks_of_pdf
from legal_pipeline.parsing.pdf.layout import body_size, lay_out
from legal_pipeline.parsing.pdf.paragraphs import text_blocks
from legal_pipeline.parsing.pdf.reading import read_pdf
from legal_pipeline.parsing.registry import detect, parse
from legal_pipeline.parsing.stated_sections import stated_sections
from legal_pipeline_tests.real_documents import existing
from legal_pipeline_tests.recogniser.measure import Counts, compare, plain_number, provisions

#: Text formats with a parser of their own, and the generic format that would read its files.
_GENERIC: Mapping[str, str] = {
    **dict.fromkeys(("selex_markdown", "legalize_markdown", "india_code_markdown", "usc_markdown"), "markdown"),
    **dict.fromkeys(("sfst_text", "amendment_text", "cfr_text", "us_opinion_text", "zimlii_json"), "plain_text"),
    **dict.fromkeys(("india_act_text", "india_judgment_text", "judgment_text"), "plain_text"),
    "pdf": "pdf",
}
#: Formats whose mark-up says what a provision is.
_MARKED = (
    "acts_json",
    "akn_html",
    "akn_xml",
    "canonical_html",
    "dc_code_xml",
    "ecfr_xml",
    "riksdagen_html",
    "uslm_xml",
)
_FOLDERS = ("histories", "in", "se", "tagged", "us", "zw")
_MOST_FILES = 15
_JUDGMENTS = ("judgment", "decision")
_STATUTE_PAGE = re.compile(r'<div class="result-box-text body-text">(.*?)</div>', re.DOTALL)


@dataclass(frozen=True)
class Row:
    """One file read twice. `truth`: what said what is right, "marked", "stated" (numbers alone) or "own parser"."""

    format: str
    truth: str
    own: Counts
    generic: Counts


def rows(corpus: Path) -> Iterator[Row]:
    """At most fifteen files per format; a reader that refuses a file finds nothing in it."""
    marked: dict[str, Document] = {}
    samples: dict[str, list[SourceFile]] = defaultdict(list)
    for source, format in _files(corpus):
        if format not in _MARKED:
            samples[format].append(source)
        elif (document := _read(source, format)) is not None and provisions(document.nodes):
            marked.setdefault(document.document_id, document)
    for document in marked.values():
        text = SourceFile("act.txt", f"{document.title}\n\n{document.text}".encode(), hints={"number": document.number})
        if (format := detect(text).name) in _GENERIC and format != "sfst_text":
            samples[format].append(text)
    for format in _GENERIC:
        read = (compared(source, format, marked) for source in samples[format][:_MOST_FILES])
        yield from (row for row in read if row is not None)


def compared(source: SourceFile, format: str, marked: Mapping[str, Document]) -> Row | None:
    """`source` read as `format` and by the recogniser. None for a judgment in a PDF, and where nothing says what is right."""
    own = _read(source, format)
    if format == "pdf" and (own is None or own.doc_type in _JUDGMENTS):
        return None
    generic = _recognised(source, format)
    right = marked.get(own.document_id) if own is not None else None
    if right is not None:
        return Row(format, "marked", _counts(right, own), _counts(right, generic))
    if (stated := stated_sections(source, format)) is not None:
        return Row(format, "stated", _stated(stated, own), _stated(stated, generic))
    return None if own is None else Row(format, "own parser", _counts(own, own), _counts(own, generic))


def _files(corpus: Path) -> Iterator[tuple[SourceFile, str]]:
    for path in sorted(path for folder in _FOLDERS for path in existing(corpus / folder, "**/*") if path.is_file()):
        source = SourceFile(path.name, path.read_bytes())
        try:
            format = detect(source).name
        except LegalPipelineError:
            continue
        if path.parent.name == format == "rkrattsbaser_html" and (body := _STATUTE_PAGE.search(source.text)):
            if (document := _read(source, format)) is not None:
                yield SourceFile("act.txt", f"{document.title}\n\n{html.unescape(body[1])}".encode()), "sfst_text"
        elif format in _GENERIC or format in _MARKED:
            yield source, format


def _read(source: SourceFile, format: str) -> Document | None:
    try:
        return parse(source, format)
    except LegalPipelineError:
        return None


def _recognised(source: SourceFile, format: str) -> Document | None:
    if format == "pdf":
        pages, scans = read_pdf(source)
        size = body_size(pages)
        blocks = text_blocks(lay_out([page for page in pages if page.number not in scans]), size)
        found = recognise_law(blocks_of_pdf(blocks, size), source.hints)
        return law_document(source, found, source.hints) if found.builder else None
    if format == "zimlii_json":
        act = json.loads(source.data)
        labelled = [(f"{row['section']}. {row.get('title') or ''}", row["content"]) for row in act["provisions"]]
        text = "\n\n".join([act["title"], *(f"{label}\n\n{text.removeprefix(label)}" for label, text in labelled)])
        source = SourceFile("act.txt", text.encode(), hints={"doc_type": "act"})
    return _read(source, _GENERIC[format])


def _counts(right: Document, found: Document | None) -> Counts:
    if found is None:
        return Counts(len(_numbers(right)))
    if right.doc_type not in _JUDGMENTS:
        return compare(right, found)
    expected, numbers = Counter(_numbers(right)), Counter(_numbers(found))
    return Counts(expected.total(), numbers.total(), (hits := (expected & numbers).total()), hits)


def _numbers(document: Document) -> list[str]:
    """Numbers of provisions, those of paragraphs in a judgment."""
    if document.doc_type not in _JUDGMENTS and (found := provisions(document.nodes)):
        return [number for number, _ in found]
    return [plain_number(node.num) for node in document.provisions() if node.num]


def _stated(expected: int, found: Document | None) -> Counts:
    return Counts(expected, count := len(_numbers(found)) if found else 0, min(expected, count))

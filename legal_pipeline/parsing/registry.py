"""The list of formats, and `parse`, which turns bytes into one canonical document.

A new format is one module and one line in `FORMATS`, or in `formats` of its country's package. This module also adds what all documents
have in common: a language, and a measure of how garbled the text is. Not here: the rules of a single format.
"""

from __future__ import annotations

import dataclasses
import difflib
import re

from legal_pipeline.akn import html as akn_html
from legal_pipeline.akn import xml as akn_xml
from legal_pipeline.building.amendment_notes import state_amendments
from legal_pipeline.building.format import CERTAIN, NEAR, POSSIBLE, Format
from legal_pipeline.building.repeals import state_repeals
from legal_pipeline.building.source import SourceFile
from legal_pipeline.building.stated_work import printed_number, stated_work
from legal_pipeline.building.work_identity import in_language, languages
from legal_pipeline.errors import EmptyDocumentError, LimitExceededError, ParseError, UnknownFormatError
from legal_pipeline.languages.language import language
from legal_pipeline.model.document import Document, check_tree
from legal_pipeline.model.identity import UNDETERMINED
from legal_pipeline.parsing import docs_jsonl, docx, importer_html
from legal_pipeline.parsing.completeness import with_completeness
from legal_pipeline.parsing.countries import country_formats
from legal_pipeline.parsing.front_matter import has_front_matter, read_front_matter
from legal_pipeline.parsing.generic import html, law_as_data, markdown, plain_text, tree
from legal_pipeline.parsing.html5 import check_page_end
from legal_pipeline.parsing.json_source import begins_as_json
from legal_pipeline.parsing.judgment import plain_text as judgment_text
from legal_pipeline.parsing.judgment.decision_parts import with_decision_parts
from legal_pipeline.parsing.legalize import markdown as legalize_markdown
from legal_pipeline.parsing.lost_line_ends import LINE_ENDS_LOST, with_line_ends
from legal_pipeline.parsing.pdf.document import pdf_format
from legal_pipeline.parsing.profiles import documents as profiles
from legal_pipeline.parsing.tagged import notes as tagged_notes
from legal_pipeline.parsing.text_in_json import HeldText, text_in_json
from legal_pipeline.system.garbage import without_cycle_search
from legal_pipeline.text.hyphens import words_of
from legal_pipeline.text.language import detect_language
from legal_pipeline.text.markup import tags
from legal_pipeline.text.quality import measure

#: Increased when the additions of `parse` to documents of all formats change; documents parsed before are then stale.
VERSION = "12"

#: Maximum number of suggested formats; more would not help.
_CLOSEST = 3

#: Endings of tables: a row may be a document, and the lines of all rows together are none.
_TABLES = (".csv", ".tsv")

#: Hints that the front matter above an HTML page gives, and its keys.
_FRONT_MATTER = {"title": ("title",), "work_uri": ("work_uri", "frbr_uri"), "language": ("language",)}

#: First bytes of files whose text is packed: their reader collects the words.
_BINARY = (b"%PDF", b"PK\x03\x04")

#: Distinguishes HTML from other XML for the list of closest formats.
_HTML = re.compile(r"<(?:!doctype html|html|head|body|div|p|section|article|table|h[1-6])\b", re.IGNORECASE)

#: The order matters only for equal scores: the more specific format is first.
FORMATS: tuple[Format, ...] = (
    akn_xml.FORMAT,
    *(format for country in country_formats() for format in country.formats),
    *profiles.formats(),
    akn_html.FORMAT,
    importer_html.FORMAT,
    docx.FORMAT,
    docs_jsonl.FORMAT,
    pdf_format(lambda: FORMATS),
    legalize_markdown.FORMAT,
    tagged_notes.FORMAT,
    judgment_text.FORMAT,
    # Generic formats, used if no specific format fits.
    law_as_data.FORMAT,
    markdown.FORMAT,
    plain_text.FORMAT,
    html.FORMAT,
    tree.FORMAT,
    tree.JSON,
)


def formats() -> dict[str, Format]:
    return {format.name: format for format in FORMATS}


def detect(source: SourceFile) -> Format:
    """Return the format with the best score for the content; raise `UnknownFormatError`, which names the closest formats."""
    source.check_size()
    scores: list[tuple[float, int, Format]] = []
    is_json = begins_as_json(source.head)
    for index, format in enumerate(FORMATS):
        score = format.sniff(source)
        if is_json and format.container in ("html", "xml"):
            score = min(score, NEAR)  # the page is a value of the JSON
        if score >= CERTAIN:  # no score is higher, and of equal scores the first format wins
            return format
        scores.append((score, -index, format))
    scores.sort(key=lambda row: row[:2], reverse=True)
    is_table = source.name.lower().endswith(_TABLES)
    if scores and scores[0][0] >= POSSIBLE and not (is_table and scores[0][2].name == plain_text.NAME):
        return scores[0][2]
    _ = source.text  # raises an error for an empty, binary or undecodable file
    container = _container(source)
    message = "no known format"
    if is_table:
        message += ": table of unknown fields; write its documents to a docs.jsonl (docs/reference/schemas.md)"
    elif container in ("json", "xml"):
        message += f": {tree.JSON_REMEDY if container == 'json' else tree.XML_REMEDY}"
    raise UnknownFormatError(message, document=source.name, closest=_closest(source, scores))


def _closest(source: SourceFile, scores: list[tuple[float, int, Format]]) -> tuple[str, ...]:
    """Return at most three names: formats with a score, best first, then formats in the same kind of container."""
    container = _container(source)
    near = [row for row in scores if row[0] > 0 or row[2].container == container]
    near.sort(key=lambda row: (row[0], row[2].container == container, row[1]), reverse=True)
    return tuple(format.name for _, _, format in near[:_CLOSEST])


def _container(source: SourceFile) -> str:
    if source.data.startswith(b"%PDF"):
        return "pdf"
    if source.data.startswith(b"PK\x03\x04"):
        return "docx"
    head = source.head.lstrip()
    if head.startswith(("{", "[")):
        return "json"
    if _HTML.search(head) and not (head.startswith("<?xml") and "<html" not in head):
        return "html"
    if head.startswith("<"):
        return "xml"
    return "html" if tags(head) else "text"


def parse(source: SourceFile, format: str | None = None) -> Document:
    """Parse `source` as `format`, or as the format detected from its content.

    Raises `ParseError` (or one of its kinds) with document, format, position and expectation; never returns an empty document.
    A document that lacks sections or words of its source has a warning and is flagged `requires_manual_review`; a document that lacks more
    than a tenth of the sections raises `IncompleteDocumentError`. If the parser found no language, it is detected; in a language other
    than the country's first language, the id of a work has the language as its suffix. A law without a work URI has that of the work
    that its number, title or stated address names. In a JSON file of unknown fields the one text is parsed (`parsing.text_in_json`), else
    all its texts, and all texts in XML of unknown elements (`generic.tree`). A plain text in one line and of no known
    layout is parsed with the line ends that its labels show (`parsing.lost_line_ends`), and flagged `requires_manual_review`.
    `metadata["quality_score"]` is the share of words that are not garbled, 0 to 1; below the limit of `text.quality` the document is
    flagged `requires_manual_review` with a warning.
    """
    if format is None:
        try:
            chosen = detect(source)
        except UnknownFormatError as unknown:
            if (held := text_in_json(source)) is not None:
                return _of_held_text(source, held)
            if (of_tree := tree.format_of(source)) is None:
                raise
            try:
                return parse(source, of_tree.name)
            except (EmptyDocumentError, UnknownFormatError):
                raise unknown from None
        if chosen.name == plain_text.NAME and (in_lines := with_line_ends(source)) is not None:
            return _of_restored_lines(source, parse(in_lines, detect(in_lines).name))
    else:
        try:
            chosen = formats()[format]
        except KeyError:
            raise UnknownFormatError(
                f"format {format!r} is not known",
                document=source.name,
                closest=tuple(difflib.get_close_matches(format, formats(), _CLOSEST, 0.3)),
            ) from None
        source.check_size()
    try:
        source = _with_front_matter(source, chosen)
        with words_of(lambda: _written(source)), without_cycle_search():
            document = with_decision_parts(chosen.parse(source))
            check_tree(document)
            if chosen.container == "html":  # behind the checks of the format itself, which say more
                check_page_end(source.text)
            state_amendments(document)
            document = with_completeness(document, source)
    except ParseError as error:
        error.format, error.document = error.format or chosen.name, error.document or source.name
        raise
    except RecursionError as error:
        raise LimitExceededError(
            "nested too deeply",
            document=source.name,
            format=chosen.name,
            expected=f"at most {source.limits.max_depth} levels",
        ) from error
    document = _with_language(document)
    state_repeals(document)
    return _with_quality(_with_stated_id(_with_work(_in_language(document, source), source), source))


def _of_held_text(source: SourceFile, held: HeldText) -> Document:
    """Return the document of a text in a JSON file. Its offsets are those of the text, which are not places in the file."""
    try:
        document = parse(held.source)
    except ParseError as error:
        error.position = ", ".join(part for part in (held.path, error.position) if part)
        raise
    metadata = {**held.metadata, **document.metadata, "text_at": held.path}
    return dataclasses.replace(
        document,
        source_sha256=source.sha256,
        offset_map=(),
        metadata=metadata,
        warnings=(*document.warnings, *held.warnings),
        requires_manual_review=document.requires_manual_review or bool(held.warnings),
    )


def _of_restored_lines(source: SourceFile, document: Document) -> Document:
    """Return the document of `source` with line ends, which has the same offsets."""
    return dataclasses.replace(
        document,
        source_sha256=source.sha256,
        warnings=(*document.warnings, LINE_ENDS_LOST),
        requires_manual_review=True,
    )


def _with_front_matter(source: SourceFile, format: Format) -> SourceFile:
    """Return `source` with what the front matter above an HTML page states, which no reader of pages reads; its hints take precedence."""
    if format.container != "html" or not has_front_matter(source.text):
        return source
    front = read_front_matter(source.text)
    stated = {hint: front.text(*keys) for hint, keys in _FRONT_MATTER.items()}
    return source.with_hints(**{**{hint: value for hint, value in stated.items() if value}, **source.hints})


def _written(source: SourceFile) -> str:
    """Return the text whose words decide which hyphens at line ends stay; "" if only the format's reader can unpack the file."""
    if source.data.startswith(_BINARY):
        return ""
    try:
        return source.text
    except ParseError:
        return ""


def _with_language(document: Document) -> Document:
    code = document.language
    if code == UNDETERMINED:
        detected = detect_language(document.text)
        code = detected.code or code
        if detected.others:
            warning = f"large parts of the text are in other languages than {code}: {', '.join(detected.others)}"
            document = dataclasses.replace(document, warnings=(*document.warnings, warning))
    official = languages(document.jurisdiction)
    if code not in official:
        # A detected language may have several written forms, of which the country's law uses the first.
        code = next((written for written in official if language(written).data is language(code).data), code)
    return document if code == document.language else dataclasses.replace(document, language=code)


def _in_language(document: Document, source: SourceFile) -> Document:
    """Return `document` with the language in its id: texts of one work in two languages are two documents."""
    if not (document.work_uri or document.number) or document.document_id == source.hints.get("document_id"):
        return document  # without a number, the text may not be a work that exists in other languages
    found = in_language(document.document_id, document.jurisdiction, document.language)
    return document if found == document.document_id else dataclasses.replace(document, document_id=found)


def _with_work(document: Document, source: SourceFile) -> Document:
    """Return a law without a URI with that of the work that its number, its title or the address in its sidecar names. Its id stays."""
    if document.work_uri is not None:
        return document
    address = source.hints.get("source_url")
    number = document.number or printed_number(document)
    uri = stated_work(document.jurisdiction, document.doc_type, number, document.title, address)
    return document if uri is None else dataclasses.replace(document, work_uri=uri)


def _with_stated_id(document: Document, source: SourceFile) -> Document:
    """Return `document` with a warning if a sidecar states another id than the document has."""
    stated = source.hints.get("document_id")
    if stated in (None, document.document_id):
        return document
    warning = f"document_id {stated!r} has no effect: the file is {document.document_id} by its own number and language"
    return dataclasses.replace(document, warnings=(*document.warnings, warning))


def _with_quality(document: Document) -> Document:
    quality = measure(document.text)
    warnings = document.warnings
    if quality.is_garbled and not any("garbled" in warning for warning in warnings):
        warnings = (*warnings, f"{quality.score:.1%} of the words are garbled: a person must look at the source")
    if quality.markup:
        warnings = (
            *warnings,
            f"mark-up in the text: {len(quality.markup):,} tags or character references, the first {quality.markup[0]!r}",
        )
    return dataclasses.replace(
        document,
        metadata={**document.metadata, "quality_score": round(1 - quality.score, 4)},
        requires_manual_review=document.requires_manual_review or quality.requires_review,
        warnings=warnings,
    )

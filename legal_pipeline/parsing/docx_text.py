"""Visible paragraphs of a Word file: with automatic numbers and footnotes, without struck-out text.

Not here: the meaning of the paragraphs (`parsing.docx`).
"""

from __future__ import annotations

import dataclasses
import io
import re
import traceback
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from lxml import etree

from legal_pipeline.building.source import STRUCK_WORDS, SourceFile
from legal_pipeline.errors import LimitExceededError, ParseError
from legal_pipeline.parsing.blocks import bold_lead, noted_column, numbered_rows
from legal_pipeline.parsing.docx_archive import WORD as _W
from legal_pipeline.parsing.docx_archive import check_archive, check_no_dtd
from legal_pipeline.parsing.docx_frames import framed_text
from legal_pipeline.parsing.docx_numbers import Numbers, Styles
from legal_pipeline.parsing.recogniser.words import division_alone, provision_alone
from legal_pipeline.text.markup import raised_figure
from legal_pipeline.text.normalise import one_line, prepare

_PACKAGE = __name__.partition(".")[0]
_M = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
_R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_P, _TABLE = f"{_W}p", f"{_W}tbl"
#: Struck-out text, field codes, and the copy of a text box for programs that cannot draw it.
_UNSEEN = frozenset({f"{_W}del", f"{_W}moveFrom", f"{_W}instrText", f"{_W}delText", f"{_W}pPr", f"{_W}rPr",
                     "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"})  # fmt: skip
#: Minimum number of paragraphs in the only cell of a row that is part of the page's layout, and not of a table.
_LAYOUT_PARAGRAPHS = 3
#: Placeholder for struck words, until it is known whether they separated two words.
_GAP = "\ufdd0"
_PARTING_GAP = re.compile(rf"(?<=\w){_GAP}+(?=\w)")
#: Exceptions from reading a damaged archive or part: parts are unpacked and parsed at first access.
_BROKEN = (KeyError, ValueError, IndexError, AttributeError, TypeError, OSError, EOFError, NotImplementedError, RuntimeError, SyntaxError,
           zlib.error, zipfile.BadZipFile)  # fmt: skip


@dataclass(frozen=True, slots=True)
class WordParagraph:
    """A paragraph or table. `number`: the automatic number as Word prints it (`[14]`, `(a)`), "" for none.
    `footnotes`: the texts of its notes in order.

    `kind`: paragraph, heading, table (`lines` are its rows), running (a page header or footer), or framed (`lines` are the printed lines of
    a whole document of frames).
    """

    lines: tuple[str, ...]
    number: str = ""
    bold: bool = False
    italic: bool = False
    centred: bool = False
    lead: str = ""
    kind: str = "paragraph"
    footnotes: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        return " ".join(self.lines)


def word_paragraphs(source: SourceFile) -> list[WordParagraph]:
    """Return all paragraphs and tables with text, in order; page headers and footers once, at the end.

    Raises `TruncatedDocumentError` for a broken archive, `LimitExceededError` for an archive with a too large unpacked size or with more
    text than XML, `ParseError` for an archive that is not a Word file and for XML with a document type declaration.
    """
    from docx.opc.exceptions import OpcError
    from docx.oxml.exceptions import InvalidXmlError

    unpacked = check_archive(source)
    try:
        return list(_bounded(_read(source), unpacked))
    except (*_BROKEN, OpcError, InvalidXmlError) as error:
        if _is_defect(error):
            raise
        raise ParseError(f"not a readable Word file: {error}", expected="a .docx file") from error


def _is_defect(error: Exception) -> bool:
    """Whether `error` comes from a wrong call in this package, and therefore not from the file."""
    *_, (frame, _) = traceback.walk_tb(error.__traceback__)
    return isinstance(error, TypeError | AttributeError) and frame.f_globals.get("__name__", "").startswith(_PACKAGE)


def _bounded(found: Iterator[WordParagraph], unpacked: int) -> Iterator[WordParagraph]:
    """Yield `found`; raise `LimitExceededError` when the text is longer than the XML from which it was read."""
    length = 0
    for paragraph in found:
        length += len(paragraph.number) + sum(map(len, (*paragraph.lines, *paragraph.footnotes)))
        if length > unpacked:
            raise LimitExceededError(
                f"a text of more than {unpacked:,} characters",
                expected=f"no more characters than the {unpacked:,} bytes of XML that hold them",
            )
        yield paragraph


def _read(source: SourceFile) -> Iterator[WordParagraph]:
    import docx

    document = docx.Document(io.BytesIO(source.data))
    for part in document.part.package.iter_parts():
        if (root := getattr(part, "element", None)) is not None:
            check_no_dtd(root, str(part.partname))
    body = document.element.body
    source.memo[STRUCK_WORDS] = [] if body is None else _struck_lines(body)
    yield from _Reader(document, source).paragraphs()


class _Reader:
    """Read the body of one document, then its page headers and footers."""

    def __init__(self, document: Any, source: SourceFile) -> None:
        self._document = document
        self._styles = Styles(document)
        self._numbers = Numbers(document, self._styles)
        self._notes = _notes(document, "footnote", source) | _notes(document, "endnote", source)

    def paragraphs(self) -> Iterator[WordParagraph]:
        body = self._document.element.body
        if body is None:
            raise ParseError("no body in the Word file", expected="w:body in word/document.xml")
        if (text := framed_text(body, _line)) is not None:
            yield WordParagraph(tuple(text.split("\n")), kind="framed")
        else:
            for element in body.iterchildren():
                yield from self._block(element)
        yield from self._running()

    def _block(self, element: Any) -> Iterator[WordParagraph]:
        if element.tag == _P:
            paragraph = self._paragraph(element)
            if paragraph is not None:
                yield paragraph
        elif element.tag == _TABLE:
            yield from self._table(element)
        elif isinstance(element.tag, str) and element.tag not in _UNSEEN:
            # Elements that wrap blocks (content controls, tracked insertions, custom XML) may contain law.
            for child in element.iterchildren():
                yield from self._block(child)

    def _table(self, element: Any) -> Iterator[WordParagraph]:
        """Yield the rows as tables, and the paragraphs of rows that only give text its place on the page."""
        lines: list[str] = []
        notes: tuple[str, ...] = ()
        rows = [[(cell, _flat(cell)) for cell in _nearest(row, f"{_W}tc")] for row in _nearest(element, f"{_W}tr")]
        if paragraphs := numbered_rows([[one_line(text) for _, text in cells] for cells in rows]):
            notes = self._notes_of(element)
            yield from (WordParagraph((text,)) for text in paragraphs[:-1])
            yield WordParagraph((paragraphs[-1],), footnotes=notes)
            return
        paragraphs_of = [[[*_nearest(cell, _P)] for cell, _ in cells] for cells in rows]
        column = noted_column([[[*map(_line, cell)] for cell in row] for row in paragraphs_of])
        if column is not None and next(element.iterdescendants(_TABLE), None) is None:
            for row in paragraphs_of:
                yield from self._noted(row[column], row[1 - column])
            return
        is_column = all(sum(bool(text) for _, text in cells) <= 1 for cells in rows)
        for row, cells in zip(_nearest(element, f"{_W}tr"), rows, strict=True):
            full = [cell for cell, text in cells if text]
            if len(full) == 1 and _is_layout(full[0], is_column=is_column):
                if lines:
                    yield WordParagraph(tuple(lines), kind="table", footnotes=notes)
                lines, notes = [], ()
                for child in full[0].iterchildren():
                    yield from self._block(child)
            elif full:
                lines.append(one_line(" | ".join(text for _, text in cells)))
                notes += self._notes_of(row)
        if lines:
            yield WordParagraph(tuple(lines), kind="table", footnotes=notes)

    def _noted(self, text: Sequence[Any], note: Sequence[Any]) -> Iterator[WordParagraph]:
        """Yield a provision with its marginal note above it, as a heading; a remark in brackets in the note is a note on the provision."""
        said = [(line, element) for element in note if (line := _line(element))]
        heading = " ".join(line for line, _ in said if not line.startswith("["))
        if heading:
            yield WordParagraph((heading,), kind="heading")
        found = [paragraph for element in text if (paragraph := self._paragraph(element)) is not None]
        notes = (note for _, element in said for note in self._notes_of(element))
        remarks = (*(line for line, _ in said if line.startswith("[")), *notes)
        yield from found[:-1]
        yield from (dataclasses.replace(last, footnotes=(*last.footnotes, *remarks)) for last in found[-1:])

    def _paragraph(self, element: Any) -> WordParagraph | None:
        import docx.text.paragraph

        lines = tuple(line for line in (one_line(line) for line in _lines(element)) if line)
        if not lines:
            return None
        paragraph = docx.text.paragraph.Paragraph(element, self._document)
        runs = [run for run in paragraph.runs if run.text.strip()]
        return WordParagraph(
            lines,
            self._numbers.of(element),
            bold=bool(runs) and all(run.bold for run in runs),
            italic=bool(runs) and all(run.italic for run in runs),
            # python-docx knows no "start" and "end", which LibreOffice writes
            centred=element.find(f"{_W}pPr/{_W}jc[@{_W}val='center']") is not None,
            lead=bold_lead((run.text, bool(run.bold)) for run in runs),
            kind="heading" if self._styles.name(element).startswith(("Heading", "Title")) else "paragraph",
            footnotes=self._notes_of(element),
        )

    def _notes_of(self, element: Any) -> tuple[str, ...]:
        """Return the footnotes and endnotes that `element` is the first to refer to: a note is printed once."""
        references = element.iter(f"{_W}footnoteReference", f"{_W}endnoteReference")
        keys = ((item.tag.removesuffix("Reference"), item.get(f"{_W}id")) for item in references)
        return tuple(note for key in keys if (note := self._notes.pop(key, "")))

    def _running(self) -> Iterator[WordParagraph]:
        """Yield page headers and footers, each text once. Sections share parts, so each part is read once, not once per section."""
        parts: dict[str, None] = {}
        for section in self._document.element.body.iter(f"{_W}sectPr"):
            for name in ("headerReference", "footerReference"):
                parts.update((str(item.get(f"{_R}id")), None) for item in section.iterchildren(f"{_W}{name}"))
        seen: set[str] = set()
        for part in parts:
            for element in _nearest(self._document.part.related_parts[part].element, _P):
                text = one_line(" ".join(_lines(element)))
                if text and text not in seen:
                    seen.add(text)
                    yield WordParagraph((text,), kind="running")


def _nearest(element: Any, tag: str) -> Iterator[Any]:
    """Yield the elements `tag` in `element` that are not inside another `tag`: rows of a table without rows of tables in its cells."""
    for child in element.iterchildren():
        if child.tag == tag:
            yield child
        elif isinstance(child.tag, str) and child.tag not in _UNSEEN:
            yield from _nearest(child, tag)


def _is_layout(cell: Any, *, is_column: bool) -> bool:
    """Whether the only cell of a row only gives text its place on the page: it has several paragraphs, or is in a table with one
    such cell in each row (`is_column`) and begins with the label of a provision or a division alone on its line."""
    if sum(bool(_line(paragraph)) for paragraph in _nearest(cell, _P)) >= _LAYOUT_PARAGRAPHS:
        return True
    printed = (line.strip() for paragraph in _nearest(cell, _P) for line in _lines(paragraph) if line.strip())
    first = next(printed, "") if is_column else ""
    return any(pattern.fullmatch(first) for pattern in (provision_alone(), division_alone()))


def _line(paragraph: Any) -> str:
    return one_line(" ".join(_lines(paragraph)))


def _flat(element: Any) -> str:
    """Return all paragraphs in `element` as one line."""
    return one_line(" ".join(" ".join(_lines(paragraph)) for paragraph in _nearest(element, _P)))


def _lines(element: Any) -> list[str]:
    """Return the visible text of a paragraph, split at line breaks; tracked insertions are text, tracked deletions are not."""
    parts: list[str] = []

    def walk(node: Any) -> None:
        for child in node.iterchildren():
            tag = child.tag
            if (words := _struck_words(child)) is not None:
                if words[:1].isspace() or words[-1:].isspace():
                    parts.append(_GAP)
                continue
            if tag in _UNSEEN or not isinstance(tag, str):
                continue
            if tag in (f"{_W}t", f"{_M}t"):
                parts.append(child.text or "")
            elif tag in (f"{_W}tab", f"{_W}noBreakHyphen"):
                parts.append("\t" if tag.endswith("tab") else "-")
            elif tag in (f"{_W}br", f"{_W}cr"):
                parts.append("\n")
            elif tag == f"{_W}r" and (raised := raised_run(child)):
                parts.append(raised)
            elif tag != f"{_W}r" or child.find(f"{_W}rPr/{_W}vanish") is None:
                if tag == _P:  # a paragraph of a text box
                    parts.append("\n")
                walk(child)

    walk(element)
    return prepare(_PARTING_GAP.sub(" ", "".join(parts)).replace(_GAP, "")).split("\n")


def raised_run(run: Any) -> str | None:
    """Return the figure of a superscript run, in raised characters; None for every other run."""
    place = run.find(f"{_W}rPr/{_W}vertAlign")
    if place is None or place.get(f"{_W}val") != "superscript" or run.find(f"{_W}rPr/{_W}vanish") is not None:
        return None
    return raised_figure("".join(item.text or "" for item in run.iter(f"{_W}t")))


def _struck_lines(element: Any) -> list[str]:
    return [text for item in _struck(element) if (text := one_line(item))]


def _struck(element: Any) -> Iterator[str]:
    """Yield the struck words below `element`, in order."""
    for child in element.iterchildren():
        if (words := _struck_words(child)) is not None:
            yield words
        elif isinstance(child.tag, str) and child.tag not in _UNSEEN:
            yield from _struck(child)


def _struck_words(element: Any) -> str | None:
    """Return the words of an element that change tracking deleted or that is struck through; None for every other element."""
    if element.tag == f"{_W}del" or (element.tag == f"{_W}r" and _is_struck(element.find(f"{_W}rPr"))):
        return "".join(item.text or "" for item in element.iter(f"{_W}t", f"{_W}delText"))
    return None


def _is_struck(properties: Any) -> bool:
    return properties is not None and any(
        mark is not None and mark.get(f"{_W}val") not in ("0", "false", "off")
        for mark in (properties.find(f"{_W}strike"), properties.find(f"{_W}dstrike"))
    )


def _notes(document: Any, kind: str, source: SourceFile) -> dict[tuple[str, str | None], str]:
    """Return the text of each footnote or endnote by its element's name and its id."""
    relationship = f"http://schemas.openxmlformats.org/officeDocument/2006/relationships/{kind}s"
    part = next((rel.target_part for rel in document.part.rels.values() if rel.reltype == relationship), None)
    if part is None:
        return {}
    root = etree.fromstring(part.blob, etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False))
    check_no_dtd(root, str(part.partname))
    source.memo[STRUCK_WORDS] += _struck_lines(root)
    return {
        (f"{_W}{kind}", note.get(f"{_W}id")): text
        for note in root.iter(f"{_W}{kind}")
        if note.get(f"{_W}type") is None and (text := _flat(note))
    }

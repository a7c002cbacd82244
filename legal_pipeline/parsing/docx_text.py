"""Paragraphs of a Word file as a reader sees them: with automatic numbers and footnotes, without what was struck out.

Not here: what the paragraphs mean (`parsing.docx`).
"""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from lxml import etree

from legal_pipeline.errors import LimitExceededError, ParseError, TruncatedDocumentError
from legal_pipeline.parsing.source import SourceFile
from legal_pipeline.text.normalise import one_line, prepare

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_FOOTNOTES = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/footnotes"
#: Struck-out text, and the code of fields.
_UNSEEN = frozenset({f"{_W}del", f"{_W}moveFrom", f"{_W}instrText", f"{_W}delText", f"{_W}pPr", f"{_W}rPr"})
#: What the reading of a damaged archive or part ends in: parts are unpacked and parsed when they are first asked for.
_BROKEN = (KeyError, ValueError, IndexError, AttributeError, TypeError, OSError, EOFError, NotImplementedError, RuntimeError, SyntaxError,
           zlib.error, zipfile.BadZipFile)  # fmt: skip
_DECIMAL, _BULLET = "decimal", "bullet"


@dataclass(frozen=True, slots=True)
class WordParagraph:
    """`number`: the automatic number as Word prints it (`[14]`, `(a)`), "" for none; `footnotes`: their texts in order.

    `kind`: paragraph, heading, table (`lines` are its rows) or running (a page header or footer).
    """

    lines: tuple[str, ...]
    number: str = ""
    bold: bool = False
    italic: bool = False
    centred: bool = False
    kind: str = "paragraph"
    footnotes: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        return " ".join(self.lines)


def word_paragraphs(source: SourceFile) -> list[WordParagraph]:
    """All paragraphs and tables with text, in order; page headers and footers once, at the end.

    Raises `TruncatedDocumentError` for a broken archive, `LimitExceededError` for one that unpacks to too much, `ParseError` for
    an archive that is no Word file.
    """
    from docx.opc.exceptions import OpcError
    from docx.oxml.exceptions import InvalidXmlError

    _check_archive(source)
    try:
        return _read(source)
    except (*_BROKEN, OpcError, InvalidXmlError) as error:
        raise ParseError(f"no readable Word file: {error}", document=source.name, expected="a .docx file") from error


def _read(source: SourceFile) -> list[WordParagraph]:
    import docx

    document = docx.Document(io.BytesIO(source.data))
    footnotes = _footnotes(document)
    numbers = _Numbers(document)
    found: list[WordParagraph] = []
    for element in document.element.body.iterchildren():
        found.extend(_block(element, document, numbers, footnotes))
    seen: set[str] = set()
    for section in document.sections:
        for part in (section.header, section.footer):
            for paragraph in part.paragraphs:
                text = one_line(prepare(paragraph.text))
                if text and text not in seen:
                    seen.add(text)
                    found.append(WordParagraph((text,), kind="running"))
    return found


def _check_archive(source: SourceFile) -> None:
    source.check_size()
    try:
        with zipfile.ZipFile(io.BytesIO(source.data)) as archive:
            size = sum(item.file_size for item in archive.infolist())
    except zipfile.BadZipFile as error:
        raise TruncatedDocumentError(
            f"broken archive: {error}", document=source.name, expected="a .docx file"
        ) from error
    if size > source.limits.max_bytes:
        raise LimitExceededError(
            f"unpacks to {size:,} bytes",
            document=source.name,
            expected=f"at most {source.limits.max_bytes:,} (LEGAL_PIPELINE_MAX_DOCUMENT_BYTES)",
        )


def _block(element: Any, document: Any, numbers: _Numbers, footnotes: dict[str, str]) -> Iterator[WordParagraph]:
    if element.tag == f"{_W}p":
        paragraph = _paragraph(element, document, numbers, footnotes)
        if paragraph is not None:
            yield paragraph
    elif element.tag == f"{_W}tbl":
        rows = []
        for row in element.iter(f"{_W}tr"):
            cells = [
                one_line(" ".join(" ".join(_lines(p)) for p in cell.iter(f"{_W}p")))
                for cell in row.iterchildren(f"{_W}tc")
            ]
            if any(cells):
                rows.append(one_line(" | ".join(cells)))
        if rows:
            yield WordParagraph(tuple(rows), kind="table")
    elif element.tag in (f"{_W}sdt", f"{_W}sdtContent", f"{_W}ins", f"{_W}customXml"):
        for child in element.iterchildren():
            yield from _block(child, document, numbers, footnotes)


def _paragraph(element: Any, document: Any, numbers: _Numbers, footnotes: dict[str, str]) -> WordParagraph | None:
    import docx.text.paragraph

    paragraph = docx.text.paragraph.Paragraph(element, document)
    lines = tuple(line for line in (one_line(line) for line in _lines(element)) if line)
    number = numbers.of(element, paragraph) if lines else ""
    if not lines:
        return None
    runs = [run for run in paragraph.runs if run.text.strip()]
    style = (paragraph.style.name or "") if paragraph.style is not None else ""
    notes = (item.get(f"{_W}id") for item in element.iter(f"{_W}footnoteReference"))
    return WordParagraph(
        lines,
        number,
        bold=bool(runs) and all(run.bold for run in runs),
        italic=bool(runs) and all(run.italic for run in runs),
        centred=paragraph.alignment is not None and int(paragraph.alignment) == 1,
        kind="heading" if style.startswith(("Heading", "Title")) else "paragraph",
        footnotes=tuple(footnotes[note] for note in notes if note in footnotes),
    )


def _lines(element: Any) -> list[str]:
    """Visible text of a paragraph, cut at line breaks; what was inserted under change tracking counts, what was deleted does not."""
    parts: list[str] = []

    def walk(node: Any) -> None:
        for child in node.iterchildren():
            tag = child.tag
            if tag in _UNSEEN or not isinstance(tag, str):
                continue
            if tag == f"{_W}t":
                parts.append(child.text or "")
            elif tag in (f"{_W}tab", f"{_W}noBreakHyphen"):
                parts.append("\t" if tag.endswith("tab") else "-")
            elif tag in (f"{_W}br", f"{_W}cr"):
                parts.append("\n")
            elif tag == f"{_W}r":
                properties = child.find(f"{_W}rPr")
                if properties is None or properties.find(f"{_W}vanish") is None:
                    walk(child)
            else:
                walk(child)

    walk(element)
    return prepare("".join(parts)).split("\n")


def _footnotes(document: Any) -> dict[str, str]:
    """Text of each footnote by its id."""
    part = next((rel.target_part for rel in document.part.rels.values() if rel.reltype == _FOOTNOTES), None)
    if part is None:
        return {}
    root = etree.fromstring(part.blob, etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False))
    notes: dict[str, str] = {}
    for note in root.iter(f"{_W}footnote"):
        text = one_line(" ".join(" ".join(_lines(item)) for item in note.iter(f"{_W}p")))
        if text and note.get(f"{_W}type") is None:
            notes[str(note.get(f"{_W}id"))] = text
    return notes


class _Numbers:
    """Word's automatic numbers, counted as paragraphs go by."""

    def __init__(self, document: Any) -> None:
        self._levels: dict[tuple[str, str], tuple[str, str, int]] = {}
        self._counts: dict[tuple[str, int], int] = {}
        self._abstract: dict[str, str] = {}
        try:
            root = document.part.numbering_part.element
        except (KeyError, NotImplementedError):
            return
        for abstract in root.iter(f"{_W}abstractNum"):
            for level in abstract.iter(f"{_W}lvl"):
                form, text, start = (level.find(f"{_W}{name}") for name in ("numFmt", "lvlText", "start"))
                self._levels[abstract.get(f"{_W}abstractNumId"), level.get(f"{_W}ilvl")] = (
                    form.get(f"{_W}val") if form is not None else _DECIMAL,
                    text.get(f"{_W}val") or "" if text is not None else "",
                    int(start.get(f"{_W}val") or 1) if start is not None else 1,
                )
        for number in root.iter(f"{_W}num"):
            target = number.find(f"{_W}abstractNumId")
            if target is not None:
                self._abstract[number.get(f"{_W}numId")] = target.get(f"{_W}val")

    def of(self, element: Any, paragraph: Any) -> str:
        """The number that stands before `element`, "" for none or a bullet."""
        properties = element.find(f"{_W}pPr/{_W}numPr")
        style = paragraph.style
        while properties is None and style is not None:
            properties = style.element.find(f"{_W}pPr/{_W}numPr")
            style = style.base_style
        if properties is None:
            return ""
        ids = [properties.find(f"{_W}{name}") for name in ("numId", "ilvl")]
        number_id = ids[0].get(f"{_W}val") if ids[0] is not None else "0"
        depth = ids[1].get(f"{_W}val") if ids[1] is not None else "0"
        abstract = self._abstract.get(number_id, "")
        level = self._levels.get((abstract, depth))
        if level is None or level[0] in (_BULLET, "none") or not depth.isdigit():
            return ""
        here = int(depth)
        self._counts[abstract, here] = self._counts.get((abstract, here), level[2] - 1) + 1
        for key in [key for key in self._counts if key[0] == abstract and key[1] > here]:
            del self._counts[key]
        text = level[1]
        for position in range(here + 1):
            form = self._levels.get((abstract, str(position)), (_DECIMAL, "", 1))
            text = text.replace(f"%{position + 1}", _format(self._counts.get((abstract, position), form[2]), form[0]))
        return one_line(text)


def _format(value: int, form: str) -> str:
    if form in ("lowerLetter", "upperLetter") and value > 0:
        letter = chr(97 + (value - 1) % 26) * ((value - 1) // 26 + 1)
        return letter.upper() if form == "upperLetter" else letter
    if form in ("lowerRoman", "upperRoman") and value > 0:
        roman = _roman(value)
        return roman.upper() if form == "upperRoman" else roman
    return str(value)


def _roman(value: int) -> str:
    sizes = (1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1)
    letters = ("m", "cm", "d", "cd", "c", "xc", "l", "xl", "x", "ix", "v", "iv", "i")
    result = ""
    for size, letter in zip(sizes, letters, strict=True):
        count, value = divmod(value, size)
        result += letter * count
    return result

"""Paragraphs of HTML written by a word processor, with the styling that carries their meaning.

Not here: the meaning of the styling (`parsing.importer_html`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from lxml import etree

from legal_pipeline.building.xml import local_name
from legal_pipeline.text.normalise import one_line

_BLOCKS = frozenset({"p", "h1", "h2", "h3", "h4", "h5", "h6", "li", "dt", "dd", "pre"})
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_SKIPPED = frozenset({"head", "script", "style", "title", "template"})
_HIDDEN = re.compile(r"display\s*:\s*none", re.IGNORECASE)
_FOOTNOTE = re.compile(r"sdfootnote|footnote", re.IGNORECASE)
_BOLD = re.compile(r"font-weight\s*:\s*(?:bold|[6-9]00)", re.IGNORECASE)
_NOT_BOLD = re.compile(r"font-weight\s*:\s*(?:normal|[1-5]00)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph: `lines` is its text split at line breaks, `bold` and `italic` concern all of it.

    `kind`: paragraph, heading, footnote or table.
    """

    lines: tuple[str, ...]
    bold: bool = False
    italic: bool = False
    centred: bool = False
    kind: str = "paragraph"

    @property
    def text(self) -> str:
        return " ".join(self.lines)


def paragraphs(root: etree._Element) -> Iterator[Paragraph]:
    """Yield all paragraphs, headings, list items and tables with text, in the order of the page."""
    yield from _walk(root, footnote=False)


def _walk(element: etree._Element, footnote: bool) -> Iterator[Paragraph]:
    name = local_name(element)
    if not name or name in _SKIPPED or _HIDDEN.search(element.get("style") or ""):
        return
    footnote = footnote or bool(_FOOTNOTE.search((element.get("id") or "") + " " + (element.get("class") or "")))
    if name == "table":
        rows = [row for row in (_row(item) for item in _rows(element)) if row]
        if rows:
            yield Paragraph(tuple(rows), kind="table")
        return
    has_blocks = any(
        local_name(child) in _BLOCKS or local_name(child) in ("table", "ul", "ol", "div") for child in element
    )
    if name in _BLOCKS and not has_blocks:
        paragraph = _paragraph(element, footnote)
        if paragraph is not None:
            yield paragraph
        return
    # Text between blocks, as in a `div` or a `body` without paragraphs.
    if (text := one_line(element.text or "")) and name != "html":
        yield Paragraph((text,))
    for child in element:
        if has_blocks or local_name(child) in ("body", "div", "section", "center", "html", "article", "main"):
            yield from _walk(child, footnote)
        elif (paragraph := _paragraph(child, footnote)) is not None:
            yield paragraph
        if tail := one_line(child.tail or ""):
            yield Paragraph((tail,))


def _rows(table: etree._Element) -> Iterator[etree._Element]:
    """Yield caption and rows of the table itself; the rows of a table inside a cell are text of that cell."""
    for part in table:
        if local_name(part) in ("tr", "caption"):
            yield part
        elif local_name(part) in ("thead", "tbody", "tfoot"):
            yield from _rows(part)


def _row(row: etree._Element) -> str:
    if local_name(row) == "caption":
        return one_line("".join(_visible(row)))
    cells = [one_line("".join(_visible(cell))) for cell in row if local_name(cell) in ("td", "th")]
    return one_line(" | ".join(cells)) if any(cells) else ""


def _visible(element: etree._Element) -> Iterator[str]:
    if _HIDDEN.search(element.get("style") or ""):
        return
    yield element.text or ""
    for child in element:
        if local_name(child):
            if local_name(child) in ("br", "p", "div", "tr", "td", "th", "li"):
                yield " "
            yield from _visible(child)
        yield child.tail or ""


def _paragraph(element: etree._Element, footnote: bool) -> Paragraph | None:
    runs: list[tuple[str, bool, bool]] = []
    _runs(element, False, False, runs)
    lines = [line for line in (one_line(line) for line in "".join(text for text, _, _ in runs).split("\x00")) if line]
    if not lines:
        return None
    written = [(bold, italic) for text, bold, italic in runs if text.strip("\x00 \t\r\n\xa0.,;:()[]")]
    name = local_name(element)
    return Paragraph(
        tuple(lines),
        bold=bool(written) and all(bold for bold, _ in written),
        italic=bool(written) and all(italic for _, italic in written),
        centred=(element.get("align") or "").lower() == "center"
        or "text-align: center" in (element.get("style") or ""),
        kind="footnote" if footnote else "heading" if name in _HEADINGS else "paragraph",
    )


def _runs(element: etree._Element, bold: bool, italic: bool, out: list[tuple[str, bool, bool]]) -> None:
    """Append (text, bold, italic) of each run to `out`; a line break is a NUL character, white space of the markup is a space."""
    style = element.get("style") or ""
    name = local_name(element)
    if name in _SKIPPED or _HIDDEN.search(style):
        return
    bold = (bold or name in ("b", "strong") or bool(_BOLD.search(style))) and not _NOT_BOLD.search(style)
    italic = italic or name in ("i", "em")
    if name == "br":
        out.append(("\x00", bold, italic))
    if element.text:
        out.append((element.text, bold, italic))
    for child in element:
        if local_name(child):
            _runs(child, bold, italic, out)
        if child.tail:
            out.append((child.tail, bold, italic))

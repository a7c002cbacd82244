"""Consolidated statutes in the HTML of data.riksdagen.se: anchors as stycke breaks, bare text nodes between them.

Not here: HTML that was made from these pages (`parsing.sweden.canonical_html`).
"""

from __future__ import annotations

import re
from html import unescape

from selectolax.lexbor import LexborHTMLParser, LexborNode

from legal_pipeline.building.builder import DocumentBuilder
from legal_pipeline.building.format import CERTAIN, LIKELY, NO, Format
from legal_pipeline.building.source import SourceFile
from legal_pipeline.errors import EmptyDocumentError, ParseError
from legal_pipeline.model.document import Document
from legal_pipeline.parsing.html5 import (
    LINE_BREAK,
    canonical_line,
    classes,
    elements,
    inline_text,
    prepare_inline,
    read_html,
    table_rows,
)
from legal_pipeline.parsing.sweden.blocks import ACT_NUMBER, Blocks
from legal_pipeline.parsing.sweden.header import header_of_labels, number_in_title
from legal_pipeline.parsing.sweden.lists import MARKER
from legal_pipeline.parsing.sweden.writer import StatuteWriter
from legal_pipeline.text.normalise import one_line

NAME = "riksdagen_html"
VERSION = "2"

_HEADINGS = {"h2": 1, "h3": 1, "h4": 1, "h5": 2, "h6": 2}
_FIELD = re.compile(r"<b>\s*([^<:]+?)\s*</b>\s*:\s*(.*?)<br", re.DOTALL | re.IGNORECASE)
_INDENTED = re.compile(r"[\s]*\u00a0{2,}")
#: Labels without facts about the statute.
_SKIPPED = frozenset({"SFS nr", "Ändringsregister", "Källa"})


def sniff(source: SourceFile) -> float:
    head = source.head
    if "<b>SFS nr</b>" in head:
        return CERTAIN
    return LIKELY if 'class="sfstoc"' in head or re.search(r'<a class="paragraf" name="(?:K\d+\w*)?P\d', head) else NO


def parse(source: SourceFile) -> Document:
    """Parse the page. Raises `TruncatedDocumentError`, `ParseError` without an SFS number, `EmptyDocumentError` without a body."""
    page = read_html(source)
    labels = _labels(source.text)
    title_node = page.css_first("h2")
    title = inline_text(title_node) if title_node is not None else str(source.hints.get("title") or "")
    number = labels.get("SFS nr") or number_in_title(title)
    if number is None:
        raise ParseError("no SFS number", position="header", expected="<b>SFS nr</b>: 1977:1160")
    builder = DocumentBuilder()
    prepare_inline(page, source)
    if (contents := page.css_first("div.sfstoc")) is not None:
        _add_contents(builder, contents)
        contents.decompose()
    blocks = Blocks(StatuteWriter(builder))
    _Body(blocks).read(_body(page))
    blocks.finish()
    header = header_of_labels(number, title, {key: value for key, value in labels.items() if key not in _SKIPPED})
    return header.document(
        builder, source, warnings=tuple(blocks.warnings), requires_manual_review=bool(blocks.warnings)
    )


def _labels(html: str) -> dict[str, str]:
    """Return the labels of the page's header with their values."""
    head = html[: html.find("<hr")] if "<hr" in html else html[:20_000]
    pairs = ((one_line(label), canonical_line(re.sub(r"<[^>]*>", "", value))) for label, value in _FIELD.findall(head))
    return {label: unescape(value) for label, value in pairs if value}


def _body(page: LexborHTMLParser) -> LexborNode:
    """Return the element with the statute's text: the parent of the first §, else the first `div` that is not a table of contents."""
    first = page.css_first("a.paragraf")
    if first is not None:
        node: LexborNode | None = first.parent
        while node is not None and node.tag not in ("div", "body"):
            node = node.parent
        if node is not None:
            return node
    divisions = [node for node in page.css("div") if "sfstoc" not in classes(node)]
    if divisions and inline_text(divisions[0]):
        return divisions[0]
    raise EmptyDocumentError("the page has a header and no text", expected="<div> with the statute below <hr>")


def _add_contents(builder: DocumentBuilder, contents: LexborNode) -> None:
    heading = contents.css_first("h1, h2, h3, h4")
    words = inline_text(heading) if heading is not None else None
    entries = [line for item in contents.css("li") if (line := inline_text(item))]
    if entries or words:
        with builder.node("toc", heading=words.rstrip(":") if words else None):
            if words:
                builder.heading(words)
            builder.add("\n".join(entries))


class _Body:
    """Read the stream of text nodes, breaks and anchors; a stycke ends at an empty anchored `p`, at a § and at a heading."""

    def __init__(self, blocks: Blocks) -> None:
        self.blocks = blocks
        self._raw: list[str] = []

    def read(self, node: LexborNode) -> None:
        self._flush()
        self._children(node)
        self._flush()

    def _children(self, node: LexborNode) -> None:
        child = node.child
        while child is not None:
            self._node(child)
            child = child.next

    def _node(self, node: LexborNode) -> None:
        tag = node.tag
        if tag == "-text":
            self._raw.append(node.text_content or "")
        elif tag == "a" and "paragraf" in classes(node):
            self._flush()
            self.blocks.section(inline_text(node))
        elif tag in _HEADINGS:
            self._flush()
            if words := inline_text(node):
                self.blocks.heading(words, _HEADINGS[tag])
        elif tag == "table":
            self._flush()
            self.blocks.table(table_rows(node))
        elif tag == "pre":
            self._flush()
            for line in (node.text(deep=True) or "").replace(LINE_BREAK, "\n").split("\n\n"):
                self.blocks.paragraph(canonical_line(line))
        elif tag in ("p", "div", "section", "ul", "ol", "li", "blockquote"):
            self.read(node)
        elif (tag or "-")[0] not in "-!":
            if any(
                element.tag in ("p", "table", "div") or "paragraf" in classes(element) for element in elements(node)
            ):
                self._children(node)
            else:
                self._raw.append(node.text(deep=True) or "")

    def _flush(self) -> None:
        raw, self._raw = "".join(self._raw), []
        if not raw.strip():
            return
        text: list[str] = []
        for index, part in enumerate(raw.split(LINE_BREAK)):
            line = canonical_line(part)
            if not line:
                continue
            indented = bool(_INDENTED.match(part)) and (index > 0 or not text)
            if ACT_NUMBER.fullmatch(line) and self.blocks.writer.inside("transitional"):
                self._write(text)
                self.blocks.act(line)
            elif indented and MARKER.match(line) and index > 0:
                self._write(text)
                text = [line]
            else:
                text.append(line)
        self._write(text)

    def _write(self, lines: list[str]) -> None:
        """Write one paragraph; lines that the publisher broke inside a stycke are joined."""
        if lines:
            self.blocks.paragraph(" ".join(lines))
            lines.clear()


FORMAT = Format(NAME, "Consolidated statute from data.riksdagen.se (HTML)", sniff, parse, VERSION)

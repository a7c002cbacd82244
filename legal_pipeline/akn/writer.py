"""Writes a canonical document as Akoma Ntoso 3 XML.

If the standard has no element for a fact (the normalised number, the white space between two lines, an amendment history), attributes of
our own namespace state it, so that reading the file gives the identical text and tree. Not here: reading (`akn`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from lxml import etree

from legal_pipeline.errors import DocumentError
from legal_pipeline.model.document import Document, Node
from legal_pipeline.model.identity import STATUTES, UNDETERMINED

AKN = "http://docs.oasis-open.org/legaldocml/ns/akn/3.0"
MEDIA_TYPE = "application/akn+xml"
#: Attributes that other readers of Akoma Ntoso may ignore.
NAMESPACE = "urn:legal-pipeline:akn"

_HIERARCHY = {
    "part": "part", "chapter": "chapter", "subchapter": "subchapter", "title": "title", "book": "book", "subpart": "subpart",
    "division": "division", "section": "section", "article": "article", "subsection": "subsection", "paragraph": "paragraph",
    "numbered_paragraph": "paragraph", "item": "subparagraph", "proviso": "proviso", "transitional": "transitional",
}  # fmt: skip
#: Nodes that may be in the preface of an Act, before its preamble and body.
_PREFACE = frozenset(
    {"header", "longtitle", "toc", "remark", "running_header", "running_footer", "page_number", "footnote", "heading"}
)
#: Leaves that are inside a line of text, even if they are all of its text.
_INLINE = frozenset({"remark", "footnote", "running_header", "running_footer", "page_number"})
_SEPARATORS = {" ": "_", "\n": "n", "\t": "t"}
_SIGN = r"(?:\s?(?:§§?|kap\.|st\.|mom\.))?"


def encode_separator(text: str) -> str:
    """Return white space as an attribute value that no XML processor changes. Raises `KeyError` for any other character."""
    return "".join(_SEPARATORS[character] for character in text)


def decode_separator(code: str) -> str:
    letters = {letter: space for space, letter in _SEPARATORS.items()}
    return "".join(letters[letter] for letter in code)


def export_akn(document: Document) -> bytes:
    """Return `document` as UTF-8 XML with a declaration; valid against Akoma Ntoso 3.0 (year-only dates need its lenient form).

    Raises `DocumentError` for a text with characters that are not valid in XML.
    """
    try:
        root = _Writer(document).root()
    except ValueError as error:
        raise DocumentError(f"cannot be written as XML: {error}", document=document.document_id) from error
    return etree.tostring(root, xml_declaration=True, encoding="UTF-8")


@dataclass(slots=True)
class _Run:
    """A span of text between nodes: [start, end)."""

    start: int
    end: int


_Item = _Run | Node


class _Writer:
    def __init__(self, document: Document) -> None:
        self.document = document
        self.text = document.text
        self.end = 0  # of the text written so far

    # --- the frame -------------------------------------------------------------------------------------------------------------

    def root(self) -> etree._Element:
        prefixes: dict[Any, str] = {None: AKN, "lp": NAMESPACE}
        root = etree.Element(f"{{{AKN}}}akomaNtoso", nsmap=prefixes)
        statute = self.document.doc_type in STATUTES
        main = _sub(root, "act" if statute else "doc", name=self.document.doc_type)
        main.append(self._meta(""))
        items = self._items(0, len(self.text), self.document.nodes)
        first = next((i for i, item in enumerate(items) if not _in_preface(item)), len(items))
        after = next((i for i, item in enumerate(items[first:], first) if not _is(item, "preamble")), len(items))
        last = len(items)
        while last > after and _is(items[last - 1], "schedule"):
            last -= 1
        if last == after and statute:  # an Act needs a body
            first = after = 0
        if first:
            self._contained(_sub(main, "preface"), items[:first])
        if after > first:
            self._contained(_sub(main, "preamble"), items[first:after])
        body = _sub(main, "body" if statute else "mainBody")
        body.set(f"{{{NAMESPACE}}}documentId", self.document.document_id)
        self._hierarchy(body, items[after:last])
        if not len(body):
            _sub(_sub(body, "hcontainer", name="empty"), "content")
        if last < len(items):
            attachments = _sub(main, "attachments")
            for number, item in enumerate(items[last:], 1):
                if isinstance(item, Node):
                    self._attachment(attachments, item, number)
        return root

    def _meta(self, component: str) -> etree._Element:
        document = self.document
        meta = etree.Element(f"{{{AKN}}}meta")
        identification = _sub(meta, "identification", source="#legal-pipeline")
        kind = "act" if document.doc_type in STATUTES else document.doc_type
        work = document.work_uri or f"/akn/{document.jurisdiction}/{kind}/{document.document_id}"
        if not work.startswith("/akn/"):
            work = f"/akn/{work.strip('/')}"
        language = document.language if re.fullmatch(r"[a-z]{2,3}", document.language) else UNDETERMINED
        expression = f"{work}/{language}@{document.as_of_date or ''}"
        enacted = document.metadata.get("date_enacted") or document.metadata.get("year_enacted") or _year(document)
        held = document.as_of_date or str(enacted)
        parts = work.split("/")
        for level, uri, date in (
            ("FRBRWork", work, str(enacted)),
            ("FRBRExpression", expression, held),
            ("FRBRManifestation", expression, (document.fetched_at or "")[:10] or held),
        ):
            part = _sub(identification, level)
            _sub(part, "FRBRthis", value=f"{uri}/!{component or 'main'}")
            _sub(part, "FRBRuri", value=uri)
            if level == "FRBRWork" and not component:
                _sub(part, "FRBRalias", name="title", value=document.title)
            _sub(part, "FRBRdate", date=date, name="Generation")
            _sub(part, "FRBRauthor", href="")
            if level == "FRBRWork":
                _sub(part, "FRBRcountry", value=parts[2] if len(parts) > 2 else document.jurisdiction)
                _sub(part, "FRBRnumber", value=parts[-1])
            if level == "FRBRExpression":
                _sub(part, "FRBRlanguage", language=language)
        if component:  # an eId is unique in a document
            return meta
        name = "legal-pipeline"
        references = _sub(meta, "references", source=f"#{name}")
        _sub(references, "TLCOrganization", eId=name, href=f"/ontology/organization/{name}", showAs=name)
        return meta

    def _attachment(self, parent: etree._Element, node: Node, number: int) -> None:
        attachment = _sub(parent, "attachment")
        self._describe(attachment, node)
        items = self._head(attachment, node, self._items(node.start, node.end, node.children))
        doc = _sub(attachment, "doc", name="schedule")
        doc.append(self._meta(f"schedule_{number}"))
        body = _sub(doc, "mainBody")
        self._hierarchy(body, items)
        if not len(body):
            _sub(body, "p")

    # --- nodes -----------------------------------------------------------------------------------------------------------------

    def _items(self, start: int, end: int, nodes: Iterable[Node]) -> list[_Item]:
        """Return the content of [start, end): nodes, and the blocks of text between them without surrounding white space."""
        items: list[_Item] = []
        position = start
        for node in nodes:
            items.extend(self._runs(position, node.start))
            items.append(node)
            position = node.end
        items.extend(self._runs(position, end))
        return items

    def _runs(self, start: int, end: int) -> list[_Run]:
        runs: list[_Run] = []
        for block in re.finditer(r"(?:(?!\n\n).)+", self.text[start:end], re.DOTALL):
            if stripped := block[0].strip(" \n\t"):
                begin = start + block.start() + block[0].index(stripped)
                runs.append(_Run(begin, begin + len(stripped)))
        return runs

    def _describe(self, element: etree._Element, node: Node) -> None:
        element.set(f"{{{NAMESPACE}}}type", node.type)
        if node.eid is not None:
            element.set("eId", re.sub(r"\s", "_", node.eid))
        if node.num is not None:
            element.set(f"{{{NAMESPACE}}}num", node.num)
        written = ("type", "num", "heading", "eid", "start", "end", "children")
        more = {name: value for name, value in node.to_json().items() if name not in written}
        if more:
            element.set(f"{{{NAMESPACE}}}more", json.dumps(more, ensure_ascii=False, sort_keys=True))

    def _head(self, element: etree._Element, node: Node, items: list[_Item]) -> list[_Item]:
        """Write number and heading of `node`; return the remaining items."""
        first = items[0] if items else None
        written = None
        text = self.document.text_of(first) if isinstance(first, Node) else ""
        if isinstance(first, Node) and first.type == "heading" and not first.children and "\n" not in text:
            title = node.heading or ""
            prefix = text[: -len(title)] if title and text.endswith(title) and len(text) > len(title) else ""
            if prefix.endswith(" ") and prefix.strip() and not prefix.endswith("  "):
                self._line(element, "num", first.start, first.start + len(prefix) - 1)
                heading = self._line(element, "heading", first.start + len(prefix), first.end)
                heading.set(f"{{{NAMESPACE}}}with", "num")
                written = title
            elif node.num is not None and self._number_width(first, node.num) == first.end - first.start:
                heading = self._line(element, "num", first.start, first.end)
            else:
                heading = self._line(element, "heading", first.start, first.end)
                written = text
            self._describe(heading, first)
            items = items[1:]
        elif isinstance(first, _Run) and node.num is not None and (size := self._number_width(first, node.num)):
            self._line(element, "num", first.start, first.start + size)
            rest = self.text[first.start + size : first.end]
            begin = first.start + size + len(rest) - len(rest.lstrip(" \n\t"))
            items = [_Run(begin, first.end), *items[1:]] if rest.strip() else items[1:]
        # what the text does not print is an attribute: other readers take the words of elements for words of the law
        if written != node.heading:
            element.set(f"{{{NAMESPACE}}}heading", node.heading or "")
        return items

    def _number_width(self, run: _Item, num: str) -> int:
        """Return the length of the number as printed at the start of `run`: `(a)`, `12A.`, `3 a §`, `Article 5`; 0 if there is none."""
        pattern = rf"(?:[^\W\d]+\.?\s|§\s?)?[(\[]?{re.escape(num)}[)\].:]*{_SIGN}(?=\s|\Z)"
        match = re.compile(pattern, re.IGNORECASE).match(self.text, run.start, run.end)
        return match.end() - match.start() if match else 0

    def _hierarchy(self, parent: etree._Element, items: Sequence[_Item]) -> None:
        """Write items below a hierarchical element or a body.

        Items outside the hierarchy go into intro, wrapUp, or a separate container.
        """
        lines = self._lines(items)
        name = etree.QName(parent).localname
        frame = name in ("body", "mainBody")
        flags = [isinstance(line, Node) and not self._is_block(line) for line in lines]
        if not any(flags) and not frame:
            if lines:
                self._blocks(_sub(parent, "content"), lines)
            return
        index = 0
        while index < len(lines):
            line = lines[index]
            if flags[index] and isinstance(line, Node):
                self._node(parent, line)
                index += 1
                continue
            stop = next((place for place in range(index, len(lines)) if flags[place]), len(lines))
            if name == "mainBody":
                target = parent
            elif not frame and index == 0:
                target = _sub(parent, "intro")
            elif not frame and stop == len(lines):
                target = _sub(parent, "wrapUp")
            else:
                target = _sub(_sub(parent, "hcontainer", name="text"), "content")
            self._blocks(target, lines[index:stop])
            index = stop

    def _node(self, parent: etree._Element, node: Node) -> None:
        name = _HIERARCHY.get(node.type)
        element = _sub(parent, name) if name else _sub(parent, "hcontainer", name=node.type)
        self._describe(element, node)
        self._hierarchy(element, self._head(element, node, self._items(node.start, node.end, node.children)))

    def _contained(self, parent: etree._Element, items: Sequence[_Item]) -> None:
        """Write items of a preface or a preamble: containers within containers."""
        for line in self._lines(items):
            if isinstance(line, Node) and not self._is_block(line):
                is_alone = line.type == "longtitle" and not line.children
                long_title = is_alone and etree.QName(parent).localname == "preface"
                element = _sub(parent, "longTitle") if long_title else _sub(parent, "container", name=line.type)
                self._describe(element, line)
                if line.heading is not None:
                    element.set(f"{{{NAMESPACE}}}heading", line.heading)
                self._contained(element, self._items(line.start, line.end, line.children))
                if not len(element):
                    _sub(element, "p")
            else:
                self._blocks(parent, [line])

    # --- lines -----------------------------------------------------------------------------------------------------------------

    def _lines(self, items: Sequence[_Item]) -> list[Node | list[_Item]]:
        """Return items grouped to lines of text with the nodes inside them; every other node is separate."""
        lines: list[Node | list[_Item]] = []
        for index, item in enumerate(items):
            inline = isinstance(item, _Run) or (
                self._may_be_inline(item) and (item.type in _INLINE or self._joined(items, index))
            )
            if not inline and isinstance(item, Node):
                lines.append(item)
                continue
            last = lines[-1] if lines else None
            if isinstance(last, list) and "\n" not in self.text[last[-1].end : item.start]:
                last.append(item)
            else:
                lines.append([item])
        return lines

    def _may_be_inline(self, node: Node) -> bool:
        return (
            not node.children
            and node.type not in _HIERARCHY
            and node.type not in ("table", "heading")
            and node.heading is None
            and node.end > node.start
            and "\n" not in self.document.text_of(node)
        )

    def _joined(self, items: Sequence[_Item], index: int) -> bool:
        """Return whether there is text on the same line as the node at `index`."""
        node = items[index]
        before = items[index - 1] if index else None
        after = items[index + 1] if index + 1 < len(items) else None
        return (isinstance(before, _Run) and "\n" not in self.text[before.end : node.start]) or (
            isinstance(after, _Run) and "\n" not in self.text[node.end : after.start]
        )

    def _is_block(self, node: Node) -> bool:
        return node.type == "table" and not node.children and node.end > node.start and node.heading is None

    def _blocks(self, parent: etree._Element, lines: Iterable[Node | list[_Item]]) -> None:
        for line in lines:
            if isinstance(line, Node):
                self._table(parent, line)
                continue
            element = self._line(parent, "p", line[0].start, line[0].start)
            last: etree._Element | None = None
            for item in line:
                gap = self.text[self.end : item.start]
                text = self.text[item.start : item.end]
                if isinstance(item, Node):
                    _append(element, last, gap if item is not line[0] else "")
                    remark = item.type == "remark"
                    name, attributes = (
                        ("remark", {"status": "editorial"}) if remark else ("inline", {"name": item.type})
                    )
                    last = _sub(element, name, **attributes)
                    last.text = text
                    self._describe(last, item)
                else:
                    _append(element, last, (gap if item is not line[0] else "") + text)
                self.end = item.end

    def _line(self, parent: etree._Element, name: str, start: int, end: int) -> etree._Element:
        """Add an element with text[start:end], and the white space before it unless that is a blank line."""
        element = _sub(parent, name)
        before = self.text[self.end : start]
        if before != "\n\n" and self.end:
            element.set(f"{{{NAMESPACE}}}sep", encode_separator(before))
        if end > start:
            element.text = self.text[start:end]
        self.end = max(start, end)
        return element

    def _table(self, parent: etree._Element, node: Node) -> None:
        element = self._line(parent, "table", node.start, node.start)
        self._describe(element, node)
        for row in self.document.text_of(node).split("\n"):
            tr = _sub(element, "tr")
            for cell in _cells(row):
                _sub(_sub(tr, "td"), "p").text = cell
        self.end = node.end


def _cells(row: str) -> list[str]:
    """Return the cells of a row, or the row as one cell if joining the cells would not restore it."""
    cells = [cell.strip(" ") for cell in re.split(r"(?:(?<=\A)|(?<= ))\|(?= |\Z)", row)]
    return cells if join_cells(cells) == row else [row]


def join_cells(cells: Sequence[str]) -> str:
    """Return the canonical line of a table row: an empty cell leaves its bar."""
    return re.sub(r" {2,}", " ", " | ".join(cells)).strip(" ") if len(cells) > 1 else "".join(cells)


def _append(element: etree._Element, last: etree._Element | None, text: str) -> None:
    if last is None:
        element.text = (element.text or "") + text or None
    else:
        last.tail = (last.tail or "") + text or None


def _sub(parent: etree._Element, tag: str, /, **attributes: Any) -> etree._Element:
    return etree.SubElement(parent, f"{{{AKN}}}{tag}", attributes)


def _is(item: _Item, kind: str) -> bool:
    return isinstance(item, Node) and item.type == kind


def _in_preface(item: _Item) -> bool:
    return isinstance(item, _Run) or item.type in _PREFACE


def _year(document: Document) -> str:
    """Return the year in the work's URI, else the date of the expression, else year 1, which is "unknown" in Akoma Ntoso."""
    match = re.search(r"/(\d{4})(?:/|$)", document.work_uri or "")
    return match[1] if match else document.as_of_date or "0001-01-01"

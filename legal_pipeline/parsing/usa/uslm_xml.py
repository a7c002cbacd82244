"""USLM XML (United States Legislative Markup 1 and 2): compilations, public laws, bills, resolutions, titles of the Code.

Text that an act would put into another act (`quotedContent`) is a quotation: nothing in it is a provision. Notes, sidenotes and
source credits are remarks. Not here: identifying the work of a file (`usa.uslm_identity`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from lxml import etree

from legal_pipeline.building.builder import BLOCK_SEPARATOR, DocumentBuilder
from legal_pipeline.building.format import CERTAIN, NO, Format
from legal_pipeline.building.source import SourceFile
from legal_pipeline.building.xml import local_name, parse_xml
from legal_pipeline.errors import ParseError
from legal_pipeline.model.document import Document, Node
from legal_pipeline.parsing.usa.inline import InlineText, flat_text, table_rows
from legal_pipeline.parsing.usa.uslm_identity import UslmIdentity, uslm_identity

NAME = "uslm_xml"
VERSION = "2"

_NAMESPACE = re.compile(r"xmlns(?::\w+)?=\"https?://(?:schemas\.gpo\.gov/xml/uslm|xml\.house\.gov/schemas/uslm/1\.0)\"")
#: Levels of USLM as node types; below the paragraph every level is an `item` that keeps its name in `attributes["level"]`.
_LEVELS = {
    "division": "division", "subdivision": "division", "title": "title", "subtitle": "division", "chapter": "chapter",
    "subchapter": "subchapter", "part": "part", "subpart": "subpart", "article": "article", "subarticle": "subchapter",
    "section": "section", "subsection": "subsection", "paragraph": "paragraph", "subparagraph": "item", "clause": "item",
    "subclause": "item", "item": "item", "subitem": "item", "subsubitem": "item", "level": "item", "appendix": "schedule",
    "schedule": "schedule", "courtRule": "article", "rule": "article", "preliminary": "division",
}  # fmt: skip
#: Blocks of running text; `_REMARKS` are elements that are not law.
_TEXTS = frozenset({"content", "chapeau", "continuation", "text", "p", "proviso", "block"})
_REMARKS = frozenset({"editorialNote", "sidenote", "sourceCredit", "note", "notes", "explanationNote", "editionNote", "citationNote",
                      "statutoryNote", "changeNote", "ear", "legislativeHistory", "endorsement", "authority", "source"})  # fmt: skip
_TABLES = frozenset({"table", "gpotable"})
_SKIPPED = frozenset({"meta", "page", "endMarker", "property", "footnoteRef", "img", "figure"})
_NUM_SIGNS = re.compile(r"[\s“\"(\[]+|[\s”\")\].—–:]+$")
_HEADING_END = re.compile(r"\s*[.—–:\-]+\s*$")
#: Text after a quoted block that belongs to its last line.
_QUOTATION_TAIL = re.compile(r"[.;,:”\")\]]+(?: (?:and|or))?")
_REPEALED = re.compile(r"\[?\s*(?P<what>Repealed|Omitted|Transferred|Vacant)\b", re.IGNORECASE)


def sniff(source: SourceFile) -> float:
    return CERTAIN if _NAMESPACE.search(source.head) else NO


def parse(source: SourceFile) -> Document:
    """Parse the document. Raises `ParseError` without `main`, or if neither `meta` nor an identifier names the work."""
    root = parse_xml(source)
    main = next((element for element in root.iter() if local_name(element) in ("main", "legisBody")), None)
    if main is None:
        raise ParseError(f"a {local_name(root)} without main", position="root", expected="main")
    identity = uslm_identity(root)
    writer = _Writer()
    for part in root:
        writer.add(part)
    return _document(source, writer.builder, identity)


def _document(source: SourceFile, builder: DocumentBuilder, identity: UslmIdentity) -> Document:
    return builder.document(
        source,
        document_id=identity.document_id,
        work_uri=identity.work_uri,
        title=identity.title,
        number=identity.number,
        jurisdiction="us",
        doc_type=identity.doc_type,
        language="eng",
        metadata=identity.metadata,
        as_of_date=identity.as_of_date or source.hints.get("as_of_date"),
    )


class _Writer:
    """Read the elements in order and feed the builder; `_quoted` is the number of open quotations around the current element."""

    def __init__(self) -> None:
        self.builder = DocumentBuilder()
        self._quoted = 0
        self._separator = BLOCK_SEPARATOR

    def add(self, element: etree._Element) -> None:
        name = local_name(element)
        if name and name not in _SKIPPED:
            _WRITERS.get(name, _Writer.add_mixed)(self, element)

    def add_children(self, element: etree._Element) -> None:
        for child in element:
            self.add(child)

    def add_front(self, element: etree._Element) -> None:
        self.add_lines(element, "header" if self.builder.position == 0 else "remark")
        self.add_notes_of_properties(element)

    def add_remark(self, element: etree._Element) -> None:
        if not self.add_noted_level(element):
            self.add_lines(element, "remark")

    def block(self, text: str, node_type: str, **fields: Any) -> None:
        if text:
            self.builder.block(text, node_type, **fields)

    def add_level(self, element: etree._Element) -> None:
        """Write a level with its number and heading in one line, followed on the same line by its first text if it has no heading line."""
        name = local_name(element)
        num, heading = _child(element, "num"), _child(element, "heading")
        printed = flat_text(num) if num is not None else ""
        title = flat_text(heading) if heading is not None else ""
        node_type = _LEVELS[name]
        if self._quoted and node_type in ("section", "article", "schedule"):
            node_type = "item"
        with self.builder.node(node_type, _number(num), _HEADING_END.sub("", title) or None) as node:
            if node_type == "item":
                node.attributes["level"] = name
            _mark_change(node, element)
            lead = " ".join(part for part in (printed, title) if part)
            children = [child for child in element if child is not num and child is not heading and local_name(child)]
            note = None if title else _note_before_text(children)
            if note is not None:
                children = children[1:]
            if lead and title and node_type not in ("subsection", "paragraph", "item"):
                self.builder.heading(lead)
                lead = ""
            self._add_children(children, lead, bool(title))
            if note is not None:
                self.add(note)
            self._mark_repeal(node, title, len(printed))

    def _mark_repeal(self, node: Node, title: str, number_end: int) -> None:
        text = self.builder.text_from(node.start) if node.start >= 0 and not node.children else ""
        if match := _REPEALED.match(text[number_end:].strip()) or _REPEALED.match(title):
            node.status = "repealed" if match.group("what").lower() == "repealed" else "omitted"

    def _add_children(self, children: Iterable[etree._Element], lead: str, titled: bool) -> None:
        """Begin the first text with `lead` (number and heading); a bare number is on the line of the level below: (c)(1) Text."""
        for child in children:
            if lead and local_name(child) in _TEXTS:
                self.add_mixed(child, lead)
            else:
                if lead:
                    self._add_text(lead)
                    if local_name(child) in _LEVELS and not titled:
                        self._separator = ""
                self.add(child)
            lead = ""
        if lead:
            self._add_text(lead)

    def _add_text(self, text: str) -> int:
        """Add a block and return its start."""
        start, _ = self.builder.add(text, separator=self._separator)
        self._separator = BLOCK_SEPARATOR
        return start

    def add_mixed(self, element: etree._Element, lead: str = "") -> None:
        """Write running text with inline marks; a block inside it (a quotation, a table, a list of contents) ends the line."""
        out = InlineText()
        out.add(f"{lead} " if lead else "")
        after: list[etree._Element] = []

        def flush() -> None:
            nonlocal out
            text, marks = out.finished()
            out = InlineText()
            if not text:
                return
            if self.builder.position and _QUOTATION_TAIL.fullmatch(text):
                self._separator = ""
            start = self._add_text(text)
            for mark in marks:
                self.builder.leaf("remark", start + mark.start, start + mark.end, attributes={"kind": mark.kind})

        def walk(node: etree._Element) -> None:
            out.add(node.text)
            for child in node:
                name = local_name(child)
                if name in _LEVELS or name in _TABLES or name in ("quotedContent", "quotedBlock", "toc", "p"):
                    flush()
                    self.add(child)
                elif name in ("footnote", "sidenote"):
                    after.append(child)
                elif name and name not in _SKIPPED:
                    start = len(out.text)
                    walk(child)
                    if name in ("editorialNote", "deletedText"):
                        out.mark("deleted" if name == "deletedText" else "editorial", start)
                out.add(child.tail)

        walk(element)
        flush()
        for child in after:
            self.add(child)

    def add_quotation(self, element: etree._Element) -> None:
        self._quoted += 1
        with self.builder.node("quotation") as node:
            _mark_change(node, element)
            self._add_all(element)
        self._quoted -= 1

    def _add_all(self, element: etree._Element) -> None:
        if element.text and element.text.strip():
            self.builder.add(" ".join(element.text.split()))
        for child in element:
            self.add(child)
            if child.tail and child.tail.strip():
                self.builder.add(" ".join(child.tail.split()))

    def add_notes_of_properties(self, element: etree._Element) -> None:
        """Write the footnotes of properties; the other content of properties repeats the header."""
        for part in element.iter():
            if local_name(part) == "property":
                for note in part:
                    if local_name(note) == "footnote":
                        self.add(note)

    def add_toc(self, element: etree._Element) -> None:
        lines = []
        for child in element.iter():
            name = local_name(child)
            if name in ("heading", "tocItem", "referenceItem"):
                lines.append(flat_text(child))
        if any(lines):
            self.block("\n".join(line for line in lines if line), "toc")
        else:
            self.block(flat_text(element), "toc")

    def add_rows(self, element: etree._Element) -> None:
        rows = table_rows(element, frozenset({"tr", "row"}), frozenset({"td", "th", "entry", "ent", "ched"}))
        self.block("\n".join(rows), "table")

    def add_lines(self, element: etree._Element, node_type: str) -> None:
        """Write one node over the texts of `element`, a block each."""
        lines = [line for line in _lines(element) if line]
        if lines:
            with self.builder.node(node_type):
                for line in lines:
                    self.builder.add(line)

    def add_preamble(self, element: etree._Element) -> None:
        with self.builder.node("preamble"):
            parts = [child for child in element if local_name(child) in ("recital", "resolvingClause", "p")]
            if not parts:
                self.builder.add(flat_text(element))
            for child in parts:
                with self.builder.node("item", attributes={"level": local_name(child)}) as node:
                    _mark_change(node, child)
                    self.builder.add(flat_text(child))

    def add_noted_level(self, element: etree._Element) -> bool:
        """Write a level inside an editorial note (`[Sec. 7. Repealed by …]`) as a level, so that its number is kept."""
        if not _holds_level(element):
            return False
        for child in element:
            self.add(child)
        return True


def _child(element: etree._Element, name: str) -> etree._Element | None:
    return next((child for child in element if local_name(child) == name), None)


def _holds_level(element: etree._Element) -> bool:
    return local_name(element) == "editorialNote" and any(local_name(child) in _LEVELS for child in element)


def _number(num: etree._Element | None) -> str | None:
    """Return the `value` of a num, else its text without the words and signs around the number."""
    if num is None:
        return None
    value = (num.get("value") or "").strip() or re.sub(
        r"^(?:SEC(?:TION|\.)?|Sec(?:tion|\.)?|[A-Za-z]+)\s+(?=\S)|§+\s*", "", flat_text(num)
    )
    return _NUM_SIGNS.sub("", value) or None


def _note_before_text(children: Sequence[etree._Element]) -> etree._Element | None:
    """Return the note that a level begins with: in a section without heading it would separate its number from its first words."""
    if children and local_name(children[0]) in ("editorialNote", "sidenote") and not _holds_level(children[0]):
        return children[0]
    return None


def _mark_change(node: Node, element: etree._Element) -> None:
    """Set status and attribute of a change that a bill shows: text that a committee struck out is no longer part of the bill."""
    changed = element.get("changed")
    if changed in ("deleted", "added"):
        node.attributes["changed"] = changed
        if changed == "deleted":
            node.status = "omitted"
    status = element.get("status")
    if status in ("repealed", "omitted"):
        node.status = status


def _lines(element: etree._Element) -> list[str]:
    """Return the text of `element`, a line per child block; running text with inline elements is one line."""
    inline = frozenset({"inline", "b", "i", "ref", "date", "sup", "sub", "term", "quotedText", "sponsor", "cosponsor", "committee",
                        "currentThroughPublicLaw", "citableAs", "shortTitle", "span", "a", "em", "br"})  # fmt: skip
    children = [child for child in element if local_name(child) and local_name(child) not in _SKIPPED]
    if not children or (element.text or "").strip() or all(local_name(child) in inline for child in children):
        return [flat_text(element, skip=_SKIPPED)]
    found: list[str] = []
    for child in children:
        found.extend(_lines(child))
        if child.tail and child.tail.strip():
            found.append(" ".join(child.tail.split()))
    return found


#: Writer of each element, by its name; later entries override earlier entries. Any other element is written by `add_mixed`.
_WRITERS: dict[str, Callable[[_Writer, etree._Element], None]] = {
    "num": lambda writer, element: None,  # written with its level
    "heading": lambda writer, element: writer.block(flat_text(element), "heading"),
    **dict.fromkeys(("action", "actionDescription"), lambda writer, element: writer.add_lines(element, "remark")),
    "footnote": lambda writer, element: writer.block(flat_text(element), "footnote", num=element.get("num")),
    **dict.fromkeys(_REMARKS, _Writer.add_remark),
    "signatures": lambda writer, element: writer.add_lines(element, "signature"),
    **dict.fromkeys(("preamble", "enactingFormula", "resolvingClause"), _Writer.add_preamble),
    "longTitle": lambda writer, element: writer.add_lines(element, "longtitle"),
    **dict.fromkeys(("preface", "coverPage"), _Writer.add_front),
    **dict.fromkeys(_TABLES, _Writer.add_rows),
    "toc": _Writer.add_toc,
    **dict.fromkeys(("quotedContent", "quotedBlock"), _Writer.add_quotation),
    **dict.fromkeys(_LEVELS, _Writer.add_level),
    **dict.fromkeys(("main", "legisBody"), _Writer.add_children),
}


FORMAT = Format(NAME, "USLM XML (compilations, public laws, bills)", sniff, parse, VERSION)

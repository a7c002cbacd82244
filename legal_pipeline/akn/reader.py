"""Converts Akoma Ntoso elements to nodes: the canonical text contains every element's text, eIds are kept.

Not here: identity and metadata (`akn.xml`, `akn.html`), documents that this package exported (`akn.own`).
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator, Sequence

from legal_pipeline.akn.element import Element
from legal_pipeline.akn.marked_text import CLOSE, OPEN, collapse
from legal_pipeline.akn.metadata import standard_name, without_version
from legal_pipeline.akn.numbers import bare_number, number_in_id
from legal_pipeline.akn.vocabulary import BLOCKS, CONTAINERS, HEADS, HIERARCHY, NOTES, QUOTATIONS, REMARKS
from legal_pipeline.building.body_writer import credit
from legal_pipeline.building.builder import BLOCK_SEPARATOR, DocumentBuilder
from legal_pipeline.building.designated_paragraphs import Paragraph, add_paragraphs
from legal_pipeline.building.editorial import Remark, read_remark
from legal_pipeline.building.provision_body import DEFINITION
from legal_pipeline.jurisdictions.jurisdiction import jurisdiction
from legal_pipeline.model.document import PROVISIONS, STRUCTURE
from legal_pipeline.model.identity import UniqueNames
from legal_pipeline.text.normalise import one_line

_SKIPPED = frozenset({"meta", "marker"})
#: Levels that are provisions, unless they contain provisions of the other kind.
_DIVIDED = {"section": "article", "article": "section"}
#: Lines of a signature, which publishers write without white space between them.
_SIGNERS = frozenset({"person", "shortTitle", "role", "organization"})
#: Attribute of an element whose paragraphs are flat and numbered: the country and its drafting style, `us regulation`.
DRAFTING = "drafting"
#: Attribute of an element whose heading is printed at the beginning of its first line of text.
RUN_IN = "run-in"
#: Characters that end a run-in heading and are not part of it.
_HEADING_END = " .:-–—"
#: Text after a quotation that belongs to its last line.
_BRACKETED = re.compile(r"\[\d{1,4}\]")
_QUOTATION_TAIL = re.compile(r"[.;,:”\")\]]+(?: (?:and|or))?")
#: The parent level in an eId, and the last level.
_LAST_LEVEL = re.compile(r"(?P<parent>.+)(?:/|__)(?P<last>.+)", re.DOTALL)


class Reader:
    """Writes elements into `builder`; `warnings` collects errors of the source.

    `between_numbers` is printed between the number of a level and that of the level that begins there: `(1) (a)`. `quoted_levels`:
    the levels of quoted law are nodes too, and a mark after a quotation ends its last line.
    """

    def __init__(
        self,
        builder: DocumentBuilder,
        *,
        judgment: bool = False,
        between_numbers: str = " ",
        quoted_levels: bool = False,
    ) -> None:
        self.builder = builder
        self._quoted_levels = quoted_levels
        self._between_numbers = between_numbers
        self.warnings: list[str] = []
        self._judgment = judgment
        self._eids = UniqueNames()
        self._standard: dict[str, str] = {}
        self._separator = BLOCK_SEPARATOR
        self._pending: list[str] = []
        #: Separator between the waiting number and the number of an element that opens before any text.
        self._behind_num = between_numbers
        self._notes: list[Element] = []
        #: (number of open nodes, remark before the first words of a level): written when that level closes.
        self._late: list[tuple[int, Element]] = []
        self._quoted = 0

    def read(self, element: Element) -> None:
        """Write `element` and everything below it."""
        name = element.name
        if name == "hcontainer":
            name = standard_name(element.attributes.get("name")) or name
        if name in _SKIPPED:
            return
        if name in QUOTATIONS:
            self._quotation(element)
        elif name in NOTES:
            self._notes.append(element)
            self._flush_notes()
        elif name == "table":
            self._table(element)
        elif name == "staticContent":
            if text := _flat(element):
                self._leaf("running_header", text)
        elif name in ("crossHeading", "heading", "subheading"):
            self._heading(element)
        elif name == "num":
            self._take_notes(element)
            self._pending.append(_flat(element))
        elif name in HIERARCHY and (not self._quoted or self._quoted_levels):
            self._hierarchy(element, HIERARCHY[name])
        elif name == REMARKS and self.builder.depth and self._pending and self._behind_num != BLOCK_SEPARATOR:
            self._late.append((self.builder.depth, element))
        elif name in CONTAINERS and (not self._quoted or self._quoted_levels or name == REMARKS):
            self._container(element, CONTAINERS[name])
        elif name == "blockList":
            self._list(element)
        elif name in ("p", "block") or not _has_blocks(element):
            self._paragraph(element)
        else:
            self._children(element.content)

    def _children(self, content: Iterable[Element | str]) -> None:
        line: list[Element | str] = []

        def flush() -> None:
            if line:
                self._paragraph(Element("p", content=list(line)))
                line.clear()

        for item in content:
            if isinstance(item, str):
                if item.strip() or line:
                    line.append(item)
            elif item.name in BLOCKS or item.name in QUOTATIONS or item.name in _SKIPPED or _has_blocks(item):
                flush()
                self.read(item)
            elif item.name in NOTES and not line:
                self.read(item)
            else:
                line.append(item)
        flush()

    def _hierarchy(self, element: Element, kind: str) -> None:
        if kind == "heading":
            self._children(element.content)
        else:
            self._container(element, self._kind(element, kind))

    def _kind(self, element: Element, kind: str) -> str:
        """Return the node type of a hierarchical element by its place and content: publishers use the names of levels differently."""
        if self._quoted:
            return kind
        # Some courts mark their paragraphs up as items of lists: "[12] The appellant".
        is_paragraph = kind == "paragraph" or (kind == "item" and _BRACKETED.fullmatch(_number_of(element)) is not None)
        if self._judgment and is_paragraph and not self._is_inside("numbered_paragraph", "paragraph"):
            return "numbered_paragraph"
        inner = _first_inside(element, _DIVIDED[kind]) if kind in _DIVIDED else None
        if inner is not None and not (kind == "article" and _number_of(inner).startswith("§")):
            # A section of articles is a division of the Act; its articles are the provisions. "Art. 229 § 5" is a section of its article.
            return "division"
        if kind in _DIVIDED and element.first("num") is None and self._is_inside("schedule"):
            return "division"
        if kind in STRUCTURE and self._is_inside("section", "article"):
            return "paragraph"
        if kind == "proviso" and not self._is_inside("section", "article", "paragraph", "subsection", "schedule"):
            return "transitional"
        return kind

    def _is_inside(self, *types: str) -> bool:
        return any(node.type in types for node in self.builder.open_nodes)

    def _container(self, element: Element, kind: str) -> None:
        if kind == "header" and not one_line(element.text()):
            return
        self._open(element, kind)
        self._flush_num()
        # A number without text ends its line.
        self._separator = BLOCK_SEPARATOR
        self._flush_notes()
        self._end()

    def _end(self) -> None:
        """Write the remarks that waited for the first words of the current node, and close it."""
        while self._late and self._late[-1][0] == self.builder.depth:
            self._container(self._late.pop()[1], "remark")
        self.builder.close()

    def _open(self, element: Element, kind: str) -> None:
        """Open a node, write its number and heading, then its content."""
        self._flush_num(self._behind_num)
        heads, rest = _heads_and_rest(element)
        num, heading, subheading = map(heads.get, ("num", "heading", "subheading"))
        number = _flat(num) if num else ""
        title = _flat(heading) if heading else ""
        cited = (num.attributes.get("value") if num else None) or (bare_number(number) if number else None)
        if kind in PROVISIONS and not self._quoted and (not number or number.startswith("(")):
            # without a number, or with that of its first subsection, "(1)", the provision has the one that its id states
            cited = number_in_id(element.eid) or cited
        run_in = RUN_IN in element.attributes
        name = title.rstrip(_HEADING_END) if run_in else title
        fields = {"heading": name or None, **element.fields}
        self.builder.open(kind, cited, eid=self._eid(element, cited), **fields)
        for head in filter(None, (num, heading, subheading)):
            self._take_notes(head)
        if title and not run_in:
            between = "" if number.endswith("—") else " "
            self._leaf("heading", f"{number}{between}{title}".strip())
        elif number or title:
            self._pending.append(f"{number} {title}".strip())
            self._behind_num = BLOCK_SEPARATOR if title else self._between_numbers
        if subheading is not None and (text := _flat(subheading)):
            self._leaf("heading", text)
        if not self._pending:  # otherwise they come after the text that the number waits for
            self._flush_notes()
        if DRAFTING in element.attributes:
            self._numbered(rest, *element.attributes[DRAFTING].split())
        else:
            self._children(rest)

    def _numbered(self, content: Iterable[Element | str], country: str, drafting: str) -> None:
        """Write flat paragraphs as the levels that their numbers give; other elements stay where they are."""
        self._flush_num()
        self._separator = BLOCK_SEPARATOR
        paragraphs: list[Paragraph] = []
        for item in content:
            is_line = isinstance(item, str) or item.name == "p"
            if is_line:
                text, italics = collapse(_with_italics(item))
                if text:
                    paragraphs.append(Paragraph(text, italics or None))
            asides = [] if isinstance(item, str) else [item] if not is_line else _notes_in(item)
            paragraphs += [Paragraph("", emit=functools.partial(self._write_aside, aside)) for aside in asides]
        add_paragraphs(self.builder, paragraphs, jurisdiction(country).drafting(drafting))

    def _write_aside(self, element: Element, _builder: DocumentBuilder) -> None:
        self.read(element)

    def _list(self, element: Element) -> None:
        intro = element.first("listIntroduction")
        term = _defined_term(intro) if intro is not None and not self._quoted else None
        inside = self.builder.current is not None and self.builder.current.type == "definition"
        if term is None or inside:
            self._children(element.content)
            return
        self._flush_num()
        self.builder.open("definition", eid=self._eid(element), attributes={"term": term})
        self._children(element.content)
        self._end()

    def _quotation(self, element: Element) -> None:
        """Write the new text of another law: text of this document, but not a provision of it."""
        self._flush_num()
        self.builder.open("quotation", eid=self._eid(element) if not self._quoted else None)
        self._quoted += 1
        if mark := element.attributes.get("startQuote"):
            self._add(mark)
            self._separator = ""
        self._children(element.content)
        self._flush_num()
        if mark := element.attributes.get("endQuote"):
            self._separator = ""
            self._add(mark)
        self._quoted -= 1
        self._end()

    def _table(self, element: Element) -> None:
        rows = list(_lines_of_table(element))
        self._notes += _notes_in(element)
        if rows:
            self._leaf("table", "\n".join(rows), eid=self._eid(element))
        self._flush_notes()

    def _heading(self, element: Element) -> None:
        self._take_notes(element)
        if text := _flat(element):
            self._leaf("heading", text, eid=self._eid(element) if element.name == "crossHeading" else None)
        self._flush_notes()

    def _paragraph(self, element: Element) -> None:
        """Write a line of text with its remarks, notes, and quotations, which end the line."""
        marked = ""
        remarks = _inline_remarks(element)
        for part in _parts(element):
            if isinstance(part, str):
                marked += part
            elif part.name in NOTES or part.name == REMARKS:
                self._notes.append(part)
            else:
                self._line(marked, remarks)
                marked = ""
                self.read(part)
        self._line(marked, remarks)
        self._flush_notes()

    def _line(self, marked: str, marks: Iterator[Element]) -> None:
        text, remarks = collapse(marked)
        if not text:
            return
        if self._quoted_levels and self.builder.position and not self._pending and _QUOTATION_TAIL.fullmatch(text):
            self._separator = ""
        definition = None
        current = self.builder.current
        if not self._quoted and not self._pending and (current is None or current.type not in ("definition", "remark")):
            definition = DEFINITION.match(text)
        start, _end = self._add(text)
        if definition is not None:
            self.builder.open("definition", attributes={"term": definition["term"]}).start = start
        for (a, b), mark in zip(remarks, marks, strict=False):
            remark = read_remark(text[a:b])
            fields = {"amendments": remark.amendments if remark else (), **mark.fields}
            self.builder.leaf("remark", start + a, start + b, **fields)
            if remark is not None and remark.amendments:
                self._credit(remark)
        if definition is not None:
            self.builder.close()

    def _credit(self, remark: Remark) -> None:
        """Note the amendments of a remark: a remark on a definition follows its node, any other remark is inside its node."""
        beside = self.builder.current.children if self.builder.current is not None else self.builder.nodes
        defined = next((node for node in reversed(beside) if node.type == "definition"), None)
        if remark.subject == "definition" and defined is not None:
            defined.amendments += remark.amendments
        else:
            credit(self.builder, remark)

    def _leaf(self, kind: str, text: str, num: str | None = None, *, eid: str | None = None) -> None:
        """Write a block that is one node."""
        start, end = self._add(text)
        self.builder.leaf(kind, start, end, num, eid=eid)

    def _add(self, text: str) -> tuple[int, int]:
        self._flush_num()
        separator, self._separator = self._separator, BLOCK_SEPARATOR
        return self.builder.add(text, separator=separator)

    def _flush_num(self, separator_behind: str = " ") -> None:
        """Write the number that waits for its text; the text then follows on the same line."""
        if not self._pending:
            return
        text = " ".join(item for item in self._pending if item)
        self._pending.clear()
        if text:
            separator, self._separator = self._separator, BLOCK_SEPARATOR
            self.builder.add(text, separator=separator)
            self._separator = separator_behind

    def _take_notes(self, element: Element) -> None:
        for child in element.elements():
            self._notes += _notes_in(child)

    def _flush_notes(self) -> None:
        notes, self._notes = self._notes, []
        for note in notes:
            if note.name == REMARKS:
                self._container(note, "remark")
            elif text := _flat(Element("p", content=note.content)):
                number = note.attributes.get("marker") or note.fields.get("num")
                self._leaf("footnote", text, number, eid=self._eid(note))

    def _eid(self, element: Element, num: str | None = None) -> str | None:
        """Return the eId of the source in the form of the standard, `art_87a__para_1`, unique in the document."""
        stated = without_version(re.sub(r"\s+", "_", element.eid.strip())) if element.eid else None
        if not stated:
            return None
        eid = self._standard_eid(stated, num)
        unique = self._eids.take(eid)
        if unique != eid:
            self.warnings.append(f"eId {eid} occurs more than once; this element is named {unique}")
        self._standard[stated] = unique
        return unique

    def _standard_eid(self, stated: str, num: str | None) -> str:
        """Convert an eId with levels separated by a slash, and with a number in another form than in the element: `art_87_a/para_1`."""
        match = _LAST_LEVEL.match(stated)
        parent, last = (match["parent"], match["last"]) if match else ("", stated)
        prefix, _, rest = last.partition("_")
        number = num.replace(" ", "") if num else ""
        if number and rest != number and re.fullmatch(rf"{re.escape(number)}(?:er|re)?", rest.replace("_", "")):
            last = f"{prefix}_{number}"
        if not parent:
            return last
        return f"{self._standard.get(parent) or parent.replace('/', '__')}__{last}"


def _heads_and_rest(element: Element) -> tuple[dict[str, Element], list[Element | str]]:
    """Return the first number, heading and subheading of `element` by name, and its other content."""
    heads: dict[str, Element] = {}
    rest: list[Element | str] = []
    for item in element.content:
        if not isinstance(item, str) and item.name in HEADS and item.name not in heads:
            heads[item.name] = item
        else:
            rest.append(item)
    return heads, rest


def _defined_term(intro: Element) -> str | None:
    """Return the term that a list defines: `"court" means—`, or words that the source marks as a definition."""
    text = _flat(intro)
    if match := DEFINITION.match(text):
        return match["term"]
    marked = next((item for item in intro.walk() if item.name == "def"), None)
    term = one_line(marked.text()) if marked is not None else ""
    return term if term and text.lstrip("“\"‘'").startswith(term) else None


def _first_inside(element: Element, name: str) -> Element | None:
    """Return the first element `name` below `element` outside quoted law, None if there is none."""
    inside = (item for item in element.elements() if item.name not in QUOTATIONS)
    found = (item if item.name == name else _first_inside(item, name) for item in inside)
    return next(filter(None, found), None)


def _number_of(element: Element) -> str:
    num = element.first("num")
    return num.text().strip() if num is not None else ""


def _has_blocks(element: Element) -> bool:
    return any(item.name in BLOCKS or (item.name not in NOTES and _has_blocks(item)) for item in element.elements())


def _parts(element: Element) -> Sequence[str | Element]:
    """Return text with its remarks marked, and the notes and quotations in it, in order; must not be changed."""
    if len(element.content) == 1 and isinstance(element.content[0], str):
        return element.content
    parts: list[str | Element] = []
    for item in element.content:
        if isinstance(item, str):
            parts.append(item)
        elif item.name in ("br", "eol"):
            parts.append(" ")
        elif item.name in NOTES or item.name in QUOTATIONS or item.name in ("table", REMARKS):
            parts.append(item)
        elif item.name == "remark":
            parts += [OPEN, *_parts(item), CLOSE]
        elif item.name in BLOCKS:
            parts += [" ", *_parts(item), " "]
        elif item.name not in _SKIPPED:
            is_line = item.name == "signature" or (element.name == "signature" and item.name in _SIGNERS)
            parts += [" ", *_parts(item)] if is_line else _parts(item)
    return parts


def _lines_of_table(element: Element) -> Iterator[str]:
    """Yield the rows of a table, cells separated by a bar, and what stands in it outside the rows, such as its title, as lines."""
    for item in element.elements():
        if item.name == "tr":
            cells = [_flat(cell) for cell in item.elements() if cell.name in ("td", "th")] or [_flat(item)]
            if any(cells):
                yield one_line(" | ".join(cells))
        elif any(below.name == "tr" for below in item.walk()):
            yield from _lines_of_table(item)
        elif item.name not in NOTES and (text := _flat(item)):
            yield text


def _notes_in(element: Element) -> list[Element]:
    return [item for item in element.walk() if item.name in NOTES]


def _with_italics(item: Element | str) -> str:
    """Return the text of `item` without its notes, italics marked."""
    if isinstance(item, str):
        return item
    text = "".join(_with_italics(part) for part in item.content if isinstance(part, str) or part.name not in NOTES)
    return f"{OPEN}{text}{CLOSE}" if item.name == "i" else text


def _inline_remarks(element: Element) -> Iterator[Element]:
    """Yield the remarks in a line of text that are not inside another remark, in order."""
    for item in element.elements():
        if item.name == "remark" and one_line(item.text()):
            yield item
        elif item.name not in NOTES and item.name not in QUOTATIONS and item.name not in ("table", REMARKS):
            yield from _inline_remarks(item)


def _flat(element: Element) -> str:
    """Return all text of `element` without its notes, as one line."""
    return one_line(_without_notes(element).replace(OPEN, "").replace(CLOSE, ""))


def _without_notes(element: Element) -> str:
    return "".join(
        part if isinstance(part, str) else "" if part.name in NOTES else f" {_without_notes(part)} "
        for part in _parts(element)
    )

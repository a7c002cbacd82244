"""Write the nodes of a Swedish statute; every Swedish parser, whatever its format, feeds this module.

Callers report structure (a chapter, a §, a stycke, an item) in reading order; nesting, marks, numbers and spans are made here.
Not here: recognising the structure in a format (the parsers), the marks themselves (`parsing.sweden.marks`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from legal_pipeline.building.builder import DocumentBuilder
from legal_pipeline.model.document import Amendment, Node
from legal_pipeline.parsing.sweden.marks import (
    LAYOUT,
    TemporalMark,
    leading_marks,
    repealed_by,
    temporal_marks,
    trailing_amendments,
)

Offsets = list[tuple[int, int]] | None

STYCKE = "STYCKE"
ALLMANT_RAD = "ALLMANT_RAD"
TABLE = "TABLE"
TRANSITION_PROVISION = "TRANSITION_PROVISION"

#: Nodes that may contain the structure of a whole statute (a treaty in a schedule); only another container closes them.
_CONTAINERS = ("schedule", "transitional")
_NUMBER_PART = re.compile(r"(\d+)\s*([a-zåäö]{1,3})?(?![a-zåäö])", re.IGNORECASE)
_SPACES = re.compile(r"\s+")
_MARKER_DECORATION = "().:] \t"
_DASHES = frozenset("-–—−•·*")


def section_number(text: str) -> str:
    """Return the number of a § as it is cited.

    >>> section_number("2a §"), section_number("§ 3"), section_number("3-5 §§"), section_number("4 och 5 §§")
    ('2 a', '3', '3-5', '4 och 5')
    """
    bare = _SPACES.sub(" ", text.replace("§", " ")).strip(" .")
    return _NUMBER_PART.sub(lambda m: f"{m[1]} {m[2].lower()}" if m[2] else m[1], bare).replace("–", "-")


def section_sign(text: str) -> str:
    """Return the sign of a § in canonical form.
    >>> section_sign("2a §"), section_sign("§ 2."), section_sign(" §")
    ('2 a §', '§ 2.', '§')
    """
    text = _SPACES.sub(" ", text).strip()
    signs = "§§" if "§§" in text else "§"
    dot = "." if text.endswith(".") else ""
    number = section_number(text)
    return f"{signs} {number}".strip() + dot if text.startswith("§") else f"{number} {signs}".strip() + dot


class StatuteWriter:
    """Feed a `DocumentBuilder` with a Swedish statute in reading order. All texts are single lines of canonical text.

    Texts contain their marks as printed. Amendment marks at the end ("Lag (2022:1109).") and temporal marks
    ("/Upphör att gälla U:2024-11-01/") at the beginning are recognised here. `offsets` are pairs (offset in the given text, raw offset).

    >>> builder = DocumentBuilder()
    >>> writer = StatuteWriter(builder)
    >>> _ = writer.chapter("2", "Arbetsmiljöns beskaffenhet", "2 kap. Arbetsmiljöns beskaffenhet")
    >>> _ = writer.section("3a §")
    >>> _ = writer.stycke("Arbetslokalen skall vara ljus. Lag (2002:585).")
    >>> writer.finish()
    >>> builder.text
    '2 kap. Arbetsmiljöns beskaffenhet\\n\\n3 a § Arbetslokalen skall vara ljus. Lag (2002:585).'
    >>> section = builder.nodes[0].children[1]
    >>> section.num, [(child.type, builder.text[child.start:child.end]) for child in section.children]
    ('3 a', [('subsection', 'Arbetslokalen skall vara ljus.'), ('remark', 'Lag (2002:585).')])
    """

    def __init__(self, builder: DocumentBuilder) -> None:
        self.builder = builder
        self._counts: dict[int, int] = {}
        self._items: list[tuple[int, Node]] = []
        self._subsection: Node | None = None
        self.provision: Node | None = None
        self._sign = ""
        self._sign_raw: int | None = None
        self._sign_before = ""
        #: The amendment mark at the end of the last block: the end of the text before it, its start, end and amendments.
        self._mark: tuple[int, int, int, tuple[Amendment, ...]] | None = None

    # -- structure ------------------------------------------------------------------------------------------------------

    def division(
        self, num: str | None, heading: str | None, text: str, *, level: int = 1, offsets: Offsets = None
    ) -> Node:
        """Open an avdelning or a group of avdelningar; a higher `level` is deeper."""
        self._close_structure("division", level)
        return self._headed("division", num, heading, text, offsets, **({"level": level} if level > 1 else {}))

    def subheading(self, text: str, *, offsets: Offsets = None) -> Node:
        """Add a second heading line to the `heading` of the division, chapter or schedule just opened."""
        self._settle()
        node = self.builder.current
        leaf = self._heading_block(text, None, offsets)
        if node is not None:
            plain = self._plain_heading(text)
            node.heading = " ".join(part for part in (node.heading, plain) if part) or None
        return leaf

    def chapter(self, num: str | None, heading: str | None, text: str, *, offsets: Offsets = None) -> Node:
        """Open a kapitel; `text` is its whole line as printed ("2 kap. Arbetsmiljöns beskaffenhet")."""
        self._close_structure("chapter", 0)
        return self._headed("chapter", num, heading, text, offsets)

    def heading(self, text: str, *, level: int = 1, offsets: Offsets = None) -> Node:
        """Write a group heading (level 1 rubrik, 2 underrubrik) between §§; it ends the § before it."""
        self._close_provision()
        return self._heading_block(text, None, offsets, level=level)

    def section(self, sign: str, *, raw: int | None = None, before: str = "") -> Node:
        """Open a §; `sign` as printed ("2 a §"), `raw` its offset in the raw text. The sign is written together with the next text.

        `before`: temporal marks before the sign.
        """
        self._close_provision()
        self.close_preamble()
        self.provision = node = self.builder.open("section", section_number(sign))
        self._sign, self._sign_raw = section_sign(sign), raw
        if before:
            self._sign, self._sign_before = f"{before} {self._sign}", before
            self._apply(leading_marks(before)[0], node)
        return node

    def article(self, num: str | None, text: str, heading: str | None = None, *, offsets: Offsets = None) -> Node:
        """Open an article of a treaty; `text` is its heading line ("Artikel 1")."""
        self._close_provision()
        self.close_preamble()
        self.provision = node = self.builder.open("article", num, heading or None)
        self._heading_block(text, None, offsets)
        return node

    def preamble(self) -> Node:
        """Open the part before the first provision (enacting words, "Innehåll")."""
        self.finish()
        return self.builder.open("preamble")

    def transitional(self, text: str | None = None, *, offsets: Offsets = None) -> Node:
        """Open the container of övergångsbestämmelser; `text` is its heading, if it has a heading."""
        self.finish()
        node = self.builder.open("transitional", heading=text)
        if text:
            self._heading_block(text, None, offsets)
        return node

    def transitional_act(self, number: str, text: str | None = None, *, offsets: Offsets = None) -> Node:
        """Open the övergångsbestämmelser of one amending act (`2022:1109`); `text` is its line as printed."""
        if not self.inside("transitional"):
            self.transitional()
        self._close_provision()
        types = [node.type for node in self.builder.open_nodes]
        self.builder.close_to(types.index("transitional") + 1)
        node = self.builder.open("transitional", number)
        self._heading_block(text or number, None, offsets)
        return node

    def schedule(self, num: str | None, heading: str | None, text: str, *, offsets: Offsets = None) -> Node:
        """Open a bilaga; `text` is its first line as printed ("Bilaga 1")."""
        self.finish()
        return self._headed("schedule", num, heading, text, offsets)

    def inside(self, *types: str) -> bool:
        """Whether a node of one of these types is open."""
        return any(node.type in types for node in self.builder.open_nodes)

    def close_preamble(self) -> None:
        """Close the preamble, if it is open."""
        if self.inside("preamble"):
            self._close_provision()
            self.builder.close_through("preamble")

    # -- text -----------------------------------------------------------------------------------------------------------

    def stycke(self, text: str, *, role: str | None = None, offsets: Offsets = None) -> Node:
        """Write a paragraph; in a § its number counts from 1. It stays open for the items that it introduces."""
        if self.provision is not None and self.provision.status == "repealed" and trailing_amendments(text)[0]:
            self._close_provision()  # a closing formula after a repealed § is not part of it
        first = self._close_stycke()
        marks, begin = leading_marks(text)
        body = text[begin:]
        mark_at, amendments = trailing_amendments(body)
        prefix = self._take_sign()
        start, _ = self._add(prefix, text, offsets)
        target = self.provision if (prefix or first) and self.provision is not None else None
        self._remarks(marks, start)
        if amendments and not body[:mark_at].strip():
            node = self.builder.remark(start + begin, start + len(text), amendments)
            self._amend(amendments, node)
            return node
        node = self._open_leaf("subsection", start + begin, self._next_number(), role=role or self._role())
        self._subsection = node
        self._apply(marks, target or node)
        if amendments:
            self._take_mark(start, text, begin + mark_at, amendments, node)
        if prefix and self.provision is not None and (repealed := repealed_by(body))[0]:
            self.provision.status = "repealed"
            self._amend(repealed[1], node)
        return node

    def item(
        self,
        marker: str,
        text: str,
        *,
        level: int = 0,
        before: str = "",
        raw: int | None = None,
        offsets: Offsets = None,
    ) -> Node:
        """Write an item of a list at nesting `level` (0 outermost), inside the stycke or item that introduces it.

        The marker stays in the text as printed; its number becomes `num` (None for a dash). `offsets` count from the text.
        `before`: temporal marks before the marker; `raw`: the offset of the beginning (marks included) in the raw text.
        """
        self._write_sign()  # of a § that begins with its list
        self._continue_list(level)
        marks, begin = leading_marks(text)
        mark_at, amendments = trailing_amendments(text)
        self._sign_raw = raw
        start, _ = self._add(f"{before} {marker}" if before else marker, text, offsets)
        if before:
            at = start - len(marker) - len(before) - 2
            self.builder.remark(at, at + len(before))
        num = marker.strip(_MARKER_DECORATION)
        role = TRANSITION_PROVISION if self._role() == TRANSITION_PROVISION else None
        node = self._open_leaf("item", start - len(marker) - 1, None if num in _DASHES else num or None, role=role)
        self._items.append((level, node))
        self._remarks(marks, start)
        self._apply((*leading_marks(before)[0], *marks), node)
        if amendments and text[begin:mark_at].strip():
            self._take_mark(start, text, mark_at, amendments, node)
        return node

    def continuation(self, text: str, *, level: int | None = None, offsets: Offsets = None) -> Node:
        """Write a further paragraph of the innermost open item, or of the item at `level` (a stycke if no item is open)."""
        if not self._items:
            return self.stycke(text, offsets=offsets)
        if level is not None:
            self._continue_list(level + 1)
        self._write_mark()
        mark_at, amendments = trailing_amendments(text)
        start, _ = self._add("", text, offsets)
        node = self.builder.leaf("paragraph", start, start + len(text[:mark_at].rstrip()))
        if amendments:
            self._take_mark(start, text, mark_at, amendments, node)
        return node

    def table(
        self, rows: Iterable[Sequence[str]], *, caption: str | None = None, offsets: Sequence[Offsets] = ()
    ) -> Node:
        """Write a table in the stycke that introduces it: a line per row, cells joined by ` | `. `offsets`: one list per row."""
        first = self._close_items()
        prefix = self._write_sign()
        lines = [" | ".join(cell.strip() for cell in row) for row in rows]
        marks, begin = leading_marks(lines[0]) if lines else ([], 0)
        pairs: list[tuple[int, int]] = []
        position = 0
        for line, row_offsets in zip(lines, offsets, strict=False):
            pairs.extend((position + at, raw) for at, raw in row_offsets or ())
            position += len(line) + 1
        start, end = self.builder.add("\n".join(lines), offsets=pairs)
        self._remarks(marks, start)
        node = self.builder.leaf("table", min(start + begin, end), end, None, caption, role=TABLE)
        self._apply(marks, self.provision if prefix and first and self.provision is not None else node)
        return node

    def remark(self, text: str, *, offsets: Offsets = None) -> Node:
        """Write an editorial note on its own line ("/Bilagan är inte med här/")."""
        self._settle()
        return self.builder.block(text, "remark", offsets=offsets)

    def aside(self, type: str, text: str, num: str | None = None) -> Node:
        """Write a block that is not a provision (a signature, a footnote); it ends the § before it."""
        self._close_provision()
        return self.builder.block(text, type, num)

    def finish(self) -> None:
        """Close everything; call once after the last block."""
        self._close_provision()
        self.builder.close_to(0)

    # -- closing --------------------------------------------------------------------------------------------------------

    def _settle(self) -> None:
        """Write a sign that got no text, and put a mark next to the stycke that it ended."""
        self._close_stycke()
        self._write_sign()

    def _close_items(self) -> bool:
        """Close items; a mark at the end of the last item ends the stycke too. True if nothing of the provision was written yet."""
        if self._mark is not None:
            return self._close_stycke()
        self._pop_items(0)
        return self.provision is not None and self.provision.start < 0

    def _close_stycke(self) -> bool:
        """Close items and stycke; True if nothing of the open provision was written yet."""
        fresh = self.provision is not None and self.provision.start < 0
        closed = self._pop_items(0)
        if self._subsection is not None:
            closed.append(self._subsection)
            self.builder.close()
            self._subsection = None
        self._write_mark(closed)
        return fresh

    def _continue_list(self, level: int) -> None:
        """Close the items that a new item of `level` ends; a mark at the end of the last item stays inside the list."""
        self._write_mark(self._pop_items(level))

    def _pop_items(self, level: int) -> list[Node]:
        """Close the items from `level` on and return them."""
        closed: list[Node] = []
        while self._items and self._items[-1][0] >= level:
            closed.append(self._items.pop()[1])
            self.builder.close()
        return closed

    def _take_mark(self, start: int, text: str, mark_at: int, amendments: tuple[Amendment, ...], node: Node) -> None:
        """Apply the mark at the end of the block `text` to `node`, and keep it until it is clear which nodes it ends."""
        self._mark = (start + len(text[:mark_at].rstrip()), start + mark_at, start + len(text), amendments)
        self._amend(amendments, node)

    def _write_mark(self, closed: Iterable[Node] = ()) -> None:
        """Put the mark of the last block behind the nodes in `closed` that it ended."""
        mark, self._mark = self._mark, None
        if mark is None:
            return
        last, start, end, amendments = mark
        for node in closed:
            if node.end == end:
                node.end = last
                if node.children:
                    node.children[-1].end = min(node.children[-1].end, node.end)
        self.builder.remark(start, end, amendments)

    def _close_provision(self) -> None:
        self._settle()
        if self.provision is not None:
            self.builder.close()
            self.provision = None

    def _close_structure(self, type: str, level: int) -> None:
        """Close the structure that a new chapter or division of `level` ends, only inside the schedule if a schedule is open."""
        self._close_provision()
        nodes = self.builder.open_nodes
        base = max((index + 1 for index, node in enumerate(nodes) if node.type in _CONTAINERS), default=0)
        for index in range(base, len(nodes)):
            node = nodes[index]
            if node.type in ("preamble", "chapter") or (
                type == "division" and node.type == "division" and node.attributes.get("level", 1) >= level
            ):
                self.builder.close_to(index)
                return

    # -- helpers --------------------------------------------------------------------------------------------------------

    def _role(self) -> str:
        return TRANSITION_PROVISION if self.inside("transitional") else STYCKE

    def _next_number(self) -> str:
        parent = self.builder.current
        key = id(parent) if parent is not None else 0
        self._counts[key] = number = self._counts.get(key, 0) + 1
        return str(number)

    def _take_sign(self) -> str:
        sign, self._sign = self._sign, ""
        return sign

    def _write_sign(self) -> str:
        """Write a sign that is not followed by text on its line, and return it."""
        if sign := self._take_sign():
            self._add(sign, "", None)
        return sign

    def _add(self, prefix: str, text: str, offsets: Offsets) -> tuple[int, int]:
        """Add a block; return the span of `text` without the prefix."""
        if not prefix:
            return self.builder.add(text, offsets=offsets)
        shift = len(prefix) + 1 if text else len(prefix)
        offsets = [(at + shift, raw) for at, raw in offsets or ()]
        if self._sign_raw is not None:
            offsets.insert(0, (0, self._sign_raw))
            self._sign_raw = None
        start, end = self.builder.add(f"{prefix} {text}" if text else prefix, offsets=offsets)
        if self._sign_before:
            self.builder.remark(start, start + len(self._sign_before))
            self._sign_before = ""
        return start + shift, end

    def _open_leaf(self, type: str, start: int, num: str | None, role: str | None) -> Node:
        """Open a node over text that was already added, so that following blocks may become its children."""
        node = self.builder.open(type, num, role=role)
        node.start = start
        return node

    def _remarks(self, marks: list[TemporalMark], start: int) -> None:
        for mark in marks:
            self.builder.remark(start + mark.start, start + mark.end, (mark.amendment,) if mark.amendment else ())

    @staticmethod
    def _apply(marks: Iterable[TemporalMark], node: Node) -> None:
        for mark in marks:
            if mark.scope == LAYOUT:
                continue
            if mark.ends:
                node.valid_to = mark.when
            else:
                node.valid_from = mark.when
            if mark.amendment:
                node.amendments = (*node.amendments, mark.amendment)

    def _amend(self, amendments: tuple[Amendment, ...], node: Node) -> None:
        """Add amendments to the provision, which is cited; without an open provision, to the node."""
        target = self.provision or node
        target.amendments = (*target.amendments, *(a for a in amendments if a not in target.amendments))

    def _headed(
        self, type: str, num: str | None, heading: str | None, text: str, offsets: Offsets, **attributes: int
    ) -> Node:
        """Open a node under its heading line `text`."""
        node = self.builder.open(type, num, heading or None, attributes=attributes)
        self._heading_block(text, node, offsets)
        return node

    def _heading_block(self, text: str, owner: Node | None, offsets: Offsets, **attributes: int) -> Node:
        """Write the heading leaf of `owner`, or a separate heading; marks at its ends are cut off, marks inside it become remarks."""
        lead, begin = leading_marks(text)
        mark_at, amendments = trailing_amendments(text)
        if mark_at <= begin:
            mark_at, amendments = len(text), ()
        marks = temporal_marks(text)
        repealed, by = repealed_by(owner.heading or "") if owner is not None else (False, ())
        start, end = self.builder.add(text, offsets=offsets)
        self._remarks(lead, start)
        node = self.builder.leaf("heading", start + begin, start + len(text[:mark_at].rstrip()), attributes=attributes)
        for mark in marks[len(lead) :]:
            node.children.append(Node("remark", start + mark.start, min(start + mark.end, node.end)))
        if amendments:
            self.builder.remark(start + mark_at, end, amendments)
        target = owner if owner is not None else node
        self._apply((mark for mark in marks if mark.scope.startswith(("rubrik", "kapitelrubrik"))), node)
        self._apply((mark for mark in marks if not mark.scope.startswith(("rubrik", "kapitelrubrik"))), target)
        if amendments:
            target.amendments = (*target.amendments, *amendments)
        if owner is not None and repealed:
            owner.status = "repealed"
            owner.amendments = (*owner.amendments, *by)
        if owner is not None and owner.heading:
            owner.heading = self._plain_heading(owner.heading)
        return node

    @staticmethod
    def _plain_heading(heading: str) -> str | None:
        """Return a heading without its marks; None if it only records a repeal."""
        if repealed_by(heading)[0]:
            return None
        for mark in reversed(temporal_marks(heading)):
            heading = f"{heading[: mark.start]} {heading[mark.end :]}"
        heading = _SPACES.sub(" ", heading).strip()
        mark_at, _ = trailing_amendments(heading)
        return heading[:mark_at].strip() or None

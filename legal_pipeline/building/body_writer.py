"""Writes the pieces of one provision as nodes: each number, definition or proviso opens a node, text is added where the numbering puts it.

Not here: cutting a text into pieces (`provision_body` and the formats) and finding the level of a number (`numbering.search`).
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from legal_pipeline.building.builder import BLOCK_SEPARATOR, DocumentBuilder
from legal_pipeline.building.editorial import REMARK, Remark, is_repeal_remark, read_remark
from legal_pipeline.model.document import Node
from legal_pipeline.numbering.search import NUMBER, TEXT, Event, Placed, resolve
from legal_pipeline.numbering.styles import Style

#: The open node that an editorial remark is about, by its first word.
_REMARK_TARGETS = {
    "subsection": ("subsection",),
    "paragraph": ("paragraph", "item"),
    "paragraphs": ("subsection", "section"),
    "subparagraph": ("item", "paragraph"),
    "definition": ("definition",),
    "proviso": ("proviso", "subsection", "section"),
    "section": ("section", "article"),
    "schedule": ("schedule",),
    "part": ("part",),
}

#: Returns the node type of a number, by its place and the open nodes around it, and the attributes that it gets.
NodeType = Callable[[Placed, Sequence[Node]], tuple[str, Mapping[str, object]]]


@dataclass(frozen=True, slots=True)
class Piece:
    """A span of canonical text that may begin a node.

    `event`: its role in the numbering; None for text that is not part of the numbering (a table, a footnote), which gets a node of type
    `node` at its place, or is written by `emit`. `node`: the type of a definition or proviso; that of a number follows from its level.
    `separator` is written before the text if it begins a node, `glue` if it continues one. `skip`: number of characters of its number or
    term. `defines`: a definition that begins inside it, as (offset, term). `leaves`: (type, start, end) of nodes over parts of the text.
    `offsets`: pairs (offset in the text, raw offset).
    """

    text: str
    event: Event | None
    separator: str = BLOCK_SEPARATOR
    glue: str = BLOCK_SEPARATOR
    node: str = ""
    num: str | None = None
    heading: str = ""
    print_heading: bool = False
    skip: int = 0
    attributes: Mapping[str, object] = field(default_factory=dict)
    defines: tuple[int, str] | None = None
    leaves: Sequence[tuple[str, int, int]] = ()
    offsets: Sequence[tuple[int, int]] = ()
    emit: Callable[[DocumentBuilder], None] | None = None


def write_pieces(
    builder: DocumentBuilder, pieces: Sequence[Piece], numbering: Style, node_type: NodeType, *, remarks: bool = False
) -> list[Node | None]:
    """Add `pieces` under the open node of `builder` and close the opened nodes; returns the innermost node of each piece.

    `remarks`: square brackets contain editorial remarks, which become nodes and amendments of the nodes that they are about.
    """
    writer = _Writer(builder, node_type)
    placed = resolve([piece.event for piece in pieces if piece.event is not None], numbering)
    write = writer.with_remarks if remarks else writer.piece
    innermost: list[Node | None] = []
    index = 0
    for piece in pieces:
        if piece.event is None:
            writer.beside(piece)
        else:
            write(piece, placed[index], placed[index + 1] if index + 1 < len(placed) else None)
            index += 1
        innermost.append(builder.current)
    builder.close_to(writer.base)
    return innermost


class _Writer:
    def __init__(self, builder: DocumentBuilder, node_type: NodeType) -> None:
        self.builder = builder
        self.node_type = node_type
        self.base = builder.depth
        #: (level, depth of the builder before its node was opened), outermost first.
        self._levels: list[tuple[int, int]] = []

    def beside(self, piece: Piece) -> None:
        """Write a piece that is not part of the numbering at its place."""
        if piece.emit is not None:
            piece.emit(self.builder)
            return
        self.builder.open(piece.node, piece.num, attributes=dict(piece.attributes))
        self._leaves(piece, self.builder.add(piece.text, offsets=list(piece.offsets))[0])
        self.builder.close()

    def piece(self, piece: Piece, place: Placed, _following: Placed | None = None) -> Node | None:
        """Close the nodes that end before `piece`, open its node and add its text."""
        builder = self.builder
        if place.level < 0:
            if piece.print_heading:  # over a number that is not one of a list
                builder.heading(piece.heading)
            glue = BLOCK_SEPARATOR if piece.print_heading else piece.glue
            self._leaves(piece, builder.add(piece.text, separator=glue, offsets=list(piece.offsets))[0])
            return None
        self._close_to(place.level)
        node = self._open(piece, place)
        if node is not None and piece.heading:
            node.heading = piece.heading
        inner = None
        if node is not None and piece.defines is not None:
            inner = builder.open("definition", attributes={"term": piece.defines[1]})
        separator = piece.separator
        if piece.print_heading:
            builder.heading(piece.heading)
            separator = BLOCK_SEPARATOR
        start, _ = builder.add(piece.text, separator=separator, offsets=list(piece.offsets))
        if node is not None and not piece.print_heading:
            node.start = start
        if inner is not None and piece.defines is not None:
            inner.start = start + piece.defines[0]
        self._leaves(piece, start)
        return node

    def with_remarks(self, piece: Piece, place: Placed, following: Placed | None) -> None:
        """Write `piece` with its editorial remarks: remarks at its end are outside the nodes that they are not about."""
        builder = self.builder
        text, trailing = _without_trailing_remarks(piece.text, piece.skip)
        whole = text or (trailing.pop(0) if trailing and place.level >= 0 else "")
        node = self.piece(dataclasses.replace(piece, text=whole), place)
        if node is not None and is_repeal_remark(whole[piece.skip :].lstrip(' ”"’')):
            node.status = "repealed"
        end = builder.position
        for match in REMARK.finditer(whole):
            remark = read_remark(match.group())
            if remark is not None:
                at = end - len(whole) + match.start()
                builder.remark(at, at + len(match.group()), remark.amendments)
                credit(builder, remark)
        keep = self._kept_depth(following)
        for raw in trailing:
            remark = read_remark(raw)
            depth = self._target_depth(remark) if remark is not None else builder.depth
            builder.close_to(max(depth, min(keep, builder.depth)))
            start, end = builder.add(raw)
            builder.remark(start, end, remark.amendments if remark is not None else ())
            if remark is not None:
                credit(builder, remark)

    def _close_to(self, level: int) -> None:
        """Close the nodes of `level` and all nodes inside them."""
        while self._levels and self._levels[-1][0] >= level:
            self.builder.close_to(self._levels.pop()[1])

    def _kept_depth(self, following: Placed | None) -> int:
        """Return the number of nodes that must stay open for the next piece."""
        if following is None:
            return self.base
        if following.level < 0:
            return self.builder.depth
        return next((depth for level, depth in self._levels if level >= following.level), self.builder.depth)

    def _open(self, piece: Piece, place: Placed) -> Node | None:
        if place.kind == TEXT:
            return None
        depth = self.builder.depth
        kind, attributes = piece.node, piece.attributes
        if piece.event is not None and piece.event.kind == NUMBER:
            kind, own = self.node_type(place, self.builder.open_nodes)
            attributes = {**own, **attributes}
        self._levels.append((place.level, depth))
        return self.builder.open(kind, piece.num, attributes=dict(attributes))

    def _leaves(self, piece: Piece, start: int) -> None:
        for kind, low, high in piece.leaves:
            self.builder.leaf(kind, start + low, start + high)

    def _target_depth(self, remark: Remark) -> int:
        """Return the number of nodes that stay open for a remark in a separate block."""
        types = _REMARK_TARGETS.get(remark.subject, ())
        depths = (depth for depth, node in enumerate(self.builder.open_nodes, 1) if node.type in types)
        return max((self.base, *depths))


def credit(builder: DocumentBuilder, remark: Remark) -> None:
    """Add the amendments of `remark` to the open node that it is about."""
    types = _REMARK_TARGETS.get(remark.subject, ("section", "article"))
    for node in reversed(builder.open_nodes):
        if node.type in types:
            node.amendments += remark.amendments
            return
    if builder.current is not None:
        builder.current.amendments += remark.amendments


def _without_trailing_remarks(text: str, number: int) -> tuple[str, list[str]]:
    """Return (`text` without the editorial remarks at its end, those remarks in order).

    A remark stays if only a number or term would be left.
    """
    remarks: list[str] = []
    while (match := trailing_remark(text)) is not None:
        rest = text[: match.start()].rstrip()
        if len(rest) <= number or (rest[-1:] in '”"' and len(rest) < 100):
            break
        remarks.insert(0, match.group())
        text = rest
    return text, remarks


def trailing_remark(text: str) -> re.Match[str] | None:
    """Return the editorial remark at the end of `text`."""
    if not text.endswith("]"):
        return None
    match = None
    for match in REMARK.finditer(text):  # noqa: B007 - the last one is wanted
        pass
    return match if match is not None and match.end() == len(text) and read_remark(match.group()) is not None else None

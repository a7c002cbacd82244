"""Build the hierarchy of the flat paragraphs of a section: nodes from designators such as (a), definitions, flush text.

Not here: finding the designators (`building.designators`), the meaning of an XML element (the module of each format).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from legal_pipeline.building.body_writer import Piece, write_pieces
from legal_pipeline.building.builder import BLOCK_SEPARATOR, DocumentBuilder
from legal_pipeline.building.designators import Designator, designators_of
from legal_pipeline.model.document import Node
from legal_pipeline.numbering.search import NUMBER, TEXT, Event, Placed
from legal_pipeline.numbering.styles import Style

#: Node type by level; from the third level on every node is an `item` whose attribute `level` is its depth in a citation.
LEVEL_TYPES = ("subsection", "paragraph", "item")

_DEFINITION = re.compile(
    r"(?:The term |An? )?(?P<term>[\u201c\"]?[A-Z\u201c\"][^.;:()]{1,80}?)(?:,? \([^)]{1,40}\))?,? "
    r"(?:means?|includes?|shall mean|has the (?:same )?meaning|refers? to)\b"
)
_LEAD_IN_ENDS = (":", "\u2014", "--", "\u2013")
_HEADING_END = re.compile(r"\s*(?:\.?[\u2014\u2013]|--|\.|:)\s*$")


@dataclass
class Paragraph:
    """One paragraph of a section: its text, spans of italics if the source has them. `emit` adds content without text (a table)."""

    text: str
    italics: list[tuple[int, int]] | None = None
    marks: list[tuple[str, int, int]] = field(default_factory=list)
    emit: Callable[[DocumentBuilder], None] | None = None
    offsets: list[tuple[int, int]] = field(default_factory=list)


def add_paragraphs(builder: DocumentBuilder, paragraphs: Sequence[Paragraph], numbering: Style) -> None:
    """Add the paragraphs of one section below the open node of `builder` and close the nodes that they opened."""
    pieces: list[Piece] = []
    before = ""
    for item in paragraphs:
        if item.emit is not None:
            pieces.append(Piece("", None, emit=item.emit))
        elif found := designators_of(item.text, numbering, item.italics):
            pieces += _designated(item, found, before)
        else:
            pieces.append(_undesignated(item))
        before = item.text or before
    write_pieces(builder, pieces, numbering, _node_type)


def _node_type(place: Placed, _opened: Sequence[Node]) -> tuple[str, Mapping[str, object]]:
    return LEVEL_TYPES[min(place.level, 2)], {"level": place.level + 1} if place.level >= 2 else {}


def _undesignated(item: Paragraph) -> Piece:
    """Return the piece of a paragraph without designator: a definition, or text whose level the next numbers decide."""
    if definition := _DEFINITION.match(item.text):
        attributes = {"term": definition.group("term").strip('\u201c\u201d" ')}
        return Piece(item.text, None, node="definition", attributes=attributes, leaves=item.marks, offsets=item.offsets)
    return Piece(item.text, Event(TEXT), leaves=item.marks, offsets=item.offsets)


def _designated(item: Paragraph, found: Sequence[Designator], before: str) -> Iterator[Piece]:
    """Cut a paragraph at its designators; the text between two designators is the heading of the first."""
    for index, designator in enumerate(found):
        start, last = designator.start, index + 1 == len(found)
        end = len(item.text) if last else found[index + 1].start
        lead_in = item.text[found[index - 1].end : start] if index else before
        event = Event(
            NUMBER, designator.num, announced=lead_in.rstrip().endswith(_LEAD_IN_ENDS), italic=designator.italic
        )
        above = item.text[:start]
        yield Piece(
            item.text[start:end] if last else item.text[start:end].rstrip(),
            event,
            separator=above[len(above.rstrip()) :] if index else BLOCK_SEPARATOR,
            num=designator.num,
            heading=_heading_of(item, designator, found[index + 1 : index + 2]) or "",
            attributes=_term_of(item.text[designator.end :]) if last else {},
            leaves=[
                (kind, low - start, high - start) for kind, low, high in item.marks if last and low >= designator.end
            ],
            offsets=[(at - start, raw) for at, raw in item.offsets if start <= at < end],
        )


def _term_of(text: str) -> dict[str, object]:
    """Return the attributes of a designated paragraph that defines a term; a second node over the same text is not needed."""
    match = _DEFINITION.match(text)
    if match is None or not (text[:1].isupper() or text[:1] in '\u201c"'):
        return {}
    return {"term": match.group("term").removeprefix("The term ").strip('\u201c\u201d" ')}


def _heading_of(item: Paragraph, designator: Designator, following: Sequence[Designator]) -> str | None:
    """Return the heading of a designated paragraph: the text up to the next designator, or the italics after its designator."""
    if following:
        heading = item.text[designator.end : following[0].start].strip()
        return _HEADING_END.sub("", heading) or None
    for low, high in item.italics or ():
        if designator.end <= low <= designator.end + 1 and high > low + 1:
            words = item.text[low:high]
            if _HEADING_END.search(words) or _HEADING_END.match(item.text[high : high + 2]):
                return _HEADING_END.sub("", words) or None
    return None

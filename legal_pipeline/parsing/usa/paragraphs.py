"""Puts the flat paragraphs of an American section under each other: nodes from designators, definitions, flush text.

Not here: which number stands on which level (`usa.designators`) and what an XML element means (each format's module).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from legal_pipeline.building.builder import DocumentBuilder
from legal_pipeline.model.document import Node
from legal_pipeline.numbering.styles import Style
from legal_pipeline.parsing.usa.designators import Designator, assign_levels, designators_of

#: Node type by level; from the third on every level is an `item` whose attribute `level` tells how deep it is cited.
LEVEL_TYPES = ("subsection", "paragraph", "item")

_DEFINITION = re.compile(
    r"(?:The term |An? )?(?P<term>[\u201c\"]?[A-Z\u201c\"][^.;:()]{1,80}?)(?:,? \([^)]{1,40}\))?,? "
    r"(?:means?|includes?|shall mean|has the (?:same )?meaning|refers? to)\b"
)
_HEADING_END = re.compile(r"\s*(?:\.?[\u2014\u2013]|--|\.|:)\s*$")


@dataclass
class Paragraph:
    """One paragraph of a section: its text, spans of italics where the source has them, and an emitter for what is no text (a table)."""

    text: str
    italics: list[tuple[int, int]] | None = None
    marks: list[tuple[str, int, int]] = field(default_factory=list)
    emit: Callable[[DocumentBuilder], None] | None = None
    offsets: list[tuple[int, int]] = field(default_factory=list)


def add_paragraphs(builder: DocumentBuilder, paragraphs: Sequence[Paragraph], numbering: Style) -> None:
    """Add the paragraphs of one section below the open node of `builder` and close what they opened."""
    floor = builder.depth
    opened = [designators_of(item.text, numbering, item.italics) if item.emit is None else [] for item in paragraphs]
    series: list[tuple[Designator, str]] = []
    before = ""
    for item, found in zip(paragraphs, opened, strict=True):
        for index, designator in enumerate(found):
            between = item.text[found[index - 1].end : designator.start] if index else before
            series.append((designator, between))
        before = item.text or before
    levels = iter(assign_levels(series, numbering))
    stack: list[int] = []

    def close_from(level: int, at: int | None = None) -> None:
        """Close the open paragraphs from `level` down; `at`: where they end, when the text behind it is in the builder already."""
        while stack and stack[-1] >= level:
            stack.pop()
            node = builder.close()
            if at is not None:
                node.end = max(node.start, at)

    for item, found in zip(paragraphs, opened, strict=True):
        if item.emit is not None:
            item.emit(builder)
            continue
        if not found:
            _add_undesignated(builder, item, close_from, floor)
            continue
        start = -1
        for index, designator in enumerate(found):
            level = next(levels)
            close_from(level, start + len(item.text[: designator.start].rstrip()) if start >= 0 else None)
            heading = _heading_of(item, designator, found[index + 1 : index + 2])
            node = builder.open(LEVEL_TYPES[min(level, 2)], designator.num, heading)
            if level >= 2:
                node.attributes["level"] = level + 1
            stack.append(level)
            if start < 0:
                start, _ = builder.add(item.text, offsets=item.offsets)
            node.start = start + designator.start
        _add_marks(builder, item, start, after=found[-1].end)
        _mark_definition(builder, item.text[found[-1].end :])
    builder.close_to(floor)


def _add_undesignated(builder: DocumentBuilder, item: Paragraph, close_from: Callable[[int], None], floor: int) -> None:
    """A paragraph without designator: a definition stays where it stands, any other text returns to the open subsection."""
    definition = _DEFINITION.match(item.text)
    if definition is None and builder.depth > floor + 1:
        close_from(1)
    if definition is not None:
        start, end = builder.add(item.text, offsets=item.offsets)
        node = builder.leaf(
            "definition", start, end, attributes={"term": definition.group("term").strip('\u201c\u201d" ')}
        )
        _add_marks(builder, item, start, node)
        return
    start, _ = builder.add(item.text, offsets=item.offsets)
    _add_marks(builder, item, start)


def _add_marks(
    builder: DocumentBuilder, item: Paragraph, start: int, parent: Node | None = None, after: int = 0
) -> None:
    for kind, low, high in item.marks:
        if low < after:
            continue
        if parent is None:
            builder.leaf(kind, start + low, start + high)
        else:
            parent.children.append(Node(kind, start + low, start + high))


def _mark_definition(builder: DocumentBuilder, text: str) -> None:
    """A designated paragraph that is a definition says so in its attributes; it needs no second node over the same words."""
    match = _DEFINITION.match(text)
    node = builder.current
    if match is not None and node is not None and (text[:1].isupper() or text[:1] in '\u201c"'):
        node.attributes["term"] = match.group("term").removeprefix("The term ").strip('\u201c\u201d" ')


def _heading_of(item: Paragraph, designator: Designator, following: Sequence[Designator]) -> str | None:
    """The heading of a designated paragraph: the italics after its designator, or all that stands before the next designator."""
    if following:
        heading = item.text[designator.end : following[0].start].strip()
        return _HEADING_END.sub("", heading) or None
    for low, high in item.italics or ():
        if designator.end <= low <= designator.end + 1 and high > low + 1:
            words = item.text[low:high]
            if _HEADING_END.search(words) or _HEADING_END.match(item.text[high : high + 2]):
                return _HEADING_END.sub("", words) or None
    return None

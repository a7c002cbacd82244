"""Split judgments that a publisher marked as one decision: their headings announce background, argument, issue and decision.

Not here: texts without mark-up (`structure`), recognising a part (`segments`, `roles`).
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator
from dataclasses import dataclass

from legal_pipeline.model.document import Document, Node
from legal_pipeline.model.identity import assign_eids
from legal_pipeline.parsing.judgment.phrases import Phrases, load_phrases
from legal_pipeline.parsing.judgment.segments import Segment, assign, segments_of
from legal_pipeline.parsing.judgment.units import Unit

_PARTS = frozenset({"background", "arguments", "issue", "motivation"})
#: Maximum number of words of a heading: a publisher's level without a number that is not a sentence.
_HEADING_WORDS = 12
#: Minimum number of announced parts: a single heading "Background" does not show where the reasons and the order begin.
_ANNOUNCED_PARTS = 2
#: The role of a paragraph is read from this many characters at its beginning.
_EVIDENCE_CHARS = 4000
_SENTENCE_ENDS = '.;:,?!”"’'
_PARAGRAPH = re.compile(r"\S(?:.*?\S)??(?=\s*(?:\n\n|\Z))", re.DOTALL)


@dataclass
class _NodeUnit(Unit):
    """Text `[start, end)` of the document, with its node if it has a node."""

    start: int = 0
    end: int = 0
    node: Node | None = None


def with_decision_parts(document: Document) -> Document:
    """Return `document` with parts in place of its one `decision`, if headings in the decision announce at least two parts.

    The nodes in the decision do not change: the parts are placed around them. Any other judgment is returned unchanged.
    """
    decisions = [node for node in document.nodes if node.type == "decision"]
    if document.doc_type != "judgment" or len(decisions) != 1 or any(node.type in _PARTS for node in document.nodes):
        return document
    (decision,) = decisions
    phrases = load_phrases(document.jurisdiction)
    units = list(_units(document, decision, phrases))
    if len({unit.announces for unit in units} - {None}) < _ANNOUNCED_PARTS:
        return document
    assign(units, phrases)
    parts = [_node(segment) for segment in segments_of(units)]
    at = document.nodes.index(decision)
    nodes = (*document.nodes[:at], *parts, *document.nodes[at + 1 :])
    assign_eids(nodes)
    return dataclasses.replace(document, nodes=nodes)


def _units(document: Document, decision: Node, phrases: Phrases) -> Iterator[_NodeUnit]:
    """Yield the nodes in `decision`, and the paragraphs between them that have no node."""
    position = decision.start
    for node in [*decision.children, None]:
        edge = node.start if node is not None else decision.end
        for paragraph in _PARAGRAPH.finditer(document.text, position, edge):
            yield _unit(document, *paragraph.span(), None, phrases)
        if node is None:
            return
        lines = [match.span() for match in _PARAGRAPH.finditer(document.text, node.start, node.end)]
        headings = [_unit(document, start, end, node, phrases) for start, end in lines]
        if node.num is None and all(unit.heading for unit in headings):
            yield headings[0]
            yield from (dataclasses.replace(unit, node=None) for unit in headings[1:])
        else:
            yield _NodeUnit(document.text_of(node)[:_EVIDENCE_CHARS], start=node.start, end=node.end, node=node)
        position = node.end


def _unit(document: Document, start: int, end: int, node: Node | None, phrases: Phrases) -> _NodeUnit:
    text = document.text[start : min(end, start + _EVIDENCE_CHARS)]
    announced = phrases.heading_role(text) if "\n" not in text else None
    is_heading = announced is not None or _reads_as_heading(node, text)
    return _NodeUnit(text, heading=is_heading, announces=announced, start=start, end=end, node=node)


def _reads_as_heading(node: Node | None, text: str) -> bool:
    """Whether a node is a heading: marked as a heading, or a division whose text is short and not a sentence."""
    if node is None or node.type != "division":
        return node is not None and node.type == "heading"
    return len(text.split()) <= _HEADING_WORDS and text[:1].isupper() and text[-1:] not in _SENTENCE_ENDS


def _node(segment: Segment[_NodeUnit]) -> Node:
    first, last = segment.members[0], segment.members[-1]
    children = [
        child
        for member in segment.members
        if (child := _node(member) if isinstance(member, Segment) else _marked(member)) is not None
    ]
    start, end = _start(first), _end(last)
    return Node(segment.type, start, end, num=segment.num, heading=segment.heading, children=children)


def _start(member: _NodeUnit | Segment[_NodeUnit]) -> int:
    return _start(member.members[0]) if isinstance(member, Segment) else member.start


def _end(member: _NodeUnit | Segment[_NodeUnit]) -> int:
    return _end(member.members[-1]) if isinstance(member, Segment) else member.end


def _marked(unit: _NodeUnit) -> Node | None:
    """Return the node of `unit`; for a heading, a node of type `heading`."""
    if not unit.heading:
        return unit.node
    if unit.node is None:
        return Node("heading", unit.start, unit.end)
    return dataclasses.replace(unit.node, type="heading", start=unit.start, end=unit.end, children=[])

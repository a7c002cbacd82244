"""The provisions of a structured document with their headings, without excluded marks; `paragraf` and `statute_boundary` share it.

Not here: paths, headers and limits (the strategies).
"""

from __future__ import annotations

import bisect
from collections.abc import Sequence
from dataclasses import dataclass

from legal_pipeline.chunking.chunk import Exclusion, Segment, Span
from legal_pipeline.chunking.headers import MAX_HEADING_CHARS
from legal_pipeline.model.document import GONE, PROVISIONS, STRUCTURE, Document, Node
from legal_pipeline.model.identity import UniqueNames
from legal_pipeline.text.spans import join_adjacent, subtract, trim


@dataclass(slots=True)
class Unit:
    """A provision or a tier 2 node: `spans` are its text with the group headings above it, without excluded text. Not
    frozen, for the same reason as `Node`."""

    node: Node
    ancestors: tuple[Node, ...]
    headings: tuple[Node, ...]
    spans: tuple[Span, ...]

    def ancestor(self, type: str) -> Node | None:
        """Return the innermost ancestor of this type."""
        for node in reversed(self.ancestors):
            if node.type == type:
                return node
        return None

    @property
    def validity(self) -> tuple[str | None, str | None]:
        """(valid_from, valid_to) of the provision, else of the nearest ancestor that has either."""
        valid_from, valid_to = self.node.valid_from, self.node.valid_to
        for above in reversed(self.ancestors):
            valid_from, valid_to = valid_from or above.valid_from, valid_to or above.valid_to
        return valid_from, valid_to


def read_units(document: Document, segment: Segment, holes: Sequence[Span]) -> tuple[list[Unit], list[Exclusion]]:
    """Return the units and the exclusions of a segment; headings are kept for the provision that follows them."""
    units: list[Unit] = []
    exclusions: list[Exclusion] = []
    waiting: list[Node] = []

    def leave_out(nodes: Sequence[Node], reason: str) -> None:
        spans = (span for node in nodes for span in text_spans(document, [node], holes))
        exclusions.extend(Exclusion(*span, reason) for span in spans)

    for node, ancestors in segment.nodes:
        if node.type == "heading":
            if _is_own_heading(node, ancestors):
                leave_out([node], "heading carried in the breadcrumb")
            else:
                waiting.append(node)
            continue
        if node.status in GONE:
            leave_out(waiting, "heading of a repealed provision")
            leave_out([node], "repealed provision")
        elif (
            node.type in PROVISIONS or node.type == "block"
        ):  # a block is text outside a provision: headings belong to it too
            units.append(Unit(node, ancestors, tuple(waiting), text_spans(document, [*waiting, node], holes)))
        else:
            leave_out(waiting, "heading without text below it")
            units.append(Unit(node, ancestors, (), text_spans(document, [node], holes)))
        waiting = []
    leave_out(waiting, "heading without text below it")
    return units, exclusions


def text_spans(document: Document, nodes: Sequence[Node], holes: Sequence[Span]) -> tuple[Span, ...]:
    """Return the text of neighbouring nodes without `holes` (sorted); spans that only white space separates are joined."""
    spans: list[Span] = []
    for node in nodes:
        first, behind = bisect.bisect_left(holes, (node.start, -1)), bisect.bisect_left(holes, (node.end, -1))
        spans += subtract((node.start, node.end), holes[first:behind])
    return join_adjacent(document.text, trim(document.text, spans))


def _is_own_heading(node: Node, ancestors: tuple[Node, ...]) -> bool:
    """Whether the heading is that of the chapter, part or division that contains it."""
    parent = ancestors[-1] if ancestors else None
    if parent is None or parent.type not in (*STRUCTURE, "schedule") or node.end - node.start > MAX_HEADING_CHARS:
        return False
    return next((child for child in parent.children if child.type == "heading"), None) is node


class UniquePaths(UniqueNames):
    """Unique paths of one strategy in one document: the later of two wordings takes `@date` (or `@villkor`), a repeated number `-2`.

    A wording that is in force on the day of the text (`as_of`, ISO) is the present wording and needs no date.
    """

    def __init__(self, as_of: str | None = None) -> None:
        super().__init__()
        self._as_of = as_of

    def name(self, path: str, valid_from: str | None = None, condition: str = "villkor") -> str:
        if valid_from is not None and not self._is_present(path, valid_from):
            path = f"{path}@{valid_from if _is_date(valid_from) else condition}"
        return self.take(path)

    def _is_present(self, path: str, valid_from: str) -> bool:
        is_law = self._as_of is not None and _is_date(valid_from) and valid_from <= self._as_of
        return is_law and path not in self.taken


def _is_date(text: str) -> bool:
    return len(text) == 10 and text[4] == text[7] == "-" and text.replace("-", "").isdigit()

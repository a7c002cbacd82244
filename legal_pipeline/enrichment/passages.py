"""Find the place of a chunk in its document: the headings above it and its chapter.

Not here: the requests about chunks (`stages`), and the tree of summaries (`enrichment.raptor`).
"""

from __future__ import annotations

import bisect
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from legal_pipeline.model.document import PROVISIONS, STRUCTURE, Document, Node
from legal_pipeline.model.identity import collapse


@dataclass(frozen=True)
class Place:
    """A place in the structure of a document.

    `chain` holds the structural nodes (division, chapter, …) around the place, outermost first. `group` is the nearest heading above for a
    group of provisions, within the same structural node. `unit` is the provision, schedule or other node at the place.
    """

    start: int
    chain: tuple[Node, ...]
    group: str | None
    unit: Node | None

    @property
    def headings(self) -> tuple[str, ...]:
        """Return the ancestors' headings, outermost first, without the document's title; an ancestor without a heading is left out."""
        above = [node.heading for node in self.chain if node.heading]
        return (*above, self.group) if self.group else tuple(above)


class Places:
    """Finds places by offset; the document's structure is read once."""

    def __init__(self, document: Document) -> None:
        self._places = list(_places(document, document.nodes, ()))
        self._starts = [place.start for place in self._places]

    def at(self, offset: int) -> Place:
        """Return the place at `offset`. The heading of a group belongs to the provision after it."""
        index = bisect.bisect_right(self._starts, offset) - 1
        return self._places[index] if index >= 0 else Place(0, (), None, None)


def _places(document: Document, nodes: Sequence[Node], chain: tuple[Node, ...]) -> Iterator[Place]:
    group: str | None = None
    waiting: list[Node] = []
    own = collapse(chain[-1].heading or "") if chain else ""
    for index, node in enumerate(nodes):
        if node.type == "heading":
            if index == 0 and own and own in collapse(document.text_of(node)):
                yield Place(node.start, chain, None, None)  # the chapter's own heading
            else:
                waiting.append(node)
            continue
        if waiting:
            group = document.text_of(waiting[-1]).strip()
        start = waiting[0].start if waiting else node.start
        waiting = []
        if node.type in STRUCTURE:
            group = None
            yield Place(start, (*chain, node), None, None)
            yield from _places(document, node.children, (*chain, node))
        else:
            # a schedule or transitional provision after the last group of provisions does not belong to the group
            group = group if node.type in PROVISIONS or start != node.start else None
            yield Place(start, chain, group, node)

"""The divisions and provisions of a text as an outline. Not here: the choice of text (`law_reader`)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from legal_pipeline.model.document import PROVISIONS, STRUCTURE, Document, Node
from legal_pipeline.reading.answers import OutlineNode
from legal_pipeline.reading.provisions import provision_id

#: Node types in an outline: divisions, provisions, and parts of a document that are neither.
_OUTLINED = frozenset(
    {*STRUCTURE, *PROVISIONS, "schedule", "preamble", "transitional", "motivation", "decision", "dissent", "background"}
)


def outline_of(document: Document) -> list[OutlineNode]:
    return list(_outlined(document, document.nodes))


def _outlined(document: Document, nodes: Sequence[Node]) -> Iterator[OutlineNode]:
    for node in nodes:
        below = list(_outlined(document, node.children)) if node.children else []
        if node.type not in _OUTLINED:
            yield from below
            continue
        yield OutlineNode(
            id=provision_id(document.document_id, node.eid) if node.eid else None,
            type=node.type,
            num=node.num,
            heading=node.heading,
            status=node.status,
            children=below,
        )

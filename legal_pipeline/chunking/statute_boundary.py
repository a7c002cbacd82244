"""`statute_boundary`: one section is one chunk with its sub-sections, provisos, explanations and illustrations.

Header `Act > Part > Chapter > Section N: heading`, path `Part II > Section 12A`. A section over 1,500 tokens (with its header and the
prefix that is added later) splits between sub-sections, then clauses, items, sentences; each part repeats the section's line in its
header and takes `#k`. Cross-references and amendment notes are metadata. A section or article of a schedule (a constitution,
a convention) is cut as any other, path `Schedule 1 > Article 5`. Not here: other schedules, and tables (`page_level`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from legal_pipeline.chunking.chunk import Draft, Segment
from legal_pipeline.chunking.headers import SEPARATOR, document_header, shorten
from legal_pipeline.chunking.outline import excluded_spans
from legal_pipeline.chunking.provisions import Provisions, UniquePaths, Unit
from legal_pipeline.chunking.splitting import split_under
from legal_pipeline.chunking.strategy import Cut, Strategy, Tools
from legal_pipeline.model.document import PROVISIONS, STRUCTURE, TEXT_ROLE, Document, Node

NAME = "statute_boundary"
VERSION = "5"

#: What nodes are called whose type is not their name.
_LABELS = {"numbered_paragraph": "Para", "longtitle": "Long title", "transitional": "Transitional provisions"}


def chunk(document: Document, segment: Segment, tools: Tools = Tools()) -> Cut:
    """Return drafts of the segment's provisions and of the text around them, in text order, and the exclusions."""
    provisions = Provisions(document, segment, excluded_spans(document))
    paths = UniquePaths(document.as_of_date)
    drafts: list[Draft] = []
    above: tuple[Node, ...] | None = None
    place = _Place("", "")
    for unit in provisions.units:
        if unit.ancestors is not above:  # neighbours share their ancestors
            above, place = unit.ancestors, _place(document, unit.ancestors)
        drafts.extend(_unit(document, unit, place, paths))
    return drafts, provisions.exclusions


@dataclass(frozen=True, slots=True)
class _Place:
    """The beginning of the headers and paths of all sections under the same ancestors."""

    header: str
    path: str


def _place(document: Document, ancestors: tuple[Node, ...]) -> _Place:
    above = [ancestor for ancestor in ancestors if ancestor.type in (*STRUCTURE, *PROVISIONS, "schedule")]
    header = [document_header(document), *(breadcrumb(ancestor) for ancestor in above)]
    return _Place("".join(part + SEPARATOR for part in header), "".join(label(item) + SEPARATOR for item in above))


def label(node: Node) -> str:
    """`Section 12A`, `Part II`; a node without a number is named by its type alone."""
    name = _LABELS.get(node.type, node.type.capitalize())
    return f"{name} {node.num}" if node.num else name


def breadcrumb(node: Node) -> str:
    """`Section 12A: Dismissal`."""
    return f"{label(node)}: {node.heading}" if node.heading else label(node)


def _unit(document: Document, unit: Unit, place: _Place, paths: UniquePaths) -> Iterator[Draft]:
    node = unit.node
    if not unit.spans:
        return
    header = shorten(place.header + breadcrumb(node))
    valid_from, valid_to = unit.validity
    path = paths.name(place.path + label(node), valid_from, "condition")
    is_law = node.type in (*PROVISIONS, *STRUCTURE)
    amendments = [{"by": item.by, "date": item.date, "action": item.action} for item in node.amendments]
    for number, part in enumerate(split_under(header, document, node, unit.spans), start=1):
        yield Draft(
            spans=part,
            chunk_type="statutory_text" if is_law else "transitional" if node.type == "transitional" else "preamble",
            path=path if number == 1 else f"{path}#{number}",
            header=header,
            anchor=node.start,
            eid=node.eid,
            content_role=TEXT_ROLE,
            level=2,
            valid_from=valid_from,
            valid_to=valid_to,
            metadata={
                "section": f"{label(node)} — {node.heading}" if node.heading else label(node),
                **{
                    name: found.num
                    for name in ("part", "chapter", "division", "schedule")
                    if (found := unit.ancestor(name)) is not None
                },
                "chapter_heading": chapter.heading if (chapter := unit.ancestor("chapter")) is not None else None,
                "heading": node.heading,
                "amended_by": node.amendments[-1].by if node.amendments else None,
                "amendment_history": amendments or None,
            },
        )


STRATEGY = Strategy(NAME, VERSION, chunk)

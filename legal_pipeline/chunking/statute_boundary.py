"""`statute_boundary`: one section is one chunk with its sub-sections, provisos, explanations and illustrations.

Header `Act > Part > Chapter > Section N: heading`, path `Part II > Section 12A`. A section over 1,500 tokens (with its header and the
prefix that is added later) splits between sub-sections, then clauses, items, sentences; each part repeats the section's line in its
header and takes `#k`. Cross-references and amendment notes are metadata. A section or article of a schedule (a constitution,
a convention) is cut as any other, path `Schedule 1 > Article 5`. Not here: other schedules, and tables (`page_level`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from itertools import groupby

from legal_pipeline.chunking.chunk import Draft, Segment
from legal_pipeline.chunking.headers import SEPARATOR, document_header, shorten
from legal_pipeline.chunking.provisions import UniquePaths, Unit, read_units
from legal_pipeline.chunking.splitting import node_drafts, split_under
from legal_pipeline.chunking.strategy import Cut, Strategy, Tools
from legal_pipeline.model.document import PROVISIONS, STRUCTURE, Document, Node

#: What nodes are called whose type is not their name.
_LABELS = {"numbered_paragraph": "Para", "longtitle": "Long title", "transitional": "Transitional provisions"}


def chunk(document: Document, segment: Segment, tools: Tools = Tools()) -> Cut:
    """Return drafts of the segment's provisions and of the text around them, in text order, and the exclusions."""
    units, exclusions = read_units(document, segment, tools.holes(document))
    paths = UniquePaths(document.as_of_date)
    drafts: list[Draft] = []
    for _, group in groupby(units, key=lambda unit: id(unit.ancestors)):  # neighbours share their ancestors
        neighbours = list(group)
        above = [node for node in neighbours[0].ancestors if node.type in (*STRUCTURE, *PROVISIONS, "schedule")]
        header = "".join(part + SEPARATOR for part in (document_header(document), *map(breadcrumb, above)))
        path = "".join(label(node) + SEPARATOR for node in above)
        for unit in neighbours:
            drafts += _unit(document, unit, header, path, paths)
    return drafts, exclusions


def label(node: Node) -> str:
    """`Section 12A`, `Part II`; a node without a number is named by its type alone."""
    name = _LABELS.get(node.type, node.type.capitalize())
    return f"{name} {node.num}" if node.num else name


def breadcrumb(node: Node) -> str:
    """`Section 12A: Dismissal`."""
    return f"{label(node)}: {node.heading}" if node.heading else label(node)


def named(node: Node) -> str:
    """`Section 12A — Dismissal`."""
    return f"{label(node)} — {node.heading}" if node.heading else label(node)


def _unit(document: Document, unit: Unit, header: str, path: str, paths: UniquePaths) -> Iterator[Draft]:
    """Yield the drafts of a unit; `header` and `path` are those of its ancestors, with a separator at the end."""
    node = unit.node
    if not unit.spans:
        return
    header = shorten(header + breadcrumb(node))
    path = paths.name(path + label(node), unit.validity[0], "condition")
    is_law = node.type in (*PROVISIONS, *STRUCTURE)
    chunk_type = "statutory_text" if is_law else "transitional" if node.type == "transitional" else "preamble"
    levels = {name: unit.ancestor(name) for name in ("part", "chapter", "division", "schedule")}
    metadata = {
        "section": named(node),
        **{name: found.num for name, found in levels.items() if found is not None},
        "chapter_heading": chapter.heading if (chapter := levels["chapter"]) is not None else None,
        "heading": node.heading,
        "amended_by": node.amendments[-1].by if node.amendments else None,
        "amendment_history": [asdict(item) for item in node.amendments] or None,
    }
    parts = split_under(header, document, node, unit.spans)
    yield from node_drafts(node, parts, chunk_type, path, header, unit.validity, metadata=metadata)


STRATEGY = Strategy("statute_boundary", "5", chunk)

"""Questions about a document's tree that all strategies share: which text is excluded and why, and which text is in no provision.

Not here: how the rest is cut.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Iterable

from legal_pipeline.chunking.chunk import Exclusion, Span
from legal_pipeline.chunking.coverage import gaps
from legal_pipeline.model.document import GONE, PROVISIONS, STRUCTURE, Document, Node
from legal_pipeline.text.spans import trim

#: Wanted in addition to types of nodes: repealed divisions, and numbered divisions that hold text and neither provisions nor divisions
#: ("Part 3" of a schedule).
REPEALED_DIVISIONS, TEXT_DIVISIONS = "repealed division", "division of text"

#: Nodes whose text is never chunked, with the reason that the exclusion states.
EXCLUDED_TYPES = {
    "toc": "table of contents",
    "running_header": "running header",
    "running_footer": "running footer",
    "page_number": "page number",
    "remark": "amendment mark",
    REPEALED_DIVISIONS: "repealed division",
}

#: Minimum number of notes at the end of an Act that are a list of notes.
_NOTES = 5
#: Types of documents whose notes are their authors' own statements and are not excluded.
_WITH_NOTES_OF_THEIR_OWN = frozenset({"judgment", "decision", "other"})

#: Nodes outside the provisions that are cut as a whole.
TIER_2 = ("preamble", "transitional", "schedule")

#: Minimum number of characters of their text below the headings, each of which has a separator behind it.
_LEAST_TEXT, _SEPARATOR = 20, 2

#: Minimum share of a schedule's text in sections or articles for the schedule to be cut along them.
MOSTLY_PROVISIONS = 0.6


def excluded_nodes(document: Document) -> list[Exclusion]:
    """Return the exclusions that follow from the types of nodes and the status of divisions alone, in text order."""
    found = [
        Exclusion(node.start, node.end, EXCLUDED_TYPES.get(node.type) or EXCLUDED_TYPES[REPEALED_DIVISIONS])
        for node, _ in outermost(document, EXCLUDED_TYPES)
        if node.end > node.start
    ]
    return sorted([*_listed_notes(document), *found], key=lambda item: item.start)


def excluded_spans(document: Document) -> list[Span]:
    """Return the spans that no strategy cuts, in text order: those of `excluded_nodes`."""
    return [(item.start, item.end) for item in excluded_nodes(document)]


def _listed_notes(document: Document) -> list[Exclusion]:
    """Return the list of notes at the end of an Act (which law inserted or amended each provision). Footnotes of provisions are kept."""
    if document.doc_type in _WITH_NOTES_OF_THEIR_OWN:
        return []
    notes = [
        node
        for node, parents in document.walk_with_ancestors()
        if node.type == "footnote" and not any(parent.type in PROVISIONS for parent in parents)
    ]
    end, first = len(document.text), len(notes)
    while first and not document.text[notes[first - 1].end : end].strip():
        first -= 1
        end = notes[first].start
    if len(notes) - first < _NOTES:
        return []
    return [Exclusion(end, notes[-1].end, "list of notes")]


def census(document: Document) -> Counter[str]:
    """Return the number of nodes of each type."""
    return Counter(node.type for node in document.walk())


def has_provisions(document: Document) -> bool:
    return next(document.provisions(), None) is not None


def outermost(document: Document, types: Iterable[str]) -> list[tuple[Node, tuple[Node, ...]]]:
    """Return the nodes of these types that are inside no other node of these types, with their ancestors, in text order."""
    wanted = frozenset(types)
    out: list[tuple[Node, tuple[Node, ...]]] = []
    stack: list[tuple[Node, tuple[Node, ...]]] = [(node, ()) for node in reversed(document.nodes)]
    while stack:
        node, ancestors = stack.pop()
        if _is_wanted(node, wanted):
            out.append((node, ancestors))
        elif node.children:
            below = (*ancestors, node)
            stack.extend([(child, below) for child in reversed(node.children)])
    return out


def _is_wanted(node: Node, wanted: frozenset[str]) -> bool:
    if node.type in wanted:
        return True
    if node.type not in STRUCTURE:
        return False
    is_gone = REPEALED_DIVISIONS in wanted and node.status in GONE
    return is_gone or (TEXT_DIVISIONS in wanted and _holds_only_text(node))


def _holds_only_text(node: Node) -> bool:
    headings = [child for child in node.children if child.type == "heading"]
    length = node.end - node.start - sum(heading.end - heading.start + _SEPARATOR for heading in headings)
    below = list(node.walk())[1:]
    return (
        bool(node.num)
        and length >= _LEAST_TEXT
        and not any(inner.type in (*PROVISIONS, *TIER_2) or (inner.num and inner.type in STRUCTURE) for inner in below)
    )


def open_holders(
    nodes: Iterable[tuple[Node, tuple[Node, ...]]], types: Iterable[str]
) -> list[tuple[Node, tuple[Node, ...]]]:
    """Return `nodes`, with each schedule that is law in sections or articles (a constitution, a convention) replaced by the nodes in it,
    and each article of sections ("Art. 229 § 5") by its own text above them and the nodes from the first section on.

    Such a schedule has at least two of them, and they hold most of its text: a form that quotes a section is not divided.
    """
    wanted = frozenset(types)
    out: list[tuple[Node, tuple[Node, ...]]] = []
    for node, ancestors in nodes:
        if node.type != "schedule":
            out.extend(_with_inner(node, ancestors, wanted))
            continue
        below = _below(node, ancestors, wanted)
        provisions = [item for item, _ in below if item.type in ("section", "article")]
        held = sum(item.end - item.start for item in provisions)
        headings = sum(item.end - item.start for item in node.walk() if item.type == "heading")
        if len(provisions) < 2 or held < MOSTLY_PROVISIONS * (node.end - node.start - headings):
            out.append((node, ancestors))
        else:
            out.extend(below)
    return out


def _with_inner(node: Node, ancestors: tuple[Node, ...], wanted: frozenset[str]) -> list[tuple[Node, tuple[Node, ...]]]:
    """Return `node`; of an article of sections, its text up to the first one, and the nodes of these types from there on."""
    inner = next((index for index, child in enumerate(node.children) if child.type == "section"), None)
    if node.type != "article" or inner is None:
        return [(node, ancestors)]
    head = dataclasses.replace(node, end=node.children[inner].start, children=node.children[:inner])
    below = _below(dataclasses.replace(node, children=node.children[inner:]), ancestors, wanted)
    return [(head, ancestors), *below] if head.end > head.start else below


def _below(node: Node, ancestors: tuple[Node, ...], wanted: frozenset[str]) -> list[tuple[Node, tuple[Node, ...]]]:
    """Return the outermost nodes of these types inside `node`, including those in its own schedules."""
    out: list[tuple[Node, tuple[Node, ...]]] = []
    above = (*ancestors, node)
    for child in node.children:
        if _is_wanted(child, wanted) and child.type != "schedule":
            out.append((child, above))
        else:
            out.extend(_below(child, above, wanted))
    return out


def loose_text(document: Document, taken: Iterable[Span]) -> tuple[Span, ...]:
    """Return the text outside the `taken` spans: it is cut by a strategy that needs no provisions."""
    return trim(document.text, gaps(document.text, taken))

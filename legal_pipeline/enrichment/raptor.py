"""The tree of summaries of one document: which chunks belong to which node, and the hash by which a node is known to be unchanged.

Level 2 are the chunks, level 1 one node per chapter, level 0 the document (RAPTOR, Sarthi et al., ICLR 2024). A node's hash is a
Merkle hash: of its children's hashes in order, and of what makes the summary. Not
here: who writes summaries (an `Enricher`), and where they are kept.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from legal_pipeline.enrichment.enricher import Generator
from legal_pipeline.enrichment.passages import Place, Places
from legal_pipeline.model import identity
from legal_pipeline.model.document import PROVISIONS, Document

#: Raised when chunks are grouped otherwise than before.
VERSION = "1"

#: Tokens that a summary may have, by level.
BUDGET_TOKENS = {1: 200, 0: 300}

#: Provisions of one run in a document that has neither chapters nor groups.
RUN = 20
#: A document is grouped by its headings when they stand over so many provisions on average: a heading over every one is not a group.
_MIN_GROUP = 2.0

_SEPARATOR = " > "
_NUMBER = re.compile(r"\d+")
_BESIDE = {"preamble": "Preamble", "longtitle": "Preamble", "transitional": "Transitional provisions"}

Row = Mapping[str, Any]


@dataclass(frozen=True)
class Group:
    """A node of level 1 before it is summarised. `key` is unique in its document and stays when the text around it changes."""

    key: str
    header: str
    label: str
    chunks: tuple[Row, ...]
    chapter: str | None = None
    chapter_heading: str | None = None


def groups(document: Document, chunks: Sequence[Row]) -> list[Group]:
    """The nodes of level 1 in text order: one per chapter; without chapters one per group heading, else per run of twenty by number.

    Propositions are left out: they say again what the chunk beside them says. What stands beside the provisions (preamble, schedules,
    transitional provisions) are groups of their own.
    """
    rows = [row for row in chunks if row["parent_chunk_id"] is None and row["chunk_type"] != "header"]
    places = Places(document)
    located = [(row, places.at(row["start_char"])) for row in rows]
    chaptered = any(place.chain for _, place in located)
    by_heading = not chaptered and _has_groups([place for _, place in located])
    members: dict[str, list[tuple[Row, Place]]] = {}
    labels: dict[str, str] = {}
    run = _ContentRuns()
    for row, place in located:
        key, label = _key(row, place, by_heading, run)
        members.setdefault(key, []).append((row, place))
        labels.setdefault(key, label)
    return [_group(key, labels[key], found) for key, found in members.items()]


def leaf_hash(chunk: Row) -> str:
    """Of all that a summary is shown of a chunk; neither its offsets nor its id."""
    return identity.input_hash("leaf", chunk["contextual_header"], chunk["chunk_text"])


def node_hash(generator: Generator, title: str, language: str, level: int, children: Sequence[str]) -> str:
    """`children` are their hashes in order; `title` is what the summary is of."""
    made_by = (VERSION, str(generator), BUDGET_TOKENS[level])
    return identity.input_hash("raptor", *made_by, title, language, level, list(children))


def _key(row: Row, place: Place, by_heading: bool, run: _ContentRuns) -> tuple[str, str]:
    unit = place.unit
    if place.chain:
        node = next((above for above in reversed(place.chain) if above.type == "chapter"), place.chain[-1])
        return node.eid or f"{node.type}_{node.num}_{node.heading}", ""
    if unit is not None and unit.type in _BESIDE:
        return _BESIDE[unit.type], _BESIDE[unit.type]
    if unit is not None and unit.type == "schedule":
        label = f"Schedule {unit.num}" if unit.num else "Schedule"
        return unit.eid or label, label
    if by_heading and place.group:
        return f"group {place.group}", place.group
    number = _NUMBER.search(unit.num or "") if unit is not None and unit.type in PROVISIONS else None
    if number is not None:
        first = (int(number[0]) - 1) // RUN * RUN + 1
        return f"run {first}", f"{first}–{first + RUN - 1}"
    return run.key(row), ""


def _has_groups(places: Sequence[Place]) -> bool:
    provisions = [place for place in places if place.unit is not None and place.unit.type in PROVISIONS]
    headings = {place.group for place in provisions if place.group}
    return len(headings) > 1 and len(provisions) / len(headings) >= _MIN_GROUP


class _ContentRuns:
    """Runs of unnumbered chunks: one ends behind a chunk whose text's hash says so, so that an insertion moves one boundary only."""

    def __init__(self) -> None:
        self._number, self._size = 1, 0

    def key(self, row: Row) -> str:
        key = f"block {self._number}"
        self._size += 1
        ends = int(identity.text_hash(row["chunk_text"]), 16) % (RUN // 2) == 0
        if (ends and self._size >= RUN // 2) or self._size >= 2 * RUN:
            self._number, self._size = self._number + 1, 0
        return key


def _group(key: str, label: str, members: Sequence[tuple[Row, Place]]) -> Group:
    rows = tuple(row for row, _ in members)
    chain = members[0][1].chain
    chapter = next((node for node in reversed(chain) if node.type == "chapter"), None)
    steps = _common_steps([row["contextual_header"] for row in rows])
    if label:
        steps = [*steps[:1], label]
    return Group(
        key=key,
        header=_SEPARATOR.join(steps),
        label=label or (_SEPARATOR.join(steps[1:]) if len(steps) > 1 else key),
        chunks=rows,
        chapter=chapter.num if chapter else None,
        chapter_heading=chapter.heading if chapter else None,
    )


def _common_steps(headers: Sequence[str]) -> list[str]:
    """The steps that all headers begin with, never the last one of any: that is the provision itself."""
    split = [header.split(_SEPARATOR) for header in headers]
    limit = max(1, min(len(steps) for steps in split) - 1)
    common = split[0][:limit]
    for steps in split[1:]:
        while common != steps[: len(common)]:
            common = common[:-1]
    return common or split[0][:1]


__all__ = ["BUDGET_TOKENS", "RUN", "VERSION", "Group", "groups", "leaf_hash", "node_hash"]

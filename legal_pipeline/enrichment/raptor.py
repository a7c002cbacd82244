"""The tree of summaries of one document: the chunks of each node, and the hash that shows that a node is unchanged.

Level 2 are the chunks, level 1 is one node per chapter, level 0 is the document (RAPTOR, Sarthi et al., ICLR 2024). The hash of a node is a
Merkle hash: of its children's hashes in order, and of the generator of the summary. Not here: writing summaries (an `Enricher`), and their
storage.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from legal_pipeline.enrichment.enricher import Generator
from legal_pipeline.enrichment.passages import Place, Places
from legal_pipeline.model import identity
from legal_pipeline.model.document import PROVISIONS, Document

#: Incremented when chunks are grouped differently.
VERSION = "1"

#: Maximum tokens of a summary, by level.
BUDGET_TOKENS = {1: 200, 0: 300}

#: Provisions per run in a document that has neither chapters nor group headings.
RUN = 20
#: Minimum average number of provisions per heading for grouping by headings: a heading over every provision is not a group heading.
_MIN_GROUP = 2.0

_SEPARATOR = " > "
_NUMBER = re.compile(r"\d+")
_BESIDE = {"preamble": "Preamble", "longtitle": "Preamble", "transitional": "Transitional provisions"}

Row = Mapping[str, Any]


@dataclass(frozen=True)
class Group:
    """A node of level 1 before it is summarised. `key` is unique in its document and does not change when the text around it changes."""

    key: str
    header: str
    label: str
    chunks: tuple[Row, ...]
    chapter: str | None = None
    chapter_heading: str | None = None


def groups(document: Document, chunks: Sequence[Row]) -> list[Group]:
    """Return the nodes of level 1 in text order: one per chapter; without chapters one per group heading, else per run of 20 by number.

    Propositions are left out: they repeat the text of their parent chunk. Preamble, schedules and transitional provisions are separate
    groups.
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
    """Return the hash of the header and text of a chunk, which a summary shows; offsets and id are not included."""
    return identity.input_hash("leaf", chunk["contextual_header"], chunk["chunk_text"])


def node_hash(generator: Generator, title: str, language: str, level: int, children: Sequence[str]) -> str:
    """Return the hash of a node. `children` are the children's hashes in order; `title` is the title of the summarised text."""
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
    """Runs of unnumbered chunks. The hash of a chunk's text decides if a run ends after it, so that an insertion moves one boundary."""

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
    """Return the steps that all headers begin with, without the last step of any header: that is the provision itself."""
    split = [header.split(_SEPARATOR) for header in headers]
    limit = max(1, min(len(steps) for steps in split) - 1)
    common = list(itertools.takewhile(lambda steps: len(set(steps)) == 1, zip(*split, strict=False)))
    return [steps[0] for steps in common[:limit]] or split[0][:1]

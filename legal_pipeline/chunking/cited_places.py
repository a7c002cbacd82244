"""The citations by which a chunk is found: its provisions (`sec_12a`), and subdivisions where a provision is in several chunks.

They are written to the metadata of chunks, so that a store can filter by them. Not here: how a citation in a query is read and
matched with them (`retrieval.citation_query`, `retrieval.cited`).
"""

from __future__ import annotations

import bisect
from collections.abc import Iterable, Iterator, Sequence
from operator import itemgetter

from legal_pipeline.chunking.chunk import Chunk
from legal_pipeline.citations import find
from legal_pipeline.jurisdictions.countries import held_by
from legal_pipeline.jurisdictions.jurisdiction import jurisdiction
from legal_pipeline.model.document import PROVISIONS, Document, Node
from legal_pipeline.model.identity import EID_PREFIXES
from legal_pipeline.model.slug import number_slug

#: Raised when `name_places` or `work_uris` gives the same document different places.
VERSION = "5"


def name_places(document: Document, chunks: Iterable[Chunk]) -> None:
    """Set `provisions` and `subdivisions` in the metadata of every chunk that holds text of a provision.

    `provisions` are the provisions as they are cited, without the chapters above them and without the suffix that distinguishes two
    wordings; for a schedule without sections or articles they are its numbered paragraphs.
    `subdivisions` are eids of all nodes below a provision that overlap the chunk; they are set where the provision is in several chunks.
    Propositions and other generated chunks get neither.
    """
    verbatim = [chunk for chunk in chunks if chunk.parent_chunk_id is None]
    # Strategies and windows may overlap, but the spans of one strategy have their starts and ends in the same order.
    by_strategy: dict[str, list[tuple[int, int, Chunk]]] = {}
    for chunk in verbatim:
        by_strategy.setdefault(chunk.strategy, []).extend([(start, end, chunk) for start, end in chunk.spans])
    cited = (*document.provisions(), *_paragraphs_of_schedules(document))
    provisions = [(node, cited_as(node)) for node in cited]
    for spans in by_strategy.values():
        spans.sort(key=itemgetter(0, 1))
        ends = [end for _, end, _ in spans]
        for node, name in provisions:
            holders = _touched(spans, ends, node)
            for chunk in holders:
                _append(chunk, "provisions", name)
            if len(holders) > 1:
                for below in node.walk():
                    if below is not node and below.eid is not None:
                        for chunk in _touched(spans, ends, below):
                            _append(chunk, "subdivisions", below.eid)


def _paragraphs_of_schedules(document: Document) -> Iterator[Node]:
    """Yield the numbered paragraphs of schedules, inside and outside the schedule's parts ("Sch. 2 para. 1"), but not below a provision."""
    for root in document.nodes:
        for schedule in root.walk():
            if schedule.type != "schedule":
                continue
            stack = [*reversed(schedule.children)]
            while stack:
                node = stack.pop()
                if node.type == "paragraph" and node.num:
                    yield node
                elif node.type not in PROVISIONS and node.type not in ("paragraph", "schedule"):
                    stack.extend(reversed(node.children))


def cited_as(node: Node) -> str:
    """Return the eid as a citation names the provision: `sec_12a`, without the chapters above it."""
    number = number_slug(node.num) if node.num else ""
    if not number:
        return (node.eid or "").rpartition("__")[2]
    return f"{EID_PREFIXES[node.type]}_{number}"


def work_uris(document: Document) -> list[str]:
    """Return the URIs that citations of the work have: its own, that of its number, those of its reports and parallel citations, the part
    of a section."""
    metadata, country = document.metadata, jurisdiction(document.jurisdiction)
    printed = [
        document.number,
        *(metadata.get(name) for name in ("neutral_citation", "citation", "canonical_citation")),
    ]
    printed += metadata.get("parallel_citations") or []
    found = [document.work_uri] if document.work_uri else []
    for text in printed:
        if isinstance(text, str):
            # A number at the beginning of a line is a heading, not a citation.
            cited = find(f" {text}", country)
            found += [citation.work_uri for citation in cited if citation.kind in ("case", "act") and citation.work_uri]
    if document.work_uri and (part := held_by(document.work_uri)):
        found.append(part)
    return list(dict.fromkeys(found))


def _touched(spans: Sequence[tuple[int, int, Chunk]], ends: Sequence[int], node: Node) -> list[Chunk]:
    """Return the chunks with text of the node, each once."""
    first = bisect.bisect_right(ends, node.start)
    behind = first
    while behind < len(spans) and spans[behind][0] < node.end:
        behind += 1
    return list({chunk.chunk_id: chunk for _, _, chunk in spans[first:behind]}.values())


def _append(chunk: Chunk, name: str, value: str) -> None:
    values = chunk.metadata.setdefault(name, [])
    if value and value not in values:
        values.append(value)

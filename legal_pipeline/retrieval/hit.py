"""A search hit: a chunk with its citation, place in the source and the reasons of its rank.

Not here: how it was found (`retrieval.search`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from legal_pipeline.retrieval.snippet import make_snippet
from legal_pipeline.stores.store import Payload

#: Seed 001, word for word: shown with every hit from a degraded scan.
DISCLAIMER = "This source was extracted from a degraded scan. Verify against the original document."


@dataclass(frozen=True, slots=True)
class Hit:
    """`start_char` and `end_char` are offsets of the chunk in the document's canonical text; `snippet` is verbatim
    text of the chunk from its `snippet_start`, `highlights` are spans of `snippet`.

    `score_parts`: `dense` (cosine) and `bm25` scores with `dense_rank` and `bm25_rank` where the chunk was in that list, `question` and
    `question_rank` (cosine of the nearest question that it answers), `rrf` (the fused score), `retrieval_weight` (its factor), `citation`
    (0: not the cited provision; above: the higher, the more exactly). Hits are ordered by `citation`, then `score`.
    """

    document_id: str
    chunk_id: str
    citation: str
    path: str
    title: str
    snippet: str
    snippet_start: int
    highlights: tuple[tuple[int, int], ...]
    start_char: int
    end_char: int
    source_url: str | None
    fetched_at: str | None
    source_sha256: str | None
    score: float
    score_parts: Mapping[str, float]
    disclaimer: str | None
    payload: Payload


def make_hit(payload: Payload, score: float, score_parts: Mapping[str, float], terms: frozenset[int]) -> Hit:
    """A hit from a point's payload; `terms` are those of the query, for the highlights."""
    degraded = bool(payload.get("requires_manual_review")) or weight(payload) < 1
    snippet = make_snippet(str(payload.get("chunk_text", "")), str(payload.get("language", "")), terms)
    return Hit(
        document_id=str(payload.get("document_id", "")),
        chunk_id=str(payload.get("chunk_id", "")),
        citation=citation_of(payload),
        path=str(payload.get("path", "")),
        title=str(payload.get("title", "")),
        snippet=snippet.text,
        snippet_start=snippet.start,
        highlights=snippet.highlights,
        start_char=int(payload.get("start_char", 0)),
        end_char=int(payload.get("end_char", 0)),
        source_url=payload.get("source_url"),
        fetched_at=payload.get("fetched_at"),
        source_sha256=payload.get("source_sha256"),
        score=score,
        score_parts=score_parts,
        disclaimer=DISCLAIMER if degraded else None,
        payload=payload,
    )


def weight(payload: Payload) -> float:
    """`retrieval_weight`, 1 where none is given."""
    value: Any = payload.get("retrieval_weight")
    return 1.0 if value is None else float(value)


def citation_of(payload: Payload) -> str:
    """As lawyers write it: `2 kap. 3 § Arbetsmiljölag (1977:1160)`; without a provision the act and the path within it."""
    act = _act(str(payload.get("title", "")), payload.get("number"))
    section, chapter = payload.get("section"), payload.get("chapter")
    if not section:
        path = str(payload.get("path", ""))
        return f"{act}, {path}" if act and path else act or path
    if payload.get("jurisdiction") != "se":
        return f"{section}, {act}" if act else str(section)
    provision = str(section) if re.search(r"[^\W\d_]{2}|§", str(section)) else f"{section} §"
    return " ".join(part for part in (f"{chapter} kap." if chapter else "", provision, act) if part)


def _act(title: str, number: Any) -> str:
    """Title with its number in brackets, unless the title names it already: `Lag (1982:80) om anställningsskydd`."""
    bare = str(number).removeprefix("SFS ") if number else ""
    if not bare or bare in title:
        return title
    return f"{title} ({bare})" if title else str(number)

"""Search: dense and BM25 lists fused by rank, the provision that the query cites first.

Not here: the lists (`stores`), the reading of citations (`retrieval.citation_query`) and what a hit shows (`retrieval.hit`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from legal_pipeline.embedding.embedder import Embedder
from legal_pipeline.retrieval.citation_query import Citation, read_citation
from legal_pipeline.retrieval.fusion import reciprocal_ranks
from legal_pipeline.retrieval.hit import Hit, make_hit, weight
from legal_pipeline.stores import bm25
from legal_pipeline.stores.store import (
    AnyOf,
    Condition,
    Payload,
    RankedLists,
    ScoredPoint,
    Searchable,
    Vector,
)

#: Candidates taken from each list for one hit that is shown, and the least number of them.
_DEPTH_FACTOR, _MIN_DEPTH, _MAX_DEPTH = 5, 50, 3200

#: Acts with a § of the cited number are many; the act that the query names must be among those looked at.
_CITED_DEPTH = 200


@dataclass(frozen=True, slots=True)
class _Candidate:
    payload: Payload
    score: float
    parts: Mapping[str, float]


def search(
    query: str,
    *,
    store: Searchable,
    embedder: Embedder,
    collection: str = "legal_chunks",
    questions: str | None = None,
    limit: int = 10,
    filters: Sequence[Condition] = (),
    languages: Sequence[str] = (),
) -> list[Hit]:
    """The `limit` best chunks for `query`; all `filters` hold for each.

    A provision that the query cites (`2 kap. 3 § arbetsmiljölagen`) comes before everything else: first that of the act it names, or
    of any act if it names none. What `store` answers is shown: hand in one that answers with published points alone
    (`stages.reading`). `questions` is a collection of questions (QuIM, seed 001): those near the query stand for their
    chunks, as a third list beside the dense and the BM25 one. Raises as `VectorStore.query` and `Embedder.embed` do.
    """
    if limit < 1 or not query.strip():
        return []
    vector: Vector = embedder.embed([query]).vectors[0]
    citation = read_citation(query)
    terms = bm25.query_terms(query, languages)
    depth = max(_MIN_DEPTH, limit * _DEPTH_FACTOR)
    while True:
        with store.session(collection, "searching"):
            general = store.query(
                collection, dense=vector, text=query, languages=languages, filters=filters, limit=depth
            )
            cited = RankedLists()
            if citation is not None:
                narrowed = [*filters, *citation.conditions()]
                cited = store.query(
                    collection,
                    dense=vector,
                    text=query,
                    languages=languages,
                    filters=narrowed,
                    limit=max(depth, _CITED_DEPTH),
                )
        asked = _asked(store, questions, collection, vector, filters, depth, general) if questions is not None else ()
        candidates = _merge(general, cited, citation, asked)
        exhausted = len(general.dense) < depth or depth >= _MAX_DEPTH
        if len(candidates) >= limit or exhausted:
            break
        depth *= 4
    candidates.sort(key=lambda one: (-one.parts["citation"], -one.score, str(one.payload.get("chunk_id", ""))))
    return [make_hit(one.payload, one.score, one.parts, terms) for one in candidates[:limit]]


def _asked(
    store: Searchable,
    questions: str,
    collection: str,
    vector: Vector,
    filters: Sequence[Condition],
    limit: int,
    general: RankedLists,
) -> tuple[ScoredPoint, ...]:
    """The chunks that answer the questions nearest to the query, each once, scored by its nearest question."""
    with store.session(questions, "searching"):
        near = store.query(questions, dense=vector, filters=filters, limit=limit).dense
    best: dict[str, ScoredPoint] = {}
    for point in near:
        best.setdefault(str(point.payload.get("source_chunk_id", "")), point)
    known = {str(point.payload.get("chunk_id", "")): point for point in (*general.dense, *general.sparse)}
    missing = [chunk_id for chunk_id in best if chunk_id not in known]
    if missing:
        documents = tuple({str(best[chunk_id].payload.get("document_id", "")) for chunk_id in missing})
        narrowed = [*filters, AnyOf("document_id", documents), AnyOf("chunk_id", tuple(missing))]
        with store.session(collection, "searching"):
            found = store.query(collection, dense=vector, filters=narrowed, limit=len(missing)).dense
        known.update((str(point.payload.get("chunk_id", "")), point) for point in found)
    return tuple(
        ScoredPoint(known[chunk_id].id, point.score, known[chunk_id].payload)
        for chunk_id, point in best.items()
        if chunk_id in known
    )


def _merge(
    general: RankedLists, cited: RankedLists, citation: Citation | None, asked: Sequence[ScoredPoint] = ()
) -> list[_Candidate]:
    """All points of the general lists and of the questions, and those of the cited provision that are meant."""
    exactness = _exactness({p.id: p.payload for p in (*cited.dense, *cited.sparse)}, citation)
    candidates = {p.id: p.payload for p in (*general.dense, *general.sparse, *asked)}
    candidates.update((p.id, p.payload) for p in (*cited.dense, *cited.sparse) if exactness.get(p.id))
    fused = _fused(general, asked)
    # A cited provision may lie below the depth of the general lists: its rank among its like decides then.
    fused = {**_fused(cited), **fused}
    scores: dict[str, dict[str, float]] = {point_id: {} for point_id in candidates}
    for lists, ranked in ((cited, False), (general, True)):
        for label, points in (("dense", lists.dense), ("bm25", lists.sparse)):
            for rank, point in enumerate(points, start=1):
                if point.id in scores:
                    scores[point.id][label] = point.score
                    if ranked:
                        scores[point.id][f"{label}_rank"] = float(rank)
    for rank, point in enumerate(asked, start=1):
        scores[point.id] |= {"question": point.score, "question_rank": float(rank)}
    return [
        _Candidate(
            payload,
            fused[point_id] * weight(payload),
            {
                **scores[point_id],
                "rrf": fused[point_id],
                "retrieval_weight": weight(payload),
                "citation": float(exactness.get(point_id, 0)),
            },
        )
        for point_id, payload in candidates.items()
    ]


def _fused(lists: RankedLists, asked: Sequence[ScoredPoint] = ()) -> dict[str, float]:
    named = {"dense": lists.dense, "bm25": lists.sparse, "question": asked}
    ranks = reciprocal_ranks({name: [point.id for point in points] for name, points in named.items()})
    return {point_id: sum(parts.values()) for point_id, parts in ranks.items()}


def _exactness(cited: Mapping[str, Payload], citation: Citation | None) -> dict[str, int]:
    """How exactly each point of the cited provision is meant: the longest title that the query names, or 1 where it names no act."""
    if citation is None:
        return {}
    if citation.number is not None:
        return dict.fromkeys(cited, 1)
    named = {point_id: citation.names(str(payload.get("title", ""))) for point_id, payload in cited.items()}
    best = max(named.values(), default=0)
    if best:
        return {point_id: 1 for point_id, words in named.items() if words == best}
    return {} if citation.names_an_act else dict.fromkeys(cited, 1)

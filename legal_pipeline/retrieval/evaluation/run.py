"""A dataset through systems: each indexed into a store of its own, all asked the same queries, and the figures compared.

Every system has the same embedding model, the same store (Qdrant Edge, exact search) and, with BM25, the same `retrieval.search`. Not
here: the figures of one query (`metrics`), and how they are shown (`report`).
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from legal_pipeline.corpus.identity import point_id
from legal_pipeline.embedding.embedder import Embedder
from legal_pipeline.enrichment.enricher import Enricher
from legal_pipeline.errors import ConfigurationError
from legal_pipeline.retrieval.evaluation.cutting import Cuts
from legal_pipeline.retrieval.evaluation.dataset import Dataset, Query
from legal_pipeline.retrieval.evaluation.metrics import METRICS, Interval, Ranked, interval, measure, resamples
from legal_pipeline.retrieval.evaluation.relevance import overlap
from legal_pipeline.retrieval.evaluation.systems import Entry, Family, Index, System
from legal_pipeline.retrieval.search import search
from legal_pipeline.stores.qdrant_edge import QdrantEdgeStore
from legal_pipeline.stores.store import ROW_HASH, Point, VectorStore

Mode = Literal["dense", "dense + BM25"]

#: Hits that are measured, and hits that are fetched for them: those of the query's own provision drop out; where hits are documents,
#: several chunks are one hit.
DEPTH, FETCHED, FETCHED_FOR_DOCUMENTS = 20, 40, 200

#: The group of all queries.
ALL = "all"
_CHUNKS, _QUESTIONS = "chunks", "questions"

Report = Callable[[str], None]


@dataclass(frozen=True)
class Score:
    """The figures of one system in one mode for one group of queries, by metric.

    `lead`: difference to the best baseline of the same mode and group, by that metric; `gain`: difference to the system that this one
    adds a layer to. Both are paired by query, and None where there is nothing to compare with.
    """

    system: str
    family: Family
    mode: Mode
    group: str
    queries: int
    chunks: int
    tokens_median: float
    figures: dict[str, Interval]
    lead: dict[str, Interval] | None = None
    gain: dict[str, Interval] | None = None


@dataclass(frozen=True)
class Evaluation:
    """`best_baseline`: (mode, group, metric) -> name. `values`: (system, mode) -> (queries, metrics)."""

    dataset: str
    model: str
    seed: int
    documents: int
    characters: int
    notes: tuple[str, ...]
    scores: tuple[Score, ...]
    best_baseline: dict[tuple[Mode, str, str], str]
    queries: tuple[Query, ...]
    values: dict[tuple[str, Mode], NDArray[np.float64]]


def evaluate(
    dataset: Dataset,
    systems: Sequence[System],
    *,
    embedder: Embedder,
    enricher: Enricher,
    seed: int,
    report: Report = lambda _: None,
) -> Evaluation:
    """The figures of all systems. Raises `ConfigurationError` for a dataset without queries."""
    if not dataset.queries:
        raise ConfigurationError(f"the dataset {dataset.name} has no queries; nothing can be measured")
    cuts = Cuts(dataset.documents, embedder, enricher)
    embedder.embed([query.text for query in dataset.queries])
    values: dict[tuple[str, Mode], NDArray[np.float64]] = {}
    sizes: dict[str, tuple[int, float]] = {}
    for system in systems:
        report(f"{system.name}: cutting")
        index = system.index(cuts)
        sizes[system.name] = len(index.entries), float(np.median([entry.tokens for entry in index.entries] or [0]))
        report(f"{system.name}: {len(index.entries):,} chunks")
        with tempfile.TemporaryDirectory(prefix="legal-pipeline-evaluation-") as folder:
            searched = _Searched(dataset, index, embedder, Path(folder), system.dense)
            for mode in searched.modes:
                values[system.name, mode] = np.stack(
                    [measure(query, searched.ranking(query, mode)) for query in dataset.queries]
                )
    failed = tuple(f"{name} could not cut {one}" for name, found in cuts.failed.items() for one in found)
    scores, best = _compared(dataset, systems, values, sizes, seed)
    return Evaluation(
        dataset=dataset.name,
        model=embedder.name,
        seed=seed,
        documents=len(dataset.documents),
        characters=sum(len(document.text) for document in dataset.documents),
        notes=(*dataset.notes, *failed),
        scores=scores,
        best_baseline=best,
        queries=dataset.queries,
        values=values,
    )


class _Searched:
    """An index in a store of its own."""

    def __init__(self, dataset: Dataset, index: Index, embedder: Embedder, folder: Path, dense: bool) -> None:
        self.modes: tuple[Mode, ...] = ("dense", "dense + BM25") if dense else ("dense + BM25",)
        self._dataset = dataset
        self._embedder = embedder
        self._entries = {entry.chunk_id: entry for entry in index.entries}
        self._questions = _QUESTIONS if index.questions else None
        self._store: VectorStore = QdrantEdgeStore(folder)
        self._fill(_CHUNKS, [(entry.chunk_id, entry, entry.embedded, {}) for entry in self._entries.values()])
        asked = [
            (f"{chunk_id}/{question}", self._entries[chunk_id], question, {"source_chunk_id": chunk_id})
            for chunk_id, question in index.questions
        ]
        if asked:
            self._fill(_QUESTIONS, asked)

    def ranking(self, query: Query, mode: Mode) -> list[Ranked]:
        """The hits in order, without those of the query's own provision; at most `DEPTH`."""
        limit = FETCHED_FOR_DOCUMENTS if self._dataset.by_document else FETCHED
        if mode == "dense":
            vector = self._embedder.embed([query.text]).vectors[0]
            found = self._store.query(_CHUNKS, dense=vector, limit=limit).dense
            ids = [str(point.payload["chunk_id"]) for point in found]
        else:
            hits = search(
                query.text,
                store=self._store,
                embedder=self._embedder,
                collection=_CHUNKS,
                questions=self._questions,
                limit=limit,
            )
            ids = [hit.chunk_id for hit in hits]
        return self._ranked(query, [self._entries[one] for one in ids])

    def _ranked(self, query: Query, entries: Sequence[Entry]) -> list[Ranked]:
        out: list[Ranked] = []
        seen: set[str] = set()
        for entry in entries:
            document_id = entry.document.document_id
            origin = query.origin
            if origin is not None and origin.document_id == document_id and overlap(entry.spans, origin):
                continue
            if self._dataset.by_document and document_id in seen:
                continue
            seen.add(document_id)
            out.append(Ranked(document_id, entry.spans, entry.tokens, entry.verbatim))
        return out[:DEPTH]

    def _fill(self, collection: str, rows: Sequence[tuple[str, Entry, str, dict[str, Any]]]) -> None:
        self._store.ensure_collection(collection, self._embedder.dimension)
        vectors = self._embedder.embed([text for _, _, text, _ in rows]).vectors
        points = [
            Point(
                id=point_id(key),
                document_id=entry.document.document_id,
                vector=vector,
                text=text,
                language=entry.document.language,
                payload={
                    "chunk_id": entry.chunk_id,
                    "chunk_text": entry.text,
                    "path": entry.path,
                    "title": entry.document.title,
                    "language": entry.document.language,
                    "jurisdiction": entry.document.jurisdiction,
                    "doc_type": entry.document.doc_type,
                    "retrieval_weight": entry.weight,
                    ROW_HASH: key,
                    **more,
                },
            )
            for (key, entry, text, more), vector in zip(rows, vectors, strict=True)
        ]
        self._store.upsert(collection, points)


def _compared(
    dataset: Dataset,
    systems: Sequence[System],
    values: dict[tuple[str, Mode], NDArray[np.float64]],
    sizes: dict[str, tuple[int, float]],
    seed: int,
) -> tuple[tuple[Score, ...], dict[tuple[Mode, str, str], str]]:
    families = {system.name: system.family for system in systems}
    bases = {system.name: system.base for system in systems}
    groups = dataset.groups()
    scores: list[Score] = []
    best: dict[tuple[Mode, str, str], str] = {}
    for group in (*groups, ALL) if len(groups) > 1 else groups:
        rows = np.array([number for number, query in enumerate(dataset.queries) if group in (ALL, query.group)])
        draws = resamples(len(rows), seed)
        for mode in ("dense", "dense + BM25"):
            of_group = {name: found[rows] for (name, one), found in values.items() if one == mode}
            rivals = [name for name in of_group if families[name] == "baseline" and bases[name] is None]
            for number, metric in enumerate(METRICS):
                sign = -1 if metric.startswith("mismatch") else 1
                if rivals:
                    best[mode, group, metric] = max(rivals, key=lambda name: sign * of_group[name][:, number].mean())
            for name, found in of_group.items():
                leads = (
                    [of_group[best[mode, group, metric]][:, k] for k, metric in enumerate(METRICS)] if rivals else None
                )
                base = of_group.get(bases[name] or "")
                scores.append(
                    Score(
                        name,
                        families[name],
                        mode,
                        group,
                        len(rows),
                        *sizes[name],
                        figures=_intervals(found, draws),
                        lead=_intervals(found - np.stack(leads, axis=1), draws)
                        if leads and name not in rivals
                        else None,
                        gain=_intervals(found - base, draws) if base is not None else None,
                    )
                )
    return tuple(scores), best


def _intervals(values: NDArray[np.float64], draws: NDArray[np.int64]) -> dict[str, Interval]:
    return {metric: interval(values[:, number], draws) for number, metric in enumerate(METRICS)}

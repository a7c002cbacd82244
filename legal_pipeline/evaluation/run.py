"""Runs a dataset through systems: each is indexed into a separate store, all get the same queries, and the figures are compared.

Every system has the same embedding model, the same store (Qdrant Edge, exact search) and, with BM25, the same `Searcher`. Not
here: the figures of one query (`metrics`), and their display (`report`).
"""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from legal_pipeline.embedding.model_table import Embedders
from legal_pipeline.enrichment.enricher import Enricher
from legal_pipeline.errors import ConfigurationError
from legal_pipeline.evaluation.cutting import Cuts
from legal_pipeline.evaluation.dataset import Dataset, Query
from legal_pipeline.evaluation.judged_files import write_judged_files
from legal_pipeline.evaluation.metrics import METRICS, Interval, Ranked, interval, measure, resamples
from legal_pipeline.evaluation.relevance import overlap
from legal_pipeline.evaluation.systems import Entry, Family, Index, System
from legal_pipeline.model.identity import point_id
from legal_pipeline.retrieval.dense_lists import dense_list, dense_queries, nearest, query_language
from legal_pipeline.retrieval.search import View
from legal_pipeline.retrieval.searcher import Answer, Searcher
from legal_pipeline.retrieval.vector_weights import vector_weights
from legal_pipeline.stores.qdrant_edge import QdrantEdgeStore
from legal_pipeline.stores.store import ROW_HASH, AnyOf, Condition, Model, Not, Point, Vector, VectorStore

Mode = Literal["dense", "dense + BM25", "passages"]

#: `passages`: hits of both lists with their neighbours, at most this number of tokens together: as many as the largest baselines' chunks.
PASSAGE_TOKENS = 512

#: Hits that are measured, and hits that are fetched for them: hits of the query's own provision are dropped; if hits are documents,
#: several chunks are one hit.
DEPTH, FETCHED, FETCHED_FOR_DOCUMENTS = 20, 25, 200

#: The group of all queries.
ALL = "all"
_CHUNKS, _QUESTIONS = "chunks", "questions"

Report = Callable[[str], None]


@dataclass(frozen=True)
class Score:
    """The figures of one system in one mode for one group of queries, by metric.

    `lead`: difference to the best baseline of the same mode and group, by that metric; `gain`: difference to the system that this system
    adds a layer to. Both are paired by query, and None if there is nothing to compare with.
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


@dataclass(frozen=True)
class Live:
    """A system that is searched in its own index: `search` returns up to a number of hits for a query, in the given `mode`. `tokens` are
    those of each chunk. A passage that holds the query's own provision is dropped completely here, as its search has no query origin."""

    name: str
    search: Callable[[str, int], list[Ranked]]
    tokens: Sequence[int]
    mode: Mode


def evaluate(
    dataset: Dataset,
    systems: Sequence[System],
    *,
    embedders: Embedders,
    enricher: Enricher,
    seed: int,
    live: Sequence[Live] = (),
    judged_files: Path | None = None,
    report: Report = lambda _: None,
) -> Evaluation:
    """Return the figures of all systems, those of `live` first; judgments and rankings of `systems` are written below the folder
    `judged_files`.

    Raises `ConfigurationError` for a dataset without queries.
    """
    if not dataset.queries:
        raise ConfigurationError(f"the dataset {dataset.name} has no queries; nothing can be measured")
    cuts = Cuts(dataset.documents, embedders, enricher)
    for embedder in embedders.by_vector.values():
        embedder.embed_queries([query.text for query in dataset.queries])
    values: dict[tuple[str, Mode], NDArray[np.float64]] = {}
    sizes: dict[str, tuple[int, float]] = {}
    for layer in live:
        report(f"{layer.name}: searching")
        rankings = [_kept(dataset, query, layer.search(query.text, _fetched(dataset))) for query in dataset.queries]
        values[layer.name, layer.mode] = measured(dataset, rankings)
        sizes[layer.name] = len(layer.tokens), _median(layer.tokens)
    for system in systems:
        report(f"{system.name}: cutting")
        index = system.index(cuts)
        sizes[system.name] = len(index.entries), _median([entry.tokens for entry in index.entries])
        report(f"{system.name}: {len(index.entries):,} chunks")
        with tempfile.TemporaryDirectory(prefix="legal-pipeline-evaluation-") as folder:
            searched = Searched(dataset, index, embedders, Path(folder), system.dense)
            by_mode: dict[str, list[list[Ranked]]] = {}
            with contextlib.closing(searched):
                for mode in searched.modes:
                    by_mode[mode] = rankings = [searched.ranking(query, mode) for query in dataset.queries]
                    found = values[system.name, mode] = measured(dataset, rankings)
                    report(f"{system.name}, {mode}: recall@5 {found[:, METRICS.index('recall@5')].mean():.3f}")
        if judged_files is not None:
            write_judged_files(judged_files, dataset, system.name, index.entries, by_mode)
    failed = tuple(
        f"{name} could not cut {document_id}" for name, found in cuts.failed.items() for document_id in found
    )
    families: dict[str, Family] = {
        **{layer.name: "layer" for layer in live},
        **{system.name: system.family for system in systems},
    }
    bases = {system.name: system.base for system in systems}
    scores, best = _compared(dataset, families, bases, values, sizes, seed)
    return Evaluation(
        dataset=dataset.name,
        model=embedders.name,
        seed=seed,
        documents=len(dataset.documents),
        characters=sum(len(document.text) for document in dataset.documents),
        notes=(*dataset.notes, *failed),
        scores=scores,
        best_baseline=best,
        queries=dataset.queries,
        values=values,
    )


class Searched:
    """An index in a separate store, and its searcher (a `retrieval.searcher.Readable`). `weights` are the weights of ranks by vector; they
    may be changed between two rankings."""

    def __init__(self, dataset: Dataset, index: Index, embedders: Embedders, folder: Path, dense: bool) -> None:
        self.modes: tuple[Mode, ...] = (
            *(("dense",) if dense else ()),
            "dense + BM25",
            # documents have no neighbours
            *(() if dataset.by_document else ("passages",)),
        )
        self.weights = vector_weights(embedders.name)
        self._dataset = dataset
        self._embedders = embedders
        self._entries = {entry.chunk_id: entry for entry in index.entries}
        self._places = _places(index.entries)
        self._questions = _QUESTIONS if index.questions else None
        self._store: VectorStore = QdrantEdgeStore(folder)
        self._fill(_CHUNKS, [(entry.chunk_id, entry, entry.embedded, {}) for entry in self._entries.values()])
        asked = [
            (f"{chunk_id}/{question}", self._entries[chunk_id], question, {"source_chunk_id": chunk_id})
            for chunk_id, question in index.questions
        ]
        if asked:
            self._fill(_QUESTIONS, asked)
        self._searcher = Searcher(self)
        self._kept = contextlib.ExitStack()
        # opening a collection costs more than a query
        opened = [_CHUNKS, *([_QUESTIONS] if asked else [])]
        self._kept.enter_context(self._store.kept_open(opened, "evaluating"))

    def read(self, search: Callable[[View], Answer]) -> Answer:
        """All points are published."""
        return search(View(self._store, lambda: self._embedders, _CHUNKS, self._questions, self.weights))

    def close(self) -> None:
        self._kept.close()
        self._store.close()

    def ranking(self, query: Query, mode: Mode) -> list[Ranked]:
        """Return the hits in order, without those of the query's own provision; at most `DEPTH`."""
        limit = _fetched(self._dataset)
        if mode == "dense":
            language = query_language(query.text, (), tuple) if self._embedders.by_language else None
            lists = nearest(query.text, self._embedders, language)
            answers = self._store.query_batch(_CHUNKS, dense_queries(lists, (), limit))
            found = dense_list(lists, answers)[:limit]
            hits = [self._ranked([str(point.payload["chunk_id"])]) for point in found]
        else:
            shown = self._searcher.search(
                query.text,
                limit=limit,
                filters=self._but_origin(query) if mode == "passages" else (),
                passage_tokens=PASSAGE_TOKENS if mode == "passages" else 0,
            )
            hits = [
                self._ranked([hit.chunk_id, *(neighbour.chunk_id for neighbour in hit.neighbours)]) for hit in shown
            ]
        return _kept(self._dataset, query, hits)

    def _ranked(self, chunk_ids: Sequence[str]) -> Ranked:
        entries = [self._entries[chunk_id] for chunk_id in chunk_ids]
        spans = tuple(span for entry in entries for span in entry.spans)
        return Ranked(
            entries[0].document.document_id,
            spans,
            sum(entry.tokens for entry in entries),
            all(entry.verbatim for entry in entries),
            tuple(chunk_ids),
        )

    def _but_origin(self, query: Query) -> list[Condition]:
        """Exclude the query's own provision from passages: otherwise `_kept` would drop the whole passage."""
        origin = query.origin
        own = [
            entry.chunk_id
            for entry in self._entries.values()
            if origin is not None and entry.document.document_id == origin.document_id and overlap(entry.spans, origin)
        ]
        return [Not(AnyOf("chunk_id", tuple(own)))] if own else []

    def _fill(self, collection: str, rows: Sequence[tuple[str, Entry, str, dict[str, Any]]]) -> None:
        self._store.ensure_collection(collection, self._embedders.dimension, Model(further=self._embedders.further))
        vectors = self._vectors([(entry.document.language, text) for _, entry, text, _ in rows])
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
                    "strategy": entry.strategy,
                    "path": entry.path,
                    "title": entry.document.title,
                    "language": entry.document.language,
                    "jurisdiction": entry.document.jurisdiction,
                    "doc_type": entry.document.doc_type,
                    "retrieval_weight": entry.weight,
                    "num_tokens": entry.tokens,
                    "seq": self._places.get(entry.chunk_id),
                    ROW_HASH: key,
                    **more,
                },
                vector_name=self._embedders.vector_of(entry.document.language),
            )
            for (key, entry, text, more), vector in zip(rows, vectors, strict=True)
        ]
        self._store.upsert(collection, points)

    def _vectors(self, texts: Sequence[tuple[str, str]]) -> list[Vector]:
        """Return the vector of each (language, text), by the model of its language."""
        found: dict[int, Vector] = {}
        for name, embedder in self._embedders.by_vector.items():
            own = [at for at, (language, _) in enumerate(texts) if self._embedders.vector_of(language) == name]
            found.update(zip(own, embedder.embed_passages([texts[at][1] for at in own]).vectors, strict=True))
        return [found[at] for at in range(len(texts))]


def _places(entries: Sequence[Entry]) -> dict[str, int]:
    """Return chunk id -> position in its document's order, for chunks that have a position."""
    by_document: dict[str, list[Entry]] = {}
    for entry in entries:
        if entry.in_order:
            by_document.setdefault(entry.document.document_id, []).append(entry)
    return {
        entry.chunk_id: place
        for found in by_document.values()
        for place, entry in enumerate(sorted(found, key=lambda entry: (entry.spans[0], entry.spans[-1])))
    }


def _fetched(dataset: Dataset) -> int:
    return FETCHED_FOR_DOCUMENTS if dataset.by_document else FETCHED


def _kept(dataset: Dataset, query: Query, hits: Sequence[Ranked]) -> list[Ranked]:
    """Return the `DEPTH` best hits without those of the query's own provision; if documents are judged, only the first hit of each."""
    out: list[Ranked] = []
    seen: set[str] = set()
    for hit in hits:
        origin = query.origin
        if origin is not None and origin.document_id == hit.document_id and overlap(hit.spans, origin):
            continue
        if dataset.by_document and hit.document_id in seen:
            continue
        seen.add(hit.document_id)
        out.append(hit)
    return out[:DEPTH]


def measured(dataset: Dataset, rankings: Sequence[Sequence[Ranked]]) -> NDArray[np.float64]:
    return np.stack([measure(query, hits) for query, hits in zip(dataset.queries, rankings, strict=True)])


def _median(tokens: Sequence[int]) -> float:
    return float(np.median(tokens)) if tokens else 0.0


def _compared(
    dataset: Dataset,
    families: dict[str, Family],
    bases: dict[str, str | None],
    values: dict[tuple[str, Mode], NDArray[np.float64]],
    sizes: dict[str, tuple[int, float]],
    seed: int,
) -> tuple[tuple[Score, ...], dict[tuple[Mode, str, str], str]]:
    groups = dataset.groups()
    scores: list[Score] = []
    best: dict[tuple[Mode, str, str], str] = {}
    for group in (*groups, ALL) if len(groups) > 1 else groups:
        rows = np.array([number for number, query in enumerate(dataset.queries) if group in (ALL, query.group)])
        draws = resamples(len(rows), seed)
        for mode in get_args(Mode):
            of_group = {name: found[rows] for (name, ranked_by), found in values.items() if ranked_by == mode}
            rivals = [name for name in of_group if families[name] == "baseline" and bases.get(name) is None]
            for number, metric in enumerate(METRICS):
                sign = -1 if metric.startswith("mismatch") else 1
                if rivals:
                    best[mode, group, metric] = max(rivals, key=lambda name: sign * of_group[name][:, number].mean())
            for name, found in of_group.items():
                leads = (
                    [of_group[best[mode, group, metric]][:, k] for k, metric in enumerate(METRICS)] if rivals else None
                )
                base = of_group.get(bases.get(name) or "")
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

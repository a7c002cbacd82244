"""A search with a model per language beside one with a single model.

    python -m legal_pipeline_tests.benchmarks.search_latency [--points N]

Two collections of Qdrant Edge with the same synthetic points, half of them English and half Swedish, are asked the same queries in turn,
so that other work on the machine changes both alike. First with vectors that cost nothing, then with those of the default models. Not a
test: figures depend on the machine.
"""

from __future__ import annotations

import argparse
import contextlib
import itertools
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from legal_pipeline.embedding.embedder import Embeddings
from legal_pipeline.embedding.model_table import Embedders
from legal_pipeline.embedding.registry import configured_embedders, open_embedder
from legal_pipeline.retrieval.search import View
from legal_pipeline.retrieval.searcher import Answer, Searcher
from legal_pipeline.settings import load_settings
from legal_pipeline.stores.qdrant_edge import QdrantEdgeStore
from legal_pipeline.stores.store import Model, Point
from legal_pipeline_tests.benchmarks.vector_stores import DIMENSION, NAME, PER_GROUP, Synthetic

LANGUAGES = ("eng", "swe")
WORDS_OF_POINT, WORDS_OF_QUERY, WARM = 90, 8, 10


@dataclass(frozen=True)
class Instant:
    """An embedder of queries that costs nothing: the vectors lie where points do."""

    name: str
    data: Synthetic
    dimension: int = DIMENSION
    max_tokens: int = 512

    def embed_queries(self, texts: Sequence[str]) -> Embeddings:
        return Embeddings(self.data.vectors(len(texts)), (1,) * len(texts), (1,) * len(texts))

    embed_passages = embed_queries


@dataclass(frozen=True)
class Index:
    """A collection with its models, as `retrieval.searcher.Readable`."""

    store: QdrantEdgeStore
    embedders: Embedders

    def read(self, search: Callable[[View], Answer]) -> Answer:
        return search(View(self.store, lambda: self.embedders, NAME))

    def close(self) -> None:
        self.store.close()


def filled(folder: Path, embedders: Embedders, number: int) -> QdrantEdgeStore:
    """`number` points, by turns 500 of each language, each with the vector of its language's model."""
    store = QdrantEdgeStore(folder)
    store.ensure_collection(NAME, DIMENSION, Model(embedders.name, further=embedders.further))
    documents = zip(Synthetic().documents(number, WORDS_OF_POINT), itertools.cycle(LANGUAGES), strict=False)
    with store.session(NAME, "loading"):
        while group := list(itertools.islice(documents, PER_GROUP)):
            store.replace_documents(
                NAME,
                {
                    points[0].document_id: [_in_language(point, language, embedders) for point in points]
                    for points, language in group
                },
            )
    store.optimise(NAME)
    return store


def _in_language(point: Point, language: str, embedders: Embedders) -> Point:
    payload = {**point.payload, "language": language, "path": f"sec_{point.payload['section']}", "title": "A law"}
    return replace(point, language=language, payload=payload, vector_name=embedders.vector_of(language))


def costs(searchers: Sequence[Searcher], queries: Sequence[str], language: str) -> np.ndarray:
    """(2, searchers, queries) milliseconds, of the clock and of the processor; they search by turns."""
    found = np.empty((2, len(searchers), len(queries)))
    for turn, query in enumerate(queries):
        for place, searcher in enumerate(searchers):
            begin, begin_processor = time.perf_counter(), time.process_time()
            searcher.search(query, languages=[language], passage_tokens=512)
            found[:, place, turn] = time.perf_counter() - begin, time.process_time() - begin_processor
    return found[:, :, WARM:] * 1e3


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--points", type=int, default=50_000)
    parser.add_argument("--queries", type=int, default=200)
    chosen = parser.parse_args()
    data = Synthetic(seed=1)
    queries = [data.text(WORDS_OF_QUERY) for _ in range(chosen.queries + WARM)]
    models = (Embedders({}, open_embedder()), configured_embedders(load_settings()))
    instant = [
        Embedders(
            {language: Instant(one.name, data) for language, one in each.by_language.items()},
            Instant(each.other.name, data),
        )
        for each in models
    ]
    print(f"{chosen.points:,} points, {chosen.queries} queries of each language", flush=True)
    with tempfile.TemporaryDirectory(prefix="legal-pipeline-") as folder, contextlib.ExitStack() as opened:
        stores = [filled(Path(folder) / str(place), each, chosen.points) for place, each in enumerate(models)]
        for store in stores:
            opened.enter_context(store.kept_open([NAME], "measuring"))
        for (kind, embedders), language in itertools.product(
            (("found", instant), ("embedded and found", models)), LANGUAGES
        ):
            searchers = [Searcher(Index(*pair)) for pair in zip(stores, embedders, strict=True)]
            clock, processor = costs(searchers, queries, language)
            rows = np.stack([*np.percentile(clock, [50, 95], axis=1), processor.mean(axis=1)])
            for name, (one, table) in zip(("p50", "p95", "processor, mean"), rows, strict=True):
                print(
                    f"{kind}, {language}, {name}: {one:.1f} ms, with a table {table:.1f} ms, {table / one:.2f} x",
                    flush=True,
                )


if __name__ == "__main__":
    main()

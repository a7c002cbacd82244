"""Measures the embedded store: `python -m legal_pipeline_tests.benchmarks.embedded_store`.

Just below the number of points from which fields have indexes, just above it, and at 20,000 points. Not a test: figures depend on the
machine.
"""

from __future__ import annotations

import functools
import tempfile
import time
import uuid
from collections.abc import Callable
from pathlib import Path

import numpy as np

from legal_pipeline.stores.edge_shard import MIN_INDEXED
from legal_pipeline.stores.qdrant_edge import QdrantEdgeStore
from legal_pipeline.stores.store import AnyOf, Point

POINTS, PER_DOCUMENT, DIMENSION, NAME = 20_000, 50, 384, "legal_chunks"
WORDS = [f"ord{number}" for number in range(5000)]


def synthetic_points(rng: np.random.Generator) -> list[list[Point]]:
    vectors = rng.normal(size=(POINTS, DIMENSION)).astype(np.float32)
    documents = []
    for start in range(0, POINTS, PER_DOCUMENT):
        name = f"se-sfs-{start // PER_DOCUMENT}"
        points = []
        for row in range(start, start + PER_DOCUMENT):
            text = " ".join(rng.choice(WORDS, size=90))
            payload = {"section": str(row - start), "jurisdiction": "se", "chunk_text": text, "row_hash": str(row)}
            points.append(Point(str(uuid.UUID(int=row)), name, vectors[row], text, "swe", payload))
        documents.append(points)
    return documents


def percentiles(call: Callable[[], object], times: int) -> str:
    seconds = []
    for _ in range(times):
        begin = time.perf_counter()
        call()
        seconds.append(time.perf_counter() - begin)
    return f"median {np.median(seconds) * 1e3:.1f} ms, p95 {np.percentile(seconds, 95) * 1e3:.1f} ms"


def query_of(store: QdrantEdgeStore, rng: np.random.Generator) -> Callable[[], object]:
    def query() -> None:
        vector = rng.normal(size=DIMENSION).astype(np.float32)
        text = " ".join(rng.choice(WORDS, size=5))
        store.query(NAME, dense=vector, text=text, filters=[AnyOf("jurisdiction", ("se",))], limit=50)

    return query


def measure_small(documents: list[list[Point]], rng: np.random.Generator) -> None:
    """Print what indexes of fields cost at every opening, and what they save in a search."""
    for number in (MIN_INDEXED // PER_DOCUMENT - 1, MIN_INDEXED // PER_DOCUMENT):
        with tempfile.TemporaryDirectory() as folder:
            store = QdrantEdgeStore(Path(folder))
            store.ensure_collection(NAME, DIMENSION)
            store.replace_documents(NAME, {points[0].document_id: points for points in documents[:number]})
            query = query_of(store, rng)
            print(
                f"{number * PER_DOCUMENT} points: open, count, close: {percentiles(functools.partial(store.count, NAME), 20)}"
            )
            with store.session(NAME, "searching"):
                query()
                print(f"{number * PER_DOCUMENT} points: dense + BM25 + filter in a session: {percentiles(query, 50)}")


def measure_store() -> None:
    rng = np.random.default_rng(0)
    documents = synthetic_points(rng)
    measure_small(documents, rng)
    with tempfile.TemporaryDirectory() as folder:
        store = QdrantEdgeStore(Path(folder))
        store.ensure_collection(NAME, DIMENSION)
        begin = time.perf_counter()
        with store.session(NAME, "loading"):
            for points in documents:
                store.replace_document(NAME, points[0].document_id, points)
        print(f"replace_document, {PER_DOCUMENT} points each: {POINTS / (time.perf_counter() - begin):,.0f} points/s")

        query = query_of(store, rng)
        for state in ("not optimised", "optimised"):
            if state == "optimised":
                begin = time.perf_counter()
                store.optimise(NAME)
                print(f"optimise: {time.perf_counter() - begin:.1f} s")
            print(f"{state}: open, count, close: {percentiles(lambda: store.count(NAME), 10)}")
            with store.session(NAME, "searching"):
                query()
                print(f"{state}: dense + BM25 + filter in a session: {percentiles(query, 50)}")
            print(f"{state}: the same, opening each time: {percentiles(query, 10)}")


if __name__ == "__main__":
    measure_store()

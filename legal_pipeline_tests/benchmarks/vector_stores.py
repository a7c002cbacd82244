"""Qdrant Edge beside pgvector: `python -m legal_pipeline_tests.benchmarks.vector_stores [--points N] [--words N] [--store edge|pgvector]`.

Synthetic points of 384 dimensions and 90 words (a provision with its header), 500 to a document: how fast they load before anything is
indexed (in groups, as `processing.publication` hands them over; also per second of processor time, which other work on the machine changes
less), how long the index takes, what a filtered dense and word search takes after it, how many of the 10 nearest points it finds, and the
memory. For Edge also how fast its library loads the same points without anything of ours, and the memory of another process that only
searches.
`--quantized` keeps a byte per dimension in Edge, `--half` 16 bits in pgvector. Not a test: figures depend on the machine.
"""

from __future__ import annotations

import argparse
import itertools
import math
import multiprocessing
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np
import psutil
from qdrant_edge import EdgeShard, UpdateOperation
from qdrant_edge import Point as EdgePoint

from legal_pipeline.processing.publication import GROUP_POINTS
from legal_pipeline.registry.database import Database
from legal_pipeline.registry.embedded_postgres import EmbeddedPostgres
from legal_pipeline.stores.bm25 import edge_vector
from legal_pipeline.stores.pgvector import PgvectorStore
from legal_pipeline.stores.qdrant_edge import QdrantEdgeStore
from legal_pipeline.stores.store import DENSE, DOCUMENT_ID, SPARSE, AnyOf, Point, VectorStore

DIMENSION, PER_DOCUMENT, QUERIES, NAME = 384, 500, 200, "legal_chunks"
#: As many documents as the product writes together.
PER_GROUP = math.ceil(GROUP_POINTS / PER_DOCUMENT)
JURISDICTIONS = ("se", "in", "us", "zw")
_CLUSTERS = 200
# the common words of a language are few: the n-th is as frequent as 1/n
_VOCABULARY = 20_000


class Synthetic:
    """Points around cluster centres, as embeddings of laws lie: evenly spread ones have no near neighbours to find."""

    def __init__(self, seed: int = 0) -> None:
        self.rng = np.random.default_rng(seed)
        self.centres = self.rng.normal(size=(_CLUSTERS, DIMENSION))
        frequency = 1 / np.arange(1, _VOCABULARY + 1)
        self.words = np.array([f"ord{number}" for number in range(_VOCABULARY)])
        self.frequency = frequency / frequency.sum()

    def vectors(self, number: int) -> np.ndarray:
        near = self.centres[self.rng.integers(_CLUSTERS, size=number)]
        vectors = near + self.rng.normal(size=near.shape)
        return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)

    def text(self, number: int) -> str:
        return " ".join(self.rng.choice(self.words, size=number, p=self.frequency))

    def documents(self, number: int, words_per_point: int) -> Iterator[list[Point]]:
        for start in range(0, number, PER_DOCUMENT):
            name = f"doc-{start // PER_DOCUMENT}"
            jurisdiction = JURISDICTIONS[start // PER_DOCUMENT % len(JURISDICTIONS)]
            size = min(PER_DOCUMENT, number - start)
            drawn = self.rng.choice(self.words, size=(size, words_per_point), p=self.frequency)
            points = []
            for row, (vector, words) in enumerate(zip(self.vectors(size), drawn, strict=True), start=start):
                text = " ".join(words)
                payload = {
                    "chunk_id": str(row), "section": str(row - start), "jurisdiction": jurisdiction, "doc_type": "act",
                    "chunk_text": text, "row_hash": str(row),
                }  # fmt: skip
                points.append(Point(str(uuid.UUID(int=row)), name, vector, text, "swe", payload))
            yield points


def measure(store: VectorStore, number: int, words_per_point: int, memory: Callable[[], float], label: str) -> None:
    data = Synthetic()
    store.ensure_collection(NAME, DIMENSION)
    loading = processor = 0.0
    vectors = []
    with store.session(NAME, "loading"):
        documents = data.documents(number, words_per_point)
        while group := {points[0].document_id: points for points in itertools.islice(documents, PER_GROUP)}:
            vectors += [point.vector for points in group.values() for point in points]
            begin, begin_processor = time.perf_counter(), time.process_time()
            store.replace_documents(NAME, group)
            loading += time.perf_counter() - begin
            processor += time.process_time() - begin_processor
            del group
    print(
        f"{label}: {number:,} points loaded at {number / loading:,.0f} points/s ({number / processor:,.0f} per second of this process' "
        f"processor time), {memory():,.0f} MB",
        flush=True,
    )
    begin = time.perf_counter()
    store.optimise(NAME)
    print(f"{label}: indexed in {time.perf_counter() - begin:.1f} s, {memory():,.0f} MB", flush=True)
    for kind, dense, words in (("dense and words", True, True), ("dense", True, False), ("words", False, True)):
        seconds = []
        with store.session(NAME, "searching"):
            for turn in range(QUERIES + 10):
                vector = data.vectors(1)[0] if dense else None
                text = data.text(5) if words else None
                wanted = AnyOf("jurisdiction", (JURISDICTIONS[turn % len(JURISDICTIONS)],))
                begin = time.perf_counter()
                store.query(NAME, dense=vector, text=text, languages=["swe"], filters=[wanted], limit=50)
                seconds.append(time.perf_counter() - begin)
        p50, p95 = np.percentile(np.array(seconds[10:]) * 1e3, [50, 95])
        print(f"{label}: {kind}, filtered: p50 {p50:.1f} ms, p95 {p95:.1f} ms, {memory():,.0f} MB", flush=True)
    print(f"{label}: recall of the 10 nearest {recall(store, data, np.stack(vectors)):.3f}", flush=True)


def library_alone(folder: Path, number: int, words_per_point: int) -> float:
    """Points/s of the same points and collection through the calls of `qdrant-edge-py` alone: no checks, no counts, one flush."""
    QdrantEdgeStore(folder).ensure_collection(NAME, DIMENSION)
    shard = EdgeShard.load(str(folder / NAME / "shard"))
    seconds = 0.0
    for points in Synthetic().documents(number, words_per_point):
        begin = time.perf_counter()
        made = [
            EdgePoint(
                point.id,
                {DENSE: memoryview(point.vector), SPARSE: edge_vector(point.text, point.language)},
                {**point.payload, DOCUMENT_ID: point.document_id},
            )
            for point in points
        ]
        shard.update(UpdateOperation.upsert_points(made))
        seconds += time.perf_counter() - begin
    begin = time.perf_counter()
    shard.flush()
    seconds += time.perf_counter() - begin
    shard.close()
    return number / seconds


def recall(store: VectorStore, data: Synthetic, vectors: np.ndarray, limit: int = 10) -> float:
    """Of the nearest points, as comparing with every vector finds them, the share that the store finds."""
    found = 0
    with store.session(NAME, "searching"):
        for query in data.vectors(QUERIES):
            nearest = set(np.argpartition(-(vectors @ query), limit)[:limit].tolist())
            answer = store.query(NAME, dense=query, limit=limit).dense
            found += len(nearest & {int(point.payload["chunk_id"]) for point in answer})
    return found / (limit * QUERIES)


def memory_of_searching(folder: Path) -> tuple[float, float]:
    """Memory of this process before it opens the collection and after a search by vector and by words, in MB."""
    before, data, store = of_this_process(), Synthetic(), QdrantEdgeStore(folder)
    with store.session(NAME, "searching"):
        wanted = AnyOf("jurisdiction", JURISDICTIONS[:1])
        store.query(NAME, dense=data.vectors(1)[0], text=data.text(5), languages=["swe"], filters=[wanted], limit=50)
        return before, of_this_process()


def of_this_process() -> float:
    """Memory of this process in MB that no file backs (Edge works inside it; the vectors that recall is measured with are part of it)."""
    held = psutil.Process().memory_full_info()
    return float(held.rss - held.shared) / 2**20


def of_the_server(folder: Path) -> Callable[[], float]:
    """Memory of the server's processes in MB, what they share counted once."""
    leader = psutil.Process(int((folder / "postmaster.pid").read_text("utf-8").split()[0]))

    def memory() -> float:
        members = [leader, *leader.children(recursive=True)]
        return float(sum(member.memory_full_info().pss for member in members)) / 2**20

    return memory


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--points", type=int, default=20_000)
    parser.add_argument("--words", type=int, default=90, help="words of each point's text")
    parser.add_argument("--store", choices=["edge", "pgvector"], action="append")
    parser.add_argument("--half", action="store_true", help="store 16 bits per dimension in pgvector")
    parser.add_argument("--quantized", action="store_true", help="keep a byte per dimension beside the vectors in Edge")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="legal-pipeline-") as name:
        folder = Path(name)
        if "edge" in (chosen.store or ["edge"]):
            alone = library_alone(folder / "alone", chosen.points, chosen.words)
            print(f"edge: qdrant-edge-py alone loads {alone:,.0f} points/s", flush=True)
            edge = QdrantEdgeStore(folder / "qdrant", quantization="int8" if chosen.quantized else "none")
            measure(edge, chosen.points, chosen.words, of_this_process, "edge")
            with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as other:
                before, after = other.submit(memory_of_searching, folder / "qdrant").result()
            print(
                f"edge: a process that only searches: {before:,.0f} MB, with the collection {after:,.0f} MB", flush=True
            )
        if "pgvector" in (chosen.store or ["pgvector"]):
            with EmbeddedPostgres(folder / "postgres") as server, Database(server.url) as database:
                store = PgvectorStore(database, vector_type="halfvec" if chosen.half else "vector", deferred_index=True)
                measure(store, chosen.points, chosen.words, of_the_server(folder / "postgres"), "pgvector")


if __name__ == "__main__":
    main()

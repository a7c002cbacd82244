"""What a search costs an index that stays open: milliseconds with and without the query's embedding, calls of the store and of PostgreSQL,
searches per second of several clients.

    python -m legal_pipeline_tests.benchmarks.searcher [--points 50000] [--clients 8] [--folder KEPT]

Qdrant Edge with passages (`large_index`); `--folder` keeps the index for the next run. Not a test: figures depend on the machine. Not
here: what must hold (`legal_pipeline_tests/pipeline/test_searcher.py`).
"""

from __future__ import annotations

import argparse
import contextlib
import itertools
import random
import statistics
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from unittest import mock

from legal_pipeline.embedding.embedder import Embeddings
from legal_pipeline.embedding.query_batches import QueryBatches
from legal_pipeline.pipeline import Pipeline
from legal_pipeline.reading.law_reader import LawReader
from legal_pipeline.registry.database import Database
from legal_pipeline.stores.store import Query
from legal_pipeline_tests.benchmarks.large_index import StandIn, chunks_of, large_index
from legal_pipeline_tests.stores.counted import counted_calls

#: Words, questions and citations, in the languages of the index.
QUERIES = (
    "arbetsgivarens ansvar för arbetsmiljön", "2 kap. 3 § arbetsmiljölagen", "skyddsombud stoppar farligt arbete",
    "uppsägning på grund av arbetsbrist", "när får ett patent beviljas?", "bostadsbidrag för barnfamiljer",
    "beslut får överklagas till", "3 § lagen (1973:688)", "vite", "arbetstidens förläggning om natten",
    "right to respect for private life", "section 6 Human Rights Act 1998", "punishment for murder", "section 302 IPC",
    "What must a local authority do for carers?", "needs assessment of a child", "avgift för prövning av ansökan",
    "1 kap. 2 § skollagen", "hur länge gäller ett tillstånd?", "förordning om statsbidrag",
)  # fmt: skip

Search = Callable[[str], object]


class _Remembering:
    """Queries are embedded once: what is left of a search is its time without the embedding."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, str], Embeddings] = {}
        self._embed = StandIn.embed_queries

    def __call__(self, embedder: StandIn, texts: Sequence[str]) -> Embeddings:
        key = (embedder.name, texts[0])
        if key not in self._known:
            self._known[key] = self._embed(embedder, texts)
        return self._known[key]

    @contextlib.contextmanager
    def used(self) -> Iterator[None]:
        def embed_queries(embedder: StandIn, texts: Sequence[str]) -> Embeddings:
            return self(embedder, texts)

        with mock.patch.object(StandIn, "embed_queries", embed_queries):
            yield


class _Counted:
    """Uses of a connection to PostgreSQL within a block."""

    uses = 0

    @contextlib.contextmanager
    def counting(self) -> Iterator[None]:
        connection = Database.connection

        def counted(database: Database) -> contextlib.AbstractContextManager[object]:
            self.uses += 1
            return connection(database)

        with mock.patch.object(Database, "connection", counted):
            yield


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--corpus", type=Path, default=Path(__file__).resolve().parents[3] / "shared" / "corpus")
    arguments.add_argument("--folder", type=Path, help="Where the index is kept for the next run.")
    arguments.add_argument("--points", type=int, default=50_000, help="Chunks, at least.")
    arguments.add_argument("--enrich", help="As LEGAL_PIPELINE_ENRICH.")
    arguments.add_argument("--rounds", type=int, default=10, help="How often each query is searched.")
    arguments.add_argument("--clients", type=int, default=8)
    arguments.add_argument("--seconds", type=float, default=15, help="Of the clients' searches.")
    given = arguments.parse_args()
    with contextlib.ExitStack() as stack:
        folder = given.folder or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="legal-pipeline-")))
        pipeline = stack.enter_context(large_index(given.corpus, folder, given.points, enrich=given.enrich))
        size = sum(path.stat().st_blocks * 512 for path in (folder / "home" / "qdrant").rglob("*") if path.is_file())
        print(f"{chunks_of(pipeline):,} chunks, {size / 1e6:.0f} MB in the store\n", flush=True)
        _measure(pipeline, given)


def _measure(pipeline: Pipeline, given: argparse.Namespace) -> None:
    reader = LawReader(pipeline)
    distinct = _distinct(pipeline, 2000)
    ways: dict[str, Search] = {
        "Pipeline.search": pipeline.search,
        "LawReader.search": reader.search,
        "LawReader.search as JSON": lambda query: reader.search(query).model_dump_json(),
    }
    for query in QUERIES:  # reads the tables of the grammars and opens the models
        reader.search(query)
    print("| 10 hits with passages | p50 ms | p95 ms | mean ms | processor, mean ms |\n|---|---|---|---|---|")
    remembering = _Remembering()
    with remembering.used():
        for name, search in ways.items():
            _timed(search, QUERIES)
            _print(f"{name}, no embedding", search, QUERIES * given.rounds)
        for query in distinct[:200]:
            _embed(pipeline, query)
        _print("LawReader.search, no embedding, each query once", reader.search, distinct[:200])
    _print("LawReader.search, with embedding, each query once", reader.search, distinct[200:400])
    _count(reader.search)
    for name, queries in (("each query once", distinct[400:]), (f"{len(QUERIES)} queries", QUERIES)):
        made = _together(reader.search, queries, given.clients, given.seconds)
        print(f"\n{given.clients} clients, {name}: {made / given.seconds:.1f} searches/s", flush=True)


def _distinct(pipeline: Pipeline, most: int) -> list[str]:
    """Words of chunks of the index, each query once: nothing of its answer was read before."""
    live = pipeline.resources.store.live("legal_chunks")
    assert live is not None
    (found,) = pipeline.resources.store.query_batch(live.name, [Query(limit=4 * most, fields=["chunk_text"])])
    texts = [str(point.payload["chunk_text"]) for point in found.unranked]
    random.Random(6).shuffle(texts)
    return list(dict.fromkeys(" ".join(text.split()[5:13]) for text in texts if len(text.split()) > 12))[:most]


def _embed(pipeline: Pipeline, query: str) -> None:
    """Embed the query by the embedders themselves, so that its vectors are at hand and nothing else is."""
    for embedder in pipeline.resources.embedders.by_vector.values():
        (embedder.inner if isinstance(embedder, QueryBatches) else embedder).embed_queries([query])


def _timed(search: Search, queries: Sequence[str]) -> list[float]:
    return [_milliseconds(search, query) for query in queries]


def _milliseconds(search: Search, query: str) -> float:
    begun = time.perf_counter()
    search(query)
    return (time.perf_counter() - begun) * 1000


def _print(name: str, search: Search, asked: Sequence[str]) -> None:
    begun = time.process_time()
    times = _timed(search, asked)
    worked = (time.process_time() - begun) * 1000 / len(times)  # what else runs on the machine counts less
    p50, p95 = (statistics.quantiles(times, n=100)[at] for at in (49, 94))
    print(f"| {name} | {p50:.1f} | {p95:.1f} | {statistics.mean(times):.1f} | {worked:.1f} |", flush=True)


def _count(search: Search) -> None:
    print("\n| query | calls of the store | uses of PostgreSQL | ms |\n|---|---|---|---|")
    counts = []
    for query in QUERIES:
        counted = _Counted()
        with counted_calls() as calls, counted.counting():
            took = _milliseconds(search, query)
        counts.append((calls.queries, counted.uses))
        print(f"| {query} | {calls.queries} | {counted.uses} | {took:.1f} |")
    calls_mean, uses_mean = (statistics.mean(column) for column in zip(*counts, strict=True))
    print(f"| mean | {calls_mean:.1f} | {uses_mean:.1f} | |", flush=True)


def _together(search: Search, asked: Sequence[str], clients: int, seconds: float) -> int:
    """Searches that so many threads make in that time."""
    until = time.monotonic() + seconds
    mutex = threading.Lock()
    queries = itertools.cycle(asked)

    def ask() -> int:
        made = 0
        while time.monotonic() < until:
            with mutex:
                query = next(queries)
            search(query)
            made += 1
        return made

    with ThreadPoolExecutor(clients) as pool:
        return sum(future.result() for future in [pool.submit(ask) for _ in range(clients)])


if __name__ == "__main__":
    main()

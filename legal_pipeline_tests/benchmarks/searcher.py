"""What a search costs an index of some thousand points: opens of the store, calls of it, seconds.

    python -m legal_pipeline_tests.benchmarks.searcher

Real statutes of the corpus in Qdrant Edge, with vectors by words, which cost nothing: the time is the store's. Not here: what must hold
(`legal_pipeline_tests/pipeline/test_searcher.py`).
"""

from __future__ import annotations

import argparse
import contextlib
import statistics
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from legal_pipeline.pipeline import Failed, Pipeline
from legal_pipeline.registration import register
from legal_pipeline.registry.database import Database
from legal_pipeline.registry.embedded_postgres import EmbeddedPostgres
from legal_pipeline.settings import load_settings
from legal_pipeline.sources.directory import DirectorySource
from legal_pipeline_tests.by_words import ByWords
from legal_pipeline_tests.stores.counted import CountedCalls, counted_calls

QUERIES = (
    "arbetsgivarens ansvar för arbetsmiljön", "2 kap. 3 § arbetsmiljölagen", "skyddsombud stoppar farligt arbete",
    "uppsägning på grund av arbetsbrist", "när får ett patent beviljas", "bostadsbidrag för barnfamiljer",
    "beslut får överklagas till", "semesterlön", "vite", "arbetstidens förläggning om natten",
)  # fmt: skip


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--corpus", type=Path, default=Path(__file__).resolve().parents[3] / "shared" / "corpus")
    arguments.add_argument("--files", default="se/selex_md/*.md", help="Which of the corpus are indexed.")
    arguments.add_argument("--points", type=int, default=3600, help="Files are added until there are so many.")
    arguments.add_argument("--enrich", default="prefixes,summaries,questions")
    given = arguments.parse_args()
    with _indexed(given) as pipeline:
        folder = pipeline.resources.settings.home / "qdrant"
        size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
        store = pipeline.resources.store
        live = [one.generation.name for one in pipeline.collections() if one.store == "qdrant"]
        points = ", ".join(f"{name} {store.count(name):,}" for name in live)
        print(f"{points} points, {size / 1e6:.1f} MB", flush=True)
        pipeline.search(QUERIES[0])  # reads the tables of the grammars
        rows = []
        for query in QUERIES:
            with counted_calls() as calls:
                begin = time.perf_counter()
                pipeline.search(query)
                rows.append((time.perf_counter() - begin, calls))
        _print(rows)


def _print(rows: list[tuple[float, CountedCalls]]) -> None:
    print("| query | opens | calls | seconds |\n|---|---|---|---|")
    for query, (seconds, calls) in zip(QUERIES, rows, strict=True):
        print(f"| {query} | {calls.opens} | {calls.queries} | {seconds:.3f} |")
    median = statistics.median(seconds for seconds, _ in rows)
    opens, queries = (sum(getattr(calls, name) for _, calls in rows) / len(rows) for name in ("opens", "queries"))
    print(f"| median; mean | {opens:.1f} | {queries:.1f} | {median:.3f} |", flush=True)


@contextlib.contextmanager
def _indexed(given: argparse.Namespace) -> Iterator[Pipeline]:
    with (
        tempfile.TemporaryDirectory(prefix="legal-pipeline-") as folder,
        EmbeddedPostgres(Path(folder) / "postgres") as server,
    ):
        home, laws = Path(folder) / "home", Path(folder) / "laws"
        laws.mkdir()
        settings = load_settings(home=home, database_url=server.url, enrich=given.enrich, stores="qdrant")
        with contextlib.ExitStack() as stack:
            opened = stack.enter_context(Pipeline.open(settings))
            resources = replace(opened.resources, make_embedder=lambda _: ByWords())
            pipeline = stack.enter_context(Pipeline(resources, Database.open(settings)))
            for file in sorted(given.corpus.glob(given.files)):
                (laws / file.name).write_bytes(file.read_bytes())
                found = register(DirectorySource(laws), pipeline.registry, grace=timedelta(0))
                for event in pipeline.run([*found.to_run]):
                    if isinstance(event, Failed):
                        print(f"left out: {event.error}", flush=True)
                if not pipeline.registry.counts().get("completed"):
                    continue
                (live,) = [one.generation for one in pipeline.collections() if one.alias == "legal_chunks"]
                if pipeline.resources.store.count(live.name) >= given.points:
                    break
            pipeline.optimise()
            yield pipeline


if __name__ == "__main__":
    main()

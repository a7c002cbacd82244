"""Celery workers on one machine: how long a backfill takes with one worker and with two, and what bounds it.

`python -m legal_pipeline_tests.benchmarks.workers ../shared/corpus [--documents 200] [--run 25] [--workers 1 2]`. Real Acts from
parsing to pgvector, each number of workers with a home, a database and a Redis of its own. An embedding server beside them gives vectors
by words, so that no worker has a model: with the packaged model one worker uses every core already. Figures depend on the machine, and
the ratio on other work: the processor times say what two cores allow. Not a test.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import psutil
from pydantic import SecretStr

from legal_pipeline.defs import partitions
from legal_pipeline.defs.jobs import QUEUE_TAG
from legal_pipeline.defs.launch import dagster_instance, embedded_services
from legal_pipeline.registry.embedded_postgres import EmbeddedPostgres
from legal_pipeline.settings import Settings, load_settings
from legal_pipeline_tests.benchmarks.backfill import describe_runs, registered, write_acts
from legal_pipeline_tests.benchmarks.meter import Meter, processor_of
from legal_pipeline_tests.by_words import ByWords
from legal_pipeline_tests.celery_workers import celery_variables, redis_server, worker, worker_environment
from legal_pipeline_tests.embedding.embedding_server import EmbeddingServer
from legal_pipeline_tests.webserver import serving, wait_for

_REPOSITORY = Path(__file__).resolve().parents[2]
_MOST_SECONDS = 3600


@dataclass(frozen=True)
class Measured:
    """Seconds: the backfill's wall time, and the processor times of the workers with their runs and of PostgreSQL within it."""

    wall: float
    workers: float
    postgres: float


def measure(corpus: Path, documents: int, per_run: int, workers: int) -> Measured:
    """A backfill of all assets of so many Acts by so many workers."""
    words = ByWords()
    with tempfile.TemporaryDirectory(prefix="legal-pipeline-") as name, contextlib.ExitStack() as stack:
        home = Path(name)
        (home / "acts").mkdir()
        write_acts(corpus, home / "acts", documents, 4000)
        server = stack.enter_context(EmbeddedPostgres(home / "postgres"))
        vectors = stack.enter_context(EmbeddingServer(lambda texts: words.embed_passages(texts).vectors.tolist()))
        settings = load_settings(
            home=home / "home", database_url=SecretStr(server.url), source_directory=home / "unwatched", stores="pgvector",
            anthropic_api_key=None, embedding_model="benchmark/by-words", embedding_url=vectors.url, partitions_per_run=per_run,
        )  # fmt: skip
        ids = registered(settings, home / "acts")
        shared = celery_variables(home / "celery", stack.enter_context(redis_server()), _REPOSITORY)
        os.environ["DAGSTER_HOME"] = shared["DAGSTER_HOME"]
        stack.enter_context(embedded_services(settings))
        meter = Meter(home / "postgres")
        return _backfill(settings, home, ids, shared, workers, meter, stack)


def _backfill(
    settings: Settings,
    home: Path,
    ids: list[str],
    shared: dict[str, str],
    workers: int,
    meter: Meter,
    stack: contextlib.ExitStack,
) -> Measured:
    instance = stack.enter_context(dagster_instance(settings))
    instance.add_dynamic_partitions(partitions.NAME, ids)
    environment = worker_environment(settings, shared, _REPOSITORY)
    started = [
        psutil.Process(stack.enter_context(worker("cpu", environment, home / f"cpu{number}.log")).pid)
        for number in range(workers)
    ]
    dagster = stack.enter_context(serving(settings, home, shared))
    before = sum(map(processor_of, started))
    with meter.measured() as spent:
        began = time.monotonic()
        asked = dagster.backfill(dagster.document_assets(), ids, {QUEUE_TAG: "cpu"})
        ended = wait_for("backfill", lambda: dagster.backfill_status(asked), _MOST_SECONDS)
        wall = time.monotonic() - began
    if ended != "COMPLETED_SUCCESS":
        raise SystemExit(f"the backfill ended as {ended}")
    describe_runs(instance)
    return Measured(wall, sum(map(processor_of, started)) - before, spent.postgres)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("corpus", type=Path)
    options.add_argument("--documents", type=int, default=200)
    options.add_argument("--run", type=int, default=25, help="documents of one run")
    options.add_argument("--workers", type=int, nargs="+", default=[1, 2])
    chosen = options.parse_args()
    found = {}
    for workers in chosen.workers:
        found[workers] = measured = measure(chosen.corpus, chosen.documents, chosen.run, workers)
        print(
            f"{workers} workers: {measured.wall:.1f} s; processor time of the workers {measured.workers:.1f} s, of PostgreSQL "
            f"{measured.postgres:.1f} s",
            flush=True,
        )
    first, last = found[chosen.workers[0]], found[chosen.workers[-1]]
    cores = os.cpu_count() or 1
    print(
        f"ratio {last.wall / first.wall:.2f}; the least that {cores} cores allow: {(last.workers + last.postgres) / cores / first.wall:.2f}"
    )


if __name__ == "__main__":
    main()

"""What a reconciliation costs: processor time for each document, with none changed and with some.

`python -m legal_pipeline_tests.benchmarks.reconciling FOLDER [--documents 1000] [--changed 10]`. Indexes small laws with vectors by their
words in `FOLDER` (one that an earlier call filled is used again), and counts the processor time of this process and of its PostgreSQL
server. Figures depend on the machine. Not a test.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from legal_pipeline.pipeline import Failed, Pipeline
from legal_pipeline.reconcile import Reconciliation, reconcile
from legal_pipeline.registration import register
from legal_pipeline.registry.database import Database
from legal_pipeline.registry.embedded_postgres import EmbeddedPostgres
from legal_pipeline.settings import Settings, load_settings
from legal_pipeline.sources.directory import DirectorySource
from legal_pipeline_tests.benchmarks.meter import Meter
from legal_pipeline_tests.by_words import ByWords
from legal_pipeline_tests.small_laws import write_law

_BATCH = 250


class _Wide(ByWords):
    """Vectors as long as those of the default model."""

    dimension = 384


def open_pipeline(settings: Settings) -> Pipeline:
    with Pipeline.open(settings) as opened:
        resources = replace(opened.resources, make_embedder=lambda _: _Wide())
    return Pipeline(resources, Database.open(settings))


def run(pipeline: Pipeline, folder: Path) -> int:
    """Register what the folder holds and run what is due; return the number of documents that were run."""
    due = register(DirectorySource(folder), pipeline.registry, grace=timedelta(0)).to_run
    for begin in range(0, len(due), _BATCH):
        for event in pipeline.run(due[begin : begin + _BATCH]):
            assert not isinstance(event, Failed), event
    return len(due)


def measured(meter: Meter, name: str, work: Callable[[], Reconciliation]) -> None:
    with meter.measured() as spent:
        found = work()
    each = 1000 * spent.processor / max(found.documents, 1)
    print(
        f"{name}: {spent.ours:.2f} s of processor time and {spent.postgres:.2f} s of PostgreSQL's, {each:.2f} ms a document, "
        f"{spent.wall:.2f} s; {found.compared} of {found.documents} compared in full; clean: {found.is_clean}",
        flush=True,
    )


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("folder", type=Path)
    options.add_argument("--documents", type=int, default=1000)
    options.add_argument("--changed", type=int, default=10)
    chosen = options.parse_args()
    folder = chosen.folder / "laws"
    for number in range(1, chosen.documents + 1):
        if not (folder / f"lag-{number:03}.txt").exists():
            write_law(folder, number)
    with EmbeddedPostgres(chosen.folder / "postgres") as server:
        settings = load_settings(home=chosen.folder / "home", database_url=server.url, anthropic_api_key=None)
        meter = Meter(server.folder)
        with open_pipeline(settings) as pipeline:
            began = time.process_time()
            done = run(pipeline, folder)
            print(f"{done} documents indexed in {time.process_time() - began:.1f} s of processor time", flush=True)
            measured(meter, "first", lambda: reconcile(pipeline))
            measured(meter, "none changed", lambda: reconcile(pipeline))
            for number in range(1, chosen.changed + 1):
                write_law(folder, number, f"Vägen ska skyltas {time.time_ns()}.\n")
            run(pipeline, folder)
            measured(meter, f"{chosen.changed} changed", lambda: reconcile(pipeline))


if __name__ == "__main__":
    main()

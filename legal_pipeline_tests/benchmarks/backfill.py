"""What Dagster costs: real Swedish Acts through the library alone and through a backfill in the real daemon, from parsing to both stores.

`python -m legal_pipeline_tests.benchmarks.backfill ../shared/corpus [--documents 250] [--longest 4000]`. Each way has a home, a database
and processes of its own. Figures depend on the machine. Not a test, and not here: what both ways must come to (`end_state`).
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from datetime import timedelta
from pathlib import Path

from dagster import DagsterEventType, DagsterInstance, RunsFilter
from dagster._core.storage.tags import BACKFILL_ID_TAG
from pydantic import SecretStr

from legal_pipeline.defs import partitions
from legal_pipeline.defs.launch import dagster_instance, embedded_services, process_environment
from legal_pipeline.pipeline import Pipeline
from legal_pipeline.registration import register
from legal_pipeline.registry.embedded_postgres import EmbeddedPostgres
from legal_pipeline.settings import Settings, load_settings
from legal_pipeline.sources.directory import DirectorySource
from legal_pipeline_tests import end_state
from legal_pipeline_tests.benchmarks.large_index import acts_under_new_numbers
from legal_pipeline_tests.benchmarks.meter import Meter
from legal_pipeline_tests.webserver import serving, wait_for


def write_acts(corpus: Path, folder: Path, documents: int, longest: int) -> int:
    """So many Acts of the bulk sample with at most `longest` characters as files of their own; the last of them may be the first ones under
    new numbers. Characters in all."""
    characters = 0
    for name, text in itertools.islice(acts_under_new_numbers(corpus, longest), documents):
        characters += len(text.decode())
        (folder / name).write_bytes(text)
    return characters


def registered(settings: Settings, folder: Path) -> list[str]:
    with Pipeline.open(settings) as pipeline:
        return list(register(DirectorySource(folder), pipeline.registry, grace=timedelta(0)).new)


def library(settings: Settings, documents: list[str]) -> None:
    """`Pipeline.run` over all documents; what a process of its own does, model and all."""
    with Pipeline.open(settings) as pipeline:
        for _ in pipeline.run(documents):
            pass


def backfill(
    settings: Settings, instance: DagsterInstance, documents: list[str], folder: Path
) -> tuple[float, str, Counter[str]]:
    """(seconds from asking for the backfill until the daemon calls it completed, how it ended, processor seconds by process).

    Prints how long the daemon took to ask for the first run, and to see the end of the last one.
    """
    instance.add_dynamic_partitions(partitions.NAME, documents)
    with serving(settings, folder) as dagster:
        assets = dagster.document_assets()
        before = dagster.processor()
        begin = time.time()
        asked = dagster.backfill(assets, documents)
        ended = wait_for("backfill", lambda: dagster.backfill_status(asked), 3600)
        end = time.time()
        runs = instance.get_run_records(RunsFilter(tags={BACKFILL_ID_TAG: asked}))
        first = min(record.create_timestamp.timestamp() for record in runs)
        last = max(record.end_time or 0.0 for record in runs)
        print(f"first run after {first - begin:.1f} s; the end was seen {end - last:.1f} s after that of the last run")
        return end - begin, ended, dagster.processor() - before


def describe_runs(instance: DagsterInstance) -> None:
    """When each run was asked for, began and ended, and how many events were written within it."""
    records = sorted(instance.get_run_records(), key=lambda record: record.create_timestamp)
    zero = records[0].create_timestamp.timestamp()
    for record in records:
        start, end = record.start_time or 0, record.end_time or 0
        events = instance.event_log_storage.get_records_for_run(record.dagster_run.run_id, limit=100_000).records
        made = sum(
            entry.event_log_entry.dagster_event_type == DagsterEventType.ASSET_MATERIALIZATION for entry in events
        )
        planned = sum(
            entry.event_log_entry.dagster_event_type == DagsterEventType.ASSET_MATERIALIZATION_PLANNED
            for entry in events
        )
        print(
            f"  run asked for at {record.create_timestamp.timestamp() - zero:6.1f} s, began {start - zero:6.1f}, ended {end - zero:6.1f} "
            f"({end - start:5.1f} s): {len(events)} events, {made} materializations, {planned} planned, {record.dagster_run.status.value}"
        )


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("corpus", type=Path)
    options.add_argument("--documents", type=int, default=250)
    options.add_argument("--longest", type=int, default=10**9, help="characters of the longest Act that is taken")
    options.add_argument(
        "--library", type=Path, help=argparse.SUPPRESS
    )  # the file of ids: this process is the library's
    chosen = options.parse_args()
    if chosen.library:
        library(load_settings(), json.loads(chosen.library.read_text()))
        return
    os.environ.pop("DAGSTER_HOME", None)
    with tempfile.TemporaryDirectory(prefix="legal-pipeline-") as name:
        home = Path(name)
        folder = home / "acts"
        folder.mkdir()
        characters = write_acts(chosen.corpus, folder, chosen.documents, chosen.longest)
        with EmbeddedPostgres(home / "postgres") as alone, EmbeddedPostgres(home / "postgres-of-dagster") as own:
            by_library, by_dagster = (
                load_settings(
                    home=home / kind,
                    database_url=SecretStr(server.url),
                    source_directory=home / "unwatched",
                    anthropic_api_key=None,
                )
                for kind, server in (("library", alone), ("dagster", own))
            )
            documents = registered(by_library, folder)
            assert registered(by_dagster, folder) == documents
            print(f"{len(documents)} Acts, {characters:,} characters", flush=True)

            ids = home / "ids.json"
            ids.write_text(json.dumps(documents))
            with Meter(home / "postgres").measured() as plain:
                subprocess.run(
                    [sys.executable, "-m", __spec__.name, str(chosen.corpus), "--library", str(ids)],
                    env=process_environment(by_library),
                    check=True,
                )
            print(
                f"library, one process: {plain.wall:.1f} s; processor {plain.ours:.1f} s, PostgreSQL {plain.postgres:.1f} s",
                flush=True,
            )
            with embedded_services(by_dagster), dagster_instance(by_dagster) as instance:
                with Meter(home / "postgres-of-dagster").measured() as spent:
                    seconds, ended, processes = backfill(by_dagster, instance, documents, home)
                told = ", ".join(f"{name} {used:.1f}" for name, used in processes.most_common())
                print(f"backfill in the daemon: {seconds:.1f} s, {ended}")
                print(f"processor: {told}, PostgreSQL {spent.postgres:.1f} s (from the start of the webserver on)")
                print(
                    f"ratio {seconds / plain.wall:.2f}; {(seconds - plain.wall) / len(documents) * 1000:.0f} ms per document above the "
                    f"library; ratio of processor times {(processes.total() + spent.postgres) / plain.processor:.2f}"
                )
                describe_runs(instance)
                reached = end_state.of_dagster(instance, by_dagster, documents)
            # reads back what the process made: every stage finds that it is up to date
            print(f"end states equal: {reached == end_state.of_library(by_library, DirectorySource(folder))}")


if __name__ == "__main__":
    main()

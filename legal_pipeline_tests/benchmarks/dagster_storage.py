"""What Dagster's event log costs with its own PostgreSQL storage, and with ours (`defs.storage`): milliseconds for each event.

`python -m legal_pipeline_tests.benchmarks.dagster_storage [--documents 100] [--rounds 3]`. One process writes a materialization
of one asset for each document, one by one and all in a batch, on a real PostgreSQL; the fastest round counts.
Not here: how many events there are (`benchmarks.events`).
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from dagster import AssetKey, AssetMaterialization, DagsterEvent, EventLogEntry
from dagster._core.events import StepMaterializationData
from dagster._core.storage.event_log.base import EventLogStorage
from dagster_postgres import DagsterPostgresStorage
from pydantic import SecretStr

from legal_pipeline.defs.launch import dagster_instance, embedded_services
from legal_pipeline.defs.storage import PooledPostgresStorage
from legal_pipeline.registry.database import dagster_url
from legal_pipeline.registry.embedded_postgres import EmbeddedPostgres
from legal_pipeline.settings import load_settings


def entries(documents: int) -> list[EventLogEntry]:
    """A materialization of `chunks` for each document."""
    return [_entry(f"document-{number:04}") for number in range(documents)]


def _entry(document: str) -> EventLogEntry:
    made = AssetMaterialization(AssetKey("chunks"), partition=document, tags={"dagster/data_version": "1"})
    event = DagsterEvent("ASSET_MATERIALIZATION", "job", event_specific_data=StepMaterializationData(made))
    return EventLogEntry(None, 10, "", "00000000-0000-0000-0000-000000000000", time.time(), "documents", "job", event)


def seconds(action: Callable[[], object]) -> float:
    begin = time.perf_counter()
    action()
    return time.perf_counter() - begin


def one_by_one(log: EventLogStorage, events: list[EventLogEntry]) -> None:
    for event in events:
        log.store_event(event)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--documents", type=int, default=100)
    options.add_argument("--rounds", type=int, default=3)
    chosen = options.parse_args()
    events = entries(chosen.documents)
    with (
        tempfile.TemporaryDirectory(prefix="legal-pipeline-") as folder,
        EmbeddedPostgres(Path(folder) / "db") as server,
    ):
        settings = load_settings(home=Path(folder) / "home", database_url=SecretStr(server.url))
        with embedded_services(settings), dagster_instance(settings) as instance:
            url = dagster_url(server.url)
            for name, storage in (("Dagster's", DagsterPostgresStorage(url)), ("ours", PooledPostgresStorage(url))):
                storage.register_instance(instance)
                log = storage.event_log_storage
                log.register_instance(instance)
                single = min(seconds(partial(one_by_one, log, events)) for _ in range(chosen.rounds))
                batch = min(seconds(partial(log.store_event_batch, events)) for _ in range(chosen.rounds))
                each = [duration / len(events) * 1000 for duration in (single, batch)]
                print(f"{name}: {each[0]:.2f} ms one by one, {each[1]:.2f} ms in a batch")


if __name__ == "__main__":
    main()

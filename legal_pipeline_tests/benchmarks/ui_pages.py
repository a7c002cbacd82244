"""How long Dagster's pages take in Chromium with many documents: lineage, the partitions of an asset, a backfill of everything.

`python -m legal_pipeline_tests.benchmarks.ui_pages [--partitions 100000]`. One short law is run; its events are then copied in SQL under
the ids of so many other documents. The real webserver, without the daemon, so that the backfill is only requested. A page is complete
when none of its requests has been open for half a second; each page is opened twice, first by a webserver that knows nothing yet. Processor
times are those of the webserver and its code server. Figures depend on the machine. Not a test, and not here: pictures (`pictures`).
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import sqlalchemy
from dagster import DagsterInstance
from playwright.sync_api import Browser, Request
from pydantic import SecretStr

from legal_pipeline.defs import partitions
from legal_pipeline.defs.launch import dagster_instance, embedded_services, process_environment, run_documents
from legal_pipeline.pipeline import Pipeline
from legal_pipeline.registry.embedded_postgres import EmbeddedPostgres
from legal_pipeline.settings import Settings, load_settings, shipped_path
from legal_pipeline_tests import browser, processes
from legal_pipeline_tests.benchmarks.backfill import registered
from legal_pipeline_tests.small_laws import write_law
from legal_pipeline_tests.webserver import Dagster, lineage_path, wait_for

_LAW = "se-sfs-2024-1"
_QUIET_SECONDS = 0.5
_LONGEST_SECONDS = 120
_SLOWEST = 4

_COPY = sqlalchemy.text(
    """insert into event_logs (run_id, event, dagster_event_type, timestamp, step_key, asset_key, partition)
       select run_id, replace(event, :law, 'se-sfs-3000-' || number), dagster_event_type, timestamp, step_key, asset_key,
           'se-sfs-3000-' || number
       from event_logs, generate_series(1, :documents) as number where partition = :law and asset_key = :asset"""
)


class _Silent:
    def registration(self, found: object) -> None: ...

    def later_texts(self, days: object) -> None: ...

    def event(self, event: object) -> None: ...


def copy_events(instance: DagsterInstance, documents: int) -> int:
    """Copy the events of the law for so many other documents, and add their partitions; return the number of events."""
    instance.add_dynamic_partitions(partitions.NAME, [f"se-sfs-3000-{number}" for number in range(1, documents + 1)])
    with instance.event_log_storage.index_connection() as connection:  # type: ignore[attr-defined]
        found = connection.execute(
            sqlalchemy.text("select distinct asset_key from event_logs where partition = :law"), {"law": _LAW}
        )
        rows = 0
        for (asset,) in found.fetchall():
            rows += connection.execute(_COPY, {"law": _LAW, "documents": documents, "asset": asset}).rowcount
        connection.execute(sqlalchemy.text("analyze event_logs"))
        connection.execute(sqlalchemy.text("analyze dynamic_partitions"))
    return rows


@contextmanager
def webserver(settings: Settings, folder: Path) -> Iterator[Dagster]:
    """Dagster's webserver alone; what it says is in `folder`."""
    port = processes.free_port()
    with (folder / "webserver.log").open("w") as log:
        process = processes.start(
            [sys.executable, "-m", "dagster_webserver", "-w", str(shipped_path("workspace.yaml")), "-p", str(port)],
            env=process_environment(settings),
            stdout=log,
            stderr=subprocess.STDOUT,
            cwd=folder,
        )
        try:
            server = Dagster(port, psutil.Process(process.pid))
            loaded = "{ repositoriesOrError { ... on RepositoryConnection { nodes { name } } } }"
            wait_for("webserver", lambda: server.query(loaded)["repositoriesOrError"]["nodes"], 90)
            yield server
        finally:
            process.terminate()
            process.wait(30)


def seconds_of(opened: Browser, address: str, says: str) -> tuple[float, list[tuple[float, str]]]:
    """(seconds until the page is complete and shows `says`, its slowest GraphQL requests with their seconds)."""
    page = opened.new_page(viewport={"width": 1600, "height": 1000})
    begun: dict[Request, float] = {}
    ended: dict[Request, float] = {}
    page.on("request", lambda request: begun.setdefault(request, time.perf_counter()))
    for event in ("requestfinished", "requestfailed"):
        page.on(event, lambda request: ended.setdefault(request, time.perf_counter()))  # type: ignore[call-overload]
    start = time.perf_counter()
    page.goto(address, wait_until="commit")
    page.get_by_text(says).first.wait_for(timeout=_LONGEST_SECONDS * 1000)
    while time.perf_counter() - start < _LONGEST_SECONDS:
        page.wait_for_timeout(50)
        last = max(ended.values(), default=start)
        if begun.keys() == ended.keys() and time.perf_counter() - last > _QUIET_SECONDS:
            break
    slow = sorted(
        (
            (ended[request] - at, str((json.loads(request.post_data or "{}")).get("operationName")))
            for request, at in begun.items()
            if request in ended and "graphql" in request.url and request.method == "POST"
        ),
        reverse=True,
    )
    page.close()
    return max(ended.values()) - start, slow[:_SLOWEST]


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--partitions", type=int, default=100_000)
    chosen = options.parse_args()
    os.environ.pop("DAGSTER_HOME", None)
    with tempfile.TemporaryDirectory(prefix="legal-pipeline-") as name:
        home = Path(name)
        write_law(home / "laws", 1)
        with EmbeddedPostgres(home / "postgres") as own:
            settings = load_settings(
                home=home / "home", database_url=SecretStr(own.url), source_directory=home / "laws", anthropic_api_key=None
            )  # fmt: skip
            with embedded_services(settings), dagster_instance(settings) as instance:
                with Pipeline.open(settings) as pipeline:
                    run_documents(instance, pipeline, registered(settings, home / "laws"), report=_Silent())
                rows = copy_events(instance, chosen.partitions)
                print(f"{chosen.partitions:,} partitions, {rows:,} events", flush=True)
                with webserver(settings, home) as server, browser.opened() as opened:
                    documents = instance.get_dynamic_partitions(partitions.NAME)
                    begin = time.perf_counter()
                    backfill = server.backfill(server.document_assets(), documents)
                    print(f"a backfill of everything is requested in {time.perf_counter() - begin:.1f} s", flush=True)
                    for turn in ("first", "second"):
                        for title, path, says in (
                            ("lineage", lineage_path(), "qdrant_chunks"),
                            ("partitions", "/assets/qdrant_chunks?view=partitions", "se-sfs-3000-"),
                            ("backfill", f"/runs/b/{backfill}", "qdrant_chunks"),
                        ):
                            before = server.processor().total()
                            seconds, slow = seconds_of(opened, f"http://127.0.0.1:{server.port}{path}", says)
                            spent = server.processor().total() - before
                            told = ", ".join(f"{operation} {waited:.2f}" for waited, operation in slow)
                            print(
                                f"{title}, {turn} time: {seconds:.2f} s, processor {spent:.2f} s ({told})", flush=True
                            )


if __name__ == "__main__":
    main()

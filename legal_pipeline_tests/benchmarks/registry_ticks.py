"""What a poll of the directory sensor at an unchanged folder costs: processor time of the whole look, statements and rows read.

The first poll compares files with the registry until its time is over. Then every page is recorded as known, as later polls would do, and
polls go through the folder once more: the idle polls. Documents are in the registry alone.
Not here: documents that are run, and the command line (`benchmarks.scale`).
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
from dagster import DagsterInstance, SensorResult, build_sensor_context

from legal_pipeline.defs import sensors
from legal_pipeline.defs.launch import dagster_instance, embedded_services
from legal_pipeline.defs.resources import PipelineResource
from legal_pipeline.defs.sensors import Cursor
from legal_pipeline.pipeline import Pipeline
from legal_pipeline.registry.source_pages import SourcePages
from legal_pipeline.settings import Settings, load_settings
from legal_pipeline.sources.directory import DirectorySource
from legal_pipeline_tests.benchmarks.meter import Meter, Spent

PER_FOLDER = 1000


@contextmanager
def counted() -> Iterator[dict[str, int]]:
    """Statements sent through psycopg, and rows read by them, within the block."""
    counts = {"statements": 0, "rows": 0}
    execute, fetchall = psycopg.Cursor.execute, psycopg.Cursor.fetchall

    def counted_execute(self: Any, *args: Any, **kwargs: Any) -> Any:
        counts["statements"] += 1
        return execute(self, *args, **kwargs)

    def counted_fetchall(self: Any) -> list[Any]:
        rows = fetchall(self)
        counts["rows"] += len(rows)
        return rows

    psycopg.Cursor.execute, psycopg.Cursor.fetchall = counted_execute, counted_fetchall  # type: ignore[method-assign]
    try:
        yield counts
    finally:
        psycopg.Cursor.execute, psycopg.Cursor.fetchall = execute, fetchall  # type: ignore[method-assign]


def write_files(folder: Path, files: int, folders: int) -> None:
    for number in range(files):
        path = folder / f"{number % folders:03}" / f"note-{number:06}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"# Note {number}\n\nLamp {number} shall be lit at dusk and put out at dawn.\n", "utf-8")


def record_all(settings: Settings, folder: Path) -> None:
    """As polls would have registered them, without reading each file: the poll that is measured only compares."""
    with Pipeline.open(settings) as pipeline, pipeline.registry.database.connection() as connection:
        items = DirectorySource(folder).list().items
        cursor = connection.cursor()
        with cursor.copy("copy source_documents (document_id, filename, processing_status) from stdin") as copy:
            for number, item in enumerate(items):
                copy.write_row((f"xx-note-{number}", item.name, "completed"))
        with cursor.copy("copy source_items (source, item_key, document_id, stamp, sha256) from stdin") as copy:
            for number, item in enumerate(items):
                copy.write_row(("files", item.key, f"xx-note-{number}", item.stamp, "00"))


def record_pages(settings: Settings, folder: Path) -> None:
    """As polls would have recorded them that have compared every file with the registry."""
    with Pipeline.open(settings) as pipeline:
        source = DirectorySource(folder)
        pages = SourcePages(pipeline.registry.database, source.name)
        for page in source.pages():
            assert page.between is not None
            pages.record(page.between, page.fingerprint, len(page.items))


def registry_ticks(files: int) -> dict[str, float]:
    """Register so many files in a home of its own, poll the folder, print each poll; figures of the first and of the longest idle poll."""
    figures: dict[str, float] = {}
    with tempfile.TemporaryDirectory(prefix="legal-pipeline-") as home:
        folder = Path(home) / "sources"
        write_files(folder, files, files // PER_FOLDER + 1)
        settings = load_settings(home=Path(home), source_directory=folder)
        with embedded_services(settings) as settings, dagster_instance(settings) as instance:
            record_all(settings, folder)
            instance.add_dynamic_partitions("documents", [f"xx-note-{number}" for number in range(files)])
            meter = Meter(settings.home / "postgres")
            figures |= _named("first poll", _poll(settings, instance, meter, None)[0])
            record_pages(settings, folder)
            cursor, idle = None, Spent()
            while cursor is None or Cursor.loads(cursor).position.after is not None:
                spent, cursor = _poll(settings, instance, meter, cursor)
                idle = max(idle, spent, key=lambda found: found.wall)
            figures |= _named("idle poll", idle)
    return figures


def _named(poll: str, spent: Spent) -> dict[str, float]:
    return {f"{poll}: processor s": spent.processor, f"{poll}: wall s": spent.wall}


def _poll(settings: Settings, instance: DagsterInstance, meter: Meter, cursor: str | None) -> tuple[Spent, str]:
    with meter.measured() as spent, counted() as counts:
        result = sensors.poll_folder(
            build_sensor_context(instance=instance, cursor=cursor), PipelineResource(loaded=settings)
        )
    assert isinstance(result, SensorResult)
    assert result.cursor is not None
    print(
        f"{spent.ours:.2f} s of processor time, {spent.postgres:.2f} s of PostgreSQL's, {spent.wall:.2f} s, "
        f"{counts['statements']} statements, {counts['rows']} rows, cursor of {len(result.cursor)} bytes, "
        f"{len(result.run_requests or ())} runs asked for: {getattr(result.skip_reason, 'skip_message', '')}",
        flush=True,
    )
    return spent, result.cursor

"""The directory sensor in the running daemon: a folder that is away or empty, an amendment, and many new documents at once."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest
from dagster import DagsterInstance, DagsterRun
from dagster._core.scheduler.instigation import InstigatorTick, TickStatus

from legal_pipeline.defs import partitions
from legal_pipeline.pipeline import Pipeline
from legal_pipeline.settings import Settings
from legal_pipeline_tests import end_state
from legal_pipeline_tests.defs.test_remote_sensors import write_amendment
from legal_pipeline_tests.small_laws import write_law
from legal_pipeline_tests.webserver import runs_of_documents, serving, wait_for

PER_RUN = 20


class Sensor:
    """The directory sensor as the daemon runs it."""

    def __init__(self, instance: DagsterInstance) -> None:
        self._instance = instance

    def next_look(self) -> InstigatorTick:
        """The first poll that begins from now on, when it is over.

        A poll that was under way may have seen the folder as it is now, and then this one requests nothing: count the runs, not its own.
        """
        begin = time.time()
        tick: InstigatorTick = wait_for("a poll", lambda: next(iter(self._ended_since(begin)), None), 150)
        return tick

    def _ended_since(self, begin: float) -> list[InstigatorTick]:
        (state,) = [one for one in self._instance.all_instigator_state() if one.instigator_name == "directory"]
        ticks = self._instance.get_ticks(state.instigator_origin_id, state.selector_id, after=begin)
        return [tick for tick in reversed(ticks) if tick.status != TickStatus.STARTED]


def documents_of(instance: DagsterInstance, runs: list[DagsterRun]) -> list[tuple[str, ...]]:
    order = list(instance.get_dynamic_partitions(partitions.NAME))
    found = []
    for run in runs:
        first = run.tags.get("dagster/partition") or run.tags["dagster/asset_partition_range_start"]
        last = run.tags.get("dagster/partition") or run.tags["dagster/asset_partition_range_end"]
        found.append(tuple(order[order.index(first) : order.index(last) + 1]))
    return sorted(found)


@pytest.mark.slow
@pytest.mark.waits
def test_the_daemon_follows_the_folder(
    make_settings: Callable[..., Settings], instance: DagsterInstance, folder: Path, tmp_path: Path
) -> None:
    laws = [f"se-sfs-2024-{number}" for number in range(1, 6)]
    for number in range(1, 6):
        write_law(folder, number)
    settings = make_settings(sensor_interval_seconds=5, enrich="none", partitions_per_run=PER_RUN)
    sensor = Sensor(instance)

    def new_runs(known: int) -> list[DagsterRun]:
        """Those after the first `known`, when all runs are over."""

        def over() -> list[DagsterRun]:
            runs = runs_of_documents(instance)
            return runs[: len(runs) - known] if all(run.is_success for run in runs) else []

        found: list[DagsterRun] = wait_for(f"runs after the first {known}", over, 150)
        return found

    with serving(settings, tmp_path), Pipeline.open(settings) as pipeline:
        assert documents_of(instance, new_runs(0)) == [tuple(laws)]
        before = end_state.points(pipeline, laws)

        away = folder.rename(tmp_path / "away")
        tick = sensor.next_look()
        assert (tick.status, tick.run_ids) == (TickStatus.SKIPPED, [])
        assert "is not there" in str(tick.skip_reason)
        folder.mkdir()
        for _ in range(2):
            tick = sensor.next_look()
            assert (tick.status, tick.run_ids) == (TickStatus.SKIPPED, [])
            assert "is empty, and held 5 items" in str(tick.skip_reason)
        folder.rmdir()
        away.rename(folder)
        assert sensor.next_look().run_ids == []
        assert pipeline.registry.counts() == {"completed": 5}
        assert end_state.points(pipeline, laws) == before

        prepared = tmp_path / "prepared"
        write_amendment_and_law(prepared)
        for path in sorted(prepared.iterdir()):
            path.rename(folder / path.name)
        sensor.next_look()
        assert documents_of(instance, new_runs(1)) == [("se-sfs-2024-2",), ("se-sfs-2025-10",)]
        after = end_state.points(pipeline, laws)
        assert {document for key in before if before[key] != after[key] for document in key[1:]} == {"se-sfs-2024-2"}
        (hit, *_) = pipeline.search("Föreningen får ta ut avgift", limit=3)
        assert (hit.document_id, "ta ut avgift" in hit.snippet) == ("se-sfs-2024-2", True)

        for number in range(101, 201):
            write_law(prepared, number)
        prepared.rename(folder / "nya")
        sensor.next_look()
        new = sorted(f"se-sfs-2024-{number}" for number in range(101, 201))
        ranges = documents_of(instance, runs_of_documents(instance)[:-3])
        assert [len(group) for group in ranges] == [PER_RUN] * 5
        assert [document for group in ranges for document in group] == new


def write_amendment_and_law(folder: Path) -> None:
    """2 § of the second law is amended: the act, and the law as it reads since."""
    write_law(folder, 2, "Föreningen får ta ut avgift. Lag (2025:10).\n")
    write_amendment(folder, base=2)

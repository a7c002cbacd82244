"""A backfill whose processes are killed on the way: it ends where an undisturbed one ends."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from dagster import DagsterInstance, DagsterRunStatus, RunsFilter
from pydantic import SecretStr

from legal_pipeline.defs import partitions
from legal_pipeline.pipeline import Pipeline
from legal_pipeline.registration import register
from legal_pipeline.settings import Settings
from legal_pipeline.sources.directory import DirectorySource
from legal_pipeline_tests import end_state
from legal_pipeline_tests.small_laws import write_law
from legal_pipeline_tests.webserver import DAEMON, EVERYTHING, RUNS, Dagster, serving, wait_for


@pytest.fixture
def settings_of_runs(make_settings: Callable[..., Settings], tmp_path: Path) -> Settings:
    return make_settings(source_directory=tmp_path / "unwatched", partitions_per_run=4)


@pytest.fixture
def pipeline(settings_of_runs: Settings) -> Iterator[Pipeline]:
    with Pipeline.open(settings_of_runs) as opened:
        yield opened


@pytest.fixture
def documents(folder: Path, pipeline: Pipeline, instance: DagsterInstance) -> list[str]:
    """The ids of twelve laws, which are three runs."""
    for number in range(1, 13):
        write_law(folder, number)
    found = list(register(DirectorySource(folder), pipeline.registry, grace=timedelta(0)).new)
    instance.add_dynamic_partitions(partitions.NAME, found)
    return found


@pytest.fixture
def alone(settings_of_runs: Settings, tmp_path: Path, new_database: Callable[[], str]) -> Settings:
    """A home and a database of their own."""
    return settings_of_runs.model_copy(update={"home": tmp_path / "alone", "database_url": SecretStr(new_database())})


def kill_on_the_way(dagster: Dagster, victim: str | None, pipeline: Pipeline) -> None:
    wait_for("a run in its midst", lambda: pipeline.registry.counts().get("processing"), 180)
    dagster.kill(victim)
    assert pipeline.registry.counts().get("completed", 0) < 12, "the kill came too late"


def check_end(
    instance: DagsterInstance, settings: Settings, alone: Settings, folder: Path, documents: list[str]
) -> None:
    reached = end_state.of_dagster(instance, settings, documents)
    assert reached == end_state.of_library(alone, DirectorySource(folder))
    assert reached.counts == {"completed": 12}


@pytest.mark.heavy
def test_runs_whose_processes_are_killed_are_done_again(
    instance: DagsterInstance, settings_of_runs: Settings, alone: Settings, folder: Path, tmp_path: Path,
    pipeline: Pipeline, documents: list[str],
) -> None:  # fmt: skip
    with serving(settings_of_runs, tmp_path) as dagster:
        backfill = dagster.backfill(dagster.document_assets(), documents)
        kill_on_the_way(dagster, RUNS, pipeline)
        assert wait_for("backfill", lambda: dagster.backfill_status(backfill), 280) == "COMPLETED_SUCCESS"
    assert instance.get_runs(RunsFilter(statuses=[DagsterRunStatus.FAILURE]))
    check_end(instance, settings_of_runs, alone, folder, documents)


@pytest.mark.heavy
@pytest.mark.parametrize("victim", [EVERYTHING, DAEMON], ids=["everything", "the daemon"])
def test_a_backfill_goes_on_when_what_was_killed_is_started_again(
    instance: DagsterInstance, settings_of_runs: Settings, alone: Settings, folder: Path, tmp_path: Path,
    pipeline: Pipeline, documents: list[str], victim: str | None,
) -> None:  # fmt: skip
    with serving(settings_of_runs, tmp_path) as dagster:
        backfill = dagster.backfill(dagster.document_assets(), documents)
        kill_on_the_way(dagster, victim, pipeline)
    with serving(settings_of_runs, tmp_path) as dagster:
        assert wait_for("backfill", lambda: dagster.backfill_status(backfill), 280) == "COMPLETED_SUCCESS"
    if victim is EVERYTHING:
        assert instance.get_runs(RunsFilter(statuses=[DagsterRunStatus.FAILURE]))
    check_end(instance, settings_of_runs, alone, folder, documents)

"""Runs done by Celery workers, as `docs/guides/celery.md` says: Redis, webserver and daemon, and worker processes of two queues."""

from __future__ import annotations

import logging
import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import psutil
import pytest
import yaml
from dagster import DagsterInstance, DagsterRunStatus, RunsFilter
from pydantic import SecretStr

from legal_pipeline.defs import partitions
from legal_pipeline.defs.graph import build_definitions
from legal_pipeline.defs.jobs import QUEUE_TAG
from legal_pipeline.pipeline import Pipeline
from legal_pipeline.registration import register
from legal_pipeline.settings import Settings
from legal_pipeline.sources.directory import DirectorySource
from legal_pipeline_tests import end_state
from legal_pipeline_tests.celery_workers import celery_variables, redis_server, worker, worker_environment
from legal_pipeline_tests.small_laws import write_law
from legal_pipeline_tests.webserver import runs_of_documents, serving, wait_for


@pytest.fixture(scope="module")
def redis() -> Iterator[str]:
    """The URL of a Redis on loopback."""
    if shutil.which("redis-server") is None:
        pytest.skip("redis-server is not installed (Debian package redis-server)")
    with redis_server() as url:
        yield url


def test_the_instance_for_celery_is_the_repositorys_own_with_a_launcher(repository: Path) -> None:
    own = yaml.safe_load((repository / "dagster.yaml").read_text())
    celery = yaml.safe_load((repository / "deploy" / "celery" / "dagster.yaml").read_text())
    del celery["run_launcher"], own["run_launcher"]
    del celery["concurrency"]["runs"]["max_concurrent_runs"], own["concurrency"]["runs"]["max_concurrent_runs"]
    assert celery == own


@dataclass(frozen=True)
class Bench:
    """Twelve registered laws, and the environment in which workers, webserver and daemon find each other."""

    settings: Settings
    documents: list[str]
    shared: dict[str, str]
    environment: dict[str, str]


@pytest.fixture
def bench(
    make_settings: Callable[..., Settings],
    instance: DagsterInstance,
    folder: Path,
    redis: str,
    repository: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Bench:
    for number in range(1, 13):
        write_law(folder, number)
    settings = make_settings(
        source_directory=tmp_path / "unwatched", partitions_per_run=6, enrich="prefixes,summaries,questions"
    )
    with Pipeline.open(settings) as pipeline:
        documents = list(register(DirectorySource(folder), pipeline.registry, grace=timedelta(0)).new)
    instance.add_dynamic_partitions(partitions.NAME, documents)

    shared = celery_variables(tmp_path / "celery", redis, repository)
    monkeypatch.setenv("DAGSTER_HOME", shared["DAGSTER_HOME"])
    environment = worker_environment(settings, shared, repository)
    return Bench(settings, documents, shared, environment)


@pytest.fixture
def alone(bench: Bench, tmp_path: Path, new_database: Callable[[], str]) -> Settings:
    """A home and a database of their own."""
    return bench.settings.model_copy(update={"home": tmp_path / "alone", "database_url": SecretStr(new_database())})


@pytest.mark.slow
@pytest.mark.heavy
def test_workers_of_two_queues_end_where_one_process_ends(
    bench: Bench, instance: DagsterInstance, folder: Path, tmp_path: Path, alone: Settings
) -> None:
    definitions = build_definitions(settings=bench.settings)
    with (
        worker("cpu", bench.environment, tmp_path / "cpu.log"),
        worker("llm,cpu", bench.environment, tmp_path / "llm.log"),
        serving(bench.settings, tmp_path, bench.shared) as dagster,
    ):
        for name in ("parse_and_chunk", "enrich", "index"):
            job = definitions.resolve_job_def(name)
            queue = job.tags[QUEUE_TAG]
            assets = [key.path for key in job.asset_layer.selected_asset_keys]
            backfill = dagster.backfill(assets, bench.documents, {QUEUE_TAG: queue})
            ended = wait_for(queue, lambda: dagster.backfill_status(backfill), 240)  # noqa: B023
            assert ended == "COMPLETED_SUCCESS", failures(instance)
    runs = runs_of_documents(instance)
    assert len(runs) == 6
    assert {run.status for run in runs} == {DagsterRunStatus.SUCCESS}
    assert [run.tags[QUEUE_TAG] for run in reversed(runs)] == ["cpu"] * 2 + ["llm"] * 2 + ["cpu"] * 2
    done = {queues: (tmp_path / f"{queues}.log").read_text().count("succeeded in") for queues in ("cpu", "llm")}
    # a run of all documents that was requested in the end may not have begun
    assert sum(done.values()) == instance.get_runs_count(RunsFilter(statuses=[DagsterRunStatus.SUCCESS])), done
    assert done["cpu"] >= 1, done
    assert done["llm"] >= 2, done

    reached = end_state.of_dagster(instance, bench.settings, bench.documents)
    assert reached == end_state.of_library(alone, DirectorySource(folder))


@pytest.mark.heavy
def test_a_run_whose_worker_process_is_killed_is_done_again(
    bench: Bench, instance: DagsterInstance, folder: Path, tmp_path: Path, alone: Settings
) -> None:
    with (
        worker("cpu", bench.environment, tmp_path / "cpu.log") as process,
        serving(bench.settings, tmp_path, bench.shared) as dagster,
        Pipeline.open(bench.settings) as pipeline,
    ):
        backfill = dagster.backfill(dagster.document_assets(), bench.documents)
        wait_for("a run in its midst", lambda: pipeline.registry.counts().get("processing"), 120)
        for child in psutil.Process(process.pid).children():
            child.kill()
        assert wait_for("backfill", lambda: dagster.backfill_status(backfill), 240) == "COMPLETED_SUCCESS"
    statuses = Counter(run.status for run in runs_of_documents(instance))
    assert statuses == {DagsterRunStatus.FAILURE: 1, DagsterRunStatus.SUCCESS: 2}
    reached = end_state.of_dagster(instance, bench.settings, bench.documents)
    assert reached == end_state.of_library(alone, DirectorySource(folder))


def failures(instance: DagsterInstance) -> list[str | None]:
    """What the failed runs say."""
    return [
        entry.user_message
        for run in instance.get_runs(RunsFilter(statuses=[DagsterRunStatus.FAILURE]))
        for entry in instance.all_logs(run.run_id)
        if entry.level >= logging.ERROR
    ]

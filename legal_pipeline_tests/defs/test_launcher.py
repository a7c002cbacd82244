"""Which runs have lost their process, as run monitoring asks it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from dagster import DagsterInstance, DagsterRun, DagsterRunStatus, job, op
from dagster._core.events import EngineEventData
from dagster._core.launcher import WorkerStatus

from legal_pipeline.defs.launch import process_environment
from legal_pipeline.defs.launcher import HOST_TAG, LocalRunLauncher, host_tags
from legal_pipeline.settings import Settings
from legal_pipeline_tests import processes
from legal_pipeline_tests.small_laws import write_law


@op
def nothing() -> None: ...


@job
def some_job() -> None:
    nothing()


@pytest.fixture
def gone() -> int:
    """The pid of a process that has ended."""
    process = processes.start([sys.executable, "-c", ""])
    process.wait()
    return process.pid


def started(instance: DagsterInstance, pid: int | None, tags: Mapping[str, str] | None = None) -> DagsterRun:
    run = instance.create_run_for_job(
        some_job, status=DagsterRunStatus.STARTED, tags=host_tags() if tags is None else tags
    )
    if pid is not None:
        instance.report_engine_event("Started process for run", run, EngineEventData.in_process(pid))
    return run


def health(instance: DagsterInstance, run: DagsterRun) -> WorkerStatus:
    assert isinstance(instance.run_launcher, LocalRunLauncher)
    return instance.run_launcher.check_run_worker_health(run).status


def test_a_run_lives_as_long_as_its_process(instance: DagsterInstance, gone: int) -> None:
    assert health(instance, started(instance, os.getpid())) == WorkerStatus.RUNNING
    assert health(instance, started(instance, gone)) == WorkerStatus.FAILED


def test_a_process_that_began_after_the_run_is_another_with_its_number(instance: DagsterInstance, gone: int) -> None:
    run = started(instance, os.getpid())
    (entry,) = instance.all_logs(run.run_id)
    instance.event_log_storage.wipe()
    instance.event_log_storage.store_event(entry._replace(timestamp=entry.timestamp - 1e6))
    assert health(instance, run) == WorkerStatus.FAILED


def test_of_runs_elsewhere_and_of_those_that_said_nothing_yet_nothing_is_known(
    instance: DagsterInstance, gone: int
) -> None:
    for run in (started(instance, gone, {}), started(instance, gone, {HOST_TAG: "other"}), started(instance, None)):
        assert health(instance, run) == WorkerStatus.RUNNING


@pytest.mark.slow
def test_the_run_of_a_killed_ingest_is_known_to_be_dead(
    instance: DagsterInstance, make_settings: Callable[..., Settings], folder: Path
) -> None:
    write_law(folder, 1)
    code = (
        "import os, signal, sys; from pathlib import Path; from legal_pipeline.settings import load_settings;"
        "from legal_pipeline.defs.launch import ingest_source; from legal_pipeline.sources.directory import DirectorySource\n"
        "class Killed:\n"
        "    def registration(self, found): pass\n"
        "    def later_texts(self, days): pass\n"
        "    def event(self, event): os.kill(os.getpid(), signal.SIGKILL)\n"
        "ingest_source(load_settings(), DirectorySource(Path(sys.argv[1])), report=Killed())"
    )
    process = subprocess.run([sys.executable, "-c", code, str(folder)], env=process_environment(make_settings()))
    assert process.returncode == -9
    (run,) = instance.get_runs()
    assert run.status == DagsterRunStatus.STARTED
    assert health(instance, run) == WorkerStatus.FAILED

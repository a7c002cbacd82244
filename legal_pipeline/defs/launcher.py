"""Runs on this machine whose death is noticed; named in `dagster.yaml`.

Of the runs that Dagster's own launcher starts, only the code server that started them knows whether their process lives: one whose code
server died with it would count as started for ever, and no sensor would ask for its documents again. Not here: what becomes of a run
whose process is gone (`run_monitoring` and `run_retries` in `dagster.yaml`).
"""

from __future__ import annotations

import platform

import psutil
from dagster import DagsterEventType, DagsterInstance, DagsterRun, DefaultRunLauncher
from dagster._core.events import EngineEventData
from dagster._core.launcher import CheckRunHealthResult, LaunchRunContext, WorkerStatus

#: The machine whose processes a run's pid is one of.
HOST_TAG = "legal_pipeline/host"

#: Difference between the clocks that date a process' start and an event.
_CLOCK_SECONDS = 10


def host_tags() -> dict[str, str]:
    """The tags of a run whose process is on this machine."""
    return {HOST_TAG: platform.node()}


class LocalRunLauncher(DefaultRunLauncher):
    """Dagster's launcher, and it knows which runs have lost their process: those of another machine always pass for alive."""

    def launch_run(self, context: LaunchRunContext) -> None:
        self._instance.add_run_tags(context.dagster_run.run_id, host_tags())
        super().launch_run(context)

    @property
    def supports_check_run_worker_health(self) -> bool:
        return True

    def check_run_worker_health(self, run: DagsterRun) -> CheckRunHealthResult:
        if run.tags.get(HOST_TAG) != platform.node():
            return CheckRunHealthResult(WorkerStatus.RUNNING)
        started = _process_of(self._instance, run.run_id)
        if started is None or _is_alive(*started):
            return CheckRunHealthResult(WorkerStatus.RUNNING)
        return CheckRunHealthResult(WorkerStatus.FAILED, f"its process (pid {started[0]}) is gone")


def _process_of(instance: DagsterInstance, run_id: str) -> tuple[int, float] | None:
    """(pid, time at which it said so) of the process that does the run, as its first event tells."""
    for entry in instance.all_logs(run_id, of_type=DagsterEventType.ENGINE_EVENT):
        data = entry.dagster_event.event_specific_data if entry.dagster_event is not None else None
        if isinstance(data, EngineEventData) and (pid := data.metadata.get("pid")) is not None:
            return int(str(pid.value)), entry.timestamp
    return None


def _is_alive(pid: int, said_at: float) -> bool:
    try:
        process = psutil.Process(pid)
        # one that began later has but the number of the run's process
        return bool(process.status() != psutil.STATUS_ZOMBIE and process.create_time() <= said_at + _CLOCK_SECONDS)
    except psutil.NoSuchProcess:
        return False
    except psutil.AccessDenied:
        return True

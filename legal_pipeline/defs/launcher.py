"""A launcher of runs on this machine that detects when a run's process has died; named in `dagster.yaml`.

With Dagster's own launcher, only the code server that started a run knows whether its process is alive: if that code server also died, the
run would count as started for ever, and no sensor would request its documents again. Not here: the handling of a run whose process is
gone (`run_monitoring` and `run_retries` in `dagster.yaml`).
"""

from __future__ import annotations

import platform

import psutil
from dagster import DagsterEventType, DagsterInstance, DagsterRun, DefaultRunLauncher
from dagster._core.events import EngineEventData
from dagster._core.launcher import CheckRunHealthResult, LaunchRunContext, WorkerStatus

#: The machine of the process with a run's pid.
HOST_TAG = "legal_pipeline/host"

#: Maximum difference between the clocks of a process' start time and of an event.
_CLOCK_SECONDS = 10


def host_tags() -> dict[str, str]:
    """Return the tags of a run whose process is on this machine."""
    return {HOST_TAG: platform.node()}


class LocalRunLauncher(DefaultRunLauncher):
    """Dagster's launcher with a check for runs that have lost their process; runs of another machine always count as alive."""

    def launch_run(self, context: LaunchRunContext) -> None:
        self._instance.add_run_tags(context.dagster_run.run_id, host_tags())
        super().launch_run(context)

    @property
    def supports_check_run_worker_health(self) -> bool:
        return True

    def check_run_worker_health(self, run: DagsterRun) -> CheckRunHealthResult:
        if run.tags.get(HOST_TAG) != platform.node():
            return CheckRunHealthResult(WorkerStatus.RUNNING)
        started = process_of(self._instance, run.run_id)
        if started is None or _is_alive(*started):
            return CheckRunHealthResult(WorkerStatus.RUNNING)
        return CheckRunHealthResult(WorkerStatus.FAILED, f"its process (pid {started[0]}) is gone")


def process_of(instance: DagsterInstance, run_id: str) -> tuple[int, float] | None:
    """Return (pid, time of the event) of the run's process, from the run's first event with a pid."""
    for entry in instance.all_logs(run_id, of_type=DagsterEventType.ENGINE_EVENT):
        data = entry.dagster_event.event_specific_data if entry.dagster_event is not None else None
        if isinstance(data, EngineEventData) and (pid := data.metadata.get("pid")) is not None:
            return int(str(pid.value)), entry.timestamp
    return None


def _is_alive(pid: int, said_at: float) -> bool:
    try:
        process = psutil.Process(pid)
        # a process that started later only has the same pid
        return bool(process.status() != psutil.STATUS_ZOMBIE and process.create_time() <= said_at + _CLOCK_SECONDS)
    except psutil.NoSuchProcess:
        return False
    except psutil.AccessDenied:
        return True

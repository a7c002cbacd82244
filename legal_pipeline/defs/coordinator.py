"""A run coordinator with short polling intervals for backfills; named in `dagster.yaml`.

Dagster's daemon polls backfills every 30 seconds and has no setting for it. So it takes up to half a minute until the first run is
requested, and as long again after the last run until the backfill is reported as completed. Not here: limits of concurrent runs
(`concurrency` in `dagster.yaml`).
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Executor, Future
from typing import Any

from dagster import Field, IntSource, QueuedRunCoordinator
from dagster._config.config_schema import UserConfigSchema
from dagster._core.workspace.context import IWorkspaceProcessContext
from dagster._daemon.backfill import execute_backfill_iteration_loop
from dagster._daemon.daemon import BackfillDaemon, DaemonIterator
from dagster._serdes import ConfigurableClassData

#: Minimum ratio of a wait to the duration of the poll before it: a poll of a backfill of 2,500 documents takes seconds.
_REST = 10


class PromptRunCoordinator(QueuedRunCoordinator):
    """Dagster's queue of runs; the daemon polls backfills every `backfill_interval_seconds`.

    After a long poll the daemon waits longer, but never longer than Dagster's own interval.
    """

    def __init__(self, *, backfill_interval_seconds: int, **options: Any) -> None:
        super().__init__(**options)

        def core_loop(
            daemon: BackfillDaemon, context: IWorkspaceProcessContext[Any], shutdown_event: threading.Event
        ) -> DaemonIterator:
            polls: Any = daemon._threadpool_executor
            waits = shutdown_event
            if polls is not None:
                polls = TimedPolls(polls)
                waits = ShortWaits(shutdown_event, backfill_interval_seconds, polls)
            return execute_backfill_iteration_loop(
                context,
                daemon._logger,
                waits,
                threadpool_executor=polls,
                submit_threadpool_executor=daemon._submit_threadpool_executor,
            )

        # the daemon finds its parts by these names; it requests the coordinator before it starts them
        BackfillDaemon.core_loop = core_loop  # type: ignore[assignment, method-assign]

    @classmethod
    def config_type(cls) -> UserConfigSchema:
        own = {"backfill_interval_seconds": Field(IntSource, is_required=False, default_value=1)}
        return {**super().config_type(), **own}  # type: ignore[dict-item]

    @classmethod
    def from_config_value(
        cls, inst_data: ConfigurableClassData | None, config_value: Mapping[str, Any]
    ) -> PromptRunCoordinator:
        return cls(inst_data=inst_data, **config_value)


class TimedPolls(Executor):
    """`executor` that records the duration of its last poll."""

    def __init__(self, executor: Executor) -> None:
        self._executor = executor
        self.seconds = 0.0

    def submit(self, poll: Callable[..., Any], /, *args: Any, **options: Any) -> Future[Any]:
        def timed() -> Any:
            begin = time.monotonic()
            try:
                return poll(*args, **options)
            finally:
                self.seconds = time.monotonic() - begin

        return self._executor.submit(timed)


class ShortWaits(threading.Event):
    """Wraps `event`: a wait lasts `seconds`, or `_REST` times as long as the last poll if that is longer; never longer than requested."""

    def __init__(self, event: threading.Event, seconds: float, polls: TimedPolls) -> None:
        super().__init__()
        self._shutdown = event
        self._seconds = seconds
        self._polls = polls

    def is_set(self) -> bool:
        return self._shutdown.is_set()

    def wait(self, timeout: float | None = None) -> bool:
        short = max(self._seconds, _REST * self._polls.seconds)
        return self._shutdown.wait(short if timeout is None else min(timeout, short))

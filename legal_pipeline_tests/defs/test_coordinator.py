"""How soon the daemon looks at backfills."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor

from dagster import DagsterInstance
from dagster._core.workspace.context import WorkspaceProcessContext
from dagster._core.workspace.load_target import EmptyWorkspaceTarget
from dagster._daemon.daemon import BackfillDaemon, SpanMarker

from legal_pipeline.defs import partitions
from legal_pipeline.defs.coordinator import PromptRunCoordinator, ShortWaits, TimedPolls


def test_the_instance_of_dagster_yaml_sees_within_seconds_what_was_asked_for(instance: DagsterInstance) -> None:
    coordinator = instance.run_coordinator
    assert isinstance(coordinator, PromptRunCoordinator)
    assert coordinator.dequeue_interval_seconds == 1
    limits = instance.get_concurrency_config().run_queue_config
    assert limits is not None
    (ranges,) = limits.tag_concurrency_limits
    assert ranges["key"] in partitions.range_tags(["a", "b"])
    assert ranges["key"] not in partitions.range_tags(["a"])
    assert ranges["limit"] < limits.max_concurrent_runs, "a document alone finds a place beside ranges"


def test_the_daemon_looks_at_backfills_again_after_the_interval_and_ends_at_once(instance: DagsterInstance) -> None:
    PromptRunCoordinator(backfill_interval_seconds=2)
    stop = threading.Event()
    with (
        WorkspaceProcessContext(instance, EmptyWorkspaceTarget()) as workspace,
        BackfillDaemon(instance.get_backfill_settings()) as daemon,
    ):
        looks = (time.monotonic() for step in daemon.core_loop(workspace, stop) if step == SpanMarker.START_SPAN)
        assert 1.9 < -next(looks) + next(looks) < 6
        threading.Timer(0.5, stop.set).start()
        begin = time.monotonic()
        next(looks)
        assert time.monotonic() - begin < 1.8


def test_after_a_long_look_the_daemon_rests() -> None:
    with ThreadPoolExecutor(1) as executor:
        looks = TimedPolls(executor)
        waits = ShortWaits(threading.Event(), 0.01, looks)
        looks.submit(time.sleep, 0.1).result()
        begin = time.monotonic()
        waits.wait(30)
        assert 1 <= time.monotonic() - begin < 10
        begin = time.monotonic()
        waits.wait(0.2)
        assert time.monotonic() - begin < 0.9, "never longer than it would without"

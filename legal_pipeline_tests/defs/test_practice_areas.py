"""What the sensor of practice areas asks for, poll by poll."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from dagster import DagsterInstance, DagsterRunStatus, SensorResult, SkipReason, build_sensor_context

from legal_pipeline.definitions import build_definitions
from legal_pipeline.defs import partitions
from legal_pipeline.defs.launch import run_documents
from legal_pipeline.defs.practice_areas import LONGEST_POSTPONEMENT, MAX_ATTEMPTS, State, decide, poll, tree_requests
from legal_pipeline.defs.resources import PipelineResource
from legal_pipeline.pipeline import Pipeline
from legal_pipeline.registry.practice_area_leaves import Due
from legal_pipeline.settings import Settings
from legal_pipeline_tests.defs.test_runs import Log, register_all
from legal_pipeline_tests.pipeline.test_practice_areas import judgment

NOW = datetime(2099, 3, 12, tzinfo=UTC)


def state(
    *, due: int = 0, stale: dict[str, str] | None = None, busy: bool = False, running: bool = False, age: float = 0
) -> State:
    moment = NOW - timedelta(seconds=age)
    return State([Due(f"d{n}", moment) for n in range(due)], (), stale or {}, busy, running)


def test_filing_goes_before_the_trees() -> None:
    asked = decide(state(due=2, stale={"tax": "a"}), {}, NOW)
    assert (asked.filing is not None, asked.trees) == (True, {})


def test_one_state_of_things_is_asked_for_a_few_times_and_then_left_to_the_night() -> None:
    tries, keys = {}, []
    for _ in range(MAX_ATTEMPTS + 2):
        asked = decide(state(stale={"tax": "a"}), tries, NOW)
        tries = asked.tries
        keys += list(asked.trees)
    assert len(keys) == len(set(keys)) == MAX_ATTEMPTS
    assert list(decide(state(stale={"tax": "b"}), tries, NOW).trees.values()) == ["tax"]


def test_judgments_that_cannot_be_filed_do_not_keep_trees_from_being_made() -> None:
    tries = {}
    for _ in range(MAX_ATTEMPTS):
        tries = decide(state(due=1), tries, NOW).tries
    assert list(decide(state(due=1, stale={"tax": "a"}), tries, NOW).trees.values()) == ["tax"]


def test_filing_waits_for_documents_that_are_being_run_but_not_for_ever() -> None:
    assert decide(state(due=1, busy=True), {}, NOW).filing is None
    assert decide(state(due=1, busy=True, age=LONGEST_POSTPONEMENT.total_seconds() + 1), {}, NOW).filing is not None


def test_the_judgment_that_has_waited_longest_decides_and_not_those_that_follow_it() -> None:
    waited = [Due(f"d{n}", NOW - LONGEST_POSTPONEMENT * n) for n in (0, 1)]
    assert decide(State(waited, (), {}, busy=True, running=False), {}, NOW).filing is not None


def test_nothing_is_asked_for_while_a_run_of_its_own_is_under_way() -> None:
    asked = decide(state(due=1, stale={"tax": "a"}, running=True), {}, NOW)
    assert (asked.filing, asked.trees) == (None, {})


def test_a_judgment_that_is_gone_is_taken_out_without_another_to_file() -> None:
    keys = [decide(State([], gone, {"tax": "a"}, False, False), {}, NOW).filing for gone in ((), ("d1",), ("d1", "d2"))]
    assert keys[0] is None
    assert None not in keys[1:]
    assert keys[1] != keys[2], "another judgment is gone: it is another state"


def test_what_was_asked_for_often_enough_is_not_asked_for_again_while_trees_are_made() -> None:
    tries = {}
    for _ in range(MAX_ATTEMPTS):
        tries = decide(state(due=1, stale={"tax": "a"}), tries, NOW).tries
    for stale in ({"tax": "a"}, {}, {"tax": "b"}):
        asked = decide(state(due=1, stale=stale), tries, NOW)
        assert (asked.filing, list(asked.trees.values())) == (None, list(stale))
        tries = asked.tries
    assert decide(state(due=2), tries, NOW).filing is not None, "another judgment came"


def test_an_area_that_was_made_counts_from_the_beginning_when_it_is_stale_again() -> None:
    tries = {}
    for _ in range(MAX_ATTEMPTS):
        tries = decide(state(stale={"tax": "a"}), tries, NOW).tries
    tries = decide(state(), tries, NOW).tries
    assert list(decide(state(stale={"tax": "a"}), tries, NOW).trees.values()) == ["tax"]


def test_nothing_is_asked_for_before_its_message_batches_have_ended() -> None:
    waiting = State([Due("d1", NOW)], (), {"tax": "a"}, busy=False, running=False, batches=2)
    asked = decide(waiting, {"tax": ["a", 1]}, NOW)
    assert (asked.filing, asked.trees, asked.tries) == (None, {}, {"tax": ["a", 1]})
    assert "2 Message Batches" in asked.reason


def test_neighbouring_areas_share_a_run() -> None:
    requests = tree_requests({"k1": "criminal", "k2": "constitutional", "k3": "tax"})
    assert [request.partition_key for request in requests] == [None, "tax"]
    assert requests[0].tags == partitions.range_tags(["criminal", "constitutional"])


@pytest.mark.slow
def test_a_new_judgment_is_filed_by_one_look_and_its_tree_made_by_the_next(
    make_settings: Callable[..., Settings], instance: DagsterInstance, folder: Path
) -> None:
    settings = make_settings()
    definitions = build_definitions(settings=settings)
    cursor: str | None = None

    def tick() -> list[tuple[str | None, str | None]]:
        """(job, partition) of the runs that a poll asks for; they are run."""
        nonlocal cursor
        result = poll(build_sensor_context(instance=instance, cursor=cursor), PipelineResource(loaded=settings))
        assert isinstance(result, SensorResult)
        cursor = result.cursor
        for request in result.run_requests or ():
            job = definitions.resolve_job_def(request.job_name)
            assert job.execute_in_process(instance=instance, partition_key=request.partition_key).success
        return [(request.job_name, request.partition_key) for request in result.run_requests or ()]

    with Pipeline.open(settings) as pipeline:
        assert tick() == []
        (folder / "7.txt").write_text(judgment(7), encoding="utf-8")
        run_documents(instance, pipeline, register_all(pipeline, folder), report=Log())
        assert tick() == [("file_judgments", None)]
        assert tick() == [("practice_area_trees", "criminal")]
        assert tick() == []
        run = instance.create_run_for_job(
            definitions.resolve_job_def("process_document"), status=DagsterRunStatus.STARTED
        )
        (folder / "8.txt").write_text(judgment(8), encoding="utf-8")
        list(pipeline.run(register_all(pipeline, folder)))
        assert tick() == []
        instance.delete_run(run.run_id)
        assert tick() == [("file_judgments", None)]
        assert tick() == [("practice_area_trees", "criminal")]
        assert len(pipeline.registry.manifests.published("practice-area-criminal", "legal_chunks")) <= 1
    assert isinstance(
        poll(build_sensor_context(instance=instance), PipelineResource(loaded=make_settings(enrich="none"))), SkipReason
    )

"""A run does not sleep for a Message Batch: it submits, goes as far as it can, and a later run goes on; nothing is paid twice."""

from __future__ import annotations

import dataclasses
from datetime import timedelta

import pytest

from legal_pipeline.enrichment.delivery import DeliveryPolicy
from legal_pipeline.enrichment.open_batches import OpenBatch, at_work, open_batches, ready
from legal_pipeline.enrichment.service import open_service
from legal_pipeline.errors import BudgetExceededError, WaitingForBatchError
from legal_pipeline.processing.stage import Deferred
from legal_pipeline.registry.database import Database
from legal_pipeline.registry.registry import Registry
from legal_pipeline.stages import context_prefixes, quim_questions, raptor_summaries
from legal_pipeline_tests.enrichment.anthropic_server import AnthropicServer
from legal_pipeline_tests.enrichment.claude_bench import ENRICHMENTS, ClaudeBench, Run
from legal_pipeline_tests.enrichment.conftest import PACE, MakeClaude
from legal_pipeline_tests.enrichment.test_faults import assert_accounts_agree, assert_nothing_is_lost, requests
from legal_pipeline_tests.pipeline.lighthouse_act import act

#: The rules of a run of Dagster.
LEAVING = dataclasses.replace(PACE, batch_hold=0.0)
#: No test waits this long: a run that slept for its batch would not end.
_HOUR = 3600.0
ACTS = 3


@pytest.fixture
def server(anthropic_server: AnthropicServer) -> AnthropicServer:
    anthropic_server.batch_seconds = _HOUR
    return anthropic_server


def end_batches(server: AnthropicServer) -> None:
    for batch in server.batches.values():
        batch.ends_at = 0.0


def deferred(run: Run) -> dict[tuple[str, ...], set[str]]:
    found: dict[tuple[str, ...], set[str]] = {}
    for event in run.events:
        if isinstance(event, Deferred):
            assert isinstance(event.error, WaitingForBatchError)
            found.setdefault(event.asset_key, set()).add(event.document_id)
    return found


@pytest.fixture
def acts(bench: ClaudeBench) -> ClaudeBench:
    for number in range(1, ACTS + 1):
        bench.write(f"{number}.txt", act(number=f"2099:{number}", chapters=2))
    bench.policy = LEAVING
    bench.settings = bench.settings.model_copy(update={"llm_mode": "batch"})
    return bench


def test_documents_wait_for_their_batches_and_later_runs_go_on_until_all_is_made(
    acts: ClaudeBench, server: AnthropicServer
) -> None:
    registry = Registry(acts.database)
    first = acts.run()
    # prefixes, chapters and questions do not need each other: all are under way after one run
    assert deferred(first) == {key: set(acts.document_ids) for key in ENRICHMENTS}
    assert [len(batch.requests) for batch in server.batches.values()] == [ACTS, 2 * ACTS, ACTS]
    assert registry.counts() == {"waiting": ACTS}
    for document in registry.documents(status="waiting"):
        assert "waiting for Message Batch msgbatch_0000" in str(document.last_error)

    second = acts.run()
    assert deferred(second) == deferred(first)
    assert len(server.batches) == 3

    end_batches(server)
    third = acts.run()
    assert deferred(third) == {raptor_summaries.KEY: set(acts.document_ids)}
    assert third.done(context_prefixes.KEY).keys() == third.done(quim_questions.KEY).keys() == set(acts.document_ids)
    assert len(server.batches) == 4

    end_batches(server)
    last = acts.run()
    assert last.failures == {}
    assert "waiting" not in registry.counts()
    acts.assert_nothing_is_lost()
    assert [acts.unanswered(key, name) for key in ENRICHMENTS for name in acts.document_ids] == [0] * 3 * ACTS
    acts.assert_accounts_agree(first, second, third, last)


def test_a_document_that_waits_for_nothing_goes_on(acts: ClaudeBench, server: AnthropicServer) -> None:
    acts.write("1.txt", act(number="2099:1", chapters=2))
    for number in range(2, ACTS + 1):
        (acts.folder / f"{number}.txt").unlink()
    assert acts.run(llm_mode="interactive").failures == {}
    for number in range(2, ACTS + 1):
        acts.write(f"{number}.txt", act(number=f"2099:{number}", chapters=2))
    run = acts.run()
    waiting = {f"se-sfs-2099-{number}" for number in range(2, ACTS + 1)}
    assert deferred(run) == dict.fromkeys(ENRICHMENTS, waiting)
    assert all(run.done(key).keys() == {"se-sfs-2099-1"} for key in ENRICHMENTS)


def test_a_budget_that_is_reached_fails_only_what_was_not_submitted(acts: ClaudeBench, server: AnthropicServer) -> None:
    run = acts.run(llm_budget_usd=0.004)
    over = {name for name, error in run.failures.items() if isinstance(error, BudgetExceededError)}
    assert over
    assert Registry(acts.database).counts() == {
        "failed": len(over),
        **({"waiting": ACTS - len(over)} if ACTS - len(over) else {}),
    }


@pytest.mark.parametrize("mode", ["interactive", "batch"])
def test_what_a_living_run_has_in_a_batch_is_waited_for_by_no_other(
    make_claude: MakeClaude, server: AnthropicServer, mode: str
) -> None:
    asked = requests(3, sections=2)
    first = make_claude(llm_mode="batch", policy=LEAVING)
    assert isinstance(first.context_prefixes(asked).stopped, WaitingForBatchError)
    second = make_claude(llm_mode=mode, policy=LEAVING).context_prefixes(asked)
    assert isinstance(second.stopped, WaitingForBatchError)
    assert {entry.batch for entry in second.unanswered} == {"msgbatch_0000"}
    assert_nothing_is_lost(asked, second)
    assert (len(server.batches), server.received) == (1, [])


@pytest.mark.parametrize("mode", ["interactive", "batch"])
def test_a_batch_that_was_left_is_fetched_when_it_has_ended(
    make_claude: MakeClaude, server: AnthropicServer, mode: str
) -> None:
    asked = requests(3, sections=2)
    first = make_claude(llm_mode="batch", policy=LEAVING)
    assert first.context_prefixes(asked).answers == ()
    first.close()
    end_batches(server)
    later = make_claude(llm_mode=mode, policy=LEAVING)
    done = later.context_prefixes(asked)
    assert (done.unanswered, done.stopped) == ((), None)
    assert_accounts_agree(later, server, done)
    assert (len(server.batches), server.received) == (1, [])


def test_a_batch_whose_creation_was_not_confirmed_is_found_by_a_later_run_and_not_created_again(
    make_claude: MakeClaude, server: AnthropicServer
) -> None:
    server.drop_created_batches = 1
    asked = requests(3, sections=2)
    first = make_claude(llm_mode="batch", policy=LEAVING)
    left = first.context_prefixes(asked)
    assert {entry.batch for entry in left.unanswered} == {""}
    first.close()
    again = make_claude(llm_mode="batch", policy=LEAVING)
    assert isinstance(again.context_prefixes(asked).stopped, WaitingForBatchError)
    again.close()
    end_batches(server)
    later = make_claude(llm_mode="batch", policy=LEAVING)
    done = later.context_prefixes(asked)
    assert (done.unanswered, len(server.batches)) == ((), 1)
    assert_accounts_agree(later, server, done)


def test_a_batch_that_lasts_too_long_is_cancelled_and_what_it_lacks_is_asked_again(
    make_claude: MakeClaude, server: AnthropicServer
) -> None:
    server.batch_seconds = 0.0
    server.fate = lambda custom_id, times: "never" if times == 1 else "succeeded"
    policy: DeliveryPolicy = dataclasses.replace(LEAVING, batch_wait=0.0)
    asked = requests(2, sections=2)
    for _ in range(2):  # submits; cancels, fetches and submits again
        engine = make_claude(llm_mode="batch", policy=policy)
        engine.context_prefixes(asked)
        engine.close()
    done = make_claude(llm_mode="batch", policy=policy).context_prefixes(asked)
    assert done.unanswered == ()
    assert [batch.cancelled for batch in server.batches.values()] == [True, False]


def test_documents_are_ready_when_none_of_their_batches_is_under_way() -> None:
    batches = [OpenBatch("a", frozenset("12")), OpenBatch("b", frozenset("23")), OpenBatch(None, frozenset("4"))]
    assert ready("12345", batches, {"a"}) == {"3": ("b",), "4": ("",), "5": ()}
    assert ready("12", batches, set()) == {"1": ("a",), "2": ("a", "b")}
    assert ready("", batches, set()) == {}


def test_batches_under_way_are_told_from_those_that_have_ended(
    acts: ClaudeBench, server: AnthropicServer, database: Database
) -> None:
    acts.run()
    service = open_service(acts.settings)
    found = open_batches(database)
    assert [(batch.id, batch.documents) for batch in found] == [
        (f"msgbatch_000{number}", frozenset(acts.document_ids)) for number in range(3)
    ]
    server.batches["msgbatch_0001"].ends_at = 0.0
    del server.batches["msgbatch_0002"]
    assert at_work(service, found, limit=timedelta(hours=1)) == {"msgbatch_0000"}
    assert not server.batches["msgbatch_0000"].cancelled
    assert at_work(service, found, limit=timedelta(0)) == {"msgbatch_0000"}
    assert server.batches["msgbatch_0000"].cancelled

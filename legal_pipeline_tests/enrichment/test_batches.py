"""Message Batches: half the price, results in any order, and a batch that is never paid for twice."""

from __future__ import annotations

import json
import threading
import time
from datetime import UTC, datetime

import pytest

from legal_pipeline.enrichment import batches
from legal_pipeline.enrichment.enricher import Task, Unanswered
from legal_pipeline.errors import LanguageModelUnavailableError
from legal_pipeline.registry.database import Database
from legal_pipeline_tests.enrichment.anthropic_server import AnthropicServer, Fault
from legal_pipeline_tests.enrichment.conftest import PACE, MakeClaude
from legal_pipeline_tests.enrichment.test_faults import assert_accounts_agree, assert_nothing_is_lost, requests


def test_from_so_many_documents_on_a_batch_is_used_and_costs_half(
    make_claude: MakeClaude, anthropic_server: AnthropicServer
) -> None:
    anthropic_server.batch_seconds = 0.1
    claude = make_claude(llm_batch_documents=10)
    asked = requests(10, sections=2)
    done = claude.context_prefixes(asked)
    assert anthropic_server.received == []
    assert len(anthropic_server.batches) == 1
    assert [answer.chunk_id for answer in done.answers] == [name for request in asked for name in request.ids]
    assert_accounts_agree(claude, anthropic_server, done)
    total = done.total
    assert total.cost_usd == pytest.approx((total.input_tokens * 0.10 + total.output_tokens * 0.50) / 2_000_000)


def test_below_that_number_and_where_so_configured_requests_go_one_by_one(
    make_claude: MakeClaude, anthropic_server: AnthropicServer
) -> None:
    make_claude(llm_batch_documents=10).context_prefixes(requests(9, sections=2))
    make_claude(llm_mode="interactive", llm_batch_documents=2).questions([])
    assert not anthropic_server.batches
    assert len(anthropic_server.received) == 9


def test_what_is_in_the_journal_is_in_no_batch(make_claude: MakeClaude, anthropic_server: AnthropicServer) -> None:
    asked = requests(4, sections=2)
    make_claude(llm_mode="interactive").context_prefixes(asked[:3])
    make_claude(llm_mode="batch").context_prefixes(asked)
    (batch,) = anthropic_server.batches.values()
    assert len(batch.requests) == 1


def test_errored_and_expired_entries_and_no_others_are_submitted_again(
    make_claude: MakeClaude, anthropic_server: AnthropicServer
) -> None:
    claude = make_claude(llm_mode="batch")
    fates = ["errored", "expired", "lost"]
    chosen: dict[str, str] = {}

    def fate(custom_id: str, times: int) -> str:
        if custom_id not in chosen:
            chosen[custom_id] = fates.pop() if fates else "succeeded"
        return chosen[custom_id] if times == 1 else "succeeded"

    anthropic_server.fate = fate
    asked = requests(8, sections=2)
    done = claude.context_prefixes(asked)
    assert not done.unanswered
    assert [len(batch.requests) for batch in anthropic_server.batches.values()] == [8, 3]
    assert_nothing_is_lost(asked, done)
    assert_accounts_agree(claude, anthropic_server, done)


def test_what_errors_twice_is_reported_and_asked_for_by_the_next_run(
    make_claude: MakeClaude, anthropic_server: AnthropicServer
) -> None:
    claude = make_claude(llm_mode="batch")
    asked = requests(3, sections=2)
    broken: list[str] = []

    def fate(custom_id: str, times: int) -> str:
        if not broken:
            broken.append(custom_id)
        return "errored" if custom_id == broken[0] and times < 3 else "succeeded"

    anthropic_server.fate = fate
    done = claude.context_prefixes(asked)
    assert len({entry.document_id for entry in done.unanswered}) == 1
    assert_nothing_is_lost(asked, done)
    later = make_claude(llm_mode="batch").context_prefixes(asked)
    assert not later.unanswered
    assert anthropic_server.totals["requests"] == 3


def test_an_invalid_entry_is_not_submitted_again(make_claude: MakeClaude, anthropic_server: AnthropicServer) -> None:
    anthropic_server.fate = lambda custom_id, times: "invalid"
    done = make_claude(llm_mode="batch").context_prefixes(requests(2, sections=2))
    assert len(anthropic_server.batches) == 1
    assert done.answers == ()


def test_a_batch_with_an_entry_that_never_ends_is_cancelled_and_what_it_lacks_asked_again(
    make_claude: MakeClaude, anthropic_server: AnthropicServer
) -> None:
    from dataclasses import replace

    claude = make_claude(llm_mode="batch", policy=replace(PACE, batch_wait=0.3))
    stuck: list[str] = []

    def fate(custom_id: str, times: int) -> str:
        if not stuck:
            stuck.append(custom_id)
        return "never" if custom_id == stuck[0] and times == 1 else "succeeded"

    anthropic_server.fate = fate
    asked = requests(5, sections=2)
    done = claude.context_prefixes(asked)
    assert not done.unanswered
    assert [(batch.cancelled, len(batch.requests)) for batch in anthropic_server.batches.values()] == [
        (True, 5),
        (False, 1),
    ]
    assert_accounts_agree(claude, anthropic_server, done)


def test_a_batch_that_does_not_even_end_when_cancelled_is_reported_and_fetched_by_a_later_run(
    make_claude: MakeClaude, anthropic_server: AnthropicServer
) -> None:
    from dataclasses import replace

    claude = make_claude(llm_mode="batch", policy=replace(PACE, batch_wait=0.1, poll=0.005))
    anthropic_server.fate = lambda custom_id, times: "never"
    anthropic_server.ignore_cancel = True
    asked = requests(2, sections=2)
    done = claude.context_prefixes(asked)
    assert all("has not ended" in entry.reason for entry in done.unanswered)
    assert_nothing_is_lost(asked, done)
    claude.close()
    anthropic_server.fate = lambda custom_id, times: "succeeded"
    later = make_claude(llm_mode="batch").context_prefixes(asked)
    assert not later.unanswered
    assert len(anthropic_server.batches) == 1


def test_results_that_break_off_are_read_again(make_claude: MakeClaude, anthropic_server: AnthropicServer) -> None:
    claude = make_claude(llm_mode="batch")
    anthropic_server.break_results = 2
    done = claude.context_prefixes(requests(6, sections=2))
    assert not done.unanswered
    assert_accounts_agree(claude, anthropic_server, done)


def test_a_batch_whose_creation_was_not_confirmed_is_found_and_not_created_again(
    make_claude: MakeClaude, anthropic_server: AnthropicServer
) -> None:
    other = anthropic_server.create_batch([{"custom_id": f"somebody-elses-{n}", "params": {}} for n in range(3)])
    other.results = [{"custom_id": r["custom_id"], "result": {"type": "expired"}} for r in other.requests]
    anthropic_server.drop_created_batches = 1
    claude = make_claude(llm_mode="batch")
    done = claude.context_prefixes(requests(3, sections=2))
    assert not done.unanswered
    assert len(anthropic_server.batches) == 2
    assert_accounts_agree(claude, anthropic_server, done)


def test_a_batch_is_fetched_by_a_run_that_asks_one_by_one(
    make_claude: MakeClaude, anthropic_server: AnthropicServer
) -> None:
    asked = requests(3, sections=2)
    first = make_claude(llm_mode="batch")
    anthropic_server.fail_retrievals = PACE.attempts
    stopped = first.context_prefixes(asked)
    assert isinstance(stopped.stopped, LanguageModelUnavailableError)
    assert_nothing_is_lost(asked, stopped)
    first.close()
    done = make_claude(llm_mode="interactive").context_prefixes(asked)
    assert not done.unanswered
    assert anthropic_server.received == []
    assert len(anthropic_server.batches) == 1


def test_a_batch_that_the_service_does_not_create_leaves_everything_to_the_next_run(
    make_claude: MakeClaude, anthropic_server: AnthropicServer
) -> None:
    anthropic_server.fault = lambda body: Fault("status", 529)
    asked = requests(3, sections=2)
    first = make_claude(llm_mode="batch")
    done = first.context_prefixes(asked)
    assert isinstance(done.stopped, LanguageModelUnavailableError)
    assert_nothing_is_lost(asked, done)
    first.close()
    anthropic_server.fault = lambda body: None
    later = make_claude(llm_mode="batch").context_prefixes(asked)
    assert not later.unanswered
    assert anthropic_server.totals["requests"] == 3


@pytest.mark.parametrize("how", ["deleted", "archived"])
def test_a_batch_that_the_service_has_no_more_is_submitted_again(
    make_claude: MakeClaude, anthropic_server: AnthropicServer, how: str
) -> None:
    asked = requests(3, sections=2)
    first = make_claude(llm_mode="batch")
    anthropic_server.fail_retrievals = PACE.attempts
    assert first.context_prefixes(asked).stopped is not None
    first.close()
    if how == "deleted":
        del anthropic_server.batches["msgbatch_0000"]
    else:
        anthropic_server.batches["msgbatch_0000"].archived = True
    done = make_claude(llm_mode="batch").context_prefixes(asked)
    assert not done.unanswered
    assert done.stopped is None


def test_two_workers_with_the_same_documents_create_one_batch(
    make_claude: MakeClaude, anthropic_server: AnthropicServer
) -> None:
    anthropic_server.batch_seconds = 0.5
    asked = requests(5, sections=2)
    done = []
    workers = [make_claude(llm_mode="batch"), make_claude(llm_mode="batch")]
    threads = [threading.Thread(target=lambda w=w: done.append(w.context_prefixes(asked))) for w in workers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert done[0].answers == done[1].answers
    assert sum(len(batch.requests) for batch in anthropic_server.batches.values()) == 5


@pytest.mark.parametrize("mode", ["interactive", "batch"])
def test_the_wait_for_another_worker_has_an_end(
    make_claude: MakeClaude, anthropic_server: AnthropicServer, mode: str
) -> None:
    from dataclasses import replace

    anthropic_server.batch_seconds = anthropic_server.latency = 2.0
    asked = requests(2, sections=2)
    other = make_claude(llm_mode="batch")
    thread = threading.Thread(target=other.context_prefixes, args=(asked,))
    thread.start()
    while not anthropic_server.batches:
        time.sleep(0.01)
    began = time.monotonic()
    done = make_claude(llm_mode=mode, policy=replace(PACE, batch_wait=0.6)).context_prefixes(asked)
    assert 0.6 <= time.monotonic() - began < 1.7
    assert {entry.reason for entry in done.unanswered} == {
        "another run is at this request and has no answer after a wait of 0:00:01; the next run looks again"
    }
    assert_nothing_is_lost(asked, done)
    thread.join()
    assert not make_claude(llm_mode=mode).context_prefixes(asked).unanswered
    assert anthropic_server.totals["requests"] == 2


def test_the_journal_names_the_batch_of_an_answer(
    make_claude: MakeClaude, anthropic_server: AnthropicServer, journal_database: Database
) -> None:
    make_claude(llm_mode="batch").context_prefixes(requests(2, sections=2))
    with journal_database.connection() as connection:
        rows = connection.execute("select * from llm_requests").fetchall()
    assert {row["batch_id"] for row in rows} == {"msgbatch_0000"}
    assert {row["task"] for row in rows} == {Task.CONTEXT_PREFIXES}
    assert {row["state"] for row in rows} == {"answered"}
    assert all(row["answered_at"] <= datetime.now(UTC) for row in rows)


def test_unanswered_is_said_in_words(make_claude: MakeClaude, anthropic_server: AnthropicServer) -> None:
    anthropic_server.fate = lambda custom_id, times: "expired"
    done = make_claude(llm_mode="batch").context_prefixes(requests(1, sections=2))
    assert done.unanswered[0] == Unanswered("act-0", done.unanswered[0].id, "the batch entry is expired")


def test_requests_are_in_several_batches_below_the_limits_of_the_service(
    make_claude: MakeClaude, anthropic_server: AnthropicServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = requests(8, sections=2)
    whole = make_claude(llm_mode="batch")
    whole.context_prefixes(asked[:2])
    (first,) = anthropic_server.batches.values()
    size = max(len(json.dumps(request).encode()) for request in first.requests)
    monkeypatch.setattr(batches, "_MAX_BYTES", 3 * size)
    done = whole.context_prefixes(asked[2:])
    assert not done.unanswered
    sizes = [len(batch.requests) for batch in list(anthropic_server.batches.values())[1:]]
    assert sum(sizes) == 6
    assert max(sizes[:-1]) == min(sizes[:-1]) > 1  # only the last one may be smaller

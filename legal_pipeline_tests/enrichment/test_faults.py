"""What goes wrong between here and the service: nothing crashes, no chunk is lost, nothing is paid twice, and the accounts agree."""

from __future__ import annotations

import time
from typing import Any

import pytest

from legal_pipeline.enrichment.claude import ClaudeEnricher
from legal_pipeline.enrichment.enricher import ContextPrefix, Enriched, PrefixRequest
from legal_pipeline.errors import ConfigurationError, LanguageModelUnavailableError
from legal_pipeline_tests.enrichment import acts
from legal_pipeline_tests.enrichment.anthropic_server import AnthropicServer, Fault
from legal_pipeline_tests.enrichment.conftest import PACE, MakeClaude
from legal_pipeline_tests.enrichment.run_total import run_total


def requests(count: int, sections: int = 6) -> list[PrefixRequest]:
    return [acts.prefix_request(f"act-{number}", acts.sections(sections + number)) for number in range(count)]


def assert_nothing_is_lost(asked: list[PrefixRequest], done: Enriched[ContextPrefix]) -> None:
    answered = [answer.chunk_id for answer in done.answers]
    left = [entry.id for entry in done.unanswered]
    assert sorted([*answered, *left]) == sorted(name for request in asked for name in request.ids)


def assert_accounts_agree(claude: ClaudeEnricher, server: AnthropicServer, *done: Enriched[Any]) -> None:
    journalled = run_total(claude.journal)
    for name in ("requests", "input_tokens", "output_tokens"):
        assert getattr(journalled, name) == server.totals[name] == sum(getattr(each.total, name) for each in done), name
    assert not [body for body, times in server.billed.items() if times > 1]


@pytest.mark.parametrize(
    "fault",
    [
        Fault("status", 429, (("retry-after", "0.2"),)),
        Fault("status", 500),
        Fault("status", 529),
        Fault("status", 504),
        Fault("reset"),
        Fault("break_off"),
        Fault("stream_error"),
    ],
    ids=lambda fault: f"{fault.kind}-{fault.status}",
)
def test_trouble_of_the_moment_is_tried_again(
    claude: ClaudeEnricher, anthropic_server: AnthropicServer, fault: Fault
) -> None:
    anthropic_server.faults = [fault, None, fault, fault]
    asked = requests(4)
    done = claude.context_prefixes(asked)
    assert not done.unanswered
    assert done.stopped is None
    assert len(anthropic_server.received) == 7
    assert_nothing_is_lost(asked, done)
    assert_accounts_agree(claude, anthropic_server, done)


def test_silence_ends_at_the_time_limit_and_is_tried_again(
    make_claude: MakeClaude, anthropic_server: AnthropicServer
) -> None:
    claude = make_claude(llm_timeout_seconds=1.0)
    anthropic_server.faults = [Fault("silence", seconds=2.0)]
    done = claude.context_prefixes(requests(1))
    assert not done.unanswered
    assert len(anthropic_server.received) == 2
    assert_accounts_agree(claude, anthropic_server, done)


def test_retry_after_is_respected(claude: ClaudeEnricher, anthropic_server: AnthropicServer) -> None:
    anthropic_server.faults = [Fault("status", 429, (("retry-after", "1"),))]
    began = time.monotonic()
    assert not claude.context_prefixes(requests(1)).unanswered
    assert time.monotonic() - began >= 1.0


def test_a_retry_after_beyond_the_bound_ends_the_run_and_the_next_run_goes_on(
    make_claude: MakeClaude, anthropic_server: AnthropicServer
) -> None:
    anthropic_server.faults = [None, Fault("status", 429, (("retry-after", "3600"),))]
    asked = requests(6)
    done = make_claude(llm_concurrency=1).context_prefixes(asked)
    assert isinstance(done.stopped, LanguageModelUnavailableError)
    assert len(anthropic_server.received) == 2
    assert_nothing_is_lost(asked, done)
    later = make_claude().context_prefixes(asked)
    assert not later.unanswered
    assert later.total.requests == 5


def test_a_service_that_stays_down_opens_the_circuit(
    make_claude: MakeClaude, anthropic_server: AnthropicServer
) -> None:
    anthropic_server.fault = lambda body: Fault("status", 529)
    asked = requests(40, sections=2)
    done = make_claude(llm_concurrency=2).context_prefixes(asked)
    assert isinstance(done.stopped, LanguageModelUnavailableError)
    assert done.stopped.transient
    assert len(anthropic_server.received) <= (PACE.circuit + 1) * PACE.attempts
    assert_nothing_is_lost(asked, done)
    assert done.answers == ()


def test_rate_limits_slow_the_run_down_but_lose_nothing(
    make_claude: MakeClaude, anthropic_server: AnthropicServer
) -> None:
    claude = make_claude(llm_concurrency=6)
    anthropic_server.per_second = 6
    asked = requests(14, sections=2)
    done = claude.context_prefixes(asked)
    assert not done.unanswered
    assert_accounts_agree(claude, anthropic_server, done)


def test_no_more_requests_are_open_than_the_settings_allow(
    make_claude: MakeClaude, anthropic_server: AnthropicServer
) -> None:
    anthropic_server.latency = 0.05
    make_claude(llm_concurrency=3).context_prefixes(requests(12, sections=2))
    assert anthropic_server.most_at_once == 3


@pytest.mark.parametrize("kind", ["truncated_json", "refusal"])
def test_an_unusable_answer_is_asked_for_once_more_with_the_reason(
    claude: ClaudeEnricher, anthropic_server: AnthropicServer, kind: str
) -> None:
    anthropic_server.faults = [Fault(kind)]
    asked = requests(1)
    done = claude.context_prefixes(asked)
    assert not done.unanswered
    assert "An earlier answer was refused" in anthropic_server.received[1].text
    assert_accounts_agree(claude, anthropic_server, done)


@pytest.mark.parametrize("kind", ["truncated_json", "refusal", "max_tokens"])
def test_what_stays_unusable_is_left_out_reported_and_not_paid_for_again(
    claude: ClaudeEnricher, make_claude: MakeClaude, anthropic_server: AnthropicServer, kind: str
) -> None:
    anthropic_server.fault = lambda body: Fault(kind)
    asked = requests(1)
    done = claude.context_prefixes(asked)
    assert_nothing_is_lost(asked, done)
    assert done.answers == ()
    assert all(entry.reason for entry in done.unanswered)
    assert_accounts_agree(claude, anthropic_server, done)
    paid = anthropic_server.totals["requests"]
    again = make_claude(run_id="run-2").context_prefixes(asked)
    assert again.unanswered == done.unanswered
    assert anthropic_server.totals["requests"] == paid


def test_an_answer_that_ran_into_its_limit_is_asked_for_in_two_halves(
    claude: ClaudeEnricher, anthropic_server: AnthropicServer
) -> None:
    anthropic_server.faults = [Fault("max_tokens")]
    asked = requests(1, sections=8)
    done = claude.context_prefixes(asked)
    assert not done.unanswered
    assert len(anthropic_server.received) == 3
    assert [answer.chunk_id for answer in done.answers] == list(asked[0].ids)
    assert_accounts_agree(claude, anthropic_server, done)


def test_unknown_ids_are_dropped_and_missing_ones_asked_for_once_more_and_alone(
    claude: ClaudeEnricher, anthropic_server: AnthropicServer
) -> None:
    (asked,) = requests(1)
    missing = asked.ids[2]

    def alter(answer: dict[str, Any], text: str) -> dict[str, Any]:
        rows = answer["prefixes"]
        if len(rows) > 1:
            rows = [row for row in rows if row["chunk_id"] != missing]
            rows.append({**rows[0], "chunk_id": "0123456789abcdef"})
        return {"prefixes": rows}

    anthropic_server.alter = alter
    done = claude.context_prefixes([asked])
    assert [answer.chunk_id for answer in done.answers] == list(asked.ids)
    assert len(anthropic_server.received) == 2
    listed = anthropic_server.received[1].text.rpartition("The chunks (")[2]
    assert [name for name in asked.ids if name in listed] == [missing]
    assert_accounts_agree(claude, anthropic_server, done)


def test_an_id_that_is_answered_twice_has_no_answer(claude: ClaudeEnricher, anthropic_server: AnthropicServer) -> None:
    (asked,) = requests(1)

    def alter(answer: dict[str, Any], text: str) -> dict[str, Any]:
        first, *rest = answer["prefixes"]
        return {"prefixes": [first, {**first, "prefix": first["prefix"] + " Indeed."}, *rest]}

    anthropic_server.alter = alter
    done = claude.context_prefixes([asked])
    assert [entry.id for entry in done.unanswered] == [asked.ids[0]]
    assert "twice" in done.unanswered[0].reason


@pytest.mark.parametrize("status", [401, 402, 403, 404])
def test_a_refused_key_account_or_model_is_a_matter_of_configuration(
    claude: ClaudeEnricher, anthropic_server: AnthropicServer, status: int
) -> None:
    anthropic_server.fault = lambda body: Fault("status", status)
    with pytest.raises(ConfigurationError, match=str(status)):
        claude.context_prefixes(requests(3))


def test_a_request_that_the_service_rejects_fails_alone(
    claude: ClaudeEnricher, anthropic_server: AnthropicServer
) -> None:
    asked = requests(4)
    anthropic_server.fault = lambda body: Fault("status", 400) if asked[2].ids[0] in str(body) else None
    done = claude.context_prefixes(asked)
    assert {entry.document_id for entry in done.unanswered} == {"act-2"}
    assert_nothing_is_lost(asked, done)
    assert_accounts_agree(claude, anthropic_server, done)


def test_two_workers_that_need_the_same_pay_once(make_claude: MakeClaude, anthropic_server: AnthropicServer) -> None:
    import threading

    anthropic_server.latency = 0.1
    asked = requests(8, sections=2)
    workers = [make_claude(), make_claude()]
    done: list[Enriched[ContextPrefix]] = []
    threads = [threading.Thread(target=lambda w=w: done.append(w.context_prefixes(asked))) for w in workers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert done[0].answers == done[1].answers
    assert anthropic_server.totals["requests"] == 8
    assert done[0].total.requests + done[1].total.requests == 8


def test_an_answer_with_characters_that_no_table_holds_is_kept(
    claude: ClaudeEnricher, anthropic_server: AnthropicServer
) -> None:
    def alter(answer: dict[str, Any], text: str) -> dict[str, Any]:
        first, *rest = answer["prefixes"]
        return {"prefixes": [{**first, "prefix": "\0" + first["prefix"] + "\ud83d"}, *rest]}

    anthropic_server.alter = alter
    done = claude.context_prefixes(requests(1))
    assert not done.unanswered
    assert done.answers[0].text.encode("utf-8")
    assert_accounts_agree(claude, anthropic_server, done)

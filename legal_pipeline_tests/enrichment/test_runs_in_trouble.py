"""Trouble between a run of the pipeline and the service: nothing crashes, no chunk is lost, nothing is paid twice, the accounts agree."""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Callable
from typing import Any

import pytest

from legal_pipeline.errors import BudgetExceededError, LanguageModelUnavailableError
from legal_pipeline.stages import context_prefixes, raptor_summaries
from legal_pipeline_tests.enrichment.anthropic_server import AnthropicServer, Fault
from legal_pipeline_tests.enrichment.claude_bench import ENRICHMENTS, ClaudeBench
from legal_pipeline_tests.enrichment.conftest import PACE
from legal_pipeline_tests.pipeline.lighthouse_act import act

FAULTS = (
    Fault("status", 429, (("retry-after", "0.1"),)), Fault("status", 500), Fault("status", 529), Fault("silence", seconds=0.8),
    Fault("reset"), Fault("break_off"), Fault("stream_error"), Fault("truncated_json"), Fault("refusal"), Fault("max_tokens"),
)  # fmt: skip
ACTS = 4


@pytest.fixture(autouse=True)
def laws(bench: ClaudeBench) -> None:
    for number in range(1, ACTS + 1):
        bench.write(f"{number}.txt", act(number=f"2099:{number}", chapters=2))
    bench.settings = bench.settings.model_copy(update={"llm_timeout_seconds": 0.5})


def assert_healed(bench: ClaudeBench, *before: Any, **changes: object) -> None:
    """The next run has what the last one lacked, pays for nothing that was answered, and leaves nothing to do."""
    last = bench.run(**changes)
    assert last.failures == {}
    assert [bench.unanswered(key, name) for key in ENRICHMENTS for name in bench.document_ids] == [0] * 3 * ACTS
    bench.assert_nothing_is_lost()
    bench.assert_accounts_agree(*before, last)
    paid = bench.server.totals["requests"]
    assert bench.run(**changes).failures == {}
    assert bench.server.totals["requests"] == paid


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: f"{fault.kind}-{fault.status}")
def test_a_fault_in_every_task_is_got_over_within_the_run(bench: ClaudeBench, fault: Fault) -> None:
    met: set[str] = set()

    def once_per_request(body: dict[str, Any]) -> Fault | None:
        said = str(body["messages"])
        if "An earlier answer was refused" in said or said in met:
            return None
        met.add(said)
        # an answer that ran into its limit is asked for in halves: those are other requests
        return fault if fault.kind != "max_tokens" or len(met) % 4 == 1 else None

    bench.server.fault = once_per_request
    run = bench.run(llm_concurrency=2)
    assert run.failures == {}
    assert [bench.unanswered(key, name) for key in ENRICHMENTS for name in bench.document_ids] == [0] * 3 * ACTS
    bench.assert_nothing_is_lost()
    bench.assert_accounts_agree(run)


def mangled(chance: random.Random) -> Callable[[dict[str, Any], str], dict[str, Any]]:
    """Answers that lack ids, name unknown ones, or are too short."""

    def alter(answer: dict[str, Any], _: str) -> dict[str, Any]:
        out: dict[str, Any] = {}
        for name, rows in answer.items():
            if not isinstance(rows, list):
                out[name] = "" if chance.random() < 0.2 else rows
                continue
            kept = [row for row in rows if chance.random() > 0.1]
            if kept and chance.random() < 0.5:
                kept.append({**kept[0], "chunk_id": f"{chance.getrandbits(64):016x}"})
            out[name] = kept
        return out

    return alter


@pytest.mark.parametrize("mode", ["interactive", "batch"])
@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.heavy) for seed in range(1, 10))])
def test_whatever_mixture_of_faults_meets_a_run(bench: ClaudeBench, mode: str, seed: int) -> None:
    chance = random.Random(seed)
    bench.server.alter = mangled(chance)
    if mode == "interactive":
        bench.server.fault = lambda body: chance.choice(FAULTS) if chance.random() < 0.3 else None
    else:
        bench.server.fault = lambda body: Fault("status", 529) if chance.random() < 0.2 else None
        fates = ("errored", "expired", "invalid", "lost", "never")
        bench.server.fate = lambda name, times: chance.choice(fates) if chance.random() < 0.2 else "succeeded"
        bench.server.drop_created_batches = 1
        bench.server.break_results = 2
        bench.server.fail_retrievals = 2
        bench.policy = dataclasses.replace(PACE, batch_wait=0.5)
    run = bench.run(llm_mode=mode)
    assert set(map(type, run.failures.values())) <= {LanguageModelUnavailableError}
    made = {name for key in ENRICHMENTS for name in run.done(key)}
    assert made | set(run.failures) == set(bench.document_ids)
    bench.assert_accounts_agree(run)

    bench.server.fault = lambda body: None
    bench.server.fate = lambda name, times: "succeeded"
    later = bench.run(llm_mode=mode)
    assert later.failures == {}
    bench.assert_nothing_is_lost()
    bench.assert_accounts_agree(run, later)


def test_a_service_that_is_down_fails_the_documents_and_the_next_run_pays_for_what_is_missing(
    bench: ClaudeBench, anthropic_server: AnthropicServer
) -> None:
    anthropic_server.faults = [None, None, *[Fault("status", 529)] * 200]
    run = bench.run(llm_concurrency=1)
    assert set(map(type, run.failures.values())) == {LanguageModelUnavailableError}
    assert set(run.failures) == set(bench.document_ids)
    assert sum(bench.unanswered(context_prefixes.KEY, name) == 0 for name in bench.document_ids) == 2
    assert run.done(raptor_summaries.KEY) == {}
    anthropic_server.faults = []
    assert_healed(bench, run)


@pytest.mark.parametrize("limit", ["llm_budget_usd", "llm_budget_usd_per_day"])
def test_a_budget_that_is_reached_names_the_documents_and_loses_nothing(bench: ClaudeBench, limit: str) -> None:
    first = bench.run(**{limit: 0.006}, llm_concurrency=1)
    assert first.failures
    assert set(map(type, first.failures.values())) == {BudgetExceededError}
    assert 0 < bench.journalled(first.id).cost_usd < 0.006
    assert bench.server.totals["requests"] > 0
    bench.assert_accounts_agree(first)
    if limit == "llm_budget_usd_per_day":
        today = bench.run(**{limit: bench.journalled(first.id).cost_usd})
        assert set(today.failures) == set(first.failures)
        assert bench.journalled(today.id).requests == 0
        with bench.database.connection() as connection:  # the next day
            connection.execute("update llm_requests set requested_at = requested_at - interval '1 day'")
        assert_healed(bench, first, **{limit: 1.0})
    else:
        assert_healed(bench, first)

"""What may be spent: a run stops before the limit, says what it left, and goes on where it stopped when there is money again."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from legal_pipeline.enrichment.budget import Budget, max_cost
from legal_pipeline.enrichment.claude import ClaudeEnricher
from legal_pipeline.enrichment.enricher import PrefixRequest, Task, Usage
from legal_pipeline.enrichment.pages import page_request, prefix_pages
from legal_pipeline.enrichment.prices import model_price
from legal_pipeline.enrichment.request import Request
from legal_pipeline.errors import BudgetExceededError, ConfigurationError
from legal_pipeline_tests.enrichment import acts
from legal_pipeline_tests.enrichment.anthropic_server import AnthropicServer
from legal_pipeline_tests.enrichment.conftest import MakeClaude
from legal_pipeline_tests.enrichment.run_total import run_total
from legal_pipeline_tests.enrichment.test_faults import assert_nothing_is_lost, requests


@pytest.mark.parametrize("mode", ["interactive", "batch"])
@pytest.mark.parametrize("limit", ["llm_budget_usd", "llm_budget_usd_per_day"])
def test_a_run_stops_before_its_budget_is_exceeded_and_reports_what_is_left(
    make_claude: MakeClaude, anthropic_server: AnthropicServer, mode: str, limit: str
) -> None:
    asked = requests(12, sections=20)
    free = make_claude(run_id="estimate")
    bound = max_cost(next(_requests(free, asked[-1:])), batch=mode == "batch")
    claude = make_claude(run_id="poor", llm_mode=mode, **{limit: bound * 2.5})
    done = claude.context_prefixes(asked)
    assert isinstance(done.stopped, BudgetExceededError)
    assert_nothing_is_lost(asked, done)
    assert done.answers
    assert done.unanswered
    assert all("budget" in entry.reason for entry in done.unanswered)
    assert run_total(claude.journal).cost_usd <= bound * 2.5
    paid = anthropic_server.totals["requests"]
    rich = make_claude(run_id="rich", llm_mode=mode).context_prefixes(asked)
    assert not rich.unanswered
    assert anthropic_server.totals["requests"] == 12
    assert rich.total.requests == 12 - paid


def _requests(claude: ClaudeEnricher, asked: list[PrefixRequest]) -> Iterator[Request]:
    generator = claude.generator(Task.CONTEXT_PREFIXES)
    return (page_request(page, page.ids, generator.name) for page in prefix_pages(asked, generator))


def test_the_service_counts_the_tokens_where_the_bound_by_bytes_is_too_coarse(
    make_claude: MakeClaude, anthropic_server: AnthropicServer
) -> None:
    asked = [acts.prefix_request("act", [*acts.sections(3), "lång text " * 20_000], asked=acts.sections(3))]
    coarse = max_cost(next(_requests(make_claude(), asked)), batch=False)
    done = make_claude(llm_budget_usd=coarse * 0.6).context_prefixes(asked)
    assert not done.unanswered
    assert anthropic_server.counted == 1


def test_a_budget_of_nothing_asks_nothing(make_claude: MakeClaude, anthropic_server: AnthropicServer) -> None:
    done = make_claude(llm_budget_usd=0.0).context_prefixes(requests(2))
    assert isinstance(done.stopped, BudgetExceededError)
    assert anthropic_server.received == []


def test_what_another_run_spent_today_counts_for_the_day_and_not_for_the_run(
    make_claude: MakeClaude, anthropic_server: AnthropicServer
) -> None:
    first = make_claude(run_id="morning")
    first.context_prefixes(requests(3, sections=30))
    spent = run_total(first.journal).cost_usd
    more = [acts.question_request("act-9", acts.sections(2))]
    assert make_claude(run_id="noon", llm_budget_usd_per_day=spent).questions(more).stopped is not None
    assert make_claude(run_id="evening", llm_budget_usd=1.0).questions(more).stopped is None


def test_two_workers_cannot_take_the_last_dollar_both(
    make_claude: MakeClaude, anthropic_server: AnthropicServer
) -> None:
    import threading

    anthropic_server.latency = 0.1
    halves = [requests(6, sections=20)[:3], requests(6, sections=20)[3:]]
    # Three never fit at once: a request reserves more than an answer to no input costs.
    limit = 3 * min(max_cost(r, batch=False, input_tokens=0) for half in halves for r in _requests(make_claude(), half))
    workers = [make_claude(run_id=f"worker-{n}", llm_budget_usd_per_day=limit) for n in range(2)]
    threads = [
        threading.Thread(target=worker.context_prefixes, args=(half,))
        for worker, half in zip(workers, halves, strict=True)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert anthropic_server.most_at_once <= 2
    assert workers[0].journal.day_total().cost_usd <= limit


def test_long_prompts_cost_what_the_price_list_says() -> None:
    price = model_price("claude-haiku-5-5")
    short = Usage(input_tokens=100_000, output_tokens=1000)
    assert price.cost(short, batch=False) == pytest.approx(0.01 + 0.0005)
    long = Usage(input_tokens=50_000, cache_read_tokens=50_001, output_tokens=1000)
    assert price.cost(long, batch=False) == pytest.approx(0.025 + 50_001 * 0.05 / 1e6 + 0.0025)
    assert price.cost(long, batch=True) == pytest.approx(price.cost(long, batch=False) / 2)


def test_a_dated_model_costs_what_its_model_costs_and_an_unknown_one_is_refused() -> None:
    assert model_price("claude-haiku-4-5-20251001") == model_price("claude-haiku-4-5")
    with pytest.raises(ConfigurationError, match="no price"):
        model_price("claude-nobody-1")


def test_an_exact_fit_is_within_the_budget() -> None:
    Budget(per_run=1.0).check(run_usd=0.75, day_usd=9.0, reserve_usd=0.25)
    with pytest.raises(BudgetExceededError, match="of this run"):
        Budget(per_run=1.0).check(run_usd=0.75, day_usd=0.0, reserve_usd=0.26)

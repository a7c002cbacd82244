"""What enrichment would cost, without asking anything: documents, requests, tokens and dollars, with and without batches and caching.

Input tokens are o200k counts times the model's factor, output tokens what answers usually have: estimates, where the budget works with
upper bounds. The journal is not looked at: what is paid for already comes off. Not here: what is asked for (`enrichment.pages`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from legal_pipeline.enrichment import pages
from legal_pipeline.enrichment.claude import model_of
from legal_pipeline.enrichment.enricher import Generator, Task, Usage
from legal_pipeline.enrichment.pages import Page, page_request, prompt_version
from legal_pipeline.enrichment.prices import ModelPrice, model_price
from legal_pipeline.enrichment.request import Request
from legal_pipeline.settings import Settings
from legal_pipeline.text.tokens import count_tokens

_PAGES: dict[Task, Callable[[Any, Generator], Iterable[Page[Any]]]] = {
    Task.CONTEXT_PREFIXES: pages.prefix_pages,
    Task.SUMMARISE: pages.summary_pages,
    Task.QUESTIONS: pages.question_pages,
    Task.PROPOSITIONS: pages.proposition_pages,
    Task.CHUNK_PLAN: pages.plan_pages,
    Task.VERIFY_PLAN: pages.verify_pages,
    Task.CLASSIFY_PRACTICE_AREA: pages.practice_area_pages,
    Task.CLASSIFY_DOCUMENT: pages.document_pages,
}

#: o200k tokens of a usual answer, per thing asked about: a prefix with its id, four questions with theirs, a label. The other tasks give a
#: share of what their request allows for.
_ANSWER_TOKENS = {
    Task.CONTEXT_PREFIXES: 95,
    Task.QUESTIONS: 140,
    Task.CLASSIFY_PRACTICE_AREA: 12,
    Task.CLASSIFY_DOCUMENT: 12,
}
_ANSWER_SHARE = {Task.SUMMARISE: 0.25, Task.PROPOSITIONS: 0.3, Task.CHUNK_PLAN: 0.15, Task.VERIFY_PLAN: 0.15}


@dataclass(frozen=True)
class Cost:
    """Of one task, or of all. Dollars: `plain` one by one without caching, `cached` one by one, `batched` in batches without counting on
    the cache (entries of a batch run at the same time), which is what a backfill should reckon with."""

    documents: int = 0
    requests: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    plain_usd: float = 0.0
    cached_usd: float = 0.0
    batched_usd: float = 0.0


@dataclass(frozen=True)
class Estimate:
    """`total.documents` counts a document once, however many tasks ask about it."""

    total: Cost
    tasks: Mapping[Task, Cost]
    models: Mapping[Task, str] = field(default_factory=dict)


def estimate(settings: Settings, requests: Mapping[Task, Sequence[Any]]) -> Estimate:
    """`requests` are those of `Enricher`, by task. Raises `ConfigurationError` for a model without a price."""
    costs: dict[Task, Cost] = {}
    models: dict[Task, str] = {}
    seen: set[str] = set()
    for task, asked in requests.items():
        models[task] = model_of(settings, task)
        price = model_price(models[task])
        generator = Generator(models[task], prompt_version(task))
        documents: set[str] = set()
        cost = Cost()
        cached: set[str] = set()
        for page in _PAGES[task](asked, generator):
            documents.add(page.document_id)
            cost = _added(cost, _cost(page, page_request(page, page.ids, models[task]), price, cached))
        costs[task] = _added(cost, Cost(documents=len(documents)))
        seen |= documents
    total = Cost()
    for cost in costs.values():
        total = _added(total, cost)
    total = _added(total, Cost(documents=len(seen) - total.documents))
    return Estimate(total, costs, models)


def _cost(page: Page[Any], request: Request, price: ModelPrice, cached: set[str]) -> Cost:
    context = count_tokens(page.context)
    rest = sum(
        count_tokens(part["text"]) for part in (*request.params["system"], request.params["messages"][0]["content"][1])
    )
    if page.task in _ANSWER_TOKENS:
        answer = _ANSWER_TOKENS[page.task] * len(page.ids)
    else:
        answer = math.ceil(request.max_tokens * _ANSWER_SHARE[page.task] / price.tokens_per_o200k)
    shared, own, output = (math.ceil(tokens * price.tokens_per_o200k) for tokens in (context, rest, answer))
    plain = Usage(1, shared + own, output)
    with_cache = plain
    if request.lane:
        first = request.lane not in cached
        cached.add(request.lane)
        with_cache = (
            Usage(1, own, output, cache_write_tokens=shared)
            if first
            else Usage(1, own, output, cache_read_tokens=shared)
        )
    return Cost(
        requests=1,
        input_tokens=shared + own,
        output_tokens=output,
        plain_usd=price.cost(plain, batch=False),
        cached_usd=price.cost(with_cache, batch=False),
        batched_usd=price.cost(plain, batch=True),
    )


def _added(one: Cost, other: Cost) -> Cost:
    return Cost(
        one.documents + other.documents,
        one.requests + other.requests,
        one.input_tokens + other.input_tokens,
        one.output_tokens + other.output_tokens,
        one.plain_usd + other.plain_usd,
        one.cached_usd + other.cached_usd,
        one.batched_usd + other.batched_usd,
    )

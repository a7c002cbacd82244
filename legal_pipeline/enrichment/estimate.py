"""Estimate the cost of enrichment without a request: documents, requests, tokens and dollars, with and without batches and caching.

Input tokens are o200k counts times the model's factor, output tokens are those of typical answers: estimates, where the budget uses upper
bounds. The journal is not read, so answers that are already paid for lower the real cost. Not here: the requests (`enrichment.pages`).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass, field, replace
from typing import Any

from legal_pipeline.enrichment import pages
from legal_pipeline.enrichment.claude import model_of
from legal_pipeline.enrichment.enricher import Generator, SummaryRequest, Task, Usage
from legal_pipeline.enrichment.pages import Page, page_request, prompt_version
from legal_pipeline.enrichment.prices import ModelPrice, model_price
from legal_pipeline.enrichment.request import Request
from legal_pipeline.settings import Settings
from legal_pipeline.text.tokens import count_tokens

#: o200k tokens of a typical answer, per item asked about: a prefix with its id, four questions with their id, a label. The other tasks
#: use a share of the answer length that their request allows.
_ANSWER_TOKENS = {
    Task.CONTEXT_PREFIXES: 95,
    Task.QUESTIONS: 140,
    Task.CLASSIFY_PRACTICE_AREA: 12,
    Task.CLASSIFY_DOCUMENT: 12,
}
_CHARS_PER_TOKEN = 4
_ANSWER_SHARE = {Task.SUMMARISE: 0.25, Task.PROPOSITIONS: 0.3, Task.CHUNK_PLAN: 0.15, Task.VERIFY_PLAN: 0.15}


@dataclass(frozen=True)
class Cost:
    """The cost of one task, or of all tasks.

    In dollars: `plain_usd` one by one without caching, `cached_usd` one by one with caching, `batched_usd` in batches without caching,
    because the entries of a batch run at the same time. Use `batched_usd` for a backfill.
    """

    documents: int = 0
    requests: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    plain_usd: float = 0.0
    cached_usd: float = 0.0
    batched_usd: float = 0.0

    def __add__(self, other: Cost) -> Cost:
        return Cost(*(mine + theirs for mine, theirs in zip(astuple(self), astuple(other), strict=True)))


@dataclass(frozen=True)
class Estimate:
    """`total.documents` counts a document once, even if several tasks ask about it. Estimates of different documents can be added."""

    total: Cost = Cost()
    tasks: Mapping[Task, Cost] = field(default_factory=dict)
    models: Mapping[Task, str] = field(default_factory=dict)

    def __add__(self, other: Estimate) -> Estimate:
        tasks = {
            task: self.tasks.get(task, Cost()) + other.tasks.get(task, Cost())
            for task in Task
            if task in self.tasks or task in other.tasks
        }
        return Estimate(self.total + other.total, tasks, {**self.models, **other.models})


def estimate(settings: Settings, requests: Mapping[Task, Sequence[Any]]) -> Estimate:
    """Return the estimate for `requests` of `Enricher`, by task. Raises `ConfigurationError` for a model without a price."""
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
        if task is Task.SUMMARISE:
            asked = [part for request in asked for part in _folded(request, models[task])]
        for page in pages.PAGES[task](asked, generator):
            documents.add(page.document_id)
            cost += _cost(page, page_request(page, page.ids, models[task]), price, cached)
        costs[task] = cost + Cost(documents=len(documents))
        seen |= documents
    total = sum(costs.values(), Cost())
    return Estimate(total + Cost(documents=len(seen) - total.documents), costs, models)


def _folded(request: SummaryRequest, model: str) -> list[SummaryRequest]:
    """Split a request that is too long for one prompt: one request for each run of its texts, and one for their summaries."""
    runs = pages.summary_runs(request.texts, model)
    if len(runs) == 1:
        return [request]
    answers = tuple(text[: _CHARS_PER_TOKEN * request.budget_tokens] for (text, *_) in runs)
    return [*(replace(request, texts=run) for run in runs), replace(request, texts=answers)]


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

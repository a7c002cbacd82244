"""`RequestLog`: an enricher that records each request and answers it without a language model, to count a run's requests before the run.

Not here: counts and prices (`enrichment.estimate`).
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from legal_pipeline.enrichment.enricher import Enriched, Plan, PlanRequest, Task
from legal_pipeline.enrichment.extractive import NAME, ExtractiveEnricher


class RequestLog(ExtractiveEnricher):
    """`requests` by task, in the order of the calls. Answers come from the extractive enricher, so that requests for summaries of summaries
    have texts of realistic length."""

    def __init__(self) -> None:
        self.requests: dict[Task, list[Any]] = {}
        for task in Task:  # tasks are named as the methods
            setattr(self, task, functools.partial(self._recorded, task, getattr(self, task)))

    def chunk_plan(self, requests: Sequence[PlanRequest]) -> Enriched[Plan]:
        done = super().chunk_plan(requests)
        # a plan with the generator `rules` would not be verified
        return replace(
            done, answers=tuple(replace(answer, plan=replace(answer.plan, generator=NAME)) for answer in done.answers)
        )

    def _recorded(
        self, task: Task, answer: Callable[[Sequence[Any]], Enriched[Any]], requests: Sequence[Any]
    ) -> Enriched[Any]:
        self.requests.setdefault(task, []).extend(requests)
        return answer(requests)

"""`RequestLog`: an engine that records requests and answers at once, so that the requests of a run can be counted before the run.

Not here: counts and prices (`enrichment.estimate`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from legal_pipeline.enrichment.enricher import (
    Classification,
    ContextPrefix,
    DocumentRequest,
    Enriched,
    Plan,
    PlanRequest,
    PlanVerdict,
    PracticeAreaRequest,
    PrefixRequest,
    Proposition,
    PropositionRequest,
    QuestionRequest,
    Questions,
    Summary,
    SummaryRequest,
    Task,
    VerifyRequest,
)
from legal_pipeline.enrichment.extractive import NAME, ExtractiveEnricher


class RequestLog(ExtractiveEnricher):
    """`requests` by task, in the order of the calls. Answers come from the extractive engine, so that requests for summaries of summaries
    have texts of realistic length."""

    def __init__(self) -> None:
        self.requests: dict[Task, list[Any]] = {}

    def context_prefixes(self, requests: Sequence[PrefixRequest]) -> Enriched[ContextPrefix]:
        self._keep(Task.CONTEXT_PREFIXES, requests)
        return super().context_prefixes(requests)

    def summarise(self, requests: Sequence[SummaryRequest]) -> Enriched[Summary]:
        self._keep(Task.SUMMARISE, requests)
        return super().summarise(requests)

    def questions(self, requests: Sequence[QuestionRequest]) -> Enriched[Questions]:
        self._keep(Task.QUESTIONS, requests)
        return super().questions(requests)

    def propositions(self, requests: Sequence[PropositionRequest]) -> Enriched[Proposition]:
        self._keep(Task.PROPOSITIONS, requests)
        return super().propositions(requests)

    def chunk_plan(self, requests: Sequence[PlanRequest]) -> Enriched[Plan]:
        self._keep(Task.CHUNK_PLAN, requests)
        done = super().chunk_plan(requests)
        # a plan with the generator `rules` would not be verified
        return replace(
            done, answers=tuple(replace(answer, plan=replace(answer.plan, generator=NAME)) for answer in done.answers)
        )

    def verify_plan(self, requests: Sequence[VerifyRequest]) -> Enriched[PlanVerdict]:
        self._keep(Task.VERIFY_PLAN, requests)
        return super().verify_plan(requests)

    def classify_practice_area(self, requests: Sequence[PracticeAreaRequest]) -> Enriched[Classification]:
        self._keep(Task.CLASSIFY_PRACTICE_AREA, requests)
        return super().classify_practice_area(requests)

    def classify_document(self, requests: Sequence[DocumentRequest]) -> Enriched[Classification]:
        self._keep(Task.CLASSIFY_DOCUMENT, requests)
        return super().classify_document(requests)

    def _keep(self, task: Task, requests: Sequence[Any]) -> None:
        self.requests.setdefault(task, []).extend(requests)

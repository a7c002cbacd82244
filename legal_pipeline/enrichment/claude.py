"""`ClaudeEnricher`: the enricher that asks Claude. It pays for a request once, checks every answer, and asks once more about failures.

Not here: prompts and requests (`enrichment.pages`), checks (`enrichment.validation`), sending (`enrichment.interactive`, `.batches`).
"""

from __future__ import annotations

import json
import logging
import threading
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Generic, TypeVar

from legal_pipeline.enrichment import batches, interactive, pages
from legal_pipeline.enrichment.answer_schema import SCHEMAS, mismatch
from legal_pipeline.enrichment.budget import Budget
from legal_pipeline.enrichment.delivery import Delivery, DeliveryPolicy
from legal_pipeline.enrichment.enricher import (
    Classification,
    ContextPrefix,
    DocumentRequest,
    Enriched,
    Generator,
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
    Unanswered,
    Usage,
    VerifyRequest,
)
from legal_pipeline.enrichment.journal import Journal
from legal_pipeline.enrichment.pages import Page, page_request, prompt_version
from legal_pipeline.enrichment.prices import model_price
from legal_pipeline.enrichment.request import NoReply, Outcome, Reply, Request
from legal_pipeline.enrichment.service import open_service
from legal_pipeline.enrichment.validation import Checked
from legal_pipeline.errors import ConfigurationError, LanguageModelError
from legal_pipeline.registry.database import Database
from legal_pipeline.settings import Settings

_log = logging.getLogger(__name__)

#: Tasks whose default is the planning model (`llm_plan_model`).
_PLANNING = frozenset({Task.CHUNK_PLAN, Task.VERIFY_PLAN})

A = TypeVar("A")


class ClaudeEnricher:
    """An `Enricher` that uses the Anthropic API. One run is one `run_id`: budgets and totals are counted by it."""

    def __init__(
        self, settings: Settings, database: Database, *, run_id: str | None = None, policy: DeliveryPolicy | None = None
    ) -> None:
        """Raises `ConfigurationError` if there is no key, or for a model without a price."""
        self._service = open_service(settings)
        self._settings = settings
        self._models = {task: model_of(settings, task) for task in Task}
        for model in self._models.values():
            model_price(model)
        self._policy = policy or DeliveryPolicy(
            longest_wait=settings.llm_retry_after_seconds,
            poll=settings.llm_batch_poll_seconds,
            batch_wait=settings.llm_batch_wait_hours * 3600,
            batch_hold=settings.llm_batch_hold_seconds,
        )
        budget = Budget(per_run=settings.llm_budget_usd, per_day=settings.llm_budget_usd_per_day)
        self.journal = Journal(database, run_id=run_id or uuid.uuid4().hex, budget=budget)
        # the journal cannot distinguish two threads of one worker
        self._one_at_a_time = threading.Lock()

    def generator(self, task: Task) -> Generator:
        return Generator(self._models[task], prompt_version(task))

    def context_prefixes(self, requests: Sequence[PrefixRequest]) -> Enriched[ContextPrefix]:
        return self._enrich(Task.CONTEXT_PREFIXES, requests)

    def summarise(self, requests: Sequence[SummaryRequest]) -> Enriched[Summary]:
        fitting, folded_usage, lost, stopped = self._folded(requests)
        done = self._enrich(Task.SUMMARISE, fitting)
        return Enriched(
            done.answers, (*lost, *done.unanswered), _merged(folded_usage, done.usage), done.stopped or stopped
        )

    def questions(self, requests: Sequence[QuestionRequest]) -> Enriched[Questions]:
        return self._enrich(Task.QUESTIONS, requests)

    def propositions(self, requests: Sequence[PropositionRequest]) -> Enriched[Proposition]:
        done = self._enrich(Task.PROPOSITIONS, requests)
        return replace(done, answers=tuple(proposition for answer in done.answers for proposition in answer))

    def chunk_plan(self, requests: Sequence[PlanRequest]) -> Enriched[Plan]:
        return self._enrich(Task.CHUNK_PLAN, requests)

    def verify_plan(self, requests: Sequence[VerifyRequest]) -> Enriched[PlanVerdict]:
        return self._enrich(Task.VERIFY_PLAN, requests)

    def classify_practice_area(self, requests: Sequence[PracticeAreaRequest]) -> Enriched[Classification]:
        return self._enrich(Task.CLASSIFY_PRACTICE_AREA, requests)

    def classify_document(self, requests: Sequence[DocumentRequest]) -> Enriched[Classification]:
        return self._enrich(Task.CLASSIFY_DOCUMENT, requests)

    def close(self) -> None:
        self.journal.close()
        self._service.close()

    # -- asking -------------------------------------------------------------------------------------------------------

    def _enrich(self, task: Task, requests: Sequence[Any]) -> Enriched[Any]:
        """Ask about every page; ask once more, with the reason, about refused answers."""
        states = [_PageState(page) for page in pages.PAGES[task](requests, self.generator(task))]
        model = self._models[task]
        usage: dict[str, Usage] = {}
        stopped: LanguageModelError | None = None
        work = [(state, state.page.ids) for state in states if state.page.ids]
        for again in (False, True):
            sent = [
                (state, ids, page_request(state.page, ids, model, state.reasons(ids) if again else None))
                for state, ids in work
            ]
            delivery = self._deliver([request for _, _, request in sent])
            stopped = stopped or delivery.stopped
            counted: set[str] = set()
            work = []
            for state, ids, request in sent:
                outcome = delivery.outcomes[request.key]
                if isinstance(outcome, Reply) and request.key not in counted:
                    counted.add(request.key)
                    document = request.document_id
                    usage[document] = usage.get(document, Usage()) + outcome.usage
                work.extend((state, part) for part in state.take(ids, outcome))
            if not work:
                break
        return Enriched(
            tuple(state.best[name] for state in states for name in state.page.ids if name in state.best),
            tuple(
                Unanswered(state.page.document_id, name, state.refused[name], state.batches.get(name))
                for state in states
                for name in state.page.ids
                if name not in state.accepted
            ),
            {document: used for document, used in usage.items() if used.requests},
            stopped,
        )

    def _deliver(self, requests: Sequence[Request]) -> Delivery:
        distinct = list({request.key: request for request in requests}.values())
        with self._one_at_a_time:
            if self._by_batch(distinct):
                return batches.deliver(distinct, self._service, self.journal, self._policy)
            done = interactive.deliver(
                distinct, self._service, self.journal, self._policy, self._settings.llm_concurrency
            )
            if done.batched:
                # a run before this one put them into a batch: their answers are paid for and are fetched, not requested again
                fetched = batches.deliver(done.batched, self._service, self.journal, self._policy)
                done = Delivery(done.outcomes | fetched.outcomes, [], done.stopped or fetched.stopped)
            return done

    def _by_batch(self, requests: Sequence[Request]) -> bool:
        mode = self._settings.llm_mode
        if mode == "auto":
            return len({request.document_id for request in requests}) >= self._settings.llm_batch_documents
        return mode == "batch"

    def _folded(
        self, requests: Sequence[SummaryRequest]
    ) -> tuple[list[SummaryRequest], dict[str, Usage], list[Unanswered], LanguageModelError | None]:
        """Return requests whose texts fit one prompt; a longer request gets summaries of runs of its texts in place of the texts."""
        fitting: list[SummaryRequest] = []
        usage: dict[str, Usage] = {}
        lost: list[Unanswered] = []
        stopped: LanguageModelError | None = None
        for request in requests:
            runs = pages.summary_runs(request.texts, self._models[Task.SUMMARISE])
            if len(runs) == 1:
                fitting.append(request)
                continue
            parts = self.summarise(
                [replace(request, node_id=f"{request.node_id}#{i}", texts=run) for i, run in enumerate(runs, 1)]
            )
            usage = _merged(usage, parts.usage)
            stopped = stopped or parts.stopped
            if parts.unanswered:
                left = next((part for part in parts.unanswered if part.batch is not None), parts.unanswered[0])
                lost.append(Unanswered(request.document_id, request.node_id, left.reason, left.batch))
            else:
                fitting.append(replace(request, texts=tuple(answer.text for answer in parts.answers)))
        return fitting, usage, lost, stopped


def model_of(settings: Settings, task: Task) -> str:
    """Return the model that the settings name for `task`. Raises `ConfigurationError` for an unknown task in the settings."""
    if unknown := [name for name in settings.llm_models if name not in list(Task)]:
        raise ConfigurationError(
            f"{Settings.environment_name('llm_models')}: no task {unknown[0]!r}; tasks: {', '.join(Task)}"
        )
    return settings.llm_models.get(task, settings.llm_plan_model if task in _PLANNING else settings.llm_model)


@dataclass
class _PageState(Generic[A]):
    """The state of a page: accepted answers, and the reasons for which others were refused."""

    page: Page[A]
    accepted: dict[str, A] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)
    usable: dict[str, A] = field(default_factory=dict)
    #: The Message Batches whose results will hold the answers, by id.
    batches: dict[str, str] = field(default_factory=dict)

    @property
    def best(self) -> dict[str, A]:
        """Accepted answers, and the usable parts of refused answers."""
        return self.usable | self.accepted

    def reasons(self, ids: Sequence[str]) -> dict[str, str]:
        return {name: self.refused[name] for name in ids}

    def take(self, ids: tuple[str, ...], outcome: Outcome) -> list[tuple[str, ...]]:
        """Judge the outcome for `ids`; return the groups of ids to ask about again."""
        if isinstance(outcome, NoReply):
            self.refused.update(dict.fromkeys(ids, outcome.reason))
            if outcome.batch is not None:
                self.batches.update(dict.fromkeys(ids, outcome.batch))
            return []
        if outcome.stop_reason == "max_tokens":
            self.refused.update(dict.fromkeys(ids, "the answer was longer than an answer may be"))
            middle = -(-len(ids) // 2)
            return [part for part in (ids[:middle], ids[middle:]) if part]
        checked = self._judge(ids, outcome)
        self.accepted.update(checked.accepted)
        self.refused.update(checked.rejected)
        self.usable.update(checked.usable)
        if checked.rejected:
            _log.info(
                "%s of %s: %d of %d answers refused",
                self.page.task,
                self.page.document_id,
                len(checked.rejected),
                len(ids),
            )
        return [rest] if (rest := tuple(name for name in ids if name in checked.rejected)) else []

    def _judge(self, ids: tuple[str, ...], reply: Reply) -> Checked[A]:
        if reply.stop_reason == "refusal":
            return Checked(rejected=dict.fromkeys(ids, "the model declined to answer"))
        try:
            answer: Any = json.loads(reply.text)
        except ValueError:
            return Checked(rejected=dict.fromkeys(ids, f"the answer is not JSON (stopped by {reply.stop_reason})"))
        if problem := mismatch(answer, SCHEMAS[self.page.task]):
            return Checked(rejected=dict.fromkeys(ids, problem))
        return self.page.check(answer, ids)


def _merged(first: Mapping[str, Usage], second: Mapping[str, Usage]) -> dict[str, Usage]:
    return {name: first.get(name, Usage()) + second.get(name, Usage()) for name in {**first, **second}}

"""The language model's part in chunking: the documents that it is asked about, and the metadata about it.

Not here: requests (`enrichment.adviser`), and chunking (`chunking`).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence
from typing import Any

from legal_pipeline.chunking.chunk import ChunkedDocument
from legal_pipeline.chunking.definitions import HEADED
from legal_pipeline.chunking.plan_rules import document_types, type_by_name
from legal_pipeline.chunking.registry import STRATEGIES
from legal_pipeline.enrichment.adviser import Adviser
from legal_pipeline.enrichment.enricher import Task
from legal_pipeline.errors import LanguageModelError
from legal_pipeline.model.document import Document
from legal_pipeline.processing.enrichment import NAMED, spent
from legal_pipeline.processing.stage import Batch, Stamp

#: The setting that enables each task.
KINDS = {
    Task.CHUNK_PLAN: "plans",
    Task.VERIFY_PLAN: "plans",
    Task.CLASSIFY_DOCUMENT: "plans",
    Task.PROPOSITIONS: "propositions",
}
#: Facts of a stamp: the tasks that apply to the document (enabled or not), and the number of questions without an answer.
TASKS, UNANSWERED = "model_tasks", "unanswered"


class Advice:
    """The advice in one run of the `chunks` stage."""

    def __init__(self, batch: Batch) -> None:
        self._kinds = batch.resources.settings.enrichments
        self._adviser = Adviser(lambda: batch.resources.enricher)
        self._classified: dict[str, str] = {}

    @property
    def planner(self) -> Adviser | None:
        """Return the adviser, which the strategy `llm_plan` asks for plans; None if the settings leave out `plans`."""
        return self._adviser if "plans" in self._kinds else None

    @property
    def proposer(self) -> Adviser | None:
        """Return the same adviser, which the strategy `proposition` asks for definitions; None if the settings leave out `propositions`."""
        return self._adviser if "propositions" in self._kinds else None

    def typed(self, documents: Sequence[Document]) -> list[Document]:
        """Return `documents` with types: a document of the immigration profile without a type gets it from its file name, else from the
        model."""
        unknown = [document for document in documents if _is_untyped(document)]
        asked = [document for document in unknown if type_by_name(document.source_file) is None]
        self._classified = dict.fromkeys((document.document_id for document in asked), "other")
        if self.planner is not None:
            self._classified |= self.planner.doc_types(asked, document_types())
        named = {document.document_id: type_by_name(document.source_file) for document in unknown} | self._classified
        return [
            dataclasses.replace(document, doc_type=named.get(document.document_id) or document.doc_type)
            for document in documents
        ]

    def stopped(self, document_id: str) -> LanguageModelError | None:
        """Return the error that kept the enricher from asking about the document (a budget, an outage); None without one.

        Such a document is not finished: the next run asks about it again.
        """
        return self._adviser.stopped.get(document_id)

    def facts(self, document: Document, chunked: ChunkedDocument) -> dict[str, Any]:
        """Return the facts for the document's stamp; empty for a document that needs no model."""
        facts: dict[str, Any] = {}
        if tasks := self._tasks(document, chunked):
            facts[TASKS] = tasks
        planned = [chunk for chunk in chunked.chunks if STRATEGIES[chunk.strategy].planned]
        if planned:
            facts["planned_by"] = planned[0].generator
            if fallback := planned[0].metadata.get("plan_fallback"):
                facts["plan_fallback"] = fallback
        if refused := self._adviser.refused.get(document.document_id):
            facts |= {UNANSWERED: len(refused), "unanswered_reasons": refused[:NAMED]}
        return facts

    def spent(self, document_id: str) -> dict[str, Any]:
        """Return requests, tokens and dollars of this run, for the report."""
        return spent(self._adviser.usage.get(document_id))

    def _tasks(self, document: Document, chunked: ChunkedDocument) -> list[str]:
        tasks = {Task.CLASSIFY_DOCUMENT} if document.document_id in self._classified else set()
        for strategy, reason in chunked.route:
            if strategy not in STRATEGIES:
                continue  # an amending act is not chunked
            if STRATEGIES[strategy].planned:
                tasks.add(Task.CHUNK_PLAN)
                if document.doc_type == "appeal_decision":
                    tasks.add(Task.VERIFY_PLAN)
            if STRATEGIES[strategy].unresolved is not None and reason.startswith(HEADED):
                tasks.add(Task.PROPOSITIONS)
        return sorted(tasks)


def generators(batch: Batch, tasks: Iterable[str]) -> dict[str, str]:
    """Return the generators of the enabled tasks among `tasks`: an input of the chunks."""
    on = [Task(task) for task in tasks if KINDS[Task(task)] in batch.resources.settings.enrichments]
    return {task: str(batch.resources.enricher.generator(task)) for task in on}


def is_answered(stamp: Stamp) -> bool:
    """Return whether no question is left without an answer. Answers in the journal cost nothing if they are requested again."""
    return not stamp.facts.get(UNANSWERED)


def _is_untyped(document: Document) -> bool:
    return document.metadata.get("profile") == "immigration" and document.doc_type == "other"

"""The questions of chunking, answered by an `Enricher`: chunk plans, propositions that the rules did not find, document types.

Not here: the prompts and the checks of answers (`enrichment.pages`, `enrichment.validation`), and the use of the answers (`chunking`).
"""

from __future__ import annotations

import functools
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from legal_pipeline.chunking.plan import RULES, ChunkPlan, ExcludedLines, plan_text
from legal_pipeline.chunking.plan_rules import plan_by_rules
from legal_pipeline.chunking.strategy import Proposed, Unresolved
from legal_pipeline.enrichment.enricher import (
    DocumentRequest,
    Enriched,
    Enricher,
    PlanRequest,
    PropositionRequest,
    Usage,
    VerifyRequest,
)
from legal_pipeline.errors import LanguageModelError, WaitingForBatchError
from legal_pipeline.model.document import Document
from legal_pipeline.text.tokens import count_tokens

#: Maximum tokens (o200k) of a document in one plan request; the rest of a 200,000-token context window is for thinking and the plan.
MAX_PLAN_TOKENS = 100_000
#: Number of characters, from the start of a document, that its type is determined from.
_BEGINNING = 6_000


class Adviser:
    """A `Planner` and a `Proposer` of one run. The enricher is created at the first request.

    By document id: `usage` is the cost of paid answers; `refused` holds what was left out and why; `stopped` is the error for which the
    enricher did not ask (a budget, an outage), so that the next run has to ask again.
    """

    def __init__(self, make_enricher: Callable[[], Enricher]) -> None:
        self._make_enricher = make_enricher
        self.usage: dict[str, Usage] = {}
        self.refused: dict[str, list[str]] = defaultdict(list)
        self.stopped: dict[str, LanguageModelError] = {}

    def plan(self, documents: Sequence[Document]) -> list[ChunkPlan | Exception]:
        """See `Planner`. If the model gives no valid plan, the rules make the plan, and `fallback` holds the reason.

        A document in `stopped` gets the error instead. If the rules cut it now, the next run would cut it again: it would be published
        twice, and everything made from its chunks would be paid for twice.
        """
        reasons = {document.document_id: reason for document in documents if (reason := _too_long(document))}
        plans = self._plans([document for document in documents if document.document_id not in reasons], reasons)
        appeals = [
            VerifyRequest(document, plans[document.document_id])
            for document in documents
            if document.doc_type == "appeal_decision"
            and document.document_id in plans
            and plans[document.document_id].generator != RULES
        ]
        self._verify(appeals, plans, reasons)
        out: list[ChunkPlan | Exception] = []
        for document in documents:
            document_id = document.document_id
            if document_id in plans:
                out.append(plans[document_id])
            elif document_id in self.stopped:
                out.append(self.stopped[document_id])
            else:
                self.refused[document_id].append(f"plan: {reasons[document_id]}")
                out.append(replace(plan_by_rules(document), fallback=reasons[document_id]))
        return out

    def propose(self, asked: Sequence[Unresolved]) -> list[tuple[Proposed, ...]]:
        """See `Proposer`. A proposition that its source lines do not support is left out."""
        requests = [
            PropositionRequest(
                item.document.document_id,
                f"{item.citation}#{number}",
                item.document.title,
                item.citation,
                item.document.language,
                item.text,
            )
            for number, item in enumerate(asked, 1)
        ]
        if not requests:
            return []
        done = self._enricher.propositions(requests)
        self._account(done)
        for request in done.unanswered:
            self.refused[request.document_id].append(
                f"propositions of {request.id.rpartition('#')[0]}: {request.reason}"
            )
        found: dict[tuple[str, str], list[Proposed]] = defaultdict(list)
        texts = {(request.document_id, request.request_id): request.text for request in requests}
        for answer in done.answers:
            key = (answer.document_id, answer.request_id)
            first, last = (texts[key].count("\n", 0, at) + 1 for at in (answer.start, answer.end))
            found[key].append(Proposed(answer.term, answer.text, first, last, answer.number, str(answer.generator)))
        return [tuple(found[request.document_id, request.request_id]) for request in requests]

    def doc_types(self, documents: Sequence[Document], types: Mapping[str, str]) -> dict[str, str]:
        """Return the type of each document by id, out of `types` (name to description); documents without an answer are left out."""
        requests = [
            DocumentRequest(
                document.document_id, document.title, document.source_file, document.text[:_BEGINNING], types
            )
            for document in documents
        ]
        if not requests:
            return {}
        done = self._enricher.classify_document(requests)
        self._account(done)
        for request in done.unanswered:
            self.refused[request.document_id].append(f"type: {request.reason}")
        return {answer.document_id: answer.label for answer in done.answers}

    @functools.cached_property
    def _enricher(self) -> Enricher:
        return self._make_enricher()

    def _plans(self, documents: Sequence[Document], reasons: dict[str, str]) -> dict[str, ChunkPlan]:
        if not documents:
            return {}
        done = self._enricher.chunk_plan([PlanRequest(document) for document in documents])
        self._account(done)
        reasons |= {request.document_id: request.reason for request in done.unanswered}
        return {answer.document_id: answer.plan for answer in done.answers}

    def _verify(self, asked: Sequence[VerifyRequest], plans: dict[str, ChunkPlan], reasons: dict[str, str]) -> None:
        """Remove denied arguments from `plans`, and plans that could not be verified."""
        if not asked:
            return
        done = self._enricher.verify_plan(asked)
        self._account(done)
        for request in done.unanswered:
            reasons[request.document_id] = f"not verified: {request.reason}"
            del plans[request.document_id]
        for verdict in done.answers:
            document_id = verdict.document_id
            plan = plans[document_id]
            denied = [chunk for number, chunk in enumerate(plan.chunks) if number in verdict.denied]
            if not denied:
                continue
            why = "; ".join(verdict.denied[number] for number in sorted(verdict.denied))
            if len(denied) == len(plan.chunks):
                reasons[document_id] = f"every planned chunk carries a denied argument: {why}"
                del plans[document_id]
                continue
            self.refused[document_id].append(f"{len(denied)} planned chunks carry a denied argument: {why}")
            plans[document_id] = replace(
                plan,
                chunks=tuple(chunk for chunk in plan.chunks if chunk not in denied),
                excluded=(
                    *plan.excluded,
                    *(ExcludedLines(chunk.start_line, chunk.end_line, "denied_argument") for chunk in denied),
                ),
            )

    def _account(self, done: Enriched[Any]) -> None:
        for document_id, usage in done.usage.items():
            self.usage[document_id] = self.usage.get(document_id, Usage()) + usage
        for request in done.unanswered:
            if request.batch is not None:
                self.stopped[request.document_id] = WaitingForBatchError([request.batch])
            elif done.stopped is not None and not isinstance(done.stopped, WaitingForBatchError):
                self.stopped.setdefault(request.document_id, done.stopped)


def _too_long(document: Document) -> str | None:
    text = plan_text(document)
    if len(text.encode()) <= MAX_PLAN_TOKENS or (tokens := count_tokens(text)) <= MAX_PLAN_TOKENS:
        return None
    return f"{tokens} tokens are more than one plan is asked about ({MAX_PLAN_TOKENS})"

"""The enricher without a language model: deterministic, offline, free.

Prefixes and questions come from forms (`enrichment.forms`), summaries are sentences of the text (`enrichment.centroid`), propositions and
chunk plans come from the rules of `chunking`. A request that rules cannot answer is left unanswered, with that reason. Not here: Claude.
"""

from __future__ import annotations

import functools
import re
from collections import Counter
from collections.abc import Mapping, Sequence

from legal_pipeline.chunking import llm_plan, proposition
from legal_pipeline.chunking.chunk import Segment
from legal_pipeline.chunking.definitions import HEADED
from legal_pipeline.chunking.plan_rules import plan_by_rules
from legal_pipeline.enrichment import forms
from legal_pipeline.enrichment.centroid import central_sentences
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
    VerifyRequest,
)
from legal_pipeline.enrichment.practice_areas import taxonomy
from legal_pipeline.enrichment.validation import QUESTIONS_PER_CHUNK
from legal_pipeline.errors import ChunkingError
from legal_pipeline.model.document import Document, Node

NAME = "extractive"

#: Incremented, per task, when the same request gets a different answer.
VERSIONS: Mapping[Task, str] = dict.fromkeys(Task, "1") | {
    Task.PROPOSITIONS: f"1.{proposition.STRATEGY.version}",
    Task.CHUNK_PLAN: f"1.{llm_plan.STRATEGY.version}",
}

_NO_RULES = "the extractive enricher (without a language model) has no rules for this; it needs a language model"
_SECTION = re.compile(r"(?:Section|Sec\.|Article|Artikel|§)?\s*(\d+\s?[A-Za-z]{0,2})\s*§?")


class ExtractiveEnricher:
    """See `Enricher`. Equal requests give equal answers, independent of their order and of other requests."""

    def generator(self, task: Task) -> Generator:
        return Generator(NAME, VERSIONS[task])

    def context_prefixes(self, requests: Sequence[PrefixRequest]) -> Enriched[ContextPrefix]:
        made_by = self.generator(Task.CONTEXT_PREFIXES)
        return Enriched(
            tuple(
                ContextPrefix(
                    request.document_id,
                    passage.chunk_id,
                    forms.prefix(passage, request.title, request.language),
                    made_by,
                )
                for request in requests
                for part in request.parts
                for passage in part.passages
            )
        )

    def summarise(self, requests: Sequence[SummaryRequest]) -> Enriched[Summary]:
        made_by = self.generator(Task.SUMMARISE)
        answers, unanswered = [], []
        for request in requests:
            enumerator = forms.forms_for(request.language).enumerator
            text = central_sentences(request.texts, request.language, request.budget_tokens, enumerator)
            if text:
                answers.append(Summary(request.document_id, request.node_id, text, made_by))
            else:
                unanswered.append(Unanswered(request.document_id, request.node_id, "there is no text to summarise"))
        return Enriched(tuple(answers), tuple(unanswered))

    def questions(self, requests: Sequence[QuestionRequest]) -> Enriched[Questions]:
        made_by = self.generator(Task.QUESTIONS)
        answers, unanswered = [], []
        for request in requests:
            for passage in request.passages:
                asked = forms.questions(passage, request.title, request.language)
                if len(asked) < QUESTIONS_PER_CHUNK[0]:
                    reason = f"{len(asked)} different questions, expected {QUESTIONS_PER_CHUNK[0]}"
                    unanswered.append(Unanswered(request.document_id, passage.chunk_id, reason))
                else:
                    answers.append(Questions(request.document_id, passage.chunk_id, asked, made_by))
        return Enriched(tuple(answers), tuple(unanswered))

    def propositions(self, requests: Sequence[PropositionRequest]) -> Enriched[Proposition]:
        answers: list[Proposition] = []
        unanswered = []
        for request in requests:
            try:
                answers.extend(self._propositions(request))
            except ChunkingError as error:
                unanswered.append(Unanswered(request.document_id, request.request_id, error.message))
        return Enriched(tuple(answers), tuple(unanswered))

    def classify_practice_area(self, requests: Sequence[PracticeAreaRequest]) -> Enriched[Classification]:
        made_by = self.generator(Task.CLASSIFY_PRACTICE_AREA)
        return Enriched(
            tuple(
                Classification(request.document_id, _area(f"{request.title}\n{request.text}", request.areas), made_by)
                for request in requests
            )
        )

    def chunk_plan(self, requests: Sequence[PlanRequest]) -> Enriched[Plan]:
        made_by = self.generator(Task.CHUNK_PLAN)
        return Enriched(
            tuple(Plan(request.document_id, plan_by_rules(request.document), made_by) for request in requests)
        )

    def verify_plan(self, requests: Sequence[VerifyRequest]) -> Enriched[PlanVerdict]:
        return Enriched(
            (), tuple(Unanswered(request.document_id, request.document_id, _NO_RULES) for request in requests)
        )

    def classify_document(self, requests: Sequence[DocumentRequest]) -> Enriched[Classification]:
        return Enriched(
            (), tuple(Unanswered(request.document_id, request.document_id, _NO_RULES) for request in requests)
        )

    def close(self) -> None:
        """Do nothing: the enricher has no connections."""

    def _propositions(self, request: PropositionRequest) -> list[Proposition]:
        """Return the propositions of the text, read as one definitions section."""
        number = _SECTION.search(request.section)
        node = Node("section", 0, len(request.text), num=number[1] if number else None, eid="definitions")
        document = Document(
            document_id=request.document_id, text=request.text, nodes=(node,), title=request.title, jurisdiction="",
            doc_type="act", language=request.language, format="", parser_version="",
        )  # fmt: skip
        drafts, _ = proposition.chunk(
            document, Segment(proposition.STRATEGY.name, HEADED, ((0, node.end),), ((node, ()),))
        )
        return [
            Proposition(
                document_id=request.document_id,
                request_id=request.request_id,
                term=draft.metadata["terms"][0],
                text=draft.generated or "",
                start=draft.spans[0][0],
                end=draft.spans[-1][1],
                number=None,
                generator=self.generator(Task.PROPOSITIONS),
            )
            for draft in drafts
        ]


def _area(text: str, areas: Mapping[str, str]) -> str:
    """Return the area with the most keywords in the text, each counted up to three times; without any, `other` (else the last area)."""
    lowered = text.lower()
    best, score = next((name for name in areas if name == "other"), list(areas)[-1]), 0
    for name, pattern in _keywords().items():
        if name in areas and pattern is not None:
            counts = Counter(match[0] for match in pattern.finditer(lowered))
            if (found := sum(min(count, 3) for count in counts.values())) > score:
                best, score = name, found
    return best


@functools.cache
def _keywords() -> dict[str, re.Pattern[str] | None]:
    out: dict[str, re.Pattern[str] | None] = {}
    for name, area in taxonomy().items():
        words = area["keywords"]
        assert isinstance(words, list)
        forms_of = [re.escape(word.removesuffix("*")) + (r"\w*" if word.endswith("*") else "") for word in words]
        out[name] = re.compile(rf"\b(?:{'|'.join(forms_of)})\b") if forms_of else None
    return out

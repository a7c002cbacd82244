"""A small Act of our own, in as many sections as a test needs, as requests to an engine. Not here: fixtures."""

from __future__ import annotations

from legal_pipeline.enrichment.enricher import (
    DocumentRequest,
    Part,
    Passage,
    PlanRequest,
    PracticeAreaRequest,
    PrefixRequest,
    PropositionRequest,
    QuestionRequest,
    SummaryRequest,
)
from legal_pipeline.model.document import Document
from legal_pipeline.model.identity import sha256_hex

DUTIES = (
    "An employer shall assess the risks of the work before it begins and keep the record for {n} years.",
    "The authority may inspect a workplace without notice and require the record within {n} days.",
    "Whoever fails to report an accident within {n} hours is liable to a fine not exceeding {n} thousand crowns.",
)


def section(number: int) -> str:
    return f"{number}. " + DUTIES[number % 3].format(n=number)


def chunk_id(document_id: str, text: str) -> str:
    return sha256_hex(f"{document_id}|{text}")[:16]


def passages(document_id: str, texts: list[str]) -> tuple[Passage, ...]:
    return tuple(
        Passage(chunk_id(document_id, text), f"Safety Act > Section {number}", text)
        for number, text in enumerate(texts, 1)
    )


def sections(count: int) -> list[str]:
    return [section(number) for number in range(1, count + 1)]


def prefix_request(document_id: str, texts: list[str], *, asked: list[str] | None = None) -> PrefixRequest:
    """For the chunks with the texts `asked`, by default for all."""
    wanted = [p for p in passages(document_id, texts) if asked is None or p.text in asked]
    return PrefixRequest(document_id, "Safety Act", "eng", (Part("\n\n".join(texts), tuple(wanted)),))


def question_request(document_id: str, texts: list[str]) -> QuestionRequest:
    return QuestionRequest(document_id, "Safety Act", "eng", passages(document_id, texts))


def summary_request(document_id: str, node_id: str, texts: list[str], budget: int = 200) -> SummaryRequest:
    return SummaryRequest(document_id, node_id, 1, "Safety Act > Chapter 1", "eng", tuple(texts), budget)


DEFINITIONS = """2. Definitions
In this Act—
(a) "employer" means a person who has another person work for pay for more than 30 days;
(b) "workplace" means any place where work is done, a vehicle included;
(c) "record" means the written result of an assessment under section 5."""


def proposition_request(document_id: str, text: str = DEFINITIONS) -> PropositionRequest:
    return PropositionRequest(document_id, f"{document_id}#2", "Safety Act 1998", "Section 2", "eng", text)


APPEAL = """The petitioner is a software engineer.

The Director found that judging one hackathon does not show acclaim, and denied the petition.

We disagree. The record shows that the petitioner judged 500 entries in an international competition in 2023.

The evidence is sufficient for the criterion of judging the work of others."""


def plan_document(document_id: str, text: str = APPEAL, doc_type: str = "appeal_decision") -> Document:
    return Document(
        document_id=document_id, text=text, nodes=(), title="Matter of A-", jurisdiction="us", doc_type=doc_type, language="eng",
        format="test", parser_version="1",
    )  # fmt: skip


def plan_request(document_id: str, text: str = APPEAL, doc_type: str = "appeal_decision") -> PlanRequest:
    return PlanRequest(plan_document(document_id, text, doc_type))


AREAS = {"labour": "employment, safety at work", "tax": "income tax, VAT"}


def area_request(document_id: str, text: str = "The dismissal was unlawful.") -> PracticeAreaRequest:
    return PracticeAreaRequest(document_id, "A v B", "eng", text, AREAS)


TYPES = {"judgment": "a decision of a court", "act": "a statute"}


def document_request(document_id: str, text: str = "IN THE HIGH COURT. Judgment.") -> DocumentRequest:
    return DocumentRequest(document_id, "A v B", "a-v-b.txt", text, TYPES)

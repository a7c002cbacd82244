"""The interface of an enricher: the `Enricher` protocol, its requests and its answers.

Every task takes the requests of all documents of a run at once, so that an enricher can pool them. Not here: the enrichers, the journal,
and the tables that hold the answers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass, field
from enum import StrEnum
from typing import Generic, Protocol, TypeVar

from legal_pipeline.chunking.plan import ChunkPlan
from legal_pipeline.errors import LanguageModelError
from legal_pipeline.model.document import Document


class Task(StrEnum):
    """The tasks, named as the methods of `Enricher`."""

    CONTEXT_PREFIXES = "context_prefixes"
    SUMMARISE = "summarise"
    QUESTIONS = "questions"
    PROPOSITIONS = "propositions"
    CHUNK_PLAN = "chunk_plan"
    CLASSIFY_PRACTICE_AREA = "classify_practice_area"
    CLASSIFY_DOCUMENT = "classify_document"
    VERIFY_PLAN = "verify_plan"


@dataclass(frozen=True)
class Generator:
    """The maker of the answers of one task, part of every input hash and stored in every row.

    `name` is the model (`extractive`, `claude-haiku-5-5`). `version` changes whenever the same request could be answered differently
    (prompt, checks, algorithm).
    """

    name: str
    version: str

    def __str__(self) -> str:
        return f"{self.name}/{self.version}"


# -- requests ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Passage:
    """A chunk that a request asks about. `headings` are its ancestors' headings, outermost first, without the document's title."""

    chunk_id: str
    header: str
    text: str
    path: str = ""
    chunk_type: str = ""
    headings: tuple[str, ...] = ()


@dataclass(frozen=True)
class Part:
    """The text of a document that one request shows: all of it or, if it is too long, a division or chapter with its label.

    `passages` are the chunks of this part that are asked about; there may be none. See `enrichment.parts`.
    """

    text: str
    passages: tuple[Passage, ...]
    label: str = ""


@dataclass(frozen=True)
class PrefixRequest:
    """A prefix of 50-100 tokens for every passage of every part."""

    document_id: str
    title: str
    language: str
    parts: tuple[Part, ...]

    @property
    def ids(self) -> tuple[str, ...]:
        return tuple(passage.chunk_id for part in self.parts for passage in part.passages)


@dataclass(frozen=True)
class SummaryRequest:
    """One summary of `texts` (chunks, or the summaries one level below, in order). `level`: 1 for a chapter, 0 for an Act or an area."""

    document_id: str
    node_id: str
    level: int
    title: str
    language: str
    texts: tuple[str, ...]
    budget_tokens: int


@dataclass(frozen=True)
class QuestionRequest:
    """Three to five questions that each passage answers, as a lawyer asks them."""

    document_id: str
    title: str
    language: str
    passages: tuple[Passage, ...]


@dataclass(frozen=True)
class PropositionRequest:
    """The definitions in `text` (a definitions section, or lines of it), each as a separate proposition.

    `section` is the section as cited (`Section 2`). `request_id` is unique in the call: a document may have several such sections.
    """

    document_id: str
    request_id: str
    title: str
    section: str
    language: str
    text: str


@dataclass(frozen=True)
class PlanRequest:
    """A chunk plan over the lines of a document (`chunking.plan.source_lines`): a regulation, precedent_case or appeal_decision."""

    document: Document

    @property
    def document_id(self) -> str:
        return self.document.document_id


@dataclass(frozen=True)
class VerifyRequest:
    """Whether the planned chunks contain a denied argument: the second pass over an appeal decision."""

    document: Document
    plan: ChunkPlan

    @property
    def document_id(self) -> str:
        return self.document.document_id


@dataclass(frozen=True)
class PracticeAreaRequest:
    """The area of `areas` (id to description) that the judgment belongs to; `text` is its headnote, or its beginning."""

    document_id: str
    title: str
    language: str
    text: str
    areas: Mapping[str, str]


@dataclass(frozen=True)
class DocumentRequest:
    """The type of the document, out of `types` (name to description); `text` is its beginning."""

    document_id: str
    title: str
    filename: str
    text: str
    types: Mapping[str, str]


# -- answers ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ContextPrefix:
    document_id: str
    chunk_id: str
    text: str
    generator: Generator


@dataclass(frozen=True)
class Summary:
    document_id: str
    node_id: str
    text: str
    generator: Generator


@dataclass(frozen=True)
class Questions:
    document_id: str
    chunk_id: str
    questions: tuple[str, ...]
    generator: Generator


@dataclass(frozen=True)
class Proposition:
    """A definition as a sentence that can be read alone.

    `start` and `end` are its source in the request's text; the term occurs in both. `number` is the number of the definition itself (`9`
    in Section 2(9)), None if it has none.
    """

    document_id: str
    request_id: str
    term: str
    text: str
    start: int
    end: int
    number: str | None
    generator: Generator


@dataclass(frozen=True)
class Plan:
    """A chunk plan that `chunking.plan.validate_plan` accepts for the document."""

    document_id: str
    plan: ChunkPlan
    generator: Generator


@dataclass(frozen=True)
class PlanVerdict:
    """`denied`: per index into the plan's chunks, the reason why that chunk carries a denied argument and must not be published."""

    document_id: str
    denied: Mapping[int, str]
    generator: Generator


@dataclass(frozen=True)
class Classification:
    document_id: str
    label: str
    generator: Generator


@dataclass(frozen=True)
class Unanswered:
    """A request, or an item of a request, without an answer, and the reason.

    `id` is the id in the request: of a chunk, node, request or document. `batch` is the Message Batch whose results will hold the answer
    ("": its id is not known), None if there is no such batch.
    """

    document_id: str
    id: str
    reason: str
    batch: str | None = None


@dataclass(frozen=True)
class Usage:
    """The cost of answers. `requests` and tokens count paid calls only: an answer from the journal costs nothing."""

    requests: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cache_read_tokens: int = 0
    cache_write_tokens: int = 0
    cost_usd: float = 0.0

    def __add__(self, other: Usage) -> Usage:
        return Usage(*(mine + theirs for mine, theirs in zip(astuple(self), astuple(other), strict=True)))

    def __str__(self) -> str:
        cached = f", {self.cache_read_tokens:,} read from and {self.cache_write_tokens:,} written to the cache"
        return (
            f"{self.requests:,} requests: {self.input_tokens:,} tokens in, {self.output_tokens:,} out"
            f"{cached if self.cache_read_tokens or self.cache_write_tokens else ''}, ${self.cost_usd:.4f}"
        )


A = TypeVar("A")


@dataclass(frozen=True)
class Enriched(Generic[A]):
    """Answers in the order of the requests, and the ids without an answer.

    An answer that fails its checks is in `unanswered`: every requested id is in one of the two, and in both only where part of its answer
    was left out. `usage` is per document id, of paid calls only. `stopped` is set if the enricher stopped asking before the end
    (`BudgetExceededError`, `LanguageModelUnavailableError`, `WaitingForBatchError`): use the answers first, then raise it.
    """

    answers: tuple[A, ...]
    unanswered: tuple[Unanswered, ...] = ()
    usage: Mapping[str, Usage] = field(default_factory=dict)
    stopped: LanguageModelError | None = None

    @property
    def total(self) -> Usage:
        return sum(self.usage.values(), Usage())


class Enricher(Protocol):
    """An enricher. Methods do not raise for a single bad answer or document: it is in `unanswered`. They raise `ConfigurationError` for a
    missing key or model."""

    def generator(self, task: Task) -> Generator:
        """Return the generator of answers to `task`; known without a call, for input hashes."""
        ...

    def context_prefixes(self, requests: Sequence[PrefixRequest]) -> Enriched[ContextPrefix]: ...

    def summarise(self, requests: Sequence[SummaryRequest]) -> Enriched[Summary]: ...

    def questions(self, requests: Sequence[QuestionRequest]) -> Enriched[Questions]: ...

    def propositions(self, requests: Sequence[PropositionRequest]) -> Enriched[Proposition]:
        """Any number of propositions per request; an answered request with no proposition is in neither list."""
        ...

    def chunk_plan(self, requests: Sequence[PlanRequest]) -> Enriched[Plan]: ...

    def verify_plan(self, requests: Sequence[VerifyRequest]) -> Enriched[PlanVerdict]: ...

    def classify_practice_area(self, requests: Sequence[PracticeAreaRequest]) -> Enriched[Classification]: ...

    def classify_document(self, requests: Sequence[DocumentRequest]) -> Enriched[Classification]: ...

    def close(self) -> None:
        """Close connections; the enricher is not used after that."""
        ...

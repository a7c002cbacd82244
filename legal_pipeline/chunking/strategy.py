"""The interface of a strategy, and its inputs besides the document: vectors, and answers of a language model.

Not here: the list of strategies (`chunking.registry`) and the strategies themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from legal_pipeline.chunking.chunk import Draft, Exclusion, Segment, Span
from legal_pipeline.chunking.outline import excluded_spans
from legal_pipeline.chunking.plan import ChunkPlan
from legal_pipeline.model.document import Document

Vectors = NDArray[np.float32]
Cut = tuple[list[Draft], list[Exclusion]]


class Encoder(Protocol):
    """Vectors for strategies that cut by meaning; `pipeline` passes the embedding model in."""

    @property
    def name(self) -> str:
        """Name of model and weights: it is part of the inputs from which the chunks were computed."""
        ...

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Return (n, dimension) float32, unit length, in the order of `texts`."""
        ...


class Planner(Protocol):
    """Makes chunk plans for `llm_plan`; `stages` passes a language model in. Without a planner, rules make the plan."""

    def plan(self, documents: Sequence[Document]) -> list[ChunkPlan | Exception]:
        """Return per document, in order, a plan over the lines of `chunking.plan.plan_text`, or the error for which it must not be cut now;
        an invalid plan is refused when it is applied."""
        ...


@dataclass(frozen=True)
class Unresolved:
    """Lines of a section that defines terms in which rules found no definition: spans of the document's text, each without a line
    break. `citation` is the section as the language of the document cites it."""

    document: Document
    citation: str
    lines: tuple[Span, ...]

    @property
    def text(self) -> str:
        """Return the lines joined by newlines: line n of the text is `lines[n - 1]`."""
        return "\n".join(self.document.text[start:end] for start, end in self.lines)


@dataclass(frozen=True)
class Proposed:
    """A proposition that a language model made of lines `first` to `last` (from 1, both included) of an `Unresolved`. `term` occurs in
    them and in `text`; `number` is the number of the definition; `generator` names model and prompt."""

    term: str
    text: str
    first: int
    last: int
    number: str | None
    generator: str


class Proposer(Protocol):
    """Makes propositions for lines that rules did not resolve; `stages` passes a language model in."""

    def propose(self, asked: Sequence[Unresolved]) -> list[tuple[Proposed, ...]]:
        """Return the propositions for each item of `asked`, in order; an empty tuple where nothing is defined."""
        ...


@dataclass(frozen=True)
class Tools:
    """`vectors` are those of the strategy's own `pieces` of this segment, (n, dimension) float32; `parameters` override its defaults;
    `plan` is the planner's answer about this document, None for a plan by rules; `proposed` the proposer's, one per item of the
    strategy's own `unresolved`; `model` names the model of the vectors; `excluded` are the spans that the router excluded, so that no
    strategy walks the tree for them again."""

    vectors: Vectors | None = None
    parameters: dict[str, Any] = field(default_factory=dict)
    plan: ChunkPlan | None = None
    proposed: tuple[tuple[Proposed, ...], ...] = ()
    model: str | None = None
    excluded: tuple[Span, ...] | None = None

    def holes(self, document: Document) -> Sequence[Span]:
        """Return the spans that no strategy cuts, in text order."""
        return excluded_spans(document) if self.excluded is None else self.excluded


@dataclass(frozen=True)
class Strategy:
    """`chunk` cuts one segment. `pieces`, if set, returns the texts whose vectors `chunk` needs: `chunking.cut` encodes the pieces of
    all documents of a batch in one call. `planned`: the strategy cuts after a plan. `unresolved` returns the questions for a language
    model about the segment. `version` is raised whenever the chunks change for any document."""

    name: str
    version: str
    chunk: Callable[[Document, Segment, Tools], Cut]
    pieces: Callable[[Document, Segment, Tools], list[str]] | None = None
    planned: bool = False
    unresolved: Callable[[Document, Segment, Tools], list[Unresolved]] | None = None

"""What a strategy is, and what it may use besides the document: vectors, and what a language model says.

Not here: the list of strategies (`chunking.registry`) and any single one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from legal_pipeline.chunking.chunk import Draft, Exclusion, Segment, Span
from legal_pipeline.chunking.outline import excluded_nodes
from legal_pipeline.chunking.plan import ChunkPlan
from legal_pipeline.model.document import Document

Vectors = NDArray[np.float32]
Cut = tuple[list[Draft], list[Exclusion]]


class Encoder(Protocol):
    """Vectors for strategies that cut by meaning; `pipeline` passes the embedding model in."""

    @property
    def name(self) -> str:
        """Names model and weights: it is part of what the chunks were computed from."""
        ...

    def encode(self, texts: Sequence[str]) -> Vectors:
        """(n, dimension) float32, unit length, in the order of `texts`."""
        ...


class Planner(Protocol):
    """Chunk plans for `llm_plan`; `stages` passes a language model in, and without one the plan is made by rules."""

    def plan(self, documents: Sequence[Document]) -> list[ChunkPlan | Exception]:
        """Per document, in their order, a plan over the lines of `chunking.plan.plan_text`, or why it must not be cut now; a plan that
        is not valid is refused when it is applied."""
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
        """One line per line, from 1."""
        return "\n".join(self.document.text[start:end] for start, end in self.lines)


@dataclass(frozen=True)
class Proposed:
    """A proposition that a language model made of lines `first` to `last` (from 1, both included) of what it was shown. `term` stands in
    them and in `text`; `number` is the definition's own; `generator` names model and prompt."""

    term: str
    text: str
    first: int
    last: int
    number: str | None
    generator: str


class Proposer(Protocol):
    """Propositions for what rules did not resolve; `stages` passes a language model in."""

    def propose(self, asked: Sequence[Unresolved]) -> list[tuple[Proposed, ...]]:
        """The propositions in each, in the order of `asked`; none where nothing is defined."""
        ...


@dataclass(frozen=True)
class Tools:
    """`vectors` are those of the strategy's own `pieces` of this segment, (n, dimension) float32; `parameters` override its defaults;
    `plan` is the planner's answer about this document, None for a plan by rules; `proposed` the proposer's, one per item of the
    strategy's own `unresolved`; `model` names what made the vectors; `excluded` are the
    spans that the router found to be excluded, so that the tree is not walked for them again by each strategy."""

    vectors: Vectors | None = None
    parameters: dict[str, Any] = field(default_factory=dict)
    plan: ChunkPlan | None = None
    proposed: tuple[tuple[Proposed, ...], ...] = ()
    model: str | None = None
    excluded: tuple[Span, ...] | None = None

    def holes(self, document: Document) -> Sequence[Span]:
        """Spans in text order that no strategy cuts."""
        if self.excluded is not None:
            return self.excluded
        return [(item.start, item.end) for item in excluded_nodes(document)]


@dataclass(frozen=True)
class Strategy:
    """`chunk` cuts one segment. `pieces`, where there is one, gives the texts whose vectors `chunk` needs: the router has the pieces of
    all documents of a batch encoded in one call. `planned` says that it cuts after a plan, `unresolved` what a language model may be
    asked about the segment. `version` is raised whenever the chunks change for any document."""

    name: str
    version: str
    chunk: Callable[[Document, Segment, Tools], Cut]
    pieces: Callable[[Document, Segment, Tools], list[str]] | None = None
    planned: bool = False
    unresolved: Callable[[Document, Segment, Tools], list[Unresolved]] | None = None

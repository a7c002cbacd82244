"""What a strategy is, and what it may use besides the document.

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
from legal_pipeline.corpus.document import Document

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
    """Chunk plans for `llm_plan`; `pipeline` passes a language model in, and without one the plan is made by rules."""

    @property
    def name(self) -> str:
        """Names model and prompt: it is part of what the chunks were computed from."""
        ...

    def plan(self, documents: Sequence[Document]) -> list[ChunkPlan]:
        """A plan per document, in their order, over the lines of `chunking.plan.plan_text`; what is not valid is refused
        when it is applied."""
        ...


@dataclass(frozen=True)
class Tools:
    """`vectors` are those of the strategy's own `pieces` of this segment, (n, dimension) float32; `parameters` override its defaults;
    `plan` is the planner's answer about this document, None for a plan by rules; `model` names what made the vectors; `excluded` are the
    spans that the router found to be excluded, so that the tree is not walked for them again by each strategy."""

    vectors: Vectors | None = None
    parameters: dict[str, Any] = field(default_factory=dict)
    plan: ChunkPlan | None = None
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
    all documents of a batch encoded in one call. `version` is raised whenever the chunks change for any document."""

    name: str
    version: str
    chunk: Callable[[Document, Segment, Tools], Cut]
    pieces: Callable[[Document, Segment, Tools], list[str]] | None = None

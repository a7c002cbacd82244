"""The real model and the engine without a language model, which remember what they were asked, or what they answered."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from legal_pipeline.embedding.embedder import Embedder, Embeddings
from legal_pipeline.enrichment.enricher import (
    Classification,
    ContextPrefix,
    Enriched,
    PracticeAreaRequest,
    PrefixRequest,
    QuestionRequest,
    Questions,
    Summary,
    SummaryRequest,
)
from legal_pipeline.enrichment.extractive import ExtractiveEnricher


@dataclass
class _Named:
    """What a model is."""

    inner: Embedder

    @property
    def name(self) -> str:
        return self.inner.name

    @property
    def dimension(self) -> int:
        return self.inner.dimension

    @property
    def max_tokens(self) -> int:
        return self.inner.max_tokens


@dataclass
class CountingEmbedder(_Named):
    """The real model; remembers what it was asked for."""

    texts: list[str] = field(default_factory=list)

    def embed_passages(self, texts: Sequence[str]) -> Embeddings:
        self.texts.extend(texts)
        return self.inner.embed_passages(texts)

    def embed_queries(self, texts: Sequence[str]) -> Embeddings:
        self.texts.extend(texts)
        return self.inner.embed_queries(texts)


@dataclass
class RememberingEmbedder(_Named):
    """The real model; embeds a text once in a session, because most tests of a pipeline embed the same small laws."""

    #: ("passage" or "query", text) -> vector, number of embedded tokens, number of tokens.
    known: dict[tuple[str, str], list[Any]] = field(default_factory=dict)

    def embed_passages(self, texts: Sequence[str]) -> Embeddings:
        return self._remembered("passage", texts, self.inner.embed_passages)

    def embed_queries(self, texts: Sequence[str]) -> Embeddings:
        return self._remembered("query", texts, self.inner.embed_queries)

    def _remembered(self, kind: str, texts: Sequence[str], embed: Callable[[Sequence[str]], Embeddings]) -> Embeddings:
        new = [text for text in dict.fromkeys(texts) if (kind, text) not in self.known]
        made = embed(new)
        for text, *row in zip(new, made.vectors, made.embedded_tokens, made.total_tokens, strict=True):
            self.known[kind, text] = row
        if not texts:
            return made
        vectors, embedded, total = zip(*(self.known[kind, text] for text in texts), strict=True)
        return Embeddings(np.array(vectors), embedded, total)


class CountingEnricher(ExtractiveEnricher):
    """The engine without a language model; remembers what it was asked."""

    def __init__(self) -> None:
        self.prefix_requests: list[PrefixRequest] = []
        self.summary_requests: list[SummaryRequest] = []
        self.question_requests: list[QuestionRequest] = []
        self.area_requests: list[PracticeAreaRequest] = []

    def clear(self) -> None:
        for requests in (self.prefix_requests, self.summary_requests, self.question_requests, self.area_requests):
            requests.clear()

    def context_prefixes(self, requests: Sequence[PrefixRequest]) -> Enriched[ContextPrefix]:
        self.prefix_requests.extend(requests)
        return super().context_prefixes(requests)

    def summarise(self, requests: Sequence[SummaryRequest]) -> Enriched[Summary]:
        self.summary_requests.extend(requests)
        return super().summarise(requests)

    def questions(self, requests: Sequence[QuestionRequest]) -> Enriched[Questions]:
        self.question_requests.extend(requests)
        return super().questions(requests)

    def classify_practice_area(self, requests: Sequence[PracticeAreaRequest]) -> Enriched[Classification]:
        self.area_requests.extend(requests)
        return super().classify_practice_area(requests)

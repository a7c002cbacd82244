"""Queries that are asked at the same time are embedded together, and each gets its own vector or error."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from legal_pipeline.embedding import query_batches
from legal_pipeline.embedding.embedder import Embeddings
from legal_pipeline.embedding.query_batches import QueryBatches
from legal_pipeline.errors import EmbeddingError
from legal_pipeline_tests.by_words import ByWords


class Slow(ByWords):
    """Begins to answer when it is let go; a text with `bad` is an error."""

    def __init__(self) -> None:
        self.calls: list[list[str]] = []
        self.begun, self.go_on = threading.Event(), threading.Event()

    def embed_queries(self, texts: Sequence[str]) -> Embeddings:
        self.calls.append(list(texts))
        self.begun.set()
        assert self.go_on.wait(10)
        if any("bad" in text for text in texts):
            raise EmbeddingError("not a vector")
        return self.embed_passages(texts)


def asked_together(model: Slow, batches: QueryBatches, texts: Sequence[str]) -> list[Embeddings | Exception | None]:
    """The answers to all of `texts`; the first is being embedded when the others come."""
    with ThreadPoolExecutor(len(texts)) as pool:
        first = pool.submit(batches.embed_queries, texts[:1])
        assert model.begun.wait(10)
        others = [pool.submit(batches.embed_queries, [text]) for text in texts[1:]]
        while len(batches.waiting) < len(others):
            threading.Event().wait(0.001)
        model.go_on.set()
        return [future.exception() or future.result() for future in (first, *others)]


def test_queries_that_wait_are_embedded_in_one_call() -> None:
    model = Slow()
    texts = ["fyr", "boj", "lykta", "boj"]
    found = asked_together(model, QueryBatches(model), texts)
    assert [sorted(call) for call in model.calls] == [["fyr"], ["boj", "lykta"]]
    for text, embeddings in zip(texts, found, strict=True):
        assert isinstance(embeddings, Embeddings)
        np.testing.assert_array_equal(embeddings.vectors, ByWords().embed_queries([text]).vectors)
        assert embeddings.total_tokens == (1,)


def test_a_query_that_fails_fails_alone() -> None:
    model = Slow()
    found = asked_together(model, QueryBatches(model), ["fyr", "bad", "boj"])
    assert [type(each) for each in found] == [Embeddings, EmbeddingError, Embeddings]


def test_a_query_is_embedded_once_and_an_error_is_not_kept() -> None:
    model = Slow()
    model.go_on.set()
    batches = QueryBatches(model)
    first = batches.embed_queries(["fyr"])
    assert batches.embed_queries(["fyr"]) is first
    for _ in range(2):
        with pytest.raises(EmbeddingError, match="not a vector"):
            batches.embed_queries(["bad"])
    assert model.calls == [["fyr"], ["bad"], ["bad"]]


class WithAdapter(ByWords):
    """Reads a question as if it named a lamp."""

    has_adapter = True

    def embed_questions(self, texts: Sequence[str]) -> Embeddings:
        return self.embed_passages([f"{text} lykta" for text in texts])


def test_a_question_has_not_the_vector_of_a_query_in_the_same_words() -> None:
    batches = QueryBatches(WithAdapter())
    query, question = batches.embed_queries(["fyr"]), batches.embed_questions(["fyr"])
    assert not np.array_equal(query.vectors, question.vectors)
    assert batches.embed_questions(["fyr"]) is question
    assert batches.embed_queries(["fyr"]) is query


def test_of_too_many_queries_those_asked_last_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(query_batches, "_MOST_KEPT", 2)
    model = Slow()
    model.go_on.set()
    batches = QueryBatches(model)
    for text in ("fyr", "boj", "fyr", "lykta", "fyr", "boj"):
        batches.embed_queries([text])
    assert model.calls == [["fyr"], ["boj"], ["lykta"], ["boj"]]

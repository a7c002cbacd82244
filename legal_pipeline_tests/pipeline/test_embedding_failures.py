"""A text that the model refuses fails its own document; a model that is not there fails all of them, after one call."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from legal_pipeline.embedding.embedder import Embedder, Embeddings
from legal_pipeline.errors import ConfigurationError, EmbeddingError, EmbeddingUnavailableError
from legal_pipeline_tests.counting import CountingEmbedder
from legal_pipeline_tests.pipeline.conftest import Bench, Law

POISON = "Svavelosande"


class Refusing(CountingEmbedder):
    """The real model, but for calls with a text that holds `POISON`; remembers how many texts each call had."""

    def __init__(self, inner: Embedder, error: Exception) -> None:
        super().__init__(inner)
        self.error = error
        self.calls: list[int] = []

    def embed_passages(self, texts: Sequence[str]) -> Embeddings:
        self.calls.append(len(texts))
        if any(POISON in text for text in texts):
            raise self.error
        return super().embed_passages(texts)


def ingest_with_poison(bench: Bench, law: Law, error: Exception, documents: int) -> Refusing:
    for number in range(documents):
        word = POISON if number == 2 else "Vaken"
        bench.write(f"{number}.txt", law(f"2099:{10 + number}", f"{word} ska fyrvakt nummer {number} vara."))
    refusing = Refusing(bench.embedder.inner, error)
    bench.embedder.inner = refusing
    bench.ingest()
    return refusing


def test_a_text_that_cannot_be_embedded_fails_its_document_alone(bench: Bench, law: Law) -> None:
    refusing = ingest_with_poison(bench, law, EmbeddingError("a vector that is not finite"), 8)
    assert set(bench.failures) == {"se-sfs-2099-12"}
    assert bench.pipeline.registry.counts() == {"completed": 7, "failed": 1}
    # eight documents: the whole group, and the half that holds the text, each time; every half without it once
    chunks, questions = refusing.calls[:7], refusing.calls[7:]
    assert len(chunks) == 7
    assert len(questions) == 1


@pytest.mark.parametrize("error", [ConfigurationError("no such model"), EmbeddingUnavailableError("no answer")])
def test_a_model_that_is_not_there_is_called_once_for_all_documents(bench: Bench, law: Law, error: Exception) -> None:
    refusing = ingest_with_poison(bench, law, error, 4)
    assert len(bench.failures) == 4
    assert len(refusing.calls) == 1

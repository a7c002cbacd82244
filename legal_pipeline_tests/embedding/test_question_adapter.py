"""A question is read by the model with its adapter; passages and other queries are read without it, in every backend."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from legal_pipeline.embedding.embedder import Embeddings, question_reader
from legal_pipeline.embedding.model_table import Embedders
from legal_pipeline.embedding.options import BackendOptions
from legal_pipeline.embedding.query_batches import QueryBatches
from legal_pipeline.embedding.question_adapter import adapter_hash, adapter_of
from legal_pipeline.embedding.registry import PACKAGED, model_files, open_embedder
from legal_pipeline.embedding.server import Server
from legal_pipeline.retrieval.centring import centred
from legal_pipeline.retrieval.dense_lists import nearest
from legal_pipeline_tests.embedding.named import Named

QUESTIONS = ["Can the owner throw us out of the house by the harbour?", "Får ägaren kasta ut oss ur huset vid hamnen?"]
MINILM = "all-MiniLM-L6-v2"


@pytest.mark.parametrize("model", PACKAGED)
def test_every_packaged_model_has_an_adapter_that_changes_questions_only(model: str) -> None:
    with_adapter = open_embedder(model, BackendOptions("openvino", precision="float32"))
    assert question_reader(with_adapter) is with_adapter
    queries, questions = with_adapter.embed_queries(QUESTIONS).vectors, with_adapter.embed_questions(QUESTIONS).vectors
    assert np.all((queries * questions).sum(axis=1) < 0.995)
    assert np.linalg.norm(questions, axis=1) == pytest.approx(1)
    # the switch of the adapter costs time, so passages have a graph without it
    assert with_adapter.backend is not with_adapter.query_backend
    # queries come first and last: nothing of the switch is left over
    np.testing.assert_array_equal(with_adapter.embed_queries(QUESTIONS).vectors, queries)


@pytest.mark.heavy
@pytest.mark.parametrize("model", [MINILM, PACKAGED[1]])
def test_torch_and_openvino_read_questions_alike(model: str) -> None:
    by_openvino = open_embedder(model, BackendOptions("openvino", precision="float32"))
    by_torch = open_embedder(model, BackendOptions("torch", device="cpu", precision="float32"))
    for embed in ("embed_questions", "embed_queries", "embed_questions", "embed_passages"):
        found = [getattr(embedder, embed)(QUESTIONS).vectors for embedder in (by_openvino, by_torch)]
        assert np.all((found[0] * found[1]).sum(axis=1) > 0.9999), embed


def test_the_adapter_is_no_part_of_the_name_by_which_vectors_are_reused() -> None:
    name = open_embedder(MINILM).name
    adapter = adapter_of(MINILM)
    assert adapter is not None
    assert adapter_hash(adapter) not in name


def test_a_model_without_an_adapter_reads_a_question_as_any_query(tmp_path: Path) -> None:
    assert adapter_of("bge-m3") is None
    (tmp_path / "own").symlink_to(model_files(MINILM).directory)
    own = open_embedder(str(tmp_path / "own"), home=tmp_path)
    assert question_reader(own) is None
    assert question_reader(Named("own@1", 4)) is None


def test_an_embedding_server_has_no_adapter() -> None:
    server = Server("http://127.0.0.1:9/embed", MINILM, None)
    assert question_reader(open_embedder(MINILM, BackendOptions("http", server=server))) is None


class Reads(Named):
    """Reads a question as the opposite of a query."""

    has_adapter = True

    def embed_questions(self, texts: Sequence[str]) -> Embeddings:
        found = self.embed_queries([f"asked {text}" for text in texts])
        return Embeddings(-found.vectors, found.embedded_tokens, found.total_tokens)


def test_only_a_question_is_read_with_the_adapter() -> None:
    model = Reads("all-MiniLM-L6-v2@1", 384, {"lamp": 0})
    question, words = "Who must light the lamp in the evening?", "light the lamp"
    (asked,) = nearest(question, Embedders({}, model), None)
    assert model.queries == [f"asked {question}"], "one call of the model for one vector"
    np.testing.assert_array_equal(asked.vector, model.embed_questions([question]).vectors[0])
    np.testing.assert_array_equal(asked.plain(), model.embed_queries([question]).vectors[0])
    (plain,) = nearest(words, Embedders({}, model), None)
    np.testing.assert_array_equal(plain.vector, centred(model.embed_queries([words]).vectors[0], model.name))


def test_a_text_asked_as_a_question_and_as_words_is_kept_twice() -> None:
    model = Reads("reads@1", 4, {"lamp": 0})
    batches = QueryBatches(model)
    assert question_reader(batches) is batches
    query, question = batches.embed_queries(["lamp"]), batches.embed_questions(["lamp"])
    assert batches.embed_queries(["lamp"]) is query
    assert batches.embed_questions(["lamp"]) is question
    np.testing.assert_array_equal(question.vectors, -query.vectors)
    assert question_reader(QueryBatches(Named("plain@1", 4))) is None

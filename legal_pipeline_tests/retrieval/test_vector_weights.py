"""What the ranks of vectors weigh in a search."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from legal_pipeline.embedding.embedder import Embeddings
from legal_pipeline.errors import ConfigurationError
from legal_pipeline.evaluation.weight_fitting import FittedWeight, write_weights
from legal_pipeline.retrieval.hit import Hit
from legal_pipeline.retrieval.search import View, search
from legal_pipeline.retrieval.vector_weights import UNWEIGHTED, vector_weights
from legal_pipeline.stores.qdrant_edge import QdrantEdgeStore
from legal_pipeline.stores.store import ROW_HASH, Point


class TwoDirections:
    """Vectors by hand: every query looks along the first axis."""

    dimension, max_tokens = 2, 256

    def __init__(self, name: str) -> None:
        self.name = name

    def embed_passages(self, texts: list[str]) -> Embeddings:
        return Embeddings(np.tile(np.float32([1, 0]), (len(texts), 1)), (1,) * len(texts), (1,) * len(texts))

    embed_queries = embed_passages


def found(folder: Path, language: str, name: str, query: str = "lotsen") -> list[Hit]:
    """Hits for a query whose word stands in one chunk and whose vector is that of the other, best first; others fill the lists."""
    store = QdrantEdgeStore(folder)
    store.ensure_collection("chunks", 2)
    texts = {"near": "fyren släcks", "word": "lotsen rapporterar", **{f"filler{i}": f"sten {i}" for i in range(9)}}
    points = []
    for number, (chunk_id, text) in enumerate(texts.items()):
        vector = np.float32([1, 0]) if chunk_id == "near" else np.float32([0.1, 0.995])
        payload = {"chunk_id": chunk_id, "chunk_text": text, "language": language, ROW_HASH: chunk_id}
        points.append(Point(f"00000000-0000-0000-0000-{number:012}", "act", vector, text, language, payload))
    store.upsert("chunks", points)
    model = TwoDirections(name)
    hits = search(
        query,
        View(store, lambda: model, "chunks", vector_weights=vector_weights(model.name)),
        limit=len(texts),
    )
    parts = {hit.chunk_id: hit.score_parts for hit in hits}
    assert parts["near"]["dense_rank"] == 1
    assert parts["word"]["bm25_rank"] == 1
    return sorted(hits, key=lambda hit: -hit.score)


def test_a_model_made_for_english_does_not_outvote_words_in_swedish(tmp_path: Path) -> None:
    weights = vector_weights("all-MiniLM-L6-v2@53aa51172d142c89/float32/windows-1")
    assert 0 < weights.words["swe"] < 1
    assert "eng" not in weights.words
    hit_by_word, hit_by_vector, *_ = found(tmp_path, "swe", "all-MiniLM-L6-v2@53aa51172d142c89/float32/windows-1")
    assert (hit_by_word.chunk_id, hit_by_vector.chunk_id) == ("word", "near")


def test_vectors_weigh_more_for_a_question_in_plain_words(tmp_path: Path) -> None:
    name = "all-MiniLM-L6-v2@53aa51172d142c89/float32/windows-1"
    weights = vector_weights(name)
    assert weights.of("who must tell the pilot") == weights.questions
    assert weights.of("duty of the pilot") == weights.words
    assert weights.questions["eng"] > 1
    by_query = {
        query: next(hit for hit in found(tmp_path / kind, "eng", name, query) if hit.chunk_id == "near")
        for kind, query in (("words", "lotsen"), ("question", "lotsen?"))
    }
    assert by_query["lotsen?"].score_parts["rrf"] == weights.questions["eng"] * by_query["lotsen"].score_parts["rrf"]


def test_a_model_of_which_nothing_was_measured_weighs_in_full(tmp_path: Path) -> None:
    assert vector_weights("BAAI/bge-m3@1234/float32/windows-1") == UNWEIGHTED
    store_hits = found(tmp_path, "swe", "BAAI/bge-m3@1234/float32/windows-1")[:2]
    assert {hit.chunk_id for hit in store_hits} == {"word", "near"}


def test_fitted_weights_replace_those_of_the_package_for_their_models(tmp_path: Path) -> None:
    fitted = tmp_path / "fitted.json"
    write_weights(fitted, [FittedWeight("all-MiniLM-L6-v2", "questions", "deu", 3.0, 9, 0.2, 0.3)])
    table = "eng=all-MiniLM-L6-v2,deu=all-MiniLM-L6-v2,*=multilingual-e5-small"
    weights = vector_weights(table, fitted)
    assert weights.questions["deu"] == 3
    assert "eng" not in weights.questions, "the file's model is taken whole: it has no weight for English"
    assert weights.questions["swe"] == vector_weights(table).questions["swe"], "a model that the file does not have"


@pytest.mark.parametrize(
    "text",
    [
        None,
        "[]",
        '{"model": {"wrods": {"eng": 1}}}',
        '{"model": {"words": {"eng": -1}}}',
        '{"model": {"words": {"eng": "much"}}}',
        "{",
    ],
)
def test_a_file_without_weights_is_refused_by_its_name(tmp_path: Path, text: str | None) -> None:
    path = tmp_path / "weights.json"
    if text is not None:
        path.write_text(text)
    with pytest.raises(ConfigurationError, match=re.escape(str(path))):
        vector_weights("all-MiniLM-L6-v2", path)

"""What the ranks of vectors weigh in a search."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from legal_pipeline.embedding.embedder import Embeddings
from legal_pipeline.retrieval.search import search
from legal_pipeline.retrieval.vector_weights import vector_weights
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


def found(folder: Path, language: str, name: str) -> list[str]:
    """Chunks for a query whose word stands in one chunk and whose vector is that of the other, best first; others fill the lists."""
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
        "lotsen",
        store=store,
        embedder=lambda: model,
        collection="chunks",
        limit=2,
        vector_weights=vector_weights(model.name),
    )
    parts = {hit.chunk_id: hit.score_parts for hit in hits}
    assert parts["near"]["dense_rank"] == 1
    assert parts["word"]["bm25_rank"] == 1
    return [hit.chunk_id for hit in sorted(hits, key=lambda hit: -hit.score)]


def test_a_model_made_for_english_does_not_outvote_words_in_swedish(tmp_path: Path) -> None:
    weights = vector_weights("all-MiniLM-L6-v2@53aa51172d142c89/float32/windows-1")
    assert 0 < weights["swe"] < 1
    assert "eng" not in weights
    (hit_by_word, hit_by_vector) = found(tmp_path, "swe", "all-MiniLM-L6-v2@53aa51172d142c89/float32/windows-1")
    assert (hit_by_word, hit_by_vector) == ("word", "near")


def test_a_model_of_which_nothing_was_measured_weighs_in_full(tmp_path: Path) -> None:
    assert vector_weights("BAAI/bge-m3@1234/float32/windows-1") == {}
    store_hits = found(tmp_path, "swe", "BAAI/bge-m3@1234/float32/windows-1")
    assert set(store_hits) == {"word", "near"}

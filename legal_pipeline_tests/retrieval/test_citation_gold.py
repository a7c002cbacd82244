"""The gold set of citation queries over real documents of every jurisdiction, on every store: the first hit is the provision.

Vectors are of the words of headers: which provision a citation means does not depend on them, and a model takes 20 s for 2,800.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from legal_pipeline.embedding.embedder import Embedder
from legal_pipeline.embedding.encoder import EmbedderAsEncoder
from legal_pipeline.parsing.registry import parse
from legal_pipeline.processing.vectors import StoredVector
from legal_pipeline.retrieval.citation_query import read_citations
from legal_pipeline.retrieval.search import View, search
from legal_pipeline.sources.directory import DirectorySource
from legal_pipeline.stages.chunks import cut_batch, embedding_text
from legal_pipeline.stages.qdrant_chunks import point
from legal_pipeline.stores.store import DENSE, Point, VectorStore
from legal_pipeline_tests.by_words import ByWords

pytestmark = [
    pytest.mark.corpus,
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore:Payload indexes have no effect"),
]

NAME = "legal_chunks"
GOLD: dict[str, Any] = tomllib.loads(Path(__file__).with_name("citation_gold.toml").read_text("utf-8"))
QUERIES = [(query, *place) for name, queries in GOLD.items() if name != "files" for query, place in queries.items()]


@pytest.fixture(scope="module")
def embedder() -> Embedder:
    return ByWords()


@pytest.fixture(scope="module")
def points(corpus: Path, embedder: Embedder) -> list[Point]:
    sources = [DirectorySource(corpus / name) for name in GOLD["files"]]
    documents = [parse(source.fetch(source.list().items[0])) for source in sources]
    cut = cut_batch(documents, None, lambda _: EmbedderAsEncoder(embedder))
    rows = []
    for chunked in cut:
        assert not isinstance(chunked, Exception)
        rows += [{**chunk.to_row(), "context_prefix": None} for chunk in chunked.chunks]
    vectors = embedder.embed_passages([row["contextual_header"] or row["path"] for row in rows]).vectors
    return [
        point(row, embedding_text(row, None), StoredVector(vector, DENSE, ""))
        for row, vector in zip(rows, vectors, strict=True)
    ]


def no_model() -> Embedder:
    pytest.fail("a bare citation needs no model")


@pytest.mark.parametrize(
    "empty_store", ["edge", pytest.param("client", marks=pytest.mark.heavy), "pgvector"], indirect=True, scope="module"
)
def test_the_first_hit_is_the_cited_provision(
    empty_store: VectorStore, points: list[Point], embedder: Embedder
) -> None:
    assert len(QUERIES) >= 40
    bare = {query for query, _, _ in QUERIES if read_citations(query).is_bare}
    assert len(bare) >= 35
    empty_store.ensure_collection(NAME, embedder.dimension)
    empty_store.upsert(NAME, points)
    missed = {}
    with empty_store.session(NAME, "searching"):
        for query, document_id, path in QUERIES:
            opened = no_model if query in bare else lambda: embedder
            (hit,) = search(query, View(empty_store, opened), limit=1)
            if (hit.document_id, hit.path) != (document_id, path):
                missed[query] = (hit.document_id, hit.path)
    assert missed == {}

"""A store of each kind, opened as a test says."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from qdrant_client import QdrantClient

from legal_pipeline.stores.pgvector import PgvectorStore
from legal_pipeline.stores.qdrant_edge import QdrantEdgeStore
from legal_pipeline.stores.qdrant_server import QdrantServerStore
from legal_pipeline.stores.store import VectorStore

Opener = Callable[[str], VectorStore]


@pytest.fixture(params=["edge", "client", "pgvector"])
def opener(request: pytest.FixtureRequest, tmp_path: Path) -> Opener:
    """Opens the store; with any text but "" its vectors are stored in fewer bits."""
    if request.param == "edge":
        return lambda kind: QdrantEdgeStore(tmp_path, quantization="int8" if kind else "none")
    if request.param == "client":
        client = QdrantClient(":memory:")
        return lambda kind: QdrantServerStore(client, where="memory", quantization="int8" if kind else "none")
    database = request.getfixturevalue("database")
    return lambda kind: PgvectorStore(database, vector_type="halfvec" if kind else "vector")


@pytest.fixture
def store(opener: Opener) -> VectorStore:
    return opener("")

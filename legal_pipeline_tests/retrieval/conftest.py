"""Stores that the tests of a module share: what is searched is written once."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from qdrant_client import QdrantClient

from legal_pipeline.embedding.embedder import Embedder
from legal_pipeline.registry.database import Database
from legal_pipeline.registry.embedded_postgres import EmbeddedPostgres
from legal_pipeline.stores.pgvector import PgvectorStore
from legal_pipeline.stores.qdrant_edge import QdrantEdgeStore
from legal_pipeline.stores.qdrant_server import QdrantServerStore
from legal_pipeline.stores.store import VectorStore


@pytest.fixture(scope="session")
def embedder(model: Embedder) -> Embedder:
    return model


@pytest.fixture(scope="module")
def module_database(postgres: EmbeddedPostgres) -> Iterator[Database]:
    """An empty database for the whole module."""
    name = f"module_{uuid.uuid4().hex}"
    with psycopg.connect(postgres.url, autocommit=True) as connection:
        connection.execute(f"create database {name} strategy file_copy".encode())
    with Database(postgres.url.replace("@/postgres?", f"@/{name}?")) as database:
        yield database


@pytest.fixture(scope="module", params=["edge", "client", "pgvector"])
def empty_store(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[VectorStore]:
    """Each store in turn, with no collection yet."""
    opened: VectorStore
    if request.param == "edge":
        opened = QdrantEdgeStore(Path(tmp_path_factory.mktemp("qdrant")))
    elif request.param == "client":
        opened = QdrantServerStore(QdrantClient(":memory:"), where="memory")
    else:
        opened = PgvectorStore(request.getfixturevalue("module_database"))
    yield opened
    opened.close()

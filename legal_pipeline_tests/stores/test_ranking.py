"""Equal scores: the same order in every store, however the points were written."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from qdrant_client import QdrantClient

from legal_pipeline.registry.database import Database
from legal_pipeline.stores.pgvector import PgvectorStore
from legal_pipeline.stores.qdrant_edge import QdrantEdgeStore
from legal_pipeline.stores.qdrant_server import QdrantServerStore
from legal_pipeline.stores.store import Point, VectorStore
from legal_pipeline_tests.stores.points import DIMENSION, direction, provision

pytestmark = pytest.mark.filterwarnings("ignore:Payload indexes have no effect")

#: More than are asked for: which of them are in the list must not be chance either.
EQUALS, LIMIT = 60, 10


def equals() -> list[Point]:
    """Provisions of several acts with the same words, and one that fits better."""
    same = [
        provision(f"act-{number % 3}", str(number), "Har upphävts.", seed=1, path=f"Section {number:02}")
        for number in range(EQUALS)
    ]
    return [*same, provision("act-9", "1", "Har upphävts, har upphävts.", seed=2, path="Section 1")]


@pytest.fixture(params=["edge", "client", "pgvector"])
def stores(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[list[VectorStore]]:
    """Two that hold the same points, written in another order."""
    opened: list[VectorStore] = []
    for number in range(2):
        store: VectorStore
        if request.param == "edge":
            store = QdrantEdgeStore(tmp_path / str(number))
        elif request.param == "client":
            store = QdrantServerStore(QdrantClient(":memory:"), where="the client in memory")
        else:
            store = PgvectorStore(request.getfixturevalue("database"), exact=True)
        points = equals()
        random.Random(number).shuffle(points)
        store.ensure_collection(f"legal_chunks_{number}", DIMENSION)
        store.upsert(f"legal_chunks_{number}", points)
        opened.append(store)
    yield opened
    for store in opened:
        store.close()


def test_equal_scores_stand_by_document_and_path_in_whatever_order_points_were_written(
    stores: list[VectorStore], database: Database
) -> None:
    first, second = (
        store.query(f"legal_chunks_{number}", dense=direction(1), text="upphävts", languages=["swe"], limit=LIMIT)
        for number, store in enumerate(stores)
    )
    for one, other in ((first.dense, second.dense), (first.sparse, second.sparse)):
        assert [point.payload["chunk_id"] for point in one] == [point.payload["chunk_id"] for point in other]
    places = [(point.payload["document_id"], point.payload["path"]) for point in first.dense]
    assert places == [("act-0", f"Section {number:02}") for number in range(0, 30, 3)]

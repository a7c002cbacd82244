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

#: More than are asked for: which of them are in the list must not be chance either. `COPIES` are more than a second request returns.
EQUALS, COPIES, LIMIT = 60, 300, 10


def equals(number_of: int = EQUALS) -> list[Point]:
    """Provisions of several acts with the same words, and one that fits better."""
    same = [
        provision(f"act-{number % 3}", str(number), "Har upphävts.", seed=1, path=f"Section {number:02}")
        for number in range(number_of)
    ]
    return [*same, provision("act-9", "1", "Har upphävts, har upphävts.", seed=2, path="Section 1")]


@pytest.fixture(params=["edge", "client", "pgvector"])
def stores(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[list[VectorStore]]:
    """Two that hold the same points, written in another order: few equals in `legal_chunks_…`, many in `copies_…`."""
    opened: list[VectorStore] = []
    for number in range(2):
        store: VectorStore
        if request.param == "edge":
            store = QdrantEdgeStore(tmp_path / str(number))
        elif request.param == "client":
            store = QdrantServerStore(QdrantClient(":memory:"), where="the client in memory")
        else:
            store = PgvectorStore(request.getfixturevalue("database"), exact=True)
        for name, points in (("legal_chunks", equals()), ("copies", equals(COPIES))):
            random.Random(number).shuffle(points)
            store.ensure_collection(f"{name}_{number}", DIMENSION)
            store.upsert(f"{name}_{number}", points)
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


def test_of_many_copies_the_same_are_found_in_whatever_order_they_were_written(
    stores: list[VectorStore], database: Database
) -> None:
    first, second = (
        store.query(f"copies_{number}", dense=direction(1), text="upphävts", languages=["swe"], limit=LIMIT)
        for number, store in enumerate(stores)
    )
    for one, other in ((first.dense, second.dense), (first.sparse, second.sparse)):
        assert len(one) == LIMIT
        assert one == other
        assert all(point.payload["chunk_text"] for point in one)
    assert first.sparse[1].score == first.sparse[-1].score
    copies = stores[0].query("copies_0", dense=direction(1), text="upphävts", languages=["swe"], limit=COPIES + 1)
    assert {point.id: point.score for point in first.sparse}.items() <= {
        point.id: point.score for point in copies.sparse
    }.items()
    assert [point.id for point in first.dense] == sorted(
        (point.id for point in first.dense),
        key=lambda point_id: next(at for at, point in enumerate(copies.dense) if point.id == point_id),
    )

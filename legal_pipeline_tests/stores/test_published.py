"""A reader's view of a store: it has the published points and, of each list of a search, as many as were asked for."""

from __future__ import annotations

import contextlib
from pathlib import Path

from legal_pipeline.registry.database import Database
from legal_pipeline.registry.manifests import Manifests
from legal_pipeline.stores.published import PublishedPoints, ReadCollection
from legal_pipeline.stores.qdrant_edge import QdrantEdgeStore
from legal_pipeline.stores.store import Query
from legal_pipeline_tests.stores.points import DIMENSION, direction, provision

_NAME = "laws"


def test_points_that_are_not_published_take_no_places_of_those_that_are(database: Database, tmp_path: Path) -> None:
    manifests = Manifests(database)
    shown = [provision("act-1", str(number), "Fyren ska tändas i skymningen.", seed=2) for number in range(2)]
    hidden = [provision("act-2", str(number), "Fyren, fyren.", seed=1) for number in range(6)]
    manifests.publish("act-1", _NAME, {str(point.payload["chunk_id"]): point.row_hash for point in shown})
    wanted = ["act-1/0", "act-1/1"]
    with contextlib.closing(QdrantEdgeStore(tmp_path)) as store:
        store.ensure_collection(_NAME, DIMENSION)
        store.upsert(_NAME, [*shown, *hidden])
        reader = PublishedPoints(
            store, manifests, {_NAME: ReadCollection(_NAME, "chunk_id")}, manifests.state([_NAME]).moment
        )
        of_vectors, of_words, of_both = reader.query_batch(
            _NAME,
            [
                Query(dense=direction(1), limit=2),
                Query(text="fyren", languages=("swe",), limit=2),
                Query(dense=direction(1), text="fyren", languages=("swe",), limit=2),
            ],
        )
        reader.verify()
    for points in (of_vectors.dense, of_words.sparse, of_both.dense, of_both.sparse):
        assert sorted(point.payload["chunk_id"] for point in points) == wanted

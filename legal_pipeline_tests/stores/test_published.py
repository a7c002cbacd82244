"""A reader's view of a store: it has the published points and, of each list of a search, as many as were asked for."""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Iterator
from pathlib import Path

import pytest

from legal_pipeline.registry.database import Database
from legal_pipeline.registry.manifests import Manifests
from legal_pipeline.stores.published import PublishedMeanwhileError, PublishedPoints, ReadCollection
from legal_pipeline.stores.qdrant_edge import QdrantEdgeStore
from legal_pipeline.stores.store import Point, Query
from legal_pipeline_tests.stores.counted import counted_calls
from legal_pipeline_tests.stores.points import DIMENSION, direction, provision

_NAME = "laws"


BY_WORDS = Query(text="fyren", languages=("swe",), limit=2)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[QdrantEdgeStore]:
    with contextlib.closing(QdrantEdgeStore(tmp_path)) as opened:
        opened.ensure_collection(_NAME, DIMENSION)
        yield opened


def publish(database: Database, document_id: str, *points: Point) -> None:
    Manifests(database).publish(
        document_id, _NAME, {str(point.payload["chunk_id"]): point.row_hash for point in points}
    )


def reader(database: Database, store: QdrantEdgeStore, id_field: str = "chunk_id") -> PublishedPoints:
    manifests = Manifests(database)
    return PublishedPoints(store, manifests, {_NAME: ReadCollection(_NAME, id_field)}, manifests.state([_NAME]).moment)


def test_points_that_are_not_published_take_no_places_of_those_that_are(
    database: Database, store: QdrantEdgeStore
) -> None:
    shown = [provision("act-1", str(number), "Fyren ska tändas i skymningen.", seed=2) for number in range(3)]
    hidden = [provision("act-2", str(number), "Fyren, fyren.", seed=1) for number in range(5)]
    publish(database, "act-1", *shown)
    store.upsert(_NAME, [*shown, *hidden])
    by_vector = Query(dense=direction(1), limit=2)
    reading = reader(database, store)
    with counted_calls() as calls:
        of_vectors, of_words, of_both = reading.query_batch(
            _NAME, [by_vector, BY_WORDS, dataclasses.replace(by_vector, text="fyren", languages=("swe",))]
        )
    assert calls.queries <= 3, "each request is for many more points than the one before"
    reading.verify()
    for points in (of_vectors.dense, of_words.sparse, of_both.dense, of_both.sparse):
        assert [point.payload["chunk_id"] for point in points] == ["act-1/0", "act-1/1"]


def test_of_two_versions_of_a_point_the_published_one_is_shown_whatever_fields_are_asked_for(
    database: Database, store: QdrantEdgeStore
) -> None:
    versions = [provision("act-1", "1", f"Fyren ska tändas {time}.", question_id="q") for time in ("sent", "tidigt")]
    for version in versions:
        store.upsert(_NAME, [version])
    Manifests(database).publish("act-1", _NAME, {"q": versions[1].row_hash})
    reading = reader(database, store, "question_id")
    (unranked,) = reading.query_batch(_NAME, [Query()])
    (lists,) = reading.query_batch(_NAME, [dataclasses.replace(BY_WORDS, fields=("chunk_text",))])
    for points in (unranked.unranked, lists.sparse):
        assert [point.payload["chunk_text"] for point in points] == ["Fyren ska tändas tidigt."]


def test_a_search_is_over_when_any_of_its_documents_was_published_meanwhile(
    database: Database, store: QdrantEdgeStore
) -> None:
    points = [provision(f"act-{number}", "1", "Fyren ska tändas.") for number in (1, 2, 3)]
    store.upsert(_NAME, points)
    for point in points[:2]:
        publish(database, point.document_id, point)
    reading = reader(database, store)
    (found,) = reading.query_batch(_NAME, [BY_WORDS])
    assert len(found.sparse) == 2
    publish(database, "act-3", points[2])
    reading.verify()  # it was not shown
    publish(database, "act-2", points[1])
    with pytest.raises(PublishedMeanwhileError, match="act-2 changed during the search"):
        reading.verify()


def test_a_list_with_fewer_points_than_asked_for_is_asked_for_once(database: Database, store: QdrantEdgeStore) -> None:
    point = provision("act-1", "1", "Fyren ska tändas.")
    store.upsert(_NAME, [point, provision("act-2", "1", "Fyren ska släckas.")])
    publish(database, "act-1", point)
    with counted_calls() as calls:
        (found,) = reader(database, store).query_batch(_NAME, [dataclasses.replace(BY_WORDS, limit=20)])
    assert (len(found.sparse), calls.queries) == (1, 1)

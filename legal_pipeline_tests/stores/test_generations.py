"""Collections under an alias: another model has its own beside the live one, until it takes its place. The same rules on every store."""

from __future__ import annotations

from pathlib import Path

import pytest
from qdrant_client import QdrantClient, models

from legal_pipeline.errors import ConfigurationError, MissingCollectionError
from legal_pipeline.registry.database import Database
from legal_pipeline.stores import bm25
from legal_pipeline.stores.pgvector import PgvectorStore
from legal_pipeline.stores.qdrant_edge import QdrantEdgeStore
from legal_pipeline.stores.qdrant_server import QdrantServerStore
from legal_pipeline.stores.store import AnyOf, Model, Point, VectorStore
from legal_pipeline_tests.stores.conftest import Opener
from legal_pipeline_tests.stores.points import act, direction, provision

pytestmark = pytest.mark.filterwarnings("ignore:Payload indexes have no effect")

ALIAS = "legal_chunks"
SMALL, LARGE = Model("small@1", "small"), Model("large@1", "/models/large")


def wide(document_id: str) -> list[Point]:
    return [
        Point(one.id, one.document_id, direction(1, 16), one.text, one.language, one.payload)
        for one in act(document_id, {"1": "Ny modell."})
    ]


def test_the_first_collection_is_live_and_the_next_is_not(store: VectorStore) -> None:
    assert store.live(ALIAS) is None
    first = store.prepare(ALIAS, 8, SMALL)
    assert (first.live, first.dimension, first.model) == (True, 8, SMALL)
    second = store.prepare(ALIAS, 16, LARGE)
    assert (second.live, second.dimension, second.model) == (False, 16, LARGE)
    assert store.live(ALIAS) == first
    assert store.prepare(ALIAS, 8, SMALL) == first
    assert store.generations(ALIAS) == sorted([first, second], key=lambda one: one.name)


def test_a_collection_is_of_one_model_and_dimension_however_the_settings_name_the_model(tmp_path: Path) -> None:
    store = QdrantEdgeStore(tmp_path)
    name = store.generation_for(ALIAS, 8, SMALL)
    assert store.generation_for(ALIAS, 8, Model(SMALL.name, "/models/small")) == name
    others = {store.generation_for(ALIAS, 16, SMALL), store.generation_for(ALIAS, 8, Model("small@2", SMALL.setting))}
    assert len(others - {name}) == 2


def test_a_search_by_the_alias_never_sees_what_is_built_beside(store: VectorStore) -> None:
    first, second = store.prepare(ALIAS, 8, SMALL), store.prepare(ALIAS, 16, LARGE)
    store.replace_document(first.name, "a", act("a", {"1": "Gammal modell."}))
    store.replace_document(second.name, "a", wide("a"))
    assert store.count(ALIAS) == 1
    (found,) = store.query(ALIAS, dense=direction(1), limit=5).dense
    assert found.payload["chunk_text"] == "Gammal modell."
    store.go_live(ALIAS, second.name)
    (found,) = store.query(ALIAS, dense=direction(1, 16), limit=5).dense
    assert found.payload["chunk_text"] == "Ny modell."
    live = store.live(ALIAS)
    assert live is not None
    assert (live.name, live.model, live.live) == (second.name, LARGE, True)
    store.go_live(ALIAS, second.name)  # once more is not an error


def test_a_writer_that_does_not_know_of_the_switch_writes_on(store: VectorStore) -> None:
    store.prepare(ALIAS, 8, SMALL)
    second = store.prepare(ALIAS, 16, LARGE)
    store.replace_document(second.name, "a", wide("a"))
    store.go_live(ALIAS, second.name)
    store.replace_document(second.name, "b", wide("b"))
    assert store.count(second.name) == store.count(ALIAS) == 2


def test_a_dropped_collection_is_missing_and_leaves_the_others(store: VectorStore) -> None:
    first, second = store.prepare(ALIAS, 8, SMALL), store.prepare(ALIAS, 16, LARGE)
    store.replace_document(second.name, "a", wide("a"))
    store.go_live(ALIAS, second.name)
    for _ in range(2):
        store.drop(first.name)
    with pytest.raises(MissingCollectionError):
        store.count(first.name)
    assert [one.name for one in store.generations(ALIAS)] == [second.name]
    assert store.count(ALIAS) == 1
    again = store.prepare(ALIAS, 8, SMALL)
    assert not again.live
    assert store.count(again.name) == 0


def test_another_way_of_storing_is_a_collection_of_its_own(opener: Opener) -> None:
    plain = opener("").prepare(ALIAS, 8, SMALL)
    other = opener("other").prepare(ALIAS, 8, SMALL)
    assert (plain.live, other.live) == (True, False)
    assert plain.name != other.name


def test_a_collection_of_an_earlier_release_is_searched_until_the_new_one_is_live(
    opener: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as earlier:
        earlier.setattr(bm25, "BM25_VERSION", bm25.BM25_VERSION - 1)
        store = opener("")
        before = store.prepare(ALIAS, 8, SMALL)
        store.replace_document(before.name, "a", act("a", {"1": "Livbojar vid bryggan."}))
    store = opener("")
    assert store.live(ALIAS) == before
    found = store.query(ALIAS, dense=direction(1), text="livbojar", limit=5)
    for points in (found.dense, found.sparse):
        assert [point.payload["chunk_text"] for point in points] == ["Livbojar vid bryggan."]
    after = store.prepare(ALIAS, 8, SMALL)
    if isinstance(store, PgvectorStore):  # PostgreSQL itself cuts its words
        assert after == before
        return
    assert not after.live
    store.go_live(ALIAS, after.name)
    store.drop(before.name)
    assert [found.name for found in store.generations(ALIAS)] == [after.name]


def test_stored_in_fewer_bits_the_nearest_are_found_and_scored_by_the_vectors(opener: Opener) -> None:
    store = opener("other")
    name = store.prepare(ALIAS, 8, SMALL).name
    points = [provision("a", str(n), f"Bestämmelse {n}.", seed=n, jurisdiction="se") for n in range(300)]
    store.replace_document(name, "a", points)
    store.optimise(name)
    cosines = {str(point.payload["section"]): float(point.vector @ direction(7)) for point in points}
    found = store.query(name, dense=direction(7), limit=10, filters=[AnyOf("jurisdiction", ("se",))]).dense
    best = sorted(cosines, key=lambda section: -cosines[section])[:10]
    assert [point.payload["section"] for point in found][:3] == best[:3]
    assert len({point.payload["section"] for point in found} & set(best)) >= 9
    for point in found:
        assert point.score == pytest.approx(cosines[point.payload["section"]], abs=2e-3)


def test_a_table_that_bears_the_alias_is_refused_before_anything_is_written(database: Database) -> None:
    with database.connection() as connection:
        connection.execute(f"create table {ALIAS} (id int)".encode())
    store = PgvectorStore(database)
    with pytest.raises(ConfigurationError, match="was not made by this version"):
        store.prepare(ALIAS, 8, SMALL)
    assert store.generations(ALIAS) == []


def test_a_collection_that_bears_the_alias_is_refused_before_anything_is_written() -> None:
    client = QdrantClient(":memory:")
    client.create_collection(ALIAS, vectors_config=models.VectorParams(size=8, distance=models.Distance.COSINE))
    store = QdrantServerStore(client, where="memory")
    with pytest.raises(ConfigurationError, match=f"has a collection {ALIAS} of its own"):
        store.prepare(ALIAS, 8, SMALL)
    assert [one.name for one in client.get_collections().collections] == [ALIAS]


def test_the_live_table_of_postgres_bears_the_names_of_seed_004(database: Database) -> None:
    store = PgvectorStore(database)
    store.prepare(ALIAS, 8, SMALL)
    store.go_live(ALIAS, store.prepare(ALIAS, 16, LARGE).name)
    with database.connection() as connection:
        found = connection.execute(f"select indexname from pg_indexes where tablename = '{ALIAS}'".encode()).fetchall()
    assert {"idx_source_type", "idx_criterion_tag", "idx_embedding_hnsw"} <= {row["indexname"] for row in found}
    third = store.prepare(ALIAS, 8, SMALL)  # its indexes find their names free
    assert not third.live

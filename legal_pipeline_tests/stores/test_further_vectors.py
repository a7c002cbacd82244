"""A collection of several embedding models: each point has the vector of one, and a search names the one it asks. On every store."""

from __future__ import annotations

import dataclasses

import pytest

from legal_pipeline.errors import ConfigurationError, StoreError
from legal_pipeline.registry.database import Database
from legal_pipeline.stores.pgvector import PgvectorStore
from legal_pipeline.stores.store import DENSE, AnyOf, Model, Point, VectorStore
from legal_pipeline_tests.stores.conftest import Opener
from legal_pipeline_tests.stores.points import direction, provision

pytestmark = pytest.mark.filterwarnings("ignore:Payload indexes have no effect")

ALIAS = "legal_chunks"
SECOND = "dense_large"
ONE = Model("small@1", "small")
BOTH = Model("eng=small@1,*=large@1", "eng=small,*=large", ((SECOND, 16),))


def large(point: Point, seed: int) -> Point:
    """The point with a vector of the second model."""
    return dataclasses.replace(point, vector=direction(seed, 16), vector_name=SECOND)


def points() -> list[Point]:
    """Sections 1 to 3 of the first model, 4 to 6 of the second."""
    made = [provision("a", str(n), f"Bestämmelse {n} om fyrar.", seed=n) for n in range(1, 7)]
    return [*made[:3], *(large(point, n) for n, point in enumerate(made[3:], start=4))]


def sections(found: tuple[object, ...]) -> list[str]:
    return [str(point.payload["section"]) for point in found]  # type: ignore[attr-defined]


def test_the_models_of_a_collection_are_read_in_whatever_order_a_store_returns_them() -> None:
    models = Model("three models", "three settings", ((SECOND, 16), ("dense_small", 4)))
    stored = models.dump()
    assert Model.load(stored) == models
    assert Model.load({**stored, "further": dict(reversed(stored["further"].items()))}) == models


@pytest.mark.parametrize("kind", ["", "other"])
def test_a_search_finds_the_points_of_the_vector_that_it_names(opener: Opener, kind: str) -> None:
    store = opener(kind)
    name = store.prepare(ALIAS, 8, BOTH).name
    store.replace_document(name, "a", points())
    store.optimise(name)
    first = store.query(name, dense=direction(2), limit=10)
    second = store.query(name, dense=direction(5, 16), limit=10, using=SECOND)
    assert sorted(sections(first.dense)) == ["1", "2", "3"]
    assert sorted(sections(second.dense)) == ["4", "5", "6"]
    assert (sections(first.dense)[0], sections(second.dense)[0]) == ("2", "5")
    assert second.dense[0].score == pytest.approx(1.0, abs=2e-3)
    (found,) = store.query(name, dense=direction(6, 16), using=SECOND, filters=[AnyOf("section", ("4",))]).dense
    assert found.payload["section"] == "4"


def test_words_are_found_in_the_points_of_every_model(store: VectorStore) -> None:
    name = store.prepare(ALIAS, 8, BOTH).name
    store.replace_document(name, "a", points())
    found = store.query(name, dense=direction(5, 16), text="fyrar", languages=["swe"], limit=10, using=SECOND)
    assert sorted(sections(found.sparse)) == ["1", "2", "3", "4", "5", "6"]
    assert len(found.dense) == 3


def test_a_point_changes_its_model_with_its_document(store: VectorStore) -> None:
    name = store.prepare(ALIAS, 8, BOTH).name
    store.replace_document(name, "a", points())
    changed = [large(point, 9) if point.vector_name == DENSE else point for point in points()]
    changed = [
        dataclasses.replace(point, payload={**point.payload, "row_hash": f"{point.row_hash} {point.vector_name}"})
        for point in changed
    ]
    store.replace_document(name, "a", changed)
    assert store.query(name, dense=direction(2), limit=10).dense == ()
    assert len(store.query(name, dense=direction(9, 16), limit=10, using=SECOND).dense) == 6


def test_the_models_of_a_collection_are_remembered(opener: Opener) -> None:
    made = opener("").prepare(ALIAS, 8, BOTH)
    assert (made.model, made.dimension) == (BOTH, 8)
    again = opener("")
    assert again.live(ALIAS) == made
    again.replace_document(made.name, "a", points())
    assert opener("").count(ALIAS) == 6


def test_a_table_of_models_is_built_beside_one_model_and_takes_its_place(store: VectorStore) -> None:
    first = store.prepare(ALIAS, 8, ONE)
    store.replace_document(first.name, "a", points()[:3])
    second = store.prepare(ALIAS, 8, BOTH)
    assert not second.live
    store.replace_document(second.name, "a", points())
    assert store.count(ALIAS) == 3
    store.go_live(ALIAS, second.name)
    assert sorted(sections(store.query(ALIAS, dense=direction(5, 16), limit=9, using=SECOND).dense)) == ["4", "5", "6"]
    store.drop(first.name)
    back = store.prepare(ALIAS, 8, ONE)
    store.replace_document(back.name, "a", points()[:3])
    store.go_live(ALIAS, back.name)
    assert sections(store.query(ALIAS, dense=direction(2), limit=9).dense)[0] == "2"


def test_a_vector_that_the_collection_does_not_have_is_refused(store: VectorStore) -> None:
    name = store.prepare(ALIAS, 8, ONE).name
    with pytest.raises(StoreError, match="no vectors dense_large"):
        store.replace_document(name, "a", points())
    with pytest.raises(ConfigurationError, match="no vectors dense_large; there are dense"):
        store.query(name, dense=direction(1, 16), using=SECOND)
    with pytest.raises(StoreError, match=r"shape \(8,\), expected \(16,\)"):
        store.replace_document(
            store.prepare(ALIAS, 8, BOTH).name, "a", [dataclasses.replace(points()[0], vector_name=SECOND)]
        )


def test_the_column_of_the_seed_has_the_first_models_vectors_alone(database: Database) -> None:
    store = PgvectorStore(database)
    name = store.prepare(ALIAS, 8, BOTH).name
    store.replace_document(name, "a", points())
    with database.connection() as connection:
        rows = connection.execute(
            f"select source_section, embedding is null as first, embedding_large is null as second from {ALIAS} order by 1".encode()
        ).fetchall()
        indexes = connection.execute(
            "select indexname from pg_indexes where indexname like '%embedding_hnsw%' order by 1"
        ).fetchall()
    assert [(row["first"], row["second"]) for row in rows] == [(False, True)] * 3 + [(True, False)] * 3
    assert [row["indexname"] for row in indexes] == ["idx_embedding_hnsw", "idx_embedding_hnsw_2"]

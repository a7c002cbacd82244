"""What every vector store keeps to: the same rules on Qdrant Edge, on the Qdrant client (in memory and over HTTP) and on pgvector.

Two things differ and are tested as they are: pgvector replaces a document in one transaction, where Qdrant holds both versions for a
moment, and ranks words by `ts_rank`, which knows no rare words, where Qdrant has BM25.
"""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from qdrant_client import QdrantClient

from legal_pipeline.errors import ConfigurationError, StoreError
from legal_pipeline.registry.database import Database
from legal_pipeline.stores.pgvector import PgvectorStore
from legal_pipeline.stores.qdrant_edge import QdrantEdgeStore
from legal_pipeline.stores.qdrant_server import QdrantServerStore
from legal_pipeline.stores.store import (
    AnyOf,
    Condition,
    DateRange,
    Either,
    Not,
    Query,
    RankedLists,
    ReplaceResult,
    VectorStore,
)
from legal_pipeline_tests.stores.points import DIMENSION, act, direction, provision, row_hashes
from legal_pipeline_tests.stores.qdrant_http_server import QdrantHttpServer

pytestmark = pytest.mark.filterwarnings("ignore:Payload indexes have no effect")

NAME = "legal_chunks"
OLD = {
    "1": "Denna lag gäller badplatser.",
    "2": "Kommunen ska ta prov på badvattnet.",
    "3": "Badplatsen ska ha livboj.",
}
NEW = {
    "1": "Denna lag gäller badplatser.",
    "2": "Kommunen ska ta prov på badvattnet varje vecka.",
    "4": "Tillsyn utövas av länsstyrelsen.",
}


@pytest.fixture(params=["edge", "client", "server", "pgvector"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[VectorStore]:
    opened: VectorStore
    server = contextlib.ExitStack()
    if request.param == "edge":
        opened = QdrantEdgeStore(tmp_path / "qdrant", lock_timeout=5)
    elif request.param == "client":
        opened = QdrantServerStore(QdrantClient(":memory:"), where="the client in memory")
    elif request.param == "server":
        opened = QdrantServerStore.connect(server.enter_context(QdrantHttpServer().listening()))
    else:
        opened = PgvectorStore(request.getfixturevalue("database"))
    opened.ensure_collection(NAME, DIMENSION)
    with server:
        yield opened
        opened.close()


def in_one_transaction(store: VectorStore) -> bool:
    return isinstance(store, PgvectorStore)


def hashes(store: VectorStore) -> list[str]:
    return sorted(store.point_hashes(NAME, "se-sfs-1").values())


def sections(store: VectorStore, *filters: Condition) -> set[str]:
    found = store.query(NAME, dense=direction(1), filters=filters, limit=100).dense
    return {str(point.payload["section"]) for point in found}


def test_a_document_is_replaced_and_what_did_not_change_is_left_alone(store: VectorStore) -> None:
    assert store.replace_document(NAME, "se-sfs-1", act("se-sfs-1", OLD)) == ReplaceResult(3, 0, 0)
    # a changed point is a new one and a stale one, but for pgvector, which changes its row
    changed = store.replace_document(NAME, "se-sfs-1", act("se-sfs-1", NEW))
    assert changed == ReplaceResult(2, 1, 1 if in_one_transaction(store) else 2)
    assert store.replace_document(NAME, "se-sfs-1", act("se-sfs-1", NEW)) == ReplaceResult(0, 3, 0)
    assert hashes(store) == row_hashes(act("se-sfs-1", NEW))
    assert sections(store) == set(NEW)


def test_replacing_one_document_leaves_its_neighbours(store: VectorStore) -> None:
    store.replace_document(NAME, "se-sfs-1", act("se-sfs-1", OLD))
    store.replace_document(NAME, "se-sfs-2", act("se-sfs-2", OLD))
    store.replace_document(NAME, "se-sfs-1", act("se-sfs-1", {"1": "Ny lydelse."}))
    assert store.count(NAME, "se-sfs-2") == 3
    assert store.count(NAME) == 4


def test_the_hash_of_a_document_changes_with_its_points_and_with_nothing_else(store: VectorStore) -> None:
    store.replace_document(NAME, "se-sfs-1", act("se-sfs-1", OLD))
    alone = store.document_hashes(NAME)
    store.replace_document(NAME, "se-sfs-2", act("se-sfs-2", OLD))
    both = store.document_hashes(NAME)
    assert (alone, len(set(both.values()))) == ({"se-sfs-1": both["se-sfs-1"]}, 2)
    store.replace_document(NAME, "se-sfs-1", act("se-sfs-1", NEW))
    changed = store.document_hashes(NAME)
    assert changed["se-sfs-1"] != both["se-sfs-1"]
    assert changed["se-sfs-2"] == both["se-sfs-2"]
    store.delete_document(NAME, "se-sfs-2")
    store.replace_document(NAME, "se-sfs-1", act("se-sfs-1", OLD))
    assert store.document_hashes(NAME) == alone


def test_stale_points_leave_only_after_the_new_ones_are_published(store: VectorStore) -> None:
    store.replace_document(NAME, "se-sfs-1", act("se-sfs-1", OLD))
    at_publication: list[list[str]] = []
    store.replace_document(NAME, "se-sfs-1", act("se-sfs-1", NEW), publish=lambda: at_publication.append(hashes(store)))
    old, new = (act("se-sfs-1", wording) for wording in (OLD, NEW))
    # § 1 did not change, § 2 stands in both wordings; in a transaction, others see the old version until it ends
    both = row_hashes([*old, *(point for point in new if point.row_hash not in row_hashes(old))])
    assert at_publication == [row_hashes(old) if in_one_transaction(store) else both]
    assert hashes(store) == row_hashes(new)


def test_a_changed_point_is_written_beside_the_one_that_readers_see(store: VectorStore) -> None:
    store.replace_document(NAME, "se-sfs-1", act("se-sfs-1", OLD))
    seen: list[set[str]] = []

    def look() -> None:
        found = store.query(NAME, dense=direction(1), filters=[AnyOf("section", ("2",))], limit=10).dense
        seen.append({str(point.payload["chunk_text"]) for point in found})

    store.replace_document(NAME, "se-sfs-1", act("se-sfs-1", NEW), publish=look)
    look()
    assert seen == [{OLD["2"]} if in_one_transaction(store) else {OLD["2"], NEW["2"]}, {NEW["2"]}]


def test_many_documents_are_replaced_in_one_call(store: VectorStore) -> None:
    store.replace_documents(NAME, {name: act(name, OLD) for name in ("a", "b")})
    published: list[list[str]] = []
    done = store.replace_documents(
        NAME,
        {"a": act("a", NEW), "b": act("b", OLD), "c": act("c", NEW)},
        publish=lambda documents: published.append(list(documents)),
    )
    assert done == {
        "a": ReplaceResult(2, 1, 1 if in_one_transaction(store) else 2),
        "b": ReplaceResult(0, 3, 0),
        "c": ReplaceResult(3, 0, 0),
    }
    assert published == [["a", "b", "c"]]
    assert [store.count(NAME, name) for name in ("a", "b", "c")] == [3, 3, 3]


def test_if_publishing_fails_nothing_is_deleted_and_the_next_call_repairs(store: VectorStore) -> None:
    store.replace_document(NAME, "se-sfs-1", act("se-sfs-1", OLD))

    def fail() -> None:
        raise OSError("the database is away")

    with pytest.raises(OSError, match="database"):
        store.replace_document(NAME, "se-sfs-1", act("se-sfs-1", NEW), publish=fail)
    old = row_hashes(act("se-sfs-1", OLD))
    assert hashes(store) == old if in_one_transaction(store) else set(hashes(store)) > set(old)
    again = store.replace_document(NAME, "se-sfs-1", act("se-sfs-1", NEW))
    assert again == (ReplaceResult(2, 1, 1) if in_one_transaction(store) else ReplaceResult(0, 3, 2))
    assert hashes(store) == row_hashes(act("se-sfs-1", NEW))


def test_publishing_is_repeated_even_if_nothing_was_written(store: VectorStore) -> None:
    store.replace_document(NAME, "se-sfs-1", act("se-sfs-1", OLD))
    calls: list[None] = []
    store.replace_document(NAME, "se-sfs-1", act("se-sfs-1", OLD), publish=lambda: calls.append(None))
    assert calls == [None]


def test_a_document_is_never_replaced_by_nothing(store: VectorStore) -> None:
    store.replace_document(NAME, "se-sfs-1", act("se-sfs-1", OLD))
    with pytest.raises(StoreError, match="delete_document"):
        store.replace_document(NAME, "se-sfs-1", [])
    assert store.delete_document(NAME, "se-sfs-1") == 3
    assert store.delete_document(NAME, "se-sfs-1") == 0
    assert store.count(NAME) == 0


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda p: dataclasses.replace(p, vector=np.ones(DIMENSION + 1, dtype=np.float32)), "shape"),
        (lambda p: dataclasses.replace(p, vector=np.full(DIMENSION, np.nan, dtype=np.float32)), "not finite"),
        (lambda p: dataclasses.replace(p, vector=np.zeros(DIMENSION, dtype=np.float32)), "no direction"),
        (lambda p: dataclasses.replace(p, id="kap2.§3"), "not a UUID"),
        (lambda p: dataclasses.replace(p, document_id="se-sfs-9"), "other documents"),
        (lambda p: dataclasses.replace(p, payload={}), "row_hash"),
    ],
)
def test_bad_points_are_refused_before_anything_is_written(
    store: VectorStore, spoil: Callable[[object], object], message: str
) -> None:
    first, *rest = act("se-sfs-1", OLD)
    with pytest.raises(StoreError, match=message):
        store.replace_document(NAME, "se-sfs-1", [*rest, spoil(first)])  # type: ignore[list-item]
    assert store.count(NAME) == 0


def test_an_id_that_comes_twice_is_refused(store: VectorStore) -> None:
    points = act("se-sfs-1", OLD)
    with pytest.raises(StoreError, match="twice"):
        store.replace_document(NAME, "se-sfs-1", [*points, points[0]])
    with pytest.raises(StoreError, match="twice"):
        store.upsert(NAME, [*points, points[0]])
    assert store.count(NAME) == 0


def test_no_document_overwrites_the_points_of_another(store: VectorStore) -> None:
    points = act("se-sfs-1", OLD)
    store.replace_document(NAME, "se-sfs-1", points)
    stolen = [dataclasses.replace(point, document_id="se-sfs-2") for point in points]
    if in_one_transaction(store):  # the id is the row's key
        with pytest.raises(StoreError, match="belongs to se-sfs-1"):
            store.replace_document(NAME, "se-sfs-2", stolen)
    else:
        store.replace_document(NAME, "se-sfs-2", stolen)
    assert hashes(store) == row_hashes(points)


def test_a_collection_of_another_dimension_is_refused(store: VectorStore) -> None:
    store.ensure_collection(NAME, DIMENSION)
    with pytest.raises(ConfigurationError, match="of 8 dimensions, the embedding model gives 384"):
        store.ensure_collection(NAME, 384)


def test_a_missing_collection_is_an_error_and_not_an_empty_answer(store: VectorStore) -> None:
    with pytest.raises(StoreError, match="other"):
        store.query("other", dense=direction(1))


def test_the_nearest_vectors_come_first_with_their_cosine(store: VectorStore) -> None:
    points = [provision("se-sfs-1", str(n), f"Bestämmelse {n}.", seed=n) for n in range(30)]
    store.replace_document(NAME, "se-sfs-1", points)
    found = store.query(NAME, dense=direction(7), limit=5).dense
    cosines = sorted(((float(point.vector @ direction(7)), point.payload["section"]) for point in points), reverse=True)
    assert [point.payload["section"] for point in found] == [section for _, section in cosines[:5]]
    assert np.allclose([point.score for point in found], [cosine for cosine, _ in cosines[:5]], atol=1e-5)
    assert found[0].payload["chunk_text"] == "Bestämmelse 7."
    assert found[0].payload["document_id"] == "se-sfs-1"


def test_without_vector_and_words_the_same_points_of_those_that_fit_are_given(store: VectorStore) -> None:
    points = [provision("se-sfs-1", str(n), f"Bestämmelse {n}.", seed=n) for n in range(30)]
    store.replace_document(NAME, "se-sfs-1", points)
    fitting = AnyOf("section", tuple(str(n) for n in range(20)))
    everything = store.query(NAME, filters=[fitting], limit=100)
    assert (everything.dense, everything.sparse) == ((), ())
    assert {str(point.payload["section"]) for point in everything.unranked} == set(fitting.values)
    assert store.query(NAME, filters=[fitting], limit=5).unranked == everything.unranked[:5]
    assert store.query(NAME, text="§", filters=[fitting]) == RankedLists(), "a text without words is a text"


def test_words_match_in_any_inflection_of_their_language(store: VectorStore) -> None:
    store.replace_document(NAME, "se-sfs-1", act("se-sfs-1", OLD))
    store.replace_document(
        NAME,
        "zw-act-1",
        [provision("zw-act-1", "12A", "Employers shall register their employees.", language="eng")],
    )
    store.replace_document(NAME, "lv-act-1", [provision("lv-act-1", "8", "Darba devējam jāziņo.", language="lav")])
    store.replace_document(
        NAME, "de-act-1", [provision("de-act-1", "433", "Der Käufer erfüllt den Vertrag.", language="deu")]
    )
    store.replace_document(
        NAME, "fr-act-1", [provision("fr-act-1", "L1", "Les contrats sont formés par écrit.", language="fra")]
    )

    def sparse(text: str, *languages: str) -> list[str]:
        return [str(p.payload["section"]) for p in store.query(NAME, text=text, languages=languages).sparse]

    assert sparse("livbojar vid badplatserna", "swe") == ["3", "1"]
    assert sparse("livbojar") == ["3"]
    assert sparse("registering an employee") == ["12A"]
    assert sparse("devējam") == ["8"]
    assert sparse("Verträge") == ["433"]
    assert sparse("contrat", "fra") == ["L1"]
    assert sparse("och att") == []
    assert sparse("") == []


def test_a_rare_word_weighs_more_than_a_common_one(store: VectorStore) -> None:
    texts = {str(n): f"Kommunen ska pröva ansökan nummer {n}." for n in range(1, 20)}
    store.replace_document(NAME, "se-sfs-1", act("se-sfs-1", {**texts, "20": "Kommunen ska hålla en flytbrygga."}))
    found = store.query(NAME, text="kommunen flytbrygga", languages=["swe"]).sparse
    assert found[0].payload["section"] == "20"
    # pgvector ranks it first for having both words, not for the rarity of one
    assert found[0].score > (1 if isinstance(store, PgvectorStore) else 3) * found[1].score


def test_conditions_on_fields(store: VectorStore) -> None:
    dated = [
        provision(
            "se-sfs-1",
            "1",
            "a",
            jurisdiction="se",
            valid_from="2001-01-01",
            in_force="2001-01-01",
            repealed="2015-01-01",
        ),
        provision(
            "se-sfs-1",
            "2",
            "b",
            jurisdiction="se",
            valid_from="2020-07-01",
            in_force="2001 eller senare",
            is_winning_argument=True,
        ),
        provision("se-sfs-1", "3", "c", jurisdiction="zw", valid_from=None, is_winning_argument=False),
        provision("se-sfs-1", "4", "d", jurisdiction="us", valid_from="den dag som regeringen bestämmer"),
    ]
    store.replace_document(NAME, "se-sfs-1", dated)
    assert sections(store, AnyOf("jurisdiction", ("se",))) == {"1", "2"}
    assert sections(store, AnyOf("jurisdiction", ("zw", "us"))) == {"3", "4"}
    assert sections(store, AnyOf("jurisdiction", ())) == set()
    assert sections(store, AnyOf("is_winning_argument", (True,))) == {"2"}
    assert sections(store, AnyOf("is_winning_argument", (True, False))) == {"2", "3"}
    assert sections(store, Not(AnyOf("jurisdiction", ("se",)))) == {"3", "4"}
    assert sections(store, DateRange("valid_from", until="2020-06-30")) == {"1"}
    assert sections(store, DateRange("valid_from", until="2020-07-01")) == {"1", "2"}
    assert sections(store, DateRange("valid_from", before="2020-07-01")) == {"1"}
    assert sections(store, DateRange("valid_from", since="2001-01-01")) == {"1", "2"}
    assert sections(store, DateRange("valid_from", after="2001-01-01")) == {"2"}
    assert sections(store, DateRange("valid_from", until="2010-01-01", or_absent=True)) == {"1", "3"}
    assert sections(store, Not(DateRange("valid_from", until="2010-01-01"))) == {"2", "3", "4"}
    assert sections(store, AnyOf("jurisdiction", ("se",)), DateRange("valid_from", since="2010-01-01")) == {"2"}
    assert sections(store, DateRange("in_force", until="2010-01-01")) == {"1"}
    assert sections(store, DateRange("in_force", until="2000-12-31", or_absent=True)) == {"3", "4"}
    assert sections(store, DateRange("repealed", after="2014-12-31")) == {"1"}


def test_a_search_among_named_points_finds_those_alone(store: VectorStore) -> None:
    store.replace_document(NAME, "se-sfs-1", act("se-sfs-1", OLD))
    ids = [point.id for point in store.query(NAME, dense=direction(1)).dense]

    def found(named: list[str]) -> list[str]:
        queries = [Query(dense=direction(1), ids=named, filters=[AnyOf("section", ("1", "2", "3"))]), Query(ids=named)]
        lists = store.query_batch(NAME, queries)
        assert {point.id for point in lists[0].dense} == {point.id for point in lists[1].unranked}
        return [point.id for point in lists[0].dense]

    assert found(ids[1:]) == ids[1:]
    assert found([]) == []


def test_alternatives_hold_if_one_of_them_does(store: VectorStore) -> None:
    for document_id in ("se-sfs-1", "se-sfs-2"):
        points = [provision(document_id, str(n), f"Bestämmelse {n}.", seq=n, jurisdiction="se") for n in range(4)]
        store.replace_document(NAME, document_id, points)
    first, second = (AnyOf("document_id", (document_id,)) for document_id in ("se-sfs-1", "se-sfs-2"))

    def found(*filters: Condition) -> list[str]:
        points = store.query(NAME, dense=direction(1), filters=filters, limit=100).dense
        return sorted(str(point.payload["chunk_id"]) for point in points)

    either = Either(((first, AnyOf("seq", (0, 1))), (second, Not(AnyOf("seq", (0, 1, 2))))))
    assert found(either) == ["se-sfs-1/0", "se-sfs-1/1", "se-sfs-2/3"]
    for filters in ((either, Not(AnyOf("seq", (0,)))), (Not(AnyOf("seq", (0,))), either)):
        assert found(*filters) == ["se-sfs-1/1", "se-sfs-2/3"]
    assert found(Either(())) == []


def test_a_filter_on_a_field_without_an_index_names_those_that_have_one(store: VectorStore) -> None:
    if isinstance(store, PgvectorStore):
        pytest.skip("PostgreSQL filters on any field of the payload")
    has_no_index = AnyOf("titel", ("Fyrlag",))
    for wrong in (has_no_index, Not(has_no_index), Either(((AnyOf("seq", (1,)),), (has_no_index,)))):
        with pytest.raises(ConfigurationError, match=r"no filter can be on titel: .*there are chapter, chunk_id"):
            store.query(NAME, dense=direction(1), filters=[wrong])


def test_a_session_changes_no_result(store: VectorStore) -> None:
    with store.session(NAME, "a batch"):
        store.ensure_collection(NAME, DIMENSION)
        store.replace_document(NAME, "se-sfs-1", act("se-sfs-1", OLD))
        assert sections(store) == set(OLD)
    store.optimise(NAME)
    assert sections(store) == set(OLD)


def test_more_points_than_one_page_are_all_read(store: VectorStore) -> None:
    points = [provision("se-sfs-1", str(n), f"Bestämmelse {n}.", seed=n) for n in range(2100)]
    assert store.replace_document(NAME, "se-sfs-1", points) == ReplaceResult(2100, 0, 0)
    assert store.replace_document(NAME, "se-sfs-1", points[:10]) == ReplaceResult(0, 10, 2090)


def test_all_stores_rank_and_score_alike(tmp_path: Path, database: Database) -> None:
    texts = {
        str(n): f"Kommunen prövar ansökan {n} om {'badplats' if n % 3 else 'brygga'}." * (n % 4 + 1) for n in range(40)
    }
    points = [provision("se-sfs-1", number, text, seed=int(number)) for number, text in texts.items()]
    ranked = []
    for store in (
        QdrantEdgeStore(tmp_path),
        QdrantServerStore(QdrantClient(":memory:"), where="memory"),
        PgvectorStore(database, exact=True),
    ):
        store.ensure_collection(NAME, DIMENSION)
        store.replace_document(NAME, "se-sfs-1", points)
        ranked.append(store.query(NAME, dense=direction(3), text="bryggor 7", languages=["swe"], limit=40))
    edge, client, pgvector = ranked
    for one, other in ((edge.dense, client.dense), (edge.sparse, client.sparse), (edge.dense, pgvector.dense)):
        scores = {point.payload["section"]: point.score for point in other}
        assert {point.payload["section"] for point in one} == scores.keys()
        assert all(abs(point.score - scores[point.payload["section"]]) < 1e-4 for point in one)
    in_order = [[point.payload["section"] for point in lists.dense] for lists in ranked]
    assert in_order[0] == in_order[1] == in_order[2]
    # the same rows share a word with the query; the order is ts_rank's own
    assert {point.payload["section"] for point in edge.sparse} == {
        point.payload["section"] for point in pgvector.sparse
    }

"""Rules of pgvector alone: its table, its transaction, its refusals and its index."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import psycopg
import pytest
from psycopg import sql
from psycopg.rows import dict_row

from legal_pipeline.errors import ConfigurationError, StoreError, StoreUnavailableError
from legal_pipeline.model.identity import point_id
from legal_pipeline.registry.database import Database
from legal_pipeline.stores import pgvector, pgvector_tables
from legal_pipeline.stores.pgvector import PgvectorStore
from legal_pipeline.stores.pgvector_filters import where
from legal_pipeline.stores.store import AnyOf, DateRange, Not, Point, ReplaceResult
from legal_pipeline_tests.conftest import NewDatabase
from legal_pipeline_tests.stores.points import DIMENSION, act, direction, provision

NAME = "legal_chunks"
OLD = {"1": "Denna lag gäller fyrar.", "2": "Fyren ska vara tänd.", "3": "Vid dimma ska mistluren ljuda."}
NEW = {"1": "Denna lag gäller fyrar.", "2": "Fyren ska vara tänd från skymningen.", "4": "Fyrvakten ska vara vaken."}


@pytest.fixture
def store(database: Database) -> PgvectorStore:
    opened = PgvectorStore(database)
    opened.ensure_collection(NAME, DIMENSION)
    return opened


def select(database: Database, statement: str, *parameters: object) -> list[dict[str, Any]]:
    with database.connection() as connection:
        return connection.execute(statement.encode(), parameters).fetchall()


# -- the table --------------------------------------------------------------------------------------------------------


def test_the_table_has_the_columns_and_indexes_of_seed_004(store: PgvectorStore, database: Database) -> None:
    found = select(database, "select column_name, udt_name from information_schema.columns where table_name = %s", NAME)
    columns = {each["column_name"]: each["udt_name"] for each in found}
    assert {
        "id": "uuid", "source_type": "text", "source_document": "text", "source_section": "text", "chunk_text": "text",
        "chunk_index": "int4", "criterion_tag": "text", "legal_standard": "text", "is_winning_argument": "bool", "section_level": "int4",
        "parent_section_id": "uuid", "embedding": "vector", "created_at": "timestamptz", "updated_at": "timestamptz",
    }.items() <= columns.items()  # fmt: skip
    indexes = {
        each["indexname"]: each["indexdef"]
        for each in select(database, "select indexname, indexdef from pg_indexes where tablename = %s", NAME)
    }
    assert {
        "idx_source_type", "idx_source_document", "idx_criterion_tag", "idx_legal_standard", "idx_is_winning_argument",
        "idx_source_type_criterion", "idx_citations",
    } <= indexes.keys()  # fmt: skip
    hnsw = indexes["idx_embedding_hnsw"]
    assert "hnsw (embedding vector_cosine_ops)" in hnsw
    assert "m='16', ef_construction='64'" in hnsw


def test_columns_say_what_the_payload_says(store: PgvectorStore, database: Database) -> None:
    point = provision(
        "us-appeal-1", "judging", "The record shows that she judged.", language="eng", doc_type="appeal_decision",
        source_file="appeals/bergstrom.txt", source_section="Bergström - Section A: Judging", seq=4, criterion_tag="judging",
        is_winning_argument=True, section_level=2, jurisdiction="us", valid_from="2020-02-01", valid_to="until repealed",
    )  # fmt: skip
    store.replace_document(NAME, "us-appeal-1", [point])
    (row,) = select(database, f"select * from {NAME}")
    expected = {
        "source_type": "appeal_decision", "source_document": "bergstrom.txt", "source_section": "Bergström - Section A: Judging",
        "chunk_index": 4, "criterion_tag": "judging", "legal_standard": None, "is_winning_argument": True, "section_level": 2,
        "parent_section_id": None, "document_id": "us-appeal-1", "jurisdiction": "us", "valid_to": None,
        "chunk_text": "The record shows that she judged.",
    }  # fmt: skip
    assert {name: row[name] for name in expected} == expected
    assert row["valid_from"].isoformat() == "2020-02-01"
    (hit,) = store.query(NAME, dense=point.vector).dense
    assert hit.payload == {**point.payload, "document_id": "us-appeal-1"}


def test_a_parent_is_named_if_it_is_in_the_table_and_forgotten_with_it(
    store: PgvectorStore, database: Database
) -> None:
    parent = provision("zw-act-1", "2", "Interpretation")
    child = provision("zw-act-1", "2.a", "employee means", parent_chunk_id="zw-act-1/2")
    orphan = provision("zw-act-1", "3", "wage means", parent_chunk_id="zw-act-1/gone")

    def parents() -> dict[str, object]:
        found = select(database, f"select payload ->> 'section' as section, parent_section_id as parent from {NAME}")
        return {each["section"]: each["parent"] and str(each["parent"]) for each in found}

    store.upsert(NAME, [child])
    assert parents() == {"2.a": None}
    store.replace_document(NAME, "zw-act-1", [child, orphan, parent])
    assert parents() == {"2": None, "2.a": point_id("zw-act-1/2"), "3": None}
    store.replace_document(NAME, "zw-act-1", [child, orphan])
    assert parents() == {"2.a": None, "3": None}


def test_a_row_that_did_not_change_is_not_touched(store: PgvectorStore, database: Database) -> None:
    def versions() -> dict[str, str]:
        found = select(database, f"select payload ->> 'section' as section, xmin::text as version from {NAME}")
        return {each["section"]: each["version"] for each in found}

    store.replace_document(NAME, "se-sfs-1", act("se-sfs-1", OLD))
    before = versions()
    store.replace_document(NAME, "se-sfs-1", act("se-sfs-1", OLD))
    assert versions() == before
    store.replace_document(NAME, "se-sfs-1", act("se-sfs-1", NEW))
    after = versions()
    assert (after["1"], after.keys()) == (before["1"], NEW.keys())


# -- one transaction --------------------------------------------------------------------------------------------------


def test_readers_see_the_old_version_or_the_new_one(store: PgvectorStore) -> None:
    wordings = [act("se-sfs-1", {str(n): f"Lydelse {version}." for n in range(20)}) for version in range(2)]
    allowed = [{f"Lydelse {version}."} for version in range(2)]
    store.replace_document(NAME, "se-sfs-1", wordings[0])
    done = threading.Event()
    seen: list[tuple[int, set[str]]] = []

    def read() -> None:
        while not done.is_set():
            lists = store.query(NAME, dense=direction(1), text="lydelse", languages=["swe"])
            for found in (lists.dense, lists.sparse):
                seen.append((len(found), {str(point.payload["chunk_text"]) for point in found}))

    with ThreadPoolExecutor(2) as pool:
        readers = [pool.submit(read) for _ in range(2)]
        for turn in range(1, 21):
            store.replace_document(NAME, "se-sfs-1", wordings[turn % 2])
        done.set()
        for reader in readers:
            reader.result()
    assert len(seen) > 4
    assert all(number == 20 and texts in allowed for number, texts in seen)


def test_a_process_killed_before_its_transaction_ends_has_changed_nothing(
    store: PgvectorStore, database: Database, repository: Path
) -> None:
    store.replace_document(NAME, "se-sfs-1", act("se-sfs-1", OLD))
    before = store.point_hashes(NAME, "se-sfs-1")
    code = f"""
import os, signal
from legal_pipeline.registry.database import Database
from legal_pipeline.stores.pgvector import PgvectorStore
from legal_pipeline_tests.stores.points import act
store = PgvectorStore(Database({database.url!r}))
store.replace_document({NAME!r}, "se-sfs-1", act("se-sfs-1", {NEW!r}), publish=lambda: os.kill(os.getpid(), signal.SIGKILL))
"""
    killed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=repository)
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    assert store.point_hashes(NAME, "se-sfs-1") == before
    assert store.replace_document(NAME, "se-sfs-1", act("se-sfs-1", NEW)) == ReplaceResult(2, 1, 1)


def test_two_writers_of_one_document_come_one_after_the_other(store: PgvectorStore) -> None:
    wordings = [act("se-sfs-1", {**OLD, "2": f"Lydelse {n}."}) for n in range(6)]
    with ThreadPoolExecutor(3) as pool:
        results = list(pool.map(lambda points: store.replace_document(NAME, "se-sfs-1", points), wordings))
    assert store.count(NAME, "se-sfs-1") == 3
    assert sorted((result.written, result.unchanged) for result in results)[:5] == [(1, 2)] * 5


def test_a_document_is_deleted_as_the_writer_before_has_left_it(store: PgvectorStore) -> None:
    store.replace_document(NAME, "se-sfs-1", act("se-sfs-1", OLD))
    with ThreadPoolExecutor(1) as pool:
        deletions = []

        def delete() -> None:
            deletions.append(pool.submit(store.delete_document, NAME, "se-sfs-1"))
            time.sleep(0.1)

        store.replace_document(NAME, "se-sfs-1", act("se-sfs-1", NEW), publish=delete)
        assert [deletion.result() for deletion in deletions] == [3]
    assert store.count(NAME) == 0


# -- refusals ---------------------------------------------------------------------------------------------------------


def test_a_foreign_table_is_refused_before_anything_is_written(database: Database) -> None:
    select_nothing = f"create table {NAME} (id uuid primary key, embedding vector({DIMENSION}), owner text)"
    with database.connection() as connection:
        connection.execute(select_nothing.encode())
    store = PgvectorStore(database)
    with pytest.raises(ConfigurationError, match="was not made by this version"):
        store.ensure_collection(NAME, DIMENSION)
    with pytest.raises(ConfigurationError, match="was not made by this version"):
        store.replace_document(NAME, "se-sfs-1", act("se-sfs-1", OLD))
    assert select(database, f"select * from {NAME}") == []


def test_a_table_of_another_vector_type_is_refused(store: PgvectorStore, database: Database) -> None:
    with pytest.raises(ConfigurationError, match=r"holds vector of 8 dimensions, .*settings say halfvec"):
        PgvectorStore(database, vector_type="halfvec").ensure_collection(NAME, DIMENSION)


def test_more_dimensions_than_an_index_holds_are_refused(database: Database) -> None:
    with pytest.raises(ConfigurationError, match=r"1 to 2000 dimensions.*`halfvec` holds 4000"):
        PgvectorStore(database).ensure_collection(NAME, 3072)
    PgvectorStore(database, vector_type="halfvec").ensure_collection(NAME, 3072)
    with pytest.raises(ConfigurationError, match="1 to 4000"):
        PgvectorStore(database, vector_type="halfvec").ensure_collection("wide", 4096)


def test_a_name_that_is_no_name_of_a_table_is_refused(database: Database) -> None:
    with pytest.raises(ConfigurationError, match="cannot be a collection"):
        PgvectorStore(database).ensure_collection('chunks"; drop table source_documents', DIMENSION)


def test_a_database_that_is_away_may_be_asked_again() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with (
        Database(f"postgresql://someone:a-secret@127.0.0.1:{port}/laws", timeout=0.5) as database,
        pytest.raises(StoreUnavailableError, match="does not answer while preparing") as caught,
    ):
        PgvectorStore(database).ensure_collection(NAME, DIMENSION)
    assert caught.value.transient
    assert "a-secret" not in str(caught.value)


def test_a_connection_lost_while_writing_changes_nothing(store: PgvectorStore, database: Database) -> None:
    store.replace_document(NAME, "se-sfs-1", act("se-sfs-1", OLD))

    def cut_off() -> None:
        select(
            database,
            "select pg_terminate_backend(pid) from pg_stat_activity"
            " where datname = current_database() and state = 'idle in transaction'",
        )

    with pytest.raises(StoreUnavailableError, match="failed while writing se-sfs-1"):
        store.replace_document(NAME, "se-sfs-1", act("se-sfs-1", NEW), publish=cut_off)
    assert set(store.point_hashes(NAME, "se-sfs-1")) == {point.id for point in act("se-sfs-1", OLD)}


def test_text_that_postgres_cannot_hold_is_refused_and_not_shortened(store: PgvectorStore) -> None:
    with pytest.raises(StoreError, match="refused while writing se-sfs-1"):
        store.replace_document(NAME, "se-sfs-1", act("se-sfs-1", {"1": "Fyren\x00ska vara tänd."}))
    assert store.count(NAME) == 0


def test_a_write_looks_up_its_own_rows_and_reads_no_others(store: PgvectorStore, database: Database) -> None:
    stored = {
        f"se-sfs-{name}": [provision(f"se-sfs-{name}", str(number), f"Bestämmelse {number}.") for number in range(5)]
        for name in range(400)
    }
    store.replace_documents(NAME, stored)
    with database.connection() as connection:
        connection.execute(sql.SQL("analyze {}").format(sql.Identifier(NAME)))

    def read_by_key() -> int:
        with database.connection() as connection:
            connection.execute("select pg_stat_force_next_flush()")
        (found,) = select(
            database,
            "select idx_tup_read as n from pg_stat_user_indexes where relname = %s and indexrelname like '%%pkey'",
            NAME,
        )
        return int(found["n"])

    before = read_by_key()
    written = [provision("se-sfs-2", str(number), f"Ny bestämmelse {number}.") for number in range(50)]
    store.replace_document(NAME, "se-sfs-2", written)
    assert read_by_key() - before < 4 * len(written)


# -- searching --------------------------------------------------------------------------------------------------------


def many(number: int) -> list[Point]:
    return [
        provision("se-sfs-1", str(n), f"Bestämmelse {n}.", seed=n, jurisdiction="zw" if n % 100 == 0 else "se")
        for n in range(number)
    ]


@pytest.mark.parametrize("iterative_scan", ["strict_order", "relaxed_order", "off"])
def test_a_filter_that_few_rows_pass_gives_them_all(
    database: Database, iterative_scan: Any, points: list[Point]
) -> None:
    store = PgvectorStore(database, iterative_scan=iterative_scan)
    store.ensure_collection(NAME, DIMENSION)
    store.replace_document(NAME, "se-sfs-1", points)
    store.optimise(NAME)
    found = store.query(NAME, dense=direction(7), filters=[AnyOf("jurisdiction", ("zw",))], limit=50).dense
    wanted = [point for point in points if point.payload["jurisdiction"] == "zw"]
    nearest = sorted(wanted, key=lambda point: -float(point.vector @ direction(7)))
    assert [point.id for point in found] == [point.id for point in nearest]


@pytest.fixture(scope="module")
def points() -> list[Point]:
    return many(2000)


def test_the_index_is_used_and_finds_what_an_exact_search_finds(database: Database, points: list[Point]) -> None:
    store = PgvectorStore(database, deferred_index=True)
    store.ensure_collection(NAME, DIMENSION)
    store.replace_document(NAME, "se-sfs-1", points)

    def plan() -> str:
        literal = str(direction(7).tolist())
        found = select(database, f"explain select id from {NAME} order by embedding <=> %s::vector limit 10", literal)
        return "\n".join(each["QUERY PLAN"] for each in found)

    assert "idx_embedding_hnsw" not in plan()
    store.optimise(NAME)
    assert "idx_embedding_hnsw" in plan()
    exact = PgvectorStore(database, exact=True)
    both = 0
    for seed in range(3000, 3020):
        one, other = (
            {point.id for point in s.query(NAME, dense=direction(seed), limit=10).dense} for s in (store, exact)
        )
        both += len(one & other)
    assert both >= 195


def test_a_search_by_citation_uses_an_index_which_older_tables_get_when_they_are_optimised(
    store: PgvectorStore, database: Database
) -> None:
    rows = [
        provision(
            "se-sfs-1", str(n), "Lydelse.", work_uris=["/akn/se/act/1", f"/akn/se/act/{n}"], provisions=[f"sec_{n}"]
        )
        for n in range(2000)
    ]
    store.replace_document(NAME, "se-sfs-1", rows)
    with database.connection() as connection:
        connection.execute("drop index idx_citations")
    store.optimise(NAME)
    clause, given = where([AnyOf("work_uris", ("/akn/se/act/7", "/akn/se/act/8")), AnyOf("provisions", ("sec_7",))])
    with database.connection() as connection:
        found = connection.execute(
            sql.SQL("explain select id from {} where {}").format(sql.Identifier(NAME), clause), given
        )
        assert "idx_citations" in "\n".join(each["QUERY PLAN"] for each in found.fetchall())
    hits = store.query(NAME, dense=direction(1), filters=[AnyOf("work_uris", ("/akn/se/act/7", "/akn/se/act/8"))]).dense
    assert {point.payload["section"] for point in hits} == {"7", "8"}


def test_in_a_large_table_rare_words_find_the_rows_unless_they_find_too_few(
    store: PgvectorStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Common here is what 400 of 400 rows have, rare what 40 have."""
    monkeypatch.setattr(pgvector, "_MOST_RANKED", 50)
    texts = {str(n): "Lydelse lydelse lydelse." + (" Brygga." if n % 10 == 0 else " Vägar.") for n in range(400)}
    store.replace_document(NAME, "se-sfs-1", act("se-sfs-1", texts))

    def found(text: str, limit: int) -> list[str]:
        hits = store.query(NAME, text=text, languages=["swe"], limit=limit).sparse
        return [str(point.payload["section"]) for point in hits]

    bridges = {number for number in texts if int(number) % 10 == 0}
    assert len(found("lydelser om bryggor", 40)) == 40  # before there are statistics
    store.optimise(NAME)
    assert set(found("lydelser om bryggor", 40)) == bridges
    assert set(found("lydelser om bryggor", 41)) > bridges
    assert len(found("lydelser", 400)) == 400
    assert len(found("lydelser vägar", 300)) == 300


def test_half_precision_finds_the_same(database: Database) -> None:
    points = many(300)
    half = PgvectorStore(database, vector_type="halfvec")
    half.ensure_collection("halves", DIMENSION)
    half.replace_document("halves", "se-sfs-1", points)
    found = half.query("halves", dense=direction(7), limit=5).dense
    nearest = sorted(points, key=lambda point: -float(point.vector @ direction(7)))
    assert [point.id for point in found] == [point.id for point in nearest[:5]]
    assert np.allclose(
        [point.score for point in found], [point.vector @ direction(7) for point in nearest[:5]], atol=1e-3
    )


@pytest.mark.parametrize(
    "text", ["fyren & (mistlur | !vakt) :* <->", "'; drop table legal_chunks; --", "\\ ' \" %s $1 {}"]
)
def test_a_query_is_words_and_never_a_language(store: PgvectorStore, text: str) -> None:
    store.replace_document(NAME, "se-sfs-1", act("se-sfs-1", OLD))
    found = store.query(NAME, text=text, languages=["swe"]).sparse
    assert {str(point.payload["section"]) for point in found} == ({"1", "2", "3"} if "fyren" in text else set())
    assert store.count(NAME) == 3


def test_conditions_on_columns_and_on_the_rest_of_the_payload(store: PgvectorStore) -> None:
    rows = [
        provision("in-judgment-1", "1", "a", judges=["Rao J", "Mehta J"], chapter="2", doc_type="judgment"),
        provision("in-judgment-1", "2", "b", judges=["Rao J"], section_level=3, date_decided="2021-05-04"),
        provision("in-judgment-1", "3", "c", doc_type="other", date_decided=None),
    ]
    store.replace_document(NAME, "in-judgment-1", rows)

    def found(*filters: Any) -> set[str]:
        hits = store.query(NAME, dense=direction(1), text="a b c", filters=filters)
        return {str(point.payload["section"]) for point in hits.dense}

    conditions: list[tuple[Callable[[], Any], set[str]]] = [
        (lambda: AnyOf("judges", ("Mehta J",)), {"1"}),
        (lambda: AnyOf("judges", ("Rao J", "Iyer J")), {"1", "2"}),
        (lambda: AnyOf("chapter", ("2",)), {"1"}),
        (lambda: AnyOf("section_level", (3,)), {"2"}),
        (lambda: AnyOf("doc_type", ("judgment",)), {"1"}),
        (lambda: AnyOf("doc_type", ("other",)), {"3"}),
        (lambda: Not(AnyOf("doc_type", ("judgment", "other"))), {"2"}),
        (lambda: AnyOf("chunk_id", ("in-judgment-1/2",)), {"2"}),
        (lambda: DateRange("date_decided", since="2021-01-01"), {"2"}),
        (lambda: DateRange("date_decided", until="2020-01-01", or_absent=True), {"1", "3"}),
    ]
    for condition, expected in conditions:
        assert found(condition()) == expected, condition()
    with pytest.raises(ConfigurationError, match="no date column fetched_at"):
        found(DateRange("fetched_at", since="2021-01-01"))
    with pytest.raises(ConfigurationError, match="not a date"):
        found(DateRange("date_decided", since="last year"))


def test_the_extension_is_made_in_a_database_without_it(new_database: NewDatabase) -> None:
    with psycopg.connect(new_database("template1"), row_factory=dict_row) as connection:
        pgvector_tables.require_extension(connection, "here")
        found = connection.execute("select count(*) as made from pg_extension where extname = 'vector'").fetchone()
    assert found == {"made": 1}


def test_a_collection_that_nobody_made_does_not_exist(store: PgvectorStore) -> None:
    assert store.exists(NAME)
    assert not store.exists("never_made")

"""Claims of documents: one run at a time, free again when the run or its process ends."""

from __future__ import annotations

import contextlib
import time
from concurrent.futures import ThreadPoolExecutor

import psycopg

from legal_pipeline.registry.claims import Claims
from legal_pipeline.registry.database import Database
from legal_pipeline.registry.due_documents import DueDocuments
from legal_pipeline.registry.registry import RegisteredItem, Registry

IDS = [f"se-sfs-2024-{number}" for number in range(1, 41)]


def register(database: Database) -> Registry:
    registry = Registry(database)
    for document_id in IDS:
        registry.register(RegisteredItem("files", f"/in/{document_id}.txt", document_id, sha256="aa"))
    return registry


def due(database: Database) -> list[str]:
    return sorted(row.document_id for row in DueDocuments(database, "files").take(confirmed=0))


def test_a_claimed_document_waits_and_no_sensor_asks_for_it(database: Database) -> None:
    register(database)
    with Claims(database) as first, Claims(database) as second:
        assert list(first.take(IDS[:3], due=True)[0]) == IDS[:3]
        assert second.take(IDS[:4], due=True) == ({IDS[3]: "pending"}, IDS[:3])
        assert due(database) == sorted(IDS[4:])
        first.release()
        assert second.take(IDS[:3], due=True) == (dict.fromkeys(IDS[:3], "processing"), [])
    assert due(database) == sorted(IDS), "both runs ended without an outcome"


def test_a_document_that_is_not_due_is_claimed_only_by_a_run_that_was_given_it(database: Database) -> None:
    registry = register(database)
    registry.set_status(IDS[0], "completed")
    with Claims(database) as claims:
        assert claims.take([IDS[0], "se-sfs-1999-9"], due=True) == ({}, [])
        assert claims.take([IDS[0], "se-sfs-1999-9"], due=False) == ({IDS[0]: "completed"}, [])
    assert IDS[0] in due(database), "its run was killed: it is run again"


def test_runs_that_claim_at_once_share_the_documents_without_a_deadlock(database: Database) -> None:
    registry = register(database)

    def claim(order: list[str]) -> list[str]:
        with Claims(database) as claims:
            taken: list[str] = []
            while order:
                claimed, order = claims.take(order, due=True)
                taken += claimed
                for document_id in claimed:
                    registry.set_status(document_id, "completed")
                claims.release()
        return taken

    with ThreadPoolExecutor(4) as pool:
        taken = list(pool.map(claim, [IDS, IDS[::-1], IDS[20:] + IDS[:20], IDS]))
    assert sorted(name for found in taken for name in found) == sorted(IDS)
    assert due(database) == []


def test_a_document_whose_run_ends_while_due_ones_are_read_is_not_taken_for_one_of_a_killed_run(
    database: Database,
) -> None:
    registry = register(database)
    for document_id in IDS:
        registry.set_status(document_id, "completed")
    with psycopg.connect(database.url) as connection:
        # a session that asks for it takes half a second to read the table
        connection.execute("alter table due_documents rename to due_rows")
        connection.execute(
            """create view due_documents as select * from due_rows
               where (select pg_sleep(coalesce(current_setting('tests.wait', true), '0')::float)) is not null"""
        )
    slow = Database(f"{database.url}{'&' if '?' in database.url else '?'}options=--tests.wait%3D0.5")
    with Claims(database) as killed:
        killed.take(IDS[1:2], due=False)
    with ThreadPoolExecutor(1) as pool, contextlib.closing(slow):
        with Claims(database) as claims:
            claims.take(IDS[:1], due=False)
            found = pool.submit(due, slow)
            with psycopg.connect(database.url, autocommit=True) as connection:
                reading = "select from pg_stat_activity where wait_event = 'PgSleep' and datname = current_database()"
                while not connection.execute(reading).fetchall():
                    time.sleep(0.01)
            registry.set_status(IDS[0], "completed")
        assert found.result() == IDS[1:2]


def test_documents_are_claimed_and_named_in_the_given_order(database: Database) -> None:
    register(database)
    given = [IDS[3], IDS[0], IDS[2]]
    with Claims(database) as first, Claims(database) as second:
        assert list(first.take(given, due=True)[0]) == given
        assert second.take([IDS[7], IDS[2], IDS[5], IDS[0]], due=True) == (
            {IDS[7]: "pending", IDS[5]: "pending"},
            [IDS[2], IDS[0]],
        )
        assert first.holders([IDS[5], IDS[9]]).keys() == {IDS[5]}


def test_a_document_that_a_run_takes_up_again_has_no_error(database: Database) -> None:
    registry = register(database)
    registry.set_status(IDS[0], "failed", error="cut off")
    registry.retry(IDS[0])
    with Claims(database) as claims:
        claims.take(IDS[:1], due=True)
        document = registry.document(IDS[0])
        assert document is not None
        assert (document.status, document.last_error) == ("processing", None)

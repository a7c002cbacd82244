"""Which due documents the sensor of a source gets, on a real PostgreSQL. Not here: the sensor (`legal_pipeline_tests/defs`)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from legal_pipeline.registry.database import Database
from legal_pipeline.registry.due_documents import Due, DueDocuments, watch_run
from legal_pipeline.registry.registry import RegisteredItem, Registry, Status

ITEM = RegisteredItem("files", "/in/a.txt", "doc-a", sha256="aa")


@pytest.fixture
def registry(database: Database) -> Registry:
    registry = Registry(database)
    registry.register(ITEM)
    registry.register(RegisteredItem("feed", "b", "doc-b", sha256="bb"))
    return registry


def due(registry: Registry, source: str, *, confirmed: int = 0, scope: tuple[str, ...] = ("",)) -> list[Due]:
    return DueDocuments(registry.database, source, scope=scope).take(confirmed=confirmed)


def test_a_document_is_due_for_the_sensor_that_polls_its_item_or_that_asked_for_it(registry: Registry) -> None:
    assert due(registry, "files") == [Due("doc-a", asked=False)]
    assert due(registry, "files", scope=("/out/", "/in/")) == [Due("doc-a", asked=False)]
    assert due(registry, "files", scope=("/out/",)) == []
    registry.retry("doc-b", asker="files")
    assert [found.document_id for found in due(registry, "files")] == ["doc-a", "doc-b"]
    assert due(registry, "feed") == []
    registry.retry("doc-b")
    assert [found.document_id for found in due(registry, "files")] == ["doc-a", "doc-b"], "it is still asked for"


def test_a_request_counts_until_the_document_changes(registry: Registry) -> None:
    documents = DueDocuments(registry.database, "files")
    number = documents.ask(["doc-a"])
    assert documents.take(confirmed=number) == []
    assert documents.take(confirmed=number - 1) == [Due("doc-a", asked=False)], "Dagster never got it"
    registry.register(replace(ITEM, sha256="changed"))
    assert documents.take(confirmed=number) == [Due("doc-a", asked=False)]
    assert documents.ask(["doc-a"]) > number


def test_a_run_that_processes_a_document_is_no_request_for_its_next_state(registry: Registry) -> None:
    documents = DueDocuments(registry.database, "files")
    documents.seen(["doc-a"])
    assert documents.take(confirmed=0) == [Due("doc-a", asked=False)]
    with registry.database.connection() as connection:
        watch_run(connection, ["doc-a"], asked_by="reconcile")
    assert documents.take(confirmed=0) == []


def test_of_too_many_documents_the_first_are_given(registry: Registry) -> None:
    for number in (3, 1, 2):
        registry.register(RegisteredItem("files", f"/in/{number}.txt", f"act-{number}", sha256="x"))
    documents = DueDocuments(registry.database, "files")
    found = documents.take(confirmed=0, limit=2)
    assert [each.document_id for each in found] == ["act-1", "act-2"]
    with registry.database.connection() as connection:  # a run of the third was lost
        watch_run(connection, ["act-1", "act-3"], asked_by="reconcile")
        connection.execute(
            "update due_documents set asked_at = asked_at - interval '1 hour' where asked_at is not null"
        )
    found = documents.take(confirmed=0, limit=2)
    assert [(each.document_id, each.asked) for each in found] == [("act-1", True), ("act-2", False)]


def test_a_document_that_its_source_removed_is_not_due_any_more(registry: Registry) -> None:
    registry.tombstone("doc-a")
    assert due(registry, "files") == []
    registry.register(ITEM)
    assert due(registry, "files") == [Due("doc-a", asked=False)]


def test_a_run_that_was_requested_at_a_time_to_come_was_lost(registry: Registry) -> None:
    documents = DueDocuments(registry.database, "files")
    number = documents.ask(["doc-a"])
    for ahead, expected in (("5 minutes", []), ("1 hour", [Due("doc-a", asked=True)])):
        with registry.database.connection() as connection:  # the clock was put back since
            connection.execute(
                "update due_documents set asked_at = now() + %s::interval where asked_at is not null", (ahead,)
            )
        assert documents.take(confirmed=number) == expected


@pytest.mark.parametrize("status", ["waiting", "completed", "failed"])
def test_a_document_whose_run_has_ended_is_not_due_any_more(registry: Registry, status: Status) -> None:
    registry.set_status("doc-a", "processing")
    assert due(registry, "files") == [Due("doc-a", asked=False)]
    registry.set_status("doc-a", status)
    assert due(registry, "files") == []

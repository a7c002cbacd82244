"""When documents were looked at and when they changed, on a real PostgreSQL."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from legal_pipeline.registry.database import Database
from legal_pipeline.registry.freshness import last_changes, left_out, not_polled_since, record_poll
from legal_pipeline.registry.registry import RegisteredItem, Registry


@pytest.fixture
def registry(database: Database) -> Registry:
    """Two documents in two folders, seen two days ago."""
    registry = Registry(database)
    for folder in ("in", "out"):
        registry.register(RegisteredItem("files", f"/{folder}/act.html", f"doc-{folder}", sha256=folder))
    with database.connection() as connection:
        connection.execute("update source_items set seen_at = seen_at - interval '2 days'")
        connection.execute("update source_documents set created_at = created_at - interval '2 days'")
    return registry


def yesterday(registry: Registry) -> datetime:
    return registry.now() - timedelta(days=1)


def test_a_poll_looks_at_the_documents_of_its_folders_and_one_for_changes_at_all(registry: Registry) -> None:
    database, moment = registry.database, yesterday(registry)
    assert list(not_polled_since(database, moment)) == ["doc-in", "doc-out"]
    record_poll(database, "files", ["/in/"], {"/in/": 3})
    assert list(not_polled_since(database, moment)) == ["doc-out"]
    polled = not_polled_since(database, registry.now() + timedelta(days=1))
    assert list(polled) == ["doc-out", "doc-in"]
    assert polled["doc-out"] < moment < polled["doc-in"]
    assert left_out(database) == {"/in/": 3}
    record_poll(database, "files", ["/in/"], {})
    assert left_out(database) == {}
    record_poll(database, "another", (), {})
    assert list(not_polled_since(database, moment)) == ["doc-out"]
    record_poll(database, "files", (), {})
    assert not_polled_since(database, moment) == {}


def test_a_source_changed_when_a_text_of_a_document_that_it_still_has_changed(registry: Registry) -> None:
    database, moment = registry.database, yesterday(registry)
    assert last_changes(database)["files"] < moment
    registry.describe("doc-in", title="Act")
    assert last_changes(database)["files"] < moment
    registry.describe("doc-in", text_hash="a text")
    changed = last_changes(database)["files"]
    assert changed > moment
    registry.describe("doc-in", text_hash="a text")
    assert last_changes(database)["files"] == changed
    registry.tombstone("doc-in")
    assert last_changes(database)["files"] < moment


def test_a_document_of_several_files_was_polled_when_one_of_them_was(registry: Registry) -> None:
    database, moment = registry.database, yesterday(registry)
    registry.register(RegisteredItem("files", "/new/act.html", "doc-in", sha256="in"))
    assert list(not_polled_since(database, moment)) == ["doc-out"]


def test_a_document_that_was_polled_at_the_moment_itself_is_none_that_was_not_since(registry: Registry) -> None:
    database = registry.database
    polled = not_polled_since(database, yesterday(registry))
    assert "doc-in" not in not_polled_since(database, polled["doc-in"])


def test_an_item_that_is_read_again_was_seen_then(registry: Registry) -> None:
    registry.register(RegisteredItem("files", "/in/act.html", "doc-in", sha256="in"))
    assert list(not_polled_since(registry.database, yesterday(registry))) == ["doc-out"]

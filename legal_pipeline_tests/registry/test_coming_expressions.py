"""Texts of days to come, on a real PostgreSQL."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from legal_pipeline.registry.coming_expressions import later_texts, reached, record_coming, today
from legal_pipeline.registry.database import Database
from legal_pipeline.registry.registry import RegisteredItem, Registry
from legal_pipeline.stages.raw_documents import waits_for_its_day


@pytest.fixture
def registry(database: Database) -> Registry:
    """A document with texts of tomorrow and of the day after."""
    registry = Registry(database)
    for days in (1, 2):
        day = today() + timedelta(days=days)
        registry.register(RegisteredItem("files", f"/in/{days}", "xx-1", sha256=str(days), as_of_date=day))
        record_coming(database, "xx-1", day)
    registry.set_status("xx-1", "completed")
    return registry


def tomorrow() -> date:
    return today() + timedelta(days=1)


def test_each_text_is_reached_once_on_its_day_and_again_after_a_clock_was_put_back(registry: Registry) -> None:
    days = [today(), tomorrow(), tomorrow(), tomorrow() + timedelta(days=1), today(), today()]
    assert [reached(registry.database, day) for day in days] == [[], ["xx-1"], [], ["xx-1"], ["xx-1"], []]


def test_a_text_is_not_reached_while_a_run_may_have_read_the_one_of_the_day_before(registry: Registry) -> None:
    registry.set_status("xx-1", "processing")
    assert reached(registry.database, tomorrow()) == []
    registry.set_status("xx-1", "completed")
    assert reached(registry.database, tomorrow()) == ["xx-1"]


def test_the_next_text_is_named_while_its_source_has_it_and_its_document_is_not_removed(registry: Registry) -> None:
    database = registry.database
    assert later_texts(database) == {"xx-1": tomorrow()}
    registry.mark_missing("files", ["/in/1"])
    assert later_texts(database) == {"xx-1": tomorrow() + timedelta(days=1)}
    registry.tombstone("xx-1")
    assert later_texts(database) == {}


def test_only_a_document_that_waits_at_its_source_waits_for_the_day_of_a_text(database: Database) -> None:
    registry = Registry(database)
    reason = "raw_documents: its text is dated 2999-01-01, in the future"
    for name, status, error in (
        ("a", "waiting", reason),
        ("b", "failed", reason),
        ("c", "waiting", "chunks: waiting for Message Batch b-1"),
        ("d", "waiting", None),
    ):
        registry.register(RegisteredItem("files", f"/in/{name}", name, sha256=name))
        registry.set_status(name, status, error=error)  # type: ignore[arg-type]
    assert [found.document_id for found in registry.documents() if waits_for_its_day(found)] == ["a"]


def test_a_text_of_today_is_no_later_text(registry: Registry) -> None:
    registry.register(RegisteredItem("files", "/in/0", "xx-2", sha256="0", as_of_date=today()))
    record_coming(registry.database, "xx-2", today())
    assert later_texts(registry.database) == {"xx-1": tomorrow()}
    assert later_texts(registry.database, ["xx-2"]) == {}

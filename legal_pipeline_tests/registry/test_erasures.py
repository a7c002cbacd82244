"""The record of erased documents, on a real PostgreSQL. Not here: erasing (`legal_pipeline_tests/defs/test_erasing.py`)."""

from __future__ import annotations

import pytest

from legal_pipeline.errors import ConfigurationError
from legal_pipeline.model.identity import sha256_hex
from legal_pipeline.registry.database import Database
from legal_pipeline.registry.erasures import Erasures
from legal_pipeline.registry.registry import RegisteredItem, Registry


@pytest.fixture
def registry(database: Database) -> Registry:
    """A file with two judgments, a file with one of them alone, and one that could not be read."""
    registry = Registry(database)
    for key, location, document_id, sha256 in (
        ("/in/two.jsonl", "1", "lamp-1", "aa"),
        ("/in/two.jsonl", "2", "lamp-2", "bb"),
        ("/in/one.txt", "", "lamp-1", "cc"),
        ("/in/bad.txt", "", "lamp-1", ""),
    ):
        registry.register(RegisteredItem("files", key, document_id, location=location, sha256=sha256))
    return registry


def test_an_erased_document_stays_away_by_its_id_its_bytes_and_the_items_that_held_nothing_else(
    registry: Registry,
) -> None:
    erasures = Erasures(registry.database)
    assert not erasures.exist()
    erasures.record(["lamp-1", "old-lamp-1"], "a court order")
    assert erasures.exist()
    by = sha256_hex("lamp-1")
    assert erasures.erased_by("lamp-1") == by
    assert erasures.erased_by("old-lamp-1") == sha256_hex("old-lamp-1")
    assert [erasures.erased_by("another", sha256) for sha256 in ("aa", "cc", "bb", "")] == [by, by, None, None]
    keys = ["/in/two.jsonl", "/in/one.txt", "/in/bad.txt", "/in/new.txt"]
    assert erasures.items("files", keys) == {"/in/one.txt", "/in/bad.txt"}
    assert erasures.items("feed", keys) == frozenset()
    erasures.note_item("files", "/in/new.txt", by)
    assert "/in/new.txt" in erasures.items("files", keys)
    assert erasures.lift("lamp-1")
    assert not erasures.lift("lamp-1")
    assert erasures.items("files", keys) == frozenset(), "its items may bring it back"


@pytest.mark.parametrize("status", ["processing", "waiting"])
def test_a_document_that_a_run_would_write_again_is_not_erased(registry: Registry, status: str) -> None:
    registry.set_status("lamp-1", status)  # type: ignore[arg-type]
    with pytest.raises(ConfigurationError, match=f"lamp-1 is {status}"):
        Erasures(registry.database).record(["lamp-1"], "a court order")
    assert not Erasures(registry.database).exist()

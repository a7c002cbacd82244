"""The record of erased documents, on a real PostgreSQL. Not here: erasing (`legal_pipeline_tests/defs/test_erasing.py`)."""

from __future__ import annotations

import pytest

from legal_pipeline.errors import ConfigurationError
from legal_pipeline.model.identity import sha256_hex
from legal_pipeline.registry.database import Database
from legal_pipeline.registry.erasures import Erasures
from legal_pipeline.registry.listing import look_up
from legal_pipeline.registry.registry import AmendingAct, RegisteredItem, Registry
from legal_pipeline.registry.subscriptions import Subscriptions, Wanted


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


def test_nothing_that_was_said_of_an_erased_document_is_left_and_what_was_said_of_others_is(registry: Registry) -> None:
    database = registry.database
    subscriptions = Subscriptions(database)
    everything, of_one, of_other = (
        subscriptions.create(None, "https://hooks.example.org", Wanted(document_id=document_id))
        for document_id in (None, "lamp-1", "lamp-2")
    )
    for document_id in ("lamp-1", "lamp-2"):
        document = look_up(database, document_id)
        assert document is not None
        subscriptions.note(everything, document, ["change 0"])
        registry.manifests.publish(document_id, "laws", {f"{document_id}/1": "h"})
        registry.record_amendment(AmendingAct(f"Act {document_id}", "Title", "Lamp Act", "text"))
    registry.aliases.record_chunks({"older": "lamp-1/1", "old": "lamp-2/1"})
    with database.connection() as connection:
        for name in ("lamp-1", "lamp-2", "tree", "other-tree"):
            connection.execute(
                """insert into llm_requests (request_hash, task, document_id, model, prompt_version, state, owner, run_id, answer)
                   values (%s, 'summary', %s, 'm', '1', 'answered', 1, 'r', '{}')""",
                (name, name),
            )
    Erasures(database).erase(["lamp-1"], trees=["tree"], chunks=["lamp-1/1"], numbers=["Act lamp-1"])
    assert [found.document_id for found in registry.documents(tombstoned=None)] == ["lamp-2"]
    assert [item.document_id for item in registry.items("files")] == ["lamp-2"]
    assert [each.subscription_id for each in subscriptions.all()] == [
        everything.subscription_id,
        of_other.subscription_id,
    ]
    message = subscriptions.due(everything.subscription_id)
    assert message is not None
    assert message.document_id == "lamp-2"
    assert registry.manifests.published_counts("laws") == {"lamp-2": 1}
    assert [act.document_number for act in registry.amendments_of("Lamp Act")] == ["Act lamp-2"]
    assert (registry.aliases.chunk("older"), registry.aliases.chunk("old")) == (None, "lamp-2/1")
    rows = database.rows("select request_hash, document_id, answer is null as is_gone from llm_requests order by 1")
    assert [(row["request_hash"], row["document_id"], row["is_gone"]) for row in rows] == [
        ("lamp-1", "erased", True),
        ("lamp-2", "lamp-2", False),
        ("other-tree", "other-tree", False),
        ("tree", "erased", True),
    ]
    assert of_one.document_id == "lamp-1"

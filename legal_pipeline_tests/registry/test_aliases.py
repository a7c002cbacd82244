"""Ids that documents had before, on a real PostgreSQL."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from legal_pipeline.errors import DocumentError
from legal_pipeline.registry.aliases import Aliases
from legal_pipeline.registry.coming_expressions import later_texts, reached, record_coming
from legal_pipeline.registry.database import Database
from legal_pipeline.registry.due_documents import DueDocuments
from legal_pipeline.registry.listing import Choice, indexed
from legal_pipeline.registry.practice_area_leaves import PracticeAreaLeaves
from legal_pipeline.registry.registry import RegisteredItem, Registry

ITEM = RegisteredItem("files", "/in/act.html", "xx-1", sha256="aa")


@pytest.fixture
def registry(database: Database) -> Registry:
    registry = Registry(database)
    registry.register(ITEM)
    registry.set_status("xx-1", "completed")
    return registry


@pytest.fixture
def aliases(registry: Registry) -> Aliases:
    return registry.aliases


def test_what_stands_under_an_id_stands_under_the_present_one(registry: Registry, aliases: Aliases) -> None:
    registry.describe("xx-1", doc_type="judgment", title="Lamps v. Fog", work_uri="/akn/xx/judgment/1")
    (due,) = PracticeAreaLeaves(registry.database).due()
    words = dict.fromkeys(
        ("area", "jurisdiction", "language", "leaf_hash", "input_hash", "generator", "prompt_version"), "x"
    )
    PracticeAreaLeaves(registry.database).file(due, **words)
    old = registry.document("xx-1")
    aliases.begin("xx-1", "ch-1")
    assert [item.document_id for item in registry.items("files")] == ["ch-1"]
    assert [leaf.document_id for leaf in PracticeAreaLeaves(registry.database).filed()] == ["ch-1"]
    assert [one.document_id for one in DueDocuments(registry.database, "files").take(confirmed=0)] == ["ch-1"]
    assert registry.orphans() == []
    assert aliases.unfinished() == {"ch-1": ["xx-1"]}
    aliases.finish("xx-1")
    aliases.finish("xx-1")
    assert aliases.unfinished() == {}
    (document,) = registry.documents(tombstoned=None)
    assert old is not None
    assert (document.document_id, document.title, document.created_at) == ("ch-1", "Lamps v. Fog", old.created_at)


def test_aliases_lead_to_the_present_id_however_often_it_changed(registry: Registry, aliases: Aliases) -> None:
    for old_id, document_id in (("xx-1", "yy-1"), ("yy-1", "zz-1")):
        aliases.begin(old_id, document_id)
        aliases.record_chunks({f"chunk of {old_id}": f"chunk of {document_id}"})
        aliases.finish(old_id)
    assert aliases.present_ids(["xx-1", "yy-1", "zz-1", "unknown"]) == {"xx-1": "zz-1", "yy-1": "zz-1"}
    assert aliases.names(["xx-1", "unknown"]) == ["xx-1", "unknown", "zz-1"]
    assert aliases.chunk("chunk of xx-1") == aliases.chunk("chunk of yy-1") == "chunk of zz-1"
    assert aliases.chunk("chunk of zz-1") is None


def test_a_text_of_a_day_to_come_is_due_on_that_day_under_the_present_id(registry: Registry, aliases: Aliases) -> None:
    registry.register(replace(ITEM, item_key="/in/later.html", as_of_date=date(2999, 1, 1)))
    record_coming(registry.database, "xx-1", date(2999, 1, 1))
    aliases.begin("xx-1", "ch-1")
    assert later_texts(registry.database) == {"ch-1": date(2999, 1, 1)}
    registry.set_status("ch-1", "completed")
    assert reached(registry.database, date(2999, 1, 1)) == ["ch-1"]


def test_a_document_that_joins_another_leaves_that_one_as_it_was_and_is_found_by_it_until_it_is_gone(
    registry: Registry, aliases: Aliases
) -> None:
    other = registry.register(RegisteredItem("files", "/in/other.html", "ch-1", sha256="bb"))
    registry.describe("ch-1", text_hash="a text")
    registry.forget_items("files", ["/in/other.html"])
    registry.tombstone("ch-1")
    registry.set_purged("ch-1")
    aliases.begin("xx-1", "ch-1")
    assert registry.counts() == {"pending": 1, "tombstoned": 1}, "it is back: its source has it under the other item"
    assert aliases.names(["ch-1"]) == ["ch-1", "xx-1"]
    aliases.finish("xx-1")
    assert aliases.names(["ch-1"]) == ["ch-1"]
    (document,) = registry.documents(tombstoned=None)
    assert (document.document_id, document.created_at, document.revision) == ("ch-1", other.created_at, 2)


def test_no_other_document_takes_an_id_that_is_an_alias(registry: Registry, aliases: Aliases) -> None:
    aliases.begin("xx-1", "ch-1")
    with pytest.raises(DocumentError, match="xx-1: is an id that ch-1 had before"):
        registry.register(RegisteredItem("files", "/in/other.html", "xx-1", sha256="bb"))
    registry.register(RegisteredItem("files", "/in/other.html", "us-1", sha256="bb"))
    with pytest.raises(DocumentError, match="xx-1: is an id that ch-1 had before"):
        aliases.begin("us-1", "xx-1")
    assert [item.document_id for item in registry.items("files")] == ["ch-1", "us-1"]


@pytest.mark.parametrize(("old_id", "document_id"), [("unknown", "ch-1"), ("xx-1", "xx-1"), ("xx-1", "CH 1")])
def test_what_cannot_be_renamed_is_refused(aliases: Aliases, old_id: str, document_id: str) -> None:
    with pytest.raises(DocumentError, match=old_id):
        aliases.begin(old_id, document_id)


def test_a_document_that_was_purged_is_listed_again_when_another_takes_its_id(
    registry: Registry, aliases: Aliases
) -> None:
    registry.register(RegisteredItem("files", "/in/other.html", "ch-1", sha256="bb"))
    registry.describe("ch-1", text_hash="a text")
    registry.forget_items("files", ["/in/other.html"])
    registry.tombstone("ch-1")
    registry.set_purged("ch-1")
    assert indexed(registry.database, Choice()) == []
    aliases.begin("xx-1", "ch-1")
    assert [document.document_id for document in indexed(registry.database, Choice())] == ["ch-1"]


def test_a_judgment_that_joins_another_leaves_its_place_to_the_leaf_of_that_one(
    registry: Registry, aliases: Aliases
) -> None:
    registry.register(RegisteredItem("files", "/in/other.html", "ch-1", sha256="bb"))
    leaves, names = PracticeAreaLeaves(registry.database), ("jurisdiction", "language", "leaf_hash", "input_hash")
    for document_id in ("xx-1", "ch-1"):
        registry.describe(document_id, doc_type="judgment", text_hash=document_id)
        registry.set_status(document_id, "completed")
    for due in leaves.due():
        leaves.file(due, area=due.document_id, generator="g", prompt_version="1", **dict.fromkeys(names, "x"))
    aliases.begin("xx-1", "ch-1")
    assert {leaf.document_id: leaf.area for leaf in leaves.filed()}["ch-1"] == "ch-1"
    aliases.finish("xx-1")
    assert [leaf.document_id for leaf in leaves.filed()] == ["ch-1"]


def test_leaves_of_another_model_or_of_another_prompt_are_counted(registry: Registry) -> None:
    registry.describe("xx-1", doc_type="judgment", text_hash="x")
    leaves, names = PracticeAreaLeaves(registry.database), ("jurisdiction", "language", "leaf_hash", "input_hash")
    (due,) = leaves.due()
    leaves.file(due, area="tax", generator="small", prompt_version="2", **dict.fromkeys(names, "x"))
    assert leaves.due() == []
    assert [leaves.filed_otherwise(*by) for by in (("small", "2"), ("small", "1"), ("large", "2"))] == [0, 1, 1]


def test_what_was_paid_and_published_under_an_old_id_is_under_the_present_one_or_gone(
    registry: Registry, aliases: Aliases
) -> None:
    registry.manifests.publish("xx-1", "laws", {"xx-1/1": "h"})
    with registry.database.connection() as connection:
        connection.execute(
            """insert into llm_requests (request_hash, task, document_id, model, prompt_version, state, owner, run_id)
               values ('h', 'summary', 'xx-1', 'm', '1', 'answered', 1, 'r')"""
        )
    registry.retry("xx-1", asker="feed")
    aliases.begin("xx-1", "ch-1")
    assert DueDocuments(registry.database, "feed").take(confirmed=0) == []
    assert registry.manifests.published("xx-1", "laws") == {"xx-1/1": "h"}, "readers still see it"
    aliases.finish("xx-1")
    assert registry.manifests.published("xx-1", "laws") == {}
    row = registry.database.row("select document_id from llm_requests")
    assert row["document_id"] == "ch-1"


def test_a_chunk_that_was_renamed_and_renamed_back_has_its_own_id(aliases: Aliases) -> None:
    aliases.record_chunks({"a": "b"})
    aliases.record_chunks({"b": "a"})
    assert (aliases.chunk("a"), aliases.chunk("b")) == (None, "a")

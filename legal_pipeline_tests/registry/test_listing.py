"""Documents in lists, on a real PostgreSQL: of works, of changes in pages, and without chunks."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest

from legal_pipeline.model.identity import DOCUMENT_URI
from legal_pipeline.registry.database import Database
from legal_pipeline.registry.freshness import record_poll
from legal_pipeline.registry.listing import (
    Choice,
    Listed,
    changed,
    counted,
    indexed,
    languages,
    missing_at_source,
    of_works,
    state_of_counts,
    titles,
    unknown_courts,
    without_chunks,
)
from legal_pipeline.registry.registry import RegisteredItem, Registry


def put(registry: Registry, document_id: str, **described: object) -> None:
    registry.register(RegisteredItem("files", f"/in/{document_id}", document_id, sha256=document_id))
    holds = described.pop("holds", None)
    registry.describe(document_id, text_hash=document_id, holds=holds, **described)  # type: ignore[arg-type]


@pytest.fixture
def registry(database: Database) -> Registry:
    """Three Acts, of which one has two documents; and one that was never parsed."""
    registry = Registry(database)
    for document_id, work in (("a-1", "/akn/xx/act/1"), ("a-1-old", "/akn/xx/act/1"), ("b-2", "/akn/xx/act/2")):
        put(registry, document_id, work_uri=work, title=f"Act {work[-1]}", jurisdiction="xx", doc_type="act")
    put(registry, "note", jurisdiction="xx")
    registry.register(RegisteredItem("files", "/in/new", "new", sha256="new"))
    return registry


def ids(found: list[Listed]) -> list[str]:
    return [document.document_id for document in found]


def test_documents_of_works_stand_in_the_order_of_the_works_and_removed_ones_last(registry: Registry) -> None:
    registry.tombstone("a-1")
    works = ["/akn/xx/act/2", "/akn/xx/act/1", "/akn/xx/act/9"]
    assert ids(of_works(registry.database, works)) == ["b-2", "a-1-old", "a-1"]
    assert ids(of_works(registry.database, works, hidden=["b-2"])) == ["a-1-old", "a-1"]
    assert ids(of_works(registry.database, [f"{DOCUMENT_URI}note", f"{DOCUMENT_URI}b-2"])) == ["note"]
    registry.set_purged("a-1")
    assert ids(of_works(registry.database, works)) == ["b-2", "a-1-old"]


def test_a_document_is_found_by_the_work_of_its_former_id(registry: Registry) -> None:
    registry.aliases.begin("b-2", "c-2")
    registry.describe("c-2", text_hash="x", work_uri="/akn/yy/act/2")
    assert ids(of_works(registry.database, ["/akn/xx/act/2"])) == ["c-2"]
    assert ids(indexed(registry.database, Choice())) == ["a-1", "a-1-old", "c-2", "note"]


def test_pages_of_changes_lose_none_of_the_documents_that_changed_at_one_moment(registry: Registry) -> None:
    with registry.database.connection() as connection:
        connection.execute("update source_documents set text_changed_at = now() where document_id like 'a-%'")
    since = registry.now() - timedelta(hours=1)
    found: list[Listed] = []
    while page := changed(
        registry.database,
        Choice(),
        since=since,
        before=(found[-1].changed_at, found[-1].document_id) if found else None,
        limit=1,
    ):
        found += page
    assert ids(found) == ["a-1-old", "a-1", "note", "b-2"]
    assert changed(registry.database, Choice(), since=registry.now() + timedelta(hours=1)) == []


def test_lists_for_people_leave_out_what_was_removed_or_never_parsed(registry: Registry) -> None:
    for document_id in ("a-1", "a-1-old", "b-2"):
        registry.describe(document_id, holds={"language": "eng"})
        registry.set_status(document_id, "completed")
    registry.describe("a-1-old", total_chunks=4)
    put(registry, "j-1", doc_type="judgment", jurisdiction="xx", holds={"court": "Court of Lamps"})
    put(registry, "j-2", doc_type="judgment", jurisdiction="xx")
    registry.tombstone("b-2")
    assert languages(registry.database) == {"eng": 2}
    assert ids(without_chunks(registry.database)) == ["a-1"]
    assert [found.document_id for found in titles(registry.database)] == ["a-1", "a-1-old", "b-2"]
    assert unknown_courts(registry.database) == {"": 1, "Court of Lamps": 1}


def test_languages_stand_in_the_order_of_their_documents_and_then_of_their_codes(registry: Registry) -> None:
    for number, language in enumerate(("swe", "eng", "deu", "swe")):
        put(registry, f"law-{number}", holds={"language": language})
    assert list(languages(registry.database).items()) == [("swe", 2), ("deu", 1), ("eng", 1)]


def test_of_the_documents_of_one_work_the_one_with_the_shorter_id_comes_first(registry: Registry) -> None:
    for document_id in ("xx-act-3-eng", "zz-3"):
        put(registry, document_id, work_uri="/akn/xx/act/3", jurisdiction="xx")
    assert ids(of_works(registry.database, ["/akn/xx/act/3"])) == ["zz-3", "xx-act-3-eng"]


def test_the_state_of_the_counts_changes_with_a_text_a_removal_a_poll_and_a_publication(registry: Registry) -> None:
    database = registry.database
    states = [state_of_counts(database)]

    def has_changed() -> bool:
        states.append(state_of_counts(database))
        return states[-1] not in states[:-1]

    assert not has_changed()
    registry.describe("b-2", text_hash="another")
    assert has_changed()
    registry.tombstone("a-1")
    assert has_changed()
    record_poll(database, "files", ["/in/"], {})
    assert has_changed()
    registry.manifests.publish("b-2", "laws", {"b-2/1": "h"})
    assert has_changed()


def test_a_change_of_the_moment_that_is_asked_for_is_listed(registry: Registry) -> None:
    (last, *_) = changed(registry.database, Choice(), since=registry.now() - timedelta(hours=1))
    assert last.document_id in ids(changed(registry.database, Choice(), since=last.changed_at))


def test_a_choice_is_by_country_type_and_id_together(registry: Registry) -> None:
    def chosen(**choice: Any) -> list[str]:
        return ids(indexed(registry.database, Choice(**choice)))

    put(registry, "c-3", jurisdiction="yy", doc_type="act")
    assert chosen(doc_types=["act"]) == ["a-1", "a-1-old", "b-2", "c-3"]
    assert chosen(doc_types=["act"], jurisdictions=["yy"]) == ["c-3"]
    assert chosen(doc_types=["judgment", "act"], ids=["note", "b-2"]) == ["b-2"]
    assert chosen(jurisdictions=["xx"], ids=["note", "c-3"]) == ["note"]


def test_courts_of_removed_judgments_are_not_named(registry: Registry) -> None:
    for name in ("j-1", "j-2"):
        put(registry, name, doc_type="judgment", jurisdiction="xx", holds={"court": name})
    registry.tombstone("j-1")
    assert unknown_courts(registry.database) == {"j-2": 1}


def test_a_document_is_missing_at_its_source_if_none_of_its_items_is_listed(registry: Registry) -> None:
    registry.register(RegisteredItem("files", "/in/second", "a-1", sha256="a-1"))
    registry.mark_missing("files", ["/in/a-1", "/in/b-2"])
    registry.forget_items("files", ["/in/note"])
    assert ids(missing_at_source(registry.database)) == ["b-2"]
    registry.mark_missing("files", ["/in/second"])
    assert ids(missing_at_source(registry.database)) == ["a-1", "b-2"]


def test_documents_were_looked_at_when_they_were_read_or_in_a_later_poll_that_listed_them(registry: Registry) -> None:
    database = registry.database

    def looked_at() -> dict[str, datetime | None]:
        return {row.jurisdiction: row.looked_at for row in counted(database) if row.doc_type == "act"}

    put(registry, "c-3", jurisdiction="yy", doc_type="act")
    registry.mark_missing("files", ["/in/c-3"])
    read = looked_at()
    assert None not in read.values()
    record_poll(database, "files", ["/in/"], {})
    polled = looked_at()
    assert polled["xx"] != read["xx"]
    assert polled["yy"] == read["yy"], "the poll did not list it"

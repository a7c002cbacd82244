"""The registry's verbs on a real PostgreSQL."""

from __future__ import annotations

import signal
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from legal_pipeline.errors import DocumentError
from legal_pipeline.registry.database import Database
from legal_pipeline.registry.listing import Choice, indexed
from legal_pipeline.registry.manifests import LiveCollection
from legal_pipeline.registry.registry import AmendingAct, RegisteredItem, Registry

ACT = RegisteredItem("files", "/in/act.html", "se-sfs-1999-1", stamp="1:1", sha256="aa")


@pytest.fixture
def registry(database: Database) -> Registry:
    return Registry(database)


def test_a_new_document_is_pending_at_revision_one(registry: Registry) -> None:
    document = registry.register(ACT)
    assert (document.revision, document.attempt, document.status, document.source_sha256) == (1, 0, "pending", "aa")
    assert document.filename == "act.html"
    assert document.run_key == "se-sfs-1999-1:1:0"


def test_the_same_bytes_change_nothing_but_the_stamp(registry: Registry) -> None:
    registry.register(ACT)
    registry.set_status("se-sfs-1999-1", "completed")
    document = registry.register(replace(ACT, stamp="1:2"))
    assert (document.revision, document.status) == (1, "completed")
    assert registry.items("files")[0].stamp == "1:2"


def test_changed_bytes_or_hints_make_a_new_revision(registry: Registry) -> None:
    registry.register(ACT)
    registry.set_status("se-sfs-1999-1", "failed", error="no")
    document = registry.register(replace(ACT, sha256="bb"))
    assert (document.revision, document.status, document.last_error, document.source_sha256) == (
        2,
        "pending",
        None,
        "bb",
    )
    assert registry.register(replace(ACT, sha256="bb", hints={"title": "T"})).revision == 3


@pytest.mark.parametrize(
    "changed", [{"part": 2}, {"parts": 3}, {"as_of_date": date(2001, 1, 1)}], ids=lambda changed: next(iter(changed))
)
def test_what_a_parser_reads_otherwise_in_the_same_bytes_is_a_new_revision(
    registry: Registry, changed: dict[str, Any]
) -> None:
    registry.register(replace(ACT, part=1, parts=2, as_of_date=date(2000, 1, 1)))
    document = registry.register(replace(ACT, **{"part": 1, "parts": 2, "as_of_date": date(2000, 1, 1), **changed}))
    assert document.revision == 2


def test_a_document_that_takes_over_an_item_has_a_new_revision(registry: Registry) -> None:
    registry.register(ACT)
    registry.register(replace(ACT, item_key="/in/other.html", document_id="se-sfs-1999-2"))
    assert registry.register(replace(ACT, document_id="se-sfs-1999-2")).revision == 2
    assert registry.orphans() == ["se-sfs-1999-1"]


def test_new_content_has_all_its_attempts(registry: Registry) -> None:
    registry.register(ACT)
    for _ in range(3):
        registry.retry("se-sfs-1999-1")
    assert registry.register(replace(ACT, sha256="bb")).attempt == 0


def test_the_outcome_of_a_run_of_an_earlier_revision_is_not_that_of_the_present_one(registry: Registry) -> None:
    registry.register(ACT)
    registry.register(replace(ACT, sha256="bb"))
    for status in ("failed", "completed"):
        registry.set_status("se-sfs-1999-1", status, error="no", revision=1)
        document = registry.document("se-sfs-1999-1")
        assert document is not None
        assert (document.status, document.last_error, document.processed_at) == ("pending", None, None)


def test_a_document_that_its_source_lists_again_is_not_purged(registry: Registry) -> None:
    registry.register(ACT)
    registry.tombstone("se-sfs-1999-1")
    assert registry.orphans() == []
    registry.register(ACT)
    assert not registry.set_purged("se-sfs-1999-1")
    assert registry.counts() == {"pending": 1}


def test_items_are_orphans_only_until_their_document_is_tombstoned(registry: Registry) -> None:
    registry.register(ACT)
    registry.forget_items("files", ["/in/act.html"])
    assert registry.orphans() == ["se-sfs-1999-1"]
    registry.tombstone("se-sfs-1999-1")
    assert registry.orphans() == []


def test_a_doubtful_listing_forgets_what_was_missing_in_its_own_part(registry: Registry) -> None:
    for folder in ("/in/", "/out/"):
        registry.register(replace(ACT, item_key=f"{folder}act.html", document_id=f"doc-{folder.strip('/')}"))
    registry.mark_missing("files", ["/in/act.html", "/out/act.html"])
    registry.forget_missing("files", ["/in/"])
    assert {item.item_key: item.missing_since is None for item in registry.items("files")} == {
        "/in/act.html": True,
        "/out/act.html": False,
    }


def test_a_reverted_text_gets_a_run_key_of_its_own(registry: Registry) -> None:
    keys = [registry.register(replace(ACT, sha256=sha)).run_key for sha in ("aa", "bb", "aa")]
    assert len(set(keys)) == 3


def test_a_retry_has_a_new_run_key_and_the_same_revision(registry: Registry) -> None:
    first = registry.register(ACT)
    again = registry.retry(ACT.document_id or "")
    assert (again.revision, again.attempt) == (first.revision, 1)
    assert again.run_key != first.run_key


def test_a_document_stays_removed_since_its_source_removed_it_first(registry: Registry) -> None:
    registry.register(ACT)
    removed = []
    for _ in range(2):
        registry.tombstone("se-sfs-1999-1")
        document = registry.document("se-sfs-1999-1")
        assert document is not None
        removed.append(document.tombstoned_at)
    assert removed[0] is not None
    assert removed[0] == removed[1]


def test_a_tombstoned_document_returns_with_a_new_revision(registry: Registry) -> None:
    registry.register(ACT)
    registry.tombstone("se-sfs-1999-1")
    assert registry.documents() == []
    assert [document.document_id for document in registry.documents(tombstoned=True)] == ["se-sfs-1999-1"]
    document = registry.register(ACT)
    assert (document.revision, document.tombstoned_at) == (2, None)


def test_parts_are_returned_in_their_order_and_hashed_together(registry: Registry) -> None:
    for part in (2, 10, 1):
        registry.register(replace(ACT, item_key=f"/in/part{part}.html", part=part, parts=3, sha256=f"a{part}"))
    assert [item.part for item in registry.items_of_documents(["se-sfs-1999-1"])["se-sfs-1999-1"]] == [1, 2, 10]
    document = registry.document("se-sfs-1999-1")
    assert document is not None
    assert document.source_sha256 not in ("a1", "a2", "a10")
    registry.mark_missing("files", ["/in/part2.html"])
    assert [item.part for item in registry.items_of_documents(["se-sfs-1999-1"])["se-sfs-1999-1"]] == [1, 10]
    registry.mark_present("files", ["/in/part2.html"])
    assert len(registry.items_of_documents(["se-sfs-1999-1"])["se-sfs-1999-1"]) == 3


def test_an_item_that_now_holds_another_document_leaves_an_orphan(registry: Registry) -> None:
    registry.register(ACT)
    registry.register(replace(ACT, document_id="se-sfs-1999-2", sha256="bb"))
    assert registry.orphans() == ["se-sfs-1999-1"]


def test_two_processes_that_register_parts_at_once_count_both(registry: Registry) -> None:
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda part: registry.register(replace(ACT, item_key=f"p{part}", part=part)), range(8)))
    document = registry.document("se-sfs-1999-1")
    assert document is not None
    assert document.revision == 8
    assert len(registry.items_of_documents(["se-sfs-1999-1"])["se-sfs-1999-1"]) == 8


def test_an_error_stays_only_while_the_document_is_failed(registry: Registry) -> None:
    registry.register(ACT)
    registry.set_status("se-sfs-1999-1", "failed", error="zero chunks")
    assert registry.documents(status="failed")[0].last_error == "zero chunks"
    assert registry.counts() == {"failed": 1}
    registry.set_status("se-sfs-1999-1", "completed")
    document = registry.document("se-sfs-1999-1")
    assert document is not None
    assert document.last_error is None
    assert document.processed_at is not None


def test_describe_sets_named_columns_and_no_others(registry: Registry) -> None:
    registry.register(ACT)
    registry.describe("se-sfs-1999-1", title="Lag (1999:1)", doc_type="act", total_chunks=3)
    document = registry.document("se-sfs-1999-1")
    assert document is not None
    assert (document.title, document.doc_type, document.total_chunks) == ("Lag (1999:1)", "act", 3)
    with pytest.raises(ValueError, match="revision"):
        registry.describe("se-sfs-1999-1", revision=9)


def test_a_verb_on_an_unknown_document_is_an_error(registry: Registry) -> None:
    for verb in (registry.retry, registry.tombstone, lambda document_id: registry.set_status(document_id, "failed")):
        with pytest.raises(DocumentError, match="not in the registry"):
            verb("se-sfs-1-1")


@pytest.mark.parametrize("wrong", [None, "", "../etc", "Å", "a/b", "a b"])
def test_only_slugs_are_document_ids(registry: Registry, wrong: str | None) -> None:
    with pytest.raises(DocumentError):
        registry.register(replace(ACT, document_id=wrong))


def test_publishing_replaces_the_whole_manifest(registry: Registry) -> None:
    registry.manifests.publish("d", "chunks", {"c1": "h1", "c2": "h2"})
    registry.manifests.publish("d", "chunks", {"c2": "h3"})
    registry.manifests.publish("e", "chunks", {})
    assert registry.manifests.published("d", "chunks") == {"c2": "h3"}
    assert registry.manifests.published("d", "questions") == {}
    assert registry.manifests.published_counts("chunks") == {"d": 1, "e": 0}
    registry.manifests.unpublish(["d"], "chunks")
    assert registry.manifests.published_many(["d", "e"], "chunks") == {"e": {}}


def test_a_manifest_that_was_read_is_believed_until_its_document_is_reported(registry: Registry) -> None:
    manifests = registry.manifests
    manifests.publish("d", "chunks", {"c1": "h1"})
    manifests.publish("e", "chunks", {"c2": "h2"})
    moment = manifests.state(["chunks"]).moment
    both = {"d": {"c1": "h1"}, "e": {"c2": "h2"}}
    assert manifests.published_at(moment, ["d", "e"], "chunks") == both
    manifests.unpublish("d", "chunks")
    manifests.publish("e", "chunks", {"c2": "h3"})
    assert manifests.published_at(moment, ["d", "e"], "chunks") == both
    assert manifests.published_since(moment, ["d", "e"], "chunks") == ["d", "e"]
    assert manifests.published_at(moment, ["d", "e"], "chunks") == {"e": {"c2": "h3"}}
    later = manifests.state(["chunks"]).moment
    assert later > moment
    assert manifests.published_at(later, ["d", "e"], "chunks") == {"e": {"c2": "h3"}}
    assert manifests.published_since(later, ["e"], "chunks") == []


def test_readers_of_an_alias_see_the_manifests_of_its_live_collection_alone(registry: Registry) -> None:
    manifests = registry.manifests
    manifests.go_live("chunks", "chunks_1")
    assert not manifests.state(["chunks"]).live["chunks"].publishes
    manifests.publish("d", "chunks_1", {"c1": "h1"})
    manifests.publish_many({"d": {"c2": "h2"}, "e": {"c3": "h3"}}, "chunks_2")
    assert manifests.published_many(["d", "e"], "chunks") == {"d": {"c1": "h1"}}
    assert [manifests.document_of(chunk, "chunks") for chunk in ("c1", "c2", "c3")] == ["d", None, None]
    state = manifests.state(["chunks", "questions"])
    assert state.live == {"chunks": LiveCollection("chunks_1", publishes=True)}
    manifests.go_live("chunks", "chunks_2")
    assert manifests.published_many(["d", "e"], "chunks") == {"d": {"c2": "h2"}, "e": {"c3": "h3"}}
    assert manifests.published_since(state.moment, ["d"], "chunks_1") == []
    manifests.forget_collection("chunks_1")
    assert manifests.published_since(state.moment, ["d"], "chunks_1") == ["d"]
    assert manifests.published_counts("chunks") == {"d": 1, "e": 1}


def test_of_too_many_manifests_those_read_last_are_kept_in_memory(
    registry: Registry, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("legal_pipeline.registry.manifests._MOST_ROWS", 3)
    manifests = registry.manifests
    for name in "abc":
        manifests.publish(name, "chunks", {f"{name}1": "h", f"{name}2": "h"})
    moment = manifests.state(["chunks"]).moment
    for name in "abcab":
        assert manifests.published_at(moment, [name], "chunks") == {name: {f"{name}1": "h", f"{name}2": "h"}}
    manifests.unpublish("ab", "chunks")
    assert list(manifests.published_at(moment, "ab", "chunks")) == ["b"], "what is in memory is believed until verified"


def test_what_was_published_after_the_moment_is_read_again(registry: Registry) -> None:
    registry.manifests.publish("d", "chunks", {"c1": "h1"})
    moment = registry.manifests.state(["chunks"]).moment
    for row_hash in ("h2", "h3"):
        registry.manifests.publish("d", "chunks", {"c1": row_hash})
        assert registry.manifests.published_at(moment, ["d"], "chunks") == {"d": {"c1": row_hash}}


def test_amendments_come_in_the_order_in_which_they_enter_into_force(registry: Registry) -> None:
    for number, day in (("2001:9", None), ("2001:3", date(2002, 1, 1)), ("2001:7", date(2001, 7, 1))):
        registry.record_amendment(AmendingAct(number, "Lag om ändring", "1999:1", "text", day))
    registry.record_amendment(AmendingAct("2001:7", "Ny rubrik", "1999:1", "text", date(2001, 7, 1)))
    assert [act.document_number for act in registry.amendments_of("1999:1")] == ["2001:7", "2001:3", "2001:9"]
    assert registry.amendments_of("1999:1")[0].title == "Ny rubrik"
    assert registry.amendments_of("1999:1")[0].markdown_content == "text"
    without = registry.amendments_of("1999:1", texts=False)
    assert [(act.document_number, act.markdown_content) for act in without] == [
        ("2001:7", ""),
        ("2001:3", ""),
        ("2001:9", ""),
    ]


def test_an_interrupt_in_a_statement_is_not_replaced_by_an_error_and_costs_only_the_connection(
    database: Database,
) -> None:
    class Interrupted(BaseException):
        """As Dagster's interrupt, which is not a `KeyboardInterrupt`: psycopg does not cancel the statement."""

    def interrupt(*_: object) -> None:
        raise Interrupted

    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.3)
        with pytest.raises(Interrupted), database.reading() as connection:
            connection.execute("select pg_sleep(5)")
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert connection.closed
    with database.reading() as connection:
        assert connection.execute("select 7 as number").fetchone() == {"number": 7}


def test_a_document_that_was_purged_and_comes_back_is_in_the_index_again(registry: Registry) -> None:
    registry.register(ACT)
    registry.describe("se-sfs-1999-1", text_hash="a text")
    registry.tombstone("se-sfs-1999-1")
    assert registry.set_purged("se-sfs-1999-1")
    assert indexed(registry.database, Choice()) == []
    registry.register(ACT)
    assert [found.document_id for found in indexed(registry.database, Choice())] == ["se-sfs-1999-1"]


def test_an_item_is_recorded_as_it_was_read_last(registry: Registry) -> None:
    registry.register(replace(ACT, error="cut off"))
    later = RegisteredItem(
        "files", "/in/act.html", "se-sfs-1999-2", stamp="2:2", sha256="bb", part=2, parts=3, as_of_date=date(2000, 1, 1),
        url="https://law.example/2", hints={"title": "T"}, given={"language": "swe"}, said={"title": "T"},
    )  # fmt: skip
    registry.register(later)
    assert registry.items("files") == [later]
    registry.mark_missing("files", ["/in/act.html"])
    registry.register(ACT)
    assert registry.items("files") == [ACT]


def test_an_item_that_is_missing_since_a_time_to_come_is_missing_from_now_on(registry: Registry) -> None:
    registry.register(ACT)
    registry.mark_missing("files", ["/in/act.html"])
    (first,) = registry.items("files")
    registry.mark_missing("files", ["/in/act.html"])
    assert registry.items("files") == [first]
    with registry.database.connection() as connection:
        connection.execute("update source_items set missing_since = now() + interval '1 year'")
    registry.mark_missing("files", ["/in/act.html"])
    (item,) = registry.items("files")
    assert item.missing_since is not None
    assert item.missing_since <= registry.now()


def test_an_item_that_could_not_be_read_is_not_confirmed(registry: Registry) -> None:
    registry.register(ACT)
    registry.register(replace(ACT, item_key="/in/cut.html", sha256="", error="cut off"))
    keys = ["/in/act.html", "/in/cut.html"]
    assert registry.accept("files", keys) == ["se-sfs-1999-1"]
    assert [item.accepted for item in registry.items("files")] == ["aa", None]
    assert registry.accept("files", keys) == []


def test_an_amending_act_that_is_read_again_amends_the_law_that_it_names_now(registry: Registry) -> None:
    registry.record_amendment(AmendingAct("SFS 2000:1", "First", "SFS 1999:1", "a", date(2000, 1, 1)))
    again = AmendingAct("SFS 2000:1", "Again", "SFS 1999:2", "b", date(2000, 2, 1))
    registry.record_amendment(again)
    assert registry.amendments_of("SFS 1999:1") == []
    assert registry.amendments_of("SFS 1999:1", "SFS 1999:2") == [again]


def test_what_was_published_at_the_moment_itself_is_not_published_since(registry: Registry) -> None:
    manifests = registry.manifests
    manifests.publish("a", "laws", {"a/1": "h"})
    moment = manifests.state(["laws"]).moment
    assert manifests.published_since(moment, ["a"], "laws") == []
    manifests.publish("b", "laws", {"b/1": "h"})
    assert manifests.published_since(moment, ["b", "a"], "laws") == ["b"]

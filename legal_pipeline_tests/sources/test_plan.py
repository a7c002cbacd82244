"""What a look at a source means: as rules, and as invariants over made-up histories."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from legal_pipeline.registry.registry import RegisteredItem
from legal_pipeline.sources.plan import Plan, plan
from legal_pipeline.sources.source import Listing, SourceItem

NOW = datetime(2026, 1, 2, tzinfo=UTC)
GRACE = timedelta(minutes=1)
LONG_AGO = NOW - timedelta(hours=1)
KNOWN = RegisteredItem("files", "a", "doc-a", stamp="1")


def look(
    listed: dict[str, str],
    known: list[RegisteredItem],
    *,
    in_flight: tuple[str, ...] = (),
    scope: tuple[str, ...] = ("",),
) -> Plan:
    items = tuple(SourceItem(key, key, stamp=stamp) for key, stamp in listed.items())
    return plan(Listing("files", items, scope), known, now=NOW, grace=GRACE, in_flight=in_flight)


def keys(items: tuple[SourceItem, ...]) -> list[str]:
    return [item.key for item in items]


def test_what_is_not_known_is_added_in_the_order_of_the_keys() -> None:
    assert keys(look({"b": "1", "a": "1"}, []).add) == ["a", "b"]


def test_an_equal_stamp_means_nothing_to_do() -> None:
    result = look({"a": "1"}, [KNOWN])
    assert result.is_empty
    assert result.unchanged == 1


def test_another_stamp_means_to_fetch_again() -> None:
    assert keys(look({"a": "2"}, [KNOWN]).rebuild) == ["a"]


def test_a_changed_item_waits_while_its_document_is_worked_on() -> None:
    result = look({"a": "2"}, [KNOWN], in_flight=("doc-a",))
    assert keys(result.waiting) == ["a"]
    assert result.rebuild == ()


def test_an_item_that_could_not_be_read_is_fetched_again_only_when_it_changed() -> None:
    bad = replace(KNOWN, document_id=None, error="binary")
    assert look({"a": "1"}, [bad]).unchanged == 1
    assert keys(look({"a": "2"}, [bad]).rebuild) == ["a"]


def test_the_first_look_only_notes_that_an_item_is_missing() -> None:
    result = look({}, [KNOWN])
    assert result.missing == ("a",)
    assert result.tombstone == ()


def test_the_second_look_tombstones_after_the_grace_time() -> None:
    assert look({}, [replace(KNOWN, missing_since=NOW - timedelta(seconds=59))]).tombstone == ()
    result = look({}, [replace(KNOWN, missing_since=LONG_AGO)])
    assert (result.removed, result.tombstone) == (("a",), ("doc-a",))


def test_an_item_counts_as_removed_at_the_end_of_the_grace_time_and_never_from_a_time_to_come() -> None:
    assert look({}, [replace(KNOWN, missing_since=NOW - GRACE)]).removed == ("a",)
    assert look({}, [replace(KNOWN, missing_since=NOW)]).leaving == ("a",)
    result = look({}, [replace(KNOWN, missing_since=NOW + timedelta(hours=1))])
    assert (result.missing, result.leaving, result.removed) == (("a",), (), ())


def test_a_document_being_worked_on_is_not_tombstoned() -> None:
    assert look({}, [replace(KNOWN, missing_since=LONG_AGO)], in_flight=("doc-a",)).removed == ()


def test_an_item_that_returns_unchanged_is_only_marked_present() -> None:
    result = look({"a": "1"}, [replace(KNOWN, missing_since=LONG_AGO)])
    assert (result.returned, result.rebuild, result.tombstone) == (("a",), (), ())


def test_a_document_with_another_item_left_is_rebuilt_and_not_tombstoned() -> None:
    parts = [replace(KNOWN, missing_since=LONG_AGO), replace(KNOWN, item_key="b")]
    result = look({"b": "1"}, parts)
    assert (result.removed, result.shrunk, result.tombstone) == (("a",), ("doc-a",), ())


def test_a_document_keeps_an_item_that_is_missing_for_the_first_time_or_outside_the_listing() -> None:
    gone, missing = replace(KNOWN, missing_since=LONG_AGO), replace(KNOWN, item_key="b")
    result = look({}, [gone, missing])
    assert (result.removed, result.missing, result.shrunk, result.tombstone) == (("a",), ("b",), ("doc-a",), ())
    result = look({}, [gone, missing], scope=("a",))
    assert (result.removed, result.missing, result.shrunk, result.tombstone) == (("a",), (), ("doc-a",), ())


def test_a_file_that_held_many_documents_tombstones_them_all() -> None:
    records = [replace(KNOWN, location=str(n), document_id=f"doc-{n}", missing_since=LONG_AGO) for n in range(3)]
    assert look({}, records).tombstone == ("doc-0", "doc-1", "doc-2")


def test_a_moved_file_keeps_its_document() -> None:
    known = [replace(KNOWN, missing_since=LONG_AGO), replace(KNOWN, item_key="moved")]
    assert look({"moved": "1"}, known).tombstone == ()


def test_an_item_that_a_killed_poll_recorded_in_part_counts_as_its_records_left_behind() -> None:
    first, second = KNOWN, replace(KNOWN, location="2", document_id="doc-b", stamp="0")
    assert keys(look({"a": "1"}, [first, second]).rebuild) == ["a"]
    second = replace(second, stamp="1", missing_since=LONG_AGO)
    assert look({"a": "1"}, [first, second]).returned == ("a",)
    result = look({}, [first, second])
    assert (result.missing, result.removed) == (("a",), ())
    lately = replace(first, missing_since=NOW - timedelta(seconds=59))
    assert look({}, [lately, second]).leaving == ("a",)


def test_a_later_poll_has_work_until_a_missing_item_is_removed_and_a_waiting_one_fetched() -> None:
    missing = [replace(KNOWN, missing_since=moment) for moment in (None, NOW - timedelta(seconds=59), LONG_AGO)]
    assert [look({}, [record]).leaves_work for record in missing] == [True, True, False]
    waiting = look({"a": "2"}, [KNOWN], in_flight=("doc-a",))
    assert (waiting.leaves_work, waiting.is_empty) == (True, False)
    assert look({"a": "1"}, [KNOWN]).is_empty
    files = [KNOWN, replace(KNOWN, location="2", document_id="doc-b")]
    assert keys(look({"a": "2"}, files, in_flight=("doc-b",)).waiting) == ["a"]
    assert not look({"a": "2"}, [KNOWN]).leaves_work


def test_what_lies_outside_the_listing_is_not_missing() -> None:
    assert look({}, [KNOWN], scope=("elsewhere/",)).is_empty


_keys = st.sampled_from("abcdef")
_records = st.lists(
    st.builds(
        RegisteredItem,
        source=st.just("files"),
        item_key=_keys,
        document_id=st.sampled_from([None, "d1", "d2", "d3"]),
        stamp=st.sampled_from("12"),
        missing_since=st.sampled_from([None, LONG_AGO, NOW]),
    ),
    max_size=8,
    unique_by=lambda record: record.item_key,
)


@given(st.dictionaries(_keys, st.sampled_from("12")), _records, st.sets(st.sampled_from(["d1", "d2", "d3"])))
def test_every_item_comes_out_once_and_nothing_listed_is_lost(
    listed: dict[str, str], known: list[RegisteredItem], in_flight: set[str]
) -> None:
    result = look(listed, known, in_flight=tuple(in_flight))
    out = keys(result.add) + keys(result.rebuild) + keys(result.waiting)
    assert len(out) + result.unchanged == len(listed)
    assert set(out) <= set(listed)
    assert not set(result.missing + result.removed) & set(listed)
    listed_documents = {record.document_id for record in known if record.item_key in listed}
    assert not set(result.tombstone) & (listed_documents | in_flight)
    assert set(keys(result.add)) == set(listed) - {record.item_key for record in known}


@given(st.dictionaries(_keys, st.sampled_from("12")), st.dictionaries(_keys, st.sampled_from("12")))
def test_a_plan_that_was_carried_out_leaves_nothing_to_do(before: dict[str, str], listed: dict[str, str]) -> None:
    known = {
        key: RegisteredItem("files", key, f"doc-{key}", stamp=stamp, missing_since=LONG_AGO)
        for key, stamp in before.items()
    }
    result = look(listed, list(known.values()))
    for item in (*result.add, *result.rebuild):
        known[item.key] = RegisteredItem("files", item.key, f"doc-{item.key}", stamp=item.stamp)
    for key in result.returned:
        known[key] = replace(known[key], missing_since=None)
    for key in result.removed:
        del known[key]
    assert look(listed, list(known.values())).is_empty

"""Which ranges a set of documents makes, and which partitions go."""

from __future__ import annotations

import pytest
from dagster import DagsterInstance, DagsterRun, DagsterRunStatus
from dagster._core.remote_origin import GrpcServerCodeLocationOrigin, RemoteJobOrigin, RemoteRepositoryOrigin
from hypothesis import given
from hypothesis import strategies as st

from legal_pipeline.defs.partitioning import Buckets, Partitioning, batches
from legal_pipeline.defs.partitions import NAME, Runs, add, covered, range_tags, ranges, remove_renamed
from legal_pipeline.errors import ConfigurationError
from legal_pipeline.model.identity import sha256_hex
from legal_pipeline.registry.aliases import Aliases
from legal_pipeline.registry.buckets import Place, number_of
from legal_pipeline.registry.database import Database
from legal_pipeline.registry.registry import RegisteredItem, Registry


def test_a_range_never_spans_a_document_that_was_not_asked_for() -> None:
    assert ranges({"a", "b", "d"}, ["a", "b", "c", "d"], 10) == [("a", "b"), ("d",)]


def test_a_range_follows_the_order_in_which_the_keys_were_added() -> None:
    assert ranges({"a", "b", "c"}, ["c", "x", "b", "a"], 10) == [("c",), ("b", "a")]


def test_a_range_is_cut_at_the_limit() -> None:
    assert [len(group) for group in ranges(set("abcdefg"), list("abcdefg"), 3)] == [3, 3, 1]


def test_a_limit_below_one_is_refused() -> None:
    with pytest.raises(ValueError, match="limit 0"):
        ranges({"a"}, ["a"], 0)


@given(st.lists(st.integers(0, 60), unique=True), st.sets(st.integers(0, 60)), st.integers(1, 9))
def test_ranges_hold_every_wanted_key_once_and_no_other(order: list[int], wanted: set[int], limit: int) -> None:
    names = [str(number) for number in order]
    groups = ranges({str(number) for number in wanted}, names, limit)
    assert sorted(key for group in groups for key in group) == sorted(str(number) for number in wanted & set(order))
    for group in groups:
        first = names.index(group[0])
        assert list(group) == names[first : first + len(group)]
        assert len(group) <= limit


def test_partitions_with_many_documents_share_a_range_up_to_the_limit() -> None:
    sizes = {"a": "12", "b": "1", "c": "123456", "d": "1", "e": "12"}
    assert ranges(sizes, "abcde", 3, sizes) == [("a", "b"), ("c",), ("d", "e")]


def test_a_run_covers_the_partitions_between_its_ends_and_none_if_one_of_them_is_gone() -> None:
    def run(group: list[str]) -> DagsterRun:
        return DagsterRun("runs", tags=range_tags(group))

    order = ["c", "a", "d", "b"]
    assert covered([run(["a", "b"]), run(["x"])], order) == {"a", "d", "b", "x"}
    assert covered([run(["a", "gone"]), run(["gone", "b"])], order) == frozenset()
    assert covered([run(["c", "a"]), run(["d"])], order) == {"c", "a", "d"}


def test_the_documents_of_a_run_are_in_it_until_it_has_ended() -> None:
    status = DagsterRunStatus
    ended = [status.SUCCESS, status.FAILURE, status.CANCELED]
    going_on = [status.QUEUED, status.NOT_STARTED, status.STARTING, status.STARTED, status.CANCELING]
    server = GrpcServerCodeLocationOrigin(host="localhost", port=1, location_name="nowhere")
    origin = RemoteJobOrigin(RemoteRepositoryOrigin(server, "repository"), "runs")
    with DagsterInstance.ephemeral() as instance:
        for each in (*ended, *going_on):
            # Dagster refuses a queued run without a place to start it
            run = DagsterRun("runs", tags=range_tags([each.value]), remote_job_origin=origin)
            instance.add_run(run.with_status(each))
        documents = Runs(instance, Partitioning()).documents
    assert [each for each in (*ended, *going_on) if each.value in documents] == going_on


def test_new_partitions_are_added_in_order_behind_the_known_ones() -> None:
    with DagsterInstance.ephemeral() as instance:
        instance.add_dynamic_partitions(NAME, ["m"])
        add(instance, ["z", "m", "c", "a", "b"])
        assert instance.get_dynamic_partitions(NAME) == ["m", "a", "b", "c", "z"]


def test_a_run_takes_so_many_documents_at_a_time_and_says_which_partitions_end_with_them() -> None:
    taken = {"1": ["a", "b"], "2": [], "3": ["c", "d", "e"], "4": ["f"]}
    assert list(batches(taken, 2)) == [
        (["a", "b"], ["1", "2"]),
        (["c", "d"], []),
        (["e", "f"], ["3", "4"]),
    ]
    assert list(batches({"1": []}, 2)) == [([], ["1"])]
    assert list(batches({}, 2)) == []


def test_a_bucket_has_a_number_below_that_of_the_buckets() -> None:
    buckets = Buckets(16)
    assert buckets.bucket("a/feed/15").values["source"] == "a/feed"
    for key in ("feed/16", "feed/x", "/3", "xx-act-1"):
        with pytest.raises(ConfigurationError, match="is not a partition of buckets"):
            buckets.bucket(key)


@pytest.mark.parametrize(("buckets", "digits"), [(1, 1), (10, 1), (16, 2), (100, 2), (101, 3)])
def test_the_numbers_of_buckets_are_as_long_as_the_last_one_so_that_their_keys_are_in_order(
    buckets: int, digits: int
) -> None:
    place = Place("xx-act-1", "feed", sha256_hex("xx-act-1")[:8])
    number = Buckets(buckets).key_of(place).removeprefix("feed/")
    assert (len(number), int(number)) == (digits, number_of(place.id_hash, buckets))


def test_a_run_takes_the_documents_that_are_due_or_those_that_are_named_even_if_these_are_none() -> None:
    def config(partitioning: Partitioning, documents: list[str] | None) -> object:
        return partitioning.run_config(documents=documents, force=True)["ops"]["documents"]["config"]

    for partitioning in (Partitioning(), Buckets(4)):
        assert config(partitioning, None) == {"force": True, "due": True}
    assert config(Buckets(4), []) == {"force": True, "documents": []}
    assert config(Partitioning(), ["xx-1"]) == {"force": True}, "the partition is the document"


def test_a_removed_document_is_in_its_bucket(database: Database) -> None:
    registry = Registry(database)
    registry.register(RegisteredItem("files", "/in/1", "xx-1"))
    registry.tombstone("xx-1")
    (documents,) = Buckets(4).keys_of(registry, ["xx-1"]).values()
    assert documents == ["xx-1"]


def test_a_run_over_buckets_covers_their_documents_of_whatever_source() -> None:
    buckets, ids = Buckets(4), [f"xx-act-{number}" for number in range(20)]
    numbers = {name: number_of(sha256_hex(name)[:8], 4) for name in ids}
    covered_ids = buckets.covered_by(["files/1", "feed/3", "criminal"])
    assert {name for name in ids if name in covered_ids} == {name for name in ids if numbers[name] in (1, 3)}
    assert not any(name in buckets.covered_by(["criminal"]) for name in ids)


def test_the_partition_of_an_old_id_goes_once_no_run_covers_it(database: Database) -> None:
    aliases = Aliases(database)
    for number in (1, 2):
        Registry(database).register(RegisteredItem("files", f"/in/{number}", f"xx-{number}"))
        aliases.begin(f"xx-{number}", f"ch-{number}")
    aliases.finish("xx-1")
    with DagsterInstance.ephemeral() as instance:
        instance.add_dynamic_partitions(NAME, ["xx-1", "xx-2", "ch-1", "ch-2"])
        run = DagsterRun("runs", status=DagsterRunStatus.STARTED, tags=range_tags(["xx-1", "xx-2"]))
        instance.add_run(run)
        remove_renamed(instance, aliases, Partitioning())
        assert "xx-1" in instance.get_dynamic_partitions(NAME)
        instance.delete_run(run.run_id)
        remove_renamed(instance, aliases, Partitioning())
        assert instance.get_dynamic_partitions(NAME) == ["xx-2", "ch-1", "ch-2"]
    assert aliases.with_partition() == []

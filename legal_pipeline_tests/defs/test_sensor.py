"""The directory sensor on a real instance: what it asks for, poll by poll."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from dagster import DagsterInstance, DagsterRunStatus, SensorResult, SkipReason

from legal_pipeline.defs import partitions
from legal_pipeline.defs.partitioning import Partitioning, version_of_items
from legal_pipeline.defs.sensors import ALONE, requests
from legal_pipeline.pipeline import Pipeline
from legal_pipeline.registration import register
from legal_pipeline.registry.freshness import left_out
from legal_pipeline.registry.listing import missing_at_source
from legal_pipeline.registry.registry import SourceDocument
from legal_pipeline.settings import Settings
from legal_pipeline.sources.directory import DirectorySource
from legal_pipeline_tests.defs.watch import Watch, any_job, complete
from legal_pipeline_tests.small_laws import write_bad, write_law


@pytest.fixture
def watch(instance: DagsterInstance, make_settings: Callable[..., Settings]) -> Watch:
    return Watch(instance, make_settings(partitions_per_run=2))


@pytest.fixture
def pipeline(make_settings: Callable[..., Settings]):
    with Pipeline.open(make_settings()) as opened:
        yield opened


def test_new_documents_become_sorted_partitions_and_are_run_in_ranges(
    watch: Watch, folder: Path, instance: DagsterInstance
) -> None:
    for number in (3, 1, 2):
        write_law(folder, number)
    assert watch.asked() == [("se-sfs-2024-1", "se-sfs-2024-2"), ("se-sfs-2024-3",)]
    assert list(instance.get_dynamic_partitions(partitions.NAME)) == ["se-sfs-2024-1", "se-sfs-2024-2", "se-sfs-2024-3"]


def test_nothing_is_asked_for_twice(watch: Watch, folder: Path) -> None:
    write_law(folder, 1)
    assert watch.asked() == [("se-sfs-2024-1",)]
    assert watch.asked() == []


def test_a_changed_document_is_run_alone_and_only_when_its_bytes_changed(
    watch: Watch, folder: Path, pipeline: Pipeline
) -> None:
    for number in (1, 2, 3):
        write_law(folder, number)
    assert not watch.poll().asset_events, "a new partition is missing anyway"  # type: ignore[union-attr]
    complete(pipeline)
    write_law(folder, 1).touch()
    assert watch.asked() == []
    write_law(folder, 2, "Föreningen får ta ut avgift.\n")
    result = watch.poll()
    assert isinstance(result, SensorResult)
    assert [(run.run_key, run.partition_key) for run in result.run_requests or ()] == [
        ("se-sfs-2024-2:2:0", "se-sfs-2024-2")
    ]
    assert [event.partition for event in result.asset_events or ()] == ["se-sfs-2024-2"]


def test_a_reverted_text_runs_again(watch: Watch, folder: Path, pipeline: Pipeline) -> None:
    keys = []
    for addition in ("", "Tillägg.\n", ""):
        write_law(folder, 1, addition)
        result = watch.poll()
        assert isinstance(result, SensorResult)
        keys += [run.run_key for run in result.run_requests or ()]
        complete(pipeline)
    assert keys == ["se-sfs-2024-1:1:0", "se-sfs-2024-1:2:0", "se-sfs-2024-1:3:0"]


def test_a_removed_document_is_tombstoned_at_the_second_look(watch: Watch, folder: Path, pipeline: Pipeline) -> None:
    path = write_law(folder, 1)
    write_law(folder, 2)
    watch.poll()
    complete(pipeline)
    path.unlink()
    watch.poll()
    assert len(pipeline.registry.documents()) == 2
    watch.poll()
    assert [document.document_id for document in pipeline.registry.documents()] == ["se-sfs-2024-2"]
    write_law(folder, 1)
    assert watch.asked() == [("se-sfs-2024-1",)]


def test_files_left_out_by_patterns_are_counted_and_a_document_is_removed_as_if_its_file_were_gone(
    watch: Watch, folder: Path, pipeline: Pipeline
) -> None:
    write_law(folder, 1)
    gone = write_law(folder, 2)
    (folder / "README.xlsx").write_text("not a law")
    watch.settings = watch.settings.model_copy(update={"source_exclude": "*.xlsx"})
    assert watch.asked() == [("se-sfs-2024-1", "se-sfs-2024-2")]
    assert left_out(pipeline.registry.database) == {f"{folder}/": 1}
    complete(pipeline)
    watch.settings = watch.settings.model_copy(update={"source_exclude": f"*.xlsx, {gone.name}"})
    watch.poll()
    assert [document.document_id for document in missing_at_source(pipeline.registry.database)] == ["se-sfs-2024-2"]
    result = watch.poll()
    assert [document.document_id for document in pipeline.registry.documents()] == ["se-sfs-2024-1"]
    assert isinstance(result, SensorResult)
    assert "1 removed, 2 files left out" in str(result.skip_reason)
    watch.settings = watch.settings.model_copy(update={"source_exclude": "*"})
    for _ in range(3):
        result = watch.poll()
        assert isinstance(result, SensorResult)
        assert "has only files that are left out, and held 1 item" in str(result.skip_reason)


def test_a_folder_that_vanished_removes_nothing(watch: Watch, folder: Path, pipeline: Pipeline) -> None:
    write_law(folder, 1)
    watch.poll()
    shutil.rmtree(folder)
    assert [type(watch.poll()) for _ in range(3)] == [SkipReason] * 3
    assert len(pipeline.registry.documents()) == 1


def test_a_folder_that_is_empty_all_at_once_removes_nothing(watch: Watch, folder: Path, pipeline: Pipeline) -> None:
    paths = [write_law(folder, number) for number in (1, 2)]
    watch.poll()
    complete(pipeline)
    for path in paths:
        path.rename(folder.parent / path.name)
    for _ in range(3):
        result = watch.poll()
        assert isinstance(result, SensorResult)
        assert "is empty, and held 2 items" in str(result.skip_reason)
    for path in paths:
        (folder.parent / path.name).rename(path)
    assert watch.asked() == []
    assert pipeline.registry.counts() == {"completed": 2}


def test_a_folder_that_comes_back_as_it_was_after_another_poll_removed_its_documents_is_indexed_again(
    watch: Watch, folder: Path, pipeline: Pipeline
) -> None:
    write_law(folder, 1)
    write_law(folder / "disk", 2)
    assert watch.asked() == [("se-sfs-2024-1", "se-sfs-2024-2")]
    complete(pipeline)
    assert watch.asked() == []
    (folder / "disk").rename(folder.parent / "disk")
    for _ in range(2):
        register(DirectorySource(folder), pipeline.registry, grace=timedelta())
    assert pipeline.registry.counts() == {"completed": 1, "tombstoned": 1}
    (folder.parent / "disk").rename(folder / "disk")
    assert watch.asked() == [("se-sfs-2024-2",)]


def test_a_document_is_removed_when_its_grace_time_is_over_although_nothing_else_changes(
    watch: Watch, folder: Path, pipeline: Pipeline
) -> None:
    write_law(folder, 1)
    gone = write_law(folder, 2)
    watch.settings = watch.settings.model_copy(update={"removal_grace_seconds": 3600})
    watch.poll()
    complete(pipeline)
    gone.unlink()
    for _ in range(3):
        watch.poll()
    assert len(pipeline.registry.documents()) == 2
    with pipeline.registry.database.connection() as connection:
        connection.execute("update source_items set missing_since = missing_since - interval '2 hours'")
    watch.poll()
    assert [document.document_id for document in pipeline.registry.documents()] == ["se-sfs-2024-1"]


def test_a_document_that_cannot_be_read_is_a_partition_too_so_that_its_failure_is_seen(
    watch: Watch, folder: Path
) -> None:
    write_bad(folder)
    ((document_id,),) = watch.asked()
    assert document_id.startswith("unreadable-")


def test_a_document_that_a_run_is_working_on_waits(
    watch: Watch, folder: Path, instance: DagsterInstance, pipeline: Pipeline
) -> None:
    write_law(folder, 1)
    watch.poll()
    run = instance.create_run_for_job(
        any_job(), status=DagsterRunStatus.STARTED, tags=partitions.range_tags(["se-sfs-2024-1"])
    )
    write_law(folder, 1, "Tillägg.\n")
    assert watch.asked() == []
    instance.delete_run(run.run_id)
    assert watch.asked() == [("se-sfs-2024-1",)]


def test_what_was_registered_by_a_look_that_was_killed_is_still_run(watch: Watch, folder: Path) -> None:
    write_law(folder, 1)
    watch.poll()
    watch.cursor = None  # the daemon never got the answer
    assert watch.asked() == [("se-sfs-2024-1",)]


def document(name: str, revision: int = 1, attempt: int = 0) -> SourceDocument:
    now = datetime.now(UTC)
    text = ("act", "", None, revision, attempt, "pending", None, 0, None, None)
    return SourceDocument(name, "", None, None, None, None, *text, now, now)  # type: ignore[arg-type]


def test_many_changed_documents_share_runs_whose_keys_change_with_each_document() -> None:
    changed = [document(f"d{n}", revision=2) for n in range(7)]
    order = [each.document_id for each in changed]
    asked = requests(changed, order, limit=3, partitioning=Partitioning())
    assert [len(group) for _, group in asked.runs] == [3, 3, 1]
    assert len({key for key, _ in asked.runs}) == 3
    changed[1] = document("d1", revision=3)
    (first, *others), (before, *unchanged) = (
        [key for key, _ in runs]
        for runs in (requests(changed, order, limit=3, partitioning=Partitioning()).runs, asked.runs)
    )
    assert first != before
    assert others == unchanged


def test_the_version_of_a_text_that_was_taken_back_is_a_new_one() -> None:
    assert version_of_items(document("d", revision=3)) != version_of_items(document("d", revision=1))


@pytest.mark.parametrize(("number", "runs"), [(ALONE, ALONE), (ALONE + 1, 1)])
def test_documents_that_changed_at_once_run_alone_up_to_a_number(number: int, runs: int) -> None:
    changed = [document(f"d{n}", revision=2) for n in range(number)]
    order = [each.document_id for each in changed]
    assert len(requests(changed, order, limit=1000, partitioning=Partitioning()).runs) == runs


def test_changed_and_retried_documents_have_runs_of_their_own_up_to_the_limit_and_new_ones_share() -> None:
    due = [document("a"), document("b", revision=2), document("c", attempt=1), document("d"), document("e")]
    asked = requests(due, ["b", "a", "c"], limit=2, partitioning=Partitioning())
    assert asked.partitions == ("d", "e")
    assert [group for _, group in asked.runs] == [("b",), ("c",), ("a",), ("d", "e")]
    assert [key for key, _ in asked.runs][:3] == ["b:2:0", "c:1:1", "a:1:0"]
    asked = requests([*due, document("f", revision=2)], ["b", "a", "c", "f"], limit=2, partitioning=Partitioning())
    assert [group for _, group in asked.runs] == [("b", "a"), ("c", "f"), ("d", "e")], "more than two changed at once"

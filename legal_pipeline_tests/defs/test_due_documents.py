"""Which runs a poll asks for, whatever becomes of the poll: due documents are in PostgreSQL, and a poll costs what changed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from dagster import DagsterInstance, DagsterRunStatus, SensorResult

from legal_pipeline.defs import partitions, sensors
from legal_pipeline.pipeline import Pipeline
from legal_pipeline.registry.due_documents import watch_run
from legal_pipeline.registry.run_outcomes import Outcome, finish_run
from legal_pipeline.settings import Settings
from legal_pipeline.sources import directory
from legal_pipeline_tests.benchmarks.registry_ticks import counted, record_all, write_files
from legal_pipeline_tests.defs.watch import Watch, any_job, complete
from legal_pipeline_tests.small_laws import write_law


@pytest.fixture
def watch(instance: DagsterInstance, make_settings: Callable[..., Settings]) -> Watch:
    return Watch(instance, make_settings())


@pytest.fixture
def pipeline(make_settings: Callable[..., Settings]) -> Iterator[Pipeline]:
    with Pipeline.open(make_settings()) as opened:
        yield opened


def ids(*numbers: int) -> tuple[str, ...]:
    return tuple(f"se-sfs-2024-{number}" for number in numbers)


def rewind(pipeline: Pipeline, minutes: int) -> None:
    """As if every asking had been so long ago; in the future for a negative number, as after the clock was put back."""
    with pipeline.registry.database.connection() as connection:
        connection.execute("update due_documents set asked_at = asked_at - make_interval(mins => %s)", (minutes,))


def test_a_look_at_an_unchanged_folder_costs_the_same_whatever_it_holds(
    instance: DagsterInstance, make_settings: Callable[..., Settings], tmp_path: Path
) -> None:
    statements, rows = [], []
    for files in (150, 150, 300):  # 150, 300 and 600 in all
        write_files(tmp_path / f"folder-{len(rows)}", files, folders=3)
        settings = make_settings(source_directory=tmp_path)
        with Pipeline.open(settings) as pipeline, pipeline.registry.database.connection() as connection:
            connection.execute("truncate source_items, source_documents, source_looks cascade")
        (tmp_path / "lagar").exists() and (tmp_path / "lagar").rmdir()
        record_all(settings, tmp_path)
        instance.add_dynamic_partitions("documents", [f"xx-note-{number}" for number in range(150 * 2 ** len(rows))])
        watch = Watch(instance, settings)
        for _ in range(3):
            watch.poll()
        with counted() as counts:
            assert watch.asked() == []
        statements.append(counts["statements"])
        rows.append(counts["rows"])
    assert statements[0] == statements[1] == statements[2]
    assert max(rows) < 20  # a page has 256 items on average


def test_a_poll_stops_at_unchanged_pages_after_a_time_and_the_next_goes_on_there(
    instance: DagsterInstance,
    make_settings: Callable[..., Settings],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(
        directory, "MAX_PAGE_ITEMS", 300
    )  # the paths decide where a page ends: at least five pages wherever this runs
    folder = tmp_path / "notes"
    write_files(folder, 1500, folders=3)
    settings = make_settings(source_directory=folder)
    record_all(settings, folder)
    watch = Watch(instance, settings)
    watch.poll()
    monkeypatch.setattr(sensors, "UNCHANGED_SECONDS", -1.0)
    changed = folder / "002" / "note-001499.md"
    changed.write_text("# Another note\n\nThe lamp is out of order.\n", "utf-8")
    places = []
    while not (asked := watch.asked()) and len(places) < 100:
        places.append(sensors.Cursor.loads(watch.cursor).position.after)
    assert len(places) > 2
    assert len(set(places)) == len(places), "every poll comes further"
    assert len(asked) == 1


def test_the_cursor_holds_no_list_of_documents(watch: Watch, folder: Path) -> None:
    write_law(folder, 1)
    watch.poll()
    small = len(watch.cursor or "")
    for number in range(2, 22):
        write_law(folder, number)
    watch.poll()
    assert len(watch.cursor or "") <= small + 2


def test_every_look_registers_something_even_when_its_time_is_over(
    watch: Watch, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The listing has taken all of it, at every poll."""
    monkeypatch.setattr(sensors, "POLL_SECONDS", -1.0)
    for number in (1, 2, 3):
        write_law(folder, number)
    assert [watch.asked() for _ in range(4)] == [[ids(1)], [ids(2)], [ids(3)], []]


def test_a_slow_disk_is_read_page_by_page_over_many_looks(
    watch: Watch, folder: Path, monkeypatch: pytest.MonkeyPatch, pipeline: Pipeline
) -> None:
    from legal_pipeline.sources import directory

    monkeypatch.setattr(directory, "PAGE_ITEMS", 1)
    monkeypatch.setattr(sensors, "POLL_SECONDS", -1.0)
    for number in (1, 2, 3):
        write_law(folder, number)
    assert [watch.asked() for _ in range(3)] == [[ids(1)], [ids(2)], [ids(3)]]
    complete(pipeline)
    write_law(folder, 3, "Tillägg.\n")
    asked = [watch.asked() for _ in range(8)]  # each poll reads one page, and the end of the folder is one too
    assert asked.count([ids(3)]) == 1
    assert sum(map(len, asked)) == 1


def test_what_a_killed_look_registered_is_run_even_when_no_look_comes_to_its_end(
    watch: Watch, folder: Path, pipeline: Pipeline
) -> None:
    path = write_law(folder, 1)
    watch.poll()
    watch.cursor = None  # Dagster never got the answer
    path.unlink()  # an empty folder cannot be listed: nothing is taken from it
    assert watch.asked() == [ids(1)]


def test_a_retry_from_anywhere_is_asked_for_by_the_next_look(watch: Watch, folder: Path, pipeline: Pipeline) -> None:
    write_law(folder, 1)
    watch.poll()
    complete(pipeline)
    assert watch.asked() == []
    pipeline.registry.retry("se-sfs-2024-1")
    assert watch.asked() == [ids(1)]


def test_a_run_that_was_asked_for_and_never_came_is_asked_for_again(
    watch: Watch, folder: Path, pipeline: Pipeline, instance: DagsterInstance
) -> None:
    write_law(folder, 1)
    assert watch.asked() == [ids(1)]
    assert watch.asked() == []
    run = instance.create_run_for_job(
        any_job(), status=DagsterRunStatus.NOT_STARTED, tags=partitions.range_tags(ids(1))
    )
    rewind(pipeline, 11)
    assert watch.asked() == []  # it waits for its turn
    instance.delete_run(run.run_id)
    rewind(pipeline, 11)
    result = watch.poll()
    assert isinstance(result, SensorResult)
    assert [request.run_key for request in result.run_requests or ()] == ["se-sfs-2024-1:1:1"]


def test_a_document_whose_runs_never_end_is_tried_again_three_times(
    watch: Watch, folder: Path, pipeline: Pipeline
) -> None:
    write_law(folder, 1)
    keys = []
    for _ in range(7):
        result = watch.poll()
        keys += [request.run_key for request in getattr(result, "run_requests", None) or ()]
        rewind(pipeline, 11)
    assert keys == [f"se-sfs-2024-1:1:{attempt}" for attempt in range(4)]


def test_a_repair_that_was_asked_for_and_never_came_is_asked_for_again(
    watch: Watch, folder: Path, pipeline: Pipeline
) -> None:
    write_law(folder, 1)
    watch.poll()
    complete(pipeline)
    with pipeline.registry.database.connection() as connection:
        watch_run(connection, ids(1), asked_by="reconcile")
    assert watch.asked() == [], "the run may still come"
    rewind(pipeline, 11)
    assert watch.asked() == [ids(1)]


def test_a_failed_document_whose_repair_never_came_is_asked_for_again(
    watch: Watch, folder: Path, pipeline: Pipeline
) -> None:
    write_law(folder, 1)
    watch.poll()
    pipeline.registry.set_status(*ids(1), "failed")
    with pipeline.registry.database.connection() as connection:
        watch_run(connection, ids(1), asked_by="reconcile")
    rewind(pipeline, 11)
    assert watch.asked() == [ids(1)]


def test_a_document_of_which_a_run_made_a_part_is_left_to_whoever_asked_for_that_part(
    watch: Watch, folder: Path, pipeline: Pipeline
) -> None:
    write_law(folder, 1)
    assert watch.asked() == [ids(1)]
    finish_run(pipeline.registry.database, [Outcome(*ids(1), 1, frozenset({"raw_documents"}), completed=False)])
    rewind(pipeline, 11)
    assert watch.asked() == []


def test_a_clock_that_was_put_back_keeps_no_document_waiting(watch: Watch, folder: Path, pipeline: Pipeline) -> None:
    write_law(folder, 1)
    watch.poll()
    rewind(pipeline, -60 * 24)
    assert watch.asked() == [ids(1)]


def test_a_clock_that_was_put_back_does_not_put_off_a_removal(watch: Watch, folder: Path, pipeline: Pipeline) -> None:
    path = write_law(folder, 1)
    write_law(folder, 2)
    watch.poll()
    complete(pipeline)
    path.unlink()
    watch.poll()
    with pipeline.registry.database.connection() as connection:
        connection.execute(
            "update source_items set missing_since = now() + interval '1 year' where missing_since is not null"
        )
    watch.poll()
    assert len(pipeline.registry.documents()) == 2  # seen to be gone for the first time by the present clock
    watch.poll()
    assert [document.document_id for document in pipeline.registry.documents()] == ["se-sfs-2024-2"]


def test_pages_that_were_known_before_the_clock_was_put_back_are_compared_again(
    watch: Watch, folder: Path, pipeline: Pipeline
) -> None:
    write_law(folder, 1)
    watch.poll()
    complete(pipeline)
    with pipeline.registry.database.connection() as connection:
        connection.execute("update source_pages set compared_at = now() + interval '1 year'")
        connection.execute("update source_items set stamp = 'other', sha256 = 'other'")
    assert watch.asked() == [ids(1)]


def test_the_documents_of_other_folders_are_left_to_whoever_registered_them(
    watch: Watch, folder: Path, pipeline: Pipeline, tmp_path: Path
) -> None:
    from datetime import timedelta

    from legal_pipeline.registration import register
    from legal_pipeline.sources.directory import DirectorySource

    write_law(tmp_path / "elsewhere", 9)
    register(DirectorySource(tmp_path / "elsewhere"), pipeline.registry, grace=timedelta())
    write_law(folder, 1)
    assert watch.asked() == [ids(1)]
    assert watch.asked() == []

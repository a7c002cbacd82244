"""What happens every night, on a real Dagster instance: schedules, the reconciliation and the runs that it asks for, silence, staleness."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from dagster import (
    AssetKey,
    DagsterEventType,
    DagsterInstance,
    DefaultScheduleStatus,
    RunRequest,
    build_run_status_sensor_context,
    build_schedule_context,
)

from legal_pipeline.definitions import build_definitions
from legal_pipeline.defs import partitions
from legal_pipeline.defs.launch import ingest_source, run_documents, update_practice_areas
from legal_pipeline.pipeline import STRATEGIES, Pipeline
from legal_pipeline.reconcile import reconcile
from legal_pipeline.settings import Settings
from legal_pipeline.sources.directory import DirectorySource
from legal_pipeline_tests.defs.test_checks import evaluate
from legal_pipeline_tests.defs.test_runs import Log, register_all
from legal_pipeline_tests.pipeline.test_practice_areas import judgment
from legal_pipeline_tests.small_laws import write_law


@pytest.fixture
def kept(make_settings: Callable[..., Settings], instance: DagsterInstance, folder: Path):
    """Three laws and a judgment, in the stores."""
    for number in (1, 2, 3):
        write_law(folder, number)
    (folder / "7.txt").write_text(judgment(7), encoding="utf-8")
    with Pipeline.open(make_settings()) as pipeline:
        run_documents(instance, pipeline, register_all(pipeline, folder), report=Log())
        update_practice_areas(instance, pipeline, report=Log(), refresh_roots=True)
        yield pipeline


def run_reconcile(pipeline: Pipeline, instance: DagsterInstance):
    job = build_definitions(settings=pipeline.resources.settings).resolve_job_def("reconcile")
    return job, job.execute_in_process(instance=instance)


def asked(pipeline: Pipeline, instance: DagsterInstance) -> list[RunRequest]:
    """The runs that the sensor asks for after a reconciliation."""
    _, result = run_reconcile(pipeline, instance)
    sensor = build_definitions(settings=pipeline.resources.settings).get_repository_def().get_sensor_def("repairs")
    context = build_run_status_sensor_context(
        "repairs",
        dagster_event=result.get_run_success_event(),
        dagster_instance=instance,
        dagster_run=result.dagster_run,
    )
    return [one for one in sensor(context) if isinstance(one, RunRequest)]


def due(pipeline: Pipeline) -> set[str]:
    with pipeline.registry.database.reading() as connection:
        return {row["document_id"] for row in connection.execute("select document_id from due_documents").fetchall()}


def test_the_nights_work_is_scheduled(settings: Settings, instance: DagsterInstance) -> None:
    repository = build_definitions(settings=settings).get_repository_def()
    schedules = {schedule.name: schedule for schedule in repository.schedule_defs}
    assert {name: (one.job.name, one.cron_schedule) for name, one in schedules.items()} == {
        "nightly_reconcile": ("reconcile", "0 2 * * *"),
        "nightly_checks": ("check_corpus", "0 5 * * *"),
        "nightly_pruning": ("prune_event_log", "0 4 * * *"),
        "purge_removed_documents": ("purge_removed", "20 * * * *"),
    }
    for name, schedule in schedules.items():
        assert schedule.default_status == DefaultScheduleStatus.RUNNING
        if name == "purge_removed_documents":
            continue  # it asks only when there is something to purge (`test_purging`)
        (request,) = schedule.evaluate_tick(build_schedule_context(instance)).run_requests
        assert request.run_key is None


@pytest.mark.slow
def test_the_nightly_reconcile_finds_what_was_lost_and_the_runs_it_asks_for_bring_it_back(
    kept: Pipeline, instance: DagsterInstance
) -> None:
    _, clean = run_reconcile(kept, instance)
    (event,) = clean.asset_materializations_for_node("reconciliation")
    assert (event.metadata["documents"].value, event.metadata["clean"].value) == (4, True)
    assert asked(kept, instance) == []

    for number in (1, 2):
        kept.warehouse.delete(("chunks",), f"se-sfs-2024-{number}")
    kept.resources.store.delete_document("legal_chunks", "se-sfs-2024-3")
    kept.resources.store.delete_document("legal_chunks", "practice-area-criminal")
    requests = asked(kept, instance)
    assert due(kept) == {"se-sfs-2024-1", "se-sfs-2024-2", "se-sfs-2024-3"}
    order = list(instance.get_dynamic_partitions(partitions.NAME))
    assert order.index("se-sfs-2024-2") == order.index("se-sfs-2024-1") + 1
    tables, stores, trees = requests
    assert tables.tags == partitions.range_tags(["se-sfs-2024-1", "se-sfs-2024-2"])
    assert stores.partition_key == "se-sfs-2024-3"
    assert ["qdrant_chunks"] in [key.path for key in stores.asset_selection]
    assert ["raw_documents"] not in [key.path for key in tables.asset_selection]
    assert (trees.job_name, trees.partition_key) == ("practice_area_trees", "criminal")

    definitions = build_definitions(settings=kept.resources.settings)
    for request in requests:
        result = definitions.resolve_job_def(request.job_name).execute_in_process(
            instance=instance,
            partition_key=request.partition_key,
            tags=dict(request.tags) if request.partition_key is None else None,
            run_config=request.run_config,
            asset_selection=request.asset_selection,
        )
        assert result.success
        planned = instance.get_records_for_run(
            result.run_id, of_type=DagsterEventType.ASSET_MATERIALIZATION_PLANNED
        ).records
        asked_for = {record.event_log_entry.get_dagster_event().asset_key for record in planned}
        assert asked_for == set(request.asset_selection or asked_for)
        # of what it asked for, what was lost is told anew; the rest is as Dagster knows it
        records = instance.get_records_for_run(
            result.run_id, of_type=DagsterEventType.ASSET_MATERIALIZATION
        ).records  # of a run in this process, the result lacks the events that are written together
        made = {record.event_log_entry.get_dagster_event().asset_key for record in records} - set(
            map(AssetKey, STRATEGIES)
        )
        assert made
        assert made <= asked_for
    assert reconcile(kept).is_clean
    assert kept.registry.counts() == {"completed": 4}
    assert due(kept) == set()


@pytest.mark.slow
def test_silence_and_staleness_are_told_and_what_was_looked_at_is_neither(
    kept: Pipeline, instance: DagsterInstance, folder: Path, make_settings: Callable[..., Settings]
) -> None:
    found = evaluate(kept, instance)
    assert (found["silence"], found["staleness"]) == (True, True)
    with kept.registry.database.connection() as connection:
        connection.execute("update source_documents set text_changed_at = now() - interval '50 days'")
        connection.execute("update source_items set seen_at = now() - interval '50 days'")
    assert evaluate(kept, instance)["staleness"] is True  # its folder was listed a moment ago
    with kept.registry.database.connection() as connection:
        connection.execute("update source_looks set looked_at = now() - interval '40 days'")
    with Pipeline.open(make_settings(silence_days={DirectorySource.name: 49})) as pipeline:
        found = evaluate(pipeline, instance)
        assert (found["silence"], found["staleness"]) == (False, False)
        write_law(folder, 1, "Föreningen får ta ut avgift.\n")
        run_documents(instance, pipeline, register_all(pipeline, folder), report=Log(), job_name="parse_and_chunk")
        found = evaluate(pipeline, instance)
        assert (found["silence"], found["staleness"]) == (True, True)


@pytest.mark.slow
def test_an_ingest_files_its_judgments_and_makes_their_trees(
    make_settings: Callable[..., Settings], folder: Path, monkeypatch: pytest.MonkeyPatch, instance: DagsterInstance
) -> None:
    for number in (7, 8):
        (folder / f"{number}.txt").write_text(judgment(number), encoding="utf-8")
    settings = make_settings()
    log = Log()
    ingest_source(settings, DirectorySource(folder), report=log)
    assert log.failed == set()
    with Pipeline.open(settings) as pipeline:
        hits = pipeline.search("conviction on the word of an accomplice", filters={"chunk_type": "raptor_summary"})
        assert [hit.document_id for hit in hits] == ["practice-area-criminal"]
    runs = {run.job_name: run for run in instance.get_runs()}
    assert runs.keys() == {"process_document", "file_judgments", "practice_area_trees"}
    (record,) = instance.get_records_for_run(
        runs["practice_area_trees"].run_id, of_type=DagsterEventType.ASSET_MATERIALIZATION
    ).records
    assert record.partition_key == "criminal"
    assert record.asset_materialization.metadata["judgments"].value == 2
    assert record.asset_materialization.metadata["qdrant/points_written"].value == 1

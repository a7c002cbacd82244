"""What leaves Dagster's event log, and that no page shows anything else after it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from dagster import AssetKey, AssetMaterialization, AssetRecordsFilter, DagsterEventType, DagsterInstance

from legal_pipeline.definitions import build_definitions
from legal_pipeline.defs.launch import run_documents
from legal_pipeline.defs.retention import JOB, Pruned, prune
from legal_pipeline.pipeline import Pipeline
from legal_pipeline.settings import Settings
from legal_pipeline_tests.defs.graphql import Partitions, graph
from legal_pipeline_tests.defs.test_runs import Log, register_all
from legal_pipeline_tests.small_laws import write_bad, write_law

LAW = "se-sfs-2024-1"


@pytest.fixture
def opened(make_settings: Callable[..., Settings], folder: Path):
    with Pipeline.open(make_settings()) as pipeline:
        yield pipeline


def made(instance: DagsterInstance, *key: str) -> list[int]:
    wanted = AssetRecordsFilter(AssetKey(key), asset_partitions=[LAW])
    return sorted(record.storage_id for record in instance.fetch_materializations(wanted, limit=99).records)


def test_the_latest_two_materializations_stay_and_those_before_them_leave(
    instance: DagsterInstance, opened: Pipeline, folder: Path
) -> None:
    write_law(folder, 1)
    write_bad(folder)
    documents = register_all(opened, folder)
    for _ in range(4):
        run_documents(instance, opened, documents, report=Log(), job_name="parse_and_chunk", force=True)
    # what is made of another document later does not take the mark of failure away
    run_documents(instance, opened, [LAW], report=Log(), job_name="parse_and_chunk", force=True)
    before = {key: made(instance, *key) for key in (("raw_documents",), ("chunks",), ("chunks", "paragraf"))}
    assert {len(events) for events in before.values()} == {5}
    assert prune(instance, days=1) == Pruned(0, 0, 0), "what is young stays"
    pruned = prune(instance, days=0)
    assert pruned.log_lines > 0
    assert pruned.planned > 0
    assert {key: made(instance, *key) for key in before} == {key: events[-2:] for key, events in before.items()}
    with graph(instance) as shown:
        found = shown.sync(LAW)
        assert {asset for asset, sync in found.items() if sync.status == "STALE"} == set()
        assert shown.partitions("chunks") == Partitions(materialized=1, failed=0, materializing=0)
        assert shown.partitions("canonical_documents") == Partitions(materialized=1, failed=1, materializing=0)
    for run in instance.get_runs():
        kept = {
            record.event_log_entry.dagster_event_type for record in instance.get_records_for_run(run.run_id).records
        }
        assert kept & {DagsterEventType.PIPELINE_SUCCESS, DagsterEventType.PIPELINE_FAILURE}, "how it ended stays"
    assert prune(instance, days=0) == Pruned(0, 0, 0)


def test_an_event_that_another_asset_was_made_from_stays(
    instance: DagsterInstance, opened: Pipeline, folder: Path
) -> None:
    """Without it, Dagster would find no data version before the later one and call the other asset out of sync."""
    write_law(folder, 1)
    documents = register_all(opened, folder)
    run_documents(instance, opened, documents, report=Log(), job_name="parse_and_chunk")
    for _ in range(3):
        run_documents(instance, opened, documents, report=Log(), assets=[("raw_documents",)], force=True)
    before = made(instance, "raw_documents")
    assert prune(instance, days=0).superseded == 1
    assert made(instance, "raw_documents") == [before[0], *before[2:]]
    with graph(instance) as shown:
        assert shown.sync(LAW)["canonical_documents"].status == "FRESH"


def test_a_number_that_is_not_that_of_an_input_keeps_no_event(
    instance: DagsterInstance, opened: Pipeline, folder: Path
) -> None:
    write_law(folder, 1)
    documents = register_all(opened, folder)
    for _ in range(4):
        run_documents(instance, opened, documents, report=Log(), job_name="parse_and_chunk", force=True)
    before = made(instance, "raw_documents")
    made_of_the_last = AssetMaterialization(
        AssetKey("chunks"),
        partition=LAW,
        metadata={"version": str(before[0])},
        tags={"dagster/input_event_pointer/canonical_documents": str(made(instance, "canonical_documents")[-1])},
    )
    instance.report_runless_asset_event(made_of_the_last)
    prune(instance, days=0)
    assert made(instance, "raw_documents") == before[-2:]


def test_pruning_is_a_job_that_runs_every_night(instance: DagsterInstance) -> None:
    definitions = build_definitions()
    schedule = definitions.resolve_schedule_def("nightly_pruning")
    assert (schedule.job_name, schedule.default_status.value) == (JOB, "RUNNING")
    assert definitions.resolve_job_def(JOB).execute_in_process(instance=instance).success

"""How much Dagster's event log holds of a document, and what it says of one that failed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from dagster import AssetKey, AssetRecordsFilter, DagsterEventType, DagsterInstance, DagsterRunStatus
from dagster._core.storage.tags import BACKFILL_ID_TAG

from legal_pipeline.definitions import build_definitions
from legal_pipeline.defs import partitions
from legal_pipeline.defs.launch import run_documents
from legal_pipeline.defs.resources import PipelineResource
from legal_pipeline.defs.storage import EVENT_BATCH
from legal_pipeline.pipeline import ASSETS, STRATEGIES, Failed, Pipeline
from legal_pipeline.settings import Settings
from legal_pipeline_tests.benchmarks.events import last_event, measure, written
from legal_pipeline_tests.defs.graphql import Partitions, graph
from legal_pipeline_tests.defs.test_runs import Log, register_all
from legal_pipeline_tests.small_laws import write_bad, write_law

#: Events and bytes of one document, without those of its run.
MOST_EVENTS, MOST_BYTES = 34, 64 * 1024
#: The same of a document that is only reused.
MOST_REUSED_EVENTS, MOST_REUSED_BYTES = 3, 4 * 1024


@pytest.fixture
def opened(make_settings: Callable[..., Settings], folder: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv(*EVENT_BATCH)
    with Pipeline.open(make_settings()) as pipeline:
        yield pipeline


def materializations(instance: DagsterInstance, key: tuple[str, ...]) -> dict[str, int]:
    """Partition -> how many events of it there are."""
    records = instance.fetch_materializations(AssetRecordsFilter(AssetKey(key)), limit=1000).records
    found: dict[str, int] = {}
    for record in records:
        found[str(record.partition_key)] = found.get(str(record.partition_key), 0) + 1
    return found


def test_a_document_has_few_events_and_one_that_is_only_reused_hardly_any(
    instance: DagsterInstance, opened: Pipeline, folder: Path
) -> None:
    for number in range(1, 11):
        write_law(folder, number)
    documents = register_all(opened, folder)
    first = measure(instance, opened, documents)
    assert first.rows / len(documents) <= MOST_EVENTS
    assert first.size / len(documents) <= MOST_BYTES
    assert {key for key in (*ASSETS, *STRATEGIES) if materializations(instance, key)} == {
        *ASSETS,
        ("chunks", "paragraf"),
    }
    again = measure(instance, opened, documents)
    assert again.rows / len(documents) <= MOST_REUSED_EVENTS
    assert again.size / len(documents) <= MOST_REUSED_BYTES


def test_a_backfill_counts_what_its_runs_found_up_to_date_without_an_event_for_each(
    instance: DagsterInstance, opened: Pipeline, folder: Path
) -> None:
    """Dagster calls what a backfill asked for and no run wrote a failure."""
    for number in range(1, 11):
        write_law(folder, number)
    documents = register_all(opened, folder)
    run_documents(instance, opened, documents, report=Log(), job_name="parse_and_chunk")
    write_law(folder, 1, "\n2 a § Vägföreningen ska varna.\n")
    register_all(opened, folder)
    job = build_definitions(resources={"pipeline": PipelineResource(loaded=opened.resources.settings)}).resolve_job_def(
        "parse_and_chunk"
    )
    before = last_event(instance)
    config = {BACKFILL_ID_TAG: "some", **partitions.range_tags(documents)}
    again = job.execute_in_process(instance=instance, tags=config)
    assert again.success
    size = written(instance, before).size
    for key in (("raw_documents",), ("canonical_documents",), ("chunks",)):
        made = materializations(instance, key)
        assert made == {name: 2 if name == documents[0] else 1 for name in documents}
        for limit in (1, 4, 1000):
            assert counted(instance, key, before, limit) == sorted(documents), (key, limit)
    assert size <= MOST_BYTES + (len(documents) - 1) * MOST_REUSED_BYTES


def counted(instance: DagsterInstance, key: tuple[str, ...], after: int, limit: int) -> list[str]:
    """The partitions that a backfill that began after an event counts as materialized, read as the daemon reads them."""
    found: list[str] = []
    while rows := instance.get_asset_event_summary_records(
        DagsterEventType.ASSET_MATERIALIZATION, AssetKey(key), after_storage_id=after, limit=limit, ascending=True
    ):
        found += [str(row.partition) for row in rows]
        after = rows[-1].storage_id
    return sorted(found)


def test_a_run_that_goes_on_shows_all_its_documents_in_progress_and_a_failed_one_the_asset_that_failed(
    instance: DagsterInstance, opened: Pipeline, folder: Path
) -> None:
    write_law(folder, 1)
    write_law(folder, 2)
    write_bad(folder)
    documents = register_all(opened, folder)
    job = build_definitions().resolve_job_def("process_document")
    instance.add_dynamic_partitions(partitions.NAME, documents)
    planned = instance.create_run_for_job(job, tags=partitions.range_tags(documents))
    with graph(instance) as shown:
        assert shown.partitions("chunks") == Partitions(materialized=0, failed=0, materializing=3)
    instance.report_run_canceled(planned)
    run_documents(instance, opened, documents, report=Log(), job_name="parse_and_chunk")
    with graph(instance) as shown:
        assert shown.partitions("raw_documents") == Partitions(materialized=3, failed=0, materializing=0)
        assert shown.partitions("canonical_documents") == Partitions(materialized=2, failed=1, materializing=0)
        for below in ("chunks", "cross_references", "provision_versions"):
            assert shown.partitions(below) == Partitions(materialized=2, failed=0, materializing=0), below


def test_the_reason_of_a_failure_stands_on_the_partition_of_the_asset_that_failed(
    instance: DagsterInstance, opened: Pipeline, folder: Path
) -> None:
    write_bad(folder)
    (bad,) = register_all(opened, folder)
    run_documents(instance, opened, [bad], report=Log(), job_name="parse_and_chunk")
    wanted = AssetRecordsFilter(AssetKey("canonical_documents"), asset_partitions=[bad])
    (record,) = instance.fetch_observations(wanted, limit=5).records
    said = {name: value.value for name, value in record.event_log_entry.asset_observation.metadata.items()}
    assert said["error"].endswith("Error")
    assert said["reason"]
    assert said["expected"]


def test_the_page_of_a_run_with_a_bad_document_shows_a_sentence_and_no_stack(
    instance: DagsterInstance, opened: Pipeline, folder: Path
) -> None:
    write_bad(folder)
    (bad,) = register_all(opened, folder)
    run_documents(instance, opened, [bad], report=Log(), job_name="parse_and_chunk")
    (run,) = instance.get_runs()
    assert run.status is DagsterRunStatus.FAILURE
    (entry,) = instance.get_records_for_run(run.run_id, of_type=DagsterEventType.STEP_FAILURE).records
    failure = entry.event_log_entry.dagster_event.step_failure_data
    assert failure.error.stack == []
    assert failure.error.message.startswith(f"1 of 1 documents failed: {bad} in canonical_documents: ")
    (entry,) = instance.get_records_for_run(run.run_id, of_type=DagsterEventType.RUN_FAILURE).records
    assert "execute_plan.py" not in entry.event_log_entry.to_json()


def test_an_empty_file_fails_where_it_is_read(instance: DagsterInstance, opened: Pipeline, folder: Path) -> None:
    law = write_law(folder, 1)
    documents = register_all(opened, folder)
    law.write_bytes(b"")  # between the poll and the run
    log = Log()
    run_documents(instance, opened, documents, report=log, job_name="parse_and_chunk")
    assert [event.asset_key for event in log.events if isinstance(event, Failed)] == [("raw_documents",)]
    assert materializations(instance, ("raw_documents",)) == {}
    with graph(instance) as shown:
        assert shown.partitions("raw_documents") == Partitions(materialized=0, failed=1, materializing=0)
    write_law(folder, 1)
    run_documents(instance, opened, documents, report=Log(), job_name="parse_and_chunk")
    with graph(instance) as shown:
        assert shown.partitions("raw_documents") == Partitions(materialized=1, failed=0, materializing=0)

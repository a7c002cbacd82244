"""Runs in this process, on a real Dagster instance: what is logged for whom."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from dagster import AssetKey, AssetRecordsFilter, DagsterEventType, DagsterInstance
from dagster._core.definitions.data_version import extract_data_version_from_entry

from legal_pipeline.defs.launch import ingest_source, run_documents
from legal_pipeline.pipeline import Pipeline
from legal_pipeline.processing.stage import Failed, Materialized, StageEvent
from legal_pipeline.registration import Registration, register
from legal_pipeline.settings import Settings
from legal_pipeline.sources.directory import DirectorySource
from legal_pipeline.sources.source import ListingError
from legal_pipeline_tests.small_laws import write_bad, write_law


class Log:
    """Keeps what it is told."""

    def __init__(self) -> None:
        self.events: list[StageEvent] = []
        self.found: Registration | None = None

    def registration(self, found: Registration) -> None:
        self.found = found

    def later_texts(self, days: object) -> None: ...

    def event(self, event: StageEvent) -> None:
        self.events.append(event)

    @property
    def failed(self) -> set[str]:
        return {event.document_id for event in self.events if isinstance(event, Failed)}


@pytest.fixture
def opened(make_settings: Callable[..., Settings], folder: Path):
    with Pipeline.open(make_settings(partitions_per_run=4)) as pipeline:
        yield pipeline


def register_all(pipeline: Pipeline, folder: Path) -> list[str]:
    from datetime import timedelta

    found = register(DirectorySource(folder), pipeline.registry, grace=timedelta(0))
    return sorted({*found.new, *found.changed, *found.listed})


def materialized(instance: DagsterInstance, *key: str) -> dict[str, str]:
    """Partition -> data version, for every materialization of the asset."""
    records = instance.fetch_materializations(AssetRecordsFilter(AssetKey(key)), limit=1000).records
    return {
        str(record.partition_key): str(version.value)
        for record in reversed(records)
        if (version := extract_data_version_from_entry(record.event_log_entry)) is not None
    }


def test_a_range_with_a_bad_document_materializes_exactly_the_others(
    instance: DagsterInstance, opened: Pipeline, folder: Path
) -> None:
    for number in range(1, 6):
        write_law(folder, number)
    write_bad(folder)
    documents = register_all(opened, folder)
    log = Log()
    run_documents(instance, opened, documents, report=log, job_name="parse_and_chunk")
    good = {f"se-sfs-2024-{number}" for number in range(1, 6)}
    assert log.failed == set(documents) - good
    for key in (("canonical_documents",), ("chunks", "paragraf"), ("chunks",)):
        versions = materialized(instance, *key)
        assert set(versions) == good
    assert materialized(instance, "chunks", "semantic") == {}, "a strategy that made nothing has no event"
    assert len(set(materialized(instance, "chunks").values())) == 5, "each document has a data version of its own"
    runs = instance.get_runs()
    assert sorted(run.status.value for run in runs) == ["FAILURE", "SUCCESS"]
    (bad,) = log.failed
    failures = instance.get_records_for_run(
        next(run.run_id for run in runs if run.status.value == "FAILURE"), of_type=DagsterEventType.STEP_FAILURE
    ).records
    assert bad in failures[0].event_log_entry.dagster_event.event_specific_data.user_failure_data.description


def test_versions_and_inputs_are_logged_with_each_document(
    instance: DagsterInstance, opened: Pipeline, folder: Path
) -> None:
    write_law(folder, 1)
    run_documents(instance, opened, register_all(opened, folder), report=Log(), job_name="parse_and_chunk")
    (record,) = instance.fetch_materializations(AssetKey("canonical_documents"), limit=5).records
    tags = record.asset_materialization.tags
    assert tags["dagster/input_data_version/raw_documents"] == materialized(instance, "raw_documents")["se-sfs-2024-1"]
    assert tags["dagster/code_version"]
    assert record.asset_materialization.metadata["provisions"].value == 3


def test_a_strategy_that_makes_no_chunks_any_more_says_so_once(
    instance: DagsterInstance, opened: Pipeline, folder: Path
) -> None:
    write_law(folder, 1)
    documents = register_all(opened, folder)

    def chunks_of(*strategy: str) -> list[int]:
        records = instance.fetch_materializations(AssetRecordsFilter(AssetKey(["chunks", *strategy])), limit=9).records
        return [int(str(record.asset_materialization.metadata["chunks"].value)) for record in records]

    def run(strategy: str | None = None) -> None:
        run_documents(
            instance, opened, documents, report=Log(), job_name="parse_and_chunk", strategy=strategy, force=True
        )

    run()
    assert chunks_of("paragraf")[0] > 0
    assert chunks_of("sliding_window") == []
    run("sliding_window")
    assert chunks_of("paragraf")[0] == 0
    assert chunks_of("sliding_window")[0] > 0
    run("sliding_window")
    assert len(chunks_of("paragraf")) == 2


def test_a_second_run_computes_nothing_and_keeps_the_versions(
    instance: DagsterInstance, opened: Pipeline, folder: Path
) -> None:
    write_law(folder, 1)
    first, second = Log(), Log()
    run_documents(instance, opened, register_all(opened, folder), report=first, job_name="parse_and_chunk")
    before = materialized(instance, "chunks")
    run_documents(instance, opened, register_all(opened, folder), report=second, job_name="parse_and_chunk")
    assert not any(
        event.reused for event in first.events if isinstance(event, Materialized) and event.asset_key == ("chunks",)
    )
    assert all(event.reused for event in second.events if isinstance(event, Materialized))
    assert materialized(instance, "chunks") == before


def test_a_defect_in_the_run_itself_is_raised_and_not_swallowed(
    instance: DagsterInstance, opened: Pipeline, folder: Path
) -> None:
    write_law(folder, 1)
    documents = register_all(opened, folder)

    class Broken(Log):
        def event(self, event: StageEvent) -> None:
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        run_documents(instance, opened, documents, report=Broken(), job_name="parse_and_chunk")


@pytest.mark.slow
def test_ingest_takes_a_folder_into_the_store_names_what_failed_and_refuses_an_empty_folder(
    make_settings: Callable[..., Settings], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("DAGSTER_HOME", raising=False)
    write_law(folder, 1)
    write_law(folder, 2)
    write_bad(folder)
    settings = make_settings()
    log = Log()
    ingest_source(settings, DirectorySource(folder), report=log)
    assert len(log.failed) == 1
    with Pipeline.open(settings) as pipeline:
        assert pipeline.registry.counts() == {"completed": 2, "failed": 1}
        assert (
            sum(pipeline.registry.manifests.published_counts("legal_chunks").values())
            == pipeline.resources.store.count("legal_chunks")
            > 5
        )
    for path in folder.iterdir():  # as where a disk is not mounted
        path.unlink()
    for _ in range(2):
        with pytest.raises(ListingError, match="is empty, and held 3 items"):
            ingest_source(settings, DirectorySource(folder), report=Log())
    with Pipeline.open(settings) as pipeline:
        assert pipeline.registry.counts() == {"completed": 2, "failed": 1}

"""Runs over buckets in this process: what they take, what they report, and the way from documents to buckets and back."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from dagster import (
    AssetKey,
    AssetRecordsFilter,
    DagsterEventType,
    DagsterInstance,
    DagsterRun,
    DagsterRunStatus,
    SensorResult,
)

from legal_pipeline.definitions import build_definitions
from legal_pipeline.defs import partitions
from legal_pipeline.defs.erasing import erase_document
from legal_pipeline.defs.launch import ingest_source, run_documents
from legal_pipeline.defs.partitioning import Buckets, Partitioning, partitioning
from legal_pipeline.defs.resources import PipelineResource
from legal_pipeline.defs.switching import switch
from legal_pipeline.errors import ConfigurationError, HomeBusyError
from legal_pipeline.pipeline import ASSETS, Pipeline
from legal_pipeline.registry.database import Database
from legal_pipeline.registry.document_versions import read_versions
from legal_pipeline.registry.registry import RegisteredItem, Registry
from legal_pipeline.settings import Settings
from legal_pipeline.sources.directory import DirectorySource
from legal_pipeline_tests.defs.graphql import Partitions, graph
from legal_pipeline_tests.defs.killed_switch import kill_switch
from legal_pipeline_tests.defs.test_runs import Log, materialized, register_all
from legal_pipeline_tests.defs.watch import Watch
from legal_pipeline_tests.small_laws import write_bad, write_law

BUCKETS = Buckets(4)


@pytest.fixture
def settings_of(make_settings: Callable[..., Settings]) -> Callable[[str], Settings]:
    def make(partitioning: str) -> Settings:
        return make_settings(partitioning=partitioning, buckets=4, enrich="none")

    return make


@pytest.fixture
def opened(settings_of: Callable[[str], Settings]) -> Iterator[Pipeline]:
    with Pipeline.open(settings_of("buckets")) as pipeline:
        BUCKETS.verify(pipeline.registry.database)
        yield pipeline


def run_due(instance: DagsterInstance, pipeline: Pipeline, keys: list[str], **config: Any) -> Any:
    """A run over these partitions, as the daemon starts it."""
    resources = {"pipeline": PipelineResource(loaded=pipeline.resources.settings)}
    definitions = build_definitions(settings=pipeline.resources.settings, resources=resources)
    return definitions.resolve_job_def("process_document").execute_in_process(
        instance=instance,
        partition_key=keys[0] if len(keys) == 1 else None,
        tags=partitions.range_tags(keys) if len(keys) > 1 else None,
        run_config={"ops": {"documents": {"config": config}}},
        raise_on_error=False,
    )


def latest(instance: DagsterInstance, asset: str, key: str) -> Any:
    """The metadata of the latest materialization; tables as lists of rows."""
    wanted = AssetRecordsFilter(AssetKey(asset.split("/")), asset_partitions=[key])
    (record, *_) = instance.fetch_materializations(wanted, limit=1).records
    found = {}
    for name, value in record.asset_materialization.metadata.items():
        records = getattr(value, "records", None)
        found[name] = value.value if records is None else [dict(row.data) for row in records]
    return found


def test_a_bucket_reports_its_documents_in_sums_and_names_those_that_failed(
    instance: DagsterInstance, opened: Pipeline, folder: Path
) -> None:
    for number in range(1, 13):
        write_law(folder, number)
    write_bad(folder)
    documents = register_all(opened, folder)
    by_key = BUCKETS.keys_of(opened.registry, documents)
    (bad,) = [name for name in documents if name.startswith("unreadable-")]
    (red,) = [key for key, names in by_key.items() if bad in names]
    log = Log()
    run_documents(instance, opened, documents, report=log)
    assert log.failed == {bad}
    assert instance.get_dynamic_partitions(partitions.NAME) == sorted(by_key)
    assert opened.registry.counts() == {"completed": 12, "failed": 1}
    good = {key: [name for name in names if name != bad] for key, names in by_key.items()}
    assert len(by_key) == 4
    for key, names in good.items():
        if key != red:
            shown = latest(instance, "chunks", key)
            assert shown["documents"] == len(names)
            assert {row["of"]: row["count"] for row in shown["this_run"]}["computed"] == len(names)
            assert [row["document"] for row in shown["computed"]] == sorted(names)
    observed = instance.fetch_observations(
        AssetRecordsFilter(AssetKey("canonical_documents"), asset_partitions=[red]), limit=5
    ).records
    assert [bad in str(record.event_log_entry.asset_observation.description) for record in observed] == [True]
    assert latest(instance, "chunks", red)["failed"] == 1
    with graph(instance) as shown:
        assert shown.partitions("raw_documents") == Partitions(4, 0, 0)
        assert shown.partitions("canonical_documents") == Partitions(3, 1, 0)
        assert shown.partitions("chunks") == Partitions(4, 0, 0)
        assert shown.sync(red)["chunks"].status == "FRESH"
    opened.registry.retry(good[red][0])
    assert run_due(instance, opened, [red], due=True).success, "the bad document is not due"
    (row,) = latest(instance, "canonical_documents", red)["not_made"]
    assert (row["document"], row["status"]) == (bad, "failed")
    assert row["reason"].startswith("canonical_documents: ")
    with graph(instance) as shown:
        assert shown.partitions("canonical_documents") == Partitions(4, 0, 0)
        assert {sync.status for sync in shown.sync(red).values()} == {"FRESH"}


def test_a_second_run_logs_nothing_and_an_amended_document_changes_the_version_of_its_bucket_alone(
    instance: DagsterInstance, opened: Pipeline, folder: Path
) -> None:
    for number in range(1, 9):
        write_law(folder, number)
    documents = register_all(opened, folder)
    run_documents(instance, opened, documents, report=Log())
    before = materialized(instance, "chunks")
    run_documents(instance, opened, documents, report=Log())
    assert materialized(instance, "chunks") == before
    write_law(folder, 3, "Föreningen får ta ut avgift.\n")
    register_all(opened, folder)
    (key,) = BUCKETS.keys_of(opened.registry, ["se-sfs-2024-3"])
    assert run_due(instance, opened, sorted(before), due=True).success
    after = materialized(instance, "chunks")
    assert {name for name in after if after[name] != before[name]} == {key}
    shown = latest(instance, "chunks", key)
    assert shown["computed"] == [{"document": "se-sfs-2024-3"}]
    told = {name: value for asset in ASSETS for name, value in latest(instance, "/".join(asset), key).items()}
    assert [row["document"] for row in told["changed_law"]] == ["se-sfs-2024-3"]
    assert shown["documents"] == len(BUCKETS.documents_of(opened.registry, [key])[key])


def test_a_due_run_takes_what_is_due_a_run_from_the_page_takes_all(
    instance: DagsterInstance, opened: Pipeline, folder: Path
) -> None:
    for number in range(1, 9):
        write_law(folder, number)
    documents = register_all(opened, folder)
    run_documents(instance, opened, documents, report=Log())
    keys = sorted(BUCKETS.keys_of(opened.registry, documents))
    nothing = run_due(instance, opened, keys, due=True)
    assert nothing.success
    made = DagsterEventType.ASSET_MATERIALIZATION
    assert not instance.get_records_for_run(nothing.run_id, of_type=made).records
    opened.registry.retry("se-sfs-2024-3")
    revision = {row.document_id: row.processed_at for row in opened.registry.documents()}
    run_due(instance, opened, keys, due=True)
    again = {row.document_id: row.processed_at for row in opened.registry.documents()}
    assert {name for name in again if again[name] != revision[name]} == {"se-sfs-2024-3"}
    (key,) = BUCKETS.keys_of(opened.registry, ["se-sfs-2024-3"])
    run_due(instance, opened, [key])
    all_of_it = {row.document_id: row.processed_at for row in opened.registry.documents()}
    expected = set(BUCKETS.documents_of(opened.registry, [key])[key])
    assert {name for name in all_of_it if all_of_it[name] != again[name]} == expected


def test_the_sensor_asks_for_the_bucket_of_a_changed_document_and_shows_it_out_of_date(
    instance: DagsterInstance, opened: Pipeline, folder: Path
) -> None:
    for number in range(1, 9):
        write_law(folder, number)
    watch = Watch(instance, opened.resources.settings)
    groups = watch.asked()
    keys = [key for group in groups for key in group]
    assert keys == sorted(BUCKETS.keys_of(opened.registry, [row.document_id for row in opened.registry.documents()]))
    for group in groups:
        assert run_due(instance, opened, list(group), due=True).success
    assert opened.registry.counts() == {"completed": 8}
    write_law(folder, 3, "Föreningen får ta ut avgift.\n")
    (key,) = BUCKETS.keys_of(opened.registry, ["se-sfs-2024-3"])
    result = watch.poll()
    assert isinstance(result, SensorResult)
    (request,) = result.run_requests or ()
    assert (request.partition_key, request.run_config) == (key, {"ops": {"documents": {"config": {"due": True}}}})
    for event in result.asset_events:
        instance.report_runless_asset_event(event)
    with graph(instance) as shown:
        assert {name: sync.status for name, sync in shown.sync(key).items()}["raw_documents"] == "STALE"
        (other, *_) = [name for name in keys if name != key]
        assert {sync.status for sync in shown.sync(other).values()} == {"FRESH"}
    run = DagsterRun("runs", status=DagsterRunStatus.STARTED, tags=partitions.range_tags([key]))
    instance.add_run(run)
    assert watch.asked() == [], "its run is queued"
    instance.delete_run(run.run_id)
    run_due(instance, opened, [key], due=True)
    with graph(instance) as shown:
        assert shown.sync(key)["raw_documents"].status == "FRESH"
    assert watch.asked() == []


def test_a_home_goes_to_buckets_and_back_without_a_run_and_loses_nothing(
    instance: DagsterInstance, settings_of: Callable[[str], Settings], folder: Path
) -> None:
    for number in range(1, 9):
        write_law(folder, number)
    write_bad(folder)
    with Pipeline.open(settings_of("documents")) as pipeline:
        documents = register_all(pipeline, folder)
        run_documents(instance, pipeline, documents, report=Log())
        versions = {asset: materialized(instance, *asset) for asset in ASSETS}
        done = switch(instance, pipeline, BUCKETS)
        by_key = BUCKETS.keys_of(pipeline.registry, documents)
        assert (done.added, done.removed, done.failed) == (len(by_key), 9, 1)
        assert instance.get_dynamic_partitions(partitions.NAME) == sorted(by_key)
        assert pipeline.registry.counts() == {"completed": 8, "pending": 1}, "what failed is due again"
        with pytest.raises(ConfigurationError, match=r"this home are buckets \(4 per source\)"):
            Watch(instance, pipeline.resources.settings).poll()
    for key, names in by_key.items():
        assert latest(instance, "raw_documents", key)["documents"] == len(names)
    with Pipeline.open(settings_of("buckets")) as pipeline:
        in_buckets = {asset: materialized(instance, *asset) for asset in ASSETS}
        run_documents(instance, pipeline, documents, report=Log())
        for asset, found in in_buckets.items():
            assert materialized(instance, *asset) == found, "the run finds what the switch has written"
        write_law(folder, 3, "Föreningen får ta ut avgift.\n")
        register_all(pipeline, folder)
        run_documents(instance, pipeline, ["se-sfs-2024-3"], report=Log())
        back = switch(instance, pipeline, Partitioning())
        assert (back.added, back.removed) == (9, len(by_key))
        assert set(instance.get_dynamic_partitions(partitions.NAME)) == set(documents)
    for asset, before in versions.items():
        after = materialized(instance, *asset)
        changed = {name for name in before if after[name] != before[name]}
        assert changed <= {"se-sfs-2024-3"}
    assert materialized(instance, "chunks")["se-sfs-2024-3"] != versions["chunks",]["se-sfs-2024-3"]
    with Pipeline.open(settings_of("documents")) as pipeline:
        assert Watch(instance, pipeline.resources.settings).asked() == [
            tuple(name for name in documents if name.startswith("unreadable-"))
        ]
        log = Log()
        run_documents(instance, pipeline, [name for name in documents if name.startswith("se-")], report=log)
        assert not log.failed
    with graph(instance) as shown:
        assert shown.partitions("chunks") == Partitions(8, 0, 0)


@pytest.mark.slow
@pytest.mark.heavy
def test_a_switch_that_is_killed_on_the_way_is_finished_by_the_next_call(
    instance: DagsterInstance, opened: Pipeline, folder: Path
) -> None:
    """Some 10 s: two starts of a process."""
    for number in range(1, 9):
        write_law(folder, number)
    write_bad(folder)
    documents = register_all(opened, folder)
    run_documents(instance, opened, documents, report=Log())
    (bad,) = [name for name in documents if name.startswith("unreadable-")]
    for statement, number in (("insert into event_logs", 4), ("delete", 1)):
        kill_switch(opened.resources.settings, statement, number)
        with pytest.raises(ConfigurationError, match="the partitions of this home are documents"):
            Watch(instance, opened.resources.settings).poll()
    done = switch(instance, opened, Partitioning())
    assert (done.added, done.events, done.failed) == (0, 0, 1), "the second had done all but the removal"
    assert set(instance.get_dynamic_partitions(partitions.NAME)) == set(documents)
    for document_id, versions in read_versions(opened.registry.database, documents).items():
        for asset, version in versions.items():
            assert materialized(instance, *asset.split("/"))[document_id] == version
    assert opened.registry.counts() == {"completed": 8, "pending": 1}
    with Pipeline.open(opened.resources.settings.model_copy(update={"partitioning": "documents"})) as pipeline:
        assert Watch(instance, pipeline.resources.settings).asked() == [(bad,)]
    with graph(instance) as shown:
        assert shown.partitions("chunks") == Partitions(8, 0, 0)
        assert {sync.status for sync in shown.sync("se-sfs-2024-3").values()} == {"FRESH"}


def test_an_erased_document_leaves_its_bucket_with_the_state_of_the_others(
    instance: DagsterInstance, opened: Pipeline, folder: Path
) -> None:
    for number in range(1, 9):
        write_law(folder, number)
    documents = register_all(opened, folder)
    run_documents(instance, opened, documents, report=Log())
    (key,) = BUCKETS.keys_of(opened.registry, ["se-sfs-2024-3"])
    before = materialized(instance, "chunks")
    erase_document(opened.resources.settings, "se-sfs-2024-3", "decision 7")
    after = materialized(instance, "chunks")
    assert {name for name in before if after[name] != before[name]} == {key}
    assert latest(instance, "chunks", key)["documents"] == len(BUCKETS.documents_of(opened.registry, [key])[key]) > 0
    with opened.registry.database.connection() as connection:
        row = connection.execute(
            "select count(*) as events from event_logs where event like '%se-sfs-2024-3%'"
        ).fetchone()
    assert row == {"events": 0}


def test_a_switch_is_refused_while_a_run_is_in_progress(
    instance: DagsterInstance, settings_of: Callable[[str], Settings], folder: Path
) -> None:
    write_law(folder, 1)
    with Pipeline.open(settings_of("documents")) as pipeline:
        Watch(instance, pipeline.resources.settings).poll()
        run = DagsterRun("runs", status=DagsterRunStatus.STARTED, tags=partitions.range_tags(["se-sfs-2024-1"]))
        instance.add_run(run)
        with pytest.raises(HomeBusyError, match="1 runs and 0 backfills are in progress"):
            switch(instance, pipeline, BUCKETS)
        assert instance.get_dynamic_partitions(partitions.NAME) == ["se-sfs-2024-1"]
        partitioning(pipeline.resources.settings).verify(pipeline.registry.database)
        instance.delete_run(run.run_id)
        assert switch(instance, pipeline, BUCKETS).added == 1


def test_an_empty_home_takes_the_partitioning_of_the_settings(
    settings_of: Callable[[str], Settings], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("DAGSTER_HOME", raising=False)
    write_law(folder, 1)
    ingest_source(settings_of("buckets"), DirectorySource(folder), report=Log())
    with pytest.raises(ConfigurationError, match="legal-pipeline partitioning documents"):
        ingest_source(settings_of("documents"), DirectorySource(folder), report=Log())


def test_a_document_stays_in_its_bucket_whatever_source_lists_it(database: Database) -> None:
    registry = Registry(database)
    first = registry.register(RegisteredItem("files", "/in/1", "se-sfs-1999-1"))
    assert BUCKETS.key_of(registry.register(RegisteredItem("archive", "1", "se-sfs-1999-1"))) == BUCKETS.key_of(first)
    with pytest.raises(ConfigurationError, match="se-sfs-1999-1 is not a partition of buckets"):
        BUCKETS.bucket("se-sfs-1999-1")
    assert "se-sfs-1999-1" in BUCKETS.covered_by([BUCKETS.key_of(first), "criminal"])
    assert "se-sfs-1999-1" not in BUCKETS.covered_by(["criminal"])

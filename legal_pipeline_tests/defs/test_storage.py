"""Dagster's storage keeps its connections, and writes what is planned at once."""

from __future__ import annotations

import psycopg
import pytest
import sqlalchemy.event
from dagster import AssetKey, AssetMaterialization, DagsterEvent, DagsterEventType, DagsterInstance
from dagster._core.definitions.partitions.context import partition_loading_context
from dagster._core.events import AssetMaterializationPlannedData
from dagster._core.loader import LoadingContextForTest
from dagster._core.storage.partition_status_cache import (
    AssetStatusCacheValue,
    get_and_update_asset_status_cache_value,
)
from dagster_postgres import PostgresEventLogStorage
from sqlalchemy.pool import QueuePool

from legal_pipeline.defs import partitions
from legal_pipeline.defs.graph import build_definitions
from legal_pipeline.defs.storage import EVENT_BATCH, PooledEventLogStorage, PooledRunStorage
from legal_pipeline.pipeline import ASSETS
from legal_pipeline.settings import Settings


def connections(settings: Settings) -> set[int]:
    with psycopg.connect(settings.database_url_text) as connection:
        rows = connection.execute(
            "select pid from pg_stat_activity where datname = current_database()"
            " and backend_type = 'client backend' and pid <> pg_backend_pid()"
        ).fetchall()
    return {row[0] for row in rows}


def test_the_instance_of_dagster_yaml_uses_the_pooled_storage(instance: DagsterInstance) -> None:
    assert isinstance(instance.event_log_storage, PooledEventLogStorage)
    assert isinstance(instance.run_storage, PooledRunStorage)
    assert isinstance(instance.event_log_storage._engine.pool, QueuePool)
    assert instance.telemetry_enabled is False
    assert instance.nux_enabled is False
    assert instance.run_retries_enabled
    assert instance.run_retries_max_retries == 3


def test_one_connection_serves_many_calls(instance: DagsterInstance, settings: Settings) -> None:
    instance.add_dynamic_partitions("documents", ["a"])
    before = connections(settings)
    for number in range(20):
        instance.add_dynamic_partitions("documents", [f"b-{number}"])
    assert connections(settings) == before


def test_the_keys_of_partitions_are_read_again_after_each_change_and_only_then(instance: DagsterInstance) -> None:
    statements: list[str] = []
    storage = instance.event_log_storage
    sqlalchemy.event.listen(
        storage._engine,
        "before_cursor_execute",
        lambda connection, cursor, statement, *rest: statements.append(statement),
    )

    def keys() -> list[str]:
        return list(instance.get_dynamic_partitions(partitions.NAME))

    def reads() -> int:
        statements.clear()
        keys()
        return sum("dynamic_partitions.partition " in text for text in statements)

    assert keys() == []
    instance.add_dynamic_partitions(partitions.NAME, ["b", "a"])
    instance.add_dynamic_partitions("others", ["x"])
    assert keys() == ["b", "a"]
    assert reads() == 0
    keys().append("the caller's own")
    instance.delete_dynamic_partition(partitions.NAME, "b")
    assert keys() == ["a"]
    # as many keys as before: one was replaced, by another process
    with storage.index_connection() as connection:
        connection.execute(sqlalchemy.text("delete from dynamic_partitions where partition = 'a'"))
    instance.add_dynamic_partitions(partitions.NAME, ["c"])
    assert keys() == ["c"]
    assert reads() == 0
    many = [f"m{number}" for number in range(1500)]
    assert instance.get_existing_dynamic_partitions(partitions.NAME, [*many, "c"]) == {"c"}
    assert instance.get_existing_dynamic_partitions(partitions.NAME, ["a", "c"]) == {"c"}


def test_an_instance_that_was_disposed_of_holds_no_connection(instance: DagsterInstance, settings: Settings) -> None:
    instance.add_dynamic_partitions("documents", ["a"])
    assert connections(settings)
    instance.dispose()
    assert not connections(settings)


def test_what_a_run_plans_is_written_in_batches_as_it_is_one_by_one(
    instance: DagsterInstance, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    documents = [f"d{number}" for number in range(5)]
    instance.add_dynamic_partitions(partitions.NAME, documents)
    job = build_definitions(settings=settings).resolve_job_def("process_document")

    def planned() -> list[tuple[str, str | None]]:
        run = instance.create_run_for_job(job, tags=partitions.range_tags(documents))
        events = [entry.get_dagster_event() for entry in instance.all_logs(run.run_id)]
        assert {event.event_type for event in events} == {DagsterEventType.ASSET_MATERIALIZATION_PLANNED}
        known = {
            record.asset_entry.asset_key: record.asset_entry.last_run_id for record in instance.get_asset_records()
        }
        assert set(known.values()) == {run.run_id}
        subsets = [event.asset_materialization_planned_data.partitions_subset for event in events]
        assert {frozenset(subset.get_partition_keys()) for subset in subsets} == {frozenset(documents)}
        return sorted((event.asset_key.to_string(), event.partition) for event in events)

    monkeypatch.delenv(EVENT_BATCH[0], raising=False)
    alone = planned()
    assert len(alone) == len(ASSETS), "an asset of a run is planned in one event, for all its documents"
    monkeypatch.setenv(*EVENT_BATCH)
    statements = []
    sqlalchemy.event.listen(
        instance.event_log_storage._engine, "before_cursor_execute", lambda *told: statements.append(told[2])
    )
    assert planned() == alone
    assert sum("INSERT INTO event_logs" in statement for statement in statements) == 1


def test_a_stored_status_of_partitions_is_what_dagster_would_compute(instance: DagsterInstance) -> None:
    key, definition = AssetKey("chunks"), partitions.documents
    instance.add_dynamic_partitions(partitions.NAME, ["a", "b"])

    def made(partition: str) -> None:
        instance.report_runless_asset_event(AssetMaterialization(key, partition=partition))

    def statuses() -> list[AssetStatusCacheValue | None]:
        """By our storage, twice, and by Dagster."""
        asked = [(key, definition)]
        with partition_loading_context(dynamic_partitions_store=instance):
            ours = [
                instance.event_log_storage.get_asset_status_cache_values(asked, LoadingContextForTest(instance))[0]
                for _ in range(2)
            ]
        return [*ours, get_and_update_asset_status_cache_value(instance, key, definition)]

    assert statuses() == [None, None, None]
    for partition in ("a", "b"):
        made(partition)
        first, again, theirs = statuses()
        assert first == again == theirs
        assert theirs is not None
        assert theirs.deserialize_materialized_partition_subsets(definition).get_partition_keys() >= {partition}
    run = instance.create_run_for_job(
        build_definitions().resolve_job_def("process_document"), tags=partitions.range_tags(["a", "b"])
    )
    for expected in ({"a", "b"}, set()):
        first, again, theirs = statuses()
        assert first == again == theirs
        assert theirs is not None
        assert theirs.deserialize_in_progress_partition_subsets(definition).get_partition_keys() == expected
        instance.report_run_canceled(run)


def test_a_run_that_fails_while_partitions_are_counted_leaves_none_of_them_failed(instance: DagsterInstance) -> None:
    """The run reports its failed documents itself, on the asset that failed."""
    key, documents = AssetKey("chunks"), ["a", "b"]
    instance.add_dynamic_partitions(partitions.NAME, documents)
    run = instance.create_run_for_job(
        build_definitions().resolve_job_def("process_document"), tags=partitions.range_tags(documents)
    )
    ended = []

    def end_run(connection: object, cursor: object, statement: str, *rest: object) -> None:
        if "event_logs.step_key !=" in statement and not ended:  # the plans of runs that go on were read
            ended.append(run)
            instance.report_run_failed(run)

    sqlalchemy.event.listen(instance.event_log_storage._engine, "after_cursor_execute", end_run)

    def failed() -> int:
        with partition_loading_context(dynamic_partitions_store=instance):
            status = get_and_update_asset_status_cache_value(instance, key, partitions.documents)
        return len(status.deserialize_failed_partition_subsets(partitions.documents))

    failed()
    assert ended
    assert failed() == 0


def test_partitions_that_a_run_planned_and_did_not_make_are_those_that_dagster_finds(
    instance: DagsterInstance, settings: Settings
) -> None:
    """As single partitions, which `defs.failures` and runs over one document plan; Dagster's own reads every materialization for it."""
    key = AssetKey("chunks")
    job = build_definitions(settings=settings).resolve_job_def("process_document")
    run = instance.create_run_for_job(job)
    storage = instance.event_log_storage

    def plan(partition: str) -> None:
        data = AssetMaterializationPlannedData(key, partition=partition)
        event = DagsterEvent.build_asset_materialization_planned_event(job.name, "documents", data)
        instance.report_dagster_event(event, run.run_id)

    def make(partition: str) -> None:
        instance.report_runless_asset_event(AssetMaterialization(key, partition=partition))

    def found(after: int | None) -> list[dict[str, tuple[str, int]]]:
        classes = (PooledEventLogStorage, PostgresEventLogStorage)
        return [
            dict(each.get_latest_asset_partition_materialization_attempts_without_materializations(storage, key, after))
            for each in classes
        ]

    start = storage.get_maximum_record_id()
    for step, partition in ((plan, "a"), (plan, "b"), (make, "b"), (make, "c"), (plan, "c"), (make, "d"), (plan, "a")):
        step(partition)
    for after in (None, *range(start, storage.get_maximum_record_id() + 1)):
        own, dagster = found(after)
        assert own == dagster, after
    assert found(None)[0].keys() == {"a", "c"}
    instance.wipe_assets([key])
    assert found(None) == [{}, {}]

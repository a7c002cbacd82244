"""Dagster's storage keeps its connections."""

from __future__ import annotations

import psycopg
from dagster import DagsterInstance
from sqlalchemy.pool import QueuePool

from legal_pipeline.defs.storage import PooledEventLogStorage, PooledRunStorage
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
    assert instance.run_retries_max_retries == 1


def test_one_connection_serves_many_calls(instance: DagsterInstance, settings: Settings) -> None:
    instance.add_dynamic_partitions("documents", ["a"])
    before = connections(settings)
    for number in range(20):
        instance.add_dynamic_partitions("documents", [f"b-{number}"])
    assert connections(settings) == before


def test_an_instance_that_was_disposed_of_holds_no_connection(instance: DagsterInstance, settings: Settings) -> None:
    instance.add_dynamic_partitions("documents", ["a"])
    assert connections(settings)
    instance.dispose()
    assert not connections(settings)

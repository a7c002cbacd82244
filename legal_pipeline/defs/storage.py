"""Dagster's storage on PostgreSQL with pooled connections, named in `dagster.yaml`.

dagster-postgres opens a connection per event (10 ms); with pooled connections an event takes 2.4 ms. Not here: our own tables
(`registry.registry`).
"""

from __future__ import annotations

import atexit
import itertools
import os
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import click
import sqlalchemy.pool
from dagster import (
    AssetKey,
    DagsterEvent,
    DagsterEventType,
    EventLogEntry,
    Field,
    PartitionsDefinition,
    deserialize_value,
)
from dagster._config.config_schema import UserConfigSchema
from dagster._core.events import JobFailureData
from dagster._core.execution.plan.objects import StepFailureData
from dagster._core.loader import LoadingContext
from dagster._core.storage.base_storage import DagsterStorage
from dagster._core.storage.event_log.base import AssetRecord
from dagster._core.storage.event_log.schema import SqlEventLogStorageTable
from dagster._core.storage.partition_status_cache import AssetStatusCacheValue, get_last_planned_storage_id
from dagster._core.storage.sqlite_storage import DagsterSqliteStorage
from dagster._serdes import ConfigurableClass, ConfigurableClassData
from dagster_postgres import PostgresEventLogStorage, PostgresRunStorage, PostgresScheduleStorage
from dagster_postgres.utils import create_pg_engine
from dagster_shared.error import SerializableErrorInfo
from sqlalchemy.engine import Engine

from legal_pipeline.defs.partitioning import OP_NAME
from legal_pipeline.defs.partitions import unfinished
from legal_pipeline.errors import ConfigurationError
from legal_pipeline.registry.database import dagster_url

#: Environment variable and value that make Dagster write the materializations of a run in batches.
EVENT_BATCH = ("DAGSTER_EVENT_BATCH_SIZE", "1000")

#: Dagster sets it while it only loads the definitions (`dagster definitions validate`, `dg check defs`).
_VALIDATING = "DAGSTER_IS_DEFS_VALIDATION_CLI"
#: These commands also only load the definitions, but set no variable: `dg list defs` and similar.
_LISTING = ("dg", "list")

_WRITTEN_TOGETHER = frozenset({DagsterEventType.ASSET_MATERIALIZATION_PLANNED, DagsterEventType.ASSET_MATERIALIZATION})


class MissingDatabaseError(ConfigurationError, click.ClickException):
    """An error that Dagster's commands show as one sentence, without a traceback."""


def _pooled(postgres_url: str) -> Engine:
    # one pooled connection per storage and process, because there are many processes; more are opened under load and closed afterwards
    return create_pg_engine(
        postgres_url,
        isolation_level="AUTOCOMMIT",
        poolclass=sqlalchemy.pool.QueuePool,
        pool_size=1,
        max_overflow=20,
        pool_pre_ping=True,
    )


class PooledEventLogStorage(PostgresEventLogStorage):
    def __init__(self, postgres_url: str, **options: Any) -> None:
        super().__init__(postgres_url, **options)
        self._engine = _pooled(postgres_url)
        self._tables: set[str] = set()

    def has_table(self, table_name: str) -> bool:
        # called for every event with tags, while another connection is in use
        if table_name not in self._tables and super().has_table(table_name):
            self._tables.add(table_name)
        return table_name in self._tables

    @property
    def supports_partition_subset_in_asset_materialization_planned_events(self) -> bool:
        """True: a run plans each of its assets in one event with all partitions, not in one event per partition."""
        return True

    def get_asset_status_cache_values(
        self, partitions_defs_by_key: Iterable[tuple[AssetKey, PartitionsDefinition | None]], context: LoadingContext
    ) -> Sequence[AssetStatusCacheValue | None]:
        """Return the partitions of assets by status; a stored status that the log has nothing newer than is returned as it is.

        Dagster's own method compares all names of partitions to find that out: with 100,000 of them two thirds of the time of the page.
        """
        asked = list(partitions_defs_by_key)
        records = AssetRecord.blocking_get_many(context, [key for key, _ in asked])
        stored = [
            self._current_status(record, definition) for record, (_, definition) in zip(records, asked, strict=True)
        ]
        outdated = [pair for pair, status in zip(asked, stored, strict=True) if status is None]
        updated = iter(super().get_asset_status_cache_values(outdated, context) if outdated else ())
        return [next(updated) if status is None else status for status in stored]

    def _current_status(
        self, record: AssetRecord | None, definition: PartitionsDefinition | None
    ) -> AssetStatusCacheValue | None:
        """Return the stored status if the log has no later event of the asset, and no run is making it; else None."""
        if record is None or definition is None or (status := record.asset_entry.cached_status) is None:
            return None
        planned = get_last_planned_storage_id(self._instance, record.asset_entry.asset_key, record)
        is_current = (
            status.partitions_def_id == definition.get_serializable_unique_identifier()
            and status.earliest_in_progress_materialization_event_id is None
            and status.latest_storage_id == max(record.asset_entry.last_materialization_storage_id or 0, planned)
        )
        return status if is_current else None

    def get_latest_asset_partition_materialization_attempts_without_materializations(
        self, asset_key: AssetKey, after_storage_id: int | None = None
    ) -> Mapping[str, tuple[str, int]]:
        """Return partition -> (run, event) that planned it and has not made it; Dagster's own finds only events of single partitions.

        A run of documents reports its failed documents itself (`defs.failures`), so its plan counts only while it is in progress. For every
        other run the caller checks its outcome.
        """
        attempts = super().get_latest_asset_partition_materialization_attempts_without_materializations(
            asset_key, after_storage_id
        )
        found = dict(attempts)
        for run_id, number, keys in self._planned_together(asset_key, after_storage_id):
            made = self.get_latest_storage_id_by_partition(
                asset_key, DagsterEventType.ASSET_MATERIALIZATION, keys, after_cursor=number
            )
            waiting = {key for key in keys - made.keys() if found.get(key, ("", 0))[1] < number}
            found |= dict.fromkeys(waiting, (run_id, number))
        return found

    def _planned_together(self, asset_key: AssetKey, after: int | None) -> Iterator[tuple[str, int, set[str]]]:
        """Yield (run, event, partitions) of the events that plan the asset for several partitions, in order."""
        going_on = [run.run_id for run in unfinished(self._instance)]
        columns = SqlEventLogStorageTable.c
        query = (
            sqlalchemy.select(columns.id, columns.run_id, columns.event)
            .where(columns.asset_key == asset_key.to_string(), columns.partition.is_(None), columns.id > (after or 0))
            .where(columns.dagster_event_type == DagsterEventType.ASSET_MATERIALIZATION_PLANNED.value)
            .where(sqlalchemy.or_(columns.step_key != OP_NAME, columns.run_id.in_(going_on)))
            .order_by(columns.id)
        )
        with self.index_connection() as connection:
            rows = connection.execute(query).fetchall()
        for number, run_id, text in rows:
            planned = deserialize_value(text, EventLogEntry).get_dagster_event().asset_materialization_planned_data
            if planned.partitions_subset is not None:
                yield run_id, int(number), set(planned.partitions_subset.get_partition_keys())

    def store_event(self, event: EventLogEntry) -> None:
        super().store_event(without_stack(event))

    def store_event_batch(self, events: Sequence[EventLogEntry]) -> None:
        """Write the events, planned materializations and materializations in one statement per kind, also for several assets.

        A run has a planned materialization for each of its assets before it starts. Dagster's own method writes these one by one, and
        treats the others as events of one asset.
        """
        for kind, alike in itertools.groupby(events, key=lambda event: event.dagster_event_type):
            if kind in _WRITTEN_TOGETHER:
                self._store_together(list(alike))
            else:
                for event in alike:
                    self.store_event(event)

    def _store_together(self, events: Sequence[EventLogEntry]) -> None:
        insert = self.prepare_insert_event_batch(events).returning(SqlEventLogStorageTable.c.id)
        with self._connect() as connection:
            ids = [int(row[0]) for row in connection.execute(insert).fetchall()]
        latest = {
            event.get_dagster_event().asset_key: (event, number) for event, number in zip(events, ids, strict=True)
        }
        with self.index_transaction() as connection:
            self._store_asset_event_tags(connection, events, ids)
            for event, number in latest.values():
                self._store_asset_event(connection, event, number)

    def dispose(self) -> None:
        super().dispose()
        self._engine.dispose()


def without_stack(event: EventLogEntry) -> EventLogEntry:
    """Return the event without its stack trace if a step failed with a stated reason (`dagster.Failure`), or the run failed with it.

    The trace would only show Dagster's own code.
    """
    happened = event.dagster_event
    if happened is None or not happened.is_failure:
        return event
    return event._replace(dagster_event=_in_words(happened))


def _in_words(happened: DagsterEvent) -> DagsterEvent:
    found: Any = happened.event_specific_data
    step = found.first_step_failure_event if isinstance(found, JobFailureData) else happened
    failure = step.event_specific_data if step is not None else None
    if step is None or not isinstance(failure, StepFailureData) or failure.user_failure_data is None:
        return happened
    words = SerializableErrorInfo(f"{failure.user_failure_data.description}\n", stack=[], cls_name=None)
    if step is happened:
        return happened._replace(event_specific_data=found._replace(error=words))
    data = found._replace(error=words, first_step_failure_event=_in_words(step))
    return happened._replace(event_specific_data=data)


class PooledRunStorage(PostgresRunStorage):
    def __init__(self, postgres_url: str, **options: Any) -> None:
        super().__init__(postgres_url, **options)
        self._engine = _pooled(postgres_url)

    def dispose(self) -> None:
        super().dispose()
        self._engine.dispose()


class PooledScheduleStorage(PostgresScheduleStorage):
    def __init__(self, postgres_url: str, **options: Any) -> None:
        super().__init__(postgres_url, **options)
        self._engine = _pooled(postgres_url)

    def dispose(self) -> None:
        super().dispose()
        self._engine.dispose()


def _only_loads_definitions() -> bool:
    command = click.get_current_context(silent=True)
    return bool(os.environ.get(_VALIDATING)) or (
        command is not None and tuple(command.command_path.split()[:2]) == _LISTING
    )


def _temporary_storage() -> DagsterStorage:
    """Return an empty storage in a folder that is deleted with this process: loading definitions needs one, but writes nothing to it."""
    folder = tempfile.mkdtemp(prefix="legal-pipeline-definitions-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return DagsterSqliteStorage.from_local(folder)


class PooledPostgresStorage(DagsterStorage, ConfigurableClass):
    """Runs, events and schedules in one database, `postgres_url` in any accepted form.

    Its configuration is `{postgres_url: {env: NAME}}`. The variable is read here and not by Dagster, so that the error for a missing
    variable states the solution. Loading the definitions alone, to validate or list them, needs no database.
    """

    def __init__(self, postgres_url: str, inst_data: ConfigurableClassData | None = None) -> None:
        self._inst_data = inst_data
        url = dagster_url(postgres_url)
        self._run_storage = PooledRunStorage(url)
        self._event_log_storage = PooledEventLogStorage(url)
        self._schedule_storage = PooledScheduleStorage(url)

    @property
    def inst_data(self) -> ConfigurableClassData | None:
        return self._inst_data

    @classmethod
    def config_type(cls) -> UserConfigSchema:
        return {"postgres_url": Field({"env": str})}

    @classmethod
    def from_config_value(  # type: ignore[override]
        cls, inst_data: ConfigurableClassData | None, config_value: Mapping[str, Any]
    ) -> DagsterStorage:
        name = config_value["postgres_url"]["env"]
        url = os.environ.get(name)
        if not url and _only_loads_definitions():
            return _temporary_storage()
        if not url:
            raise MissingDatabaseError(
                f"{name} is not set. Start Dagster with `legal-pipeline dev`, which runs the embedded PostgreSQL and sets it, "
                f"or set it to a server of your own: {name}=postgresql://user:password@host/database"
            )
        return cls(url, inst_data)

    @property
    def event_log_storage(self) -> PooledEventLogStorage:
        return self._event_log_storage

    @property
    def run_storage(self) -> PooledRunStorage:
        return self._run_storage

    @property
    def schedule_storage(self) -> PooledScheduleStorage:
        return self._schedule_storage

    # for an older form of configuration; the instance reads them when it describes itself
    @property
    def event_storage_data(self) -> ConfigurableClassData | None:
        return None

    @property
    def run_storage_data(self) -> ConfigurableClassData | None:
        return None

    @property
    def schedule_storage_data(self) -> ConfigurableClassData | None:
        return None

"""Dagster's storage on PostgreSQL with pooled connections, named in `dagster.yaml`.

dagster-postgres opens a connection per event (10 ms); with pooled connections an event takes 2.4 ms. Not here: our own tables
(`registry.registry`).
"""

from __future__ import annotations

import atexit
import itertools
import operator
import os
import shutil
import tempfile
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from typing import Any

import click
import sqlalchemy.pool
from dagster import (
    AssetKey,
    DagsterEvent,
    DagsterEventType,
    EventLogEntry,
    EventRecordsFilter,
    Field,
    JsonMetadataValue,
    PartitionsDefinition,
    deserialize_value,
)
from dagster._config.config_schema import UserConfigSchema
from dagster._core.event_api import AssetEventType
from dagster._core.events import JobFailureData
from dagster._core.execution.plan.objects import StepFailureData
from dagster._core.loader import LoadingContext
from dagster._core.storage.base_storage import DagsterStorage
from dagster._core.storage.event_log.base import AssetEventSummaryRecord, AssetRecord
from dagster._core.storage.event_log.schema import DynamicPartitionsTable, SqlEventLogStorageTable
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

#: Metadata of an observation of an asset: its partitions that a run found up to date and has not materialized again.
UP_TO_DATE = "up_to_date"

#: With more keys of partitions than this, all of them are read.
_FEW_KEYS = 1000

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
        self._partitions: dict[str, tuple[tuple[int, ...], list[str]]] = {}
        self._plans_read: dict[tuple[int, AssetKey], frozenset[str]] = {}

    def has_table(self, table_name: str) -> bool:
        # called for every event with tags, while another connection is in use
        if table_name not in self._tables and super().has_table(table_name):
            self._tables.add(table_name)
        return table_name in self._tables

    @property
    def supports_partition_subset_in_asset_materialization_planned_events(self) -> bool:
        """True: a run plans each of its assets in one event with all partitions, not in one event per partition."""
        return True

    def get_dynamic_partitions(self, partitions_def_name: str) -> Sequence[str]:
        """Return the keys in the order in which they were added; from memory if none was added or removed since the last call.

        The UI asks for all of them several times for one page. 100,000 rows take 0.3 s of processor time, to count them 0.02 s.
        """
        self._check_partitions_table()
        columns = DynamicPartitionsTable.c
        # a sum finds a key that was replaced by another, whichever of two transactions ended first
        query = sqlalchemy.select(
            sqlalchemy.func.count(), sqlalchemy.func.coalesce(sqlalchemy.func.sum(columns.id), 0)
        ).where(columns.partitions_def_name == partitions_def_name)
        with self.index_connection() as connection:
            state = tuple(map(int, connection.execute(query).one()))
        known = self._partitions.get(partitions_def_name)
        if known is None or known[0] != state:
            known = self._partitions[partitions_def_name] = (
                state,
                [*super().get_dynamic_partitions(partitions_def_name)],
            )
        return [*known[1]]

    def get_existing_dynamic_partitions(self, partitions_def_name: str, partition_keys: Sequence[str]) -> Set[str]:
        """Return which of these keys exist. Dagster's own asks for a thousand at a time, which takes 1 s for 100,000."""
        if len(partition_keys) <= _FEW_KEYS:
            return super().get_existing_dynamic_partitions(partitions_def_name, partition_keys)
        return set(partition_keys).intersection(self.get_dynamic_partitions(partitions_def_name))

    def get_asset_status_cache_values(
        self, partitions_defs_by_key: Iterable[tuple[AssetKey, PartitionsDefinition | None]], context: LoadingContext
    ) -> Sequence[AssetStatusCacheValue | None]:
        """Return the partitions of assets by status. If the log has no later event of the asset, the stored status is returned.

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
        """Return partition -> (run, event): the latest run that planned the partition, if it has not made it.

        Dagster's own method finds only events of single partitions, and reads all materializations of the asset: with 100,000 partitions
        this took three fifths of the time of a first page. A run of documents reports its failed documents itself (`defs.failures`), so its
        plan counts only while it is in progress. For every other run the caller checks its outcome.
        """
        found: dict[str, tuple[str, int]] = {}
        for number, run_id, keys in self._planned(asset_key, after_storage_id):
            found |= dict.fromkeys(keys, (run_id, number))
        if not found:
            return found
        made = self.get_latest_storage_id_by_partition(
            asset_key, DagsterEventType.ASSET_MATERIALIZATION, set(found), after_cursor=after_storage_id
        )
        return {key: planned for key, planned in found.items() if made.get(key, 0) < planned[1]}

    def update_asset_cached_status_data(self, asset_key: AssetKey, cache_values: AssetStatusCacheValue) -> None:
        """Store the status of partitions, unless a run whose plan was read for it has ended meanwhile: the next reader computes it again.

        Dagster counts all planned partitions of a run that has failed as failed, at each asset of the run. This is wrong for a run of
        documents, and would be stored until the partitions are made.
        """
        if self._plans_read.pop((threading.get_ident(), asset_key), frozenset()) <= self._going_on():
            super().update_asset_cached_status_data(asset_key, cache_values)

    def _going_on(self) -> frozenset[str]:
        return frozenset(run.run_id for run in unfinished(self._instance))

    def _planned(self, asset_key: AssetKey, after: int | None) -> Iterator[tuple[int, str, Iterable[str]]]:
        """Yield (event, run, partitions) of the events that plan partitions of the asset, in order."""
        going_on = self._going_on()
        self._plans_read[threading.get_ident(), asset_key] = going_on
        columns = SqlEventLogStorageTable.c
        query = (
            sqlalchemy.select(
                columns.id,
                columns.run_id,
                columns.partition,
                sqlalchemy.case((columns.partition.is_(None), columns.event)),
            )
            .where(columns.asset_key == asset_key.to_string(), columns.id > (after or 0))
            .where(columns.dagster_event_type == DagsterEventType.ASSET_MATERIALIZATION_PLANNED.value)
            .where(
                sqlalchemy.or_(
                    columns.partition.is_not(None), columns.step_key != OP_NAME, columns.run_id.in_(sorted(going_on))
                )
            )
            .order_by(columns.id)
        )
        query = self._add_assets_wipe_filter_to_query(query, self._get_assets_details([asset_key]), [asset_key])
        with self.index_connection() as connection:
            rows = connection.execute(query).fetchall()
        for number, run_id, partition, text in rows:
            if partition is not None:
                yield int(number), run_id, (partition,)
                continue
            planned = deserialize_value(text, EventLogEntry).get_dagster_event().asset_materialization_planned_data
            if planned.partitions_subset is not None:
                yield int(number), run_id, planned.partitions_subset.get_partition_keys()

    def get_asset_event_summary_records(
        self,
        event_type: AssetEventType,
        asset_key: AssetKey | None = None,
        run_id: str | None = None,
        storage_ids: Sequence[int] | None = None,
        after_storage_id: int | None = None,
        before_storage_id: int | None = None,
        limit: int | None = None,
        ascending: bool = False,
    ) -> Sequence[AssetEventSummaryRecord]:
        """Return events without their content; those that a backfill counts include partitions that its runs found up to date.

        Only a backfill reads the materializations of an asset page by page in ascending order. It counts a requested partition without a
        materialization as failed. Materializations of all assets of an unchanged document would take 42 KB of event log.
        """
        rows = super().get_asset_event_summary_records(
            event_type, asset_key, run_id, storage_ids, after_storage_id, before_storage_id, limit, ascending
        )
        is_counted = event_type is DagsterEventType.ASSET_MATERIALIZATION and ascending and limit is not None
        if not is_counted or asset_key is None:
            return rows
        last = rows[-1].storage_id if len(rows) == limit else None
        up_to_date = self._up_to_date(asset_key, after_storage_id, last)
        return sorted([*rows, *up_to_date], key=operator.attrgetter("storage_id"))

    def _up_to_date(
        self, asset_key: AssetKey, after: int | None, last: int | None
    ) -> Iterator[AssetEventSummaryRecord]:
        """Yield each partition that a run found up to date, of events after `after` and up to `last`."""
        wanted = EventRecordsFilter(
            DagsterEventType.ASSET_OBSERVATION,
            asset_key,
            after_cursor=after,
            before_cursor=None if last is None else last + 1,
        )
        for record in self.get_event_records(wanted, ascending=True):
            observed = record.event_log_entry.asset_observation
            listed = observed.metadata.get(UP_TO_DATE) if observed is not None else None
            for partition in (listed.value or ()) if isinstance(listed, JsonMetadataValue) else ():
                yield AssetEventSummaryRecord(
                    storage_id=record.storage_id,
                    run_id=record.run_id,
                    asset_key=asset_key,
                    partition=partition,
                    timestamp=record.timestamp,
                )

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

"""Daily pruning of Dagster's event log: rows that no page of the UI and no computation of Dagster needs any more.

Not here: how long runs and ticks are kept (`dagster.yaml`, `retention`), and our own tables.
"""

# no `from __future__ import annotations`: Dagster reads the types of `context` and `config` from the annotations themselves
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import sqlalchemy
from dagster import (
    Config,
    DagsterInstance,
    Definitions,
    OpExecutionContext,
    in_process_executor,
    job,
    op,
)
from pydantic import Field
from sqlalchemy.engine import Connection

from legal_pipeline.defs.jobs import KIND_TAG, QUEUE_TAG, nightly
from legal_pipeline.settings import Settings

JOB = "prune_event_log"

#: Maximum rows deleted in one statement, so that locks are short.
_ROWS = 5_000

_OVER = "select run_id from runs where status in ('SUCCESS', 'FAILURE', 'CANCELED') and update_timestamp < :before"

#: Log lines of ended runs: steps, resources, messages. Events that an asset page reads and the outcome of the run stay.
_LOGS = """
select id from event_logs where run_id = any(:runs) and asset_key is null
 and (dagster_event_type is null or dagster_event_type in
  ('LOGS_CAPTURED', 'ENGINE_EVENT', 'RESOURCE_INIT_STARTED', 'RESOURCE_INIT_SUCCESS', 'STEP_START', 'STEP_INPUT', 'STEP_OUTPUT',
   'STEP_SUCCESS', 'STEP_SKIPPED', 'STEP_WORKER_STARTING', 'STEP_WORKER_STARTED', 'PIPELINE_ENQUEUED', 'PIPELINE_DEQUEUED',
   'PIPELINE_STARTING', 'HANDLED_OUTPUT', 'LOADED_INPUT'))
"""

#: Planned materializations of ended runs, except those that mark a partition as failed until it is made.
_PLANNED = """
select planned.id from event_logs planned where planned.dagster_event_type = 'ASSET_MATERIALIZATION_PLANNED'
 and planned.run_id = any(:runs)
 and (planned.partition is null or exists (
  select 1 from event_logs made where made.asset_key = planned.asset_key and made.dagster_event_type = 'ASSET_MATERIALIZATION'
   and made.partition = planned.partition and made.id > planned.id))
"""

#: Materializations and observations with two later events of their kind, unless an event of the same partition that stays refers to
#: them as its input.
#: The lateral joins need a few index lookups per event; a plain join would read the text of all events.
_SUPERSEDED = """
with twice as materialized (
 select old.id, old.partition from event_logs old
  where old.dagster_event_type in ('ASSET_MATERIALIZATION', 'ASSET_OBSERVATION') and old.asset_key is not null
   and old.partition is not null and old.timestamp < :before
   and (select count(*) from (
    select 1 from event_logs later where later.asset_key = old.asset_key and later.dagster_event_type = old.dagster_event_type
     and later.partition = old.partition and later.id > old.id limit 2) two) = 2)
select twice.id from twice left join lateral (
 select 1 as found from asset_keys keys cross join lateral (
  select 1 from event_logs child where child.asset_key = keys.asset_key and child.dagster_event_type = 'ASSET_MATERIALIZATION'
   and child.partition = twice.partition and child.id > twice.id and child.id not in (select id from twice)
   and child.event ~ ('"dagster/input_event_pointer/[^"]*": "' || twice.id || '"') limit 1) pointing
 limit 1) child on true
where child.found is null
"""


@dataclass(frozen=True)
class Pruned:
    """Number of deleted rows of the event log."""

    log_lines: int
    planned: int
    superseded: int


class PruningConfig(Config):
    """Options of the pruning."""

    days: int = Field(default=30, ge=0, description="Events of runs that ended so many days ago, or earlier, may go.")


def prune(instance: DagsterInstance, days: int) -> Pruned:
    """Delete events older than `days` days that no view needs.

    The two latest materializations of a partition stay, however old; so does every event that another event refers to: without it Dagster
    would report the input as changed.
    """
    # Dagster's tables have UTC times without a time zone
    before = (datetime.now(UTC) - timedelta(days=days)).replace(tzinfo=None)
    storage: Any = instance.event_log_storage
    with storage.index_connection() as connection:
        runs = [row[0] for row in connection.execute(sqlalchemy.text(_OVER), {"before": before}).fetchall()]
        return Pruned(
            log_lines=_delete(connection, _LOGS, runs=runs),
            planned=_delete(connection, _PLANNED, runs=runs),
            superseded=_delete(connection, _SUPERSEDED, before=before),
        )


def _delete(connection: Connection, query: str, **values: Any) -> int:
    ids = [int(row[0]) for row in connection.execute(sqlalchemy.text(query), values).fetchall()]
    for begin in range(0, len(ids), _ROWS):
        group = {"ids": ids[begin : begin + _ROWS]}
        connection.execute(sqlalchemy.text("delete from asset_event_tags where event_id = any(:ids)"), group)
        connection.execute(sqlalchemy.text("delete from event_logs where id = any(:ids)"), group)
    return len(ids)


@op(name="prune")
def _prune(context: OpExecutionContext, config: PruningConfig) -> None:
    pruned = prune(context.instance, config.days)
    context.log.info(
        f"taken out of the event log: {pruned.log_lines:,} lines of the logs of runs, {pruned.planned:,} plans and "
        f"{pruned.superseded:,} events that were superseded twice"
    )


def pruning(settings: Settings) -> Definitions:
    """Return the job and its schedule."""

    @job(
        name=JOB,
        executor_def=in_process_executor,
        tags={KIND_TAG: "reconcile", QUEUE_TAG: "cpu"},
        config={"ops": {"prune": {"config": {"days": settings.event_retention_days}}}},
        description="Delete the entries of Dagster's event log that no view needs; never the latest materialization of a partition.",
    )
    def prune_event_log() -> None:
        _prune()

    schedule = nightly("nightly_pruning", prune_event_log, settings.prune_schedule)
    return Definitions(jobs=[prune_event_log], schedules=[schedule])

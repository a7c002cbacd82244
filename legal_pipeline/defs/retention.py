"""What is taken out of Dagster's event log, day by day: what no page of the UI and no calculation of Dagster's needs any more.

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
    DefaultScheduleStatus,
    JobDefinition,
    OpExecutionContext,
    ScheduleDefinition,
    in_process_executor,
    job,
    op,
)
from pydantic import Field
from sqlalchemy.engine import Connection

from legal_pipeline.defs.jobs import KIND_TAG, QUEUE_TAG
from legal_pipeline.settings import Settings

JOB = "prune_event_log"

#: Rows that go in one statement, so that nobody waits long for it.
_ROWS = 5_000

_OVER = "select run_id from runs where status in ('SUCCESS', 'FAILURE', 'CANCELED') and update_timestamp < :before"

#: Of runs that are over. Lines of their logs: steps, resources, messages. What an asset page reads and how a run ended stay.
_LOGS = """
select id from event_logs where run_id = any(:runs) and asset_key is null
 and (dagster_event_type is null or dagster_event_type in
  ('LOGS_CAPTURED', 'ENGINE_EVENT', 'RESOURCE_INIT_STARTED', 'RESOURCE_INIT_SUCCESS', 'STEP_START', 'STEP_INPUT', 'STEP_OUTPUT',
   'STEP_SUCCESS', 'STEP_SKIPPED', 'STEP_WORKER_STARTING', 'STEP_WORKER_STARTED', 'PIPELINE_ENQUEUED', 'PIPELINE_DEQUEUED',
   'PIPELINE_STARTING', 'HANDLED_OUTPUT', 'LOADED_INPUT'))
"""

#: Plans of runs that are over, but those that mark a partition as failed until it is made.
_PLANNED = """
select planned.id from event_logs planned where planned.dagster_event_type = 'ASSET_MATERIALIZATION_PLANNED'
 and planned.run_id = any(:runs)
 and (planned.partition is null or exists (
  select 1 from event_logs made where made.asset_key = planned.asset_key and made.dagster_event_type = 'ASSET_MATERIALIZATION'
   and made.partition = planned.partition and made.id > planned.id))
"""

#: Materializations and observations with two later ones of their kind, that no event of the same partition that stays points to as its
#: input.
#: The laterals make it a few looks into an index for each of them; a join would read the text of every event there is.
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
   and child.event like '%dagster/input_event_pointer/%' and child.event like '%"' || twice.id || '"%' limit 1) pointing
 limit 1) child on true
where child.found is null
"""


@dataclass(frozen=True)
class Pruned:
    """How many rows of the event log went."""

    log_lines: int
    planned: int
    superseded: int


class PruningConfig(Config):
    """What goes."""

    days: int = Field(default=30, ge=0, description="Events of runs that ended so many days ago, or earlier, may go.")


def prune(instance: DagsterInstance, days: int, now: datetime | None = None) -> Pruned:
    """Take out what was written more than `days` days ago and no view needs. The two latest materializations of a partition stay, however
    old; so does every event that another points to: without it Dagster would take the input for changed."""
    # Dagster's tables hold UTC without a zone
    before = ((now or datetime.now(UTC)) - timedelta(days=days)).replace(tzinfo=None)
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


def pruning(settings: Settings) -> tuple[JobDefinition, ScheduleDefinition]:
    """The job and its schedule."""

    @job(
        name=JOB,
        executor_def=in_process_executor,
        tags={KIND_TAG: "reconcile", QUEUE_TAG: "cpu"},
        config={"ops": {"prune": {"config": {"days": settings.event_retention_days}}}},
        description="Take out of Dagster's event log what no view needs; never the latest materialization of a partition.",
    )
    def prune_event_log() -> None:
        _prune()

    schedule = ScheduleDefinition(
        name="nightly_pruning",
        job=prune_event_log,
        cron_schedule=settings.prune_schedule,
        execution_timezone="UTC",
        default_status=DefaultScheduleStatus.RUNNING,
    )
    return prune_event_log, schedule

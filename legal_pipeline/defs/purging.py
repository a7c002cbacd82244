"""The job that removes documents from the index after their grace period, and its schedule.

Not here: when a document counts as removed (`sources.plan`), and the removal (`pipeline.Pipeline.purge`).
"""

# no `from __future__ import annotations`: Dagster reads the types of `context` from the annotations themselves
from datetime import timedelta

from dagster import (
    DefaultScheduleStatus,
    Definitions,
    OpExecutionContext,
    RunRequest,
    ScheduleEvaluationContext,
    SkipReason,
    in_process_executor,
    job,
    op,
    schedule,
)

from legal_pipeline.defs.jobs import KIND_TAG, QUEUE_TAG
from legal_pipeline.defs.resources import Pipelines
from legal_pipeline.settings import Settings

PURGE_JOB = "purge_removed"

#: Maximum number of documents in the log.
_NAMED = 50


@op(required_resource_keys={"pipeline"})
def purge_removed_documents(context: OpExecutionContext) -> None:
    """Remove the documents whose grace period is over from the stores."""
    with context.resources.pipeline.open() as pipeline:
        purged = pipeline.purge(grace=_grace(pipeline.resources.settings))
    for document_id, points in list(purged.items())[:_NAMED]:
        context.log.info(f"{document_id} was removed by its source: {points} points left the index")
    context.log.info(f"{len(purged)} removed documents left the index")


@job(
    name=PURGE_JOB,
    executor_def=in_process_executor,
    tags={KIND_TAG: "purge", QUEUE_TAG: "cpu"},
    description="Take removed documents out of the index after their grace period.",
)
def _purge_removed() -> None:
    purge_removed_documents()


def purging(settings: Settings) -> Definitions:
    """Return the job and its schedule, which is active unless the settings turn automatic purging off."""

    @schedule(
        name="purge_removed_documents",
        job=_purge_removed,
        cron_schedule=settings.purge_schedule,
        execution_timezone="UTC",
        required_resource_keys={"pipeline"},
        default_status=DefaultScheduleStatus.RUNNING,
        description="Requests a run when the grace period of a removed document is over.",
    )
    def ask(context: ScheduleEvaluationContext) -> RunRequest | SkipReason:
        resource: Pipelines = context.resources.pipeline
        if not resource.settings.purge_removed:
            return SkipReason("LEGAL_PIPELINE_PURGE_REMOVED is off: `legal-pipeline purge` takes removed documents out")
        with resource.open() as pipeline:
            due = pipeline.registry.removed(grace=_grace(resource.settings))
        return RunRequest() if due else SkipReason("no removed document has its grace period behind it")

    return Definitions(jobs=[_purge_removed], schedules=[ask])


def _grace(settings: Settings) -> timedelta:
    return timedelta(hours=settings.purge_grace_hours)

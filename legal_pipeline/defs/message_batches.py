"""The sensor that requests runs for documents whose Message Batches (of Anthropic's API) have ended: by default no run waits for a batch.

Not here: the batches and the documents that are ready (`enrichment.open_batches`), and fetching answers, which the run does.
"""

# no `from __future__ import annotations`: Dagster compares the type of `context` with its own classes
import hashlib
from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, datetime, timedelta

from dagster import (
    DefaultSensorStatus,
    RunRequest,
    SensorDefinition,
    SensorEvaluationContext,
    SensorResult,
    SkipReason,
    sensor,
)

from legal_pipeline.defs import partitions
from legal_pipeline.defs.partitioning import Partitioning
from legal_pipeline.defs.partitioning import partitioning as partitioning_of
from legal_pipeline.defs.resources import Pipelines
from legal_pipeline.enrichment.open_batches import at_work, open_batches, ready
from legal_pipeline.enrichment.service import ServiceError, open_service
from legal_pipeline.registry.due_documents import watch_run
from legal_pipeline.registry.registry import SourceDocument
from legal_pipeline.settings import Settings
from legal_pipeline.stages.raw_documents import waits_for_its_day

NAME = "message_batches"

#: A run that was requested and never started is requested again after this time.
_AGAIN = timedelta(hours=1)


def message_batch_sensor(settings: Settings) -> SensorDefinition:
    """Return the sensor that polls the batches of waiting documents; without waiting documents a tick is one query."""

    @sensor(
        name=NAME,
        job_name="process_document",
        minimum_interval_seconds=max(settings.sensor_interval_seconds, round(settings.llm_batch_poll_seconds)),
        default_status=DefaultSensorStatus.STOPPED
        if settings.anthropic_api_key is None
        else DefaultSensorStatus.RUNNING,
        required_resource_keys={"pipeline"},
        description="Polls the Message Batches that documents wait for, and requests runs for the documents when their batches have ended. "
        "It runs by default if ANTHROPIC_API_KEY is set.",
    )
    def message_batches(context: SensorEvaluationContext) -> SensorResult | SkipReason:
        return poll(context, context.resources.pipeline)

    return message_batches


def poll(context: SensorEvaluationContext, resource: Pipelines) -> SensorResult | SkipReason:
    """Evaluate one tick: poll the batches and request the runs."""
    settings = resource.settings
    with resource.open() as pipeline:
        waiting = {
            document.document_id: document
            for document in pipeline.registry.documents(status="waiting")
            if not waits_for_its_day(document)
        }
        if not waiting:
            return SkipReason("no document waits for a Message Batch")
        database = pipeline.registry.database
        batches = [batch for batch in open_batches(database) if batch.documents & waiting.keys()]
        try:
            working = at_work(open_service(settings), batches, limit=timedelta(hours=settings.llm_batch_wait_hours))
        except ServiceError as error:
            return SkipReason(f"the Message Batches cannot be polled: {error}")
        partitioning = partitioning_of(settings)
        partitioning.verify(database)
        runs = partitions.Runs(context.instance, partitioning)
        found = ready(waiting, batches, working)
        going_on = {document_id: found[document_id] for document_id in found if document_id not in runs.documents}
        if not going_on:
            return SkipReason(f"{len(waiting)} documents wait for {len(working)} Message Batches")
        with database.connection() as connection:
            watch_run(connection, going_on, asked_by=NAME)
    requests = run_requests(
        going_on,
        waiting,
        runs.order,
        limit=settings.partitions_per_run,
        now=datetime.now(UTC),
        partitioning=partitioning,
    )
    return SensorResult(run_requests=requests)


def run_requests(
    going_on: Mapping[str, Collection[str]],
    waiting: Mapping[str, SourceDocument],
    order: Sequence[str],
    *,
    limit: int,
    now: datetime,
    partitioning: Partitioning,
) -> list[RunRequest]:
    """Return runs over the documents of `going_on`, each over a range of the partitions in `order` with at most `limit` documents.

    While nothing changes, the same runs are requested once an hour.
    """
    requests = []
    config = partitioning.run_config()
    by_key = partitioning.grouped(waiting[document_id] for document_id in sorted(going_on))
    for group in partitions.ranges(by_key, order, limit, by_key):
        state = [
            f"{document.run_key} {' '.join(going_on[document.document_id])} {(now - document.updated_at) // _AGAIN}"
            for key in group
            for document in by_key[key]
        ]
        digest = hashlib.sha256("\n".join(state).encode()).hexdigest()[:16]
        name = group[0] if len(group) == 1 else f"{group[0]}..{group[-1]}"
        requests.append(partitions.run_request(f"batch:{name}:{digest}", group, run_config=config))
    return requests

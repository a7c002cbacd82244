"""Sensors: they look at a source and ask for runs.

Not here: what a change of a source means (`sources.plan`) and how it is written down (`registration`).
"""

# no `from __future__ import annotations`: Dagster compares the type of `context` with its own classes
import hashlib
import json
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from dagster import (
    AddDynamicPartitionsRequest,
    DefaultSensorStatus,
    RunRequest,
    SensorDefinition,
    SensorEvaluationContext,
    SensorResult,
    SkipReason,
    sensor,
)

from legal_pipeline.corpus.registry import SourceDocument
from legal_pipeline.defs import partitions
from legal_pipeline.defs.resources import PipelineResource
from legal_pipeline.registration import Registration, register
from legal_pipeline.settings import Settings
from legal_pipeline.sources.directory import DirectorySource
from legal_pipeline.sources.source import ListingError
from legal_pipeline.stages.raw_documents import limits

#: Dagster ends a sensor after 60 s; what was registered by then is kept, and the next look goes on.
LOOK_SECONDS = 35

#: Tries at one revision of a document whose runs end without a word.
MAX_ATTEMPTS = 3


@dataclass(frozen=True)
class Requests:
    """What a look asks of Dagster: partitions to add (in this order), and groups of documents, each with its run key."""

    partitions: tuple[str, ...]
    runs: tuple[tuple[str, tuple[str, ...]], ...]


def requests(
    pending: Sequence[SourceDocument], order: Sequence[str], *, requested: dict[str, str], limit: int
) -> Requests:
    """The runs that `pending` documents need and that nobody asked for yet. `requested` are the run keys asked for, by document.

    New documents are taken in ranges of at most `limit`. A changed document gets a run of its own, unless more than `limit` changed
    at once. `order` is that of the partitions; new ones are added to it sorted, so that their ranges are contiguous.
    """
    wanted = {
        document.document_id: document
        for document in pending
        if requested.get(document.document_id) != document.run_key
    }
    added = tuple(sorted(wanted.keys() - set(order)))
    changed = sorted(key for key, document in wanted.items() if document.revision > 1 or document.attempt > 0)
    alone = changed if len(changed) <= limit else []
    groups: list[tuple[str, ...]] = [(key,) for key in alone]
    groups += partitions.ranges(wanted.keys() - set(alone), [*order, *added], limit)
    return Requests(added, tuple((_run_key([wanted[key] for key in group]), group) for group in groups))


def _run_key(group: Sequence[SourceDocument]) -> str:
    if len(group) == 1:
        return group[0].run_key
    digest = hashlib.sha256("\n".join(document.run_key for document in group).encode()).hexdigest()[:16]
    return f"{group[0].document_id}..{group[-1].document_id}:{digest}"


def sensors(settings: Settings) -> list[SensorDefinition]:
    """One sensor per source."""

    @sensor(
        name="directory",
        job_name="process_document",
        minimum_interval_seconds=settings.sensor_interval_seconds,
        default_status=DefaultSensorStatus.RUNNING,
        required_resource_keys={"pipeline"},
        description="Watches a folder (LEGAL_PIPELINE_SOURCE_DIRECTORY): new, changed and removed files.",
    )
    def directory(context: SensorEvaluationContext) -> SensorResult | SkipReason:
        return look(context, context.resources.pipeline)

    return [directory]


def look(context: SensorEvaluationContext, resource: PipelineResource) -> SensorResult | SkipReason:
    """One look at the watched folder."""
    settings = resource.settings
    folder = settings.watched_directory
    if not folder.is_dir():
        return SkipReason(f"{folder} is not there; put documents in it, or set LEGAL_PIPELINE_SOURCE_DIRECTORY")
    order = list(context.instance.get_dynamic_partitions(partitions.NAME))
    busy = partitions.in_flight(context.instance, order)
    with resource.open() as pipeline:
        registry = pipeline.registry
        try:
            found = register(
                DirectorySource(folder, limits=limits(settings)),
                registry,
                grace=timedelta(seconds=settings.removal_grace_seconds),
                in_flight=busy,
                deadline=time.monotonic() + LOOK_SECONDS,
            )
        except ListingError as error:
            return SkipReason(str(error))
        here = sorted({*found.new, *found.changed, *found.listed})
        for document in registry.documents(ids=found.changed):
            if document.status != "pending":  # it lost one of its files: the same revision reads otherwise now
                registry.retry(document.document_id)
        for document in registry.documents(status="processing", ids=here):
            # its run is over and said nothing: it was killed. A document that kills its runs is left alone after a while
            if document.document_id not in busy and document.attempt < MAX_ATTEMPTS:
                registry.retry(document.document_id)
        # from the registry and not from this look alone: an earlier look may have been killed after it registered
        pending = [
            document for document in registry.documents(status="pending", ids=here) if document.document_id not in busy
        ]
    for document_id in found.tombstoned:
        context.log.info(f"{document_id} was removed from {folder}: tombstoned")
    requested = json.loads(context.cursor) if context.cursor else {}
    asked = requests(pending, order, requested=requested, limit=settings.partitions_per_run)
    cursor = json.dumps({document.document_id: document.run_key for document in pending}, sort_keys=True)
    return SensorResult(
        run_requests=[_run_request(key, group) for key, group in asked.runs],
        skip_reason=None if asked.runs else _summary(found),
        dynamic_partitions_requests=(
            [AddDynamicPartitionsRequest(partitions.NAME, list(asked.partitions))] if asked.partitions else []
        ),
        cursor=cursor,
    )


def _run_request(key: str, group: tuple[str, ...]) -> RunRequest:
    if len(group) == 1:
        return RunRequest(run_key=key, partition_key=group[0])
    return RunRequest(run_key=key, tags=partitions.range_tags(group))


def _summary(found: Registration) -> SkipReason:
    state = "" if found.complete else "; the look was ended by its deadline and goes on with the next"
    return SkipReason(f"nothing to run: {len(found.listed)} documents known, {len(found.tombstoned)} removed{state}")

"""Sensors: they look at a source and ask for runs.

Not here: what a change of a source means (`sources.plan`) and how it is written down (`registration`).
"""

# no `from __future__ import annotations`: Dagster compares the type of `context` with its own classes
import functools
import hashlib
import json
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime, timedelta

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

from legal_pipeline.corpus.identity import numbered_identity
from legal_pipeline.corpus.item_hints import base_laws_of
from legal_pipeline.corpus.registry import Registry, SourceDocument
from legal_pipeline.defs import partitions, source_items
from legal_pipeline.defs.resources import PipelineResource
from legal_pipeline.errors import ConfigurationError
from legal_pipeline.registration import Registration, register
from legal_pipeline.settings import Settings
from legal_pipeline.sources.directory import DirectorySource
from legal_pipeline.sources.docs_jsonl import DocsJsonlSource
from legal_pipeline.sources.following import Listed, Position, follow
from legal_pipeline.sources.registry import REMOTE_NAMES, Sources
from legal_pipeline.sources.source import ListingError, Source
from legal_pipeline.stages.raw_documents import limits

#: Dagster ends a sensor after 60 s; what was registered by then is kept, and the next look goes on.
LOOK_SECONDS = 35

#: Documents that changed at once have a run each up to this many: each waits for itself alone, and costs the start of a run.
ALONE = 50

#: Tries at one revision of a document whose runs end without a word.
MAX_ATTEMPTS = 3


@dataclass(frozen=True)
class Requests:
    """What a look asks of Dagster: partitions to add (in this order), and groups of documents, each with its run key."""

    partitions: tuple[str, ...]
    runs: tuple[tuple[str, tuple[str, ...]], ...]


def requests(
    pending: Sequence[SourceDocument], order: Sequence[str], *, requested: Mapping[str, str], limit: int
) -> Requests:
    """The runs that `pending` documents need and that nobody asked for yet. `requested` are the run keys asked for, by document.

    New documents are taken in ranges of at most `limit`. A changed document gets a run of its own, unless more than `limit` or `ALONE`
    changed at once. `order` is that of the partitions; new ones are added to it sorted, so that their ranges are contiguous.
    """
    wanted = {
        document.document_id: document
        for document in pending
        if requested.get(document.document_id) != document.run_key
    }
    added = tuple(sorted(wanted.keys() - set(order)))
    changed = sorted(key for key, document in wanted.items() if document.revision > 1 or document.attempt > 0)
    alone = changed if len(changed) <= min(limit, ALONE) else []
    groups: list[tuple[str, ...]] = [(key,) for key in alone]
    groups += partitions.ranges(wanted.keys() - set(alone), [*order, *added], limit)
    return Requests(added, tuple((_run_key([wanted[key] for key in group]), group) for group in groups))


def _run_key(group: Sequence[SourceDocument]) -> str:
    if len(group) == 1:
        return group[0].run_key
    digest = hashlib.sha256("\n".join(document.run_key for document in group).encode()).hexdigest()[:16]
    return f"{group[0].document_id}..{group[-1].document_id}:{digest}"


@dataclass(frozen=True)
class Cursor:
    """What a sensor remembers: the run keys that it asked for, by document, and how far it has followed its source."""

    requested: Mapping[str, str] = field(default_factory=dict)
    position: Position = field(default_factory=Position)

    def dumps(self) -> str:
        return json.dumps({"requested": dict(self.requested), "position": asdict(self.position)}, sort_keys=True)

    @classmethod
    def loads(cls, text: str | None) -> "Cursor":
        held = json.loads(text) if text else {}
        return cls(held.get("requested", {}), Position(**held.get("position", {})))


#: What a look goes through: sources that are listed, each with the position that holds once it has been registered to its end.
Steps = Callable[[Position, Sources], Iterator[tuple[Source, Position]]]


def sensors(settings: Settings) -> list[SensorDefinition]:
    """One sensor per source. Those that ask somebody else's server are off until they are switched on."""
    return [
        _sensor(
            settings, "directory", "Watches a folder (LEGAL_PIPELINE_SOURCE_DIRECTORY): new, changed and removed files.",
            look, DefaultSensorStatus.RUNNING,
        ),
        _sensor(
            settings, "docs_jsonl", "Follows a file with a document in each line (LEGAL_PIPELINE_DOCS_JSONL).",
            look_at_docs_jsonl, DefaultSensorStatus.STOPPED if settings.docs_jsonl is None else DefaultSensorStatus.RUNNING,
        ),
        *(
            _sensor(
                settings, name, f"Follows the source `{name}`: all of it, then what changes, and all of it again from time to time.",
                functools.partial(look_at_remote, name=name), DefaultSensorStatus.STOPPED,
            )
            for name in REMOTE_NAMES
        ),
    ]  # fmt: skip


def _sensor(
    settings: Settings,
    name: str,
    description: str,
    evaluate: Callable[[SensorEvaluationContext, PipelineResource], SensorResult | SkipReason],
    status: DefaultSensorStatus,
) -> SensorDefinition:
    @sensor(
        name=name,
        job_name="process_document",
        minimum_interval_seconds=settings.sensor_interval_seconds,
        default_status=status,
        required_resource_keys={"pipeline"},
        description=description,
    )
    def look_now(context: SensorEvaluationContext) -> SensorResult | SkipReason:
        return evaluate(context, context.resources.pipeline)

    return look_now


def look(context: SensorEvaluationContext, resource: PipelineResource) -> SensorResult | SkipReason:
    """One look at the watched folder."""
    settings = resource.settings
    folder = settings.watched_directory
    if not folder.is_dir():
        return SkipReason(f"{folder} is not there; put documents in it, or set LEGAL_PIPELINE_SOURCE_DIRECTORY")
    return _look(context, resource, _whole(DirectorySource(folder, limits=limits(settings))))


def look_at_docs_jsonl(context: SensorEvaluationContext, resource: PipelineResource) -> SensorResult | SkipReason:
    """One look at the file of documents."""
    settings = resource.settings
    if settings.docs_jsonl is None:
        return SkipReason("LEGAL_PIPELINE_DOCS_JSONL is not set")
    return _look(context, resource, _whole(DocsJsonlSource(settings.docs_jsonl, limits=limits(settings))))


def look_at_remote(
    context: SensorEvaluationContext, resource: PipelineResource, *, name: str
) -> SensorResult | SkipReason:
    """One look at the source behind an API that is named `name`."""

    def steps(position: Position, sources: Sources) -> Iterator[tuple[Source, Position]]:
        source = sources.remote(name)
        again = timedelta(hours=resource.settings.source_pass_hours)
        for listing, after in follow(source, position, now=datetime.now(UTC), again=again):
            yield Listed(source, listing), after

    return _look(context, resource, steps)


def _whole(source: Source) -> Steps:
    def steps(position: Position, _: Sources) -> Iterator[tuple[Source, Position]]:
        yield source, position

    return steps


def _look(context: SensorEvaluationContext, resource: PipelineResource, steps: Steps) -> SensorResult | SkipReason:
    settings = resource.settings
    cursor = Cursor.loads(context.cursor)
    order = list(context.instance.get_dynamic_partitions(partitions.NAME))
    busy = partitions.in_flight(context.instance, order)
    found, position, failure = Registration(), cursor.position, ""
    deadline = time.monotonic() + LOOK_SECONDS
    with resource.open() as pipeline, Sources(settings, limits=limits(settings)) as sources:
        registry = pipeline.registry
        grace = timedelta(seconds=settings.removal_grace_seconds)
        try:
            for source, after in steps(position, sources):
                part = register(source, registry, grace=grace, in_flight=busy, deadline=deadline, believe_empty=False)
                found = found.and_then(part)
                if not part.complete:
                    break
                position = after
                if time.monotonic() > deadline:
                    break
        except (ListingError, ConfigurationError) as error:
            failure = str(error)
        # what was asked for too: a look at what changed lists nothing else
        here = {*found.new, *found.changed, *found.listed, *_amended(registry, found, busy), *cursor.requested}
        for document in registry.documents(ids=found.changed):
            if document.status != "pending":  # it lost one of its files: the same revision reads otherwise now
                registry.retry(document.document_id)
        for document in registry.documents(status="processing", ids=sorted(here)):
            # its run is over and said nothing: it was killed. A document that kills its runs is left alone after a while
            if document.document_id not in busy and document.attempt < MAX_ATTEMPTS:
                registry.retry(document.document_id)
        # from the registry and not from this look alone: an earlier look may have been killed after it registered
        pending = [
            document
            for document in registry.documents(status="pending", ids=sorted(here))
            if document.document_id not in busy
        ]
    for document_id in found.tombstoned:
        context.log.info(f"{document_id} is gone from its source: tombstoned")
    if failure:
        context.log.warning(failure)
    asked = requests(pending, order, requested=cursor.requested, limit=settings.partitions_per_run)
    # until a run has ended it may be killed: its documents are watched as long
    watched = {document_id: key for document_id, key in cursor.requested.items() if document_id in busy}
    requested = watched | {document.document_id: document.run_key for document in pending}
    return SensorResult(
        run_requests=[_run_request(key, group) for key, group in asked.runs],
        skip_reason=None if asked.runs else SkipReason(failure) if failure else _summary(found),
        dynamic_partitions_requests=(
            [AddDynamicPartitionsRequest(partitions.NAME, list(asked.partitions))] if asked.partitions else []
        ),
        asset_events=source_items.changed_items(
            document for document in pending if cursor.requested.get(document.document_id) != document.run_key
        ),
        cursor=Cursor(requested, position).dumps(),
    )


def _amended(registry: Registry, found: Registration, busy: Collection[str]) -> set[str]:
    """Base laws of the amending acts that were found: each is looked at again, for its consolidated text may have come."""
    bases = {numbered_identity(law)[0] for law in base_laws_of(registry.database, found.to_run)}
    held = registry.documents(ids=sorted(bases))
    bases = {document.document_id for document in held} - {*busy, *found.to_run}
    for document in held:
        if document.document_id in bases and document.status != "pending":
            registry.retry(document.document_id)
    return bases


def _run_request(key: str, group: tuple[str, ...]) -> RunRequest:
    if len(group) == 1:
        return RunRequest(run_key=key, partition_key=group[0])
    return RunRequest(run_key=key, tags=partitions.range_tags(group))


def _summary(found: Registration) -> SkipReason:
    state = "" if found.complete else "; the look was ended by its deadline and goes on with the next"
    return SkipReason(f"nothing to run: {len(found.listed)} documents known, {len(found.tombstoned)} removed{state}")

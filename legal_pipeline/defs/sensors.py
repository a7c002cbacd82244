"""Sensors: they poll a source and request runs.

Not here: the decision about changes of a source (`sources.plan`) and their registration (`registration`).
"""

# no `from __future__ import annotations`: Dagster compares the type of `context` with its own classes
import functools
import hashlib
import json
import time
from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from dagster import (
    AddDynamicPartitionsRequest,
    DefaultSensorStatus,
    SensorDefinition,
    SensorEvaluationContext,
    SensorResult,
    SkipReason,
    sensor,
)

from legal_pipeline.defs import partitions, source_items
from legal_pipeline.defs.asset_keys import PLAIN, AssetKeys
from legal_pipeline.defs.partitioning import Partitioning
from legal_pipeline.defs.partitioning import partitioning as partitioning_of
from legal_pipeline.defs.resources import Pipelines
from legal_pipeline.errors import ConfigurationError
from legal_pipeline.jurisdictions.series import numbered_identity
from legal_pipeline.registration import Registration, register
from legal_pipeline.registry import coming_expressions
from legal_pipeline.registry.due_documents import DueDocuments
from legal_pipeline.registry.freshness import record_poll
from legal_pipeline.registry.item_hints import base_laws_of
from legal_pipeline.registry.registry import Registry, SourceDocument
from legal_pipeline.registry.source_pages import SourcePages
from legal_pipeline.settings import Settings
from legal_pipeline.sources.directory import DirectorySource
from legal_pipeline.sources.docs_jsonl import DocsJsonlSource
from legal_pipeline.sources.following import Listed, Position, follow, stay
from legal_pipeline.sources.registry import REMOTE_NAMES, Sources
from legal_pipeline.sources.source import DoubtfulListingError, Listing, ListingError, Source
from legal_pipeline.stages.raw_documents import limits
from legal_pipeline.system.file_patterns import excluded

#: Dagster ends a sensor after 60 s; items registered by then are kept, and the next poll continues. The time to register starts after the
#: first listing, within Dagster's limit: a slow listing must not use all of it.
REGISTER_SECONDS, POLL_SECONDS = 35, 50

#: Time that a poll spends on unchanged pages; the next poll goes on there. A folder of a million files is four polls on a quiet machine.
#: Not processor time: on a busy machine a poll would take twice as long.
UNCHANGED_SECONDS = 3.5

#: Documents that changed at once have a separate run each up to this number: then no document waits for the others, but each run has its
#: start-up cost.
ALONE = 50

#: Maximum attempts at one revision of a document whose runs end without a result, and at an item that its source does not deliver.
MAX_ATTEMPTS = 3

#: Maximum number of items without an answer that are reported per listing.
_NAMED = 5


@dataclass(frozen=True)
class Requests:
    """The requests of a poll to Dagster: partitions to add (in this order), and groups of partitions, each with its run key."""

    partitions: tuple[str, ...]
    runs: tuple[tuple[str, tuple[str, ...]], ...]


def requests(
    due: Sequence[SourceDocument], order: Sequence[str], *, limit: int, partitioning: Partitioning
) -> Requests:
    """Return the runs that these documents need.

    New documents are grouped in ranges of at most `limit`. A partition with a changed document gets its own run, unless more than
    `limit` or `ALONE` changed at once. `order` is the order of the partitions; new ones are appended sorted: their ranges are contiguous.
    """
    wanted = partitioning.grouped(due)
    added = tuple(sorted(wanted.keys() - set(order)))
    changed = sorted(
        key
        for key, documents in wanted.items()
        if any(document.revision > 1 or document.attempt > 0 for document in documents)
    )
    alone = changed if len(changed) <= min(limit, ALONE) else []
    groups: list[tuple[str, ...]] = [(key,) for key in alone]
    groups += partitions.ranges(wanted.keys() - set(alone), [*order, *added], limit, wanted)
    runs = ((_run_key([document for key in group for document in wanted[key]]), group) for group in groups)
    return Requests(added, tuple(runs))


def _run_key(group: Sequence[SourceDocument]) -> str:
    if len(group) == 1:
        return group[0].run_key
    digest = hashlib.sha256("\n".join(document.run_key for document in group).encode()).hexdigest()[:16]
    return f"{group[0].document_id}..{group[-1].document_id}:{digest}"


@dataclass(frozen=True)
class Cursor:
    """The state that a sensor keeps: its position in the source, and the number of its last request that Dagster accepted.

    The waiting documents are in the registry (`registry.due_documents`).
    """

    position: Position = field(default_factory=Position)
    asked: int = 0

    def dumps(self) -> str:
        return json.dumps({"asked": self.asked, "position": asdict(self.position)}, sort_keys=True)

    @classmethod
    def loads(cls, text: str | None) -> "Cursor":
        held = json.loads(text) if text else {}
        return cls(Position(**held.get("position", {})), held.get("asked", 0))


@dataclass(frozen=True)
class Step:
    """A listed part of a source, and the position `after` which the next step begins once the part has been registered completely.

    If nothing in the part has changed, `source` is None and `unchanged` the number of its items. A `page` of a folder is recorded as known
    when it agrees with the registry.
    """

    after: Position
    source: Source | None
    page: Listing | None = None
    unchanged: int = 0


#: Yields the steps of a poll, from a position on.
Steps = Callable[[Position, Sources, Registry], Iterator[Step]]


def sensors(settings: Settings, keys: AssetKeys = PLAIN) -> list[SensorDefinition]:
    """Return one sensor per source. Sensors that poll the server of a third party are off until they are switched on."""
    return [
        source_sensor(
            settings, "directory", "Watches a folder (LEGAL_PIPELINE_SOURCE_DIRECTORY): new, changed and removed files.",
            poll_folder, DefaultSensorStatus.RUNNING, keys,
        ),
        source_sensor(
            settings, "docs_jsonl", "Watches a file with one document per line (LEGAL_PIPELINE_DOCS_JSONL).",
            poll_docs_jsonl, DefaultSensorStatus.STOPPED if settings.docs_jsonl is None else DefaultSensorStatus.RUNNING,
            keys,
        ),
        *(
            source_sensor(
                settings, name, f"Follows `{name}`: lists it in full, then asks for changes, and lists it again to detect removals.",
                functools.partial(poll_remote, name=name), DefaultSensorStatus.STOPPED, keys,
            )
            for name in REMOTE_NAMES
        ),
    ]  # fmt: skip


def source_sensor(
    settings: Settings,
    name: str,
    description: str,
    evaluate: Callable[..., SensorResult | SkipReason],
    status: DefaultSensorStatus,
    keys: AssetKeys,
) -> SensorDefinition:
    """Return the sensor `name`, which calls `evaluate` (a function below) with its context, the resource `pipeline` and `keys`."""

    @sensor(
        name=name,
        job_name="process_document",
        minimum_interval_seconds=settings.sensor_interval_seconds,
        default_status=status,
        required_resource_keys={"pipeline"},
        description=description,
    )
    def evaluate_tick(context: SensorEvaluationContext) -> SensorResult | SkipReason:
        return evaluate(context, context.resources.pipeline, keys=keys)

    return evaluate_tick


def poll_folder(
    context: SensorEvaluationContext,
    resource: Pipelines,
    *,
    folder: Path | None = None,
    exclude: Sequence[str] = (),
    keys: AssetKeys = PLAIN,
) -> SensorResult | SkipReason:
    """Poll `folder`, by default the configured folder, without files that match a pattern of the settings or of `exclude`."""
    settings = resource.settings
    folder = folder or settings.watched_directory
    if not folder.is_dir():
        return SkipReason(f"{folder} is not there; put documents in it, or set LEGAL_PIPELINE_SOURCE_DIRECTORY")
    source = DirectorySource(folder, limits=limits(settings), exclude=excluded(settings.source_exclude, exclude))
    return _poll(context, resource, source.name, _pages(settings, source), scope=[source.range[0]], keys=keys)


def poll_docs_jsonl(
    context: SensorEvaluationContext, resource: Pipelines, *, path: Path | None = None, keys: AssetKeys = PLAIN
) -> SensorResult | SkipReason:
    """Poll the file of documents at `path`, by default the configured file."""
    settings = resource.settings
    path = path or settings.docs_jsonl
    if path is None:
        return SkipReason("LEGAL_PIPELINE_DOCS_JSONL is not set")
    source = DocsJsonlSource(path, limits=limits(settings))

    def steps(position: Position, sources: Sources, registry: Registry) -> Iterator[Step]:
        yield Step(position, source)

    return _poll(context, resource, source.name, steps, keys=keys)


def poll_remote(
    context: SensorEvaluationContext, resource: Pipelines, *, name: str, keys: AssetKeys = PLAIN
) -> SensorResult | SkipReason:
    """Poll the source with an API that has the name `name`."""

    def steps(position: Position, sources: Sources, registry: Registry) -> Iterator[Step]:
        source = sources.remote(name)
        again = timedelta(hours=resource.settings.source_pass_hours)
        for listing, after in follow(source, position, now=datetime.now(UTC), again=again):
            yield Step(after, Listed(source, listing))

    return _poll(context, resource, name, steps, keys=keys)


def _pages(settings: Settings, source: DirectorySource) -> Steps:
    """Return the steps over a folder page by page, from the end of the last poll. Unchanged pages are not compared with the registry."""

    def steps(position: Position, sources: Sources, registry: Registry) -> Iterator[Step]:
        pages = SourcePages(registry.database, source.name)
        known = pages.known(source.range, no_older_than=timedelta(hours=settings.source_pass_hours))
        left_out = position.left_out if position.after is not None else 0
        for page in source.pages(position.after):
            assert page.between is not None
            is_last = page.between[1] == source.range[1]
            left_out += len(page.left_out)
            after = Position(None if is_last else page.between[1], left_out=left_out)
            if known.get(page.between) == page.fingerprint:
                yield Step(after, None, unchanged=len(page.items))
            else:
                yield Step(after, Listed(source, page), page)
        scope = source.range[0]
        record_poll(registry.database, source.name, (scope,), {scope: left_out})

    return steps


@dataclass
class _Found:
    """The results of a poll. `failures`: the reason for an early end, and errors of items that the source did not answer."""

    position: Position
    registered: Registration = field(default_factory=Registration)
    unchanged: int = 0
    failures: list[str] = field(default_factory=list)


def _poll(
    context: SensorEvaluationContext,
    resource: Pipelines,
    name: str,
    steps: Steps,
    *,
    scope: Sequence[str] = ("",),
    keys: AssetKeys,
) -> SensorResult | SkipReason:
    settings = resource.settings
    cursor = Cursor.loads(context.cursor)
    instance = context.instance
    found = _Found(cursor.position)
    partitioning = partitioning_of(settings)
    with resource.open() as pipeline, Sources(settings, limits=limits(settings)) as sources:
        registry = pipeline.registry
        partitioning.verify(registry.database)
        runs = functools.partial(partitions.Runs, instance, partitioning)
        due = DueDocuments(registry.database, name, scope=scope)
        waiting = _waiting_documents(registry, due, cursor.asked, runs)
        if not waiting:
            # otherwise an earlier poll registered them and was ended before it could request runs: they must not wait for a poll that never
            # ends
            busy = runs().documents
            found = _register(settings, registry, steps(cursor.position, sources, registry), found, busy)
            _try_again(registry, name, found.registered, busy)
            _reach(registry, name)
            waiting = _waiting_documents(registry, due, cursor.asked, runs)
        order = runs().order if waiting else ()
        asked = requests(waiting, order, limit=settings.partitions_per_run, partitioning=partitioning)
        changed = partitioning.changed_items(registry, waiting, frozenset(order))
        number = due.ask(document.document_id for document in waiting) if waiting else cursor.asked
        partitions.remove_renamed(instance, registry.aliases, partitioning)
    for document_id in found.registered.tombstoned:
        context.log.info(f"{document_id} is gone from its source: tombstoned")
    for failure in found.failures:
        context.log.warning(failure)
    return SensorResult(
        run_requests=[
            partitions.run_request(key, group, run_config=partitioning.run_config()) for key, group in asked.runs
        ],
        skip_reason=None if asked.runs else _summary(found),
        dynamic_partitions_requests=(
            [AddDynamicPartitionsRequest(partitions.NAME, list(asked.partitions))] if asked.partitions else []
        ),
        asset_events=source_items.observations(changed, keys),
        cursor=Cursor(found.position, number).dumps(),
    )


def _register(
    settings: Settings, registry: Registry, steps: Iterator[Step], found: _Found, busy: Container[str]
) -> _Found:
    """Register step by step until the time is up."""
    grace = timedelta(seconds=settings.removal_grace_seconds)
    began = time.monotonic()
    listed: float | None = None
    try:
        for step in steps:
            listed = listed or time.monotonic()
            deadline = min(listed + REGISTER_SECONDS, began + POLL_SECONDS)
            found.unchanged += step.unchanged
            if step.source is not None:
                if step.page is None:
                    found.position = stay(found.position, step.after)
                part = _register_step(step, step.source, registry, found, grace=grace, busy=busy, deadline=deadline)
                if not _may_go_on(step, part, found, deadline):
                    found.position = replace(found.position, in_vain=found.position.in_vain + len(part.unanswered))
                    break
            found.position = step.after
            limit = min(deadline, listed + UNCHANGED_SECONDS) if step.source is None else deadline
            if time.monotonic() > limit:
                break
    except (ListingError, ConfigurationError) as error:
        found.failures.append(str(error))
    return found


def _register_step(
    step: Step,
    source: Source,
    registry: Registry,
    found: _Found,
    *,
    grace: timedelta,
    busy: Container[str],
    deadline: float,
) -> Registration:
    """Register one step; a doubtful listing registers nothing and counts as one item without an answer."""
    try:
        part = register(
            source,
            registry,
            grace=grace,
            in_flight=busy,
            deadline=deadline,
            allow_empty_listing=False,
            in_vain=found.position.in_vain,
        )
    except DoubtfulListingError as error:
        part = Registration(complete=False, settled=False, unanswered={"": str(error)}, left=1)
    found.registered = found.registered.and_then(part)
    found.failures += list(part.unanswered.values())[:_NAMED]
    if step.page is not None and step.page.between is not None and part.settled:
        SourcePages(registry.database, source.name).record(
            step.page.between, step.page.fingerprint, len(step.page.items)
        )
    return part


def _may_go_on(step: Step, part: Registration, found: _Found, deadline: float) -> bool:
    """Return whether the poll continues after a step with items left.

    A slice of a full pass is given up after some tries until the next pass, because the source may never answer. A list of changes is not
    given up: it is requested again from the same stamp until the next pass.
    """
    if part.complete:
        return True
    if step.page is not None:
        return time.monotonic() <= deadline
    tried = found.position.in_vain + len(part.unanswered)
    return step.after.after is not None and tried >= MAX_ATTEMPTS * part.left


def _try_again(registry: Registry, name: str, found: Registration, busy: Container[str]) -> None:
    """Make documents due that this poll affects although their own items did not change."""
    for document in registry.documents(ids=found.changed) if found.changed else ():
        if document.status != "pending":  # it lost one of its files: the same revision has other content now
            registry.retry(document.document_id)
    laws = base_laws_of(registry.database, found.to_run) if found.to_run else ()
    bases = {identity[0] for law in laws if (identity := numbered_identity(law)) is not None}
    for document in registry.documents(ids=sorted(bases)) if bases else ():
        # the base law of a found amending act: its consolidated text may be available now
        if (
            document.status != "pending"
            and document.document_id not in {*found.to_run}
            and document.document_id not in busy
        ):
            registry.retry(document.document_id, asker=name)


def _reach(registry: Registry, name: str) -> None:
    """Make the documents due that have a text which becomes current today."""
    reached = coming_expressions.reached(registry.database, coming_expressions.today())
    for document in registry.documents(ids=reached) if reached else ():
        if document.status != "pending":
            registry.retry(document.document_id, asker=name)


def _waiting_documents(
    registry: Registry, due: DueDocuments, confirmed: int, runs: Callable[[], partitions.Runs]
) -> list[SourceDocument]:
    """Return due documents that are in no run and were not requested; documents whose run ended without a result, as a new attempt."""
    taken = {document.document_id: document for document in due.take(confirmed=confirmed)}
    if not taken:
        return []
    covered = runs().documents  # read after the documents: this includes a run that began meanwhile
    busy = {document_id for document_id in taken if document_id in covered}
    due.seen(busy)
    waiting = []
    for document in registry.documents(ids=sorted(taken.keys() - busy)):
        asked = taken[document.document_id].asked
        if document.status == "processing" or (document.status == "pending" and asked and not document.made):
            # the run was killed, or lost before it began. A document that kills its runs is given up after some attempts
            if document.attempt < MAX_ATTEMPTS:
                waiting.append(registry.retry(document.document_id))
        elif asked and document.status in ("completed", "failed"):
            waiting.append(registry.retry(document.document_id))  # a repair that was requested and never began
        elif document.status == "pending" and not asked:
            waiting.append(document)
    return waiting


def _summary(found: _Found) -> SkipReason:
    if found.failures:
        return SkipReason("; ".join(found.failures))
    registered = found.registered
    known = found.unchanged + len(registered.listed)
    state = "" if registered.complete else "; the poll was ended by its deadline and goes on with the next"
    left_out = f", {found.position.left_out} files left out" if found.position.left_out else ""
    removed = len(registered.tombstoned)
    return SkipReason(f"nothing to run: {known} documents known, {removed} removed{left_out}{state}")

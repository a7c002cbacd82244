"""Practice areas in Dagster: the filing of judgments, a partitioned tree per area, and the sensor that keeps both up to date.

Not here: how judgments are filed and trees are made (`corpus_assets.practice_areas`, `corpus_assets.practice_area_trees`).
"""

# no `from __future__ import annotations`: Dagster reads the types of `context` and `config` from the annotations themselves
import contextlib
import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from dagster import (
    AssetExecutionContext,
    AssetKey,
    AssetMaterialization,
    AssetsDefinition,
    AssetSelection,
    AssetSpec,
    BackfillPolicy,
    Config,
    DefaultSensorStatus,
    Failure,
    MaterializeResult,
    MetadataValue,
    RunRequest,
    SensorDefinition,
    SensorEvaluationContext,
    SensorResult,
    SkipReason,
    StaticPartitionsDefinition,
    asset,
    define_asset_job,
    in_process_executor,
    multi_asset,
    sensor,
)
from pydantic import Field

from legal_pipeline.corpus_assets import practice_area_trees
from legal_pipeline.corpus_assets.practice_areas import KEY as FILING_KEY
from legal_pipeline.corpus_assets.practice_areas import file_judgments
from legal_pipeline.defs import partitions
from legal_pipeline.defs import tags as event_tags
from legal_pipeline.defs.asset_keys import PLAIN, AssetKeys
from legal_pipeline.defs.jobs import KIND_TAG, QUEUE_TAG, AssetJob
from legal_pipeline.defs.resources import Pipelines
from legal_pipeline.enrichment.enricher import Task
from legal_pipeline.enrichment.open_batches import at_work, open_batches
from legal_pipeline.enrichment.practice_areas import practice_areas as areas_of_practice
from legal_pipeline.enrichment.service import ServiceError, open_service
from legal_pipeline.errors import WaitingForBatchError
from legal_pipeline.pipeline import Deferred, Failed, Materialized, Pipeline
from legal_pipeline.registry.practice_area_leaves import Due, PracticeAreaLeaves
from legal_pipeline.settings import Settings
from legal_pipeline.stages import chunks

GROUP = "practice_areas"
#: Not the name of the job: Dagster refuses to load ops and jobs of the same name.
TREES_OP = "practice_area_summaries"
FILING_JOB, TREES_JOB = "file_judgments", "practice_area_trees"

areas = StaticPartitionsDefinition(list(areas_of_practice()))

#: While documents are in a run, more judgments may follow: filing and summarising wait for them, but at most this long.
LONGEST_POSTPONEMENT = timedelta(minutes=15)

#: Maximum number of runs requested for one state before it is left to the nightly reconciliation.
MAX_ATTEMPTS = 3


class TreesConfig(Config):
    """Options of a run that makes trees."""

    refresh_roots: bool = Field(
        default=False,
        description="Make the summary of each area anew where judgments came since; the nightly run does.",
    )
    force: bool = Field(default=False, description="Make every summary of the area anew.")


class FilingConfig(Config):
    """Selection of the judgments to file."""

    everything: bool = Field(
        default=False, description="Look at all judgments: after the taxonomy, the model or its prompt changed."
    )


@asset(
    key=AssetKey(FILING_KEY),
    deps=[AssetKey(chunks.KEY)],
    group_name=GROUP,
    required_resource_keys={"pipeline"},
    description="Every judgment filed under one practice area, and its place in the area's tree.",
)
def practice_areas(context: AssetExecutionContext, config: FilingConfig) -> MaterializeResult[None]:
    with context.resources.pipeline.open() as pipeline:
        with contextlib.closing(pipeline.resources.for_run(context.run_id)) as resources:
            filing = file_judgments(resources, everything=config.everything)
        states = PracticeAreaLeaves(pipeline.registry.database).states()
        judgments = sum(state.leaves for state in states.values())
    for document_id, reason in filing.failed.items():
        context.log.error(f"{document_id} was not filed: {reason}")
    if isinstance(filing.stopped, WaitingForBatchError):
        context.log.info(str(filing.stopped))
    elif filing.stopped is not None:
        raise filing.stopped
    return MaterializeResult(
        metadata={
            "judgments": judgments,
            "looked_at": filing.looked_at,
            "asked": filing.asked,
            "unanswered": MetadataValue.json({request.document_id: request.reason for request in filing.unanswered}),
            "not_filed": MetadataValue.json(filing.failed),
            "removed": MetadataValue.json(list(filing.removed)),
            "areas_changed": MetadataValue.json(sorted(filing.areas)),
            "requests": filing.usage.requests,
            "cost_usd": round(filing.usage.cost_usd, 6),
        }
    )


@multi_asset(
    name=TREES_OP,
    specs=[
        AssetSpec(
            AssetKey(practice_area_trees.KEY),
            deps=[AssetKey(FILING_KEY)],
            skippable=True,
            group_name=GROUP,
            description="Summaries of an area's judgments, twenty to a node; with their vectors and points.",
        )
    ],
    partitions_def=areas,
    can_subset=True,
    backfill_policy=BackfillPolicy.single_run(),
    required_resource_keys={"pipeline"},
)
def trees(context: AssetExecutionContext, config: TreesConfig) -> Iterator[MaterializeResult[None]]:
    yield from ()  # logged directly, because an area that fails must not stop the others
    resource: Pipelines = context.resources.pipeline
    (asset,) = context.selected_asset_keys
    done: dict[str, list[Materialized]] = {}
    failures: dict[str, Failed] = {}
    with (
        resource.open() as pipeline,
        contextlib.closing(pipeline.resources.for_run(context.run_id)) as resources,
    ):
        for event in practice_area_trees.make_trees(
            resources, context.partition_keys, refresh_roots=config.refresh_roots, force=config.force
        ):
            if isinstance(event, Deferred):
                context.log.info(f"{event.document_id} in {'/'.join(event.asset_key)}: {event.error}")
            elif isinstance(event, Failed):
                failures[event.document_id] = event
                context.log.error(f"{event.document_id} in {'/'.join(event.asset_key)}: {event.error}")
            else:
                done.setdefault(event.document_id, []).append(event)
            resource.observe(event)
    for document_id, events in done.items():
        if document_id not in failures:
            context.log_event(_materialization(asset, document_id, events))
    if failures:
        raise Failure(
            description=f"{len(failures)} of {len(context.partition_keys)} trees failed: {', '.join(sorted(failures))}",
            allow_retries=False,
        )


def _materialization(asset: AssetKey, document_id: str, events: Sequence[Materialized]) -> AssetMaterialization:
    """Return the materialization of the tree; its metadata includes that of its vectors and points."""
    tree, *others = events
    metadata: dict[str, Any] = {name: _value(value) for name, value in tree.metadata.items()}
    for event in others:
        where = event.asset_key[-1]
        metadata |= {f"{where}/{name}": _value(value) for name, value in event.metadata.items()}
    return AssetMaterialization(
        asset_key=asset,
        partition=practice_area_trees.area_of(document_id),
        tags={event_tags.DATA_VERSION: tree.data_version},
        metadata={**metadata, "reused": all(event.reused for event in events)},
    )


def _value(value: Any) -> Any:
    return value if isinstance(value, str | int | float | bool) else MetadataValue.json(value)


def definitions(keys: AssetKeys = PLAIN) -> tuple[list[AssetsDefinition], list[AssetJob]]:
    """Return the assets, and a job for each."""
    jobs = [
        define_asset_job(
            name,
            selection=AssetSelection.assets(keys.of(key)),
            tags=tags,
            executor_def=in_process_executor,
            description=description,
        )
        for name, key, tags, description in (
            (FILING_JOB, FILING_KEY, {KIND_TAG: "enrich", QUEUE_TAG: "llm"}, "Judgments to their practice areas."),
            (
                TREES_JOB,
                practice_area_trees.KEY,
                {KIND_TAG: "index", QUEUE_TAG: "cpu"},
                "The trees of practice areas, into the stores.",
            ),
        )
    ]
    return [keys.definition(practice_areas), keys.definition(trees)], jobs


# -- the sensor -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class State:
    """The state that a poll finds.

    `due` are judgments to file, `gone` leaves to remove, `stale` maps areas to the hash of the inputs of their tree; `busy`: documents are
    being processed; `running`: a run of filing or trees has not ended; `batches`: number of Message Batches with requests of filing or
    trees that have not ended.
    """

    due: Sequence[Due]
    gone: Sequence[str]
    stale: Mapping[str, str]
    busy: bool
    running: bool
    batches: int = 0


@dataclass(frozen=True)
class Decision:
    """`filing` is the run key of a filing run, `trees` maps run keys to areas; `tries` is kept for the next poll."""

    filing: str | None
    trees: dict[str, str]
    tries: dict[str, list[Any]]
    reason: str = ""


def decide(state: State, tries: Mapping[str, Sequence[Any]], now: datetime) -> Decision:
    """Return the runs to request. Filing precedes trees; one state is requested at most `MAX_ATTEMPTS` times.

    `tries` has, by area (filing under ""), [requested state, number of requests].
    """
    kept = {name: list(value) for name, value in tries.items()}
    if state.running:
        return Decision(None, {}, kept, "a run is under way")
    if state.batches:
        return Decision(None, {}, kept, f"{state.batches} Message Batches have not ended")
    if state.due or state.gone:
        oldest = min((leaf.processed_at for leaf in state.due), default=now)
        if state.busy and now - oldest < LONGEST_POSTPONEMENT:
            return Decision(None, {}, kept, "documents are being run; more judgments may come")
        what = _digest([*(f"{leaf.document_id} {leaf.processed_at.isoformat()}" for leaf in state.due), *state.gone])
        if (key := _next(kept, "", what)) is not None:
            return Decision(key, {}, kept)
    trees = {key: area for area, what in state.stale.items() if (key := _next(kept, area, what)) is not None}
    return Decision(None, trees, {name: kept[name] for name in kept if name == "" or name in state.stale}, "up to date")


def _next(tries: dict[str, list[Any]], name: str, what: str) -> str | None:
    before, number = tries.get(name, ["", 0])
    number = number + 1 if before == what else 1
    if number > MAX_ATTEMPTS:
        return None
    tries[name] = [what, number]
    return f"{name or 'filing'}:{what}:{number}"


def _digest(lines: Sequence[str]) -> str:
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16]


def practice_area_sensor(settings: Settings, jobs: Sequence[AssetJob]) -> SensorDefinition:
    """Return the sensor that requests the filing of new judgments, then the trees that are stale. A tick without judgments is one query."""

    @sensor(
        name="practice_areas",
        jobs=[job for job in jobs if job.name in (FILING_JOB, TREES_JOB)],
        minimum_interval_seconds=settings.sensor_interval_seconds,
        default_status=DefaultSensorStatus.RUNNING,
        required_resource_keys={"pipeline"},
        description="Files judgments under their practice areas and keeps the areas' trees up to date.",
    )
    def practice_area_changes(context: SensorEvaluationContext) -> SensorResult | SkipReason:
        return poll(context, context.resources.pipeline)

    return practice_area_changes


def poll(context: SensorEvaluationContext, resource: Pipelines) -> SensorResult | SkipReason:
    """Evaluate one tick of the sensor: read the registry and the runs, and request what is due."""
    names = [run.job_name for run in partitions.unfinished(context.instance)]
    own = (FILING_JOB, TREES_JOB)
    with resource.open() as pipeline:
        if "summaries" not in pipeline.resources.settings.enrichments:
            return SkipReason("summaries are off (LEGAL_PIPELINE_ENRICH)")
        leaves = PracticeAreaLeaves(pipeline.registry.database)
        state = State(
            leaves.due(),
            leaves.gone(),
            practice_area_trees.stale(pipeline.resources),
            busy=any(name not in own for name in names),
            running=any(name in own for name in names),
            batches=_running_batches(pipeline),
        )
    asked = decide(state, json.loads(context.cursor) if context.cursor else {}, datetime.now(UTC))
    requests = [RunRequest(run_key=asked.filing, job_name=FILING_JOB)] if asked.filing is not None else []
    requests += tree_requests(asked.trees)
    return SensorResult(
        run_requests=requests, skip_reason=None if requests else asked.reason, cursor=json.dumps(asked.tries, sort_keys=True)
    )  # fmt: skip


def _running_batches(pipeline: Pipeline) -> int:
    """Return the number of Message Batches from filing or trees that the service has not ended."""
    settings = pipeline.resources.settings
    trees = {practice_area_trees.tree_id(area) for area in areas.get_partition_keys()}
    held = [
        batch
        for batch in open_batches(pipeline.registry.database)
        if Task.CLASSIFY_PRACTICE_AREA in batch.tasks or batch.documents & trees
    ]
    if not held or settings.anthropic_api_key is None:
        return 0
    limit = timedelta(hours=settings.llm_batch_wait_hours)
    try:
        return len(at_work(open_service(settings), held, limit=limit))
    except ServiceError:
        return len(held)  # a run could not get an answer either


def tree_requests(by_key: Mapping[str, str], config: Mapping[str, Any] | None = None) -> list[RunRequest]:
    """Return runs of trees by run key: neighbouring areas share one run."""
    key_of = {area: key for key, area in by_key.items()}
    order = areas.get_partition_keys()
    run_config = {"ops": {TREES_OP: {"config": dict(config)}}} if config else {}
    requests = []
    for group in partitions.ranges(key_of, order, len(order)):
        run_key = _digest([key_of[area] for area in group])
        requests.append(partitions.run_request(run_key, group, job_name=TREES_JOB, run_config=run_config))
    return requests

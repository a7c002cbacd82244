"""The nightly jobs: reconciliation, the runs that it requests, and the checks over the corpus.

Not here: the comparison and the repairs (`reconcile`), and the checks (`defs.checks`).
"""

# no `from __future__ import annotations`: Dagster reads the types of `context` and `config` from the annotations themselves
import contextlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from dagster import (
    AssetChecksDefinition,
    AssetExecutionContext,
    AssetKey,
    AssetSelection,
    Config,
    DagsterEventType,
    DagsterRunStatus,
    DefaultSensorStatus,
    Definitions,
    MaterializeResult,
    MetadataValue,
    RunRequest,
    RunStatusSensorContext,
    SkipReason,
    asset,
    define_asset_job,
    in_process_executor,
    run_status_sensor,
)
from pydantic import Field

from legal_pipeline.corpus_assets.practice_areas import file_judgments
from legal_pipeline.defs import partitions, practice_areas
from legal_pipeline.defs.asset_keys import PLAIN, AssetKeys
from legal_pipeline.defs.jobs import KIND_TAG, QUEUE_TAG, AssetJob, check_job, nightly
from legal_pipeline.defs.partitioning import partitioning as partitioning_of
from legal_pipeline.reconcile import Reconciliation, prepare, reconcile
from legal_pipeline.registry.due_documents import watch_run
from legal_pipeline.renaming import begin_renamings
from legal_pipeline.settings import Settings

RECONCILE_JOB = "reconcile"
RUN_JOB = "process_document"

#: Maximum number of differences listed; the counts give the totals.
_NAMED = 50

KEY = ("reconciliation",)
_REQUESTS, _AREAS = "requests", "areas"


class ReconciliationConfig(Config):
    """Options of the reconciliation."""

    repair: bool = Field(
        default=True, description="Request the runs that repair the differences; `false`: only report."
    )


@asset(
    key=AssetKey(KEY),
    group_name="corpus",
    required_resource_keys={"pipeline"},
    description="The differences between registry, warehouse and stores, by count and hash, over all documents.",
)
def reconciliation(context: AssetExecutionContext, config: ReconciliationConfig) -> MaterializeResult[None]:
    with context.resources.pipeline.open() as pipeline:
        if config.repair:
            for old_id, document_id in begin_renamings(pipeline.resources).items():
                context.log.info(f"{old_id} now has the id {document_id}: the sensor of its source requests its run")
        found = reconcile(pipeline)
        for difference in found.differences[:_NAMED]:
            context.log.warning(
                f"{difference.document_id}: {'/'.join(difference.asset_key)} {difference.reason}: {difference.detail}"
            )
        areas = set(found.areas)
        if config.repair:
            prepare(pipeline, found)
            with contextlib.closing(pipeline.resources.for_run(context.run_id)) as resources:
                filing = file_judgments(resources, everything=True)
            areas |= filing.areas
            context.log.info(f"search indexes built of {', '.join(pipeline.optimise()) or 'nothing'}")
        own = partitioning_of(pipeline.resources.settings)
        repairs = found.requests() if config.repair else []
        with pipeline.registry.database.connection() as connection:
            for repair in repairs:
                watch_run(connection, repair.document_ids, asked_by=RECONCILE_JOB)
        requests = [
            [own.keys_of(pipeline.registry, repair.document_ids), ["/".join(key) for key in repair.assets]]
            for repair in repairs
        ]
        return MaterializeResult(metadata=_metadata(found, requests, sorted(areas) if config.repair else []))


def _metadata(found: Reconciliation, requests: list[Any], areas: list[str]) -> dict[str, Any]:
    return {
        "documents": found.documents,
        "compared": found.compared,
        "clean": found.is_clean,
        "differences": MetadataValue.json(found.counts()),
        "first_differences": MetadataValue.json(
            [
                [difference.document_id, "/".join(difference.asset_key), difference.reason, difference.detail]
                for difference in found.differences[:_NAMED]
            ]
        ),
        "failed": len(found.failed),
        "forgotten": len(found.forgotten),
        "waiting": len(found.waiting),
        "points_of_nobody": MetadataValue.json(found.unclaimed),
        _REQUESTS: MetadataValue.json(requests),
        _AREAS: MetadataValue.json(areas),
    }


def nightly_checks(settings: Settings, checks: AssetChecksDefinition) -> Definitions:
    """Return the checks, their job and its schedule."""
    job = check_job(checks)
    return Definitions(
        asset_checks=[checks], jobs=[job], schedules=[nightly("nightly_checks", job, settings.check_schedule)]
    )


def nightly_reconcile(settings: Settings, jobs: Sequence[AssetJob], keys: AssetKeys = PLAIN) -> Definitions:
    """Return the asset `reconciliation`, its job and schedule, and the sensor that requests the runs; `jobs` are those it may request."""
    job = define_asset_job(
        RECONCILE_JOB,
        selection=AssetSelection.assets(keys.of(KEY)),
        tags={KIND_TAG: "reconcile", QUEUE_TAG: "cpu"},
        executor_def=in_process_executor,
        description="Compare registry, warehouse and stores, and request the runs that repair the differences.",
    )
    by_name = {job.name: job for job in jobs}

    @run_status_sensor(
        name="repairs",
        run_status=DagsterRunStatus.SUCCESS,
        monitored_jobs=[job],
        request_jobs=[by_name[RUN_JOB], by_name[practice_areas.TREES_JOB]],
        default_status=DefaultSensorStatus.RUNNING,
        description="Requests the runs that repair the differences that a reconciliation found.",
    )
    def repairs(context: RunStatusSensorContext) -> Iterator[RunRequest | SkipReason]:
        asked = list(repair_requests(context, settings, keys))
        yield from asked
        if not asked:
            yield SkipReason("nothing differs")

    return Definitions(
        assets=[keys.definition(reconciliation)],
        jobs=[job],
        schedules=[nightly("nightly_reconcile", job, settings.reconcile_schedule)],
        sensors=[repairs],
    )


def repair_requests(
    context: RunStatusSensorContext, settings: Settings, keys: AssetKeys = PLAIN
) -> Iterator[RunRequest]:
    """Yield the runs that the reconciliation of this run requests; documents in flight are skipped."""
    partitioning = partitioning_of(settings)
    instance, run_id = context.instance, context.dagster_run.run_id
    records = instance.all_logs(run_id, of_type=DagsterEventType.ASSET_MATERIALIZATION)
    found = [entry.asset_materialization.metadata for entry in records if entry.asset_materialization is not None]
    requests: list[tuple[dict[str, list[str]], list[str]]] = [
        (by_key, assets) for metadata in found for by_key, assets in _said(metadata, _REQUESTS)
    ]
    partitions.add(instance, {key for by_key, _ in requests for key in by_key})
    runs = partitions.Runs(instance, partitioning)
    for by_key, assets in requests:
        chosen = {key: ids for key, ids in by_key.items() if not any(name in runs.documents for name in ids)}
        for group in partitions.ranges(chosen, runs.order, settings.partitions_per_run, chosen):
            yield partitions.run_request(
                f"{run_id}:{assets[0]}:{group[0]}",
                group,
                job_name=RUN_JOB,
                run_config=partitioning.run_config(documents=[name for key in group for name in chosen[key]]),
                asset_selection=[keys.of(tuple(key.split("/"))) for key in assets],
            )
    areas = {f"{run_id}:{area}": str(area) for metadata in found for area in _said(metadata, _AREAS)}
    yield from practice_areas.tree_requests(areas, {"refresh_roots": True})


def _said(metadata: Mapping[str, MetadataValue[Any]], name: str) -> list[Any]:
    value = metadata[name].value
    assert isinstance(value, list)
    return value

"""The jobs: named selections of the per-document assets.

Not here: the assets, and when a job runs (`defs.sensors`).
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TypeAlias

from dagster import (
    AssetChecksDefinition,
    AssetSelection,
    DefaultScheduleStatus,
    JobDefinition,
    ScheduleDefinition,
    define_asset_job,
    in_process_executor,
)
from dagster._core.definitions.unresolved_asset_job_definition import UnresolvedAssetJobDefinition

from legal_pipeline.defs.asset_specs import UNIT_TAG

#: The return type of `define_asset_job`; Dagster exports only the function.
AssetJob: TypeAlias = UnresolvedAssetJobDefinition

#: The kind of a run, by which `deploy/kubernetes` limits the number of concurrent runs: `parse`, `enrich` (only requests prefixes,
#: summaries and questions), `embed`, `publish` (writes to the stores), or `index` for a run that does the last two or all.
KIND_TAG = "legal_pipeline/kind"

#: With Celery workers: the queue in which a run waits (`dagster_celery.tags`, an optional package). Runs that wait for a language model
#: must not block runs that compute, those that embed need a machine with a GPU, and a store takes few writers.
QUEUE_TAG = "dagster-celery/queue"
_QUEUES = {"enrich": "llm", "embed": "gpu", "publish": "store"}

#: The groups of the per-document assets that runs make, in order (`defs.asset_specs`).
DOCUMENT_GROUPS = ("documents", "chunks", "enrichment", "index")


def jobs(groups: Collection[str] = DOCUMENT_GROUPS) -> list[AssetJob]:
    """Return `process_document`, which makes all assets of these groups, and the jobs for parts of them that `groups` allow.

    The others are `parse_and_chunk` (up to `chunks`), `enrich`, and `index` (vectors and stores) with its halves `embed` and `publish`.
    """
    if not groups:
        return []
    # whatever the assets are named in the code location of a user
    stores = AssetSelection.kind("qdrant") | AssetSelection.kind("postgres")
    index = AssetSelection.groups("index")
    found = [
        _job("process_document", AssetSelection.groups(*groups), "index", "A document from its source to the stores.")
    ]
    if {"documents", "chunks"} <= set(groups):
        text = "A document from its source to its chunks; embeds nothing and writes to no store."
        found.append(_job("parse_and_chunk", AssetSelection.groups("documents", "chunks"), "parse", text))
    if "enrichment" in groups:
        text = "Prefixes, summaries and questions of a document's chunks."
        found.append(_job("enrich", AssetSelection.groups("enrichment"), "enrich", text))
    if "index" in groups:
        found += [
            _job("index", index, "index", "The chunks of a document to vectors and into the stores."),
            _job("embed", index - stores, "embed", "The chunks of a document to vectors; writes to no store."),
            _job("publish", index & stores, "publish", "The vectors of a document into the stores; embeds nothing."),
        ]
    return found


def check_job(checks: AssetChecksDefinition) -> AssetJob:
    """Return the job `check_corpus`."""
    return define_asset_job(
        "check_corpus",
        selection=AssetSelection.checks(*checks.check_keys),
        description="Every check, over the whole corpus.",
        executor_def=in_process_executor,
    )


def nightly(name: str, job: AssetJob | JobDefinition, cron: str) -> ScheduleDefinition:
    """Return a schedule of `job` that is active from the start; `cron` is in UTC."""
    return ScheduleDefinition(
        name=name,
        job=job,
        cron_schedule=cron,
        execution_timezone="UTC",
        default_status=DefaultScheduleStatus.RUNNING,
    )


def _job(name: str, selected: AssetSelection, kind: str, description: str) -> AssetJob:
    # only assets of the pipeline: a code location that uses them may have its own group of the same name; without checks: they read the
    # whole corpus, and a backfill of thousands of documents is hundreds of runs
    selection = (AssetSelection.tag(UNIT_TAG, "document") & selected).without_checks()
    tags = {KIND_TAG: kind, QUEUE_TAG: _QUEUES.get(kind, "cpu")}
    return define_asset_job(
        name, selection=selection, tags=tags, description=description, executor_def=in_process_executor
    )

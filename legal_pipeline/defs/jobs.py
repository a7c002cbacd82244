"""The jobs: named selections of the per-document assets.

Not here: the assets, and when a job runs (`defs.sensors`).
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TypeAlias

from dagster import AssetChecksDefinition, AssetSelection, define_asset_job, in_process_executor
from dagster._core.definitions.unresolved_asset_job_definition import UnresolvedAssetJobDefinition

from legal_pipeline.defs.asset_specs import UNIT_TAG

#: The return type of `define_asset_job`; Dagster exports only the function.
AssetJob: TypeAlias = UnresolvedAssetJobDefinition

#: The kind of a run, by which `deploy/kubernetes` limits the number of concurrent runs: a run that embeds or writes to the store has
#: the kind `index`, a run that only requests prefixes, summaries and questions the kind `enrich`.
KIND_TAG = "legal_pipeline/kind"

#: With Celery workers: the queue in which a run waits (`dagster_celery.tags`, an optional package). Runs that wait for a language model
#: must not block runs that compute.
QUEUE_TAG = "dagster-celery/queue"

#: The groups of the per-document assets that runs make, in order (`defs.asset_specs`).
DOCUMENT_GROUPS = ("documents", "chunks", "enrichment", "index")


def jobs(groups: Collection[str] = DOCUMENT_GROUPS) -> list[AssetJob]:
    """Return `process_document`, which makes all assets of these groups, and the jobs for single groups.

    The others are `parse_and_chunk` (up to `chunks`), `enrich` and `index` (vectors and stores), if their groups are among `groups`.
    """
    described = (
        ("process_document", groups, "index", "A document from its source to the stores."),
        (
            "parse_and_chunk",
            ("documents", "chunks"),
            "parse",
            "A document from its source to its chunks; embeds nothing and writes to no store.",
        ),
        ("enrich", ("enrichment",), "enrich", "Prefixes, summaries and questions of a document's chunks."),
        ("index", ("index",), "index", "The chunks of a document to vectors and into the stores."),
    )
    return [_job(name, own, kind, text) for name, own, kind, text in described if own and set(own) <= set(groups)]


def check_job(checks: AssetChecksDefinition) -> AssetJob:
    """Return the job `check_corpus`."""
    return define_asset_job(
        "check_corpus",
        selection=AssetSelection.checks(*checks.check_keys),
        description="Every check, over the whole corpus.",
        executor_def=in_process_executor,
    )


def _job(name: str, groups: Collection[str], kind: str, description: str) -> AssetJob:
    # only assets of the pipeline: a code location that uses them may have its own group of the same name
    own = AssetSelection.tag(UNIT_TAG, "document") & AssetSelection.groups(*groups)
    # without checks: they read the whole corpus, and a backfill of thousands of documents is hundreds of runs
    selection = own.without_checks()
    tags = {KIND_TAG: kind, QUEUE_TAG: "llm" if kind == "enrich" else "cpu"}
    return define_asset_job(
        name, selection=selection, tags=tags, description=description, executor_def=in_process_executor
    )

"""The jobs: selections of the per-document assets that are asked for by name.

Not here: the assets, and when a job runs (`defs.sensors`).
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TypeAlias

from dagster import AssetChecksDefinition, AssetSelection, define_asset_job, in_process_executor
from dagster._core.definitions.unresolved_asset_job_definition import UnresolvedAssetJobDefinition

from legal_pipeline.defs.asset_specs import UNIT_TAG

#: What `define_asset_job` returns; Dagster exports the function alone.
AssetJob: TypeAlias = UnresolvedAssetJobDefinition

#: What a run does, by which `deploy/kubernetes` limits how many go on at once: one that embeds or writes to the store is
#: of the kind `index`, one that only asks for prefixes, summaries and questions of the kind `enrich`.
KIND_TAG = "legal_pipeline/kind"

#: Where Celery workers do the runs, this names the queue that one waits in (`dagster_celery.tags`, an optional package): what waits on
#: a language model must not hold up what computes.
QUEUE_TAG = "dagster-celery/queue"

#: The groups of the assets that runs make of a document, in order (`defs.asset_specs`).
DOCUMENT_GROUPS = ("documents", "chunks", "enrichment", "index")


def jobs(groups: Collection[str] = DOCUMENT_GROUPS) -> list[AssetJob]:
    """`process_document` (all assets of these groups), and `parse_and_chunk` (up to `chunks`), `enrich` and `index` (vectors and stores)
    where theirs are among them."""
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
    """`check_corpus`."""
    return define_asset_job(
        "check_corpus",
        selection=AssetSelection.checks(*checks.check_keys),
        description="Every check, over the whole corpus.",
        executor_def=in_process_executor,
    )


def _job(name: str, groups: Collection[str], kind: str, description: str) -> AssetJob:
    # of the pipeline's own: who takes the assets into a code location may have a group of the same name there
    own = AssetSelection.tag(UNIT_TAG, "document") & AssetSelection.groups(*groups)
    # without checks: they look at the whole corpus, and a backfill of thousands of documents is hundreds of runs
    selection = own.without_checks()
    tags = {KIND_TAG: kind, QUEUE_TAG: "llm" if kind == "enrich" else "cpu"}
    return define_asset_job(
        name, selection=selection, tags=tags, description=description, executor_def=in_process_executor
    )

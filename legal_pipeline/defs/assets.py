"""The per-document assets: one multi-asset over the pipeline, which may make any subset of them for any number of documents.

Not here: what the assets hold and how they are made (`pipeline`).
"""

# no `from __future__ import annotations`: Dagster reads the type of `config` from the annotation itself
from collections.abc import Iterator, Mapping
from importlib.metadata import version
from typing import Any

from dagster import (
    AssetExecutionContext,
    AssetKey,
    AssetMaterialization,
    AssetObservation,
    AssetsDefinition,
    AssetSpec,
    BackfillPolicy,
    Config,
    Failure,
    MaterializeResult,
    MetadataValue,
    multi_asset,
)
from dagster._core.definitions.data_version import CODE_VERSION_TAG, DATA_VERSION_TAG, get_input_data_version_tag
from pydantic import Field

from legal_pipeline.chunking.histogram import histogram_markdown
from legal_pipeline.defs.materializations import Materializations
from legal_pipeline.defs.partitions import documents
from legal_pipeline.defs.resources import PipelineResource
from legal_pipeline.enrichment.enricher import Usage
from legal_pipeline.pipeline import ASSETS, DEPENDENCIES, Failed, Materialized, RunOptions
from legal_pipeline.stages.change_report import ChangeReport
from legal_pipeline.stages.chunks import SIZES
from legal_pipeline.stages.enrichment import paid

OP_NAME = "documents"

#: The tag by which a run says what changed in the law.
CHANGES_TAG = "legal_pipeline/changes"
_TAG_LENGTH = 250
CODE_VERSION = version("legal-pipeline")

GROUPS = {
    **dict.fromkeys(("context_prefixes", "raptor_summaries", "quim_questions"), "enrichment"),
    **dict.fromkeys(
        (
            "superseded_chunks",
            "chunk_embeddings",
            "question_embeddings",
            "qdrant_chunks",
            "qdrant_questions",
            "pgvector_chunks",
        ),
        "index",
    ),
}

DESCRIPTIONS = {
    "raw_documents": "The bytes that make up the current expression of a document, as they came from its source.",
    "canonical_documents": "One canonical text and a tree of nodes that are spans of it.",
    "amendments": "Amending acts, joined to their base law at query time; never chunked.",
    "provision_versions": "Which wording of each provision held from when to when, and which acts began and ended it.",
    "chunks": "All chunks of a document in text order, whichever strategy cut them.",
    "context_prefixes": "A few words on where each chunk stands and what it does; they are embedded with it.",
    "raptor_summaries": "Summaries of every chapter and of the document, as chunks of a level above.",
    "quim_questions": "Three to five questions that each chunk answers, as a lawyer asks them.",
    "superseded_chunks": "Chunks of earlier expressions whose wording holds no more, each with the interval in which it held (history).",
    "chunk_embeddings": "One vector per chunk and summary.",
    "question_embeddings": "One vector per question.",
    "qdrant_chunks": "The chunks and summaries of a document as points in the vector store, and the manifest that lets readers see them.",
    "pgvector_chunks": "The points of `qdrant_chunks` as rows of PostgreSQL, for those who search with SQL.",
    "qdrant_questions": "The questions of a document as points of their own, each with the chunk that answers it.",
}


class DocumentsConfig(Config):
    """How the documents of a run are processed."""

    force: bool = Field(
        default=False, description="Recompute what is up to date. Stores still write first and delete after."
    )
    strategy: str | None = Field(
        default=None, description="Chunking strategy for all documents of the run, in place of the router's choice."
    )


def document_assets(partitions_per_run: int) -> AssetsDefinition:
    """The multi-asset; a backfill of it starts one run per `partitions_per_run` documents."""

    @multi_asset(
        name=OP_NAME,
        specs=[_spec(key) for key in ASSETS],
        partitions_def=documents,
        can_subset=True,
        backfill_policy=BackfillPolicy.multi_run(partitions_per_run),
        required_resource_keys={"pipeline"},
    )
    def document_assets(context: AssetExecutionContext, config: DocumentsConfig) -> Iterator[MaterializeResult[None]]:
        yield from ()  # a generator that yields nothing: Dagster takes any returned value, None too, for an output
        resource: PipelineResource = context.resources.pipeline
        wanted = [tuple(key.path) for key in context.selected_asset_keys]
        failures: dict[str, Failed] = {}
        report = ChangeReport()
        spent = Usage()
        with resource.open() as pipeline, Materializations(context) as made:
            for event in pipeline.run(
                context.partition_keys, wanted, RunOptions(config.force, config.strategy, run_id=context.run_id)
            ):
                if isinstance(event, Failed):
                    failures[event.document_id] = event
                    context.log.error(_failure_line(event))
                else:
                    # at once and by hand: a yielded output would say that the whole range was made
                    made.log(_materialization(event))
                spent += paid(event)
                report.add(event)
                resource.observe(event)
        _tell_changes(context, report.changes())
        if spent.requests:
            context.log.info(f"the language model was paid for {spent}")
        if failures:
            raise Failure(
                description=f"{len(failures)} of {len(context.partition_keys)} documents failed: {', '.join(sorted(failures))}",
                metadata={
                    document_id: MetadataValue.text(_failure_line(failure))
                    for document_id, failure in sorted(failures.items())
                },
                allow_retries=False,
            )

    return document_assets


def _tell_changes(context: AssetExecutionContext, changes: Mapping[str, Mapping[str, Any]]) -> None:
    """What changed in the law and what was done for it: with each document, and on the run."""
    for document_id, told in changes.items():
        context.log.info(f"{document_id}: {told['summary']}")
        context.log_event(
            AssetObservation(AssetKey("canonical_documents"), partition=document_id, metadata=_metadata(told))
        )
    if changes:
        text = "; ".join(f"{document_id}: {told['summary']}" for document_id, told in changes.items())
        context.instance.add_run_tags(context.run_id, {CHANGES_TAG: text[:_TAG_LENGTH]})


def _spec(key: tuple[str, ...]) -> AssetSpec:
    name = key[-1]
    return AssetSpec(
        AssetKey(key),
        deps=[AssetKey(above) for above in DEPENDENCIES[key]],
        skippable=True,
        group_name=GROUPS.get(key[0], "documents"),
        code_version=CODE_VERSION,
        description=DESCRIPTIONS.get(name)
        if len(key) == 1
        else f"The chunks that the strategy `{name}` made of a document.",
    )


def _materialization(event: Materialized) -> AssetMaterialization:
    tags = {DATA_VERSION_TAG: event.data_version, CODE_VERSION_TAG: CODE_VERSION}
    for above, data_version in event.input_versions.items():
        tags[get_input_data_version_tag(AssetKey(above.split("/")))] = data_version
    return AssetMaterialization(
        asset_key=AssetKey(event.asset_key),
        partition=event.document_id,
        tags=tags,
        metadata={**_metadata(event.metadata), "reused": event.reused},
    )


def _metadata(values: Mapping[str, Any]) -> dict[str, Any]:
    """`values` as Dagster shows them; what it has no kind for is shown as JSON, token counts as a picture, and nothing is as nothing."""
    out: dict[str, Any] = {}
    for name, value in values.items():
        if value is None or (name == SIZES and not value):
            continue
        if name == SIZES:
            out["histogram"] = MetadataValue.md(histogram_markdown(value, "tokens per chunk"))
            continue
        out[name] = value if isinstance(value, str | int | float | bool) else MetadataValue.json(value)
    return out


def _failure_line(failure: Failed) -> str:
    return f"{failure.document_id} in {'/'.join(failure.asset_key)}: {type(failure.error).__name__}: {failure.error}"

"""The per-document assets: one multi-asset over the pipeline; a run makes any subset of the assets for any number of documents.

Not here: the content of the assets (`defs.asset_specs`) and how they are made (`pipeline`).
"""

# no `from __future__ import annotations`: Dagster reads the type of `config` from the annotation itself
import contextlib
from collections.abc import Collection, Iterator, Sequence

from dagster import (
    AssetExecutionContext,
    AssetsDefinition,
    BackfillPolicy,
    Config,
    MaterializeResult,
    multi_asset,
)
from pydantic import Field

from legal_pipeline.defs import failures
from legal_pipeline.defs.asset_keys import PLAIN, AssetKeys
from legal_pipeline.defs.asset_specs import made_specs
from legal_pipeline.defs.jobs import DOCUMENT_GROUPS
from legal_pipeline.defs.partitioning import OP_NAME, batches, partitioning
from legal_pipeline.defs.partitions import documents
from legal_pipeline.defs.reports import reports
from legal_pipeline.defs.resources import Pipelines
from legal_pipeline.enrichment.enricher import Usage
from legal_pipeline.pipeline import ASSETS, Deferred, Failed, Pipeline, RunOptions
from legal_pipeline.processing.enrichment import paid
from legal_pipeline.processing.stage import AssetKey as Key
from legal_pipeline.settings import Settings
from legal_pipeline.stages.pgvector_chunks import KEY as PGVECTOR
from legal_pipeline.stages.qdrant_chunks import KEY as QDRANT
from legal_pipeline.views.change_report import ChangeReport

#: The tag with which a run reports changes in the law; Dagster limits the length of its value.
CHANGES_TAG = "legal_pipeline/changes"
_TAG_LENGTH = 250


class DocumentsConfig(Config):
    """How the documents of a run are processed."""

    force: bool = Field(
        default=False, description="Recompute what is up to date. Stores still write first and delete after."
    )
    strategy: str | None = Field(
        default=None, description="Chunking strategy for all documents of the run, in place of the router's choice."
    )
    due: bool = Field(default=False, description="Take only documents that wait for a run, as the sensors ask for.")
    documents: list[str] | None = Field(
        default=None, description="Take only these documents of the buckets. Default: all of them."
    )


def document_assets(
    settings: Settings, groups: Collection[str] = DOCUMENT_GROUPS, keys: AssetKeys = PLAIN
) -> AssetsDefinition:
    """Return the multi-asset of these groups; `settings` limit the partitions in one run of a backfill."""

    @multi_asset(
        name=OP_NAME,
        specs=[keys.spec(spec) for spec in made_specs() if spec.group_name in groups],
        partitions_def=documents,
        can_subset=True,
        backfill_policy=BackfillPolicy.multi_run(partitioning(settings).per_run(settings)),
        required_resource_keys={"pipeline"},
    )
    def document_assets(context: AssetExecutionContext, config: DocumentsConfig) -> Iterator[MaterializeResult[None]]:
        yield from ()  # a generator that yields nothing: Dagster takes every returned value, also None, as an output
        resource: Pipelines = context.resources.pipeline
        wanted = [key for key in ASSETS if keys.of(key) in context.selected_asset_keys]
        failed: dict[str, Failed] = {}
        report = ChangeReport()
        spent = Usage()
        with resource.open() as pipeline, contextlib.ExitStack() as stack:
            settings = pipeline.resources.settings
            # a run that is executed again takes all documents: those that failed are not due
            due = config.due and context.run.parent_run_id is None
            taken = _taken(context, config, pipeline, due=due)
            # events are logged by ourselves: a yielded output would mark the whole range as made
            shown = stack.enter_context(
                contextlib.closing(reports(context, keys, pipeline, partitioning(settings), taken, wanted))
            )
            reported_with = _published_key(wanted, settings.store_names)
            options = RunOptions(config.force, config.strategy, run_id=context.run_id, due=due)
            for document_ids, complete in batches(taken, settings.partitions_per_run):
                # closed while the pipeline is open, also after an interrupt between two events
                with contextlib.closing(pipeline.run(document_ids, wanted, options)) as events:
                    for event in events:
                        spent += paid(event)
                        report.add(event)
                        if isinstance(event, Failed) and not isinstance(event, Deferred):
                            failed[event.document_id] = event
                        shown.add(event, report.change(event.document_id) if event.asset_key == reported_with else None)
                        resource.observe(event)
                shown.complete(complete)
        _log_changes(context, report)
        if spent.requests:
            context.log.info(f"the language model was paid for {spent}")
        if failed:
            raise failures.run_failure(failed, sum(map(len, taken.values())))

    return document_assets


def _taken(
    context: AssetExecutionContext, config: DocumentsConfig, pipeline: Pipeline, *, due: bool
) -> dict[str, list[str]]:
    """Return the documents of the run, by partition.

    Raises `ConfigurationError` if the home has another partitioning than the settings.
    """
    own = partitioning(pipeline.resources.settings)
    own.verify(pipeline.registry.database)
    partition_keys = list(context.partition_keys)
    if config.documents is not None:
        by_key = own.keys_of(pipeline.registry, config.documents)
        return {key: by_key.get(key, []) for key in partition_keys}
    found = own.documents_of(pipeline.registry, partition_keys, due=due)
    return {key: documents for key, documents in found.items() if documents or not due}


def _published_key(wanted: Sequence[Key], stores: Collection[str]) -> Key:
    """Return the asset of a run that publishes a document, else the run's last asset: its event has the report of changes in the law."""
    published = [
        key for key, store in ((QDRANT, "qdrant"), (PGVECTOR, "pgvector")) if key in wanted and store in stores
    ]
    return published[0] if published else wanted[-1]


def _log_changes(context: AssetExecutionContext, report: ChangeReport) -> None:
    """Report the changes in the law on the run: all of them in its log, and in a tag those of as many documents as fit completely."""
    lines = [f"{document_id}: {facts['summary']}" for document_id, facts in report.changes().items()]
    for line in lines:
        context.log.info(line)
    if lines:
        context.instance.add_run_tags(context.run_id, {CHANGES_TAG: changes_tag(lines)})


def changes_tag(lines: Sequence[str]) -> str:
    """Return the text of the tag: as many of `lines` as fit into 250 characters, and how many documents are left out."""
    kept = list(lines)
    while kept:
        left_out = len(lines) - len(kept)
        text = "; ".join([*kept, *([f"and {left_out} more documents"] if left_out else [])])
        if len(text) <= _TAG_LENGTH:
            return text
        kept.pop()
    more = f" and {len(lines) - 1} more documents" if len(lines) > 1 else ""
    return f"{lines[0].partition(':')[0]}{more}: in words on the materializations of canonical_documents"

"""How a run reports a failed document to Dagster: on the partition of the asset that failed, and on no other asset.

Not here: the failures (`errors`) and their record in the registry (`pipeline`).
"""

from __future__ import annotations

import logging
from collections.abc import Mapping

from dagster import AssetKey, AssetObservation, DagsterEvent, Failure, MetadataValue, OpExecutionContext
from dagster._core.events import AssetMaterializationPlannedData

from legal_pipeline.defs.asset_keys import PLAIN, AssetKeys
from legal_pipeline.errors import LegalPipelineError
from legal_pipeline.processing.stage import Deferred, Failed

#: Maximum number of failures in the run's description; the log has all of them.
_MAX_NAMED = 5


def reason(failure: Failed) -> dict[str, str]:
    """Return the details of the error, as far as it has them: `error` (its type), `reason`, `position`, `expected`, `format`."""
    error = failure.error
    facts = {"error": type(error).__name__, "reason": str(getattr(error, "message", "") or error) or "no reason given"}
    facts |= {name: str(value) for name in ("position", "expected", "format") if (value := getattr(error, name, ""))}
    if not isinstance(error, LegalPipelineError):
        facts["defect"] = "not foreseen: please report it; the log of the process has the stack"
    return facts


def sentence(failure: Failed) -> str:
    return f"{failure.document_id} in {'/'.join(failure.asset_key)}: {type(failure.error).__name__}: {failure.error}"


def report(context: OpExecutionContext, failure: Failed, partition: str, keys: AssetKeys = PLAIN) -> None:
    """Log the reason as an observation of the partition; for a document that waits, the reason for waiting: nothing failed."""
    if isinstance(failure, Deferred):
        text = f"{failure.document_id} in {'/'.join(failure.asset_key)}: {failure.error}"
        context.log.info(text)
        facts = {"waiting_for": str(failure.error)}
    else:
        text, facts = sentence(failure), reason(failure)
        context.log.error(text)
    metadata = {name: MetadataValue.text(fact) for name, fact in facts.items()}
    asset = keys.of(failure.asset_key)
    context.log_event(AssetObservation(asset, description=text, partition=partition, metadata=metadata))


def mark_failed(context: OpExecutionContext, asset: AssetKey, partition: str) -> None:
    """Show the partition as failed at this asset, until it is materialized; the downstream assets stay unchanged."""
    planned = AssetMaterializationPlannedData(asset, partition=partition)
    event = DagsterEvent.build_asset_materialization_planned_event(context.job_name, context.op.name, planned)
    context.instance.report_dagster_event(event, context.run_id, logging.DEBUG)


def run_failure(failures: Mapping[str, Failed], documents: int) -> Failure:
    """Return the failure that ends the run: all reasons in its metadata, the first ones in its description."""
    sentences = [sentence(failures[document_id]) for document_id in sorted(failures)]
    more = [f"and {len(sentences) - _MAX_NAMED} more"] if len(sentences) > _MAX_NAMED else []
    return Failure(
        description=f"{len(sentences)} of {documents} documents failed: {'; '.join([*sentences[:_MAX_NAMED], *more])}",
        metadata={document_id: MetadataValue.text(sentence(failures[document_id])) for document_id in sorted(failures)},
        allow_retries=False,
    )

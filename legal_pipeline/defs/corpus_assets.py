"""Corpus-wide assets: what is made of the chunks of all documents. Made again when any document's chunks changed.

Not here: the per-document assets (`defs.assets`), and how files and figures are made (`stages`, `chunking.metrics`).
"""

# no `from __future__ import annotations`: Dagster compares the type of `context` with its own classes
from collections import Counter
from typing import Any

from dagster import AssetExecutionContext, AssetKey, AutomationCondition, MaterializeResult, MetadataValue, asset

from legal_pipeline.chunking.histogram import histogram_markdown
from legal_pipeline.chunking.metrics import Spread
from legal_pipeline.pipeline import Pipeline
from legal_pipeline.stages import chunks
from legal_pipeline.stages.chunks_jsonl import write_chunks_jsonl
from legal_pipeline.stages.stage import Batch

GROUP = "corpus"

#: Not `eager()` on every document's asset, which takes half a minute per tick at 11,000 partitions: only these few ask.
_WHEN_CHUNKS_CHANGED = AutomationCondition.any_deps_updated() & ~AutomationCondition.in_progress()


@asset(
    deps=[AssetKey(chunks.KEY)],
    group_name=GROUP,
    automation_condition=_WHEN_CHUNKS_CHANGED,
    required_resource_keys={"pipeline"},
    description="The chunk table of all documents as one file of JSON lines, in the schema of seed 002.",
)
def chunks_jsonl(context: AssetExecutionContext) -> MaterializeResult[None]:
    with context.resources.pipeline.open() as pipeline:
        target = pipeline.resources.settings.home / "export" / "chunks.jsonl"
        target.parent.mkdir(parents=True, exist_ok=True)
        exported = write_chunks_jsonl(pipeline.registry, pipeline.warehouse, target)
    return MaterializeResult(
        metadata={
            "file": MetadataValue.path(str(target)),
            "documents": exported.documents,
            "chunks": exported.chunks,
            "near_duplicates": exported.near_duplicates,
            "withheld": exported.withheld,
        }
    )


@asset(
    deps=[AssetKey(chunks.KEY)],
    group_name=GROUP,
    automation_condition=_WHEN_CHUNKS_CHANGED,
    required_resource_keys={"pipeline"},
    description="Figures of all documents' chunks: counts by strategy and type, sizes, coverage, anomalies.",
)
def chunk_report(context: AssetExecutionContext) -> MaterializeResult[None]:
    with context.resources.pipeline.open() as pipeline:
        return MaterializeResult(metadata=report(pipeline))


def report(pipeline: Pipeline) -> dict[str, Any]:
    """The figures as metadata values; documents whose chunks were never made are not in them."""
    ids = [document.document_id for document in pipeline.registry.documents()]
    batch = Batch(ids, pipeline.resources)
    stamps = {document_id: stamp for document_id in ids if (stamp := batch.table_stamp(chunks.KEY, document_id))}
    strategies: Counter[str] = Counter()
    types: Counter[str] = Counter()
    anomalies: Counter[str] = Counter()
    sizes: list[int] = []
    for stamp in stamps.values():
        strategies.update(stamp.facts["by_strategy"])
        types.update(stamp.facts["by_type"])
        anomalies.update(anomaly["kind"] for anomaly in stamp.facts["anomalies"])
        sizes.extend(stamp.facts[chunks.SIZES])
    spread = Spread.of(sizes)
    return {
        "documents": len(stamps),
        "chunks": len(sizes),
        "by_strategy": MetadataValue.json(dict(strategies)),
        "by_type": MetadataValue.json(dict(types)),
        "tokens_median": spread.median,
        "tokens_p95": spread.p95,
        "tokens_max": spread.maximum,
        "lowest_coverage": min((stamp.facts["coverage"] for stamp in stamps.values()), default=1.0),
        "anomalies": MetadataValue.json(dict(anomalies)),
        **({"histogram": MetadataValue.md(histogram_markdown(sizes, "tokens per chunk"))} if sizes else {}),
    }

"""Corpus-wide assets, made from the chunks of all documents. Made again when any document's chunks change.

Not here: the per-document assets (`defs.assets`), and how files and figures are made (`stages`, `chunking.metrics`).
"""

# no `from __future__ import annotations`: Dagster compares the type of `context` with its own classes
from dataclasses import asdict
from typing import Any

from dagster import AssetExecutionContext, AssetKey, MaterializeResult, MetadataValue, asset

from legal_pipeline.chunking.histogram import histogram_markdown
from legal_pipeline.chunking.metrics import Spread
from legal_pipeline.corpus_assets.chunk_report import make_chunk_report
from legal_pipeline.corpus_assets.chunks_jsonl import export_path, write_chunks_jsonl
from legal_pipeline.defs.automation import WHEN_DOCUMENTS_CHANGED
from legal_pipeline.pipeline import Pipeline
from legal_pipeline.stages import chunks

GROUP = "corpus"


@asset(
    deps=[AssetKey(chunks.KEY)],
    group_name=GROUP,
    automation_condition=WHEN_DOCUMENTS_CHANGED,
    required_resource_keys={"pipeline"},
    description="The chunk table of all documents as one file of JSON lines, in the schema of the reference (docs/reference/schemas.md).",
)
def chunks_jsonl(context: AssetExecutionContext) -> MaterializeResult[None]:
    with context.resources.pipeline.open() as pipeline:
        target = export_path(pipeline.resources.settings.home)
        target.parent.mkdir(parents=True, exist_ok=True)
        exported = write_chunks_jsonl(pipeline.registry, pipeline.warehouse, target)
    return MaterializeResult(metadata={"file": MetadataValue.path(str(target)), **asdict(exported)})


@asset(
    deps=[AssetKey(chunks.KEY)],
    group_name=GROUP,
    automation_condition=WHEN_DOCUMENTS_CHANGED,
    required_resource_keys={"pipeline"},
    description="Figures of all documents' chunks: counts by strategy and type, sizes, coverage, anomalies.",
)
def chunk_report(context: AssetExecutionContext) -> MaterializeResult[None]:
    with context.resources.pipeline.open() as pipeline:
        return MaterializeResult(metadata=report(pipeline))


def report(pipeline: Pipeline) -> dict[str, Any]:
    """Return the figures as metadata values; documents without chunks are not counted."""
    totals = make_chunk_report(pipeline.resources)
    sizes = totals.sizes
    spread = Spread.of(sizes)
    return {
        "documents": totals.documents,
        "chunks": len(sizes),
        "by_strategy": MetadataValue.json(totals.by_strategy),
        "by_type": MetadataValue.json(totals.by_type),
        "tokens_median": spread.median,
        "tokens_p95": spread.p95,
        "tokens_max": spread.maximum,
        "lowest_coverage": totals.lowest_coverage,
        "anomalies": MetadataValue.json(totals.anomalies),
        "documents_read": totals.documents_read,
        **({"histogram": MetadataValue.md(histogram_markdown(sizes, "tokens per chunk"))} if sizes else {}),
    }

"""Asset checks over the whole corpus: they report. What makes one document unfit to publish fails that document, in the library.

Not here: the promises themselves (`chunking`, `stores`).
"""

# no `from __future__ import annotations`: Dagster compares the type of `context` with its own classes
from collections import Counter
from collections.abc import Iterator

import pyarrow.compute as pc
from dagster import (
    AssetCheckExecutionContext,
    AssetCheckResult,
    AssetChecksDefinition,
    AssetCheckSeverity,
    AssetKey,
    MetadataValue,
    asset_check,
)

from legal_pipeline.chunking.packing import MAX_TOKENS
from legal_pipeline.pipeline import Pipeline
from legal_pipeline.stages import chunks, qdrant_chunks, raw_documents
from legal_pipeline.stages.stage import Batch, Stamp

#: As many offenders are named; the number says how many there are.
_NAMED = 20


def corpus_checks() -> list[AssetChecksDefinition]:
    """One function per check; each opens the pipeline, reads what it needs, and names the documents that do not hold."""
    return [_coverage(), _token_limit(), _unique(), _store_count(), _failed_documents()]


def _coverage() -> AssetChecksDefinition:
    @asset_check(
        asset=AssetKey(chunks.KEY),
        name="coverage",
        description="Every character of a document is in a chunk or in an exclusion with its reason.",
        required_resource_keys={"pipeline"},
    )
    def check(context: AssetCheckExecutionContext) -> AssetCheckResult:
        with context.resources.pipeline.open() as pipeline:
            lowest = {document_id: stamp.facts["coverage"] for document_id, stamp in _stamps(pipeline)}
        return _result(
            [key for key, coverage in lowest.items() if coverage < 1],
            len(lowest),
            lowest=min(lowest.values(), default=1.0),
        )

    return check


def _token_limit() -> AssetChecksDefinition:
    @asset_check(
        asset=AssetKey(chunks.KEY),
        name="token_limit",
        description=f"No chunk has more than {MAX_TOKENS} tokens, except one that may not be split and is marked so.",
        required_resource_keys={"pipeline"},
    )
    def check(context: AssetCheckExecutionContext) -> AssetCheckResult:
        wrong = []
        documents = 0
        with context.resources.pipeline.open() as pipeline:
            for document_id, stamp in _stamps(pipeline):
                documents += 1
                if stamp.facts["tokens_max"] <= MAX_TOKENS:
                    continue
                table = pipeline.warehouse.read_table(chunks.KEY, document_id, ["num_tokens", "metadata"])
                marked = pc.fill_null(pc.struct_field(table["metadata"], "oversized"), False)
                if pc.any(pc.and_(pc.greater(table["num_tokens"], MAX_TOKENS), pc.invert(marked))).as_py():
                    wrong.append(document_id)
        return _result(wrong, documents)

    return check


def _unique() -> AssetChecksDefinition:
    @asset_check(
        asset=AssetKey(chunks.KEY),
        name="unique_ids_and_paths",
        description="A chunk id stands once in the corpus, a path once in its document and strategy.",
        required_resource_keys={"pipeline"},
    )
    def check(context: AssetCheckExecutionContext) -> AssetCheckResult:
        owner: dict[str, str] = {}
        wrong: set[str] = set()
        documents = 0
        with context.resources.pipeline.open() as pipeline:
            for document_id in _documents(pipeline):
                documents += 1
                table = pipeline.warehouse.read_table(chunks.KEY, document_id, ["chunk_id", "strategy", "path"])
                ids = table["chunk_id"].to_pylist()
                paths = Counter(zip(table["strategy"].to_pylist(), table["path"].to_pylist(), strict=True))
                if len(set(ids)) < len(ids) or any(number > 1 for number in paths.values()):
                    wrong.add(document_id)
                wrong.update(document_id for chunk_id in ids if owner.setdefault(chunk_id, document_id) != document_id)
        return _result(sorted(wrong), documents, chunks=len(owner))

    return check


def _store_count() -> AssetChecksDefinition:
    @asset_check(
        asset=AssetKey(qdrant_chunks.KEY),
        name="store_count",
        description="The store holds as many points of a document as are published of it, and all of them in sum.",
        required_resource_keys={"pipeline"},
    )
    def check(context: AssetCheckExecutionContext) -> AssetCheckResult:
        with context.resources.pipeline.open() as pipeline:
            published = pipeline.registry.published_counts(qdrant_chunks.COLLECTION)
            tables = {document_id: stamp.facts["chunks"] for document_id, stamp in _stamps(pipeline)}
            completed = {document.document_id for document in pipeline.registry.documents(status="completed")}
            wrong = [key for key, number in tables.items() if key in completed and published.get(key, 0) != number]
            expected = sum(published.values())
            found = pipeline.resources.store.count(qdrant_chunks.COLLECTION) if published else 0
        return AssetCheckResult(
            passed=not wrong and found == expected,
            metadata={
                "points": found,
                "published": expected,
                "documents": len(published),
                "wrong": len(wrong),
                "first_wrong": MetadataValue.json(sorted(wrong)[:_NAMED]),
            },
        )

    return check


def _failed_documents() -> AssetChecksDefinition:
    @asset_check(
        asset=AssetKey(raw_documents.KEY),
        name="failed_documents",
        description="No document is in the state `failed`.",
        required_resource_keys={"pipeline"},
    )
    def check(context: AssetCheckExecutionContext) -> AssetCheckResult:
        with context.resources.pipeline.open() as pipeline:
            counts = pipeline.registry.counts()
            failed = pipeline.registry.documents(status="failed")
        return AssetCheckResult(
            passed=not failed,
            severity=AssetCheckSeverity.WARN,  # their last good versions are still served
            metadata={
                "documents": MetadataValue.json(counts),
                "errors": MetadataValue.json({row.document_id: row.last_error for row in failed[:_NAMED]}),
            },
        )

    return check


def _documents(pipeline: Pipeline) -> list[str]:
    """Documents with a chunk table, without the removed ones."""
    there = {document.document_id for document in pipeline.registry.documents()}
    return [document_id for document_id in pipeline.warehouse.documents(chunks.KEY) if document_id in there]


def _stamps(pipeline: Pipeline) -> Iterator[tuple[str, Stamp]]:
    batch = Batch([], pipeline.resources)
    for document_id in _documents(pipeline):
        stamp = batch.table_stamp(chunks.KEY, document_id)
        if stamp is not None:
            yield document_id, stamp


def _result(wrong: list[str], documents: int, **figures: float) -> AssetCheckResult:
    return AssetCheckResult(
        passed=not wrong,
        metadata={
            "documents": documents, "wrong": len(wrong), "first_wrong": MetadataValue.json(wrong[:_NAMED]), **figures,
        },
    )  # fmt: skip

"""Asset checks over the whole corpus; they only report. A document that is unfit to publish already fails in the library.

Not here: the checked invariants (`chunking`, `stores`).
"""

# no `from __future__ import annotations`: Dagster compares the type of `context` with its own classes
from collections.abc import Collection, Iterator

from dagster import (
    AssetCheckExecutionContext,
    AssetCheckResult,
    AssetChecksDefinition,
    AssetCheckSeverity,
    AssetCheckSpec,
    MetadataValue,
    multi_asset_check,
)

from legal_pipeline.chunking.packing import MAX_TOKENS
from legal_pipeline.corpus_assets.chunk_figures import figures, refresh, sharing_chunk_ids
from legal_pipeline.defs import tags
from legal_pipeline.defs.asset_keys import PLAIN, AssetKeys
from legal_pipeline.defs.check_outcome import NAMED, Checks, Outcome, outcome
from legal_pipeline.defs.enrichment_checks import ENRICHMENT_CHECKS
from legal_pipeline.defs.freshness_checks import FRESHNESS_CHECKS
from legal_pipeline.defs.pgvector_checks import PGVECTOR_CHECKS
from legal_pipeline.pipeline import Pipeline
from legal_pipeline.registry.listing import document_ids
from legal_pipeline.stages import chunks, qdrant_chunks, raw_documents


def corpus_checks(
    assets: Collection[tuple[str, ...]] | None = None, keys: AssetKeys = PLAIN
) -> AssetChecksDefinition | None:
    """Return the checks of `assets` (None: of all) as one step, of which any subset can be run; None if these assets have no checks.

    The job `check_corpus` runs them all.
    """
    checks = {name: check for name, check in CHECKS.items() if assets is None or check[0] in assets}
    if not checks:
        return None

    @multi_asset_check(
        name="corpus_checks",
        specs=[
            AssetCheckSpec(name, asset=keys.of(key), description=description)
            for name, (key, description, _) in checks.items()
        ],
        can_subset=True,
        required_resource_keys={"pipeline"},
    )
    def check(context: AssetCheckExecutionContext) -> Iterator[AssetCheckResult]:
        if tags.BACKFILL in context.run.tags:
            # Dagster adds the checks to every run of a backfill; each run would check the whole corpus again
            context.log.info("not checked within a backfill; the job check_corpus does that")
            return
        wanted = {key.name for key in context.selected_asset_check_keys}
        with context.resources.pipeline.open() as pipeline:
            refresh(pipeline.resources)
            for name, (key, _, look) in checks.items():
                if name in wanted:
                    passed, metadata = look(pipeline)
                    yield AssetCheckResult(
                        check_name=name,
                        asset_key=keys.of(key),
                        passed=passed,
                        metadata=metadata,
                        severity=_severity(name),
                    )

    return check


def _coverage(pipeline: Pipeline) -> Outcome:
    found = {row["document_id"]: row["coverage"] for row in figures(pipeline.registry.database, "coverage")}
    wrong = [document_id for document_id, coverage in found.items() if coverage < 1]
    return outcome(wrong, len(found), lowest=min(found.values(), default=1.0))


def _token_limit(pipeline: Pipeline) -> Outcome:
    over_limit = {row["document_id"]: row["over_limit"] for row in figures(pipeline.registry.database, "over_limit")}
    return outcome([document_id for document_id, is_over in over_limit.items() if is_over], len(over_limit))


def _unique(pipeline: Pipeline) -> Outcome:
    wrong, documents, number = sharing_chunk_ids(pipeline.registry.database), 0, 0
    for row in figures(pipeline.registry.database, "repeats", "tokens"):
        wrong |= {row["document_id"]} if row["repeats"] else set()
        documents += 1
        number += len(row["tokens"])
    return outcome(wrong, documents, chunks=number)


def _store_count(pipeline: Pipeline) -> Outcome:
    if "qdrant" not in pipeline.resources.settings.store_names:
        return outcome((), 0)
    published = pipeline.registry.manifests.published_counts(qdrant_chunks.COLLECTION)
    completed = document_ids(pipeline.registry.database, "completed")
    points = {row["document_id"]: row["points"] for row in figures(pipeline.registry.database, "points")}
    # a completed document without figures has lost its chunks
    wrong = [name for name in completed if published.get(name, 0) != points.get(name)]
    expected = sum(published.values())
    found = pipeline.resources.store.count(qdrant_chunks.COLLECTION) if published else 0
    passed, metadata = outcome(wrong, len(published), points=found, published=expected)
    return passed and found == expected, metadata


def _failed_documents(pipeline: Pipeline) -> Outcome:
    failed = pipeline.registry.documents(status="failed")
    return not failed, {
        "documents": MetadataValue.json(pipeline.registry.counts()),
        "errors": MetadataValue.json({row.document_id: row.last_error for row in failed[:NAMED]}),
    }


CHECKS: Checks = {
    "coverage": (
        chunks.KEY, "Every character of a document is in a chunk or in an exclusion with its reason.", _coverage,
    ),
    "token_limit": (
        chunks.KEY,
        f"No chunk has more than {MAX_TOKENS} tokens, except one that may not be split and is marked so.",
        _token_limit,
    ),
    "unique_ids_and_paths": (
        chunks.KEY, "A chunk id is unique in the corpus, a path in its document and strategy.", _unique,
    ),
    "store_count": (
        qdrant_chunks.KEY,
        "Each completed document has as many published points as chunks and summaries, and the store holds all of them.",
        _store_count,
    ),
    "failed_documents": (raw_documents.KEY, "No document is in the state `failed`.", _failed_documents),
    **ENRICHMENT_CHECKS,
    **FRESHNESS_CHECKS,
    **PGVECTOR_CHECKS,
}  # fmt: skip


_WARNINGS = ("failed_documents", "denial_arguments", "silence", "staleness")


def _severity(name: str) -> AssetCheckSeverity:
    # the last good versions of failed documents are still served
    # and two matching phrases are a hint, not a proof
    return AssetCheckSeverity.WARN if name in _WARNINGS else AssetCheckSeverity.ERROR

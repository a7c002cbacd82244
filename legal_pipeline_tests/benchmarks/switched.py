"""Switching a home to another partitioning and back: nothing may be lost, and every answer stays the same.

Not a command: `benchmarks.buckets` and `benchmarks.scale` use it.
"""

from __future__ import annotations

from collections.abc import Iterable

from dagster import AssetKey, DagsterInstance

from legal_pipeline.defs import partitions
from legal_pipeline.defs.partitioning import Partitioning, partitioning
from legal_pipeline.defs.switching import Switch, switch
from legal_pipeline.pipeline import ASSETS, Pipeline
from legal_pipeline_tests.benchmarks.meter import Meter, Spent

_QUERIES = 50
_COLLECTION = "legal_chunks"


def switch_there_and_back(
    instance: DagsterInstance, pipeline: Pipeline, meter: Meter, there: Partitioning
) -> list[tuple[Switch, Spent]]:
    """Switch to `there` and back to the present partitioning; return what each switch did and took.

    Ends with an error if stores, answers or rows of the registry are others than before in either partitioning, if a published document
    has no materialization in partitions of one document, or if Dagster does not know all that it knew before.
    """
    back = partitioning(pipeline.resources.settings)
    known, before, answers = _materialized(instance), _rows(pipeline), _answers(pipeline)
    published = set(pipeline.registry.manifests.published_counts(_COLLECTION))
    done = []
    for to in (there, back):
        with meter.measured() as spent:
            done.append((switch(instance, pipeline, to), spent))
        if (_rows(pipeline), _answers(pipeline)) != (before, answers):
            raise SystemExit(f"in partitions of {to}, the rows, the stores or the answers are others than before")
        if to.buckets is None and not published <= _materialized(instance)[("qdrant_chunks",)]:
            raise SystemExit("published documents have no materialization in partitions of one document")
    now = _materialized(instance)
    if lost := sorted(asset for asset, keys in known.items() if not keys <= now[asset]):
        raise SystemExit(f"switching there and back lost materializations of {lost}")
    return done


def describe(switches: Iterable[tuple[Switch, Spent]], documents: int) -> None:
    for found, spent in switches:
        print(
            f"switch to {found.after}: {spent.ours * 1000 / documents:.2f} + {spent.postgres * 1000 / documents:.2f} s for each 1,000 "
            f"documents, {spent.wall:.0f} s in all; {found.added:,} partitions, {found.events:,} events; the same stores and answers",
            flush=True,
        )


def _rows(pipeline: Pipeline) -> dict[str, object]:
    return {row.document_id: row.processed_at for row in pipeline.registry.documents()}


def _answers(pipeline: Pipeline) -> tuple[dict[str, dict[str, str]], dict[str, list[tuple[str, str, float]]]]:
    """Return (store -> document -> hash of its points, query -> (document, chunk, score) of its hits), for words of some documents."""
    resources = pipeline.resources
    files = sorted(resources.settings.watched_directory.rglob("*.txt"))
    chosen = files[:: max(1, len(files) // _QUERIES)][:_QUERIES]
    hits = {
        query: pipeline.search(query) for query in (" ".join(path.read_text("utf-8").split()[22:28]) for path in chosen)
    }
    return (
        {type(store).__name__: store.document_hashes(_COLLECTION) for store in (resources.store, resources.pgvector)},
        {query: [(hit.document_id, hit.chunk_id, hit.score) for hit in found] for query, found in hits.items()},
    )


def _materialized(instance: DagsterInstance) -> dict[tuple[str, ...], set[str]]:
    """Return asset -> its partitions with a materialization."""
    present = set(instance.get_dynamic_partitions(partitions.NAME))
    return {asset: instance.get_materialized_partitions(AssetKey(asset)) & present for asset in ASSETS}

"""Unreadable collections: finds them and rebuilds them from the tables of the warehouse.

Not here: other differences between the registry, the warehouse and the stores (`reconcile`).
"""

from __future__ import annotations

from collections.abc import Iterator

from legal_pipeline.corpus_assets import practice_area_trees
from legal_pipeline.errors import DamagedCollectionError, DocumentError
from legal_pipeline.pipeline import STAGES, Pipeline
from legal_pipeline.processing import generations
from legal_pipeline.processing.publication import Publication
from legal_pipeline.processing.stage import Batch
from legal_pipeline.stores.store import Point

#: The stages that write points to a store.
PUBLICATIONS = tuple(stage for stage in STAGES if isinstance(stage, Publication))


def verify_collections(pipeline: Pipeline) -> tuple[tuple[str, ...], dict[str, dict[str, str]]]:
    """Return the aliases of the collections whose files cannot be read, and `VectorStore.document_hashes` of each of the others by name."""
    found: list[str] = []
    hashes: dict[str, dict[str, str]] = {}
    for stage in PUBLICATIONS:
        if stage.has_manifest and stage.is_on(pipeline.resources):
            store = stage.store(pipeline.resources)
            try:
                if (live := store.live(stage.collection)) is not None:
                    hashes[live.name] = store.verify(live.name)
            except DamagedCollectionError:
                found.append(stage.collection)
    return tuple(found), hashes


def rebuild(pipeline: Pipeline, alias: str) -> int:
    """Build a new collection with the present settings from the tables of all documents published in the damaged one.

    Searches then read the new collection. Returns its number of points. A document whose tables cannot be read or make no points is left
    out; the comparison of tables reports it.
    """
    resources, registry = pipeline.resources, pipeline.registry
    (stage,) = (
        publication for publication in PUBLICATIONS if publication.has_manifest and publication.collection == alias
    )
    (trees,) = (publication for publication in practice_area_trees.PUBLICATIONS if publication.has_manifest)
    store, model, dimension = (
        stage.store(resources),
        generations.present_model(resources),
        resources.embedders.dimension,
    )
    name = store.generation_for(alias, dimension, model)
    batch = Batch([], resources)

    def documents() -> Iterator[list[Point]]:
        for document_id in {**registry.manifests.published_counts(alias), **registry.manifests.published_counts(name)}:
            of_tree = alias == trees.collection and practice_area_trees.is_tree(batch, document_id)
            made_by = trees if of_tree else stage
            try:
                points = made_by.points(batch, document_id)
            except (DocumentError, OSError, ValueError):
                continue
            manifest = made_by.manifest(points)
            # searches cannot read the damaged collection, so no search sees the manifest before the points
            if points and registry.manifests.published(document_id, name) != manifest:
                registry.manifests.publish(document_id, name, manifest)
            yield points

    written = store.rebuild(name, dimension, model, documents())
    store.go_live(alias, name)
    registry.manifests.go_live(alias, name)
    return written

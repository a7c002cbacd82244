"""The collections of one alias: which model each is of, which one searches read, and when another takes its place.

With another embedding model (or another way of storing) documents are written to a new collection beside the old one, which searches go on
to read with the old model. As soon as the new one has every document that the old one has published, it takes its place; the old one is
dropped. Not here: how a document is written (`processing.publication`) and what a search reads (`views.published_index`).
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING

from legal_pipeline.embedding.registry import durable_setting
from legal_pipeline.errors import LegalPipelineError
from legal_pipeline.stores.store import Generation, Model, VectorStore

if TYPE_CHECKING:
    from legal_pipeline.processing.publication import Publication
    from legal_pipeline.processing.stage import Resources

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class State:
    """A collection and how far it is. `missing`: documents that the live collection has and this one has not, which keep it from taking
    its place."""

    store: str
    alias: str
    generation: Generation
    documents: int
    missing: tuple[str, ...]


def prepare(resources: Resources, publication: Publication, store: VectorStore) -> Generation:
    """The collection that documents are written to: the one of the present settings."""
    generation = store.prepare(publication.collection, resources.embedder.dimension, present_model(resources))
    if generation.live and publication.has_manifest:
        resources.registry.manifests.go_live(publication.collection, generation.name)
    return generation


def present_model(resources: Resources) -> Model:
    """That of the present settings."""
    return Model(resources.embedder.name, durable_setting(resources.settings.embedding_model))


def switch_if_complete(
    resources: Resources, publication: Publication, store: VectorStore, generation: Generation
) -> None:
    """Let the collection take the place of the live one if it has every document that is published there, and drop that one.

    Killed on the way, or kept from it by the store, it is done by the next run; what is left of the old collection goes with `sweep`.
    """
    if generation.live:
        return
    try:
        live = store.live(publication.collection)
        if live is None or live.name == generation.name or _missing(resources, publication, live, generation):
            return
        store.go_live(publication.collection, generation.name)
        if publication.has_manifest:
            resources.registry.manifests.go_live(publication.collection, generation.name)
        _drop(resources, publication, store, live)
        _log.info("searches read %s (%s) from now on", generation.name, generation.model.name)
    except LegalPipelineError as error:
        # the documents are written: what is left to do is the next run's
        _log.warning("%s is complete, but could not take its place: %s", generation.name, error)


def states(resources: Resources, publication: Publication) -> list[State]:
    """All collections of the publication's alias; none where its store is off or nothing was indexed."""
    if publication.store_name not in resources.settings.store_names:
        return []
    found = publication.store(resources).generations(publication.collection)
    live = next((generation for generation in found if generation.live), None)
    return [
        State(
            publication.store_name,
            publication.collection,
            generation,
            len(_documents(resources, publication, generation)),
            tuple(_missing(resources, publication, live, generation)) if live is not None else (),
        )
        for generation in found
    ]


def sweep(resources: Resources, publication: Publication) -> list[str]:
    """Drop the collections that are neither live nor of the present settings; their names."""
    if publication.store_name not in resources.settings.store_names:
        return []
    store = publication.store(resources)
    found = store.generations(publication.collection)
    if not any(generation.live for generation in found):
        return []
    kept = prepare(resources, publication, store).name
    dropped = [generation for generation in found if not generation.live and generation.name != kept]
    for generation in dropped:
        _drop(resources, publication, store, generation)
    return [generation.name for generation in dropped]


def _drop(resources: Resources, publication: Publication, store: VectorStore, generation: Generation) -> None:
    store.drop(generation.name)
    if publication.has_manifest:
        resources.registry.manifests.forget_collection(generation.name)


def _missing(resources: Resources, publication: Publication, live: Generation, generation: Generation) -> list[str]:
    published = _documents(resources, publication, live)
    return sorted(published - _documents(resources, publication, generation))


def _documents(resources: Resources, publication: Publication, generation: Generation) -> set[str]:
    if publication.has_manifest:
        return set(resources.registry.manifests.published_counts(generation.name))
    return resources.pgvector.documents(generation.name)

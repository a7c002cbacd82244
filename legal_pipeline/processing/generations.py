"""The collections of one alias: the model of each, the collection that searches read, and its replacement.

With another embedding model (or another storage format) documents are written to a new collection, while searches continue to read the old
collection with the old model. When the new collection has every document that the old collection has published, it replaces the old
collection, which is dropped. Not here: writing a document (`processing.publication`) and the index of searches (`views.published_index`).
"""

from __future__ import annotations

import logging
from dataclasses import dataclass

from legal_pipeline.embedding.registry import durable_setting
from legal_pipeline.errors import LegalPipelineError
from legal_pipeline.processing.stage import Resources
from legal_pipeline.registry import publications
from legal_pipeline.stores.store import Generation, Model, VectorStore

_log = logging.getLogger(__name__)


class CollectionAlias:
    """The name under which searches read a collection of one store. pgvector has no manifest: it replaces a document in one transaction."""

    collection: str
    store_name: str

    @property
    def has_manifest(self) -> bool:
        return self.store_name != "pgvector"

    def is_on(self, resources: Resources) -> bool:
        """Return whether the settings enable this store."""
        return self.store_name in resources.settings.store_names

    def store(self, resources: Resources) -> VectorStore:
        return resources.pgvector if self.store_name == "pgvector" else resources.store


@dataclass(frozen=True, slots=True)
class State:
    """A collection and its progress. `missing`: documents in the live collection that this collection does not have yet; it cannot replace
    the live collection before it has them."""

    store: str
    alias: str
    generation: Generation
    documents: int
    missing: tuple[str, ...]


def prepare(resources: Resources, alias: CollectionAlias, store: VectorStore) -> Generation:
    """Return the collection that documents are written to: that of the present settings, created if needed."""
    generation = store.prepare(alias.collection, resources.embedders.dimension, present_model(resources))
    if generation.live and alias.has_manifest:
        resources.registry.manifests.go_live(alias.collection, generation.name)
    return generation


def name_of_present(resources: Resources, alias: CollectionAlias) -> str:
    """Return the name of the collection of the present settings, even if it does not exist yet."""
    dimension, model = resources.embedders.dimension, present_model(resources)
    return alias.store(resources).generation_for(alias.collection, dimension, model)


def present_model(resources: Resources) -> Model:
    """Return the models of the present settings."""
    embedders = resources.embedders
    return Model(embedders.name, durable_setting(resources.settings.embedding_model), embedders.further)


def switch_if_complete(
    resources: Resources, alias: CollectionAlias, store: VectorStore, generation: Generation
) -> None:
    """Replace the live collection by this collection if it has every document that is published there, and drop the live collection.

    If the run is killed or the store refuses, the next run does it; `sweep` removes what is left of the old collection.
    """
    if generation.live:
        return
    try:
        live = store.live(alias.collection)
        if live is None or live.name == generation.name or _missing(resources, alias, live, generation):
            return
        store.go_live(alias.collection, generation.name)
        if alias.has_manifest:
            resources.registry.manifests.go_live(alias.collection, generation.name)
        _drop(resources, alias, store, live)
        _log.info("searches read %s (%s) from now on", generation.name, generation.model.name)
    except LegalPipelineError as error:
        # the documents are written: the next run does the rest
        _log.warning("%s is complete, but could not take its place: %s", generation.name, error)


def states(resources: Resources, alias: CollectionAlias) -> list[State]:
    """Return all collections of the alias; empty if its store is off or nothing was indexed."""
    if not alias.is_on(resources):
        return []
    found = alias.store(resources).generations(alias.collection)
    live = next((generation for generation in found if generation.live), None)
    return [
        State(
            alias.store_name,
            alias.collection,
            generation,
            len(_documents(resources, alias, generation)),
            tuple(_missing(resources, alias, live, generation)) if live is not None else (),
        )
        for generation in found
    ]


def sweep(resources: Resources, alias: CollectionAlias) -> list[str]:
    """Drop the collections that are neither live nor of the present settings; return their names."""
    if not alias.is_on(resources):
        return []
    store = alias.store(resources)
    found = store.generations(alias.collection)
    if not any(generation.live for generation in found):
        return []
    kept = prepare(resources, alias, store).name
    dropped = [generation for generation in found if not generation.live and generation.name != kept]
    for generation in dropped:
        _drop(resources, alias, store, generation)
    return [generation.name for generation in dropped]


def _drop(resources: Resources, alias: CollectionAlias, store: VectorStore, generation: Generation) -> None:
    store.drop(generation.name)
    publications.forget_collection(resources.registry.database, alias.store_name, generation.name)
    if alias.has_manifest:
        resources.registry.manifests.forget_collection(generation.name)


def _missing(resources: Resources, alias: CollectionAlias, live: Generation, generation: Generation) -> list[str]:
    published = _documents(resources, alias, live)
    return sorted(published - _documents(resources, alias, generation))


def _documents(resources: Resources, alias: CollectionAlias, generation: Generation) -> set[str]:
    if alias.has_manifest:
        return set(resources.registry.manifests.published_counts(generation.name))
    return resources.pgvector.documents(generation.name)

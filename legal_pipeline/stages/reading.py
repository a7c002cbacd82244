"""What a search may read: the live collections, the model that they are of, and each document in one version.

Not here: the search (`retrieval.search`) and how documents are published (`stages.publication`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from legal_pipeline.embedding.embedder import Embedder
from legal_pipeline.errors import MissingCollectionError
from legal_pipeline.stages import pgvector_chunks, qdrant_chunks, qdrant_questions
from legal_pipeline.stages.stage import Resources
from legal_pipeline.stores.published import PublishedMeanwhileError, PublishedPoints, ReadCollection
from legal_pipeline.stores.store import Searchable

Answer = TypeVar("Answer")

#: A search takes some hundredths of a second and a document is published once in many: more than two tries are rare.
_TRIES = 10


@dataclass(frozen=True, slots=True)
class View:
    """`points` knows the collections by the names that the pipeline has for them; `questions` is None where there are none.

    `embedder` is the one that the collections were made with, whatever the settings say: while those of another model are built, searches
    go on with the old ones.
    """

    points: Searchable
    embedder: Embedder
    questions: str | None


def read(resources: Resources, search: Callable[[View], Answer]) -> Answer:
    """The answer of `search`, in which every document stands in one version.

    The search is made again when one of its documents was published meanwhile, or when another collection took the place of the one that
    it read.
    """
    for left in reversed(range(_TRIES)):
        try:
            if "qdrant" in resources.settings.store_names:
                return _read_published(resources, search)
            # no manifest: what PostgreSQL holds of a document at one moment is its published version
            with resources.pgvector.snapshot(pgvector_chunks.COLLECTION) as (live, rows):
                return search(View(rows, resources.embedder_of(live.model), None))
        except PublishedMeanwhileError:
            if not left:
                raise
    raise AssertionError


def _read_published(resources: Resources, search: Callable[[View], Answer]) -> Answer:
    store, registry = resources.store, resources.registry
    chunks = store.live(qdrant_chunks.COLLECTION)
    if chunks is None:
        raise MissingCollectionError(f"there is no collection {qdrant_chunks.COLLECTION} yet; nothing was indexed")
    questions = store.live(qdrant_questions.COLLECTION)
    names = {qdrant_chunks.COLLECTION: ReadCollection(chunks.name, qdrant_chunks.STAGE.id_field)}
    # for the moment between the two collections' taking their places, a query's vector fits but one of them
    if questions is not None and questions.model == chunks.model and registry.publishes(questions.name):
        names[qdrant_questions.COLLECTION] = ReadCollection(questions.name, qdrant_questions.STAGE.id_field)
    points = PublishedPoints(store, registry, names)
    view = View(
        points,
        resources.embedder_of(chunks.model),
        qdrant_questions.COLLECTION if qdrant_questions.COLLECTION in names else None,
    )
    try:
        answer = search(view)
    except MissingCollectionError as error:
        if (now := store.live(qdrant_chunks.COLLECTION)) is not None and now.name != chunks.name:
            raise PublishedMeanwhileError(str(error)) from error
        raise
    points.verify()
    return answer

"""What a search may read: the collections, the model of their vectors, and each document in one version.

Not here: the search (`retrieval.search`) and how documents are published (`stages.publication`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from legal_pipeline.embedding.embedder import Embedder
from legal_pipeline.stages import qdrant_chunks, qdrant_questions
from legal_pipeline.stages.stage import Resources
from legal_pipeline.stores.published import PublishedMeanwhileError, PublishedPoints, ReadCollection
from legal_pipeline.stores.store import Searchable

Answer = TypeVar("Answer")

#: A search takes some hundredths of a second and a document is published once in many: more than two tries are rare.
_TRIES = 10


@dataclass(frozen=True, slots=True)
class View:
    """`points` knows the collections by the names that the pipeline has for them; `questions` is None where there are none."""

    points: Searchable
    embedder: Embedder
    questions: str | None


def read(resources: Resources, search: Callable[[View], Answer]) -> Answer:
    """The answer of `search`, in which every document stands in one version.

    The search is made again when one of its documents was published meanwhile.
    """
    for left in reversed(range(_TRIES)):
        try:
            return _read_once(resources, search)
        except PublishedMeanwhileError:
            if not left:
                raise
    raise AssertionError


def _read_once(resources: Resources, search: Callable[[View], Answer]) -> Answer:
    if "qdrant" not in resources.settings.store_names:
        # no manifest: what PostgreSQL holds of a document is its published version
        return search(View(resources.pgvector, resources.embedder, None))
    names = {
        stage.collection: ReadCollection(stage.collection, stage.id_field)
        for stage in (qdrant_chunks.STAGE, qdrant_questions.STAGE)
    }
    points = PublishedPoints(resources.store, resources.registry, names)
    questions = qdrant_questions.COLLECTION if resources.registry.publishes(qdrant_questions.COLLECTION) else None
    answer = search(View(points, resources.embedder, questions))
    points.verify()
    return answer

"""The readable state of a pipeline's index for searches: the live collections, their model, and each document in one version.

Not here: the search (`retrieval.search`) and publishing documents (`processing.publication`).
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import TypeVar

from legal_pipeline.errors import MissingCollectionError
from legal_pipeline.processing.stage import Resources
from legal_pipeline.registry.listing import removed_among
from legal_pipeline.registry.manifests import LiveCollection
from legal_pipeline.retrieval.search import View
from legal_pipeline.retrieval.vector_weights import vector_weights
from legal_pipeline.stages import pgvector_chunks, qdrant_chunks, qdrant_questions
from legal_pipeline.stores.published import PublishedMeanwhileError, PublishedPoints, ReadCollection
from legal_pipeline.stores.store import Model

Answer = TypeVar("Answer")

#: A search takes some hundredths of a second and a document is rarely published: more than two attempts are rare.
_TRIES = 10

_ALIASES = (qdrant_chunks.COLLECTION, qdrant_questions.COLLECTION)


@dataclass(frozen=True, slots=True)
class _Opened:
    """The live collections, open until `kept` is closed; `registered` is the registry's record at the time of opening."""

    registered: Mapping[str, LiveCollection]
    model: Model
    collections: Mapping[str, ReadCollection]
    kept: contextlib.ExitStack


class PublishedIndex:
    """A `retrieval.searcher.Readable` over the stores of `resources`.

    The live collections and their model are read from the store once, and again only when the registry reports that another collection is
    live.
    """

    def __init__(self, resources: Resources) -> None:
        self._resources = resources
        self._mutex = threading.Lock()
        self._opened: _Opened | None = None

    def read(self, search: Callable[[View], Answer]) -> Answer:
        """Return the answer of `search`, in which every document has one version.

        The search is repeated if one of its documents was published meanwhile, or if another collection became live.
        """
        for left in reversed(range(_TRIES)):
            try:
                if "qdrant" in self._resources.settings.store_names:
                    return self._read_published(search)
                return self._read_snapshot(search)
            except PublishedMeanwhileError:
                if not left:
                    raise
        raise AssertionError

    def close(self) -> None:
        with self._mutex:
            self._forget()

    def _read_snapshot(self, search: Callable[[View], Answer]) -> Answer:
        # no manifest: the rows of a document in PostgreSQL at one moment are its published version. Its ranking of words differs from the
        # one that the weights of vectors were measured with, and is worse, so there are no weights
        alias = pgvector_chunks.COLLECTION
        with self._resources.pgvector.snapshot(alias) as (live, rows):
            return search(
                View(
                    rows,
                    lambda: self._resources.embedders_of(live.model),
                    alias,
                    reranker=self._resources.reranker,
                    removed=self._removed,
                )
            )

    def _read_published(self, search: Callable[[View], Answer]) -> Answer:
        resources = self._resources
        manifests = resources.registry.manifests
        state = manifests.state(_ALIASES)
        opened = self._live(state.live)
        points = PublishedPoints(resources.store, manifests, opened.collections, state.moment)
        view = View(
            points,
            lambda: resources.embedders_of(opened.model),
            qdrant_chunks.COLLECTION,
            qdrant_questions.COLLECTION if qdrant_questions.COLLECTION in opened.collections else None,
            vector_weights(opened.model.name, resources.settings.vector_weights),
            resources.reranker,
            self._removed,
        )
        try:
            answer = search(view)
        except MissingCollectionError as error:
            with self._mutex:
                if self._opened is opened:
                    self._forget()
            now = resources.store.live(qdrant_chunks.COLLECTION)
            if now is not None and now.name != opened.collections[qdrant_chunks.COLLECTION].name:
                raise PublishedMeanwhileError(str(error)) from error
            raise
        points.verify()
        return answer

    def _removed(self, document_ids: Collection[str]) -> set[str]:
        return removed_among(self._resources.registry.database, document_ids)

    def _live(self, registered: Mapping[str, LiveCollection]) -> _Opened:
        with self._mutex:
            if self._opened is None or self._opened.registered != registered:
                self._forget()
                self._opened = self._open(registered)
            return self._opened

    def _open(self, registered: Mapping[str, LiveCollection]) -> _Opened:
        store = self._resources.store
        chunks = store.live(qdrant_chunks.COLLECTION)
        if chunks is None:
            raise MissingCollectionError(
                f"there is no collection {qdrant_chunks.COLLECTION} yet: nothing was indexed; run `legal-pipeline ingest` first"
            )
        names = {qdrant_chunks.COLLECTION: ReadCollection(chunks.name, qdrant_chunks.STAGE.id_field)}
        said = registered.get(qdrant_questions.COLLECTION)
        if said is not None and said.publishes:
            questions = store.live(qdrant_questions.COLLECTION)
            # while the two collections are replaced one after the other, a query's vector fits only one of them
            if questions is not None and questions.model == chunks.model:
                names[qdrant_questions.COLLECTION] = ReadCollection(questions.name, qdrant_questions.STAGE.id_field)
        kept = contextlib.ExitStack()
        kept.enter_context(store.kept_open([read.name for read in names.values()], "searching"))
        return _Opened(registered, chunks.model, names, kept)

    def _forget(self) -> None:
        if self._opened is not None:
            self._opened.kept.close()
            self._opened = None

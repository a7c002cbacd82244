"""`Searcher`: an index that stays open for many searches, for commands and services.

Not here: the ranking of one search (`retrieval.search`), and which points of a pipeline's index readers may see (`views.published_index`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

from legal_pipeline.retrieval.hit import Hit
from legal_pipeline.retrieval.search import View, search
from legal_pipeline.stores.store import Condition, ScoredPoint, Vector

Answer = TypeVar("Answer")


class Readable(Protocol):
    """An index that is kept open. Safe in several threads."""

    def read(self, search: Callable[[View], Answer]) -> Answer:
        """Return the result of `search`, in which every document has one version. `search` may be called several times."""
        ...

    def close(self) -> None: ...


class Searcher:
    """Searches `index` any number of times, and closes it at the end. Safe in several threads.

    Between searches it blocks no other process: an index that only one process may open is released as soon as another process
    requests it, and opened again by the next search (`VectorStore.kept_open`).
    """

    def __init__(self, index: Readable) -> None:
        self._index = index

    def search(
        self,
        query: str,
        *,
        limit: int = 10,
        filters: Sequence[Condition] = (),
        languages: Sequence[str] = (),
        fold_duplicates: bool = False,
        passage_tokens: int = 0,
    ) -> list[Hit]:
        """Return the `limit` best chunks for `query`, see `retrieval.search`. All hits of a document are of one published version of it."""
        return self._index.read(
            lambda view: search(
                query,
                view,
                limit=limit,
                filters=filters,
                languages=languages,
                fold_duplicates=fold_duplicates,
                passage_tokens=passage_tokens,
            )
        )

    def nearest(
        self, vector: Vector, *, using: str, filters: Sequence[Condition] = (), limit: int = 10
    ) -> tuple[ScoredPoint, ...]:
        """Return the published chunks whose vectors `using` are nearest to `vector` (dimension,) float32 of unit length."""
        return self._index.read(
            lambda view: (
                view.points.query(view.collection, dense=vector, filters=filters, limit=limit, using=using).dense
            )
        )

    def check(self) -> None:
        """Request one point from the index; raises what a search of it would raise."""
        self._index.read(lambda view: view.points.query(view.collection, limit=1))

    def close(self) -> None:
        self._index.close()

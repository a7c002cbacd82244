"""A reader's view of a store in which a replaced document stands twice for a moment: each document as its manifest says.

Not here: how documents are replaced (`stores.replacement`) and where manifests are kept (`registry.registry`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from legal_pipeline.errors import StoreUnavailableError
from legal_pipeline.stores.store import (
    DENSE,
    DOCUMENT_ID,
    ROW_HASH,
    Condition,
    RankedLists,
    ScoredPoint,
    Searchable,
    Vector,
)

#: No list is asked for more: a document that is replaced right now doubles its points, and no corpus is replaced at once.
_MAX_DEPTH = 12_800


class PublishedMeanwhileError(StoreUnavailableError):
    """A document of the answer was published while it was searched: the same search again sees its new version."""


class Manifests(Protocol):
    """See `registry.registry.Registry`."""

    def moment(self) -> int: ...

    def published_many(self, document_ids: Sequence[str], collection: str) -> dict[str, dict[str, str]]: ...

    def published_since(self, moment: int, document_ids: Sequence[str], collection: str) -> list[str]: ...


@dataclass(frozen=True, slots=True)
class ReadCollection:
    """The collection that a search reads under some name; its manifests name points by the payload's `id_field`."""

    name: str
    id_field: str


@dataclass(slots=True)
class PublishedPoints:
    """A `Searchable` over the published points of `store`, for one search: ask `verify` at its end.

    What a manifest names stands in the store from before it was published until after the next one is. So an answer is of one version
    of each document if none of its documents was published between the beginning of the search and its end.
    """

    store: Searchable
    manifests: Manifests
    collections: Mapping[str, ReadCollection]
    _moment: int = field(init=False)
    _known: dict[str, dict[str, dict[str, str]]] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self._moment = self.manifests.moment()

    def query(
        self,
        collection: str,
        *,
        dense: Vector | None = None,
        text: str | None = None,
        languages: Sequence[str] = (),
        filters: Sequence[Condition] = (),
        limit: int = 50,
        using: str = DENSE,
    ) -> RankedLists:
        """See `Searchable.query`: as many points as are asked for, if so many are published."""
        read = self.collections[collection]
        depth = limit
        while True:
            found = self.store.query(
                read.name, dense=dense, text=text, languages=languages, filters=filters, limit=depth, using=using
            )
            lists = [(points, self._visible(read, points)) for points in (found.dense, found.sparse, found.unranked)]
            if depth >= _MAX_DEPTH or all(len(points) < depth or len(seen) >= limit for points, seen in lists):
                return RankedLists(*(seen[:limit] for _, seen in lists))
            depth *= 4

    def verify(self) -> None:
        """Raise PublishedMeanwhileError if a document that was looked at has another manifest by now, or none."""
        for collection, known in self._known.items():
            shown = sorted(document_id for document_id, rows in known.items() if rows)
            if changed := self.manifests.published_since(self._moment, shown, collection):
                raise PublishedMeanwhileError(f"{', '.join(changed[:3])} changed during the search; search again")

    def _visible(self, read: ReadCollection, points: Sequence[ScoredPoint]) -> tuple[ScoredPoint, ...]:
        known = self._known.setdefault(read.name, {})
        owners = [str(point.payload.get(DOCUMENT_ID, "")) for point in points]
        if new := sorted(set(owners) - known.keys()):
            published = self.manifests.published_many(new, read.name)
            known.update((document_id, published.get(document_id, {})) for document_id in new)
        return tuple(
            point
            for owner, point in zip(owners, points, strict=True)
            if known[owner].get(str(point.payload.get(read.id_field, ""))) == str(point.payload.get(ROW_HASH, ""))
        )

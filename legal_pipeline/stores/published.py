"""A reader's view of a store in which a document under replacement is present twice: shows each document according to its manifest.

Not here: replacing documents (`stores.replacement`) and storing manifests (`registry.registry`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from legal_pipeline.errors import StoreUnavailableError
from legal_pipeline.registry.manifests import Manifests
from legal_pipeline.stores.store import (
    DOCUMENT_ID,
    ROW_HASH,
    Payload,
    Query,
    RankedLists,
    ScoredPoint,
    Searchable,
)

#: Maximum limit per list: a document under replacement doubles its points, and never are all documents replaced at once.
_MAX_DEPTH = 12_800


class PublishedMeanwhileError(StoreUnavailableError):
    """A document of the answer was published during the search: the same search, repeated, sees its new version."""


@dataclass(frozen=True, slots=True)
class ReadCollection:
    """The collection that a search reads under a name; its manifests identify points by the payload's `id_field`."""

    name: str
    id_field: str


@dataclass(slots=True)
class PublishedPoints(Searchable):
    """A `Searchable` over the published points of `store`, for one search that began at `moment`: call `verify` at its end.

    The points of a manifest are in the store from before its publication until after that of the next manifest. So an answer shows one
    version of each document if none of its documents was published between the start of the search and its end.
    """

    store: Searchable
    manifests: Manifests
    collections: Mapping[str, ReadCollection]
    moment: int
    _known: dict[str, dict[str, Mapping[str, str]]] = field(init=False, default_factory=dict)

    def query_batch(self, collection: str, queries: Sequence[Query]) -> list[RankedLists]:
        """Run `Searchable.query_batch`: returns as many points as requested, if so many are published."""
        read = self.collections[collection]
        asked = [query if query.fields is None else _naming(query, read) for query in queries]
        found: dict[int, RankedLists] = {}
        while left := [at for at in range(len(queries)) if at not in found]:
            answers = self.store.query_batch(read.name, [asked[at] for at in left])
            seen = self._visible(read, answers)
            for at, given, shown in zip(left, answers, seen, strict=True):
                limit, depth = queries[at].limit, asked[at].limit
                pairs = ((given.dense, shown.dense), (given.sparse, shown.sparse), (given.unranked, shown.unranked))
                if depth >= _MAX_DEPTH or all(len(all_) < depth or len(some) >= limit for all_, some in pairs):
                    found[at] = RankedLists(*(some[:limit] for _, some in pairs))
                asked[at] = replace(asked[at], limit=depth * 4)
        return [found[at] for at in range(len(queries))]

    def verify(self) -> None:
        """Raise PublishedMeanwhileError if a document that was read has another manifest now, or none."""
        for collection, known in self._known.items():
            shown = sorted(document_id for document_id, rows in known.items() if rows)
            if changed := self.manifests.published_since(self.moment, shown, collection):
                raise PublishedMeanwhileError(f"{', '.join(changed[:3])} changed during the search; search again")

    def _visible(self, read: ReadCollection, answers: Sequence[RankedLists]) -> list[RankedLists]:
        known = self._known.setdefault(read.name, {})
        owners = {
            str(point.payload.get(DOCUMENT_ID, ""))
            for lists in answers
            for point in (*lists.dense, *lists.sparse, *lists.unranked)
        }
        if new := sorted(owners - known.keys()):
            published = self.manifests.published_at(self.moment, new, read.name)
            known.update((document_id, published.get(document_id, {})) for document_id in new)

        def shown(points: Sequence[ScoredPoint]) -> tuple[ScoredPoint, ...]:
            return tuple(point for point in points if _is_in(known, point.payload, read.id_field))

        return [RankedLists(shown(lists.dense), shown(lists.sparse), shown(lists.unranked)) for lists in answers]


def _is_in(known: Mapping[str, Mapping[str, str]], payload: Payload, id_field: str) -> bool:
    rows = known[str(payload.get(DOCUMENT_ID, ""))]
    return rows.get(str(payload.get(id_field, ""))) == str(payload.get(ROW_HASH, ""))


def _naming(query: Query, read: ReadCollection) -> Query:
    """Return the query with the fields that identify a published point."""
    return replace(query, fields=tuple({*(query.fields or ()), DOCUMENT_ID, ROW_HASH, read.id_field}))

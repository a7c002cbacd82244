"""The interface of vector stores: points, conditions, results and the protocol.

Not here: the stores, and replacing a document, which all stores share (`stores.replacement`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float32]
Payload = Mapping[str, Any]
Scalar = str | int | bool

#: Names of the two vectors of every point; a point whose embedding model is not the collection's first has that model's vector instead of
#: `DENSE` (`Model.further`).
DENSE, SPARSE = "dense", "bm25"

#: Payload fields that a query may filter on, and the kind of index of each; a filter on any other field is refused, as a Qdrant server in
#: strict mode does. Dates are ISO 8601; any other value matches no range.
INDEXED_FIELDS: Mapping[str, str] = {
    "document_id": "keyword", "jurisdiction": "keyword", "subdivision": "keyword", "language": "keyword",
    "doc_type": "keyword", "strategy": "keyword", "chunk_type": "keyword", "content_role": "keyword", "temporal_status": "keyword",
    "eid": "keyword", "schedule": "keyword", "chapter": "keyword", "section": "keyword", "number": "keyword", "court": "keyword",
    "criterion_tag": "keyword", "legal_standard": "keyword", "is_winning_argument": "bool", "superseded": "bool",
    "valid_from": "datetime", "valid_to": "datetime", "date_decided": "datetime", "in_force": "datetime", "repealed": "datetime",
    "work_uris": "keyword", "provisions": "keyword", "chunk_id": "keyword", "seq": "integer",
}  # fmt: skip

#: The payload field that shows whether a point is unchanged.
ROW_HASH = "row_hash"
DOCUMENT_ID = "document_id"


@dataclass(frozen=True, slots=True)
class Point:
    """A row to store.

    `id` is a UUID; `vector` (dimension,) float32 is the collection's vector `vector_name`; the words of `text` are indexed with the
    inflections of `language` (ISO 639-3).

    `payload` must be JSON values and contain `row_hash`, the hash of all inputs of the point. `document_id` is added to it.
    """

    id: str
    document_id: str
    vector: Vector
    text: str
    language: str
    payload: Payload
    vector_name: str = DENSE

    @property
    def row_hash(self) -> str:
        return str(self.payload.get(ROW_HASH, ""))


@dataclass(frozen=True, slots=True)
class Model:
    """The embedding models of a collection, one for all languages or a table of them.

    `name` identifies all that decides a vector (`Embedders.name`), `setting` is used to open the models again. `further`: (name, dimension)
    of each vector in addition to `DENSE`, the first model's.
    """

    name: str = ""
    setting: str = ""
    further: tuple[tuple[str, int], ...] = ()

    def dimensions(self, first: int) -> dict[str, int]:
        """Return name of a vector -> dimension, of all vectors; `first` is that of `DENSE`."""
        return {DENSE: first, **dict(self.further)}

    def dump(self) -> dict[str, Any]:
        """Return the models as a store keeps them with a collection."""
        return {"model": self.name, "setting": self.setting, "further": dict(self.further)}

    @classmethod
    def load(cls, stored: Mapping[str, Any]) -> Model:
        """Return the models that `dump` described."""
        further = tuple(sorted((stored.get("further") or {}).items()))
        return cls(stored.get("model", ""), stored.get("setting", ""), further)


#: The model of a collection that was made without an alias.
UNKNOWN_MODEL = Model()


@dataclass(frozen=True, slots=True)
class Generation:
    """One of the collections that an alias has, had or will have: each has one model and one way of storing.

    `live`: the alias points to it, so searches read it.
    """

    name: str
    model: Model
    dimension: int
    live: bool


@dataclass(frozen=True, slots=True)
class AnyOf:
    """The field has one of `values`."""

    field: str
    values: tuple[Scalar, ...]


@dataclass(frozen=True, slots=True)
class DateRange:
    """The field is a date within the bounds (ISO 8601, inclusive unless named `after` or `before`), or absent if `or_absent`."""

    field: str
    since: str | None = None
    after: str | None = None
    until: str | None = None
    before: str | None = None
    or_absent: bool = False


@dataclass(frozen=True, slots=True)
class Not:
    """The condition does not hold (an absent field meets no condition)."""

    condition: AnyOf | DateRange


@dataclass(frozen=True, slots=True)
class Either:
    """All conditions of at least one of `alternatives` hold."""

    alternatives: tuple[tuple[Condition, ...], ...]


Condition = AnyOf | DateRange | Not | Either


def fields_of(conditions: Sequence[Condition]) -> Iterator[str]:
    """Yield the payload fields that conditions use."""
    for condition in conditions:
        if isinstance(condition, Either):
            for alternative in condition.alternatives:
                yield from fields_of(alternative)
        else:
            yield condition.condition.field if isinstance(condition, Not) else condition.field


@dataclass(frozen=True, slots=True)
class ScoredPoint:
    id: str
    score: float
    payload: Payload


@dataclass(frozen=True, slots=True)
class RankedLists:
    """The answers to a query, best first, equal scores by document and path (`stores.ranking`).

    `dense`: by cosine; `sparse`: by BM25 with the collection's document frequencies, only points that share a word; `unranked`: by id, for
    a query with neither vector nor words.
    """

    dense: tuple[ScoredPoint, ...] = ()
    sparse: tuple[ScoredPoint, ...] = ()
    unranked: tuple[ScoredPoint, ...] = ()


@dataclass(frozen=True, slots=True)
class ReplaceResult:
    """Points of one document: written (new or changed), unchanged (same `row_hash`), deleted (no longer part of it)."""

    written: int
    unchanged: int
    deleted: int


@dataclass(frozen=True, slots=True)
class Query:
    """A query to a store: see `Searchable.query`.

    `fields`: the payload fields in the answer, None for all. `ids`: only these points. `threshold`: points that score less may be left out.
    """

    dense: Vector | None = None
    text: str | None = None
    languages: Sequence[str] = ()
    filters: Sequence[Condition] = ()
    limit: int = 50
    using: str = DENSE
    fields: Sequence[str] | None = None
    ids: Sequence[str] | None = None
    threshold: float | None = None

    @property
    def is_unranked(self) -> bool:
        return self.dense is None and self.text is None


class Searchable(Protocol):
    """The search interface of a store, or of the part of it that readers may see."""

    def query_batch(self, collection: str, queries: Sequence[Query]) -> list[RankedLists]:
        """Return the answers to all of `queries`, in their order; a server gets one request."""
        ...

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
        """Return the nearest points by vector and by words, each list with at most `limit`; all `filters` must hold.

        With neither `dense` nor `text`, any points for which they hold. `using` names the vectors that `dense` is compared with.

        Words are stemmed for `languages`; if none is given, for every indexed language. Qdrant raises ConfigurationError for a filter on a
        field that is not in `INDEXED_FIELDS`.
        """
        return self.query_batch(collection, [Query(dense, text, languages, filters, limit, using)])[0]


class VectorStore(Searchable, Protocol):
    """A store of collections of points. All writes are durable when the call returns.

    Raises StoreUnavailableError if the store does not answer or another process locks it too long, DamagedCollectionError if its files
    cannot be read, StoreError if it refuses or loses data, MissingCollectionError if there is no such collection,
    ConfigurationError if we must not use it (wrong key, foreign collection, other dimension).

    The ids of stored points are specific to the store: Qdrant has both the old version and the new version of a changed point until
    the old one is deleted, and readers distinguish them by their row hash (`stores.published`).
    """

    def session(self, collection: str, purpose: str) -> AbstractContextManager[None]:
        """Keep the collection open over several calls. Changes only speed; do no other work in the block."""
        ...

    def kept_open(self, collections: Sequence[str], purpose: str) -> AbstractContextManager[None]:
        """Keep collections open while they may be searched, for hours if necessary.

        Between two calls each is released as soon as another process or thread waits for it, and the next call opens it again. Changes only
        speed.
        """
        ...

    def ensure_collection(self, name: str, dimension: int, model: Model = UNKNOWN_MODEL) -> None:
        """Create the collection if it does not exist; refuse a collection that this package did not make or whose dimension differs."""
        ...

    def prepare(self, alias: str, dimension: int, model: Model) -> Generation:
        """Return the collection of `model` under `alias`, created if it does not exist.

        The first collection is live at once; any other exists unseen, next to the live one, until `go_live`. Refuses an alias whose name
        another object uses.
        """
        ...

    def generation_for(self, alias: str, dimension: int, model: Model) -> str:
        """Return the name of the collection that `prepare` returns, even if it does not exist yet."""
        ...

    def live(self, alias: str) -> Generation | None:
        """Return the collection that the alias points to."""
        ...

    def generations(self, alias: str) -> list[Generation]:
        """Return all collections that were made for `alias`, in the order of their names."""
        ...

    def go_live(self, alias: str, name: str) -> None:
        """Make the alias point to `name`, atomically. pgvector then drops the former collection."""
        ...

    def drop(self, name: str) -> None:
        """Delete a collection of ours; no error if it does not exist."""
        ...

    def verify(self, collection: str) -> dict[str, str]:
        """Return `document_hashes`; reads all payloads and, over a month of nightly calls, all vectors.

        Raises DamagedCollectionError if that is not possible. A server checks its files itself.
        """
        ...

    def rebuild(self, name: str, dimension: int, model: Model, documents: Iterable[Sequence[Point]]) -> int:
        """Build a new collection from the points of the documents of a damaged one, and replace the damaged one.

        Returns its number of points.
        """
        ...

    def upsert(self, collection: str, points: Sequence[Point]) -> None:
        """Write points and delete none. Points that are already in the store are written again."""
        ...

    def replace_documents(
        self,
        collection: str,
        documents: Mapping[str, Sequence[Point]],
        *,
        publish: Callable[[Collection[str]], None] | None = None,
    ) -> dict[str, ReplaceResult]:
        """Make these the points of each document: write new and changed points, verify, call `publish`, then delete stale points.

        If killed at any step and called again, it ends in the same state. `publish` is called once, with the ids of all documents, even if
        nothing was written. An error of one document fails all of them: then pass it alone.
        """
        ...

    def replace_document(
        self, collection: str, document_id: str, points: Sequence[Point], *, publish: Callable[[], None] | None = None
    ) -> ReplaceResult:
        """Run `replace_documents` for one document."""
        ...

    def point_hashes(self, collection: str, document_id: str) -> dict[str, str]:
        """Return the store's own id -> row hash of all points of the document."""
        ...

    def point_hashes_many(self, collection: str, document_ids: Sequence[str]) -> dict[str, dict[str, str]]:
        """Return `point_hashes` of each of the documents, in one request."""
        ...

    def document_hashes(self, collection: str) -> dict[str, str]:
        """Return document id -> hash of the ids and row hashes of its points, for every document of the collection, in one pass."""
        ...

    def count(self, collection: str, document_id: str | None = None) -> int: ...

    def delete_documents(self, collection: str, document_ids: Sequence[str]) -> dict[str, int]:
        """Delete all points of the documents; return the number for each."""
        ...

    def delete_document(self, collection: str, document_id: str) -> int:
        """Delete all points of the document; return their number."""
        ...

    def optimise(self, collection: str) -> None:
        """Build the structures that make searches of large collections fast; call it once after many writes."""
        ...

    def close(self) -> None: ...

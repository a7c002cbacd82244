"""What a vector store is: points, conditions, results and the protocol.

Not here: any store, nor the replacing of a document, which all share (`stores.replacement`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float32]
Payload = Mapping[str, Any]
Scalar = str | int | bool

#: Names of the two vectors of every point; a point whose embedding model is not the collection's first has that model's in place of
#: `DENSE` (`Model.further`).
DENSE, SPARSE = "dense", "bm25"

#: Payload fields that a query may filter on, and how each is indexed; a filter on any other is refused, as a Qdrant server in strict mode
#: does. Dates are ISO 8601; a value that is none matches no range.
INDEXED_FIELDS: Mapping[str, str] = {
    "document_id": "keyword", "jurisdiction": "keyword", "language": "keyword", "doc_type": "keyword", "strategy": "keyword",
    "chunk_type": "keyword", "content_role": "keyword", "temporal_status": "keyword", "eid": "keyword", "chapter": "keyword",
    "section": "keyword", "number": "keyword", "court": "keyword", "criterion_tag": "keyword", "legal_standard": "keyword",
    "is_winning_argument": "bool", "superseded": "bool", "valid_from": "datetime", "valid_to": "datetime", "date_decided": "datetime",
    "in_force": "datetime", "repealed": "datetime", "work_uris": "keyword", "provisions": "keyword",
    "chunk_id": "keyword", "seq": "integer",
}  # fmt: skip

#: The payload field by which a point is known to be unchanged.
ROW_HASH = "row_hash"
DOCUMENT_ID = "document_id"


@dataclass(frozen=True, slots=True)
class Point:
    """A row to store. `id` is a UUID; `vector` (dimension,) float32 is the one that the collection calls `vector_name`; `text` is indexed
    by words as `language` (ISO 639-3) inflects them.

    `payload` must be JSON values and hold `row_hash`, the hash of all that the point was made of. `document_id` is added to it.
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
    """The embedding models of a collection, one for all languages or a table of them: `name` says all that decides a vector
    (`Embedders.name`), `setting` opens them again. `further`: (name, dimension) of each vector beside `DENSE`, the first model's."""

    name: str = ""
    setting: str = ""
    further: tuple[tuple[str, int], ...] = ()

    def dimensions(self, first: int) -> dict[str, int]:
        """Name of a vector -> dimension, of all vectors; `first` is that of `DENSE`."""
        return {DENSE: first, **dict(self.further)}


#: Of a collection that was made for no alias.
UNKNOWN_MODEL = Model()


@dataclass(frozen=True, slots=True)
class Generation:
    """One collection of those that have stood, stand or will stand under one alias: each is of one model and one way of storing.

    `live`: the alias leads to it, so it is the one that searches read.
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
    """The condition does not hold (an absent field holds no condition)."""

    condition: AnyOf | DateRange


@dataclass(frozen=True, slots=True)
class Either:
    """All conditions of at least one of `alternatives` hold."""

    alternatives: tuple[tuple[Condition, ...], ...]


Condition = AnyOf | DateRange | Not | Either


def fields_of(conditions: Sequence[Condition]) -> Iterator[str]:
    """The payload fields that conditions are on."""
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
    """Best first, equal scores by document and path (`stores.ranking`). `dense`: cosine; `sparse`: BM25 with the collection's document
    frequencies, only points that share a word. `unranked`: in the order of their ids, where the query has neither vector nor words."""

    dense: tuple[ScoredPoint, ...] = ()
    sparse: tuple[ScoredPoint, ...] = ()
    unranked: tuple[ScoredPoint, ...] = ()


@dataclass(frozen=True, slots=True)
class ReplaceResult:
    """Points of one document: written (new or changed), left alone (same `row_hash`), deleted (no longer part of it)."""

    written: int
    unchanged: int
    deleted: int


@dataclass(frozen=True, slots=True)
class Query:
    """What a store is asked for: see `Searchable.query`. `fields`: those of the payload that are answered, all where it is None."""

    dense: Vector | None = None
    text: str | None = None
    languages: Sequence[str] = ()
    filters: Sequence[Condition] = ()
    limit: int = 50
    using: str = DENSE
    fields: Sequence[str] | None = None

    @property
    def is_unranked(self) -> bool:
        return self.dense is None and self.text is None


class Searchable(Protocol):
    """What a search needs of a store, or of the part of it that readers may see."""

    def query_batch(self, collection: str, queries: Sequence[Query]) -> list[RankedLists]:
        """The answers to all of `queries`, in their order: of a server in one request."""
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
        """The nearest points by vector and by words, each list with at most `limit`; all `filters` must hold. With neither `dense` nor
        `text`, any points for which they hold. `using` names the vectors that `dense` is compared with.

        Words are read as `languages` inflect them; with none given, as any indexed language does. Qdrant raises ConfigurationError for a
        filter on a field that is not in `INDEXED_FIELDS`.
        """
        return self.query_batch(collection, [Query(dense, text, languages, filters, limit, using)])[0]


class VectorStore(Searchable, Protocol):
    """A store of collections of points. All writes are durable when the call returns.

    Raises StoreUnavailableError when the store does not answer or another process holds it too long, DamagedCollectionError when its files
    cannot be read, StoreError when it refuses or loses something, MissingCollectionError when there is no such collection,
    ConfigurationError when it is not ours to use (wrong key, foreign collection, other dimension).

    The ids of stored points are the store's own: of a point that changes, Qdrant has the old version and the new one beside each other
    until the old one is deleted, and readers tell them apart by their row hash (`stores.published`).
    """

    def session(self, collection: str, purpose: str) -> AbstractContextManager[None]:
        """Keep the collection open over several calls. Changes nothing but speed; keep other work out of it."""
        ...

    def kept_open(self, collections: Sequence[str], purpose: str) -> AbstractContextManager[None]:
        """Keep collections open for as long as somebody may search them, hours if need be: between two calls each is given up as soon as
        another process or thread waits for it, and the next call opens it again. Changes nothing but speed."""
        ...

    def ensure_collection(self, name: str, dimension: int, model: Model = UNKNOWN_MODEL) -> None:
        """Create the collection if there is none; refuse one that this package did not make or whose dimension differs."""
        ...

    def prepare(self, alias: str, dimension: int, model: Model) -> Generation:
        """The collection of `model` under `alias`, created if there is none. The first one is live at once; any other is beside the
        live one, unseen, until `go_live`. Refuses an alias that something else bears."""
        ...

    def generation_for(self, alias: str, dimension: int, model: Model) -> str:
        """The name of the collection that `prepare` gives, whether it is there or not."""
        ...

    def live(self, alias: str) -> Generation | None:
        """The collection that the alias leads to."""
        ...

    def generations(self, alias: str) -> list[Generation]:
        """All collections that were made for `alias`, in the order of their names."""
        ...

    def go_live(self, alias: str, name: str) -> None:
        """From one moment to the next, the alias leads to `name`. pgvector drops the former one with it."""
        ...

    def drop(self, name: str) -> None:
        """Delete a collection of ours; none is not an error."""
        ...

    def verify(self, collection: str) -> None:
        """Read all that is stored; raises DamagedCollectionError where that cannot be done. A server sees to its files itself."""
        ...

    def rebuild(self, name: str, dimension: int, model: Model, documents: Iterable[Sequence[Point]]) -> int:
        """Build a damaged collection anew from the points of its documents, beside the damaged one, and put it in its place; how many
        points it has."""
        ...

    def upsert(self, collection: str, points: Sequence[Point]) -> None:
        """Write points and delete none. What stands in the store already is written again."""
        ...

    def replace_documents(
        self,
        collection: str,
        documents: Mapping[str, Sequence[Point]],
        *,
        publish: Callable[[str], None] | None = None,
    ) -> dict[str, ReplaceResult]:
        """Make these the points of each document: write what is new or changed, verify, call `publish`, then delete what is stale.

        Killed at any step and called again it ends in the same state. `publish` is called even if nothing was written. What is wrong
        with one document fails them all: give it alone then.
        """
        ...

    def replace_document(
        self, collection: str, document_id: str, points: Sequence[Point], *, publish: Callable[[], None] | None = None
    ) -> ReplaceResult:
        """`replace_documents` for one."""
        ...

    def point_hashes(self, collection: str, document_id: str) -> dict[str, str]:
        """The store's own id -> row hash of all points of the document."""
        ...

    def count(self, collection: str, document_id: str | None = None) -> int: ...

    def delete_document(self, collection: str, document_id: str) -> int:
        """Delete all points of the document; how many there were."""
        ...

    def optimise(self, collection: str) -> None:
        """Build what makes large collections fast to search; worth calling once after many writes."""
        ...

    def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class SparseVector:
    """Indices ascending and unique, values of the same length."""

    indices: list[int] = field(default_factory=list)
    values: list[float] = field(default_factory=list)

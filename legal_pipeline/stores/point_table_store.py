"""The operations common to all stores, on open collections (`stores.replacement.PointTable`) and aliases.

Not here: opening a collection, and what is specific to a store (one module per store).
"""

from __future__ import annotations

import contextlib
import json
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Generic, Protocol, TypeVar

from legal_pipeline.errors import ConfigurationError, StoreError
from legal_pipeline.model.identity import sha256_hex
from legal_pipeline.stores import ranking, replacement
from legal_pipeline.stores.store import (
    UNKNOWN_MODEL,
    Generation,
    Model,
    Point,
    Query,
    RankedLists,
    ReplaceResult,
    Searchable,
)

_SUFFIX = re.compile(r"_[0-9a-f]{8}$")


class SearchableTable(replacement.PointTable, Protocol):
    """A `PointTable` that can be searched, as `Searchable.query_batch` with equal scores in any order."""

    def query_batch(self, queries: Sequence[Query]) -> list[RankedLists]: ...


Table = TypeVar("Table", bound=SearchableTable)
Result = TypeVar("Result")


class PointTableStore(Searchable, ABC, Generic[Table]):
    """A `VectorStore` without the management of collections."""

    #: How points are stored, independent of the model: with another value a new collection is built.
    layout: Mapping[str, str | int]

    @abstractmethod
    def _work(self, collection: str, purpose: str, work: Callable[[Table], Result]) -> Result:
        """Open the collection, do the work, close it; `purpose` is used in messages."""

    @abstractmethod
    def ensure_collection(self, name: str, dimension: int, model: Model = UNKNOWN_MODEL) -> None: ...

    @abstractmethod
    def live(self, alias: str) -> Generation | None: ...

    @abstractmethod
    def go_live(self, alias: str, name: str) -> None: ...

    @abstractmethod
    def _verify_alias(self, alias: str) -> None:
        """Raise ConfigurationError if the name is used by another object."""

    def session(self, collection: str, purpose: str) -> AbstractContextManager[None]:
        """Do nothing: the client of a server keeps its connections anyway."""
        return contextlib.nullcontext()

    def kept_open(self, collections: Sequence[str], purpose: str) -> AbstractContextManager[None]:
        """Do nothing, like `session`."""
        return contextlib.nullcontext()

    def verify(self, collection: str) -> dict[str, str]:
        """Return `document_hashes`: a server checks its files itself."""
        return self.document_hashes(collection)

    def rebuild(self, name: str, dimension: int, model: Model, documents: Iterable[Sequence[Point]]) -> int:
        raise StoreError(
            f"the collection {name} is on a server, so this program cannot rebuild it: repair it on the server, then call "
            "`legal-pipeline reconcile --repair`"
        )

    def generation_for(self, alias: str, dimension: int, model: Model) -> str:
        """Return the alias with eight hex digits of a hash of all that distinguishes this collection from others of the alias."""
        content = json.dumps([model.name, dimension, sorted(self.layout.items())])
        return f"{alias}_{sha256_hex(content)[:8]}"

    def prepare(self, alias: str, dimension: int, model: Model) -> Generation:
        self._verify_alias(alias)
        live = self.live(alias)
        name = self.generation_for(alias, dimension, model)
        self.ensure_collection(name, dimension, model)
        if live is None:
            self.go_live(alias, name)
        return Generation(name, model, dimension, live is None or live.name == name)

    def upsert(self, collection: str, points: Sequence[Point]) -> None:
        def write(table: Table) -> None:
            replacement.verify_points(points, table.dimensions)
            table.lock({point.document_id for point in points})
            table.write({table.stored_id(point): point for point in points})

        if points:
            self._work(collection, f"writing to {collection}", write)

    def replace_documents(
        self,
        collection: str,
        documents: Mapping[str, Sequence[Point]],
        *,
        publish: Callable[[Collection[str]], None] | None = None,
    ) -> dict[str, ReplaceResult]:
        return self._work(
            collection,
            f"writing {_named(documents)} to {collection}",
            lambda table: replacement.replace_documents(table, documents, publish),
        )

    def replace_document(
        self, collection: str, document_id: str, points: Sequence[Point], *, publish: Callable[[], None] | None = None
    ) -> ReplaceResult:
        hook = None if publish is None else lambda _: publish()
        return self.replace_documents(collection, {document_id: points}, publish=hook)[document_id]

    def point_hashes(self, collection: str, document_id: str) -> dict[str, str]:
        return self.point_hashes_many(collection, [document_id])[document_id]

    def point_hashes_many(self, collection: str, document_ids: Sequence[str]) -> dict[str, dict[str, str]]:
        return self._work(
            collection, f"reading {_named(document_ids)} in {collection}", lambda table: table.hashes(document_ids)
        )

    def document_hashes(self, collection: str) -> dict[str, str]:
        return self._work(collection, f"reading {collection}", lambda table: table.document_hashes())

    def count(self, collection: str, document_id: str | None = None) -> int:
        return self._work(collection, f"counting {collection}", lambda table: table.count(document_id))

    def delete_documents(self, collection: str, document_ids: Sequence[str]) -> dict[str, int]:
        def delete(table: Table) -> dict[str, int]:
            table.lock(document_ids)
            held = table.hashes(document_ids)
            if ids := [stored_id for of_document in held.values() for stored_id in of_document]:
                table.delete(ids)
            return {document_id: len(of_document) for document_id, of_document in held.items()}

        return self._work(collection, f"deleting {_named(document_ids)} in {collection}", delete)

    def delete_document(self, collection: str, document_id: str) -> int:
        return self.delete_documents(collection, [document_id])[document_id]

    def query_batch(self, collection: str, queries: Sequence[Query]) -> list[RankedLists]:
        return self._work(collection, f"searching {collection}", lambda table: query_batch(table, queries))


def query_batch(table: SearchableTable, queries: Sequence[Query]) -> list[RankedLists]:
    """Run `Searchable.query_batch` on an open table."""
    for query in queries:
        if query.dense is not None and query.using not in table.dimensions:
            raise ConfigurationError(
                f"the collection has no vectors {query.using}; there are {', '.join(table.dimensions)}"
            )
    return ranking.in_order(table.query_batch, queries)


def alias_of(name: str) -> str:
    """Return the alias that a collection was made for; its own name if it was made without an alias."""
    return _SUFFIX.sub("", name)


def is_generation_of(name: str, alias: str) -> bool:
    return name != alias and alias_of(name) == alias


def verify_dimension(collection: str, held: int, given: int) -> None:
    """Raise ConfigurationError unless the vectors in `collection` have the dimension that the embedding model gives."""
    if held != given:
        raise ConfigurationError(
            f"the collection {collection} holds vectors of {held} dimensions, the embedding model gives {given}; "
            "nothing was written. Use another collection or the model it was made with"
        )


def foreign_alias_error(alias: str, place: str) -> ConfigurationError:
    """Return the error for an alias whose name a collection in `place` has that this package did not make."""
    return ConfigurationError(
        f"{place} has a collection {alias} of its own, made by something else or by an earlier version of this package; nothing was "
        f"written. Rename or remove it, then index again"
    )


def _named(documents: Iterable[str]) -> str:
    first, *others = documents
    return f"{first} and {len(others)} more documents" if others else first

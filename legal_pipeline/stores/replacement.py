"""Replaces the points of documents in an order that always leaves readers a complete version, over the primitives of a store.

Not here: the primitives (one module per store).
"""

from __future__ import annotations

import hashlib
import itertools
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol, TypeVar

import numpy as np

from legal_pipeline.errors import StoreError
from legal_pipeline.stores.store import DOCUMENT_ID, ROW_HASH, AnyOf, Condition, Point, ReplaceResult

Item = TypeVar("Item")

_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


class PointTable(Protocol):
    """One collection, open for writing. `write` and `delete` are durable when they return."""

    @property
    def dimensions(self) -> Mapping[str, int]:
        """Return name of a vector -> dimension."""
        ...

    def stored_id(self, point: Point) -> str:
        """Return the store's id of this version of the point. Two versions may have one id if readers never see one of them."""
        ...

    def lock(self, document_ids: Iterable[str]) -> None:
        """Wait until no other writer writes these documents, for stores where several can write at once and see partial writes."""

    def hashes(self, document_ids: Sequence[str]) -> dict[str, dict[str, str]]:
        """Return stored id -> row hash for each of the documents."""
        ...

    def document_hashes(self) -> dict[str, str]:
        """Implement `VectorStore.document_hashes`."""
        ...

    def write(self, points: Mapping[str, Point]) -> None:
        """Write points, given by their stored ids."""
        ...

    def delete(self, ids: Sequence[str]) -> None: ...

    def count(self, document_id: str | None) -> int: ...


class VersionedPoints(ABC):
    """The part of `PointTable` that is the same in the stores where each version of a point has an id of its own."""

    def stored_id(self, point: Point) -> str:
        return version_id(point)

    def hashes(self, document_ids: Sequence[str]) -> dict[str, dict[str, str]]:
        result: dict[str, dict[str, str]] = {document_id: {} for document_id in document_ids}
        for document_id, stored_id, row_hash in self._hashes([AnyOf(DOCUMENT_ID, tuple(document_ids))]):
            result[document_id][stored_id] = row_hash
        return result

    def document_hashes(self) -> dict[str, str]:
        return hash_documents(self._hashes(()))

    @abstractmethod
    def _hashes(self, conditions: Sequence[Condition]) -> Iterator[tuple[str, str, str]]:
        """Yield (document id, stored id, row hash) of each point."""


def ids_and_hashes(records: Iterable[Any]) -> Iterator[tuple[str, str, str]]:
    """Yield (document id, stored id, row hash) of each record that a Qdrant store returned."""
    for record in records:
        payload = record.payload or {}
        yield str(payload.get(DOCUMENT_ID, "")), str(record.id), str(payload.get(ROW_HASH, ""))


def hash_documents(points: Iterable[tuple[str, str, str]]) -> dict[str, str]:
    """Return document id -> hash of its points in any order; `points` are (document id, stored id, row hash)."""
    sums: dict[str, int] = {}
    for document_id, stored_id, row_hash in points:
        digest = hashlib.blake2b(f"{stored_id} {row_hash}".encode(), digest_size=16).digest()
        sums[document_id] = sums.get(document_id, 0) + int.from_bytes(digest)
    return {document_id: f"{total:x}" for document_id, total in sums.items()}


def replace_documents(
    table: PointTable, documents: Mapping[str, Sequence[Point]], publish: Callable[[Collection[str]], None] | None
) -> dict[str, ReplaceResult]:
    """Implement `VectorStore.replace_documents`."""
    for document_id, points in documents.items():
        if not points:
            raise StoreError(
                f"{document_id}: no points were given to replace those of the document (expected: at least one; delete_documents removes "
                "a document)"
            )
        strangers = {point.document_id for point in points} - {document_id}
        if strangers:
            raise StoreError(f"{document_id}: points of other documents given: {', '.join(sorted(strangers))}")
    verify_points([point for points in documents.values() for point in points], table.dimensions)
    table.lock(documents)
    present = table.hashes(list(documents))
    wanted: dict[str, dict[str, str]] = {}
    changed: dict[str, Point] = {}
    written = dict.fromkeys(documents, 0)
    for document_id, points in documents.items():
        wanted[document_id] = {}
        for point in points:
            stored_id, row_hash = table.stored_id(point), point.row_hash
            wanted[document_id][stored_id] = row_hash
            if present[document_id].get(stored_id) != row_hash:
                changed[stored_id] = point
                written[document_id] += 1
    if changed:
        table.write(changed)
        _verify_written(table, {document_id: wanted[document_id] for document_id, count in written.items() if count})
    if publish is not None:
        publish(documents.keys())
    stale = {
        document_id: sorted(present[document_id].keys() - of_document.keys())
        for document_id, of_document in wanted.items()
    }
    if any(stale.values()):
        table.delete([stored_id for ids in stale.values() for stored_id in ids])
        _verify_deleted(table, {document_id: ids for document_id, ids in stale.items() if ids})
    return {
        document_id: ReplaceResult(
            written=written[document_id],
            unchanged=len(points) - written[document_id],
            deleted=len(stale[document_id]),
        )
        for document_id, points in documents.items()
    }


def _verify_written(table: PointTable, written: Mapping[str, Mapping[str, str]]) -> None:
    """Raise `StoreError` if one of the points (document -> stored id -> row hash) is missing; any other points are another writer's."""
    found = table.hashes(list(written))
    for document_id, wanted in written.items():
        lost = [stored_id for stored_id, row_hash in wanted.items() if found[document_id].get(stored_id) != row_hash]
        if lost:
            raise StoreError(
                f"{document_id}: {len(lost)} of {len(wanted)} points are missing after writing, first {lost[0]}; nothing was deleted"
            )


def _verify_deleted(table: PointTable, deleted: Mapping[str, Sequence[str]]) -> None:
    """Raise `StoreError` if one of the points (document -> stored ids) is still there."""
    found = table.hashes(list(deleted))
    for document_id, ids in deleted.items():
        if left := found[document_id].keys() & set(ids):
            raise StoreError(
                f"{document_id}: {len(left)} of {len(ids)} stale points are still there after deleting them"
            )


def version_id(point: Point) -> str:
    """Return a UUID (version 5, in the name space of the point's id) of this version of the point.

    So the version can be written in addition to the version that readers still see, and a point of another document is never overwritten.
    """
    # uuid.uuid5 gives the same result in four times the time
    name = bytes.fromhex(point.id.replace("-", "")) + f"{point.document_id} {point.row_hash}".encode()
    digest = bytearray(hashlib.sha1(name, usedforsecurity=False).digest()[:16])
    digest[6] = digest[6] & 0x0F | 0x50
    digest[8] = digest[8] & 0x3F | 0x80
    text = digest.hex()
    return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"


def batches(items: Iterable[Item], size: int) -> Iterator[list[Item]]:
    """Yield lists of at most `size` items, like `itertools.batched` of Python 3.12."""
    left = iter(items)
    while batch := list(itertools.islice(left, size)):
        yield batch


def verify_points(points: Sequence[Point], dimensions: Mapping[str, int]) -> None:
    """Raise StoreError, before anything is written, for ids that are not UUIDs or are repeated, bad vectors and missing row hashes."""
    seen: set[str] = set()
    for point in points:
        if not _UUID.fullmatch(point.id):
            raise StoreError(f"{_where(point)}: the id is not a UUID in lower case with hyphens")
        if point.id in seen:
            raise StoreError(f"{_where(point)}: the id comes twice")
        seen.add(point.id)
        dimension = dimensions.get(point.vector_name)
        if dimension is None:
            raise StoreError(f"{_where(point)}: the collection has no vectors {point.vector_name}")
        if point.vector.shape != (dimension,):
            raise StoreError(f"{_where(point)}: the vector has shape {point.vector.shape}, expected ({dimension},)")
        if not point.row_hash:
            raise StoreError(f"{_where(point)}: the payload has no row_hash")
    for name in dict.fromkeys(point.vector_name for point in points):
        named = [point for point in points if point.vector_name == name]
        vectors = np.stack([point.vector for point in named])
        bad = np.flatnonzero(~np.isfinite(vectors).all(axis=1) | ~vectors.any(axis=1))
        if bad.size:
            raise StoreError(f"{_where(named[bad[0]])}: the vector is not finite or has no direction")


def _where(point: Point) -> str:
    return f"{point.document_id}: point {point.id}"

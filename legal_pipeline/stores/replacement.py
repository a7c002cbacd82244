"""Replacing the points of documents: the order that never leaves a reader without them, over five primitives of a store.

Not here: the primitives (one module per store).
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Protocol

import numpy as np

from legal_pipeline.errors import StoreError
from legal_pipeline.stores.store import Point, ReplaceResult


class PointTable(Protocol):
    """One collection, open for writing. `write` and `delete` are durable when they return."""

    @property
    def dimension(self) -> int: ...

    def stored_id(self, point: Point) -> str:
        """What the store calls this version of the point. Two versions may have one id if readers never see one of them."""
        ...

    def lock(self, document_ids: Iterable[str]) -> None:
        """Wait until nobody else writes these documents, where several can write at once and see each other's halves."""

    def hashes(self, document_ids: Sequence[str]) -> dict[str, dict[str, str]]:
        """Stored id -> row hash of each of the documents."""
        ...

    def write(self, points: Sequence[Point]) -> None: ...

    def delete(self, ids: Sequence[str]) -> None: ...

    def count(self, document_id: str | None) -> int: ...


def replace_documents(
    table: PointTable, documents: Mapping[str, Sequence[Point]], publish: Callable[[str], None] | None
) -> dict[str, ReplaceResult]:
    """See `VectorStore.replace_documents`."""
    for document_id, points in documents.items():
        if not points:
            raise StoreError(
                f"{document_id}: no points given; a document is taken out by delete_document, never by replacing it with nothing"
            )
        strangers = {point.document_id for point in points} - {document_id}
        if strangers:
            raise StoreError(f"{document_id}: points of other documents given: {', '.join(sorted(strangers))}")
    verify_points([point for points in documents.values() for point in points], table.dimension)
    wanted = {
        document_id: {table.stored_id(point): point for point in points} for document_id, points in documents.items()
    }
    table.lock(documents)
    present = table.hashes(list(documents))
    changed = {
        document_id: [
            point for stored_id, point in of_document.items() if present[document_id].get(stored_id) != point.row_hash
        ]
        for document_id, of_document in wanted.items()
    }
    if any(changed.values()):
        table.write([point for points in changed.values() for point in points])
        present = table.hashes(list(documents))
        for document_id, of_document in wanted.items():
            found = present[document_id]
            lost = [point.id for stored_id, point in of_document.items() if found.get(stored_id) != point.row_hash]
            if lost:
                raise StoreError(
                    f"{document_id}: {len(lost)} of {len(of_document)} points are missing after writing, first {lost[0]}; "
                    "nothing was deleted"
                )
    if publish is not None:
        for document_id in documents:
            publish(document_id)
    stale = {document_id: sorted(present[document_id].keys() - wanted[document_id].keys()) for document_id in documents}
    if any(stale.values()):
        table.delete([stored_id for ids in stale.values() for stored_id in ids])
        left = table.hashes(list(documents))
        for document_id, of_document in wanted.items():
            if left[document_id].keys() != of_document.keys():
                raise StoreError(
                    f"{document_id}: {len(left[document_id])} points after deleting {len(stale[document_id])} stale ones, "
                    f"expected {len(of_document)}"
                )
    return {
        document_id: ReplaceResult(
            written=len(changed[document_id]),
            unchanged=len(points) - len(changed[document_id]),
            deleted=len(stale[document_id]),
        )
        for document_id, points in documents.items()
    }


def version_id(point: Point) -> str:
    """An id that this version of the point alone has: it can be written beside the one that readers still see, and a point of another
    document is never overwritten."""
    return str(uuid.uuid5(uuid.UUID(point.id), f"{point.document_id} {point.row_hash}"))


def verify_points(points: Sequence[Point], dimension: int) -> None:
    """Raise StoreError, before anything is written, for ids that are no UUIDs or come twice, bad vectors and missing row hashes."""
    seen: set[str] = set()
    for point in points:
        where = f"{point.document_id}: point {point.id}"
        try:
            canonical = str(uuid.UUID(point.id))
        except ValueError as error:
            raise StoreError(f"{where}: the id is not a UUID") from error
        if canonical != point.id:
            raise StoreError(f"{where}: the id must be written {canonical}")
        if point.id in seen:
            raise StoreError(f"{where}: the id comes twice")
        seen.add(point.id)
        if point.vector.shape != (dimension,):
            raise StoreError(f"{where}: the vector has shape {point.vector.shape}, expected ({dimension},)")
        if not point.row_hash:
            raise StoreError(f"{where}: the payload has no row_hash")
    if points:
        vectors = np.stack([point.vector for point in points])
        bad = np.flatnonzero(~np.isfinite(vectors).all(axis=1) | ~vectors.any(axis=1))
        if bad.size:
            point = points[bad[0]]
            raise StoreError(f"{point.document_id}: point {point.id}: the vector is not finite or has no direction")

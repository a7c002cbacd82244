"""Replacing the points of one document: the order that never leaves a reader without it, over five primitives of a store.

Not here: the primitives (one module per store).
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np

from legal_pipeline.errors import StoreError
from legal_pipeline.stores.store import Point, ReplaceResult


class PointTable(Protocol):
    """One collection, open for writing. `write` and `delete` are durable when they return."""

    dimension: int

    def hashes(self, document_id: str) -> dict[str, str]: ...

    def owners(self, ids: Sequence[str]) -> dict[str, str]:
        """Point id -> document id, of those ids that exist."""
        ...

    def write(self, points: Sequence[Point]) -> None: ...

    def delete(self, ids: Sequence[str]) -> None: ...


def replace_document(
    table: PointTable, document_id: str, points: Sequence[Point], publish: Callable[[], None] | None
) -> ReplaceResult:
    """See `VectorStore.replace_document`."""
    if not points:
        raise StoreError(
            f"{document_id}: no points given; a document is taken out by delete_document, never by replacing it with nothing"
        )
    verify_points(points, table.dimension)
    strangers = {point.document_id for point in points} - {document_id}
    if strangers:
        raise StoreError(f"{document_id}: points of other documents given: {', '.join(sorted(strangers))}")
    present = table.hashes(document_id)
    wanted = {point.id: point.row_hash for point in points}
    changed = [point for point in points if present.get(point.id) != point.row_hash]
    if changed:
        _verify_ownership(table, document_id, [point.id for point in changed if point.id not in present])
        table.write(changed)
        present = table.hashes(document_id)
        lost = [point_id for point_id, row_hash in wanted.items() if present.get(point_id) != row_hash]
        if lost:
            raise StoreError(
                f"{document_id}: {len(lost)} of {len(wanted)} points are missing after writing, first {lost[0]}; nothing was deleted"
            )
    if publish is not None:
        publish()
    stale = [point_id for point_id in present if point_id not in wanted]
    if stale:
        table.delete(stale)
        left = table.hashes(document_id)
        if left.keys() != wanted.keys():
            raise StoreError(
                f"{document_id}: {len(left)} points after deleting {len(stale)} stale ones, expected {len(wanted)}"
            )
    return ReplaceResult(written=len(changed), unchanged=len(points) - len(changed), deleted=len(stale))


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
        if not np.isfinite(point.vector).all() or not point.vector.any():
            raise StoreError(f"{where}: the vector is not finite or has no direction")
        if not point.row_hash:
            raise StoreError(f"{where}: the payload has no row_hash")


def _verify_ownership(table: PointTable, document_id: str, ids: Sequence[str]) -> None:
    owners = {point_id: owner for point_id, owner in table.owners(ids).items() if owner != document_id} if ids else {}
    if owners:
        point_id, owner = next(iter(owners.items()))
        raise StoreError(f"{document_id}: point {point_id} belongs to {owner} already; nothing was written")

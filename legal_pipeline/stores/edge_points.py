"""Points, filters, indexes and the configuration of a shard in the types of Qdrant Edge.

Not here: the shard that contains them (`stores.edge_shard`).
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import qdrant_edge as edge

from legal_pipeline.stores import bm25
from legal_pipeline.stores.qdrant_requests import QdrantRequests
from legal_pipeline.stores.store import (
    DOCUMENT_ID,
    INDEXED_FIELDS,
    SPARSE,
    DateRange,
    Point,
)

_MIRROR = "__word"

#: Fields of the default filters. Fewer than on a server: each index is more files to read at every opening and to write at every flush (all
#: 26: three times the time of six, for both), and Edge, unlike a server in strict mode, reads the payload if there is no index.
_INDEXED = (
    "document_id", "jurisdiction", "language", "doc_type", "strategy", "superseded", "work_uris", "provisions", "chapter", "chunk_id",
    "seq",
)  # fmt: skip

_BOOLEANS = tuple(name for name, kind in INDEXED_FIELDS.items() if kind == "bool")
_MIRRORS = frozenset(f"{name}{_MIRROR}" for name in _BOOLEANS)


def edge_points(points: Iterable[tuple[str, Point]]) -> list[Any]:
    made = []
    for stored_id, point in points:
        # the buffer is read directly: half the time of a list of its numbers, and no copy
        dense: Any = np.ascontiguousarray(point.vector, np.float32).data
        payload = {**point.payload, DOCUMENT_ID: point.document_id}
        for name in _BOOLEANS:
            if isinstance(value := payload.get(name), bool):
                payload[_mirror(name)] = str(value)
        vectors = {point.vector_name: dense, SPARSE: bm25.edge_vector(point.text, point.language)}
        made.append(edge.Point(stored_id, vectors, payload))
    return made


def _mirror(name: str) -> str:
    """Return the field with a boolean as a word: qdrant-edge-py 0.9 turns `MatchValue(True)` into a match of the number 1."""
    return f"{name}{_MIRROR}"


def without_mirrors(stored: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return a payload as it was written; payloads share the names of their fields in memory."""
    return {sys.intern(name): value for name, value in (stored or {}).items() if name not in _MIRRORS}


class EdgeRequests(QdrantRequests):
    """Requests to a shard of Qdrant Edge."""

    def __init__(self) -> None:
        super().__init__(edge)

    def _nearest(self, vector: Any, using: str, **given: Any) -> Any:
        return self._types.QueryRequest(query=self._types.Query.Nearest(vector, using=using), **given)

    def _flags(self, name: str, flags: list[bool]) -> list[Any]:
        return [self._types.FieldCondition(_mirror(name), match=self._types.MatchAny([str(flag) for flag in flags]))]

    def _within(self, condition: DateRange) -> Any:
        bounds = self._types.RangeDateTime(
            gte=condition.since, gt=condition.after, lte=condition.until, lt=condition.before
        )
        return self._types.FieldCondition(condition.field, range=bounds)

    def _absent(self, name: str) -> Any:
        return self._types.IsEmptyCondition(name)

    def _points(self, ids: Sequence[str]) -> Any:
        return self._types.HasIdCondition(set(ids))


def configuration(dimensions: Mapping[str, int], quantized: bool, *, is_loading: bool = False) -> Any:
    """Return the `EdgeConfig` of a shard with these vectors.

    `is_loading`: `EdgeShard.optimize` indexes every new point, and does not merge segments, which would index the same points again and
    again.
    """
    int8 = edge.ScalarQuantizationConfig(edge.ScalarType.Int8, quantile=0.99, memory=edge.Memory.Cached)
    loading = edge.EdgeOptimizersConfig(default_segment_number=1000, indexing_threshold=1)
    return edge.EdgeConfig(
        vectors={name: edge.EdgeVectorParams(size, edge.Distance.Cosine) for name, size in dimensions.items()},
        quantization_config=int8 if quantized else None,
        sparse_vectors={SPARSE: edge.EdgeSparseVectorParams(modifier=edge.Modifier.Idf, memory=edge.Memory.Cached)},
        # not left out: a shard would keep the one that it was last opened with
        optimizers=loading if is_loading else edge.EdgeOptimizersConfig(),
        # The write-ahead log numbers the operations. Without it they are numbered from the last flush of the segments: after a kill
        # between points and that number, deletions count as older than the points and are ignored.
        wal_enabled=True,
    )


def create_indexes(shard: Any) -> None:
    """Create the indexes that the shard does not have.

    After `QdrantEdgeStore.optimise`, they are mapped files and do not count as memory of the process.
    """
    kinds: dict[str, Any] = {
        "keyword": edge.KeywordIndexParams(memory=edge.Memory.Cached),
        "integer": edge.IntegerIndexParams(memory=edge.Memory.Cached),
    }
    wanted = {
        _mirror(name) if kind == "bool" else name: kinds["keyword" if kind == "bool" else kind]
        for name, kind in ((name, INDEXED_FIELDS[name]) for name in _INDEXED)
    }
    missing = wanted.keys() - shard.info().payload_schema.keys()
    for name in sorted(missing):
        shard.update(edge.UpdateOperation.create_field_index(name, wanted[name]))
    if missing:
        shard.flush()

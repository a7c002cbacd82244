"""Points, filters and indexes in the types of Qdrant Edge.

Not here: the shard that contains them (`stores.edge_shard`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from legal_pipeline.stores import bm25
from legal_pipeline.stores.store import (
    DOCUMENT_ID,
    INDEXED_FIELDS,
    SPARSE,
    AnyOf,
    Condition,
    DateRange,
    Either,
    Not,
    Point,
    Scalar,
    ScoredPoint,
)

_MIRROR = "__word"

#: Fields of the default filters. Fewer than on a server: each index is more files to read at every opening and to write at every flush (all
#: 26: three times the time of six, for both), and Edge, unlike a server in strict mode, reads the payload if there is no index.
EDGE_INDEXED = (
    "document_id", "jurisdiction", "language", "doc_type", "strategy", "superseded", "work_uris", "provisions", "chapter", "chunk_id",
    "seq",
)  # fmt: skip

_BOOLEANS = tuple(name for name, kind in INDEXED_FIELDS.items() if kind == "bool")
_MIRRORS = tuple(f"{name}{_MIRROR}" for name in _BOOLEANS)


def scored(answer: Iterable[Any]) -> tuple[ScoredPoint, ...]:
    return tuple(ScoredPoint(str(point.id), float(point.score), _payload(point.payload)) for point in answer)


def edge_points(points: Iterable[tuple[str, Point]]) -> list[Any]:
    from qdrant_edge import Point as EdgePoint

    made = []
    for stored_id, point in points:
        # the buffer is read directly: half the time of a list of its numbers, and no copy
        dense: Any = np.ascontiguousarray(point.vector, np.float32).data
        payload = {**point.payload, DOCUMENT_ID: point.document_id}
        for name in _BOOLEANS:
            if isinstance(value := payload.get(name), bool):
                payload[_mirror(name)] = str(value)
        vectors = {point.vector_name: dense, SPARSE: bm25.edge_vector(point.text, point.language)}
        made.append(EdgePoint(stored_id, vectors, payload))
    return made


def _mirror(name: str) -> str:
    """Return the field with a boolean as a word: qdrant-edge-py 0.9 turns `MatchValue(True)` into a match of the number 1."""
    return f"{name}{_MIRROR}"


def _payload(stored: dict[str, Any] | None) -> dict[str, Any]:
    found = stored or {}  # created for this answer only
    for name in _MIRRORS:
        found.pop(name, None)
    return found


def _any_of(name: str, values: Sequence[Scalar]) -> Any:
    """Return the condition that the field has one of `values`: one condition per kind, because separate ones are tried in turn."""
    import qdrant_edge as edge

    flags: list[str] = [str(value) for value in values if isinstance(value, bool)]
    words: list[str] = [value for value in values if isinstance(value, str)]
    numbers: list[int] = [value for value in values if isinstance(value, int) and not isinstance(value, bool)]
    found: list[Any] = []
    if flags:
        found.append(edge.FieldCondition(_mirror(name), match=edge.MatchAny(flags)))
    if words:
        found.append(edge.FieldCondition(name, match=edge.MatchAny(words)))
    if numbers:
        found.append(edge.FieldCondition(name, match=edge.MatchAny(numbers)))
    return edge.Filter(should=found) if found else edge.HasIdCondition(set())


def edge_filter(conditions: Sequence[Condition]) -> Any:
    import qdrant_edge

    if not conditions:
        return None
    must: list[Any] = []
    must_not: list[Any] = []
    for condition in conditions:
        if isinstance(condition, Either):
            either: list[Any] = [edge_filter(each) or qdrant_edge.Filter() for each in condition.alternatives]
            must.append(qdrant_edge.Filter(should=either) if either else qdrant_edge.HasIdCondition(set()))
        elif isinstance(condition, Not):
            must_not.append(_condition(condition.condition))
        else:
            must.append(_condition(condition))
    return qdrant_edge.Filter(must=must, must_not=must_not)


def _condition(condition: AnyOf | DateRange) -> Any:
    import qdrant_edge as edge

    if isinstance(condition, AnyOf):
        return _any_of(condition.field, condition.values)
    within = edge.FieldCondition(
        condition.field,
        range=edge.RangeDateTime(gte=condition.since, gt=condition.after, lte=condition.until, lt=condition.before),
    )
    return edge.Filter(should=[within, edge.IsEmptyCondition(condition.field)]) if condition.or_absent else within


def create_indexes(shard: Any) -> None:
    """Create the indexes that the shard does not have."""
    import qdrant_edge as edge

    kinds = {
        "keyword": edge.PayloadSchemaType.Keyword,
        "integer": edge.PayloadSchemaType.Integer,
    }
    wanted = {
        _mirror(name) if kind == "bool" else name: kinds["keyword" if kind == "bool" else kind]
        for name, kind in ((name, INDEXED_FIELDS[name]) for name in EDGE_INDEXED)
    }
    missing = wanted.keys() - shard.info().payload_schema.keys()
    for name in sorted(missing):
        shard.update(edge.UpdateOperation.create_field_index(name, wanted[name]))
    if missing:
        shard.flush()

"""The order of a store's answers: by score, and equal scores by document and path, whatever order the points were written in.

Not here: how points are scored (one module per store) and how several lists become one (`retrieval.fusion`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from legal_pipeline.errors import ConfigurationError
from legal_pipeline.stores.store import (
    DOCUMENT_ID,
    INDEXED_FIELDS,
    ROW_HASH,
    Condition,
    Payload,
    RankedLists,
    ScoredPoint,
    fields_of,
)

#: Digits of a score that count: the last ones of a float32 differ by processor and by the order of summation.
_DIGITS = 5

#: Points asked for beyond the limit: whether the last one that is wanted has equals behind it. The whole of a longer tie is asked for.
_SPARE, _FACTOR, _MAX_DEPTH = 16, 4, 12_800


def place(payload: Payload) -> tuple[str, str, str, str]:
    """What orders equal scores: document, path, the chunk's (or the question's) id, and its version."""
    own_id = payload.get("chunk_id") or payload.get("question_id")
    parts = (payload.get(DOCUMENT_ID), payload.get("path"), own_id, payload.get(ROW_HASH))
    first, second, third, fourth = (str(part or "") for part in parts)
    return first, second, third, fourth


def in_order(ask: Callable[[int], RankedLists], limit: int) -> RankedLists:
    """The `limit` best points of each list that `ask` gives for a depth, none of them chosen by chance among equals."""
    depth = limit + _SPARE
    while True:
        lists = ask(depth)
        cut = any(_may_go_on(points, limit, depth) for points in (lists.dense, lists.sparse))
        if not cut or depth >= _MAX_DEPTH:
            return RankedLists(_sorted(lists.dense)[:limit], _sorted(lists.sparse)[:limit], lists.unranked[:limit])
        depth = min(depth * _FACTOR, _MAX_DEPTH)


def verify_indexed(conditions: Sequence[Condition]) -> None:
    """Raise ConfigurationError for a condition on a field without an index."""
    unknown = sorted(set(fields_of(conditions)) - INDEXED_FIELDS.keys())
    if unknown:
        raise ConfigurationError(
            f"no filter can be on {', '.join(unknown)}: there is no index of it; there are {', '.join(sorted(INDEXED_FIELDS))}"
        )


def _sorted(points: Sequence[ScoredPoint]) -> tuple[ScoredPoint, ...]:
    return tuple(sorted(points, key=lambda point: (-_score(point), place(point.payload), point.id)))


def _may_go_on(points: Sequence[ScoredPoint], limit: int, depth: int) -> bool:
    """Whether points that were not given may be equal to the last one that is wanted."""
    return len(points) >= depth and _score(points[-1]) >= _score(points[limit - 1])


def _score(point: ScoredPoint) -> float:
    return float(f"{point.score:.{_DIGITS}g}")

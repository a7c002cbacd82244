"""The order of a store's answers: by score, and equal scores by document and path, independent of the order of writing.

Not here: scoring points (one module per store) and combining several lists (`retrieval.fusion`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from legal_pipeline.errors import ConfigurationError
from legal_pipeline.stores.store import (
    DOCUMENT_ID,
    INDEXED_FIELDS,
    ROW_HASH,
    Condition,
    Payload,
    Query,
    RankedLists,
    ScoredPoint,
    fields_of,
)

#: Significant digits of a score: the last digits of a float32 differ by processor and by the order of summation.
_DIGITS = 5

#: Extra points requested beyond the limit, to see whether the last wanted point has equals after it. Longer ties are requested completely.
_SPARE, _FACTOR, _MAX_DEPTH = 16, 4, 12_800


def place(payload: Payload) -> tuple[str, str, str, str]:
    """Return the sort key of equal scores: document, path, the chunk's (or the question's) id, and its version."""
    own_id = payload.get("chunk_id") or payload.get("question_id")
    parts = (payload.get(DOCUMENT_ID), payload.get("path"), own_id, payload.get(ROW_HASH))
    first, second, third, fourth = (str(part or "") for part in parts)
    return first, second, third, fourth


def in_order(ask: Callable[[Sequence[Query]], list[RankedLists]], queries: Sequence[Query]) -> list[RankedLists]:
    """Return the best points of each list of `ask`, as many as each query wants; ties are never broken by chance."""
    found: dict[int, RankedLists] = {}
    depths = {at: query.limit + (0 if query.is_unranked else _SPARE) for at, query in enumerate(queries)}
    while left := [at for at in depths if at not in found]:
        for at, lists in zip(left, ask([replace(queries[at], limit=depths[at]) for at in left]), strict=True):
            limit, depth = queries[at].limit, depths[at]
            cut = any(_may_go_on(points, limit, depth) for points in (lists.dense, lists.sparse))
            if not cut or depth >= _MAX_DEPTH:
                ranked = (_sorted(lists.dense)[:limit], _sorted(lists.sparse)[:limit])
                found[at] = RankedLists(*ranked, lists.unranked[:limit])
            depths[at] = min(depth * _FACTOR, _MAX_DEPTH)
    return [found[at] for at in depths]


def verify_indexed(conditions: Sequence[Condition]) -> None:
    """Raise ConfigurationError for a condition on a field without an index."""
    unknown = sorted(set(fields_of(conditions)) - INDEXED_FIELDS.keys())
    if unknown:
        raise ConfigurationError(
            f"no filter can be on {', '.join(unknown)}: there is no index of it; there are {', '.join(sorted(INDEXED_FIELDS))}"
        )


def _sorted(points: Sequence[ScoredPoint]) -> tuple[ScoredPoint, ...]:
    scored = sorted(((-_score(point), point) for point in points), key=lambda pair: pair[0])
    if len({score for score, _ in scored}) < len(scored):
        scored.sort(key=lambda pair: (pair[0], place(pair[1].payload), pair[1].id))
    return tuple(point for _, point in scored)


def _may_go_on(points: Sequence[ScoredPoint], limit: int, depth: int) -> bool:
    """Return whether points beyond those returned may be equal to the last wanted point."""
    return len(points) >= depth and _score(points[-1]) >= _score(points[limit - 1])


def _score(point: ScoredPoint) -> float:
    return float(f"{point.score:.{_DIGITS}g}")

"""The order of a store's answers: by score, and equal scores by document and path, independent of the order of writing.

Not here: scoring points (one module per store) and combining several lists (`retrieval.fusion`).
"""

from __future__ import annotations

import bisect
import heapq
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

#: Extra points requested beyond the limit, to see whether the last wanted point has equals after it; if it has, so many times as many.
_SPARE, _FACTOR = 16, 4

#: Points of equal score that are requested to choose among them.
_MAX_TIE = 12_800


def place(payload: Payload) -> tuple[str, str, str, str]:
    """Return the sort key of equal scores: document, path, the chunk's (or the question's) id, and its version."""
    own_id = payload.get("chunk_id") or payload.get("question_id")
    parts = (payload.get(DOCUMENT_ID), payload.get("path"), own_id, payload.get(ROW_HASH))
    first, second, third, fourth = (str(part or "") for part in parts)
    return first, second, third, fourth


def in_order(ask: Callable[[Sequence[Query]], list[RankedLists]], queries: Sequence[Query]) -> list[RankedLists]:
    """Return the best points of each list of `ask`, as many as each query wants; ties are never broken by chance.

    Of more equals than a second, larger request returns (copies of one text) those with the smallest ids are taken: reading the payloads of
    all of them would take longer than the search.
    """
    found: dict[int, RankedLists] = {}
    for factor in (1, _FACTOR):
        left = [at for at in range(len(queries)) if at not in found]
        wanted = [_deeper(queries[at], factor) for at in left]
        for at, query, lists in zip(left, wanted, ask(wanted) if wanted else (), strict=True):
            limit = queries[at].limit
            cut = [name for name in ("dense", "sparse") if _may_go_on(getattr(lists, name), limit, query.limit)]
            if not cut:
                ranked = (_sorted(lists.dense)[:limit], _sorted(lists.sparse)[:limit])
                found[at] = RankedLists(*ranked, lists.unranked[:limit])
            elif factor > 1:
                ties = {name: _score(getattr(lists, name)[limit - 1]) for name in cut}
                whole = {name: _of_long_tie(ask, queries[at], name, tie) for name, tie in ties.items()}
                found[at] = RankedLists(
                    whole.get("dense") or _sorted(lists.dense)[:limit],
                    whole.get("sparse") or _sorted(lists.sparse)[:limit],
                )
    return [found[at] for at in range(len(queries))]


def verify_indexed(conditions: Sequence[Condition]) -> None:
    """Raise ConfigurationError for a condition on a field without an index."""
    unknown = sorted(set(fields_of(conditions)) - INDEXED_FIELDS.keys())
    if unknown:
        raise ConfigurationError(
            f"no filter can be on {', '.join(unknown)}: there is no index of it; there are {', '.join(sorted(INDEXED_FIELDS))}"
        )


def _deeper(query: Query, factor: int) -> Query:
    return query if query.is_unranked else replace(query, limit=(query.limit + _SPARE) * factor)


def _of_long_tie(
    ask: Callable[[Sequence[Query]], list[RankedLists]], query: Query, name: str, tie: float
) -> tuple[ScoredPoint, ...]:
    """Return the list `name` of the query: the points above a long tie at the score `tie`, then those of the tie with the smallest ids."""
    alone = replace(query, text=None) if name == "dense" else replace(query, dense=None)
    below = tie - abs(tie) * 10.0 ** (1 - _DIGITS)
    (lists,) = ask([replace(alone, limit=max(query.limit, _MAX_TIE), fields=(), threshold=below)])
    points: tuple[ScoredPoint, ...] = getattr(lists, name)
    above, end = (
        side(points, -tie, key=lambda point: -_score(point)) for side in (bisect.bisect_left, bisect.bisect_right)
    )
    chosen = [*points[:above], *heapq.nsmallest(query.limit - above, points[above:end], key=lambda point: point.id)]
    (lists,) = ask([replace(alone, limit=len(chosen), ids=[point.id for point in chosen])])
    return _sorted(getattr(lists, name))


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

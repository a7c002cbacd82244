"""Which of many points with equal scores are in a list, on lists made by hand. Not here: the stores that make them (`test_ranking`)."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np
import pytest

from legal_pipeline.stores import ranking
from legal_pipeline.stores.ranking import in_order
from legal_pipeline.stores.store import Query, RankedLists, ScoredPoint

VECTOR = np.ones(2, np.float32)


def point(number: int, score: float, path: str | None = None) -> ScoredPoint:
    return ScoredPoint(f"id-{number:04}", score, {"document_id": "act", "path": path or f"{number:04}"})


@dataclasses.dataclass
class Answers:
    """Answers queries as a store does: the best points, equals in the order of writing."""

    points: Sequence[ScoredPoint]
    asked: int = 0
    #: A store may leave out points that score less than a threshold, and need not.
    has_threshold: bool = True

    def __call__(self, queries: Sequence[Query]) -> list[RankedLists]:
        self.asked += 1
        return [
            RankedLists(*(self.best(query) if wanted is not None else () for wanted in (query.dense, query.text)))
            for query in queries
        ]

    def best(self, query: Query) -> tuple[ScoredPoint, ...]:
        found = [each for each in self.points if query.ids is None or each.id in query.ids]
        if self.has_threshold and query.threshold is not None:
            found = [each for each in found if each.score >= query.threshold]
        return tuple(sorted(found, key=lambda each: -each.score)[: query.limit])


def ids(points: Sequence[ScoredPoint]) -> list[int]:
    return [int(each.id[3:]) for each in points]


def test_equals_are_in_the_order_of_their_paths_behind_what_is_better() -> None:
    answers = Answers([*(point(number, 0.5) for number in range(30, 0, -1)), point(40, 0.9), point(50, 0.1)])
    (found,) = in_order(answers, [Query(dense=VECTOR, limit=4)])
    assert ids(found.dense) == [40, 1, 2, 3]


def test_scores_that_differ_in_the_sixth_digit_are_equal() -> None:
    (found,) = in_order(Answers([point(2, 0.500002), point(1, 0.500001)]), [Query(dense=VECTOR, limit=2)])
    assert ids(found.dense) == [1, 2]
    (found,) = in_order(Answers([point(2, 0.50002), point(1, 0.50001)]), [Query(dense=VECTOR, limit=2)])
    assert ids(found.dense) == [2, 1]


def test_of_more_equals_than_a_second_request_returns_those_with_the_smallest_ids_are_taken() -> None:
    equals = [point(number, 0.5, "same") for number in range(900, 100, -1)]
    points = [*equals, point(2, 0.8), point(1, 0.9), *(point(number, 0.4) for number in range(10, 20))]
    for has_threshold in (True, False):
        (found,) = in_order(Answers(points, has_threshold=has_threshold), [Query(dense=VECTOR, limit=5)])
        assert ids(found.dense) == [1, 2, 101, 102, 103]


def test_a_list_that_is_longer_than_a_tie_may_be_is_full(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ranking, "_MAX_TIE", 3)
    equals = [point(number, 0.5, "same") for number in range(200, 0, -1)]
    (found,) = in_order(Answers(equals), [Query(dense=VECTOR, limit=5)])
    assert len(found.dense) == 5


def test_each_list_of_each_query_has_as_many_points_as_it_wants() -> None:
    answers = Answers([point(number, 1 / (number + 1)) for number in range(40)])
    queries = [Query(dense=VECTOR, text="lamp", limit=3), Query(text="lamp", limit=2), Query(dense=VECTOR, limit=1)]
    found = in_order(answers, queries)
    assert [(ids(lists.dense), ids(lists.sparse)) for lists in found] == [
        ([0, 1, 2], [0, 1, 2]),
        ([], [0, 1]),
        ([0], []),
    ]
    assert answers.asked == 1

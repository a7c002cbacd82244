"""Figures of single rankings against cases that were worked out by hand, and against ir-measures where that counts the same."""

from __future__ import annotations

import math

import ir_measures
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from ir_measures import RR, R, Success, nDCG

from legal_pipeline.evaluation.dataset import Answer, Query
from legal_pipeline.evaluation.metrics import METRICS, RESAMPLES, Ranked, interval, measure, resamples


def query(*answers: Answer) -> Query:
    return Query("q", "words", "eng", "key", answers)


def hit(start: int, end: int, document: str = "act", *, tokens: int = 100, verbatim: bool = True) -> Ranked:
    return Ranked(document, ((start, end),), tokens, verbatim)


def figures(one: Query, ranking: list[Ranked]) -> dict[str, float]:
    return dict(zip(METRICS, measure(one, ranking).tolist(), strict=True))


def test_the_first_right_hit_at_the_third_place() -> None:
    found = figures(query(Answer("act", 0, 100)), [hit(500, 600), hit(900, 1000, "other"), hit(0, 100)])
    assert found["recall@1"] == 0
    assert found["recall@5"] == found["recall@10"] == 1
    assert found["mrr@10"] == pytest.approx(1 / 3)
    assert found["ndcg@10"] == pytest.approx(1 / math.log2(4))
    assert found["mismatch@5"] == pytest.approx(1 / 3)


def test_the_second_half_of_a_provision_is_no_second_success() -> None:
    found = figures(query(Answer("act", 0, 100), Answer("act", 200, 300)), [hit(0, 50), hit(50, 100), hit(200, 300)])
    assert found["recall@1"] == 0.5
    assert found["recall@5"] == 1
    assert found["whole@5"] == 0.5
    assert found["ndcg@10"] == pytest.approx((1 + 1 / math.log2(4)) / (1 + 1 / math.log2(3)))


def test_answers_in_one_chunk_count_at_consecutive_places() -> None:
    found = figures(query(Answer("act", 0, 100), Answer("act", 100, 200)), [hit(0, 200)])
    assert found["recall@1"] == 1
    assert found["ndcg@10"] == pytest.approx(1)


def test_grades_weigh_what_stands_first() -> None:
    answers = (Answer("act", 0, 100, grade=3), Answer("act", 200, 300, grade=1))
    best = figures(query(*answers), [hit(0, 100), hit(200, 300)])
    worse = figures(query(*answers), [hit(200, 300), hit(0, 100)])
    assert best["ndcg@10"] == pytest.approx(1)
    assert worse["ndcg@10"] == pytest.approx((1 + 3 / math.log2(3)) / (3 + 1 / math.log2(3)))


def test_a_summary_is_of_the_right_document_and_answers_nothing() -> None:
    found = figures(query(Answer("act", 0, 100)), [hit(0, 1000, verbatim=False)])
    assert found["recall@10"] == 0
    assert found["mismatch@5"] == 0


def test_nothing_found_is_the_worst() -> None:
    found = figures(query(Answer("act", 0, 100)), [])
    assert found.pop("mismatch@5") == 1
    assert set(found.values()) == {0}


def test_what_lies_beyond_two_thousand_tokens_is_not_within_them() -> None:
    ranking = [hit(500, 600, tokens=1500), hit(700, 800, tokens=600), hit(0, 100, tokens=10)]
    assert figures(query(Answer("act", 0, 100)), ranking)["recall@2000t"] == 0
    ranking[1] = hit(700, 800, tokens=490)
    assert figures(query(Answer("act", 0, 100)), ranking)["recall@2000t"] == 1


def test_intervals_hold_the_mean_repeat_with_the_seed_and_vanish_without_spread() -> None:
    values = np.array([0.0, 1.0] * 50)
    draws = resamples(100, seed=3)
    found = interval(values, draws)
    assert draws.shape == (RESAMPLES, 100)
    assert found == interval(values, resamples(100, seed=3))
    assert found.low < found.mean == 0.5 < found.high
    # the standard error of 100 throws of a coin is 0.05
    assert found.high - found.low == pytest.approx(4 * 0.05, rel=0.15)
    assert interval(np.ones(100), draws).low == 1


def test_characters_are_counted_once_and_in_the_right_document() -> None:
    ranking = [hit(50, 150), hit(100, 200, "act"), hit(0, 100, "other"), hit(0, 1000, verbatim=False)]
    found = figures(query(Answer("act", 0, 100)), ranking)
    assert found["char precision@1"] == 0.5
    assert found["char recall@1"] == 0.5
    # 150 characters of the Act and 100 of another one, 50 of them in the answer; the summary has no characters of the text
    assert found["char precision@5"] == pytest.approx(50 / 250)
    assert found["char recall@5"] == 0.5


def test_one_right_hit_among_five_is_a_success() -> None:
    answers = (Answer("act", 0, 100), Answer("act", 200, 300))
    assert figures(query(*answers), [hit(900, 1000)] * 4 + [hit(200, 300)])["hits@5"] == 1
    assert figures(query(*answers), [hit(900, 1000)] * 5 + [hit(200, 300)])["hits@5"] == 0


#: Provisions of a hundred characters each, by their number; a ranking is a permutation of some of them.
_GRADES = st.dictionaries(st.integers(0, 24), st.integers(1, 3), min_size=1, max_size=6)
_RANKINGS = st.lists(st.integers(0, 24), unique=True, min_size=1, max_size=20)


@given(grades=_GRADES, ranking=_RANKINGS)
def test_where_each_hit_is_one_provision_the_figures_are_those_of_ir_measures(
    grades: dict[int, int], ranking: list[int]
) -> None:
    asked = query(*(Answer("act", one * 100, one * 100 + 100, grade) for one, grade in grades.items()))
    ours = figures(asked, [hit(one * 100, one * 100 + 100) for one in ranking])
    judged = [ir_measures.Qrel("q", str(one), grade) for one, grade in grades.items()]
    run = [ir_measures.ScoredDoc("q", str(one), 1 / place) for place, one in enumerate(ranking, start=1)]
    theirs = ir_measures.calc_aggregate([nDCG @ 10, RR @ 10, R @ 1, R @ 5, R @ 10, Success @ 5], judged, run)
    for name, measure_ in (
        ("ndcg@10", nDCG @ 10), ("mrr@10", RR @ 10), ("hits@5", Success @ 5),
        ("recall@1", R @ 1), ("recall@5", R @ 5), ("recall@10", R @ 10),
    ):  # fmt: skip
        assert ours[name] == pytest.approx(theirs[measure_], abs=1e-4), name


def test_ten_right_hits_are_the_best_that_a_query_of_more_answers_can_have() -> None:
    answers = [Answer("act", at, at + 100) for at in range(0, 1200, 100)]
    assert figures(query(*answers), [hit(at, at + 100) for at in range(0, 1000, 100)])["ndcg@10"] == pytest.approx(1)


def test_a_summary_before_the_right_hit_takes_a_place_and_holds_no_answer_whole() -> None:
    summary = hit(0, 1000, verbatim=False)
    found = figures(query(Answer("act", 0, 100)), [summary, hit(0, 60)])
    assert (found["mrr@10"], found["whole@5"]) == (0.5, 0)
    assert figures(query(Answer("act", 0, 100)), [summary, hit(0, 100)])["whole@5"] == 1

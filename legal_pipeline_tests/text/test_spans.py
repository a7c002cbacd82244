"""Spans of a text: which of them overlap, and what they cover together."""

from __future__ import annotations

from legal_pipeline.text.spans import overlapping, subtract, union


def test_a_long_span_is_in_one_group_with_all_that_begin_inside_it() -> None:
    spans = [(0, 10), (1, 3), (5, 7), (10, 12)]
    assert list(overlapping(spans, lambda span: span)) == [[(0, 10), (1, 3), (5, 7)], [(10, 12)]]


def test_a_span_inside_another_takes_nothing_from_it_and_nothing_more_away() -> None:
    assert union([(1, 3), (0, 10), (10, 12), (4, 4)]) == [(0, 10), (10, 12)]
    assert subtract((0, 12), [(1, 9), (2, 4), (11, 20)]) == [(0, 1), (9, 11)]

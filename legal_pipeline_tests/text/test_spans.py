"""Spans of a text: which of them overlap, and what they cover together."""

from __future__ import annotations

from legal_pipeline.text.spans import join_adjacent, overlapping, span_at, subtract, trim, union, within


def test_a_long_span_is_in_one_group_with_all_that_begin_inside_it() -> None:
    spans = [(0, 10), (1, 3), (5, 7), (10, 12)]
    assert list(overlapping(spans, lambda span: span)) == [[(0, 10), (1, 3), (5, 7)], [(10, 12)]]


def test_a_span_inside_another_takes_nothing_from_it_and_nothing_more_away() -> None:
    assert union([(1, 3), (0, 10), (10, 12), (4, 4)]) == [(0, 10), (10, 12)]
    assert subtract((0, 12), [(1, 9), (2, 4), (11, 20)]) == [(0, 1), (9, 11)]


def test_a_span_has_its_first_character_and_not_the_one_behind_it() -> None:
    spans = [(2, 4), (4, 6), (9, 10)]
    assert [span_at(spans, at) for at in (1, 2, 4, 6, 9, 10)] == [None, (2, 4), (4, 6), None, (9, 10), None]
    assert [within(spans, at) for at in (1, 2, 6, 9)] == [False, True, False, True]


def test_white_space_ends_no_span_and_parts_none() -> None:
    text = "  ab \n cd  e "
    assert trim(text, [(0, 5), (4, 7), (6, 13)]) == ((2, 4), (7, 12))
    assert join_adjacent(text, [(2, 4), (7, 9), (9, 9), (11, 12)]) == ((2, 12),)
    assert join_adjacent("ab,cd", [(0, 2), (3, 5)]) == ((0, 2), (3, 5))

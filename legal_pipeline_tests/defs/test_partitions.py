"""Which ranges a set of documents makes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from legal_pipeline.defs.partitions import ranges


def test_a_range_never_spans_a_document_that_was_not_asked_for() -> None:
    assert ranges({"a", "b", "d"}, ["a", "b", "c", "d"], 10) == [("a", "b"), ("d",)]


def test_a_range_follows_the_order_in_which_the_keys_were_added() -> None:
    assert ranges({"a", "b", "c"}, ["c", "x", "b", "a"], 10) == [("c",), ("b", "a")]


def test_a_range_is_cut_at_the_limit() -> None:
    assert [len(group) for group in ranges(set("abcdefg"), list("abcdefg"), 3)] == [3, 3, 1]


def test_a_limit_below_one_is_refused() -> None:
    with pytest.raises(ValueError, match="limit 0"):
        ranges({"a"}, ["a"], 0)


@given(st.lists(st.integers(0, 60), unique=True), st.sets(st.integers(0, 60)), st.integers(1, 9))
def test_ranges_hold_every_wanted_key_once_and_no_other(order: list[int], wanted: set[int], limit: int) -> None:
    names = [str(number) for number in order]
    groups = ranges({str(number) for number in wanted}, names, limit)
    assert sorted(key for group in groups for key in group) == sorted(str(number) for number in wanted & set(order))
    for group in groups:
        first = names.index(group[0])
        assert list(group) == names[first : first + len(group)]
        assert len(group) <= limit

"""Joined lines, and the places of their text in the source."""

from __future__ import annotations

import pytest

from legal_pipeline.text.normalise import joins_without_space, offsets_from


def test_the_offsets_behind_a_cut_are_counted_from_the_last_place_before_it() -> None:
    assert offsets_from([(0, 0), (5, 10), (9, 20)], 7) == [(0, 12), (2, 20)]


@pytest.mark.parametrize(
    ("before", "after", "joined"),
    [
        ("in-", "och utförsel", None),
        ("in-", "och, om det behövs, utförsel", None),
        ("lykt-", "stolpe", "lykt"),
        ("2-", "rummare", "2-"),
        ("EG-", "fördraget", "EG-"),
    ],
)
def test_a_hyphen_at_a_line_end_goes_if_the_word_goes_on(before: str, after: str, joined: str | None) -> None:
    assert joins_without_space(before, after) == joined

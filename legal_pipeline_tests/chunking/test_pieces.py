"""Rules of the overlap between neighbouring chunks."""

from __future__ import annotations

import pytest

from legal_pipeline.chunking.pieces import overlap_of


@pytest.mark.parametrize(
    ("tokens", "repeated"),
    [
        ([40, 30, 10, 10, 10], 2),
        ([40, 30, 9, 10, 11], 1),
        ([50, 50], 1),
        ([40, 60], 0),
        ([100], 0),
    ],
)
def test_the_longest_tail_within_its_share_is_repeated_or_the_last_piece_alone(
    tokens: list[int], repeated: int
) -> None:
    assert overlap_of(tokens, share=0.2, most=0.5) == repeated

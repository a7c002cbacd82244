"""Ranks of several lists as one score, and the shares of documents in it. Not here: which lists there are (`test_order_of_hits`)."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import pytest

from legal_pipeline.retrieval.fusion import RRF_K, document_shares, reciprocal_ranks


def test_a_key_has_a_part_of_each_list_by_its_first_rank() -> None:
    found = reciprocal_ranks({"words": ["a", "b", "a"], "meaning": ["b"]})
    assert found == {
        "a": {"words": 1 / (RRF_K + 1)},
        "b": {"words": 1 / (RRF_K + 2), "meaning": 1 / (RRF_K + 1)},
    }


@pytest.mark.parametrize(
    ("gather", "scores", "expected"),
    [
        (sum, {"a": 0.2, "b": 0.3, "c": 0.1}, {"lamps": 0.5, "horns": 1.0}),
        (max, {"a": 0.2, "b": 0.1, "c": 0.1}, {"lamps": 1.0, "horns": 0.5}),
        # candidates without a score are all as likely
        (sum, {"a": 0.0, "b": 0.0, "c": 0.0}, {"lamps": 1.0, "horns": 1.0}),
        (sum, {}, {}),
    ],
)
def test_the_share_of_a_document_is_relative_to_the_best_one(
    gather: Callable[[Iterable[float]], float], scores: dict[str, float], expected: dict[str, float]
) -> None:
    documents = {"a": "lamps", "b": "horns", "c": "horns"}
    assert document_shares(scores, documents, gather) == pytest.approx(expected)

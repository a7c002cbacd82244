"""When a chunk answers."""

from __future__ import annotations

import pytest

from legal_pipeline.chunking.chunk import Span
from legal_pipeline.retrieval.evaluation.dataset import Answer
from legal_pipeline.retrieval.evaluation.relevance import answers

PROVISION = Answer("act", 100, 200)


@pytest.mark.parametrize(
    ("spans", "right"),
    [
        (((100, 200),), True),
        (((0, 1000),), True),  # a large chunk that holds all of it
        (((120, 130),), True),  # a small one within it
        (((100, 150),), True),
        (((151, 400),), False),  # the end of it, and more of what follows
        (((195, 205),), True),  # half of the chunk lies inside
        (((196, 210),), False),
        (((200, 300),), False),
        (((0, 110), (160, 300)), True),  # two spans that hold half of it together
    ],
)
def test_a_chunk_answers_that_holds_half_of_the_provision_or_lies_in_it(spans: tuple[Span, ...], right: bool) -> None:
    assert answers("act", spans, PROVISION) is right


def test_the_same_place_in_another_document_is_no_answer() -> None:
    assert not answers("other", ((100, 200),), PROVISION)

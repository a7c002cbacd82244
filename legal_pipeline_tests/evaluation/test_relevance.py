"""When a chunk answers."""

from __future__ import annotations

import pytest

from legal_pipeline.chunking.chunk import Span
from legal_pipeline.evaluation.dataset import Answer
from legal_pipeline.evaluation.relevance import answers, holds_whole

PROVISION = Answer("act", 100, 200)


@pytest.mark.parametrize(
    ("spans", "right"),
    [
        (((100, 200),), True),
        (((0, 1000),), True),  # a large chunk that holds all of it
        (((120, 130),), True),  # a small one within it
        (((100, 150),), True),
        (((151, 400),), False),  # the end of it, and more of what follows
        (((181, 201),), True),  # but for a character
        (((190, 210),), False),  # the end of it, and as much of what follows
        (((200, 300),), False),
        (((0, 110), (160, 300)), True),  # two spans that hold half of it together
    ],
)
def test_a_chunk_answers_that_holds_half_of_the_provision_or_lies_in_it(spans: tuple[Span, ...], right: bool) -> None:
    assert answers("act", spans, PROVISION) is right


def test_a_chunk_holds_an_answer_whole_but_for_its_edges() -> None:
    assert holds_whole("act", ((110, 300),), PROVISION)
    assert not holds_whole("act", ((111, 300),), PROVISION)
    assert not holds_whole("other", ((100, 200),), PROVISION)


def test_the_same_place_in_another_document_is_no_answer() -> None:
    assert not answers("other", ((100, 200),), PROVISION)

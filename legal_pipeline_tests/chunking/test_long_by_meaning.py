"""A document that is too long to embed every sentence of it is cut block by block, and that is said."""

from __future__ import annotations

import pytest

from legal_pipeline.chunking.cut import MOST_BY_MEANING, chunk
from legal_pipeline.chunking.router import RouterOptions
from legal_pipeline_tests.chunking.plain import HashEncoder, document

BLOCK = "The keeper lights the lamp at dusk. The keeper puts it out at dawn. " * 300


@pytest.mark.parametrize("strategy", ["semantic", "recursive_semantic"])
@pytest.mark.parametrize("is_long", [False, True])
def test_above_the_bound_nothing_is_embedded_and_a_warning_says_why(
    strategy: str, is_long: bool, caplog: pytest.LogCaptureFixture
) -> None:
    blocks = MOST_BY_MEANING // len(BLOCK) + 1 if is_long else 1
    encoder = HashEncoder()
    result = chunk(document("\n\n".join([BLOCK.strip()] * blocks)), RouterOptions(strategy), lambda _: encoder)
    assert {row.strategy for row in result.chunks} == {"markdown_merge" if is_long else strategy}
    assert result.coverage == 1.0
    assert bool(encoder.calls) is not is_long
    assert ("1,000,000 at most" in caplog.text) is is_long

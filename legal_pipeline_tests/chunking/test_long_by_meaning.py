"""A document that is too long to embed every sentence of it is cut block by block, and that is said."""

from __future__ import annotations

import pytest

from legal_pipeline.chunking.cut import MOST_BY_MEANING, MOST_PIECES, chunk
from legal_pipeline.chunking.router import RouterOptions
from legal_pipeline_tests.chunking.plain import HashEncoder, document

BLOCK = ("The keeper lights the lamp at dusk. The keeper puts it out at dawn. " * 300).strip()


@pytest.mark.parametrize("strategy", ["semantic", "recursive_semantic"])
@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (BLOCK, None),
        ("\n\n".join([BLOCK] * (MOST_BY_MEANING // len(BLOCK) + 1)), "characters, {} has 1,000,000 at most"),
        ("\n\n".join(["Lamps burn."] * (MOST_PIECES + 1)), "10,001 pieces, {} has 10,000 at most"),
    ],
    ids=["short", "long", "many sentences"],
)
def test_above_the_bound_nothing_is_embedded_and_a_warning_says_why(
    strategy: str, text: str, reason: str | None, caplog: pytest.LogCaptureFixture
) -> None:
    encoder = HashEncoder()
    result = chunk(document(text), RouterOptions(strategy), lambda _: encoder)
    assert {row.strategy for row in result.chunks} == {"markdown_merge" if reason else strategy}
    assert result.coverage == 1.0
    assert bool(encoder.calls) is (reason is None)
    if reason is None:
        assert "at most" not in caplog.text
    else:
        said = reason.format(strategy)
        assert said in caplog.text
        assert all(row.metadata["route_reason"].endswith(said) for row in result.chunks)

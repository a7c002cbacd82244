"""Rules of packing pieces into a budget."""

from __future__ import annotations

import pytest

from legal_pipeline.chunking.packing import fits, pack, split_lines, split_to_fit


@pytest.mark.parametrize("limit", [3, 5, 8, 20])
@pytest.mark.parametrize("line", ["lamp", "7", "sub-section (2)"])
def test_neighbours_are_put_together_as_far_as_the_text_with_its_line_breaks_fits(line: str, limit: int) -> None:
    text = "\n".join([line] * 40)
    lines = split_lines(text, (0, len(text)))
    groups = pack(text, lines, limit)
    assert [piece for group in groups for piece in group] == lines
    unions = [(group[0][0], group[-1][1]) for group in groups if len(group) > 1]
    assert all(fits(text, [union], limit) for union in unions)


def test_a_word_above_the_limit_is_cut_between_its_characters_and_no_further() -> None:
    text = "lamp" + "ljus" * 49 + " dimma"
    end = text.index(" ")
    spans = split_to_fit(text, (4, end), 20, ())
    assert len(spans) > 1
    assert "".join(text[low:high] for low, high in spans) == "ljus" * 49

"""Rules of packing pieces into a budget."""

from __future__ import annotations

import pytest

from legal_pipeline.chunking.packing import fits, pack, split_at, split_blocks, split_lines, split_to_fit
from legal_pipeline.text.tokens import count_tokens


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


def spans_of(text: str) -> list[tuple[int, int]]:
    return split_at(" ")(text, (0, len(text)))


@pytest.mark.parametrize(("limit", "sizes"), [(1, [1, 1, 1, 1]), (2, [1, 1, 1, 1]), (3, [2, 2]), (5, [3, 1]), (7, [4])])
def test_a_group_holds_its_pieces_and_a_token_between_each_two(limit: int, sizes: list[int]) -> None:
    text = "lamp lamp lamp lamp"
    assert [len(group) for group in pack(text, spans_of(text), limit)] == sizes


def test_separators_at_the_ends_and_beside_each_other_make_no_pieces() -> None:
    text = "  a  b "
    assert [text[start:end] for start, end in spans_of(text)] == ["a", "b"]
    assert split_at(" ")(text, (3, 4)) == []
    assert split_at(" ")("a b", (0, 1)) == [(0, 1)]


def test_a_text_is_cut_by_the_first_separator_that_it_has_and_its_parts_by_the_next() -> None:
    text = "lamp lamp lamp\nlamp lamp\n\nhorn horn\nhorn"
    for splitters in ((split_blocks, split_lines), (split_at("|"), split_blocks, split_lines)):
        found = split_to_fit(text, (0, len(text)), 6, splitters)
        assert [text[start:end] for start, end in found] == ["lamp lamp lamp\nlamp lamp", "horn horn\nhorn"]
        found = split_to_fit(text, (0, len(text)), 3, splitters)
        assert [text[start:end] for start, end in found] == ["lamp lamp lamp", "lamp lamp", "horn horn", "horn"]


def test_a_word_that_is_too_long_is_cut_between_characters() -> None:
    text = "ab " + "\U0001f56f" * 9
    parts = [text[start:end] for start, end in split_to_fit(text, (0, len(text)), 8, ())]
    assert "".join(parts).replace(" ", "") == text.replace(" ", "")
    assert all(count_tokens(part) <= 8 for part in parts)
    assert len(parts) > 2

"""Rules of the windows, checked without a model."""

from __future__ import annotations

import re
from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from legal_pipeline.embedding.windows import Tokens, window_texts


class Syllables:
    """A small real tokenizer: words of letters in pieces of three, every other sign one token."""

    def tokenize(self, texts: Sequence[str]) -> list[Tokens]:
        result = []
        for text in texts:
            offsets: list[tuple[int, int]] = []
            starts: list[bool] = []
            for word in re.finditer(r"\w+|[^\w\s]", text):
                for begin in range(word.start(), word.end(), 3):
                    offsets.append((begin, min(begin + 3, word.end())))
                    starts.append(begin == word.start())
            result.append(Tokens(offsets, starts))
        return result


TEXTS = st.lists(st.text(alphabet="abå 2§.\n", max_size=400), max_size=5)


@given(texts=TEXTS, capacity=st.integers(min_value=3, max_value=40))
def test_windows_tile_every_text_and_none_exceeds_the_capacity(texts: list[str], capacity: int) -> None:
    tokenizer = Syllables()
    windows, totals = window_texts(texts, tokenizer, capacity)
    assert [len(tokens) for tokens in tokenizer.tokenize(texts)] == totals
    for index, text in enumerate(texts):
        assert "".join(window.text for window in windows if window.index == index) == text
    for window in windows:
        assert window.tokens == window.seen == len(tokenizer.tokenize([window.text])[0]) <= capacity
    assert [window.index for window in windows] == sorted(window.index for window in windows)


def test_a_long_text_is_cut_into_windows_of_nearly_equal_size_at_word_starts() -> None:
    text = "lag " * 21
    windows, _ = window_texts([text], Syllables(), 20)
    assert [window.tokens for window in windows] == [11, 10]
    assert all(window.text.startswith("lag") for window in windows)


def test_a_text_without_word_starts_is_cut_into_windows_of_nearly_equal_size_too() -> None:
    windows, _ = window_texts(["lag" * 21], Syllables(), 20)
    assert [window.tokens for window in windows] == [11, 10]


def test_a_text_that_fits_is_one_window() -> None:
    windows, totals = window_texts(["en lag", ""], Syllables(), 2)
    assert [(window.index, window.text) for window in windows] == [(0, "en lag"), (1, "")]
    assert totals == [2, 0]


class Halves(Syllables):
    """One token more for a text that begins inside a word, as some tokenizers have: here with the second letter of `ab`."""

    def tokenize(self, texts: Sequence[str]) -> list[Tokens]:
        return [
            Tokens([(0, 0), *tokens.offsets], [False, *tokens.word_starts]) if text.startswith("b") else tokens
            for text, tokens in zip(texts, super().tokenize(texts), strict=True)
        ]


def test_a_cut_inside_a_word_that_makes_more_tokens_leaves_no_window_above_the_capacity() -> None:
    text = "ab" * 30
    windows, _ = window_texts([text], Halves(), 7)
    assert "".join(window.text for window in windows) == text
    assert all(window.tokens == window.seen <= 7 for window in windows)

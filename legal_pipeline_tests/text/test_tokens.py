"""Tokens of a text: their number, and where each begins."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from legal_pipeline.text.tokens import count_spans, count_tokens, encoding, token_starts

_TEXT = st.lists(
    st.sampled_from(["a", "lag", "Å", "e\u0301", "12", "漢", "😀", "<|endoftext|>", "'s", " § ", ".\n\n", "  ", "\t"]),
    max_size=30,
).map("".join)


@given(_TEXT, st.integers(0, 20))
def test_spans_count_as_their_text_does(text: str, place: int) -> None:
    assert count_spans(text, ((0, len(text)),)) == count_tokens(text) == len(encoding().encode_ordinary(text))
    assert count_spans(text, ((0, place), (place, len(text)))) == count_tokens(f"{text[:place]}\n{text[place:]}")


@given(_TEXT)
def test_a_token_begins_at_its_first_character_or_inside_the_character_given(text: str) -> None:
    tokens, starts = encoding().encode_ordinary(text), token_starts(text)
    assert starts == sorted(starts)
    assert len(starts) == len(tokens)
    for token, (start, end) in zip(tokens, pairwise([*starts, len(text)]), strict=True):
        written = encoding().decode_single_token_bytes(token)
        assert written.startswith(text[start:end].encode()) or text[start : end + 1].encode().find(written) >= 0

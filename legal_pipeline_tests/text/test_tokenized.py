"""A text tokenised once counts each of its parts as if the part were tokenised by itself."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from legal_pipeline.text import tokenized as tokenized_text
from legal_pipeline.text import tokens
from legal_pipeline.text.tokenized import TokenizedText, tokenized
from legal_pipeline.text.tokens import count_tokens, encoding
from legal_pipeline_tests.real_documents import documents

#: What the tokenizer's pattern treats unlike: contractions, slashes behind line ends, marks that combine, runs of white space.
_WORDS = ["a", "B", "lag", "Å", "é", "e\u0301", "\u0301", "ª", "12", "²", "ſ", "漢", "😀", "<|endoftext|>"]
_MARKS = [".", ";", ")", "'", "'s", "’", "/", "§", "_", "–", "“", " § ", ".\n\n", " (a) "]
_SPACES = [" ", "  ", "\n", "\n\n", "\t", "\xa0", "\u2003", "\r\n"]
_PIECES = st.sampled_from([*_WORDS, *_MARKS, *_SPACES])
_TEXT = st.lists(_PIECES, min_size=1, max_size=40).map("".join)


def _alone(text: str) -> int:
    return len(encoding().encode_ordinary(text))


@settings(deadline=None)  # the vocabulary is loaded on the first call
@given(_TEXT)
@example("a  b")
@example("a \xa0b")
@example("a\n  b")
def test_a_count_is_that_of_the_tokenizer(text: str) -> None:
    assert count_tokens(text) == _alone(text)


@settings(deadline=None, max_examples=300)
@given(_TEXT, st.data())
def test_parts_of_a_text_count_as_they_do_alone(text: str, data: st.DataObject) -> None:
    places = st.lists(st.integers(0, len(text)), min_size=2, max_size=6, unique=True).map(sorted)
    parts = [[(start, end) for start, end in pairwise(edges)][::2] for edges in data.draw(st.lists(places, max_size=8))]
    counted = TokenizedText(text).count_each(parts)
    assert counted == [_alone("\n".join(text[start:end] for start, end in spans)) for spans in parts]


@pytest.mark.corpus
def test_sections_of_real_acts_count_as_they_do_alone(corpus: Path) -> None:
    sections = 0
    for folder in ("zw", "se/rkrattsbaser_json", "in/acts_json"):
        for _, document in documents(corpus, folder):
            whole = tokenized(document.text)
            nodes = [node for node in document.walk() if node.end > node.start]
            counts = whole.count_each([((node.start, node.end),) for node in nodes])
            assert counts == [_alone(document.text_of(node)) for node in nodes]
            sections += len(nodes)
    assert sections > 10_000


def test_the_second_encoding_is_loaded_for_runs_of_spaces_only(monkeypatch: pytest.MonkeyPatch) -> None:
    loaded: list[str] = []

    def counted() -> object:
        loaded.append("encoding")
        return encoding()

    monkeypatch.setattr(tokens, "encoding", counted)
    monkeypatch.setattr(tokenized_text, "encoding", counted)
    text = "1 § The keeper shall light the lamp.\n\n(a) at dusk; and\n(b) in fog."
    assert TokenizedText(text).count([(0, len(text))]) == count_tokens(text + " ") - 1
    assert not loaded
    TokenizedText(text.replace(" lamp", "   lamp"))
    assert loaded

"""Patterns for any word of a list."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from legal_pipeline.text.alternation import alternation

_WORDS = st.lists(st.text("ab.(é", min_size=1, max_size=6), min_size=1, max_size=8)


@given(_WORDS, st.text("ab.(é", max_size=12))
def test_the_pattern_finds_what_a_plain_alternation_finds_with_the_longest_word_first(
    words: list[str], text: str
) -> None:
    plain = "|".join(map(re.escape, sorted(words, key=len, reverse=True)))
    found = re.compile(f"({alternation(words)})(b?)")
    assert [match.groups() for match in found.finditer(text)] == re.findall(f"({plain})(b?)", text)


def test_a_letter_may_have_a_pattern_of_its_own() -> None:
    either_case = re.compile(alternation(("act", "acts", "order"), lambda letter: f"[{letter}{letter.upper()}]"))
    assert either_case.findall("ACTS Act oRDER bct") == ["ACTS", "Act", "oRDER"]


def test_without_words_the_pattern_is_empty() -> None:
    assert alternation(()) == ""

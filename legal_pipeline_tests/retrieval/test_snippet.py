"""The part of a long text that a hit shows. Not here: which hits there are (`test_search`)."""

from __future__ import annotations

import pytest

from legal_pipeline.retrieval.snippet import Snippet, make_snippet
from legal_pipeline.stores import bm25

FILLER = "ships sail by night and day over all seas"


def snippet(text: str, query: str, length: int = 60) -> Snippet:
    found = make_snippet(text, "eng", bm25.query_terms(query, ["eng"]), length)
    assert text[found.start : found.start + len(found.text)] == found.text
    assert len(found.text) <= length
    return found


def marked(found: Snippet) -> list[str]:
    return [found.text[start:end] for start, end in found.highlights]


def test_a_short_text_is_shown_whole_up_to_the_last_character() -> None:
    text = "The keeper lights the lamp"
    assert snippet(text, "lamp", len(text)) == Snippet(text, 0, ((22, 26),))
    assert snippet(text, "lamp", len(text) - 1).text != text


def test_of_two_parts_with_as_many_matching_words_the_first_is_shown() -> None:
    text = f"{FILLER} one lamp {FILLER} {FILLER} another lamp {FILLER}"
    found = snippet(text, "lamp")
    assert "one lamp" in found.text
    assert marked(found) == ["lamp"]


def test_the_part_with_most_matching_words_is_shown_with_words_around_it_and_cut_between_words() -> None:
    text = f"lamp {FILLER} {FILLER} a lamp of a keeper {FILLER} {FILLER}"
    found = snippet(text, "lamp keeper")
    assert marked(found) == ["lamp", "keeper"]
    assert (text[found.start - 1], text[found.start + len(found.text)]) == (" ", " ")
    before = found.text.index("lamp")
    behind = len(found.text) - found.text.index("keeper") - len("keeper")
    assert min(before, behind) >= 10


@pytest.mark.parametrize("query", ["", "whale"])
def test_without_a_matching_word_the_beginning_is_shown(query: str) -> None:
    found = snippet(f"{FILLER} {FILLER}", query)
    assert (found.start, found.highlights) == (0, ())
    assert f"{FILLER} {FILLER} ".startswith(f"{found.text} ")


def test_matching_words_at_the_ends_of_a_text_are_shown_with_as_much_text_as_there_is_room() -> None:
    first, last = (snippet(text, "lamp") for text in (f"lamp {FILLER} {FILLER}", f"{FILLER} {FILLER} lamp"))
    assert (first.start, marked(first), marked(last)) == (0, ["lamp"], ["lamp"])
    assert last.text.endswith(" lamp")
    assert min(len(first.text), len(last.text)) > 50


def test_matching_words_as_far_apart_as_a_snippet_is_long_are_both_shown() -> None:
    text = f"{FILLER} {FILLER} lamp of a ship that sails over all seas by keeper {FILLER} {FILLER}"
    assert marked(snippet(text, "lamp keeper")) == ["lamp", "keeper"]


def test_the_part_with_most_matching_words_may_be_the_last() -> None:
    text = f"lamp {FILLER} {FILLER} lamp keeper {FILLER} {FILLER} lamp keeper lamp {FILLER}"
    assert marked(snippet(text, "lamp keeper")) == ["lamp", "keeper", "lamp"]

"""Quotes in a text, and two texts compared word by word. Not here: which wordings are compared (`test_law_reader`)."""

from __future__ import annotations

import pytest

from legal_pipeline.reading.comparison import look_for, spans_of

TEXT = "The keeper shall light the lamp at dusk. No lamp may burn by day. The horn sounds in fog."


@pytest.mark.parametrize(
    "quote",
    [
        "shall light the lamp",
        "The horn sounds in fog.",
        "The keeper … No lamp may burn",
        "The keeper [...] in fog.",
        "… may burn …",
    ],
)
def test_a_quote_is_verbatim_where_its_parts_follow_each_other(quote: str) -> None:
    assert look_for(quote, TEXT).verbatim


@pytest.mark.parametrize(
    "quote", ["No lamp … The keeper", "the lamp … the lamp", "the Lamp at dusk", "lamp may not burn"]
)
def test_a_quote_with_other_words_or_another_order_is_not_verbatim(quote: str) -> None:
    assert not look_for(quote, TEXT).verbatim


@pytest.mark.parametrize(
    ("quote", "text"),
    [
        ('the "lamp" - its light', "the „lamp“ – its light"),
        ("the keeper's lamp", "the keeper’s lamp"),
        ("the lighthouse", "the light\u00adhouse"),
        ("the light\u00adhouse", "the lighthouse"),
        ("lamp\nat  dusk", "lamp at dusk"),
    ],
)
def test_signs_that_publishers_print_differently_are_the_same(quote: str, text: str) -> None:
    found = look_for(quote, text)
    assert (found.verbatim, found.start, found.end) == (True, 0, len(text))


def test_a_quote_is_where_its_words_are() -> None:
    found = look_for("No lamp … by day", TEXT)
    assert TEXT[found.start : found.end] == "No lamp may burn by day"


def test_the_nearest_passage_is_around_the_longest_run_and_not_where_single_words_return() -> None:
    between = " ".join(f"Rule {number} is kept." for number in range(40))
    text = f"The keeper rests. {between} Each evening the keeper lights a lamp at dusk."
    found = look_for("The keeper lights the lamp at dusk.", text)
    assert text[found.start : found.end] == "the keeper lights a lamp at dusk."
    assert [(span.kind, span.first, span.second) for span in found.differences] == [
        ("replace", "The", "the"),
        ("replace", "the", "a"),
    ]


def test_the_nearest_passage_ends_with_as_many_words_as_the_quote_has_behind_the_run() -> None:
    found = look_for("No lamp may burn at night", TEXT)
    assert TEXT[found.start : found.end] == "No lamp may burn by day"
    assert [(span.first, span.second) for span in found.differences] == [("at night", "by day")]


def test_a_quote_without_a_word_of_the_text_differs_as_a_whole() -> None:
    found = look_for("Ships sail", TEXT)
    assert [(span.kind, span.first) for span in found.differences] == [("replace", "Ships sail")]


@pytest.mark.parametrize(
    ("first", "second", "spans"),
    [
        ("on and on and on", "on and on", [("equal", "on and on", "on and on"), ("delete", "and on", "")]),
        ("on and on", "on and on and on", [("equal", "on and on", "on and on"), ("insert", "", "and on")]),
        ("a b b c", "a b c", [("equal", "a b", "a b"), ("delete", "b", ""), ("equal", "c", "c")]),
        ("a lamp", "a horn", [("equal", "a", "a"), ("replace", "lamp", "horn")]),
        ("the lamp burns", "lamp burns", [("delete", "the", ""), ("equal", "lamp burns", "lamp burns")]),
        ("lamp", "lamp", [("equal", "lamp", "lamp")]),
        ("", "lamp", [("insert", "", "lamp")]),
    ],
)
def test_two_texts_are_spans_of_equal_and_other_words(
    first: str, second: str, spans: list[tuple[str, str, str]]
) -> None:
    assert [(span.kind, span.first, span.second) for span in spans_of(first, second)] == spans


def test_a_passage_has_as_many_words_around_the_run_as_the_quote_has() -> None:
    found = look_for("Any lamp may burn at night", TEXT)
    assert TEXT[found.start : found.end] == "No lamp may burn by day"
    assert [(span.first, span.second) for span in found.differences] == [("Any", "No"), ("at night", "by day")]


def test_a_word_far_behind_the_longest_run_is_not_in_the_passage() -> None:
    between = " ".join(f"Rule {number} is kept." for number in range(40))
    found = look_for(
        "a keeper lights a lamp at dusk near Cadiz", f"Now the keeper lights a lamp at dusk. {between} Cadiz"
    )
    assert (found.start, found.agreeing) == (len("Now "), 6)
    assert found.end < 60


def test_a_quote_of_nothing_but_an_omission_is_not_verbatim() -> None:
    assert not look_for(" […] ", TEXT).verbatim


@pytest.mark.parametrize(
    ("first", "second", "places"),
    [
        ("a b b c", "a b c", [(4, 5, 3, 3)]),
        ("the lamp", "lamp", [(0, 3, 0, 0)]),
        ("a c", "a b b c", [(1, 1, 2, 5)]),
    ],
)
def test_what_one_text_lacks_has_a_place_behind_the_word_before_it(
    first: str, second: str, places: list[tuple[int, int, int, int]]
) -> None:
    found = [span for span in spans_of(first, second) if span.kind != "equal"]
    assert [(span.first_start, span.first_end, span.second_start, span.second_end) for span in found] == places


def test_texts_too_long_to_align_differ_in_one_span_between_their_common_ends() -> None:
    first, second = (" ".join(["The", *(f"{name}{at}" for at in range(3000)), "end"]) for name in ("lamp", "horn"))
    assert [span.kind for span in spans_of(first, second)] == ["equal", "replace", "equal"]
    moved = " ".join(["The", "new", *first.split()[1:-1][1:], "word", "end"])
    assert [span.kind for span in spans_of(first, moved)] == ["equal", "replace", "equal"]


@pytest.mark.parametrize(
    ("quote", "passage"),
    [
        ("In old days The keeper shall light the fires", "The keeper shall light the lamp"),
        ("The keeper shall light at dusk", "The keeper shall light the lamp at dusk"),
        ("A horn sounds in fog. Ships turn back", "The horn sounds in fog."),
    ],
)
def test_a_passage_ends_where_the_text_ends_and_holds_the_words_that_a_quote_leaves_out(
    quote: str, passage: str
) -> None:
    found = look_for(quote, TEXT)
    assert TEXT[found.start : found.end] == passage

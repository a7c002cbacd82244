"""A marker has every meaning that its letters allow, and no other."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from legal_pipeline.numbering.numerals import greek_value, han_value, letters, repeated_letters, roman, roman_value
from legal_pipeline.numbering.readings import readings


def read(num: str) -> list[tuple[str, int, str]]:
    return [tuple(reading) for reading in readings(num)]


@pytest.mark.parametrize(
    ("text", "value"), [("i", 1), ("iv", 4), ("xlix", 49), ("iiii", None), ("ic", None), ("", None)]
)
def test_roman_numerals_are_read_strictly(text: str, value: int | None) -> None:
    assert roman_value(text) == value


@given(st.integers(1, 3999))
def test_a_numeral_is_read_as_it_was_written(value: int) -> None:
    assert roman_value(roman(value)) == value


def test_i_has_two_readings_and_b_has_one() -> None:
    assert read("i") == [("alpha", 9, ""), ("roman", 1, "")]
    assert read("b") == [("alpha", 2, "")]
    assert read("B") == [("ALPHA", 2, "")]
    assert read("IV") == [("ROMAN", 4, ""), ("ALPHA", 9, "v")]


@pytest.mark.parametrize("num", ["the", "aB", "", "abc1d", "(a)"])
def test_a_word_is_not_a_number(num: str) -> None:
    assert read(num) == []


@pytest.mark.parametrize(
    ("num", "value", "suffix"),
    [("12", 12, ""), ("12A", 12, "A"), ("2 a", 2, "a"), ("3bis", 3, "bis"), ("4-1", 4, "-1"), ("5\xa0ter", 5, "ter")],
)
def test_an_arabic_number_may_have_a_suffix(num: str, value: int, suffix: str) -> None:
    assert read(num) == [("digit", value, suffix)]


def test_two_letters_continue_the_alphabet_are_inserted_or_are_doubled() -> None:
    assert read("aa") == [("alpha", 27, ""), ("alpha", 1, "a"), ("double", 1, "")]
    assert read("ab") == [("alpha", 1, "b")]
    assert read("aaa") == [("alpha", 53, "")]


def test_a_numeral_may_have_an_inserted_letter_and_a_letter_an_inserted_digit() -> None:
    assert read("iva") == [("roman", 4, "a")]
    assert read("a1") == [("alpha", 1, "1")]


def test_an_alphabet_may_have_more_letters() -> None:
    assert readings("ö", "abcdefghijklmnopqrstuvwxyzåäö")[0].value == 29
    assert readings("ö") == ()


@pytest.mark.parametrize(
    ("num", "kind", "value"),
    [("β", "greek", 2), ("στ", "greek", 6), ("ις", "greek", 16), ("ϟα", "greek", 91), ("в", "cyrillic", 3)],
)
def test_letters_of_other_scripts_are_counted_as_their_drafters_count(num: str, kind: str, value: int) -> None:
    assert read(num) == [(kind, value, "")]


@given(st.integers(1, 5000))
def test_letters_are_counted_as_browsers_and_as_word_print_them(value: int) -> None:
    assert len(letters(value)) <= 3
    assert len(set(repeated_letters(value))) == 1


@given(st.text(max_size=8))
def test_any_text_is_read_without_an_error(text: str) -> None:
    for reading in readings(text):
        assert reading.value >= 0


def test_a_list_begins_with_its_first_number_a_dash_or_the_first_letter_doubled() -> None:
    assert [num for num in ("1", "2", "a", "b", "aa", "–", "i") if any(item.is_first for item in readings(num))] == [
        "1", "a", "aa", "–", "i",
    ]  # fmt: skip


def test_one_letter_is_repeated_three_times_at_most() -> None:
    assert ("alpha", 53) in [(reading.kind, reading.value) for reading in readings("aaa")]
    assert readings("aaaa") == ()


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("三", 3),
        ("十", 10),
        ("十二", 12),
        ("二十", 20),
        ("百五", 105),
        ("一千零五", 1005),
        ("一〇三", 103),
        ("第三", None),
    ],
)
def test_a_unit_without_a_digit_before_it_counts_once(text: str, value: int | None) -> None:
    assert han_value(text) == value


@pytest.mark.parametrize(("text", "value"), [("α", 1), ("στ", 6), ("κγ", 23), ("ρα", 101), ("αρ", None), ("", None)])
def test_a_greek_numeral_has_hundreds_tens_and_ones_in_this_order(text: str, value: int | None) -> None:
    assert greek_value(text) == value

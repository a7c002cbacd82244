"""The numbers of provisions: levels in brackets, and lists that go on. Not here: ranges, and whole citations (`test_citations`)."""

from __future__ import annotations

import pytest

from legal_pipeline.citations.provisions import bracketed, expand, kept_levels, letters_in, level_of, segment


@pytest.mark.parametrize(
    ("pins", "before", "expected"),
    [
        ("(1)(a)(ii)", "", ["subsec_1", "para_a", "item_ii"]),
        ("(a)(1)", "", ["para_a", "item_1"]),
        # a numeral that no digit or letter is above is a letter
        ("(i)", "", ["para_i"]),
        ("(i)", "subsec", ["item_i"]),
        ("(b)", "subsec", ["para_b"]),
        ("(A)", "", ["item_a"]),
        ("(2)", "def", ["subsec_2"]),
        ("(2)", "para", ["item_2"]),
    ],
)
def test_a_level_in_brackets_has_the_kind_of_its_number_below_the_level_before(
    pins: str, before: str, expected: list[str]
) -> None:
    assert bracketed(pins, before) == expected


def test_a_code_may_count_its_levels_by_depth() -> None:
    assert bracketed("(a)(1)(A)(i)", by_depth=True) == ["subsec_a", "para_1", "item_a", "item_i"]


@pytest.mark.parametrize(
    ("number", "numbers", "level"),
    [
        ("iii", ["1", "b", "ii"], 2),
        ("c", ["1", "b", "ii"], 1),
        ("2", ["1", "b", "ii"], 0),
        ("1", ["2"], None),
        ("a", ["1", "b"], None),
        # a letter goes on letters of its own case
        ("C", ["1", "b"], None),
        ("B", ["1", "A"], 1),
        # "i" is the numeral that begins a list, and the letter after h
        ("i", ["1", "h"], 1),
        ("c", ["i"], None),
        ("v", ["iv"], 0),
        # of two levels that a number goes on, the inner one
        ("3", ["1", "2"], 1),
    ],
)
def test_a_number_goes_on_the_innermost_level_that_it_comes_after(
    number: str, numbers: list[str], level: int | None
) -> None:
    assert level_of(number, numbers) == level


@pytest.mark.parametrize(
    ("numbers", "following", "kept"),
    [
        (["1", "b", "ii"], ["iii"], 2),
        (["1", "b"], ["c"], 1),
        (["1", "b"], ["c", "ii"], 1),
        (["1", "b"], ["3"], 0),
        (["1A", "b"], ["3"], 0),
        (["2A", "b"], ["3A", "a"], 0),
        (["3", "a"], ["1"], 0),
        (["1"], ["a", "ii"], -1),
        (["1", "b", "ii"], ["a"], 2),
    ],
)
def test_an_entry_of_a_list_keeps_the_levels_above_the_one_that_it_goes_on(
    numbers: list[str], following: list[str], kept: int
) -> None:
    assert kept_levels(numbers, following) == kept


@pytest.mark.parametrize(
    ("listed", "letters"),
    [("a), b eller e–g", "abefg"), ("a och c", "ac"), ("d", "d"), ("samt", ""), ("i–k", "ijk")],
)
def test_a_list_of_letters_has_those_of_its_ranges(listed: str, letters: str) -> None:
    assert letters_in(listed) == list(letters)


@pytest.mark.parametrize(
    ("first", "last", "expected"),
    [
        ("1", "81", [str(number) for number in range(1, 82)]),
        ("1", "82", ["1", "82"]),
        ("6", "4", ["6", "4"]),
        ("5", "5", ["5"]),
        ("3", "3c", ["3", "3a", "3b", "3c"]),
        ("3", "5 a", ["3", "4", "5", "5a"]),
        ("3B", "3D", ["3b", "3c", "3d"]),
        ("h", "j", ["h", "i", "j"]),
        ("i", "v", ["i", "ii", "iii", "iv", "v"]),
        ("IX", "XI", ["IX", "X", "XI"]),
        ("v", "i", ["v", "i"]),
    ],
)
def test_a_range_ends_where_it_may_be_misread(first: str, last: str, expected: list[str]) -> None:
    assert expand(first, last) == expected


@pytest.mark.parametrize(
    ("number", "name"),
    [("3 a", "3a"), ("153-A", "153a"), ("L. 121-1", "l121-1"), ("1er", "1"), ("B.01.001", "b.01.001")],
)
def test_print_style_is_no_part_of_a_number(number: str, name: str) -> None:
    assert segment("art", number) == f"art_{name}"

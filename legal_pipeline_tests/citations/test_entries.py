"""The numbers and levels of the entries of a list. Not here: the words around them (`test_lists_of_levels`)."""

from __future__ import annotations

import pytest

from legal_pipeline.citations.entries import (
    depth_of,
    in_kind,
    names_division,
    next_number,
    number_range,
    with_paragraphs,
)


@pytest.mark.parametrize(
    ("first", "last", "expected"),
    [
        ("4", "6", ["4", "5", "6"]),
        ("6:74", "6:76", ["6:74", "6:75", "6:76"]),
        ("3-1", "3-3", ["3-1", "3-2", "3-3"]),
        # of two books only the ends are known
        ("6:74", "7:2", ["6:74", "7:2"]),
        ("6:74", "76", ["6:74", "76"]),
    ],
)
def test_a_range_is_of_one_book_or_chapter(first: str, last: str, expected: list[str]) -> None:
    assert number_range(first, last) == expected


@pytest.mark.parametrize(
    ("number", "following"),
    [("6", ["7"]), ("9", ["10"]), ("8:3", ["8:4"]), ("L121-9", ["L121-10"]), ("6a", []), ("12 bis", [])],
)
def test_the_number_that_follows_is_known_behind_figures_alone(number: str, following: list[str]) -> None:
    assert next_number(number) == following


@pytest.mark.parametrize(
    ("below", "expected"),
    [
        (["item_1", "item_2"], ["subsec_1", "item_2"]),
        (["item_a", "item_2"], ["item_a", "item_2"]),
        (["subsec_1", "item_2"], ["subsec_1", "item_2"]),
        ([], []),
    ],
)
def test_the_first_numbered_level_is_a_paragraph(below: list[str], expected: list[str]) -> None:
    assert with_paragraphs(below) == expected


@pytest.mark.parametrize(
    ("levels", "expected"),
    [(["part_2"], True), (["chp_3", "sec_1"], True), (["subsec_1", "part_2"], False), ([], False)],
)
def test_a_part_or_chapter_is_a_division_where_it_begins_the_levels(levels: list[str], expected: bool) -> None:
    assert names_division(levels) == expected


@pytest.mark.parametrize(
    ("segments", "replaced", "expected"),
    [
        (["para_iii", "item_1"], ["item_ii", "item_9"], ["item_iii", "item_1"]),
        # a letter does not go on a numeral
        (["para_c"], ["item_ii"], ["para_c"]),
        (["para_iii"], [], ["para_iii"]),
        ([], ["item_ii"], []),
    ],
)
def test_a_level_that_goes_on_another_is_of_its_kind(
    segments: list[str], replaced: list[str], expected: list[str]
) -> None:
    assert in_kind(segments, replaced) == expected


@pytest.mark.parametrize(
    ("known", "following", "in_brackets", "depth"),
    [
        (["subsec_1", "item_1"], ["item_2"], False, 1),
        (["subsec_1", "item_1"], ["subsec_2"], False, 0),
        # digits and letters are two levels of one kind
        (["subsec_1", "item_1", "item_a"], ["item_b"], False, 2),
        (["subsec_1", "item_1", "item_a"], ["item_2"], False, 1),
        (["item_1"], ["item_b"], False, 0),
        # a level of a new kind is below all that are known
        (["subsec_1"], ["item_a"], False, 1),
        (["subsec_1", "para_b"], ["para_c"], True, 1),
        (["subsec_1", "para_b"], ["subsec_3"], True, 0),
        (["subsec_1"], ["para_a", "item_ii"], True, 0),
    ],
)
def test_an_entry_has_the_levels_above_its_own(
    known: list[str], following: list[str], in_brackets: bool, depth: int
) -> None:
    assert depth_of(known, following, in_brackets=in_brackets) == depth

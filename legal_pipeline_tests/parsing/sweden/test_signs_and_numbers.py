"""The signs of sections, chapters and divisions in rarer forms, on short texts written for these tests."""

from __future__ import annotations

import pytest

from legal_pipeline_tests.parsing.sweden.test_plain_text import numbers, only, parsed


@pytest.mark.parametrize(
    ("printed", "expected"),
    [
        ("2 §. Skyddet är grönt.\n\n3 §. Taket är rött.", ["2", "3"]),
        ("3 §. Skyddet är grönt.", []),
        ("1 §. Skyddet är grönt.\n\n1 §. Skyddet är rött.", ["1", "1"]),
        ("1 §. 1 mom. Skyddet är grönt.", ["1"]),
        ("1 §. Skyddet är grönt.\n\n4 §. Taket är rött.", ["1", "4"]),
        ("1 §. Skyddet är grönt.\n\n5 §. Taket är rött.", ["1"]),
    ],
)
def test_a_number_with_a_stop_is_a_section_if_it_can_follow_the_one_before(printed: str, expected: list[str]) -> None:
    assert numbers(parsed(f"1 kap. Skydd\n\n{printed}\n")) == expected


def test_a_mark_on_the_line_below_the_number_of_a_chapter_is_about_the_chapter() -> None:
    chapter = only(parsed("1 kap.\n/Träder i kraft I:2031-01-01/ Skydd\n\n1 § Skyddet är rött.\n"), "chapter")
    assert (chapter.num, chapter.heading, chapter.valid_from) == ("1", "Skydd", "2031-01-01")


@pytest.mark.parametrize("number", ["1", "I", "A"])
def test_a_division_has_a_number_in_digits_or_in_capitals(number: str) -> None:
    assert numbers(parsed(f"AVD. {number} SKYDD\n\n1 § Skyddet är rött.\n"), "division") == [number]

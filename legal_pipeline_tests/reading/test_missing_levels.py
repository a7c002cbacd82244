"""Levels that a citation names and a provision does not have, on documents built node by node. Not here: searches (`test_unresolved`)."""

from __future__ import annotations

import pytest

from legal_pipeline.reading.missing_levels import missing_level
from legal_pipeline.reading.texts import Text
from legal_pipeline_tests.chunking.plain import Part, document


def subsections(*parts: Part) -> Text:
    return Text(document(Part("section", num="1", children=parts)), "")


def numbered(kind: str, *numbers: str, form: str = "({})") -> list[Part]:
    return [Part(kind, f"{form.format(number)} Lamp {number} is lit.", number) for number in numbers]


TEN = [str(number) for number in range(1, 11)]


def test_the_levels_that_a_provision_has_are_named_by_their_numbers() -> None:
    text = subsections(*numbered("subsection", *TEN))
    assert missing_level(text, "sec_1", ("subsec_11",)) == "no level 11 below it; it has 1 to 10"
    assert missing_level(text, "sec_1", ("subsec_10",)) is None
    assert missing_level(text, "sec_9", ("subsec_11",)) is None


def test_a_number_that_is_not_printed_may_be_counted_otherwise_by_one() -> None:
    text = subsections(*numbered("subsection", "1", "2", form=""))
    assert missing_level(text, "sec_1", ("subsec_3",)) is None
    assert missing_level(text, "sec_1", ("subsec_4",)) == "no level 4 below it; it has 1 to 2"


def test_one_level_is_no_list() -> None:
    assert missing_level(subsections(*numbered("subsection", "1")), "sec_1", ("subsec_5",)) is None


@pytest.mark.parametrize(
    ("letters", "cited", "missing"),
    [
        ("abc", "d", "no level d below it; it has a to c"),
        ("abc", "i", None),
        ("abc", "aa", None),
        ("abc", "da", None),
        # the letter of a level that was repealed
        ("acd", "b", None),
        ("bcd", "e", None),
        ("abc", "b", None),
    ],
)
def test_a_letter_is_missing_behind_a_list_from_a_on_if_it_is_no_numeral(
    letters: str, cited: str, missing: str | None
) -> None:
    text = subsections(*numbered("paragraph", *letters))
    assert missing_level(text, "sec_1", (f"para_{cited}",)) == missing


def test_the_first_level_that_is_missing_is_named() -> None:
    two = Part("subsection", "(2) Lamps are", "2", children=numbered("paragraph", "a", "b"))
    text = subsections(*numbered("subsection", "1"), two)
    assert missing_level(text, "sec_1", ("subsec_2", "para_d")) == "no level d below it; it has a to b"
    assert missing_level(text, "sec_1", ("subsec_7", "para_a")) == "no level 7 below it; it has 1 to 2"


def test_numbers_of_another_kind_of_level_do_not_count() -> None:
    text = subsections(*numbered("subsection", "1", "2"), *numbered("paragraph", "1", "2", "3", "4", "5"))
    assert missing_level(text, "sec_1", ("subsec_4",)) == "no level 4 below it; it has 1 to 2"


def test_one_number_that_is_not_printed_makes_the_others_uncertain() -> None:
    text = subsections(*numbered("subsection", "1", "2"), *numbered("subsection", "3", form=""))
    assert missing_level(text, "sec_1", ("subsec_4",)) is None
    assert missing_level(text, "sec_1", ("subsec_5",)) == "no level 5 below it; it has 1 to 3"


def test_a_level_below_another_one_is_not_missing_above_it() -> None:
    one = Part("subsection", "(1) Lamps are", "1", children=numbered("paragraph", "d"))
    text = subsections(*numbered("paragraph", "a", "b"), one)
    assert missing_level(text, "sec_1", ("para_d",)) is None
    assert missing_level(text, "sec_1", ("para_e",)) == "no level e below it; it has a to b"

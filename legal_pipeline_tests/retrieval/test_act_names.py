"""The names of acts that a query contains. Not here: the provisions that it cites (`test_citation_query`)."""

from __future__ import annotations

import pytest

from legal_pipeline.jurisdictions.jurisdiction import jurisdiction
from legal_pipeline.retrieval.act_names import (
    is_of_another_country,
    is_title,
    named_works,
    short_name_length,
    title_length,
)


@pytest.mark.parametrize(
    ("code", "text", "expected"),
    [
        # one work by a name that is also in the name of another country's work
        ("eu", "article 8 of the Charter and article 51 of the UN Charter", ["Charter"]),
        ("eu", "article 51 of the UN Charter and article 8 of the Charter", ["Charter"]),
        ("in", "California Penal Code or the Penal Code", ["Penal Code"]),
        # only the words beside the name are those of its country
        ("gb", "Zimbabwe Equality Act 2010", []),
        ("gb", "Does Zimbabwe follow what the Equality Act 2010 says", ["Equality Act 2010"]),
        # the year behind a name is part of it, and is that of the work
        ("gb", "s 6 HRA 1998", ["HRA 1998"]),
        ("gb", "s 6 HRA, 1998", ["HRA, 1998"]),
        ("gb", "s 6 HRA 2031", []),
        ("in", "Indian Penal Code 1860", ["Indian Penal Code 1860"]),
        ("in", "Indian Penal Code 1950", []),
        # a short abbreviation counts as it is written
        ("ch", "OR 41 or 42", ["OR"]),
    ],
)
def test_a_query_names_the_works_of_the_country_alone(code: str, text: str, expected: list[str]) -> None:
    assert [text[work.start : work.end] for work in named_works(text, jurisdiction(code))] == expected


@pytest.mark.parametrize(
    ("query", "title", "length"),
    [
        ("Lamp Act 2031 s 3", "Lamp Act 2031", 2),
        ("Lamp Act 2031 s 3", "Lamp Act 2030", 0),
        ("Lamp Act s 3", "Lamp Act 2030", 2),
        ("Lamp Act 2031 s 3", "Lamp Act", 2),
        ("Lamp Act s 3", "Harbour Lamp Act", 0),
        ("s 3", "", 0),
    ],
)
def test_a_year_that_only_the_query_or_only_the_title_has_does_no_harm(query: str, title: str, length: int) -> None:
    assert title_length(query, title) == length


@pytest.mark.parametrize(
    ("name", "title", "expected"),
    [
        ("The Lamp Act", "Lamp Act 2031", True),
        ("Lamp Act 2031", "Lamp Act 2031", True),
        ("Lamp Act 2031", "Lamp Act 2032", False),
        ("Lamp Act 2031", "Lamp Act", False),
        ("Lamp Act", "Lamp Repeal Act", False),
    ],
)
def test_a_title_with_a_year_is_no_title_of_another_year(name: str, title: str, expected: bool) -> None:
    assert is_title(name, title) == expected


@pytest.mark.parametrize(
    ("query", "title", "number", "length"),
    [
        ("§ 3 LampG", "Lampengesetz (LampG)", "", 1),
        ("§ 3 LampG", "Lampengesetz (LampG)", "BLG", 1),
        ("§ 3 BLG", "Lampengesetz (LampG)", "BLG", 1),
        ("§ 3 BLG", "Lampengesetz (LampG)", "7/2031", 0),
        ("§ 3 Leuchtengesetz", "Lampengesetz (Leuchtengesetz – LampG)", "", 1),
        # what is neither an abbreviation nor a name of an act
        ("Neufassung § 3", "Lampengesetz (Neufassung)", "", 0),
        ("§ 3 LampGVO", "Lampengesetz (LampG)", "", 0),
    ],
)
def test_a_short_name_is_in_the_bracket_behind_the_title_or_the_number(
    query: str, title: str, number: str, length: int
) -> None:
    assert short_name_length(query, title, number, jurisdiction("de")) == length


@pytest.mark.parametrize(
    ("behind", "expected"),
    [
        (" of Kenya", True),
        (" of kenya", True),
        (" of India", False),
        (" kenya india", False),
        (" of lamps", False),
        ("", False),
    ],
)
def test_a_country_behind_a_name_is_named_with_and_without_a_capital(behind: str, expected: bool) -> None:
    name = "section 3 penal code"
    assert is_of_another_country(name + behind, len(name), jurisdiction("in")) == expected

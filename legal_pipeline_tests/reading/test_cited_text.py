"""Which country's reading of a citation in a text counts. Not here: the documents that are meant (`test_law_reader`)."""

from __future__ import annotations

import pytest

from legal_pipeline.reading.cited_text import citations_in


def found(text: str, *codes: str, first: tuple[str, ...] = ()) -> list[tuple[str, str]]:
    return [(item.country.code, item.reference.raw) for item in citations_in(text, codes, first=first)]


def test_the_reading_that_knows_the_work_counts_whichever_country_is_first() -> None:
    text = "Siehe § 5 Abs. 2 GG."
    assert found(text, "at", "de") == found(text, "de", "at") == [("de", "§ 5 Abs. 2 GG")]


def test_of_readings_of_an_unknown_work_the_one_of_more_words_counts() -> None:
    text = "Under section 5 of the Lamps Act he paid."
    assert found(text, "gb", "in") == found(text, "in", "gb") == [("in", "section 5 of the Lamps Act")]


@pytest.mark.parametrize("codes", [("in", "zw"), ("zw", "in")])
def test_of_equal_readings_that_of_the_first_country_counts(codes: tuple[str, str]) -> None:
    text = "Under section 5 of the Lamps Act he paid."
    assert found(text, *codes) == found(text, first=codes[:1]) == [(codes[0], "section 5 of the Lamps Act")]


def test_countries_that_are_given_are_the_only_ones() -> None:
    text = "Under § 823 BGB and section 5 of the Equality Act 2010."
    assert found(text, "de") == found(text, "de", first=("gb",)) == [("de", "§ 823 BGB")]
    assert found(text) == [("de", "§ 823 BGB"), ("gb", "section 5 of the Equality Act 2010")]


def test_a_work_that_is_only_named_is_cited_and_one_within_a_citation_is_not_cited_twice() -> None:
    assert found("The Equality Act 2010 binds, and section 5 of the Equality Act 2010 too.", "gb") == [
        ("gb", "Equality Act 2010"),
        ("gb", "section 5 of the Equality Act 2010"),
    ]

"""Queries that are long or hold what is not text: read in time that grows with their length, or refused with the place that is wrong."""

from __future__ import annotations

import datetime
import itertools
from collections.abc import Callable

import pytest

from legal_pipeline.errors import QueryError
from legal_pipeline.retrieval.citation_query import read_citations
from legal_pipeline.retrieval.cited import citedness
from legal_pipeline.retrieval.filters import SearchFilters
from legal_pipeline.retrieval.query_text import MAX_QUERY, verify_query
from legal_pipeline_tests.growth import NEARLY_LINEAR, growth

CITATIONS = {
    "one act": "Section {} of the Indian Penal Code",
    "no act": "section {}",
    "numbered acts": "section {0} of Act {0} of 2019",
    "chapters": "s. {} Labour Act [Chapter 28:01]",
    "Swedish": "2 kap. {} § arbetsmiljölagen",
    "French": "article {} du code civil",
    "German": "Art. {} GG",
    "American": "8 U.S.C. § {}",
}


def query(form: str, number: int) -> str:
    return ", ".join(form.format(section % 900 + 1) for section in range(number))


@pytest.mark.parametrize(
    "form",
    [
        pytest.param(form, id=name, marks=() if name in ("no act", "chapters", "German") else pytest.mark.heavy)
        for name, form in CITATIONS.items()
    ],
)
def test_reading_a_query_of_many_citations_takes_as_long_as_it_is(form: str) -> None:
    read_citations(query(form, 3))  # tables that are read once
    spaces = itertools.count(1)

    def reading(number: int) -> Callable[[], object]:
        text = query(form, number)
        # the last queries are kept with their citations: each run reads another
        return lambda: read_citations(text + " " * next(spaces))

    assert growth(reading, 60) < NEARLY_LINEAR


def test_finding_what_a_query_of_many_citations_means_takes_as_long_as_it_is() -> None:
    everything = [f"sec_{section}" for section in range(1, 901)]
    points = {
        str(number): {"title": f"Boats Act {'x' * number}", "jurisdiction": "zw", "provisions": everything}
        for number in range(10)
    }
    read = {number: read_citations(query("section {}", number)) for number in (3, 50, 100, 200)}

    today = datetime.date(2026, 1, 1)
    citedness(points, read[3], today)  # tables that are read once
    assert growth(lambda number: lambda: citedness(points, read[number], today), 50) < NEARLY_LINEAR


def test_a_query_may_have_four_thousand_characters_and_no_more() -> None:
    verify_query("å" * MAX_QUERY)
    with pytest.raises(QueryError, match=r"the query has 4,001 characters, expected at most 4,000"):
        verify_query("å" * (MAX_QUERY + 1))


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("livboj \udcc3\udca5", "a lone surrogate (U+DCC3) at character 8"),
        ("3 §\x00 AML", "a NUL (U+0000) at character 4"),
    ],
)
def test_what_is_no_text_is_refused_with_its_place(query: str, said: str) -> None:
    with pytest.raises(QueryError) as caught:
        verify_query(query)
    assert said in str(caught.value)
    assert str(caught.value).isprintable(), "the message itself can be shown"


def test_a_filter_that_is_no_text_is_refused_with_its_place() -> None:
    with pytest.raises(QueryError, match=r"the filter `courts` has a lone surrogate \(U\+D800\) at character 3"):
        SearchFilters(courts=("HD", "A \ud800"))

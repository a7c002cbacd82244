"""The days from which the expressions of a document are law."""

from __future__ import annotations

from legal_pipeline.model.versions import History, Line
from legal_pipeline.processing.expressions import Expression
from legal_pipeline.stages.provision_versions import Dated, Derived, dates
from legal_pipeline.stages.superseded_chunks import KnownInterval, interval_of


def expression(name: str, as_of_date: str | None, first_seen: str) -> Expression:
    return Expression(name, as_of_date, None, first_seen, (), "")


def test_an_expression_is_never_law_before_the_one_before_it() -> None:
    known = [
        expression("a", "2030-01-01", "2029-06-01"),
        expression("b", None, "2029-07-01"),
        expression("c", "2029-12-01", "2031-02-03"),
        expression("d", "a year", "2031-02-04"),
    ]
    assert [(dated.date, dated.stated) for dated in dates(known, {})] == [
        ("2030-01-01", "2030-01-01"),
        ("2030-01-01", None),
        ("2031-02-03", None),
        ("2031-02-04", None),
    ]


def test_a_second_text_of_the_same_stated_day_has_that_day() -> None:
    known = [expression("a", "2030-01-01", "2030-01-02"), expression("b", "2030-01-01", "2031-02-03")]
    assert [(dated.date, dated.stated) for dated in dates(known, {})] == [("2030-01-01", "2030-01-01")] * 2


def test_an_expression_is_dated_by_the_last_act_in_it_if_its_source_states_no_day() -> None:
    known = [Expression("a", None, "SFS 2030:4", "2031-02-03", (), ""), expression("b", "2031-13-01", "2031-05-01")]
    assert [(dated.date, dated.stated) for dated in dates(known, {"SFS 2030:4": "2030-07-01"})] == [
        ("2030-07-01", "2030-07-01"),
        ("2031-05-01", None),
    ]
    assert [dated.date for dated in dates(known, {})] == [None, "2031-05-01"]


_DATED = [
    Dated("a", "2030-01-01", "2030-01-01"),
    Dated("b", "2031-02-03", None),
    Dated("c", "2032-01-01", "2032-01-01"),
]


def interval(
    first: int, last: int | None, since: str | None = None, until: str | None = None, *, by: str | None = None,
    reprinted: str | None = None,
) -> KnownInterval:  # fmt: skip
    """The interval of a wording that is in the expressions from `first` to `last`."""
    line = Line("sec_1", "sec_1", (), "", since, by, first, until, None, last)
    return interval_of(line, Derived(_DATED, History("xx-lamps"), reprinted))


def test_a_day_that_the_history_states_is_that_of_a_wording() -> None:
    assert interval(0, None, "2029-05-01") == KnownInterval("2029-05-01", None, None, None)
    assert interval(0, 0, "2029-05-01", "2030-05-01") == KnownInterval("2029-05-01", None, "2030-05-01", None)
    assert interval(2, None, until="2040-01-01") == KnownInterval("2032-01-01", None, "2040-01-01", None)


def test_a_change_that_no_source_dates_has_the_day_on_which_it_was_seen() -> None:
    assert interval(1, 1) == KnownInterval("2031-02-03", "seen", "2032-01-01", None)
    assert interval(0, 0, "2029-05-01") == KnownInterval("2029-05-01", None, "2031-02-03", "seen")
    assert interval(0, 0, "2029-05-01", "the day that the Board decides").valid_to == "2031-02-03"
    assert interval(1, None, "2031-02-03") == KnownInterval("2031-02-03", "seen", None, None)


def test_a_wording_of_the_first_expression_began_in_the_year_of_its_act_or_is_attested_by_a_text() -> None:
    assert interval(0, None, by="SFS 1999:4") == KnownInterval("1999-01-01", "year_of_act", None, None)
    assert interval(0, None) == KnownInterval("2030-01-01", "attested", None, None)
    assert interval(0, None, reprinted="2011-01-01") == KnownInterval("2011-01-01", "attested", None, None)
    assert interval(0, None, by="an act", reprinted="2011-01-01") == KnownInterval("2030-01-01", "attested", None, None)

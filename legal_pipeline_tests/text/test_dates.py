"""Dates in running text and in metadata."""

from __future__ import annotations

import pytest

from legal_pipeline.parsing.sweden.header import iso_date
from legal_pipeline.text.dates import first_date


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Decision 12, 2019", None),  # no month begins a longer word
        ("Feb. 31, 2020", None),
        ("Marchand 4, 2010", None),
        ("Dec. 30, 1977", "1977-12-30"),
        ("issued MARCH 4, 2010", "2010-03-04"),
        ("Feb. 30, 2020, as amended Mar. 1, 2020", "2020-03-01"),
    ],
)
def test_a_date_names_a_month_and_a_day_that_the_calendar_has(text: str, value: str | None) -> None:
    assert first_date(text, "eng", "month first") == value


def test_a_date_of_a_register_is_one_that_the_calendar_has() -> None:
    assert iso_date("2020-02-31 00:00") is None
    assert iso_date("2020-02-31, senast 2020-03-01") == "2020-03-01"

"""Dates in running text and in metadata."""

from __future__ import annotations

import pytest

from legal_pipeline.parsing.sweden.header import iso_date
from legal_pipeline.text.dates import NumericOrder, commencement, first_date


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


@pytest.mark.parametrize(
    ("text", "order", "value"),
    [
        ("03/04/2020", "month first", "2020-03-04"),
        ("03/04/2020", "day first", "2020-04-03"),
        ("03/04/2020", "", None),
        ("12/04/2020", "", None),
        ("04/12/2020", "", None),
        ("13/04/2020", "", "2020-04-13"),
        ("04/13/2020", "", "2020-04-13"),
        ("13/04/2020", "month first", None),
        ("03.04.2020", "", "2020-04-03"),
        ("2020-04-03", "month first", "2020-04-03"),
    ],
)
def test_a_date_in_numbers_has_the_order_of_its_country_or_one_that_is_certain(
    text: str, order: NumericOrder, value: str | None
) -> None:
    assert first_date(f"issued {text}.", "eng", order) == value


@pytest.mark.parametrize("text", ["2020-04-03-7", "2020-04-035", "13/04/2020/5", "13.4.2020.5", "3 April 20201"])
def test_a_longer_number_is_not_a_date(text: str) -> None:
    assert first_date(f"file {text}", "eng", "day first") is None


def test_a_date_of_a_register_is_one_that_the_calendar_has() -> None:
    assert iso_date("2020-02-31 00:00") is None
    assert iso_date("2020-02-31, senast 2020-03-01") == "2020-03-01"


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("hun", "AZ EURÓPAI PARLAMENT ÉS A TANÁCS (EU) 2016/679 RENDELETE (2016. április 27.)"),
        ("lit", "2016 m. balandžio 27 d. Europos Parlamento ir Tarybos reglamentas"),
        ("lav", "Eiropas Parlamenta un Padomes Regula (2016. gada 27. aprīlis)"),
        ("ell", "της 27ης Απριλίου 2016"),
        ("cat", "del 27 d’abril de 2016"),
        ("mlt", "27 ta' April 2016"),
        ("por", "de 27 de abril de 2016"),
        ("ces", "ze dne 27. dubna 2016"),
        ("pol", "z dnia 27 kwietnia 2016 r."),
        ("fin", "annettu 27 päivänä huhtikuuta 2016"),
        ("bul", "от 27 април 2016 година"),
        ("nno", "den 27. april 2016"),
        ("ukr", "від 27 квітня 2016 р."),
    ],
)
def test_a_date_is_read_in_the_order_and_the_case_of_its_language(language: str, text: str) -> None:
    assert first_date(text, language) == "2016-04-27"


@pytest.mark.parametrize("words", ["Denna lag träder i kraft den", "TRÄDER I KRAFT"])
def test_a_commencement_is_read_in_small_letters_and_in_capitals(words: str) -> None:
    assert commencement(f"Utfärdad den 3 maj 2031. {words} 1 juli 2031.", "swe") == "2031-07-01"

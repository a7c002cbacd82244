"""Dates in running text with their ISO values: "den 1 juli 2010", "1st April, 1950", "March 12, 2019", "31.12.2019".

Not here: months without a day, and the meaning of a date (decided, in force), which the formats know.
"""

from __future__ import annotations

import datetime
import functools
import re
from collections.abc import Iterator
from typing import Any, Literal, NamedTuple

from legal_pipeline.languages.language import language as language_data
from legal_pipeline.text.alternation import alternation

_YEAR = r"(?P<{}>1[5-9]\d\d|20\d\d|21\d\d)(?!\d)"
_DAY = r"(?P<{}>[0-3]?\d)"
#: Text after the number of a day: 1st, 1er, 1., 1º, 1.º, 1°, 1ης, 1ú, 1 päivänä.
_DAY_ENDING = r"(?:st|nd|rd|th|er|ης|η|ú|\.?[º°]|\.|:e)?(?: päivänä)?"
#: Text between a day and its month, and between the month and the year: "27 de abril de", "27 d'abril", "27 ta' April".
_BEFORE_MONTH = r"(?:day of |de |of |d['’]|ta['’] |tal-)?"
#: Text after a year that comes first: "2016. gada", "2016 m.".
_YEAR_ENDING = r"\.?(?: gada| m\.)?,? "
_ISO = rf"(?<![\d/:.-]){_YEAR.format('iso_year')}-(?P<iso_month>[01]\d)-(?P<iso_day>[0-3]\d)(?![\d-])"
_NUMERIC = rf"(?<![\d/:.,-])(?P<first>[0-3]?\d)(?P<sign>[./-])(?P<second>[0-3]?\d)(?P=sign){_YEAR.format('numeric_year')}(?![./-]\d)"


#: Orders of a language in which the year comes first, with the rest of the date.
_YEAR_FIRST = {"year month day": "{month} {day}", "year day month": r"{day}\.? {month}"}

#: The order of a date in numbers alone; "" if it is not known.
NumericOrder = Literal["", "day first", "month first"]


class DateMention(NamedTuple):
    """`text[start:end]` is a date whose ISO value is `iso`."""

    start: int
    end: int
    iso: str


def dates(text: str, language: str, order: NumericOrder = "") -> Iterator[DateMention]:
    """Yield the dates of `text` in order; impossible dates (31 June) and dates of uncertain order are left out.

    `language` is ISO 639-3; for a language without names of months only ISO and numeric dates are read. `order` is the country's order of a
    date in numbers alone; without it only a number above twelve makes the day certain.
    """
    months = _months(language)
    for match in _pattern(language).finditer(text):
        groups = match.groupdict()
        if groups["iso_year"]:
            value = _date(groups["iso_year"], int(groups["iso_month"]), groups["iso_day"])
        elif groups["first"]:
            value = _numeric(groups, order)
        elif groups.get("day_behind"):
            value = _date(groups["year_behind"], months[groups["month_named"].rstrip(".")], groups["day_behind"])
        elif groups.get("year_leading"):
            value = _date(groups["year_leading"], months[groups["month_second"].rstrip(".")], groups["day_last"])
        else:
            value = _date(groups["year"], months[groups["month"].rstrip(".")], groups["day"])
        if value is not None:
            yield DateMention(match.start(), match.end(), value)


def first_date(text: str, language: str, order: NumericOrder = "") -> str | None:
    """Return the ISO value of the first date of `text`, None if it has no date. Parameters as for `dates`."""
    return next((mention.iso for mention in dates(text, language, order)), None)


def commencement(text: str, language: str) -> str | None:
    """Return the first date of a commencement in `text`; None if it states none, or the language has no words for it."""
    pattern = language_data(language).section("dates").get("commencement")
    match = re.search(pattern, text, re.IGNORECASE) if pattern else None
    return first_date(match[1], language) if match else None


@functools.cache
def months(language: str) -> dict[str, str]:
    """Return the names of months in a language, all forms in lower case, mapped to "01" … "12"."""
    listed = language_data(language).section("dates").get("months", ())
    return {form.rstrip(".").lower(): f"{number:02}" for number, forms in enumerate(listed, 1) for form in forms}


def _numeric(groups: dict[str, Any], order: NumericOrder) -> str | None:
    """Read DD/MM/YYYY or MM/DD/YYYY according to `order`, or if the numbers themselves are unambiguous."""
    first, second, year = groups["first"], groups["second"], groups["numeric_year"]
    if order == "month first":
        return _date(year, int(first), second)
    if order == "day first" or groups["sign"] == "." or int(first) > 12:
        return _date(year, int(second), first)
    return _date(year, int(first), second) if int(second) > 12 else None


def iso(day: datetime.date | None) -> str | None:
    return None if day is None else day.isoformat()


def _date(year: str, month: int, day: str) -> str | None:
    try:
        return datetime.date(int(year), month, int(day)).isoformat()
    except ValueError:
        return None


@functools.cache
def _months(language: str) -> dict[str, int]:
    return {
        # headers print months in capitals
        written: number
        for number, forms in enumerate(language_data(language).section("dates").get("months", ()), 1)
        for form in forms
        for written in (form.rstrip("."), form.rstrip(".").upper())
    }


@functools.cache
def _pattern(language: str) -> re.Pattern[str]:
    branches = [_ISO, _NUMERIC]
    if months := _months(language):
        names = alternation(months)
        day = rf"(?<![\d.,:/-]){_DAY.format('day')}{_DAY_ENDING}"
        order = language_data(language).section("dates")["order"]
        branches.append(
            rf"(?:\bden |\bthe )?{day},? {_BEFORE_MONTH}(?P<month>{names})\.?,? (?:de |of |del? )?{_YEAR.format('year')}"
        )
        if order == "both":
            branches.append(
                rf"\b(?P<month_named>{names})\.? {_DAY.format('day_behind')}(?:st|nd|rd|th)?,? {_YEAR.format('year_behind')}"
            )
        if order in _YEAR_FIRST:
            branches.append(_year_first(order, names))
    return re.compile("|".join(branches))


def _year_first(order: str, names: str) -> str:
    """Return the pattern of a date in words that begins with its year.

    Examples: "2016. április 27", "2016 m. balandžio 27 d.", "2016. gada 27. aprīlī".
    """
    year = rf"(?<![\d.,:/-]){_YEAR.format('year_leading')}{_YEAR_ENDING}"
    month, day = rf"(?P<month_second>{names})\b\.?", rf"{_DAY.format('day_last')}(?!\d)"
    return year + _YEAR_FIRST[order].format(month=month, day=day)

"""Dates in running text with their ISO values: "den 1 juli 2010", "1st April, 1950", "March 12, 2019", "31.12.2019".

Not here: months without a day, and what a date means (decided, in force), which the formats know.
"""

from __future__ import annotations

import datetime
import functools
import importlib.resources
import re
import tomllib
from collections.abc import Iterator
from typing import Any, NamedTuple

_YEAR = r"(?P<{}>1[5-9]\d\d|20\d\d|21\d\d)(?!\d)"
_DAY = r"(?P<{}>[0-3]?\d)"
_ISO = rf"(?<![\d/:.-]){_YEAR.format('iso_year')}-(?P<iso_month>[01]\d)-(?P<iso_day>[0-3]\d)(?![\d-])"
_NUMERIC = rf"(?<![\d/:.,-])(?P<first>[0-3]?\d)(?P<sign>[./-])(?P<second>[0-3]?\d)(?P=sign){_YEAR.format('numeric_year')}(?![./-]\d)"


class DateMention(NamedTuple):
    """`text[start:end]` is a date whose ISO value is `iso`."""

    start: int
    end: int
    iso: str


def dates(text: str, language: str, jurisdiction: str = "") -> Iterator[DateMention]:
    """The dates of `text` in order; one that no calendar has (31 June), or whose order is not certain, is left out.

    `language` is ISO 639-3; a language without names of months is read for ISO and numeric dates alone.
    """
    months = _months().get(language, {})
    for match in _pattern(language).finditer(text):
        groups = match.groupdict()
        if groups["iso_year"]:
            value = _date(groups["iso_year"], int(groups["iso_month"]), groups["iso_day"])
        elif groups["first"]:
            value = _numeric(groups, jurisdiction)
        elif groups.get("us_day"):
            value = _date(groups["us_year"], months[groups["us_month"].rstrip(".")], groups["us_day"])
        else:
            value = _date(groups["year"], months[groups["month"].rstrip(".")], groups["day"])
        if value is not None:
            yield DateMention(match.start(), match.end(), value)


def first_date(text: str, language: str, jurisdiction: str = "") -> str | None:
    """The ISO value of the first date of `text`, None where it has no date. Parameters as for `dates`."""
    return next((mention.iso for mention in dates(text, language, jurisdiction)), None)


def _numeric(groups: dict[str, Any], jurisdiction: str) -> str | None:
    """DD/MM/YYYY or MM/DD/YYYY, as the jurisdiction writes it or as the numbers themselves tell."""
    first, second, year = groups["first"], groups["second"], groups["numeric_year"]
    order = _data()["numeric"]
    if jurisdiction in order["month_first"]:
        return _date(year, int(first), second)
    if jurisdiction in order["day_first"] or groups["sign"] == "." or int(first) > 12:
        return _date(year, int(second), first)
    return _date(year, int(first), second) if int(second) > 12 else None


def _date(year: str, month: int, day: str) -> str | None:
    try:
        return datetime.date(int(year), month, int(day)).isoformat()
    except ValueError:
        return None


@functools.cache
def _data() -> dict[str, Any]:
    return tomllib.loads(importlib.resources.files(__package__).joinpath("dates.toml").read_text("utf-8"))


@functools.cache
def _months() -> dict[str, dict[str, int]]:
    return {
        language: {
            # headers print months in capitals
            written: number
            for number, forms in enumerate(entry["months"], 1)
            for form in forms
            for written in (form.rstrip("."), form.rstrip(".").upper())
        }
        for language, entry in _data().items()
        if "months" in entry
    }


@functools.cache
def _pattern(language: str) -> re.Pattern[str]:
    branches = [_ISO, _NUMERIC]
    entry = _data().get(language)
    if entry is not None and "months" in entry:
        names = "|".join(sorted(map(re.escape, _months()[language]), key=len, reverse=True))
        day = rf"(?<![\d.,:/-]){_DAY.format('day')}(?:st|nd|rd|th|er|\.|:e)?"
        branches.append(
            rf"(?:\bden |\bthe )?{day},? (?:day of |de |of )?(?P<month>{names})\.?,? (?:de |of |del? )?{_YEAR.format('year')}"
        )
        if entry["order"] == "both":
            branches.append(
                rf"\b(?P<us_month>{names})\.? {_DAY.format('us_day')}(?:st|nd|rd|th)?,? {_YEAR.format('us_year')}"
            )
    return re.compile("|".join(branches))

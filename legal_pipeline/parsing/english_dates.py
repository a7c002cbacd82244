"""Dates with English month names, month first, as ISO dates.

Not here: dates inside provisions (`text.citations`).
"""

from __future__ import annotations

import re

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_DATE = re.compile(r"\b(?P<month>[A-Za-z]{3,9})\.? (?P<day>\d{1,2}), (?P<year>\d{4})\b")


def iso_date(text: str) -> str | None:
    """The first date of `text` (`Dec. 30, 1977`, `March 4, 2010`) as `1977-12-30`, None where there is none."""
    for match in _DATE.finditer(text):
        month = match.group("month").lower()[:3]
        day = int(match.group("day"))
        if month in _MONTHS and 1 <= day <= 31:
            return f"{match.group('year')}-{_MONTHS.index(month) + 1:02d}-{day:02d}"
    return None

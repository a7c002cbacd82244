"""Works by their numbers in a country's official series (section `numbering` of its data): `AFS 2023:1`, or `1977:1160` alone.

Not here: citations in running text (`citations`).
"""

from __future__ import annotations

import functools
import re

from legal_pipeline.jurisdictions.jurisdiction import Jurisdiction, countries, jurisdiction
from legal_pipeline.model.identity import series_identity


def numbered_identity(number: str, code: str = "") -> tuple[str, str] | None:
    """Return (document id, work URI) of the work with this number, with or without its series, in `code` or the first matching country."""
    for country in (jurisdiction(code),) if code else countries():
        pattern = _pattern(country)
        if pattern is not None and (match := pattern.search(number)):
            return series_identity(country.code, match["series"] or default_series(country), match["number"])
    return None


def default_series(country: Jurisdiction) -> str:
    """Return the series of a number without a series; "" if the country has none."""
    return str(country.section("numbering").get("series", ""))


@functools.cache
def _pattern(country: Jurisdiction) -> re.Pattern[str] | None:
    pattern = country.section("numbering").get("pattern")
    return re.compile(pattern) if pattern else None

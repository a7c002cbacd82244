"""Citations of a common law country without a separate grammar: sections, named Acts, Acts by number and year ("Act 108 of 1996")
and neutral citations. A name that the country's data does not have is an unknown Act: each country has a different "Companies Act".

Not here: countries with series of reports or other forms of Acts (`jurisdictions/<code>/citations.py`).
"""

from __future__ import annotations

import functools
import re

from legal_pipeline.citations.common_law import Reader, report_uri, scan
from legal_pipeline.citations.common_law_patterns import NamedActs, Patterns
from legal_pipeline.citations.country import Country, Scanner
from legal_pipeline.citations.mention import UNKNOWN, Mention, known
from legal_pipeline.citations.works import names

_NEUTRAL = r"(?P<neutral>\[(?P<year>(?:19|20)\d\d)\] (?P<court>[A-Z]{3,10}) (?P<number>\d{1,4})\b)"


def scanner(country: Country) -> Scanner:
    """Return the scanner of `country`, with the names in its data."""
    acts = NamedActs(country.code, names(country))
    return functools.partial(scan, acts, Patterns(acts, anchors=(_NEUTRAL,)), _neutral)


def _neutral(reader: Reader, anchor: re.Match[str]) -> tuple[list[Mention], int] | None:
    if anchor.lastgroup != "neutral":
        return None
    code, court = reader.acts.code, anchor["court"]
    is_own = court.startswith(code.upper())
    work = known(report_uri(code, court, anchor["year"], anchor["number"])) if is_own else UNKNOWN
    return reader.mention(*anchor.span(), work, "case")

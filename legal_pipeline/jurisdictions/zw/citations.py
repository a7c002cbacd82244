"""Zimbabwean citations: Acts with their chapters and sections through `common_law`, statutory instruments, and judgments.

Not here: names and chapters of Acts, series of the courts (`jurisdiction.toml`).
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from typing import Any

from legal_pipeline.citations.common_law import Reader, report_uri, scan
from legal_pipeline.citations.common_law_patterns import NamedActs, Patterns
from legal_pipeline.citations.country import Country, Scanner
from legal_pipeline.citations.mention import Mention, known
from legal_pipeline.citations.works import names
from legal_pipeline.text.alternation import alternation

_NEUTRAL = r"(?P<neutral>\[(?P<year>(?:19|20)\d\d)\] (?P<court>[A-Z]{2,10}) (?P<number>\d{1,4})\b)"
_CHAPTER = r"(?P<chapter>(?P<open>[\[(])?(?:Chapter|Chap\.|Cap\.?) ?(?P<chapter_number>\d{1,2}:\d{2})(?(open)[\])]))"
_INSTRUMENT = re.compile(
    r"(?:S\.?I\.?|Statutory Instrument)(?: No\.?)? ?(?P<number>\d{1,4})(?: of |/)(?P<year>(?:19|20)\d\d)\b"
)


def scanner(country: Country) -> Scanner:
    """Return the scanner of `country`, with the names in its data."""
    acts = NamedActs(country.code, names(country), names(country, "chapter"))
    data = country.section("citations")["judgments"]
    reports = alternation(series for known in data["reports"].values() for series in known)
    report = (
        rf"(?P<report>(?<![\d/.-])(?P<report_year>(?:19|20)\d\d) (?:\((?P<volume>\d)\) )?(?P<series>{reports}) (?P<page>\d{{1,4}})\b"
        r"(?: \([A-Z]{1,6}\))?)"
    )
    series = data["series"]
    words = [f"{name}{sign}" for name in series for sign in (" ", "-", "/")]
    judgment = rf"(?P<series>{alternation(series)})[ /-]?(?P<number>\d{{1,4}})[-/](?P<year>(?:19|20)?\d\d)\b(?![/-]\d)"
    patterns = Patterns(
        acts, words=(*words, "S.I", "SI ", "Statutory Instrument "), anchors=(_NEUTRAL, report, _CHAPTER)
    )
    own = functools.partial(_own, re.compile(judgment), data)
    return functools.partial(scan, acts, patterns, own)


def _own(
    judgment: re.Pattern[str], data: Mapping[str, Any], reader: Reader, anchor: re.Match[str]
) -> tuple[list[Mention], int] | None:
    """Read judgments, statutory instruments, and Acts cited only by their chapter.

    In the `data`, `neutral` are countries by the first two letters of a court, and `reports` are series of reports by country.
    """
    text, start, end = reader.text, *anchor.span()
    if anchor.lastgroup == "neutral":
        country = data["neutral"].get(anchor["court"][:2])
        if country is None:
            return [], end
        uri = report_uri(country, anchor["court"], anchor["year"], anchor["number"])
        return reader.mention(start, end, known(uri), "case")
    if anchor.lastgroup == "report":
        country = next(code for code, series in data["reports"].items() if anchor["series"] in series)
        uri = report_uri(country, anchor["series"], anchor["report_year"], anchor["volume"] or "", anchor["page"])
        return reader.mention(start, end, known(uri), "case")
    if anchor.lastgroup == "chapter":
        work = reader.acts.chapters.get(anchor["chapter_number"])
        return reader.mention(start, end, known(work), "act", is_remembered=True) if work is not None else ([], end)
    if match := judgment.match(text, start):
        year = match["year"] if len(match["year"]) == 4 else _century(match["year"])
        uri = report_uri(reader.acts.code, match["series"], year, match["number"])
        return reader.mention(*match.span(), known(uri), "case")
    if match := _INSTRUMENT.match(text, start):
        uri = f"/akn/{reader.acts.code}/act/si/{match['year']}/{int(match['number'])}"
        return reader.mention(*match.span(), known(uri), "act")
    return None


def _century(two_digits: str) -> str:
    """Return the year in four digits: the series began after 1979."""
    return f"19{two_digits}" if int(two_digits) >= 80 else f"20{two_digits}"

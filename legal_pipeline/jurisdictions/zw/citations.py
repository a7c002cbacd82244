"""Zimbabwean citations: Acts with their chapters and sections through `common_law`, statutory instruments, and judgments.

Not here: names and chapters of Acts, series of the courts (`jurisdiction.toml`).
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from legal_pipeline.citations.common_law import NamedActs, Patterns, Reader, compile_patterns, report_uri
from legal_pipeline.citations.country import Country, Grammar
from legal_pipeline.citations.model import Citation, CitingDocument
from legal_pipeline.citations.works import alternation, names

_NEUTRAL = r"(?P<neutral>\[(?P<year>(?:19|20)\d\d)\] (?P<court>[A-Z]{2,10}) (?P<number>\d{1,4})\b)"
_CHAPTER = r"(?P<chapter>(?P<open>[\[(])?(?:Chapter|Chap\.|Cap\.?) ?(?P<chapter_number>\d{1,2}:\d{2})(?(open)[\])]))"
_INSTRUMENT = re.compile(
    r"(?:S\.?I\.?|Statutory Instrument)(?: No\.?)? ?(?P<number>\d{1,4})(?: of |/)(?P<year>(?:19|20)\d\d)\b"
)


def grammar(country: Country) -> Grammar:
    """Finds the citations of a text, in order, with the names in the data of `country`."""
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
    patterns = compile_patterns(
        acts, words=(*words, "S.I", "SI ", "Statutory Instrument "), anchors=(_NEUTRAL, report, _CHAPTER)
    )
    return functools.partial(_find, _Known(acts, patterns, re.compile(judgment), data["neutral"], data["reports"]))


@dataclass(frozen=True, slots=True)
class _Known:
    acts: NamedActs
    patterns: Patterns
    judgment: re.Pattern[str]
    #: First letters of a court in a neutral citation -> country.
    countries: Mapping[str, str]
    #: Country -> its series of reports.
    reports: Mapping[str, Sequence[str]]


def _find(known: _Known, text: str, document: CitingDocument | None) -> Iterator[Citation]:
    patterns, judgment = known.patterns, known.judgment
    reader = Reader(text, document, known.acts, patterns)
    search, position = patterns.anchor.search, 0
    while anchor := search(text, position):
        position = anchor.end()
        found: list[Citation] = []
        kind = anchor.lastgroup
        if kind == "neutral":
            country = known.countries.get(anchor["court"][:2])
            if country is not None:
                uri = report_uri(country, anchor["court"], anchor["year"], anchor["number"])
                found = [reader.cite(anchor.start(), anchor.end(), uri, None, "case")]
        elif kind == "report":
            country = next(code for code, series in known.reports.items() if anchor["series"] in series)
            uri = report_uri(country, anchor["series"], anchor["report_year"], anchor["volume"] or "", anchor["page"])
            found = [reader.cite(anchor.start(), anchor.end(), uri, None, "case")]
        elif kind == "chapter":
            work = known.acts.chapters.get(anchor["chapter_number"])
            if work is not None:
                reader.last_work = work
                found = [reader.cite(anchor.start(), anchor.end(), work, None, "act")]
        elif match := judgment.match(text, anchor.start()):
            year = match["year"] if len(match["year"]) == 4 else _century(match["year"])
            uri = report_uri(known.acts.code, match["series"], year, match["number"])
            found, position = [reader.cite(match.start(), match.end(), uri, None, "case")], match.end()
        elif match := _INSTRUMENT.match(text, anchor.start()):
            uri = f"/akn/{known.acts.code}/act/si/{match['year']}/{int(match['number'])}"
            found, position = [reader.cite(match.start(), match.end(), uri, None, "act")], match.end()
        else:
            found, position = reader.word(anchor)
        yield from found


def _century(two_digits: str) -> str:
    """The series began after 1979."""
    return f"19{two_digits}" if int(two_digits) >= 80 else f"20{two_digits}"

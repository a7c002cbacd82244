"""Zimbabwean citations: Acts with their chapters and sections through `common_law`, statutory instruments, and judgments.

Not here: names and chapters of Acts, series of the courts (`data/zw.toml`).
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator

from legal_pipeline.citations.common_law import Jurisdiction, Patterns, Reader, compile_patterns, report_uri
from legal_pipeline.citations.model import Citation, CitingDocument
from legal_pipeline.citations.works import alternation, jurisdiction_data, names

_NEUTRAL = r"(?P<neutral>\[(?P<year>(?:19|20)\d\d)\] (?P<court>[A-Z]{2,10}) (?P<number>\d{1,4})\b)"
_CHAPTER = r"(?P<chapter>(?P<open>[\[(])?(?:Chapter|Chap\.|Cap\.?) ?(?P<chapter_number>\d{1,2}:\d{2})(?(open)[\])]))"
_INSTRUMENT = re.compile(
    r"(?:S\.?I\.?|Statutory Instrument)(?: No\.?)? ?(?P<number>\d{1,4})(?: of |/)(?P<year>(?:19|20)\d\d)\b"
)
#: Neutral citations carry the country in their first letters.
_COUNTRIES = (
    ("ZW", "zw"),
    ("ZA", "za"),
    ("BW", "bw"),
    ("NA", "na"),
    ("ZM", "zm"),
    ("UK", "gb"),
    ("EW", "gb"),
    ("LS", "ls"),
    ("SZ", "sz"),
)


def find(text: str, document: CitingDocument | None = None) -> Iterator[Citation]:
    """The citations of `text`, in order."""
    patterns, judgment = _patterns()
    reader = Reader(text, document, _jurisdiction(), patterns)
    search, position = patterns.anchor.search, 0
    while anchor := search(text, position):
        position = anchor.end()
        found: list[Citation] = []
        kind = anchor.lastgroup
        if kind == "neutral":
            country = next((code for letters, code in _COUNTRIES if anchor["court"].startswith(letters)), None)
            if country is not None:
                uri = report_uri(country, anchor["court"], anchor["year"], anchor["number"])
                found = [reader.cite(anchor.start(), anchor.end(), uri, None, "case")]
        elif kind == "report":
            country = "zw" if anchor["series"] in jurisdiction_data("zw")["judgments"]["zimbabwean_reports"] else "za"
            uri = report_uri(country, anchor["series"], anchor["report_year"], anchor["volume"] or "", anchor["page"])
            found = [reader.cite(anchor.start(), anchor.end(), uri, None, "case")]
        elif kind == "chapter":
            work = _jurisdiction().chapters.get(anchor["chapter_number"])
            if work is not None:
                reader.last_work = work
                found = [reader.cite(anchor.start(), anchor.end(), work, None, "act")]
        elif match := judgment.match(text, anchor.start()):
            year = match["year"] if len(match["year"]) == 4 else _century(match["year"])
            uri = report_uri("zw", match["series"], year, match["number"])
            found, position = [reader.cite(match.start(), match.end(), uri, None, "case")], match.end()
        elif match := _INSTRUMENT.match(text, anchor.start()):
            uri = f"/akn/zw/act/si/{match['year']}/{int(match['number'])}"
            found, position = [reader.cite(match.start(), match.end(), uri, None, "act")], match.end()
        else:
            found, position = reader.word(anchor)
        yield from found


def _century(two_digits: str) -> str:
    """The series began after 1979."""
    return f"19{two_digits}" if int(two_digits) >= 80 else f"20{two_digits}"


@functools.cache
def _jurisdiction() -> Jurisdiction:
    return Jurisdiction("zw", names("zw"), names("zw", "chapters"))


@functools.cache
def _patterns() -> tuple[Patterns, re.Pattern[str]]:
    data = jurisdiction_data("zw")["judgments"]
    reports = alternation([*data["zimbabwean_reports"], *data["south_african_reports"]])
    report = (
        rf"(?P<report>(?<![\d/.-])(?P<report_year>(?:19|20)\d\d) (?:\((?P<volume>\d)\) )?(?P<series>{reports}) (?P<page>\d{{1,4}})\b"
        r"(?: \([A-Z]{1,6}\))?)"
    )
    series = data["series"]
    words = [f"{name}{sign}" for name in series for sign in (" ", "-", "/")]
    judgment = rf"(?P<series>{alternation(series)})[ /-]?(?P<number>\d{{1,4}})[-/](?P<year>(?:19|20)?\d\d)\b(?![/-]\d)"
    patterns = compile_patterns(
        _jurisdiction(), words=(*words, "S.I", "SI ", "Statutory Instrument "), anchors=(_NEUTRAL, report, _CHAPTER)
    )
    return patterns, re.compile(judgment)

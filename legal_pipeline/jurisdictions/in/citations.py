"""Indian citations: Acts and sections through `common_law`, Orders and Rules of the Code, and the reports (SCC, AIR, SCR, INSC).

Not here: names of Acts and report series (`jurisdiction.toml`).
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Mapping

from legal_pipeline.citations.common_law import NamedActs, Patterns, Reader, compile_patterns, report_uri
from legal_pipeline.citations.country import Country, Grammar
from legal_pipeline.citations.model import Citation, CitingDocument
from legal_pipeline.citations.works import names
from legal_pipeline.model.slug import slug

CONSTITUTION = "/akn/in/act/1949/constitution"
_YEAR = r"[\[(]?(?:1[89]|20)\d\d[\])]?"
_YEAR_ANCHOR = r"(?<![\d/.-])(?P<year_anchor>[\[(]?(?:1[89]|20)\d\d)(?=[\])]?[ :])"
_SERIES = (
    r"S\.? ?C\.? ?C\.?(?: ?\((?:Cri|L ?& ?S|Civ|Supp|Tax)\.?\))?|S\.? ?C\.? ?R\.?|SCALE|Scale"
    r"|Cri\.? ?L\.? ?J\.?|Crl?\.? ?L\.? ?J\.?|Lab\.? ?I\.?C\.?|[A-Z][A-Za-z]{0,3}\.? ?CR"
    r"|I\.?L\.?R\.?|I\.?T\.?R\.?|E\.?L\.?T\.?|L\.?L\.?J\.?|M\.?L\.?J\.?|K\.?L\.?T\.?|G\.?L\.?R\.?"
    r"|D\.?L\.?T\.?|C\.?L\.?T\.?|Comp\.? ?Cas\.?|R\.?C\.?R\.?|A\.?C\.?C\.?|S\.?L\.?[TR]\.?|A\.?W\.?C\.?"
)
_REPORT = re.compile(
    rf"[\[(]?(?P<year>\d{{4}})[\])]?,? ?(?P<supp>Supp\.?(?:l\.?)? ?)?(?:\(?(?P<volume>\d{{1,3}})\)? )?"
    rf"(?P<series>{_SERIES})(?: \(?(?P<part>\d)\)?(?= \d))? (?P<page>\d{{1,5}})\b"
)
_ONLINE = re.compile(r"(?P<year>\d{4}) SCC On[Ll]ine (?P<court>[A-Z][A-Za-z&]{1,5}) (?P<page>\d{1,6})\b")
_NEUTRAL = re.compile(
    r"(?P<year>\d{4}) INSC (?P<page>\d{1,5})\b"
    r"|(?P<hc_year>\d{4}):(?P<court>[A-Z-]{2,8}):(?P<number>\d{1,6})(?:-[A-Z]{2})?\b"
)
_AIR = re.compile(
    r"A\.? ?I\.? ?R\.?,? ?[\[(]?(?P<year>\d{4})[\])]?,? \(?(?P<court>S\.? ?C\.?|P\.? ?C\.?|F\.? ?C\.?"
    r"|P ?& ?H|A\.?P\.?|M\.?P\.?|H\.?P\.?|J ?& ?K|[A-Z][a-z]{2,9})\.?\)?,? (?P<page>\d{1,5})\b"
)
_ORDER = re.compile(
    r"O(?:rder|\.) ?(?P<order>[IVXL]{1,7}|\d{1,2}),? ?(?:[Rr]ules?"
    r"|[Rr]\.) ?(?P<rule>\d{1,3}[A-Z]?)(?P<pins>(?:\(\w{1,4}\))*)"
)


def grammar(country: Country) -> Grammar:
    """Finds the citations of a text, in order, with the names in the data of `country`."""
    data = country.section("citations")
    acts = NamedActs(country.code, names(country), articles_of=CONSTITUTION, states=tuple(data["states"]))
    words = ("AIR", "A.I.R", "A. I. R", "Order ", "O. ", "O.")
    patterns = compile_patterns(acts, words=words, anchors=(_YEAR_ANCHOR,))
    series = {**data["reports"]["volume"], **data["reports"]["year_first"]}
    return functools.partial(_find, acts, patterns, series)


def _find(
    acts: NamedActs, patterns: Patterns, series: Mapping[str, str], text: str, document: CitingDocument | None
) -> Iterator[Citation]:
    reader = Reader(text, document, acts, patterns)
    search, position = patterns.anchor.search, 0
    while anchor := search(text, position):
        position = anchor.end()
        found: list[Citation] = []
        if anchor.lastgroup == "year_anchor":
            report = _case(text, anchor.start(), series)
            if report is not None:
                found, position = [report], report.end
        elif anchor["word"].startswith("A") and (air := _AIR.match(text, anchor.start())):
            uri = report_uri("in", "air", air["year"], air["court"].replace(".", "").replace(" ", ""), air["page"])
            found, position = [_cite(air, text, uri)], air.end()
        elif anchor["word"].startswith("O") and (order := _ORDER.match(text, anchor.start())):
            found, position = reader.order(order)
        else:
            found, position = reader.word(anchor)
        yield from found


def _case(text: str, start: int, known: Mapping[str, str]) -> Citation | None:
    if text[start] in "[(" and text[start + 5 : start + 6] not in (")", "]"):
        start += 1
    if match := _NEUTRAL.match(text, start):
        if match["year"]:
            return _cite(match, text, report_uri("in", "insc", match["year"], match["page"]))
        return _cite(match, text, report_uri("in", match["court"], match["hc_year"], match["number"]))
    if match := _ONLINE.match(text, start):
        return _cite(match, text, report_uri("in", "scc-online", match["year"], match["court"], match["page"]))
    match = _REPORT.match(text, start)
    if match is None:
        return None
    series = re.sub(r"[. ]|\(.*\)", "", match["series"])
    name = known.get(series) or slug(match["series"])
    bracket = re.search(r"\((.*)\)", match["series"])
    if bracket:
        name = f"{name}-{slug(bracket.group(1))}"
    volume = match["volume"] or ""
    if match["supp"]:
        volume = f"supp-{volume}".rstrip("-")
    return _cite(match, text, report_uri("in", name, match["year"], volume, match["part"] or "", match["page"]))


def _cite(match: re.Match[str], text: str, uri: str) -> Citation:
    return Citation(match.start(), match.end(), text[match.start() : match.end()], uri, None, "case")

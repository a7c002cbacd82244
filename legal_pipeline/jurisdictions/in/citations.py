"""Indian citations: Acts and sections through `common_law`, Orders and Rules of the Code, and the reports (SCC, AIR, SCR).

Not here: names of Acts, report series and neutral citations (`jurisdiction.toml`).
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Mapping, Sequence

from legal_pipeline.citations.acts_in_data import numbered_works
from legal_pipeline.citations.common_law import Reader, report_uri, scan
from legal_pipeline.citations.common_law_patterns import NamedActs, Patterns
from legal_pipeline.citations.country import Country, Scanner
from legal_pipeline.citations.mention import Mention, known
from legal_pipeline.citations.works import names
from legal_pipeline.model.slug import slug

#: A neutral citation: its pattern, and what makes the URI of the judgment from the pattern's groups.
Form = tuple[re.Pattern[str], Callable[[Mapping[str, str | None]], str | None]]

CONSTITUTION = "/akn/in/act/1949/constitution"
CIVIL_PROCEDURE = "/akn/in/act/1908/5"
_YEAR_ANCHOR = r"(?<![\d/.-])(?P<year_anchor>[\[(]?(?:1[89]|20)\d\d)(?=[\])]?[ :])"
_SERIES = (
    r"(?:S\.? ?C\.? ?C\.?|Supreme Court Cases)(?: ?\((?:Cri|L ?& ?S|Civ|Supp|Tax)\.?\))?|S\.? ?C\.? ?R\.?|SCALE|Scale"
    r"|Cri\.? ?L\.? ?J\.?|Crl?\.? ?L\.? ?J\.?|Lab\.? ?I\.?C\.?|[A-Z][A-Za-z]{0,3}\.? ?CR"
    r"|I\.?L\.?R\.?|I\.?T\.?R\.?|E\.?L\.?T\.?|L\.?L\.?J\.?|M\.?L\.?J\.?|K\.?L\.?T\.?|G\.?L\.?R\.?"
    r"|D\.?L\.?T\.?|C\.?L\.?T\.?|Comp\.? ?Cas\.?|R\.?C\.?R\.?|A\.?C\.?C\.?|S\.?L\.?[TR]\.?|A\.?W\.?C\.?"
)
_REPORT = re.compile(
    rf"[\[(]?(?P<year>\d{{4}})[\])]?,? ?(?P<supp>Supp\.?(?:l\.?)? ?)?(?:\(?(?P<volume>\d{{1,3}})\)? )?"
    rf"(?P<series>{_SERIES})(?: \(?(?P<part>\d)\)?(?= \d))? (?P<page>\d{{1,5}})\b"
)
_ONLINE = re.compile(r"(?P<year>\d{4}) SCC On[Ll]ine (?P<court>[A-Z][A-Za-z&]{1,5}) (?P<page>\d{1,6})\b")
_AIR = re.compile(
    r"A\.? ?I\.? ?R\.?,? ?[\[(]?(?P<year>\d{4})[\])]?,? \(?(?P<court>S\.? ?C\.?|P\.? ?C\.?|F\.? ?C\.?"
    r"|P ?& ?H|A\.?P\.?|M\.?P\.?|H\.?P\.?|J ?& ?K|[A-Z][a-z]{2,9})\.?\)?,? (?P<page>\d{1,5})\b"
)
_ORDER = re.compile(
    r"O(?:rder|\.) ?(?P<order>[IVXL]{1,7}|\d{1,2}),? ?(?:(?P<rules>[Rr]ules|[Rr]r\.)|[Rr]ule"
    r"|[Rr]\.) ?(?P<rule>\d{1,3}[A-Z]?)(?P<pins>(?:\(\w{1,4}\))*)"
)


def scanner(country: Country) -> Scanner:
    """Return the scanner of `country`, with the names in its data."""
    data = country.section("citations")
    acts = NamedActs(
        country.code, names(country), articles_of=CONSTITUTION, orders_of=CIVIL_PROCEDURE, states=tuple(data["states"])
    )
    words = ("AIR", "A.I.R", "A. I. R", "Order ", "O. ", "O.")
    patterns = Patterns(acts, words=words, anchors=(_YEAR_ANCHOR,))
    series = {**data["reports"]["volume"], **data["reports"]["year_first"]}
    neutral = [(re.compile(form.pattern), form.uri) for form in numbered_works(country)]
    return functools.partial(scan, acts, patterns, functools.partial(_own, series, neutral))


def _own(
    series: Mapping[str, str], neutral: Sequence[Form], reader: Reader, anchor: re.Match[str]
) -> tuple[list[Mention], int] | None:
    """Read reports of cases, and rules of Orders."""
    text, start = reader.text, anchor.start()
    if anchor.lastgroup == "year_anchor":
        if text[start] in "[(" and text[start + 5 : start + 6] not in (")", "]"):
            start += 1
        for pattern, uri in neutral:
            if match := pattern.match(text, start):
                return reader.mention(*match.span(), known(uri(match.groupdict())), "case")
        found = _case(text, start, series)
        if found is None:
            return [], anchor.end()
        match, *parts = found
    elif air := _AIR.match(text, start):
        match, parts = air, ["air", air["year"], air["court"].replace(".", "").replace(" ", ""), air["page"]]
    else:
        order = _ORDER.match(text, start)
        return reader.order(order) if order is not None else None
    return reader.mention(*match.span(), known(report_uri("in", *parts)), "case")


def _case(text: str, start: int, known_series: Mapping[str, str]) -> tuple[re.Match[str], *tuple[str, ...]] | None:
    """Read a case citation that begins with a year: the match, and the parts of the URI of the case."""
    if match := _ONLINE.match(text, start):
        return match, "scc-online", match["year"], match["court"], match["page"]
    match = _REPORT.match(text, start)
    if match is None:
        return None
    series = re.sub(r"[. ]|\(.*\)", "", match["series"])
    name = known_series.get(series) or slug(match["series"])
    bracket = re.search(r"\((.*)\)", match["series"])
    if bracket:
        name = f"{name}-{slug(bracket.group(1))}"
    volume = match["volume"] or ""
    if match["supp"]:
        volume = f"supp-{volume}".rstrip("-")
    return match, name, match["year"], volume, match["part"] or "", match["page"]

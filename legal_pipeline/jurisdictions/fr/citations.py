"""French citations: `article L. 423-4 du code de la justice pénale des mineurs`, lists, `loi n° 2019-222`, `le présent code`.

Not here: EU acts (`eu.member_states`), names (`jurisdiction.toml`), case law.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from legal_pipeline.citations.country import Country, Grammar
from legal_pipeline.citations.model import Citation, CitingDocument, Kind
from legal_pipeline.citations.works import alternation, names
from legal_pipeline.jurisdictions.eu import member_states
from legal_pipeline.model.slug import slug

_NUMBER = r"(?:(?:L(?:O|P)?|R|D|A)\*?\.? ?)?\d{1,4}(?:-\d{1,4}){0,4}(?: (?:bis|ter|quater|quinquies))?(?![\w])"
_ARTICLES = rf"[Aa]rt(?:icles?|s?\.) (?P<numbers>{_NUMBER}(?:(?:, ?| et | ou | à ){_NUMBER})*)"
_ACT = (
    r"(?P<act>\b(?P<kind>[Ll]oi(?: organique| constitutionnelle)?|[Dd]écret|[Oo]rdonnance|[Aa]rrêté)"
    r" n° ?(?P<number>\d{2,4}-\d{1,5})(?: du \d{1,2}(?:er)? \w+ \d{4})?)"
)
_OWN = r"(?P<own>\b(?:du |le |au |Le )?(?P<own_name>présent code|présente loi|présente ordonnance|présent décret))"
_PIECE = re.compile(_NUMBER)
_HEADING_END = re.compile(r"\s*$|\n|\. ?[-–—]", re.MULTILINE)
_SPACES = re.compile(r"[ .*]")


def grammar(country: Country) -> Grammar:
    """Finds the citations of a text, in order, with the names in the data of `country`."""
    return functools.partial(_find, _compile(country))


@dataclass(frozen=True, slots=True)
class _Known:
    """What finds citations, what stands behind an article, and the URIs of works and of codes by their names."""

    main: re.Pattern[str]
    law: re.Pattern[str]
    works: Mapping[str, str]
    codes: Mapping[str, str]

    def code_uri(self, name: str) -> str:
        plain = name.replace("’", "'")
        return self.codes.get(plain) or f"/akn/fr/act/code/{slug(plain)}"


def _find(known: _Known, text: str, document: CitingDocument | None) -> Iterator[Citation]:
    position = 0
    while match := known.main.search(text, position):
        position = match.end()
        if match["numbers"]:
            start = match.start()
            if (start == 0 or text[start - 1] == "\n") and _HEADING_END.match(text, position):
                continue  # the heading of the article itself
            found, position = _articles(text, match, known, document)
            yield from found
        elif match["act"]:
            yield _cite(text, match.start(), match.end(), _act_uri(match), None, "act")
        elif match["own_name"]:
            if document is not None and document.work_uri:
                yield _cite(text, match.start("own_name"), match.end(), document.work_uri, None, "act")
        elif match["code"]:
            yield _cite(text, match.start(), match.end(), known.code_uri(match["code"]), None, "act")
        else:
            yield from member_states.citations(match, text)


def _articles(
    text: str, match: re.Match[str], known: _Known, document: CitingDocument | None
) -> tuple[list[Citation], int]:
    start, end = match.span()
    behind = known.law.match(text, end)
    own = document.work_uri if document is not None and not document.is_judgment else None
    work: str | None = own
    if behind is not None:
        end = end if behind["unknown"] else behind.end()
        if behind["code"]:
            work = known.code_uri(behind["code"])
        elif behind["named"]:
            work = known.works[behind["named"]]
        elif behind["number"]:
            work = _act_uri(behind)
        elif not behind["own_name"]:
            work = None
    pieces = list(_PIECE.finditer(match["numbers"]))
    out = []
    for index, piece in enumerate(pieces):
        low = start if index == 0 else match.start("numbers") + piece.start()
        high = end if index == len(pieces) - 1 else match.start("numbers") + piece.end()
        eid = f"art_{slug(_SPACES.sub('', piece.group()))}"
        work_here = work
        if document is not None and work is not None and work == document.work_uri:
            named = document.resolve(eid, document.provision_at(start))
            if behind is None and document.lacks(named):
                work_here = None  # "l'article 137-3 précité": of a text named earlier
            else:
                eid = named
        out.append(_cite(text, low, high, work_here, eid, "provision"))
    return out, end


def _cite(text: str, start: int, end: int, work: str | None, eid: str | None, kind: Kind) -> Citation:
    return Citation(start, end, text[start:end], work, eid, kind)


def _act_uri(match: re.Match[str]) -> str:
    year, _, number = match["number"].partition("-")
    year = f"19{year}" if len(year) == 2 else year
    return f"/akn/fr/act/{slug(match['kind'].split()[0])}/{year}/{number}"


def _compile(country: Country) -> _Known:
    works = names(country)
    codes = alternation(
        form for name in country.section("citations")["codes"] for form in (name, name.replace("'", "’"))
    )
    code = rf"(?P<code>(?:{codes})\b)"
    named = rf"(?P<named>{alternation(works)})\b"
    # EU acts before articles: "article 6 du règlement (UE) 2016/679" belongs to them.
    main = rf"\b{member_states.pattern('fra')}|\b{_ARTICLES}|{_ACT}|{_OWN}|\b{code}"
    law = (
        rf"(?: et suivants)?,? (?:du |de la |de l['’]|des |dudit |de ce )(?:{code}|{named}|{_LAW_ACT}"
        r"|(?P<own_name>présent code|présente loi|présente ordonnance|présent décret)|(?P<earlier>même (?:code"
        r"|loi|ordonnance|décret))|(?=(?P<unknown>\w)))"
    )
    return _Known(re.compile(main), re.compile(law), works, names(country, "code"))


_LAW_ACT = _ACT.replace("(?P<act>", "(?:").replace(r"\b", "")

"""French citations: `article L. 423-4 du code de la justice pénale des mineurs`, lists, `loi n° 2019-222`, `le présent code`.

Not here: EU acts (`eu.member_states`), names (`jurisdiction.toml`), case law.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from legal_pipeline.citations.country import Country, Scanner
from legal_pipeline.citations.mention import OWN, UNKNOWN, UNSAID, Mention, Target, Work, known, mention_of, mentions_of
from legal_pipeline.citations.works import alternation, names
from legal_pipeline.jurisdictions.eu import member_states
from legal_pipeline.model.slug import slug

_NUMBER = r"(?:(?:L(?:O|P)?|R|D|A)\*?\.? ?)?\d{1,4}(?:-\d{1,4}){0,4}(?: (?:bis|ter|quater|quinquies))?(?![\w])"
_ARTICLES = rf"[Aa]rt(?:icles?|s?\.) (?P<numbers>{_NUMBER}(?:(?:, ?| et | ou | à ){_NUMBER})*)"
_ACT = (
    r"(?P<act>\b(?P<kind>[Ll]oi(?: organique| constitutionnelle)?|[Dd]écret|[Oo]rdonnance|[Aa]rrêté)"
    r" n° ?(?P<number>\d{2,4}-\d{1,5})(?: du \d{1,2}(?:er)? \w+ \d{4})?)"
)
_OWN_NAME = r"(?P<own_name>présent code|présente loi|présente ordonnance|présent décret)"
_OWN = rf"(?P<own>\b(?:du |le |au |Le )?{_OWN_NAME})"
_PIECE = re.compile(_NUMBER)
_HEADING_END = re.compile(r"\s*$|\n|\. ?[-–—]", re.MULTILINE)
_SPACES = re.compile(r"[ .*]")


def scanner(country: Country) -> Scanner:
    """Return the scanner of `country`, with the names in its data."""
    return functools.partial(_find, _compile(country))


@dataclass(frozen=True, slots=True)
class _Patterns:
    """`main` finds citations, `law` matches the Act after an article; `works` and `codes` map names to URIs."""

    main: re.Pattern[str]
    law: re.Pattern[str]
    works: Mapping[str, str]
    codes: Mapping[str, str]

    def code(self, name: str) -> Work:
        plain = name.replace("’", "'")
        return known(self.codes.get(plain) or f"/akn/fr/act/code/{slug(plain)}")


def _find(patterns: _Patterns, text: str) -> Iterator[Mention]:
    position = 0
    while match := patterns.main.search(text, position):
        start, position = match.span()
        if match["numbers"]:
            if (start == 0 or text[start - 1] == "\n") and _HEADING_END.match(text, position):
                continue  # the heading of the article itself
            found, position = _articles(text, match, patterns)
            yield from found
        elif match["act"]:
            yield mention_of(text, start, position, _act(match), "act", names=_kinds(match))
        elif match["own_name"]:
            yield mention_of(text, match.start("own_name"), position, OWN, "act")
        elif match["code"]:
            yield mention_of(text, start, position, patterns.code(match["code"]), "act", names=_kinds(match))
        else:
            yield from member_states.mentions(match, text)


def _articles(text: str, match: re.Match[str], patterns: _Patterns) -> tuple[list[Mention], int]:
    """Return the articles of a list, of the Act after it, and where the expression ends."""
    start, end = match.span()
    behind = patterns.law.match(text, end)
    # "l'article 137-3 précité" is of a text named earlier if the citing text has no such article
    work = UNSAID
    if behind is not None:
        end = end if behind["unknown"] else behind.end()
        if behind["code"]:
            work = patterns.code(behind["code"])
        elif behind["named"]:
            work = known(patterns.works[behind["named"]])
        elif behind["number"]:
            work = _act(behind)
        elif behind["earlier"]:
            work = Work("short", name=behind["earlier"])
        else:
            work = OWN if behind["own_name"] else UNKNOWN
    offset = match.start("numbers")
    targets = [
        Target(offset + piece.start(), offset + piece.end(), [f"art_{slug(_SPACES.sub('', piece.group()))}"])
        for piece in _PIECE.finditer(match["numbers"])
    ]
    targets[0].start, targets[-1].end = start, end
    return mentions_of(text, targets, work, names=_kinds(behind) if behind is not None else ()), end


def _kinds(named: re.Match[str]) -> tuple[str, ...]:
    """Return the noun by which the text later names the work: "le même code"."""
    words = named["kind"] or ("code" if named["code"] else "")
    return (words.split()[0].lower(),) if words else ()


def _act(match: re.Match[str]) -> Work:
    year, _, number = match["number"].partition("-")
    year = f"19{year}" if len(year) == 2 else year
    return known(f"/akn/fr/act/{slug(match['kind'].split()[0])}/{year}/{number}")


def _compile(country: Country) -> _Patterns:
    works = names(country)
    codes = alternation(
        form for name in country.section("citations")["codes"] for form in (name, name.replace("'", "’"))
    )
    code = rf"(?P<code>(?:{codes})\b)"
    named = rf"(?P<named>{alternation(works)})\b"
    # EU acts before articles: "article 6 du règlement (UE) 2016/679" belongs to them.
    main = rf"\b{member_states.pattern('fra')}|\b{_ARTICLES}|{_ACT}|{_OWN}|\b{code}"
    law = (
        rf"(?: et suivants)?,? (?:du |de la |de l['’]|des |dudit |de ce |de )(?:{code}|{named}|{_LAW_ACT}"
        rf"|{_OWN_NAME}|(?:même |cette |ce |cette même |ce même |ladite |dit |la dite )?(?P<earlier>code|loi|ordonnance|décret|arrêté)"
        rf"(?! (?:d|n°|sur|relati|portant|\w+al|organique|constitutionnel|général|rural|électoral|monétaire|pénitentiaire))"
        r"|(?=(?P<unknown>\w)))"
    )
    return _Patterns(re.compile(main), re.compile(law), works, names(country, "code"))


_LAW_ACT = _ACT.replace("(?P<act>", "(?:").replace(r"\b", "")

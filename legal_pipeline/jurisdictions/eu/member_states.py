"""Acts and cases of the European Union as member states cite them: "artikel 6.1 i förordning (EU) 2016/679", "mål C-131/12".

One grammar, its words per language in `jurisdiction.toml`. Not here: the states' own law.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Mapping
from typing import Any

from legal_pipeline.citations.acts_in_data import any_of
from legal_pipeline.citations.mention import Mention, Work, known, mention_of
from legal_pipeline.citations.provisions import expand
from legal_pipeline.citations.works import names
from legal_pipeline.jurisdictions.jurisdiction import jurisdiction

_ARTICLE = re.compile(r"(\d{1,3}[a-z]?)(?:\.(\d{1,2}))?(?:\(?(\d{1,2})\))?(?: ?([a-z])$)?")
_RANGE = re.compile(r"\s?[–-]\s?")
#: Regulations are numbered year/number since 2015, number/year before; directives always year/number.
_YEAR_FIRST_SINCE = 2015
CASE = r"\b[CTF][-‑]\d{1,3}/\d{2}(?: P)?\b"


@functools.cache
def pattern(language: str) -> str:
    """Return the grammar of a language; group names begin with `eu_`, so that it can be a branch of a larger pattern."""
    words = _data()[language]
    again = rf"(?:{any_of(_data()['demonstratives'])} )?(?P<eu_again>{any_of(_kinds())})(?!\w| ?[(\d])"
    numbers = r"\d{1,3}[a-z]?(?:\.\d{1,2})?(?:\(\d{1,2}\))?(?:\s?[–-]\s?\d{1,3}[a-z]?)?"
    articles = rf"{numbers}(?:(?:, | (?:{words['list']}) ){numbers})*"
    lettered = rf"{numbers}(?:(?!{words['joins']}) ?[a-z](?!\w))?"
    return (
        rf"{words['article']} (?P<eu_articles_named>{lettered}(?:(?:, | (?:{words['list']}) ){lettered})*)"
        rf"(?:{words['joins']}| )(?P<eu_named>{any_of(_works())})(?!\w)"
        rf"|{words['article']} (?P<eu_articles_again>{articles})(?:{words['joins']}| de ){again}"
        rf"|(?:{words['article']} (?P<eu_articles>{articles}){words['joins']})?"
        rf"{words['institutions']}"
        rf"(?:(?P<eu_regulation>{words['regulation']})|(?P<eu_directive>{words['directive']})|(?P<eu_decision>{words['decision']}))"
        r" (?:\((?:EU|EG|EEG|CE|CEE|UE|EC|EEC|EWG|Euratom)(?:, Euratom)?\) )?(?P<eu_sign>(?:nr|n°|no\.?|No\.?|Nr\.) )?"
        r"(?P<eu_one>\d{1,4})/(?P<eu_two>\d{1,4})(?:/(?:EU|EG|EEG|CE|CEE|UE|EC|EEC|EWG|RIF|JHA|JAI)\b)?(?![\d/])"
    )


def _data() -> Mapping[str, Any]:
    return jurisdiction("eu").section("citations")


@functools.cache
def _works() -> Mapping[str, str]:
    """Name of a treaty, a convention or an act -> its URI."""
    return {**names(jurisdiction("eu")), **names(jurisdiction("eu"), "behind_provision")}


@functools.cache
def _kinds() -> Mapping[str, str]:
    """Noun -> the kind of act: `direktivet` -> `directive`."""
    return {word: kind for kind, row in _data()["nouns"].items() for word in row["words"]}


def starts(language: str) -> list[str]:
    """Return the possible beginnings of a match of `pattern`."""
    return list(_data()[language]["starts"])


def mentions(match: re.Match[str], text: str) -> Iterator[Mention]:
    """Yield the mentions in a match of `pattern`."""
    start, end = match.span()
    group = "eu_articles_again" if match["eu_again"] else "eu_articles_named" if match["eu_named"] else "eu_articles"
    articles = match[group]
    more: dict[str, Any] = {"must_exist": True}
    if match["eu_named"]:
        work = known(_works()[match["eu_named"]])
    elif match["eu_again"]:
        work = Work("short", name=_kinds()[match["eu_again"]])
    else:
        work = known(act_uri({name.removeprefix("eu_"): value for name, value in match.groupdict().items()}))
        more = {"names": tuple(kind for kind in ("regulation", "directive", "decision") if match[f"eu_{kind}"])}
    if not articles:
        yield mention_of(text, start, end, work, "act", **more)
        return
    found = [
        piece
        for piece in re.finditer(r"[^\s,]+(?:\s?[–-]\s?\d+[a-z]?| [a-z]\b)?", articles)
        if piece.group()[0].isdigit()
    ]
    for index, piece in enumerate(found):
        low = start if index == 0 else match.start(group) + piece.start()
        high = end if index == len(found) - 1 else match.start(group) + piece.end()
        yield mention_of(text, low, high, work, "provision", _eids(piece.group()), **more)


def case_uri(number: str) -> str:
    return f"/akn/eu/judgment/cjeu/{number.removesuffix(' P').replace('/', '-').replace('‑', '-').lower()}"


def _eids(piece: str) -> list[str]:
    first, *rest = _RANGE.split(piece)
    if rest:
        return [f"art_{number}" for number in expand(first, rest[0])]
    parsed = _ARTICLE.match(first)
    assert parsed is not None
    article, point, bracket, letter = parsed.groups()
    paragraph = point or bracket
    levels = (f"art_{article}", paragraph and f"subsec_{paragraph}", letter and f"item_{letter}")
    return ["__".join(level for level in levels if level)]


def act_uri(groups: Mapping[str, str | None]) -> str:
    """Return the URI of an act by its kind (`regulation`, `directive`, `recommendation`, else a decision), its two numbers (`one`, `two`)
    and the `sign` before them ("No"), None or empty if there is none."""
    one, two = groups["one"] or "", groups["two"] or ""
    if groups["regulation"]:
        may_be_year = len(two) in (2, 4) and 1950 <= int(_century(two)) < 2100
        # Older regulations have their number first, and a number with its sign is before the year, unless the second cannot be a year:
        # "(EU) nr 2016/425" and "2011/305/EU" are errors in a text.
        year_first = len(one) == 4 and (_YEAR_FIRST_SINCE if may_be_year else 1950) <= int(one) < 2100
        old = not year_first or (bool(groups["sign"]) and may_be_year)
        year, number, kind = (two, one, "regulation") if old else (one, two, "regulation")
    else:
        kinds = (kind for kind in ("directive", "recommendation") if groups.get(kind))
        year, number, kind = one, two, next(kinds, "decision")
    return f"/akn/eu/act/{kind}/{_century(year)}/{int(number)}"


def _century(year: str) -> str:
    return f"19{year}" if len(year) == 2 else year

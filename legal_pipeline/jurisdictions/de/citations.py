"""German citations: `§ 433 Abs. 1 Satz 2 Nr. 3 BGB`, `§§ 280, 281 BGB`, `Art. 3 Abs. 1 GG`, the reports of the high courts.

Not here: EU acts (`eu.member_states`), names of Acts (`jurisdiction.toml`).
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from legal_pipeline.citations.country import Country, Scanner
from legal_pipeline.citations.mention import OWN, UNKNOWN, Mention, Target, known, mention_of, mentions_of
from legal_pipeline.citations.provisions import expand, segment
from legal_pipeline.citations.works import alternation, names
from legal_pipeline.jurisdictions.eu import member_states

_NUMBER = r"\d{1,4}(?: ?[a-z](?![^\W_]))?"
_ROMAN = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X")
_DETAIL = (
    rf"(?: (?:Abs\.|Absatz|Absätze) ?(?P<subsection>{_NUMBER})| (?P<roman>I{{1,3}}|I?V|VI{{1,3}}|I?X)\b(?![.:]))?"
    rf"(?: (?:UAbs\.|Unterabs\.|Unterabsatz) ?\d)?(?: (?:Satz|S\.) ?\d{{1,2}})?"
    rf"(?: (?:Nr\.|Nrn\.|Nummer|Ziff\.) ?(?P<item>{_NUMBER}))?(?: (?:lit\.|Buchst\."
    r"|Buchstabe) ?(?P<letter>[a-z]))?(?: (?:Halbs\.|HS|Alt\.) ?\d)?"
)
#: "§§ 812 ff.": and those that follow.
_FOLLOWING = r"(?: ff?\.)?"
_CONTRACT = re.compile(
    r" (?:des|der|dieses|dieser) [A-ZÄÖÜ]?[a-zäöüß-]*"
    r"(?:[Vv]ertrag(?:e?s)?|[Ss]atzung|[Vv]ereinbarung|[Gg]eschäftsbedingungen|AGB)\b"
)
_UNIT = rf"(?:(?P<sign>§§?|Art\.?|Artikels?) ?)(?P<number>{_NUMBER})(?:(?: ?[–-] ?| bis )(?P<last>{_NUMBER}))?{_FOLLOWING}{_DETAIL}"
_NEXT = re.compile(
    r"(?:, | und | oder | sowie | i\. ?V\. ?m\. | in Verbindung mit )(?:(?P<sign>§§?"
    rf"|Art\.) ?)?(?P<number>{_NUMBER})(?:(?: ?[–-] ?| bis )(?P<last>{_NUMBER}))?(?![\w.]*\d){_FOLLOWING}{_DETAIL}"
)
_OWN = r"(?:dieses Gesetz(?:es)?|dieser Verordnung|diesem Gesetz)\b"
_REPORT = (
    r"\b(?P<report>BGHZ|BGHSt|BVerfGE|BVerwGE|BAGE|BSGE|BFHE"
    r"|RGZ) (?P<volume>\d{1,3}), (?P<page>\d{1,4})(?:, \d{1,4})?(?: f{1,2}\.)?"
)
_DOCKET = r"\b(?P<docket>(?:[IVX]{1,4}|\d{1,2}) (?:ZR|ZB|StR|AZR|ABR|BvR|BvL|BvF|C|B|R) \d{1,5}/\d{2})\b"


def scanner(country: Country) -> Scanner:
    """Finds what a text cites, in order, with the names in the data of `country`."""
    return functools.partial(_find, _compile(names(country)))


@dataclass(frozen=True, slots=True)
class _Patterns:
    """What finds citations, a provision with what is below it, the Act behind it, and the URIs of Acts by their names."""

    main: re.Pattern[str]
    unit: re.Pattern[str]
    law: re.Pattern[str]
    works: Mapping[str, str]


def _find(patterns: _Patterns, text: str) -> Iterator[Mention]:
    position = 0
    while match := patterns.main.search(text, position):
        start, position = match.span()
        if match["unit"]:
            head = patterns.unit.match(text, start)
            if head is None or _is_heading(text, head, patterns) or _CONTRACT.match(text, head.end()):
                continue
            found, position = _expression(text, head, patterns)
            yield from found
        elif match["own"]:
            yield mention_of(text, start, position, OWN, "act")
        elif match["report"]:
            uri = f"/akn/de/judgment/{match['report'].lower()}/{match['volume']}/{match['page']}"
            yield mention_of(text, start, position, known(uri), "case")
        elif match["docket"]:
            yield mention_of(text, start, position, UNKNOWN, "case")
        else:
            yield from member_states.mentions(match, text)


def _is_heading(text: str, head: re.Match[str], patterns: _Patterns) -> bool:
    """Whether a line begins with the number of the provision itself, with nothing below it and no Act behind it."""
    begins = head.start() == 0 or text[head.start() - 1] == "\n"
    return begins and not head["subsection"] and not patterns.law.match(text, head.end())


def _expression(text: str, head: re.Match[str], patterns: _Patterns) -> tuple[list[Mention], int]:
    """The provisions of the expression that `head` begins, and where it ends. A bare § is of the Act that it stands in."""
    targets, sign = [Target(*head.span(), list(_eids(head["sign"], head)))], head["sign"]
    while (following := _NEXT.match(text, targets[-1].end)) and (following["sign"] or sign == "§§"):
        sign = following["sign"] or sign
        begin = following.start("sign" if following["sign"] else "number")
        targets.append(Target(begin, following.end(), list(_eids(sign, following))))
    work = OWN
    if law := patterns.law.match(text, targets[-1].end):
        targets[-1].end = law.end()
        work = known(patterns.works[law["named"]]) if law["named"] else OWN if law["law_own"] else UNKNOWN
    return mentions_of(text, targets, work), targets[-1].end


def _eids(sign: str, match: re.Match[str]) -> Iterator[str]:
    kind = "sec" if sign.startswith("§") else "art"
    levels = (("subsec", "subsection"), ("item", "item"), ("item", "letter"))
    below = [segment(level, match[group]) for level, group in levels if match[group]]
    if match["roman"]:  # "§ 433 II BGB" is short for Abs. 2
        below.insert(0, f"subsec_{_ROMAN.index(match['roman']) + 1}")
    for number in expand(match["number"], match["last"]) if match["last"] else [match["number"]]:
        yield "__".join((segment(kind, number), *below))


def _compile(works: Mapping[str, str]) -> _Patterns:
    main = (
        rf"\b{member_states.pattern('deu')}|(?P<unit>(?:§§?|\bArt(?:\.|ikels?)?) ?\d)|(?P<own>\b{_OWN})"
        rf"|{_REPORT}|{_DOCKET}"
    )
    law = (
        r" (?:des |der |dem )?"
        rf"(?:(?P<named>{alternation(works)})(?!\w)|(?P<law_own>{_OWN})"
        r"|(?P<unknown>[A-ZÄÖÜ][A-Za-zÄÖÜäöü]*(?:G|O|GB|V)\b|[A-ZÄÖÜ]\w+(?:gesetz(?:es|buchs?)?|ordnung|verordnung)\b))"
    )
    return _Patterns(re.compile(main), re.compile(_UNIT), re.compile(law), works)

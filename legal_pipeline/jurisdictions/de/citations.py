"""German citations: `§ 433 Abs. 1 Satz 2 Nr. 3 BGB`, `§§ 280, 281 BGB`, `Art. 3 Abs. 1 GG`, the reports of the high courts.

Not here: EU acts (`eu.member_states`), names of Acts (`jurisdiction.toml`).
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from legal_pipeline.citations.country import Country, Grammar
from legal_pipeline.citations.model import Citation, CitingDocument, Kind
from legal_pipeline.citations.provisions import expand, join, segment
from legal_pipeline.citations.works import alternation, names
from legal_pipeline.jurisdictions.eu import member_states

_NUMBER = r"\d{1,4}(?: ?[a-z](?![^\W_]))?"
_DETAIL = (
    rf"(?: (?:Abs\.|Absatz|Absätze) ?(?P<subsection>{_NUMBER}))?(?: (?:Satz|S\.) ?\d{{1,2}})?"
    rf"(?: (?:Nr\.|Nrn\.|Nummer|Ziff\.) ?(?P<item>{_NUMBER}))?(?: (?:lit\.|Buchst\."
    r"|Buchstabe) ?(?P<letter>[a-z]))?(?: (?:Halbs\.|HS|Alt\.) ?\d)?"
)
_UNIT = rf"(?:(?P<sign>§§?|Art\.|Artikels?) ?)(?P<number>{_NUMBER})(?: ?[–-] ?(?P<last>{_NUMBER}))?{_DETAIL}"
_NEXT = re.compile(
    r"(?:, | und | oder | sowie | i\. ?V\. ?m\. | in Verbindung mit )(?:(?P<sign>§§?"
    rf"|Art\.) ?)?(?P<number>{_NUMBER})(?: ?[–-] ?(?P<last>{_NUMBER}))?(?![\w.]*\d){_DETAIL}"
)
_OWN = r"(?:dieses Gesetz(?:es)?|dieser Verordnung|diesem Gesetz)\b"
_REPORT = (
    r"\b(?P<report>BGHZ|BGHSt|BVerfGE|BVerwGE|BAGE|BSGE|BFHE"
    r"|RGZ) (?P<volume>\d{1,3}), (?P<page>\d{1,4})(?:, \d{1,4})?(?: f{1,2}\.)?"
)
_DOCKET = r"\b(?P<docket>(?:[IVX]{1,4}|\d{1,2}) (?:ZR|ZB|StR|AZR|ABR|BvR|BvL|BvF|C|B|R) \d{1,5}/\d{2})\b"


def grammar(country: Country) -> Grammar:
    """Finds the citations of a text, in order, with the names in the data of `country`."""
    return functools.partial(_find, _compile(names(country)))


@dataclass(frozen=True, slots=True)
class _Known:
    """What finds citations, a provision with what is below it, the Act behind it, and the URIs of Acts by their names."""

    main: re.Pattern[str]
    unit: re.Pattern[str]
    law: re.Pattern[str]
    works: Mapping[str, str]


def _find(known: _Known, text: str, document: CitingDocument | None) -> Iterator[Citation]:
    position = 0
    while match := known.main.search(text, position):
        position = match.end()
        start = match.start()
        if match["unit"]:
            head = known.unit.match(text, start)
            if head is None or ((start == 0 or text[start - 1] == "\n") and not known.law.match(text, head.end())):
                continue
            found, position = _expression(text, head, known, document)
            yield from found
        elif match["own"]:
            if document is not None and document.work_uri:
                yield _cite(text, start, position, document.work_uri, None, "act")
        elif match["report"]:
            uri = f"/akn/de/judgment/{match['report'].lower()}/{match['volume']}/{match['page']}"
            yield _cite(text, start, position, uri, None, "case")
        elif match["docket"]:
            yield _cite(text, start, position, None, None, "case")
        else:
            yield from member_states.citations(match, text)


def _expression(
    text: str, head: re.Match[str], known: _Known, document: CitingDocument | None
) -> tuple[list[Citation], int]:
    units: list[tuple[int, re.Match[str], str]] = [(head.start(), head, head["sign"])]
    position = head.end()
    while following := _NEXT.match(text, position):
        if following["sign"] is None and units[-1][2] != "§§":
            break
        begin = following.start("sign") if following["sign"] else following.start("number")
        units.append((begin, following, following["sign"] or units[-1][2]))
        position = following.end()
    named = known.law.match(text, position)
    own = document.work_uri if document is not None and not document.is_judgment else None
    work: str | None = own
    if named is not None:
        position = named.end()
        work = known.works[named["named"]] if named["named"] else own if named["law_own"] else None
    out = []
    for index, (begin, match, sign) in enumerate(units):
        end = position if index == len(units) - 1 else match.end()
        kind = "sec" if sign.startswith("§") else "art"
        numbers = expand(match["number"], match["last"]) if match["last"] else [match["number"]]
        for number in numbers:
            eid = join(
                segment(kind, number),
                segment("subsec", match["subsection"]) if match["subsection"] else None,
                segment("item", match["item"]) if match["item"] else None,
                segment("item", match["letter"]) if match["letter"] else None,
            )
            assert eid is not None
            if document is not None and work is not None and work == document.work_uri:
                eid = document.resolve(eid, document.provision_at(begin))
            out.append(_cite(text, begin, end, work, eid, "provision"))
    return out, position


def _cite(text: str, start: int, end: int, work: str | None, eid: str | None, kind: Kind) -> Citation:
    return Citation(start, end, text[start:end], work, eid, kind)


def _compile(works: Mapping[str, str]) -> _Known:
    main = (
        rf"\b{member_states.pattern('deu')}|(?P<unit>(?:§§?|\bArt(?:\.|ikels?)) ?\d)|(?P<own>\b{_OWN})"
        rf"|{_REPORT}|{_DOCKET}"
    )
    law = (
        r" (?:des |der |dem )?"
        rf"(?:(?P<named>{alternation(works)})(?!\w)|(?P<law_own>{_OWN})"
        r"|(?P<unknown>[A-ZÄÖÜ][A-Za-zÄÖÜäöü]*(?:G|O|GB|V)\b|[A-ZÄÖÜ]\w+(?:gesetz(?:es|buchs?)?|ordnung|verordnung)\b))"
    )
    return _Known(re.compile(main), re.compile(_UNIT), re.compile(law), works)

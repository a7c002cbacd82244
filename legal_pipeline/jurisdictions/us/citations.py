"""United States citations: CFR and U.S.C. with their paragraphs, the INA by either numbering, Federal Register and statutes, rules,
I&N decisions, "Id." and "paragraph (h)(3) of this section"; other reporters through `reporters`.

Not here: which reporters there are (eyecite knows).
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Mapping

from legal_pipeline.citations.common_law import report_uri
from legal_pipeline.citations.country import Country, Grammar
from legal_pipeline.citations.model import Citation, CitingDocument, Kind
from legal_pipeline.citations.provisions import bracketed, join, segment
from legal_pipeline.jurisdictions.us.reporters import CaseCitation, case_citations
from legal_pipeline.model.slug import slug

_PINS = r"(?:\(\w{1,5}\))*"
_CFR_NUMBER = r"\d{1,4}\.\d{1,5}[a-z]?(?:-\d{1,3})?"
_USC_NUMBER = r"\d{1,5}[a-z]{0,3}(?:-\d{1,3}[a-z]?)?"
_ANCHOR = re.compile(
    "|".join(
        (
            r"(?<![\w.])(?P<title>\d{1,2}) (?:(?P<cfr>C\.? ?F\.? ?R\.?)"
            r"|(?P<usc>U\.? ?S\.? ?C\.?(?: ?A\.?)?))(?=[ §])",
            r"(?<![\w.])(?P<volume>\d{1,3}) (?:(?P<fr>Fed\. ?Reg\.|F\.?R\.?)"
            r"|(?P<stat>Stat\.)) (?P<page>\d{1,6}(?:,\d{3})?)\b",
            r"(?<![\w.])(?P<in_volume>\d{1,2}) I\.? ?& ?N\.? ?Dec\.,? (?:(?P<in_at>at )(?=\d)"
            r"|(?:Interim Decision )?)(?P<in_page>\d{1,4})\b",
            r"(?P<public>\bPub(?:\.|lic) ?L(?:\.|aw) ?(?:No\. ?)?(?P<congress>\d{2,3})[-–](?P<law>\d{1,4}))\b",
            r"(?P<rule>\bFed\. ?R\. ?(?P<rules>Civ|Crim|Evid"
            r"|App)\.(?: ?P\.)? ?(?P<rule_number>\d{1,3}(?:\.\d)?)(?P<rule_pins>" + _PINS + r"))",
            r"(?P<dc>\bD\.C\. (?:Official )?Code,? § ?(?P<dc_number>\d{1,2}[A-Z]?-\d[\d.A-Z]*\d"
            r"|\d{1,2}-\d+)(?P<dc_pins>" + _PINS + r"))",
            r"(?P<ina>\bI\.?N\.?A\.?,? (?:§{1,2} ?|[Ss]ections? ?)?(?P<ina_number>\d{3}[A-Z]?)(?P<ina_pins>"
            + _PINS
            + r"))(?![\d.])",
            r"(?P<section>\b[Ss]ections? (?P<section_number>\d{1,4}[A-Z]?)(?P<section_pins>"
            + _PINS
            + r"))(?! ?\d|\.\d)",
            r"(?P<sign>§{1,2} ?(?P<sign_number>" + _CFR_NUMBER + r")(?P<sign_pins>" + _PINS + r"))",
            r"(?P<paragraph>\b(?:[Ss]ub)?(?:[Pp]aragraphs?|[Ss]ections?|[Cc]lauses?) "
            r"(?P<paragraph_pins>(?:\(\w{1,5}\))+)(?P<here> of this section)?)",
            r"(?P<here_only>\b[Tt]his section\b)",
            r"(?P<id>\b(?:Id|Ibid)\.(?:,? at (?P<id_page>\d{1,5}))?(?: § ?(?P<id_number>\d[\w.]*)(?P<id_pins>"
            + _PINS
            + r"))?)",
        )
    )
)
_CFR = re.compile(
    rf" ?(?:(?P<part_word>[Pp]arts?|[Pp]t\.) (?P<part>\d{{1,4}})\b(?!\.\d)|(?P<sign>§{{1,2}} ?"
    rf"|[Ss]ections? |[Ss]ec\. )?(?P<number>{_CFR_NUMBER})(?P<pins>{_PINS}))"
)
_USC = re.compile(
    rf",? ?(?P<sign>§{{1,2}} ?|[Ss]ections? |[Ss]ec\. )?(?P<number>{_USC_NUMBER})(?![\d.]\d)(?P<pins>{_PINS})"
)
_NEXT = r"(?:, and |, | and | or | & |; )(?:§{1,2} ?)?"
_NEXT_CFR = re.compile(rf"{_NEXT}(?P<number>{_CFR_NUMBER})(?P<pins>{_PINS})")
_NEXT_USC = re.compile(
    rf"{_NEXT}(?P<number>{_USC_NUMBER})(?P<pins>{_PINS})(?! ?(?:U\.?S|C\.?F|F\.|S\. ?Ct|Stat|Fed"
    r"|[A-Z]\w+))(?![\w.]*\d)"
)
_ACT = re.compile(
    r",? of (?:the )?(?:(?P<ina>Immigration and Nationality Act|I\.?N\.?A\.?\b|Immigration (?:and"
    r"|&) Nationality Act)|(?P<act>Act\b)|(?P<other>[A-Z][\w ,]{2,80}? (?:Act|Code)\b)"
    r"|(?P<title>title (?P<title_number>\d{1,2})(?:,? (?:of the )?United States Code)))"
)
_PARALLEL = re.compile(r"(?:, |; | \[)?(?:\d+(?:[-–]\d+)?, |\(\d{4}\)[,;]? )*")
#: "the Immigration and Nationality Act (the Act)" makes "the Act" the INA for the rest of the text.
_ACT_IS_INA = re.compile(
    r"Immigration (?:and|&) Nationality Act,?[^()]{0,40}\((?:the )?[\"“'‘]?(?:the )?(?:INA or )?(?:the"
    r" )?[\"“'‘]?Act\b"
)


#: A citation, a report whose antecedent is still to be found, or an "Id.".
_Found = Citation | CaseCitation | re.Match[str]


def grammar(country: Country) -> Grammar:
    """Finds the citations of a text, in order, with the sections of the INA in the data of `country`."""
    return functools.partial(_find, country.section("citations")["ina"])


def _find(sections_of_ina: Mapping[str, str], text: str, document: CitingDocument | None) -> Iterator[Citation]:
    reader = _Reader(text, document, sections_of_ina)
    own: list[_Found] = []
    position = 0
    while anchor := _ANCHOR.search(text, position):
        found, position = reader.read(anchor)
        own += found
    taken = [item.span() if isinstance(item, re.Match) else (item.start, item.end) for item in own]
    everything = sorted([*own, *case_citations(text, taken)], key=_start)
    yield from _with_antecedents(text, everything)


def _start(item: _Found) -> int:
    return item.start() if isinstance(item, re.Match) else item.start


def _with_antecedents(text: str, found: list[_Found]) -> Iterator[Citation]:
    """Gives short forms ("596 F.3d at 1121", "26 I&N Dec. at 889", "Id. at 1120") the work that they stand for."""
    full: dict[tuple[str, str], str] = {}
    last: Citation | None = None
    before = 0
    for item in found:
        if isinstance(item, CaseCitation):
            key = (item.reporter, item.volume)
            if item.short:
                work = full.get(key)
            else:
                work = full[key] = report_uri("us", item.reporter, item.volume, item.page)
            citation = Citation(item.start, item.end, text[item.start : item.end], work, None, "case")
        elif isinstance(item, Citation):
            citation = item
        else:
            if last is None:
                continue
            if item["id_number"] and last.eid and last.work_uri:
                eid = join(segment("sec", item["id_number"].rstrip(".")), *bracketed(item["id_pins"], by_depth=True))
                same = last.eid.split("__")[0] == (eid or "").split("__")[0]
                citation = Citation(
                    item.start(), item.end(), item.group(), last.work_uri if same else None, eid, "provision"
                )
            else:
                citation = Citation(item.start(), item.end(), item.group(), last.work_uri, last.eid, last.kind)
        # "518 U.S. 81, 98, 116 S. Ct. 2035": one case in two reports; "Id." means it by its first.
        parallel = (
            last is not None
            and citation.kind == "case" == last.kind
            and _PARALLEL.fullmatch(text, before, citation.start)
        )
        last = last if parallel else citation
        before = citation.end
        yield citation


class _Reader:
    """Reads on from where a citation begins."""

    def __init__(self, text: str, document: CitingDocument | None, sections_of_ina: Mapping[str, str]) -> None:
        self.text = text
        self.sections_of_ina = sections_of_ina
        self.document = document
        self.act_is_ina = _ACT_IS_INA.search(text) is not None

    def cite(self, start: int, end: int, work: str | None, eid: str | None, kind: Kind) -> Citation:
        return Citation(start, end, self.text[start:end], work, eid, kind)

    def read(self, match: re.Match[str]) -> tuple[list[_Found], int]:
        start, end = match.span()
        line_start = not start or self.text[start - 1] == "\n"
        opens = line_start and (self.document is None or self.document.opens(start))
        if opens and (match["sign"] or match["section"]) and not _ACT.match(self.text, end):
            return [], end  # the heading of the section itself
        if match["cfr"] or match["usc"]:
            found, end = self.code(match)
            return list(found), end
        if match["fr"] or match["stat"]:
            kind = "fed-reg" if match["fr"] else "stat"
            uri = f"/akn/us/doc/{kind}/{match['volume']}/{match['page'].replace(',', '')}"
            return [self.cite(start, end, uri, None, "preparatory" if match["fr"] else "act")], end
        if match["in_volume"]:
            return [
                CaseCitation(start, end, "i-n-dec", match["in_volume"], match["in_page"], bool(match["in_at"]))
            ], end
        if match["public"]:
            return [self.cite(start, end, f"/akn/us/act/pl/{match['congress']}/{match['law']}", None, "act")], end
        if match["rule"]:
            work = f"/akn/us/act/{_RULES[match['rules']]}"
            eid = join(segment("rule", match["rule_number"]), *bracketed(match["rule_pins"], by_depth=True))
            return [self.cite(start, end, work, eid, "provision")], end
        if match["dc"]:
            number = match["dc_number"]
            eid = join(segment("sec", number), *bracketed(match["dc_pins"], by_depth=True))
            return [self.cite(start, end, f"/akn/us-dc/act/code/{slug(number)}", eid, "provision")], end
        if match["ina"]:
            return [self.cite(start, end, *self.ina(match["ina_number"], match["ina_pins"]), "provision")], end
        if match["section"]:
            return self.section(match)
        if match["id"]:
            return [match], end
        return self.relative(match), end

    def code(self, match: re.Match[str]) -> tuple[list[Citation], int]:
        """CFR and U.S.C., with lists behind `§§`."""
        title, is_cfr = match["title"], bool(match["cfr"])
        head = (_CFR if is_cfr else _USC).match(self.text, match.end())
        if head is None:
            return [], match.end()
        if is_cfr and head["part"]:
            return [self.cite(match.start(), head.end(), f"us/cfr/t{title}/p{head['part']}", None, "act")], head.end()
        make = self.cfr if is_cfr else self.usc
        found = [make(match.start(), head.end(), title, head["number"], head["pins"])]
        position = head.end()
        listed = "§§" in (head["sign"] or "") or (head["sign"] or "").lower().startswith("sections")
        following = _NEXT_CFR if is_cfr else _NEXT_USC
        while listed and (item := following.match(self.text, position)):
            found.append(make(item.start("number"), item.end(), title, item["number"], item["pins"]))
            position = item.end()
        return found, position

    def cfr(self, start: int, end: int, title: str, number: str, pins: str) -> Citation:
        work = f"us/cfr/t{title}/p{number.partition('.')[0]}/s{number}"
        own = self.document.work_uri if self.document is not None else None
        if own and work.startswith(f"{own}/"):  # the document is the part that the section stands in
            work = own
        eid = join(segment("sec", number), *bracketed(pins, by_depth=True))
        return self.cite(start, end, work, self._own(work, eid, start), "provision")

    def usc(self, start: int, end: int, title: str, number: str, pins: str) -> Citation:
        work = f"/akn/us/act/usc/t{title}/s{number}"
        eid = join(segment("sec", number), *bracketed(pins, by_depth=True))
        return self.cite(start, end, work, self._own(work, eid, start), "provision")

    def section(self, match: re.Match[str]) -> tuple[list[_Found], int]:
        """`section 203(b)(1)(A) of the Act`: of the INA where it is named so; else the Act is not known."""
        start, end = match.span()
        law = _ACT.match(self.text, end)
        number, pins = match["section_number"], match["section_pins"]
        eid = join(segment("sec", number), *bracketed(pins, by_depth=True))
        if law is None:
            return ([self.cite(start, end, None, eid, "provision")] if pins else []), end
        if law["ina"] or (law["act"] and self.act_is_ina):
            return [self.cite(start, law.end(), *self.ina(number, pins), "provision")], law.end()
        if law["title"]:
            return [self.usc(start, law.end(), law["title_number"], number, pins)], law.end()
        return [self.cite(start, law.end(), None, eid, "provision")], law.end()

    def relative(self, match: re.Match[str]) -> list[_Found]:
        """`§ 204.6(e)`, `paragraph (h)(3) of this section`, `this section`: inside the document."""
        document, (start, end) = self.document, match.span()
        if document is None or document.work_uri is None or document.is_judgment:
            return []
        if match["sign"]:
            title = re.match(r"us/cfr/t(\d+)", document.work_uri)
            return [self.cfr(start, end, title.group(1), match["sign_number"], match["sign_pins"])] if title else []
        section = document.provision_at(start)
        if section is None:
            return []
        if match["here_only"]:
            return [self.cite(start, end, document.work_uri, section, "provision")]
        eid = join(section, *bracketed(match["paragraph_pins"], by_depth=True)) or section
        found = document.resolve(eid, document.node_at(start))
        # "paragraph (1)" of a subsection that is not named: cited only where the document has one that fits.
        return [self.cite(start, end, document.work_uri, found, "provision")] if document.holds(found) else []

    def ina(self, number: str, pins: str) -> tuple[str | None, str | None]:
        """(work, eid) in the Code of a section of the INA; the Act itself where the table has no section of the Code."""
        below = bracketed(pins, by_depth=True)
        code = self.sections_of_ina.get(number)
        if code is None:
            return "/akn/us/act/1952/414", join(segment("sec", number), *below)
        return f"/akn/us/act/usc/t8/s{code}", join(segment("sec", code), *below)

    def _own(self, work: str, eid: str | None, offset: int) -> str | None:
        if eid is None or self.document is None or self.document.work_uri != work:
            return eid
        return self.document.resolve(eid, self.document.provision_at(offset))


_RULES = {"Civ": "frcp", "Crim": "frcrp", "Evid": "fre", "App": "frap"}

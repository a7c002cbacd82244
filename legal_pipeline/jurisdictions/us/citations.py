"""United States citations: CFR and U.S.C. with their paragraphs, the INA by either numbering, Federal Register and statutes, rules,
I&N decisions, "Id." and "paragraph (h)(3) of this section"; other reporters through `reporters`.

Not here: the list of reporters (eyecite has it).
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from legal_pipeline.citations.country import Country, Scanner
from legal_pipeline.citations.mention import AGAIN, SECTION, UNKNOWN, UNSAID, Mention, Work, known, mention_of
from legal_pipeline.citations.model import Kind
from legal_pipeline.citations.provisions import bracketed, expand, level_of, segment
from legal_pipeline.jurisdictions.us import state_codes
from legal_pipeline.jurisdictions.us.reporters import case_mention, case_mentions
from legal_pipeline.model.slug import slug

_PINS = r"(?:\(\w{1,5}\))*"
_PIN_GROUP = re.compile(r"(?:\(\w{1,5}\))+")
#: More paragraphs after those of a section: "(i) and (ii)", "(A), (B), or (C)". One after a comma may be a point of the sentence.
_MORE_PINS = re.compile(rf"(?:(?:, {_PIN_GROUP.pattern})+,?)? (?:and|or|&) {_PIN_GROUP.pattern}(?!\w)")
#: The same behind "§§", where a comma is enough: "§§ 1227(a)(2)(A)(iii), (B)(i)".
_MORE_PINS_OF_LIST = re.compile(rf"(?:(?:, | and | or | & |, and |, or ){_PIN_GROUP.pattern})+(?!\w)")
#: "(i)-(x)", "(i) through (x)" behind the first paragraph of a range.
_TO_PIN = re.compile(r"(?: ?[-–] ?| through | to )\((?P<last>\w{1,5})\)(?![\w(])")
_PUBLIC_LAW = r"Pub(?:\.|lic) ?L(?:\.|aw) ?(?:No\. ?)?(?P<congress>\d{2,3})[-–](?P<law>\d{1,4})"
#: "Pub. L. No. 95-604, § 101(a)"
_SECTION_BEHIND = re.compile(rf",? (?:§ ?|[Ss]ec(?:tion|\.) )(?P<number>\d{{1,5}}[A-Z]?)(?P<pins>{_PINS})(?![\w.]\w)")
#: "204.5", "1.482-1", "1.401(k)-1"
_CFR_NUMBER = r"\d{1,4}\.\d{1,5}[a-z]?(?:(?:\([a-z]{1,2}\))?-\d{1,3}[A-Z]?(?!\w))?"
_USC_NUMBER = r"\d{1,5}(?:[a-z]{0,3}|[A-Z]{1,2})(?![a-zA-Z])(?:-\d{1,3}[a-z]?(?!\d))?"
#: A section of the code of a state or city, whose number begins with that of its chapter: "2-102", "9.04.030", "10A-1.5".
_OF_CODE = r"\d{1,4}[A-Z]{0,2}(?:-\d{1,5}[A-Z]?(?:\.\d{1,4})?[a-z]?|\.\d{1,3}[A-Z]?\.\d{2,5})"
#: "Fed. R. Civ. P.", "Federal Rules of Evidence", "FRAP", "F.R.C.P."
FEDERAL_RULES = (
    r"(?:Fed(?:\.|eral) ?R(?:\.|ules?) ?(?:of )?(?:Civ|Crim|Evid|App|Bankr)(?:\.|il|inal|ence|ellate|uptcy)(?: ?P(?:\.|rocedure\b))?"
    r"|F\.?R\.?(?:C[rR]?\.?P|E|[AB]\.?P)\.?)"
)
#: A word in the name of federal rules -> their initials, which are also a name of them.
_INITIALS = {"civ": "frcp", "crim": "frcrp", "evid": "fre", "app": "frap", "bankr": "frbp"}
_RULE_NUMBER = r"\d{1,4}(?:\.\d)?"
#: Titles of the United States Code that are cited by a name of their own: 26 and 11.
_NAMED_TITLE = r"(?:(?:Internal Revenue Code|I\.?R\.?C\.?)(?: of 1986)?|Bankruptcy Code)"
#: Beginnings of citations; STATES is the pattern of those of codes and rules of states.
_ANCHORS = (
    "STATES",
    r"(?<![\w.])(?P<title>\d{1,2}) (?:(?P<cfr>C\.? ?F\.? ?R\.?)"
    r"|(?P<usc>U\.? ?S\.? ?C\.?(?: ?A\.?)?))(?=[ §])",
    r"(?<![\w.])(?P<volume>\d{1,3}) (?:(?P<fr>Fed\. ?Reg\.|F\.?R\.?)"
    r"|(?P<stat>Stat\.)) (?P<page>\d{1,6}(?:,\d{3})?)\b",
    r"(?<![\w.])(?P<in_volume>\d{1,2}) I\.? ?& ?N\.? ?Dec\.,? (?:(?P<in_at>at )(?=\d)"
    r"|(?:Interim Decision )?)(?P<in_page>\d{1,4})\b",
    rf"(?P<public>\b{_PUBLIC_LAW})\b",
    rf"(?P<rule>\b(?P<rules>{FEDERAL_RULES}),? ?(?:[Rr]ules? |R\. ?)?(?P<rule_number>{_RULE_NUMBER})(?P<rule_pins>{_PINS}))",
    rf"(?P<rule_before>\b[Rr]ules? (?P<before_number>{_RULE_NUMBER})(?P<before_pins>{_PINS}),? (?:of )?(?:the )?"
    rf"(?P<of_rules>{FEDERAL_RULES}))",
    # "Iowa R. Evid. 5.403", "Rule 32:1.7": a rule with the number of its chapter
    r"(?P<of_chapter>\b(?:R\. ?(?:(?:Civ|Crim|Evid|App|Juv|Prof)[\w.]* ?(?:P\. ?|C\. ?)?)?|[Rr]ule )"
    rf"(?P<of_number>\d{{1,2}}(?::\d{{1,2}}\.\d{{1,2}}|\.\d{{1,4}}))(?P<of_pins>{_PINS}))(?!\w|\.\d)",
    r"(?P<dc>\bD\.C\. (?:Official )?Code,? § ?(?P<dc_number>\d{1,2}[A-Z]?-\d[\d.A-Z]*\d"
    r"|\d{1,2}-\d+)(?P<dc_pins>" + _PINS + r"))",
    r"(?P<ina>\b(?:I\.?N\.?A\.?|Immigration (?:and|&) Nationality Act),? (?:§{1,2} ?|[Ss]ections? ?)?"
    r"(?P<ina_number>\d{3}[A-Z]?)(?P<ina_pins>" + _PINS + r"))(?!\d|\.\d)",
    rf"(?P<named_title>\b{_NAMED_TITLE},? (?:§{{1,2}} ?|[Ss]ec(?:tions?|s?\.) )(?P<named_number>{_USC_NUMBER})(?P<named_pins>{_PINS}))"
    r"(?![\w.]\w)",
    # Treasury regulations are title 26 of the CFR.
    rf"(?P<treasury>\bTreas(?:\.|ury) ?Reg(?:\.|ulations?),? (?:§{{1,2}} ?|[Ss]ec(?:tions?|s?\.) )?"
    rf"(?P<treasury_number>{_CFR_NUMBER})(?P<treasury_pins>{_PINS}))(?![\w-]|\.\d)",
    r"(?P<behind_act>\b(?P<the>the )?(?i:act)(?: of (?:1[789]|20)\d\d)?,? (?:§{1,2} ?|[Ss]ec(?:tions?|s?\.) )"
    r"(?P<act_number>\d{1,5}[A-Z]{0,2})(?P<act_pins>" + _PINS + r"))(?!\w|\.\d)",
    # not a section of an earlier edition: "(1981 Ed., § 46-101)", "(Code 1964, § 5-1)"
    rf"(?P<code>(?<!Ed\., )(?<!\d{{4}}, )(?:\b[Ss]ec(?:tion|s?\.) |\b[Ss]ections (?!\d+-\d{{1,2}}(?!\d))|§{{1,2}} ?)"
    rf"(?P<code_number>{_OF_CODE})(?P<code_pins>{_PINS}))(?![\w-]|\. ?\d)",
    r"(?P<section>\b[Ss]ections? (?P<section_number>\d{1,4}[A-Z]?)(?P<section_pins>" + _PINS + r"))(?! ?\d|\.\d)",
    r"(?P<sign>§{1,2} ?(?P<sign_number>" + _CFR_NUMBER + r")(?P<sign_pins>" + _PINS + r"))",
    r"(?P<paragraph>\b(?:[Ss]ub)?(?:[Pp]aragraphs?|[Ss]ections?|[Cc]lauses?) "
    r"(?P<paragraph_pins>(?:\(\w{1,5}\))+)(?P<here> of this section)?)",
    r"(?P<here_only>\b[Tt]his section\b)",
    r"(?P<id>\b[Ii](?:d|bid)\.(?:,? at (?P<id_page>\d{1,5}))?(?: § ?(?P<id_number>\d[\w.]*)(?P<id_pins>"
    + _PINS
    + r"))?)",
)
_CFR = re.compile(
    rf" ?(?:(?P<part_word>[Pp]arts?|[Pp]t\.) (?P<part>\d{{1,4}})\b(?!\.\d)|(?P<sign>§{{1,2}} ?"
    rf"|[Ss]ections? |[Ss]ec\. )?(?P<number>{_CFR_NUMBER})(?P<pins>{_PINS}))"
)
_USC = re.compile(
    rf",? ?(?P<sign>§{{1,2}} ?|[Ss]ections? |[Ss]ec\. )?(?P<number>{_USC_NUMBER})(?![\d.]\d)(?P<pins>{_PINS})"
)
_NEXT = r"(?:, and |, | and | or | & |; )(?:§{1,2} ?)?"
#: "8101-8106", "1-7", "552a-552b" behind "§§"; not "300aa-1" or "1a-5", which are one number.
_RANGE = re.compile(
    r"(?P<first>(?P<low>\d{1,5})(?P<letters>[a-z]{1,3})?)(?: ?[-–] ?| to | through )"
    r"(?P<last>(?P<high>\d{1,5})(?P<last_letters>[a-z]{1,3})?)(?![\w-]|\.\d)"
)
_NEXT_OF_CODE, _NEXT_OF_STATE, _NEXT_WITH_CHAPTER = (
    re.compile(rf"{_NEXT}(?P<number>{number})(?P<pins>{_PINS})(?![\w-]|\. ?\d)")
    for number in (_OF_CODE, state_codes.NUMBER, rf"{state_codes.HAS_CHAPTER}{state_codes.NUMBER}")
)
_NEXT_CFR = re.compile(rf"{_NEXT}(?P<number>{_CFR_NUMBER})(?P<pins>{_PINS})")
_NEXT_USC = re.compile(
    rf"{_NEXT}(?P<number>{_USC_NUMBER})(?P<pins>{_PINS})(?! ?(?:U\.?S|C\.?F|F\.|S\. ?Ct|Stat|Fed"
    r"|[A-Z]\w+))(?![\w.]*\d)"
)
#: A number in a list is a section if paragraphs, a further number or an Act are behind it; the 5 of "sections 203(b) and 5 years" is not.
_NEXT_SECTION = re.compile(
    rf"{_NEXT}(?:[Ss]ections? )?(?P<number>\d{{1,4}}[A-Z]?)(?P<pins>{_PINS})(?![\w.]\w)(?:(?<=\))|(?=,? (?:and |or |of |\d))|(?=, \d))"
)
_ACT = re.compile(
    r",? of (?:the )?(?:(?P<ina>Immigration and Nationality Act|I\.?N\.?A\.?\b|Immigration (?:and"
    rf"|&) Nationality Act)|(?P<named>{_NAMED_TITLE}(?!\w))|(?P<act>Act\b)|(?P<other>[A-Z][\w ,]{{2,80}}? (?:Act|Code)\b|Code\b)"
    rf"|(?P<title>title (?P<title_number>\d{{1,2}})(?:,? (?:of the )?United States Code))|(?P<public>{_PUBLIC_LAW}\b))"
)
_PARALLEL = re.compile(r"(?:, |; | \[)?(?:\d+(?:[-–]\d+)?, |\(\d{4}\)[,;]? )*")
#: "the Immigration and Nationality Act (the Act)" makes "the Act" the INA for the rest of the text.
_ACT_IS_INA = re.compile(
    r"Immigration (?:and|&) Nationality Act,?[^()]{0,40}\((?:the )?[\"“'‘]?(?:the )?(?:INA or )?(?:the"
    r" )?[\"“'‘]?Act\b"
)


def scanner(country: Country) -> Scanner:
    """Return the scanner of `country`, with the sections of the INA, the states and the initials of codes in its data."""
    anchors = "|".join(_ANCHORS).replace("STATES", state_codes.pattern(country, _PINS))
    return functools.partial(_find, country.section("citations")["ina"], re.compile(anchors))


def _find(sections_of_ina: Mapping[str, str], anchors: re.Pattern[str], text: str) -> Iterator[Mention]:
    reader = _Reader(text, sections_of_ina)
    own: list[Mention] = []
    position = 0
    while anchor := anchors.search(text, position):
        found, position = reader.read(anchor)
        own += found
    cases = case_mentions(text, [(mention.start, mention.end) for mention in own])
    before = 0
    for mention in sorted([*own, *cases], key=lambda mention: mention.start):
        # "518 U.S. 81, 98, 116 S. Ct. 2035": the same case in two reports
        is_parallel = mention.kind == "case" and _PARALLEL.fullmatch(text, before, mention.start) is not None
        yield replace(mention, is_parallel=True) if is_parallel else mention
        before = mention.end


class _Reader:
    """Reads citations from the positions where they may begin."""

    def __init__(self, text: str, sections_of_ina: Mapping[str, str]) -> None:
        self.text = text
        self.sections_of_ina = sections_of_ina
        self.act_is_ina = _ACT_IS_INA.search(text) is not None

    def whole(self, match: re.Match[str], uri: str, kind: Kind) -> list[Mention]:
        return [mention_of(self.text, *match.span(), known(uri), kind)]

    def provision(self, start: int, end: int, work: Work, *eids: str, **more: Any) -> list[Mention]:
        return [mention_of(self.text, start, end, work, "provision", eids, **more)]

    def read(self, match: re.Match[str]) -> tuple[list[Mention], int]:
        """Return the mentions that `match` begins, and the next position."""
        if match["cfr"] or match["usc"]:
            return self.code(match)
        if match["section"]:
            return self.section(match)
        if match["code"]:
            return self.section_of_code(match)
        if match["state"]:
            return self.section_of_state(match)
        if match["behind_act"]:
            return self.behind_act(match)
        if match["named_title"]:
            title = _title_of(match["named_title"])
            number = match["named_number"]
            return self.paragraphs(*match.span(), _usc(title, number), number, match["named_pins"])
        if match["treasury"]:
            number = match["treasury_number"]
            return self.paragraphs(*match.span(), _cfr("26", number), number, match["treasury_pins"])
        if match["ina"]:
            return self.paragraphs(*match.span(), *self.ina(match["ina_number"]), match["ina_pins"])
        return self.one(match), match.end()

    def one(self, match: re.Match[str]) -> list[Mention]:
        """Return the mention of a citation that `match` contains completely."""
        start, end = match.span()
        if match["fr"] or match["stat"]:
            kind = "fed-reg" if match["fr"] else "stat"
            uri = f"/akn/us/doc/{kind}/{match['volume']}/{match['page'].replace(',', '')}"
            return self.whole(match, uri, "preparatory" if match["fr"] else "act")
        if match["in_volume"]:
            report = ("i-n-dec", match["in_volume"], match["in_page"])
            return [case_mention(self.text, start, end, *report, is_short=bool(match["in_at"]))]
        if match["public"]:
            uri = _public_law(match)
            if (section := _SECTION_BEHIND.match(self.text, end)) is not None:
                return self.provision(start, section.end(), known(uri), _eid(section["number"], section["pins"]))
            return self.whole(match, uri, "act")
        if match["rule"]:
            eid = _eid(match["rule_number"], match["rule_pins"], "rule")
            return self.provision(start, end, known(federal_rules(match["rules"])), eid)
        if match["rule_before"]:
            eid = _eid(match["before_number"], match["before_pins"], "rule")
            return self.provision(start, end, known(federal_rules(match["of_rules"])), eid)
        if match["of_chapter"]:
            eid = _eid(match["of_number"], match["of_pins"])
            return self.provision(start, end, UNSAID, eid, opening=self.opening(match))
        if match["dc"]:
            number = match["dc_number"]
            return self.provision(
                start, end, known(f"/akn/us-dc/act/code/{slug(number)}"), _eid(number, match["dc_pins"])
            )
        if match["id"]:
            eids = [_eid(match["id_number"].rstrip("."), match["id_pins"])] if match["id_number"] else []
            return [mention_of(self.text, start, end, AGAIN, "case", eids)]
        if match["sign"]:
            # in the title that contains the document
            number = match["sign_number"]
            work = Work("beside", r"us/cfr/t\d+", f"/p{number.partition('.')[0]}/s{number}")
            return self.provision(start, end, work, _eid(number, match["sign_pins"]), opening=self.opening(match))
        if match["here_only"]:
            return self.provision(start, end, SECTION)
        # "paragraph (1)" of an unnamed subsection: a reference only if the document has a matching paragraph
        eid = "__".join(bracketed(match["paragraph_pins"], by_depth=True))
        return self.provision(start, end, SECTION, eid, must_exist=True)

    def opening(self, match: re.Match[str]) -> int | None:
        """Return the offset at which the section may be the heading of the citing section itself, else None."""
        start = match.start()
        line_start = not start or self.text[start - 1] == "\n"
        return start if line_start and not _ACT.match(self.text, match.end()) else None

    def code(self, match: re.Match[str]) -> tuple[list[Mention], int]:
        """Read CFR and U.S.C. citations, with lists after `§§`."""
        title, is_cfr = match["title"], bool(match["cfr"])
        head = (_CFR if is_cfr else _USC).match(self.text, match.end())
        if head is None:
            return [], match.end()
        start, position = match.start(), head.end()
        if is_cfr and head["part"]:
            work = known(f"us/cfr/t{title}/p{head['part']}")
            return [mention_of(self.text, start, position, work, "act")], position
        work_of, following = (_cfr, _NEXT_CFR) if is_cfr else (_usc, _NEXT_USC)
        is_list = (head["sign"] or "").lower().startswith(("§§", "sections"))
        more_pins = _MORE_PINS_OF_LIST if is_list else _MORE_PINS
        at, number, pins = head.start("number"), head["number"], head["pins"]
        found: list[Mention] = []
        while True:
            if is_list and not is_cfr and (to := _range(self.text, at)) is not None:
                *sections, number = expand(to["first"], to["last"])
                position = to.end()
                for section in sections:
                    found += self.provision(start, position, _usc(title, section), _eid(section, ""))
            entries = [(start, position, pins), *self.listed(pins, position, more_pins)]
            more, position = self.entries(entries, work_of(title, number), number)
            found += more
            item = following.match(self.text, position) if is_list else None
            if item is None:
                return found, position
            start, position, number, pins = item.start("number"), item.end(), item["number"], item["pins"]
            at = start

    def listed(self, pins: str, position: int, more: re.Pattern[str] = _MORE_PINS) -> list[tuple[int, int, str]]:
        """Return start, end and paragraphs of the entries at `position` that go on a list after `pins`."""
        found: list[tuple[int, int, str]] = []
        if pins and (to := _TO_PIN.match(self.text, position)):
            head, _, first = pins.rpartition("(")
            numbers = expand(first.rstrip(")").lower(), to["last"].lower())
            found += [(to.start("last") - 1, to.end(), f"{head}({number})") for number in numbers[1:]]
            position = to.end()
        match = more.match(self.text, position) if pins else None
        for entry in _PIN_GROUP.finditer(self.text, position, match.end()) if match is not None else ():
            above, added = re.findall(r"\w+", pins), re.findall(r"\w+", entry.group())
            level = level_of(added[0], above)
            if level is None:
                return found
            pins = "".join(f"({pin})" for pin in (*above[:level], *added))
            found.append((*entry.span(), pins))
        return found

    def paragraphs(self, start: int, end: int, work: Work, number: str, pins: str) -> tuple[list[Mention], int]:
        """Return the mentions of the section in `text[start:end]` and of further paragraphs of it that follow, and their end."""
        return self.entries([(start, end, pins), *self.listed(pins, end)], work, number)

    def section(self, match: re.Match[str]) -> tuple[list[Mention], int]:
        """Read `section 203(b)(1)(A) of the Act`: a section of the INA if the words mean the INA; otherwise the Act is unknown. The
        sections of a list ("sections 237(a)(2) and 240A(b)(1) of the Act") are of the Act behind it."""
        is_list = match.group().lower().startswith("sections")
        sections, end = self.sections(match, "section", _NEXT_SECTION if is_list else None)
        law = _ACT.match(self.text, end)
        if law is None and not match["section_pins"]:
            return [], match.end()
        found: list[Mention] = []
        for number, entries in sections:
            work, number_there = self.of_law(law, number)
            behind = law if entries is sections[-1][1] else None
            opening = self.opening(match) if law is None and not found else None
            mentions, end = self.entries(entries, work, number_there, law=behind, opening=opening)
            found += mentions
        return found, end

    def of_law(self, law: re.Match[str] | None, number: str) -> tuple[Work, str]:
        """Return the work that a section `number` of `law` is in, and its number there."""
        if law is None:
            return UNKNOWN, number
        if law["title"] or law["named"]:
            return _usc(law["title_number"] or _title_of(law["named"]), number), number
        if law["public"]:
            return known(_public_law(law)), number
        return self.ina(number) if law["ina"] or (law["act"] and self.act_is_ina) else (UNKNOWN, number)

    def section_of_code(self, match: re.Match[str]) -> tuple[list[Mention], int]:
        """Read `section 2-102(a)`, `§§ 9.04.030 and 9.04.040`: sections of the citing code, or of an unknown one behind them."""
        sections, end = self.sections(match, "code", _NEXT_OF_CODE)
        law = _ACT.match(self.text, end)
        opening = self.opening(match)
        found: list[Mention] = []
        for number, entries in sections:
            # each section of some codes is a document of its own
            beside = Work("beside", r"/akn/us-[a-z]+/act/code(?=/)", f"/{slug(number)}", before=UNSAID)
            work = beside if law is None else UNKNOWN
            behind = law if entries is sections[-1][1] else None
            mentions, end = self.entries(entries, work, number, law=behind, opening=None if found else opening)
            found += mentions
        return found, end

    def section_of_state(self, match: re.Match[str]) -> tuple[list[Mention], int]:
        """Read `ORS 838.010 and 838.015`, `Cal. Penal Code §§ 187, 189`: provisions of the citing code, or of one that has another name."""
        kind = "art" if match["state_article"] else "rule" if match["state_rule"] else "sec"
        is_list = "§§" in match.group() or "ections " in match.group()
        sections, end = self.sections(match, "state", _NEXT_OF_STATE if is_list else _NEXT_WITH_CHAPTER)
        work = UNKNOWN if state_codes.is_of_a_subject(match) else UNSAID
        found: list[Mention] = []
        for number, entries in sections:
            found += self.entries(entries, work, number, kind=kind)[0]
        return found, end

    def sections(
        self, match: re.Match[str], group: str, following: re.Pattern[str] | None
    ) -> tuple[list[tuple[str, list[tuple[int, int, str]]]], int]:
        """Return the number and the entries of the section in `match` and of each that follows it in a list, and the end of the list."""
        start, end = match.span()
        number, pins = match[f"{group}_number"], state_codes.brackets(match[f"{group}_pins"])
        sections: list[tuple[str, list[tuple[int, int, str]]]] = []
        while True:
            entries = [(start, end, pins), *self.listed(pins, end)]
            sections.append((number, entries))
            item = following.match(self.text, entries[-1][1]) if following is not None else None
            if item is None:
                return sections, entries[-1][1]
            start, end, number, pins = item.start("number"), item.end(), item["number"], item["pins"]

    def behind_act(self, match: re.Match[str]) -> tuple[list[Mention], int]:
        """Read a section behind its Act ("Lamp Act of 2031, § 5(a)"), which is unknown unless it is "the Act" and that means the INA."""
        is_ina = match["the"] is not None and self.act_is_ina
        work, number = self.ina(match["act_number"]) if is_ina else (UNKNOWN, match["act_number"])
        return self.paragraphs(*match.span(), work, number, match["act_pins"])

    def entries(
        self,
        entries: Sequence[tuple[int, int, str]],
        work: Work,
        number: str,
        *,
        law: re.Match[str] | None = None,
        opening: int | None = None,
        kind: str = "sec",
    ) -> tuple[list[Mention], int]:
        """Return the mentions of a list of paragraphs of one section, and its end: that of the Act `law` behind it, if any."""
        ends = [*(stop for _, stop, _ in entries[:-1]), law.end() if law is not None else entries[-1][1]]
        found: list[Mention] = []
        for (begin, _, pins), end in zip(entries, ends, strict=True):
            found += self.provision(begin, end, work, _eid(number, pins, kind), opening=None if found else opening)
        return found, ends[-1]

    def ina(self, number: str) -> tuple[Work, str]:
        """Return the work and the section in the Code of a section of the INA; of the INA itself if the table has no such section."""
        code = self.sections_of_ina.get(number)
        return (_usc("8", code), code) if code else (known("/akn/us/act/1952/414"), number)


def _range(text: str, position: int) -> re.Match[str] | None:
    """Return the range of sections of the United States Code at `position`; None where its hyphen is in a number."""
    to = _RANGE.match(text, position)
    if to is None:
        return None
    low, high = int(to["low"]), int(to["high"])
    is_alike = (to["letters"] is None) == (to["last_letters"] is None)
    return to if (low < high and is_alike) or (low == high and to["last_letters"]) else None


def _cfr(title: str, number: str) -> Work:
    return known(f"us/cfr/t{title}/p{number.partition('.')[0]}/s{slug(number)}")


def _usc(title: str, number: str) -> Work:
    return known(f"/akn/us/act/usc/t{title}/s{number}")


def _public_law(match: re.Match[str]) -> str:
    return f"/akn/us/act/pl/{match['congress']}/{match['law']}"


def _title_of(name: str) -> str:
    return "11" if name.startswith("Bankruptcy") else "26"


def _eid(number: str, pins: str, kind: str = "sec") -> str:
    return "__".join((segment(kind, number), *bracketed(pins or "", by_depth=True)))


def federal_rules(name: str) -> str:
    """Return the URI of the federal rules with this name, a match of `FEDERAL_RULES`."""
    letters = "".join(filter(str.isalpha, name.lower()))
    initials = next((initials for word, initials in _INITIALS.items() if word in letters), letters)
    return f"/akn/us/act/{initials}"

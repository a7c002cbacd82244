"""Swedish citations: `2 kap. 3 a § andra stycket 1 arbetsmiljölagen (1977:1160)`, lists and ranges of §§, SFS and agency numbers,
bills and reports, case series, and "denna lag" and "första stycket" inside a law.

Not here: EU acts (`eu.member_states`), and the names of Acts (`jurisdiction.toml`).
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from legal_pipeline.citations.country import Country, Scanner
from legal_pipeline.citations.mention import (
    EARLIER,
    OWN,
    UNKNOWN,
    By,
    Mention,
    Target,
    Work,
    known,
    mention_of,
    mentions_of,
)
from legal_pipeline.citations.model import Kind
from legal_pipeline.citations.provisions import expand, join, letters_in, segment
from legal_pipeline.citations.sentences import SentenceRules, abbreviations, paragraph_start, with_unsaid_works
from legal_pipeline.citations.works import names
from legal_pipeline.jurisdictions.eu import member_states
from legal_pipeline.languages.language import language
from legal_pipeline.model.slug import slug
from legal_pipeline.text.alternation import alternation

_LANGUAGE = language("swe")
_ORDINALS = _LANGUAGE.ordinals
_ORDINAL = f"(?:{'|'.join(_ORDINALS)})"
_ORDINAL_ANY = "|".join([*_ORDINALS, *(word.capitalize() for word in _ORDINALS)])
_NAMED_GROUP = re.compile(r"\(\?P<\w+>")
_NUMBER = r"\d{1,3}(?!\d)(?: ?[a-z](?![^\W_]))?"
_RANGE = rf"{_NUMBER}(?: ?(?:--?|–|—) ?{_NUMBER})?"
_LIST = rf"{_RANGE}(?:(?:, (?:och |eller |samt )?| (?:och|eller|samt|respektive|resp\.) ){_RANGE}){{0,40}}"
_PIECE = re.compile(rf"(?P<first>{_NUMBER})(?: ?(?:--?|–|—) ?(?P<last>{_NUMBER}))?")

#: Sections, with or without their chapter; or only chapters.
_UNIT = (
    rf"(?<![\w:/.,–-])(?:(?:(?P<chapter>{_NUMBER}) ?kap\.? )?(?P<sections>{_LIST}) ?§{{1,2}}(?!§)"
    rf"|(?P<chapters>{_LIST}) kap\.)"
)
_CONNECTOR = re.compile(r"(?:,| (?:och|eller|samt|respektive|resp\.|jämförd med|jämfört med|jfr)) ")
#: The number of a stycke in words, or in digits before "st".
_COUNTED = rf"(?:{_ORDINAL}|\d(?=(?:(?:, | och | eller |[–-])\d)* st(?:\b|ycke)))"
_SUBSECTION = re.compile(
    rf" (?P<ordinal>{_COUNTED})(?P<more>(?:(?:, | och | eller |[–-])(?:{_COUNTED}))*) (?:stycket|styckena|st\b\.?)"
)
_NEXT_SUBSECTION = re.compile(rf"(?:,| och| eller| samt)(?={_SUBSECTION.pattern})")
#: The moment of a § in old statutes ("29 § 2 mom."); the nodes of provisions do not have this level.
_MOMENT = re.compile(r" \d{1,2} mom\b\.?")
#: A bare number after a § is a point of its list, unless it counts something or begins the next citation.
_MONTHS = "|".join(names[0] for names in _LANGUAGE.section("dates")["months"])
_NOT_POINT = (
    r"(?! ?(?:§|kap\b|%)| (?:mom|procent|kr|kronor|år|månad(?:er)?|dag(?:ar)?|veckor?|timmar|st"
    rf"|{_MONTHS})\b| [a-z] ?(?:§|kap\b)|[\d:/,]\d|[^\W\d_])"
)
#: A bracket after a point, where the citation goes on: "1 st. 6) varumärkeslagen".
_BRACKET = r"(?:\)(?= (?:(?:och|eller) \d|[\w-]+(?:lagen|balken|förordningen|stadgan)\b)))?"
_POINT = rf"\d{{1,2}}(?!\d)(?: [a-h](?!\w))?(?:[–-]\d{{1,2}}(?!\d))?{_BRACKET}{_NOT_POINT}"
_POINTS = re.compile(
    r" (?P<letters>[a-h](?:[–-][a-h])?\)?(?:(?:, | och | eller )[a-h](?:[–-][a-h])?\)?)*)"
    r"(?= [\w-]*(?:lagen|balken|förordningen|formen|stadgan)\b)"
    rf"| (?:punkt(?:en|erna)? |p\. )?(?P<points>{_POINT}(?:(?:, (?:och |eller )?| och | eller )"
    rf"(?:{_POINT}(?! ?[–,]? ?\d* ?(?:och \d+ ?)?[a-z]? ?§)|[b-h](?!\w)))*)(?: p\b\.?)?"
    rf"| (?P<spelled>{_ORDINAL}) punkten\b"
)
_POINT_PIECE = re.compile(
    r"(?P<first>\d+)(?: (?P<letter>[a-h])(?!\w))?(?:[–-](?P<last>\d+))?|(?P<bare>(?<!\w)[b-h](?!\w))"
)
#: "bestämmelserna i 24 kap." with its §§ in the next block, after a page break or a wrapped line.
_CHAPTER_BEFORE = re.compile(r"(?P<chapter>\d{1,3}(?: ?[a-z])?) kap\.\s+$")
_SENTENCE = re.compile(rf" {_ORDINAL}(?: (?:och|eller) {_ORDINAL})? (?:meningen|meningarna|ledet|strecksatsen)")
_RELATIVE_SUBSECTION = re.compile(
    rf"(?P<ordinal>{_ORDINAL})(?P<more>(?:(?:, | och | eller ){_ORDINAL})*) (?:stycket|styckena)\b", re.IGNORECASE
)
_LAW_NAME_BEFORE = re.compile(
    r"(?:[\w-]+- och |[\w-]+- eller )?[\w-]*(?:lag|lagen|lagens|balk|balken|balkens|förordning"
    r"|förordningen|förordningens|kungörelse|kungörelsen|stadga|stadgan|instruktion|instruktionen|ordning"
    r"|ordningen|formen|tillkännagivande|tillkännagivandet|brev|brevet|reglemente|reglementet|cirkulär"
    r"|föreskrifter|föreskrifterna)(?: med \w+)? $",
    re.IGNORECASE,
)
_NUMBERED = r"\((?P<sfs>1[5-9]\d\d|20\d\d):(?P<sfsno>\d{1,4})(?: s\. ?(?P<page>\d+))?\)"
_OWN = r"(?:[Dd]enna|[Dd]en här) (?:lag|förordning|balk)\b"
_SAME = r"(?:samma|nämnda|sistnämnda|ovannämnda|förutnämnda|sagda|angivna)"
_EARLIER = (
    rf"(?:(?:i )?(?:{_SAME}|den) (?:lag(?:en)?|förordning(?:en)?|balk(?:en)?|kungörelse(?:n)?|författning(?:en)?)"
    # the noun alone, if it does not begin a name
    r"|(?:lagen|balken|förordningen|kungörelsen)(?! (?:om|med|angående|för|av|till|rörande|mot|i|den|nr|d\.|\(|\d)))\b"
)
#: The provision cited before.
_SAID = rf"(?:{_SAME}|den) (?:paragraf(?:en)?|lagrum(?:met)?)\b"
_SAID_BEGINNINGS = [
    f"{same} {noun}"
    for word in ("samma", "nämnda", "sistnämnda", "ovannämnda", "förutnämnda", "sagda", "angivna", "den")
    for same in (word, word.capitalize())
    for noun in ("paragraf", "lagrum")
]
#: The name of a work before its number, if it is not only a noun: "brolagen (2031:55)".
_NAME_BEFORE = re.compile(r"(?P<name>\w[\w-]+(?:lag|balk|förordning))(?P<definite>en)?s? \($", re.IGNORECASE)
_GENITIVE = re.compile("s? ?")
#: The genitive of an Act named before: "lagens 5 §".
_LAW_BEFORE = re.compile(r"\b(?:lagens|balkens|förordningens|kungörelsens) $", re.IGNORECASE)
_SAID_BEHIND = re.compile(rf" (?:i )?{_SAID}")
#: Words after a § of a text that is not law.
_OF_A_TEXT = re.compile(r" i (?:avtalet|stadgarna|bolagsordningen)\b")
#: A work that a text gives a short name: "lagen (1999:678) om filialer m.m. (filiallagen)".
_GIVEN = re.compile(
    r"[^.()\n]{0,90}(?:m\. ?m\. ?)?\((?:nedan |kallad |här )*(?P<given>[\w-]+(?:lagen|balken|förordningen))\)"
)
_NO_LONGER = r"den (?:nu |numera )?(?:nya|äldre|upphävda|gamla|tidigare) "
_SERIES_BEFORE = re.compile(r"\b(?P<series>[A-ZÅÄÖ]{1,6}-?FS) $")
_NUMBER_BEFORE = re.compile(r"\d(?: [a-z])? $")
_CASE_BEFORE = re.compile(r"\b[Mm]ål (?:nr )?$")
_LIST_ENTRY = re.compile(r"(?:[–—-]|\d{1,2}\.|[a-z]\)) $")
_OWN_CHAPTER = re.compile(r" (?:i )?(?:detta|samma) (?:kapitel|kap\.)")
_STARTS_PROVISION = re.compile(r" (?:/|\(|[A-ZÅÄÖ]|[Hh]ar upphävts)|\s*$", re.MULTILINE)


def scanner(country: Country) -> Scanner:
    """Return the scanner of `country`, with the names in its data."""
    return functools.partial(_find, _compile(country))


def _find(patterns: _Patterns, text: str) -> Iterator[Mention]:
    return with_unsaid_works(_mentions(patterns, text), text, _sentence_rules())


@functools.cache
def _sentence_rules() -> SentenceRules:
    return SentenceRules(abbreviations(("swe",)), _OF_A_TEXT, "sec")


def _mentions(patterns: _Patterns, text: str) -> Iterator[Mention]:
    reader = _Reader(text, patterns)
    search, position = patterns.anchor.search, 0
    while anchor := search(text, position):
        kind = anchor.lastgroup
        found: list[Mention] = []
        position = anchor.end()
        if kind == "unit":
            unit = patterns.unit.match(text, anchor.start())
            if unit is not None and not reader.opens_provision(unit):
                found, position = reader.expression(unit)
        elif kind == "bracket":
            found = reader.numbered(anchor)
        elif kind == "series":
            found = reader.agency(anchor)
        elif kind == "colon":
            found = reader.chapter_and_section(anchor)
        elif kind == "named_before" and (unit := patterns.unit.match(text, position)):
            found, position = reader.expression(unit, anchor.start(), known(patterns.abbreviations[anchor[kind]]))
        else:
            found, position = reader.word(anchor)
        yield from found


_SERIES = {"proposition": "prop", "propositionen": "prop"}
_MARKS = frozenset({"Lag", "Förordning", "Kungörelse"})


@dataclass(frozen=True, slots=True)
class _Patterns:
    """`anchor` finds in one pass where a citation may begin; the others match from there."""

    anchor: re.Pattern[str]
    unit: re.Pattern[str]
    law: re.Pattern[str]
    word: re.Pattern[str]
    #: Name -> work URI: `works` are found anywhere, `abbreviations` only after a §.
    works: Mapping[str, str]
    abbreviations: Mapping[str, str]


def _compile(country: Country) -> _Patterns:
    cases = country.section("citations")["cases"]
    works, shorts = names(country), names(country, "behind_provision")
    works = {**works, **{f"{name[:1].upper()}{name[1:]}": uri for name, uri in works.items()}}
    series = [*cases["page"], *cases["reference"], *cases["number"], *cases["colon"]]
    named = alternation(works)
    documents = ["prop.", "proposition", "propositionen", "bet.", "rskr.", "dir.", "skr."]
    documents = [*documents, *(word.capitalize() for word in documents), "SOU", "Ds"]
    beginnings = [
        *works, *_SAID_BEGINNINGS, *_ORDINALS, *(word.capitalize() for word in _ORDINALS), "denna ", "Denna ", "den här ", "Den här ",
        *documents, *(f"{name} " for name in series), "C-", "T-", "F-", *member_states.starts("swe"),
    ]  # fmt: skip
    anchor = "|".join(
        (
            rf"(?P<unit>{_NAMED_GROUP.sub('(?:', _UNIT)})",
            rf"(?P<bracket>{_NUMBERED})",
            r"(?P<series>(?<=FS )\d{4}:\d{1,4}\b)",
            rf"\b(?P<word>{alternation(beginnings)})",
            rf"\b(?P<colon>(?P<short>{alternation(shorts)}) (?P<colon_chapter>{_NUMBER}):(?P<section>{_NUMBER})(?![\d:])"
            rf"|(?<![\w:/.,–-])(?P<chapter_before>{_NUMBER}):(?P<section_before>{_NUMBER}) (?P<short_behind>{alternation(shorts)})\b)",
            rf"\b(?P<named_before>{alternation(shorts)}) (?={_NAMED_GROUP.sub('(?:', _UNIT)})",
        )
    )
    word = "|".join(
        (
            rf"(?P<named>{named})(?=s?\b)(?!s? \(\d{{4}}:)",
            rf"(?P<own>{_OWN})",
            rf"(?P<said>(?i:{_SAID}))",
            rf"(?P<stycke>(?:{_ORDINAL_ANY})(?:(?:, | och | eller ){_ORDINAL})* (?:stycket|styckena)\b)",
            rf"(?P<doc>{alternation(documents)}) ?(?P<docno>\d{{4}}(?:/\d{{2,4}})?(?:: ?[A-ZÅÄÖa-z]{{0,4}} ?| nr )\d+)(?:"
            r" s\. \d+(?:[–-]\d+)?(?: ff?\.)?)?",
            rf"(?P<report>{alternation(series)}) (?P<year>\d{{4}})(?: s\. | ref\. | (?P<notice>not)\. | nr |:)(?P<caseno>\d{{1,4}})\b",
            rf"(?P<eucase>{member_states.CASE})",
            rf"(?P<eu>{member_states.pattern('swe')})",
        )
    )
    law = (
        # "3 § 7. körkortslagen": the full stop belongs to the number of the point
        r"(?:(?<=\d)\.(?= [a-zåäö-]+(?:lagen|balken|förordningen) \())?(?: i)? (?:"
        rf"(?:{_NO_LONGER})?(?P<law_name>(?:[\w-]+- och )?[\w-]+) {_NUMBERED}"
        rf"|(?P<law_named>{named})s?\b"
        rf"|(?P<law_short>{alternation(shorts)})\b"
        rf"|(?P<law_own>{_OWN})"
        rf"|(?P<law_earlier>{_EARLIER})"
        rf"|(?P<law_vague>{_NO_LONGER}(?:[\w-]+- och )?[\w-]*(?:lagen|förordningen|balken|formen|ordningen)\b)"
        r"|(?P<law_unknown>[\w-]*(?:lagen|balken|förordningen|kungörelsen|stadgan)\b)"
        r")"
    )
    return _Patterns(re.compile(anchor), re.compile(_UNIT), re.compile(law), re.compile(word), works, shorts)


@dataclass(frozen=True, slots=True)
class _Reader:
    """Reads one expression from a match of the anchor."""

    text: str
    patterns: _Patterns

    def act(self, start: int, end: int, work: Work) -> list[Mention]:
        """Return the mention of an Act without a provision; a later "samma lag" means that Act."""
        given = _GIVEN.match(self.text, end)
        names: tuple[str, ...] = (given["given"].lower(),) if given is not None else ()
        named = _NAME_BEFORE.search(self.text, start, self.text.find("(", start, end) + 1)
        names += (f"{named['name'].lower()}en",) if named is not None else ()
        return [mention_of(self.text, start, end, work, "act", is_remembered=True, names=names)]

    def chapter_and_section(self, match: re.Match[str]) -> list[Mention]:
        """Return the mention of `RB 35:1` or `35:1 RB`, chapter and section of a known Act."""
        chapter = match["colon_chapter"] or match["chapter_before"]
        section = match["section"] or match["section_before"]
        eid = join(segment("chp", chapter), segment("sec", section))
        work = known(self.patterns.abbreviations[match["short"] or match["short_behind"]])
        return [mention_of(self.text, *match.span(), work, "provision", [eid or ""], is_remembered=True)]

    def opens_provision(self, unit: re.Match[str]) -> bool:
        """`8 § Om svaranden …` and `2 kap. Arbetsmiljöns …` at the start of a line are the provision itself, not a reference to it."""
        start = unit.start()
        if start and self.text[start - 1] != "\n":
            return False
        if _CHAPTER_BEFORE.search(self.text, max(0, start - 12), start) and not _STARTS_PROVISION.match(
            self.text, unit.end()
        ):
            return False
        law = self.patterns.law.match(self.text, unit.end())
        return _STARTS_PROVISION.match(self.text, unit.end()) is not None and not (law and law["law_short"])

    def expression(
        self, unit: re.Match[str], begin: int | None = None, named: Work | None = None
    ) -> tuple[list[Mention], int]:
        """Return all provisions of the expression that `unit` begins, and where it ends; `named` is the work before it, from `begin` on."""
        targets: list[Target] = []
        last_unit: int | None = None
        broken = _CHAPTER_BEFORE.search(self.text, max(0, unit.start() - 12), unit.start())
        chapter = broken["chapter"] if broken is not None and unit["sections"] and not unit["chapter"] else None
        position = unit.start()
        current: re.Match[str] | None = unit
        while current is not None:
            position = current.end()
            if current["chapters"]:
                chapter = last_unit = None
                targets += self._numbers(current, "chapters", "chp", None)
            else:
                bare = chapter is not None and current["chapter"] is None
                chapter = current["chapter"] or chapter
                last_unit = len(targets) if bare else None
                found = self._numbers(current, "sections", "sec", segment("chp", chapter) if chapter else None)
                found[0].start = current.start()
                targets += found
                position = self._details(targets, position)
            targets[-1].end = max(targets[-1].end, position)
            connector = _CONNECTOR.match(self.text, position)
            current = self.patterns.unit.match(self.text, connector.end()) if connector else None
        own_chapter = _OWN_CHAPTER.match(self.text, position)
        law = None if own_chapter or named else self.patterns.law.match(self.text, position)
        before = _LAW_BEFORE.search(self.text, max(0, unit.start() - 16), unit.start())
        if named is None and before is not None:
            begin, named = before.start(), Work("bare", before=EARLIER) if law is None else None
        work = named or self._work(law, unit.start())
        if own_chapter:
            position = own_chapter.end()
            if "samma" in own_chapter.group():
                work = Work("chapter", announced=work.announced)
            elif last_unit is not None:
                # "5 kap. 3 § eller 6 § i detta kapitel": the last § is not in chapter 5
                for target in targets[last_unit:]:
                    target.eids = [eid.partition("__")[2] for eid in target.eids]
        elif law is not None:
            position = law.end()
        targets[0].start, targets[-1].end = unit.start() if begin is None else begin, position
        is_named = work.by == "uri" and work != UNKNOWN
        given = _NAME_BEFORE.fullmatch(f"{law['law_name'] or ''} (") if law is not None else None
        names = (f"{given['name'].lower()}en",) if given is not None else ()
        return mentions_of(self.text, targets, work, is_remembered=is_named, is_lettered=True, names=names), position

    def relative(self, match: re.Match[str]) -> tuple[list[Mention], int]:
        """Read `första stycket 2` inside a §: it refers to that §."""
        found = _RELATIVE_SUBSECTION.match(self.text, match.start())
        if found is None:
            return [], match.end()
        if _NUMBER_BEFORE.search(self.text, max(0, match.start() - 6), match.start()):
            return [], found.end()  # "2 kap. 10 a första stycket": a § printed without its sign
        return self._relative(match.start(), found, "section")

    def said(self, match: re.Match[str]) -> tuple[list[Mention], int]:
        """Read `samma paragraf` and `samma lagrum andra stycket`: the provision cited before."""
        start, end = match.span()
        stycke = _RELATIVE_SUBSECTION.match(self.text, end + 1)
        if stycke is not None and self.text[end] == " ":
            return self._relative(start, stycke, "provision")
        work = Work("provision", since=paragraph_start(self.text, start))
        return [mention_of(self.text, start, end, work, "provision")], end

    def _relative(self, start: int, stycke: re.Match[str], by: By) -> tuple[list[Mention], int]:
        """Return the levels below the citing section or the provision cited before, and the end of their words."""
        targets = self._subsections(stycke, start, [""])
        position = self._points(targets, stycke.end())
        if said := _SAID_BEHIND.match(self.text, position):
            by, position = "provision", said.end()
        targets[-1].end = position
        for target in targets:
            target.eids = [eid.removeprefix("__") for eid in target.eids]
        return mentions_of(self.text, targets, Work(by, since=paragraph_start(self.text, start))), position

    def numbered(self, match: re.Match[str]) -> list[Mention]:
        """Read `lagen (1982:80)`, `SFS 2010:110` and the mark `Lag (2022:1109).` at the end of a provision."""
        before = _LAW_NAME_BEFORE.search(self.text, max(0, match.start() - 80), match.start())
        if before is None:
            return []
        start, end = before.start(), match.end()
        work = _sfs(match)
        if before.group().strip() in _MARKS and self.text[end : end + 1] == ".":
            return [mention_of(self.text, start, end, work, "amendment")]
        return self.act(start, end, work)

    def agency(self, match: re.Match[str]) -> list[Mention]:
        """Read `AFS 2001:1`, `SFS 2010:110`: the letters are before the anchor."""
        before = _SERIES_BEFORE.search(self.text, max(0, match.start() - 12), match.start())
        if before is None:
            return []
        uri = f"/akn/se/act/{slug(before['series'])}/{match.group().replace(':', '/')}"
        return self.act(before.start(), match.end(), known(uri))

    def word(self, anchor: re.Match[str]) -> tuple[list[Mention], int]:
        """Read citations that begin with a word: named Acts, "denna lag", stycken, bills, cases, EU acts."""
        match = self.patterns.word.match(self.text, anchor.start())
        if match is None:
            return [], anchor.end()
        start, end = match.span()
        kind: Kind = "case"
        if match["named"]:
            work = known(self.patterns.works[match["named"]])
            unit = self.patterns.unit.match(self.text, _GENITIVE.match(self.text, end).end())  # type: ignore[union-attr]
            return self.expression(unit, start, work) if unit is not None else (self.act(start, end, work), end)
        if match["own"]:
            return self.act(start, end, OWN), end
        if match["stycke"]:
            return self.relative(match)
        if match["said"]:
            return self.said(match)
        if match["doc"]:
            series = match["doc"].rstrip(".").lower()
            number = "/".join(
                map(slug, re.split(":| nr ", match["docno"].replace(" ", "" if ":" in match["docno"] else " ")))
            )
            kind, uri = "preparatory", f"/akn/se/doc/{slug(_SERIES.get(series, series))}/{number}"
        elif match["report"]:
            uri = f"/akn/se/judgment/{slug(match['report'])}/{match['year']}/{'not-' if match['notice'] else ''}{match['caseno']}"
        elif match["eucase"]:
            named = _CASE_BEFORE.search(self.text, max(0, start - 8), start)
            start, uri = named.start() if named else start, member_states.case_uri(match["eucase"])
        else:
            return list(member_states.mentions(match, self.text)), end
        return [mention_of(self.text, start, end, known(uri), kind)], end

    def _numbers(self, unit: re.Match[str], group: str, kind: str, parent: str | None) -> list[Target]:
        offset = unit.start(group)
        targets = []
        for piece in _PIECE.finditer(unit[group]):
            numbers = expand(piece["first"], piece["last"]) if piece["last"] else [piece["first"]]
            eids = [name for number in numbers if (name := join(parent, segment(kind, number)))]
            targets.append(Target(offset + piece.start(), offset + piece.end(), eids))
        return targets

    def _details(self, targets: list[Target], position: int) -> int:
        """Read stycken and points after a §: narrow the last target, and add a target for each further stycke."""
        section = targets[-1].eids
        if len(section) != 1:
            return position
        if moment := _MOMENT.match(self.text, position):
            position = moment.end()
        subsection = _SUBSECTION.match(self.text, position)
        if subsection is None:
            position = self._points(targets, position)
            sentence = _SENTENCE.match(self.text, position)
            return sentence.end() if sentence else position
        start = targets.pop().start
        targets += self._subsections(subsection, start, section)
        position = self._points(targets, subsection.end())
        while True:
            if sentence := _SENTENCE.match(self.text, position):
                position = sentence.end()
            targets[-1].end = position
            link = _NEXT_SUBSECTION.match(self.text, position)
            following = _SUBSECTION.match(self.text, link.end()) if link else None
            if following is None:
                return position
            targets += self._subsections(following, following.start() + 1, section)
            position = self._points(targets, following.end())

    def _subsections(self, match: re.Match[str], start: int, section: list[str]) -> list[Target]:
        ordinals = list(re.finditer(_COUNTED, match.group(), re.IGNORECASE))
        targets: list[Target] = []
        before = 0
        for index, ordinal in enumerate(ordinals):
            begin = start if index == 0 else match.start() + ordinal.start()
            end = match.end() if index == len(ordinals) - 1 else match.start() + ordinal.end()
            number = int(ordinal.group()) if ordinal.group().isdigit() else _ORDINALS[ordinal.group().lower()]
            # "andra–fjärde styckena" includes the third
            ranged = index > 0 and match.group()[ordinal.start() - 1] in "-–"
            numbers = range(before + 1, number + 1) if ranged else (number,)
            targets.append(Target(begin, end, [f"{eid}__subsec_{each}" for eid in section for each in numbers]))
            before = number
        return targets

    def _points(self, targets: list[Target], position: int) -> int:
        points = _POINTS.match(self.text, position)
        if points is None:
            return position
        parents = targets[-1].eids
        named = [str(_ORDINALS[points["spelled"]])] if points["spelled"] else letters_in(points["letters"] or "")
        if named:
            targets[-1].eids = [f"{parent}__item_{name}" for parent in parents for name in named]
            return points.end()
        eids = []
        numbers: list[str] = []
        for piece in _POINT_PIECE.finditer(points["points"]):
            if piece["bare"]:  # "2 a, b eller d"
                eids += [
                    name for parent in parents for name in (f"{parent}__item_{numbers[-1]}__item_{piece['bare']}",)
                ]
                continue
            numbers = expand(piece["first"], piece["last"]) if piece["last"] else [piece["first"]]
            for number in numbers:
                letter = f"item_{piece['letter']}" if piece["letter"] else None
                eids += [name for parent in parents if (name := join(parent, f"item_{number}", letter))]
        targets[-1].eids = eids
        return points.end()

    def _work(self, law: re.Match[str] | None, offset: int) -> Work:
        """Return the work of an expression that begins at `offset` and has `law` after it."""
        if law is None:
            return Work("bare", announced=self._announcing_line(offset))
        if law["law_earlier"]:
            return EARLIER
        if law["law_own"]:
            return OWN
        if law["law_name"]:
            return _sfs(law)
        if law["law_named"]:
            return known(self.patterns.works[law["law_named"]])
        if law["law_unknown"]:
            return Work("short", name=law["law_unknown"].lower())
        return known(self.patterns.abbreviations[law["law_short"]]) if law["law_short"] else UNKNOWN

    def _announcing_line(self, offset: int) -> tuple[int, int] | None:
        """Return the first line of the list whose entry begins at `offset`: "i förvaltningslagen (2017:900): – 5 § om jäv"."""
        line = self.text.rfind("\n", 0, offset) + 1
        if not _LIST_ENTRY.match(self.text, line, offset):
            return None
        colon = self.text.rfind(":\n", max(0, line - 3000), line)
        return (self.text.rfind("\n", 0, colon), colon) if colon >= 0 else None


def _sfs(match: re.Match[str]) -> Work:
    """Return the statute of a number; of an old year, the page of the year's volume is part of it: `1736:0123 s. 2`."""
    page = f"_{match['page']}" if match["page"] else ""
    return known(f"/akn/se/act/sfs/{match['sfs']}/{match['sfsno']}{page}")

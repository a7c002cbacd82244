"""Swedish citations: `2 kap. 3 a § andra stycket 1 arbetsmiljölagen (1977:1160)`, lists and ranges of §§, SFS and agency numbers,
bills and reports, case series, and "denna lag" and "första stycket" inside a law.

Not here: EU acts (`eu.member_states`), and the names of Acts (`jurisdiction.toml`).
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
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
from legal_pipeline.citations.sentences import paragraph_start, with_unsaid_works
from legal_pipeline.jurisdictions.eu import member_states
from legal_pipeline.jurisdictions.se import citation_patterns as forms
from legal_pipeline.jurisdictions.se.citation_patterns import ORDINALS, Patterns
from legal_pipeline.model.slug import slug


def scanner(country: Country) -> Scanner:
    """Return the scanner of `country`, with the names in its data."""
    return functools.partial(_find, Patterns(country))


def _find(patterns: Patterns, text: str) -> Iterator[Mention]:
    return with_unsaid_works(_mentions(patterns, text), text, patterns.sentences)


def _mentions(patterns: Patterns, text: str) -> Iterator[Mention]:
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
        elif kind == "schedules":
            found, position = reader.schedules(anchor)
        elif kind == "bracket":
            found = reader.numbered(anchor)
        elif kind == "series":
            found = reader.agency(anchor)
        elif kind == "colon":
            found, position = reader.chapter_and_section(anchor)
        elif kind == "named_before" and (unit := patterns.unit.match(text, position)):
            found, position = reader.expression(unit, anchor.start(), known(patterns.abbreviations[anchor[kind]]))
        else:
            found, position = reader.word(anchor)
        yield from found


_SERIES = {"proposition": "prop", "propositionen": "prop"}
_MARKS = frozenset({"Lag", "Förordning", "Kungörelse"})


@dataclass(frozen=True, slots=True)
class _Reader:
    """Reads one expression from a match of the anchor."""

    text: str
    patterns: Patterns

    def act(self, start: int, end: int, work: Work) -> list[Mention]:
        """Return the mention of an Act without a provision; a later "samma lag" means that Act."""
        given = forms.GIVEN.match(self.text, end)
        names: tuple[str, ...] = (given["given"].lower(),) if given is not None else ()
        named = forms.NAME_BEFORE.search(self.text, start, self.text.find("(", start, end) + 1)
        names += (f"{named['name'].lower()}en",) if named is not None else ()
        if behind := forms.SCHEDULES_BEHIND.match(self.text, end):
            targets = _schedules(behind)
            targets[0].start = start
            return mentions_of(self.text, targets, work, is_remembered=True, names=names)
        return [mention_of(self.text, start, end, work, "act", is_remembered=True, names=names)]

    def schedules(self, match: re.Match[str]) -> tuple[list[Mention], int]:
        """Read `bilaga 1 och 2 till miljöbalken` and `bilagan till denna lag`: the schedule without a number is the first."""
        start, end = match.span()
        found = forms.SCHEDULES.match(self.text, start)
        if (law := self.patterns.law.match(self.text, end)) is not None:
            work, end = self._work(law, start), law.end()
        elif (agency := forms.AGENCY_BEHIND.match(self.text, end)) is not None:
            work, end = _agency(agency["series"], agency["number"]), agency.end()
        elif (act := self.patterns.word.match(self.text, end + 1)) is not None and act["eu"]:
            work, end = next(iter(member_states.mentions(act, self.text))).work, act.end()
        else:
            return [], end
        assert found is not None
        if (start == 0 or self.text[start - 1] == "\n") and forms.HEADING_ENDS.match(self.text, end):
            return [], end  # "Bilaga 1 till miljöbalken" above the schedule
        targets = _schedules(found)
        targets[0].start, targets[-1].end = start, end
        is_named = work.by == "uri" and work != UNKNOWN
        return mentions_of(self.text, targets, work, is_remembered=is_named), end

    def chapter_and_section(self, match: re.Match[str]) -> tuple[list[Mention], int]:
        """Return the mentions of `RB 35:1 och 35:2` or `35:1 2 st. RB`, chapters and sections of a known Act, and their end."""
        targets: list[Target] = []
        position = match.end()
        current = forms.CHAPTER_AND_SECTION.match(self.text, position)
        while current is not None:
            eid = join(segment("chp", current["chapter"]), segment("sec", current["section"]))
            following = [*targets, Target(*current.span(), [eid or ""])]
            end = self._details(following, current.end())
            if match["short"] and targets and self.patterns.law.match(self.text, end):
                break  # "BrB 3:5, 4:19 JB": an entry with an Act of its own
            targets, position = following, end
            connector = forms.CONNECTOR.match(self.text, position)
            current = forms.CHAPTER_AND_SECTION.match(self.text, connector.end()) if connector else None
        law = None if match["short"] else self.patterns.law.match(self.text, position)
        work = known(self.patterns.abbreviations[match["short"]]) if match["short"] else self._work(law, match.start())
        targets[0].start, targets[-1].end = match.start(), law.end() if law is not None else position
        return mentions_of(self.text, targets, work, is_remembered=work.by == "uri"), targets[-1].end

    def opens_provision(self, unit: re.Match[str]) -> bool:
        """`8 § Om svaranden …` and `2 kap. Arbetsmiljöns …` at the start of a line are the provision itself, not a reference to it."""
        start = unit.start()
        if start and self.text[start - 1] != "\n":
            return False
        if forms.CHAPTER_BEFORE.search(self.text, max(0, start - 12), start) and not forms.STARTS_PROVISION.match(
            self.text, unit.end()
        ):
            return False
        law = self.patterns.law.match(self.text, unit.end())
        return forms.STARTS_PROVISION.match(self.text, unit.end()) is not None and not (law and law["law_short"])

    def expression(
        self, unit: re.Match[str], begin: int | None = None, named: Work | None = None
    ) -> tuple[list[Mention], int]:
        """Return all provisions of the expression that `unit` begins, and where it ends; `named` is the work before it, from `begin` on."""
        targets: list[Target] = []
        last_unit: int | None = None
        broken = forms.CHAPTER_BEFORE.search(self.text, max(0, unit.start() - 12), unit.start())
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
            connector = forms.CONNECTOR.match(self.text, position)
            current = self.patterns.unit.match(self.text, connector.end()) if connector else None
        own_chapter = forms.OWN_CHAPTER.match(self.text, position)
        law = None if own_chapter or named else self.patterns.law.match(self.text, position)
        before = forms.LAW_BEFORE.search(self.text, max(0, unit.start() - 16), unit.start())
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
        given = forms.NAME_BEFORE.fullmatch(f"{law['law_name'] or ''} (") if law is not None else None
        names = (f"{given['name'].lower()}en",) if given is not None else ()
        return mentions_of(self.text, targets, work, is_remembered=is_named, is_lettered=True, names=names), position

    def relative(self, match: re.Match[str]) -> tuple[list[Mention], int]:
        """Read `första stycket 2` inside a §: it refers to that §."""
        found = forms.RELATIVE_SUBSECTION.match(self.text, match.start())
        if found is None:
            return [], match.end()
        if forms.NUMBER_BEFORE.search(self.text, max(0, match.start() - 6), match.start()):
            return [], found.end()  # "2 kap. 10 a första stycket": a § printed without its sign
        return self._relative(match.start(), found, "section")

    def said(self, match: re.Match[str]) -> tuple[list[Mention], int]:
        """Read `samma paragraf` and `samma lagrum andra stycket`: the provision cited before."""
        start, end = match.span()
        stycke = forms.RELATIVE_SUBSECTION.match(self.text, end + 1)
        if stycke is not None and self.text[end] == " ":
            return self._relative(start, stycke, "provision")
        work = Work("provision", since=paragraph_start(self.text, start))
        return [mention_of(self.text, start, end, work, "provision")], end

    def _relative(self, start: int, stycke: re.Match[str], by: By) -> tuple[list[Mention], int]:
        """Return the levels below the citing section or the provision cited before, and the end of their words."""
        targets = self._subsections(stycke, start, [""])
        position = self._points(targets, stycke.end())
        if said := forms.SAID_BEHIND.match(self.text, position):
            by, position = "provision", said.end()
        targets[-1].end = position
        for target in targets:
            target.eids = [eid.removeprefix("__") for eid in target.eids]
        return mentions_of(self.text, targets, Work(by, since=paragraph_start(self.text, start))), position

    def numbered(self, match: re.Match[str]) -> list[Mention]:
        """Read `lagen (1982:80)`, `SFS 2010:110` and the mark `Lag (2022:1109).` at the end of a provision."""
        before = forms.LAW_NAME_BEFORE.search(self.text, max(0, match.start() - 80), match.start())
        if before is None:
            return []
        start, end = before.start(), match.end()
        work = _sfs(match)
        if before.group().strip() in _MARKS and self.text[end : end + 1] == ".":
            return [mention_of(self.text, start, end, work, "amendment")]
        return self.act(start, end, work)

    def agency(self, match: re.Match[str]) -> list[Mention]:
        """Read `AFS 2001:1`, `SFS 2010:110`: the letters are before the anchor."""
        before = forms.SERIES_BEFORE.search(self.text, max(0, match.start() - 12), match.start())
        if before is None:
            return []
        return self.act(before.start(), match.end(), _agency(before["series"], match.group()))

    def word(self, anchor: re.Match[str]) -> tuple[list[Mention], int]:
        """Read citations that begin with a word: named Acts, "denna lag", stycken, bills, cases, EU acts."""
        match = self.patterns.word.match(self.text, anchor.start())
        if match is None:
            return [], anchor.end()
        start, end = match.span()
        kind: Kind = "case"
        if match["named"]:
            work = known(self.patterns.works[match["named"]])
            unit = self.patterns.unit.match(self.text, forms.GENITIVE.match(self.text, end).end())  # type: ignore[union-attr]
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
            named = forms.CASE_BEFORE.search(self.text, max(0, start - 8), start)
            start, uri = named.start() if named else start, member_states.case_uri(match["eucase"])
        else:
            return list(member_states.mentions(match, self.text)), end
        return [mention_of(self.text, start, end, known(uri), kind)], end

    def _numbers(self, unit: re.Match[str], group: str, kind: str, parent: str | None) -> list[Target]:
        offset = unit.start(group)
        targets = []
        for piece in forms.PIECE.finditer(unit[group]):
            numbers = expand(piece["first"], piece["last"]) if piece["last"] else [piece["first"]]
            eids = [name for number in numbers if (name := join(parent, segment(kind, number)))]
            targets.append(Target(offset + piece.start(), offset + piece.end(), eids))
        return targets

    def _details(self, targets: list[Target], position: int) -> int:
        """Read stycken and points after a §: narrow the last target, and add a target for each further stycke."""
        section = targets[-1].eids
        if len(section) != 1:
            return position
        if moment := forms.MOMENT.match(self.text, position):
            position = moment.end()
        subsection = forms.SUBSECTION.match(self.text, position)
        if subsection is None:
            position = self._points(targets, position)
            sentence = forms.SENTENCE.match(self.text, position)
            return sentence.end() if sentence else position
        start = targets.pop().start
        targets += self._subsections(subsection, start, section)
        position = self._points(targets, subsection.end())
        while True:
            if sentence := forms.SENTENCE.match(self.text, position):
                position = sentence.end()
            targets[-1].end = position
            link = forms.NEXT_SUBSECTION.match(self.text, position)
            following = forms.SUBSECTION.match(self.text, link.end()) if link else None
            if following is None:
                return position
            targets += self._subsections(following, following.start() + 1, section)
            position = self._points(targets, following.end())

    def _subsections(self, match: re.Match[str], start: int, section: list[str]) -> list[Target]:
        ordinals = list(re.finditer(forms.COUNTED, match.group(), re.IGNORECASE))
        targets: list[Target] = []
        before = 0
        for index, ordinal in enumerate(ordinals):
            begin = start if index == 0 else match.start() + ordinal.start()
            end = match.end() if index == len(ordinals) - 1 else match.start() + ordinal.end()
            number = int(ordinal.group()) if ordinal.group().isdigit() else ORDINALS[ordinal.group().lower()]
            # "andra–fjärde styckena" includes the third
            ranged = index > 0 and match.group()[ordinal.start() - 1] in "-–"
            numbers = range(before + 1, number + 1) if ranged else (number,)
            targets.append(Target(begin, end, [f"{eid}__subsec_{each}" for eid in section for each in numbers]))
            before = number
        return targets

    def _points(self, targets: list[Target], position: int) -> int:
        points = forms.POINTS.match(self.text, position)
        if points is None:
            return position
        parents = targets[-1].eids
        named = [str(ORDINALS[points["spelled"]])] if points["spelled"] else letters_in(points["letters"] or "")
        if named:
            targets[-1].eids = [f"{parent}__item_{name}" for parent in parents for name in named]
            return points.end()
        eids = []
        numbers: list[str] = []
        for piece in forms.POINT_PIECE.finditer(points["points"]):
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
        if law["law_series"]:
            return _agency(law["law_series"], law["law_seriesno"])
        return known(self.patterns.abbreviations[law["law_short"]]) if law["law_short"] else UNKNOWN

    def _announcing_line(self, offset: int) -> tuple[int, int] | None:
        """Return the first line of the list whose entry begins at `offset`: "i förvaltningslagen (2017:900): – 5 § om jäv"."""
        line = self.text.rfind("\n", 0, offset) + 1
        if not forms.LIST_ENTRY.match(self.text, line, offset):
            return None
        colon = self.text.rfind(":\n", max(0, line - 3000), line)
        return (self.text.rfind("\n", 0, colon), colon) if colon >= 0 else None


def _schedules(match: re.Match[str]) -> list[Target]:
    """Return the schedules of the group `numbers` of a match; without numbers, the first."""
    pieces = [] if match["numbers"] is None else list(forms.SCHEDULE_PIECE.finditer(match["numbers"]))
    targets = []
    for piece in pieces:
        numbers = expand(piece["first"], piece["last"]) if piece["last"] else [piece["first"]]
        start, end = (match.start("numbers") + offset for offset in piece.span())
        targets.append(Target(start, end, [segment("sched", number) for number in numbers]))
    return targets or [Target(*match.span(), [segment("sched", "1")])]


def _agency(series: str, number: str) -> Work:
    """Return the rules of an agency by their series and number: `AFS`, `2023:1`."""
    return known(f"/akn/se/act/{slug(series)}/{number.replace(':', '/')}")


def _sfs(match: re.Match[str]) -> Work:
    """Return the statute of a number; of an old year, the page of the year's volume is part of it: `1736:0123 s. 2`."""
    page = f"_{match['page']}" if match["page"] else ""
    return known(f"/akn/se/act/sfs/{match['sfs']}/{match['sfsno']}{page}")

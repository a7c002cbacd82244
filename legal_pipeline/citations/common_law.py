"""Provisions and Acts as the common law world cites them: "Sections 34 and 302 read with Section 149 of the Penal Code, 1860",
"sub-section (2) of section 37", "this Act", "the said Act", and short names that a text gives to an Act.

One scanner serves all countries; `NamedActs` holds what differs between them (names of Acts, chapters).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from legal_pipeline.citations import common_law_patterns as forms
from legal_pipeline.citations.common_law_patterns import NamedActs, Patterns
from legal_pipeline.citations.mention import (
    EARLIER,
    OWN,
    SECTION,
    UNKNOWN,
    Mention,
    Target,
    Work,
    known,
    mention_of,
    mentions_of,
)
from legal_pipeline.citations.model import Kind
from legal_pipeline.citations.names_given import NamesGiven
from legal_pipeline.citations.patterns import DEFINED
from legal_pipeline.citations.provisions import bracketed, expand, join, kept_levels, segment
from legal_pipeline.citations.sentences import paragraph_start, with_unsaid_works
from legal_pipeline.model.slug import slug

#: Reads the country's own forms: returns (mentions, next position), or None where the common forms are to be tried.
Own = Callable[["Reader", re.Match[str]], tuple[list[Mention], int] | None]


def scan(acts: NamedActs, patterns: Patterns, own: Own, text: str) -> Iterator[Mention]:
    """Yield the mentions of `text`, in order."""
    return with_unsaid_works(_mentions(acts, patterns, own, text), text, patterns.sentences)


def _mentions(acts: NamedActs, patterns: Patterns, own: Own, text: str) -> Iterator[Mention]:
    reader = Reader(text, acts, patterns)
    search, position = patterns.anchor.search, 0
    while anchor := search(text, position):
        found, position = own(reader, anchor) or reader.word(anchor)
        yield from found


@dataclass(slots=True)
class Reader:
    """Reads one citation from an anchor: its provisions and the Act directly before or after them."""

    text: str
    acts: NamedActs
    patterns: Patterns
    #: The Act named last, and the end of its name.
    last_act: Work = UNKNOWN
    last_act_end: int = -1
    #: Abbreviations, and titles with the URIs of their works.
    names_given: NamesGiven = field(default_factory=NamesGiven)

    def mention(
        self, start: int, end: int, work: Work, kind: Kind, eids: Iterable[str] = (), **more: Any
    ) -> tuple[list[Mention], int]:
        """Return a list of one mention, and the mention's end as the next position."""
        return [mention_of(self.text, start, end, work, kind, eids, **more)], end

    def word(self, anchor: re.Match[str]) -> tuple[list[Mention], int]:
        """Return the mentions that begin with a word (provisions, references to the text itself, Acts), and the next position."""
        start, patterns = anchor.start(), self.patterns
        if unit := patterns.unit.match(self.text, start):
            return self.expression(unit)
        if relative := patterns.relative.match(self.text, start):
            return self.relative(relative), relative.end()
        act, tail = patterns.act.match(self.text, start), patterns.tail.match(self.text, start)
        # "Harbour Lamps Act 7 of 2031" has a title, "Act 7 of 2031" has none
        titled = self.tail(tail) if tail is not None and (act is None or act["numbered"]) else []
        if tail is not None and (titled or act is None):
            return titled, tail.end()
        return (self.act(act), act.end()) if act is not None else ([], anchor.end())

    # -- provisions -----------------------------------------------------------------------------------------------------

    def expression(self, unit: re.Match[str]) -> tuple[list[Mention], int]:
        """Return all provisions of the expression that `unit` begins, with the Act after or before it, and the end of the expression."""
        start, end = unit.span()
        opening = start if self._may_open(unit) else None
        if opening is not None and forms.HEADING_END.match(self.text, end):
            return [], end
        if forms.GAZETTE.search(self.text, max(0, start - 12), start):
            return [], end
        targets, kind, position = self._targets(unit, opening)
        if kind == "rule" and (order := forms.OF_ORDER.match(self.text, position)):
            kind, position = "order", order.end()
            for target in targets:
                target.eids = [f"{segment('order', order['order'])}__{eid}" for eid in target.eids]
        part = forms.PART_OF_SECTION.match(self.text, position)
        law = self._law_behind(part.end() if part else position)
        names: tuple[str, ...] = ()
        if law is not None:
            work, position = self._behind(law, start), law.end()
            names = self._names_given(position)
        elif self._follows_act(start):
            work = self.last_act
        else:
            work = self._unsaid(kind, position)
        targets[-1].end = position
        is_named = law is not None and _is_named(law)
        return mentions_of(self.text, targets, work, names=names, is_remembered=is_named), position

    def _may_open(self, unit: re.Match[str]) -> bool:
        """Whether a heading may begin here: `Section 94 - Repealed` at the start of a line may be the section itself."""
        start = unit.start()
        return (not start or self.text[start - 1] == "\n") and self._law_behind(unit.end()) is None

    def _targets(self, unit: re.Match[str], opening: int | None) -> tuple[list[Target], str, int]:
        """Return the provisions of a list, the kind of the last provision, and the end of the list."""
        word = unit["section_word"] or unit["article_word"] or unit["rule_word"]
        kind, position = _kind(word), unit.end()
        eids = [_eid(kind, unit["number"] + pin) for pin in _pins(unit["before"] or "")]
        if not unit["before"] and (narrowed := forms.NARROWED.match(self.text, position)):
            position, eids = narrowed.end(), [_eid(kind, unit["number"] + narrowed["pin"])]
        targets = [Target(unit.start(), position, eids, opening=opening)]
        plural, last = bool(forms.PLURAL.search(word)), unit["number"]
        while following := forms.NEXT.match(self.text, position):
            if following["word"]:
                plural, begin = bool(forms.PLURAL.search(following["word"])), following.start("word")
                kind, opening = _kind(following["word"]), None
            else:
                begin = following.start("number")
                tight = following["link"] in ("/", "-", "–")
                is_list = plural or following["with"] or "(" in following["number"]
                if not is_list and not (tight and len(following["number"]) > 1) and not self._ends_with_act(following):
                    break
            number = following["number"]
            if number.lstrip().startswith("("):
                # "Articles 19(1)(f) and (g)"
                if "(" not in last or following["word"]:
                    break
                (head, *pins), (_, *added) = (re.split(r" ?(?=\()", each) for each in (last, number))
                before, own = ([pin.strip("()") for pin in each] for each in (pins, added))
                if (kept := kept_levels(before, own)) < 0:
                    break
                number = "".join([head, *pins[:kept]]) + number.strip()
            numbers = [number]
            if following["link"] in (" to ", "-", "–") and "(" not in last + number:
                numbers = expand(last, number)[1:] or [number]
            eids = [_eid(kind, each) for each in numbers]
            position = following.end()
            if following["link"] in ("-", "–"):
                targets[-1].end = position
                targets[-1].eids += eids
            else:
                after = targets[-1].eids[-1] if len(eids) > 1 else None
                targets.append(Target(begin, position, eids, after, opening))
            last = number
        return targets, kind, position

    def _ends_with_act(self, entry: re.Match[str]) -> bool:
        """Whether the list that goes on with `entry` ends with an Act: "Section 420, 467 and 471 of the Penal Code"."""
        while (following := forms.NEXT.match(self.text, entry.end())) and not following["word"]:
            entry = following
        return self._law_behind(entry.end()) is not None

    def order(self, match: re.Match[str]) -> tuple[list[Mention], int]:
        """Read `Order XXXIX Rules 1 and 2 CPC`: rules of an Order of the Act after them, or of `NamedActs.orders_of`."""
        order, position = segment("order", match["order"]), match.end()
        targets = [Target(match.start(), position, [join(order, _eid("rule", match["rule"] + match["pins"])) or ""])]
        while following := forms.NEXT.match(self.text, position):
            number, word = following["number"].strip(), following["word"] or ""
            if word and _kind(word) != "rule":
                break
            if not (word or "(" in number or match["rules"] or self._ends_with_act(following)):
                break
            if number.startswith("("):
                number = match["rule"] + number
            begin, position = following.start("word" if word else "number"), following.end()
            targets.append(Target(begin, position, [join(order, _eid("rule", number)) or ""]))
        law = self._law_behind(position)
        work = self._behind(law, match.start()) if law is not None else Work("unsaid", self.acts.orders_of)
        targets[-1].end = position = law.end() if law is not None else position
        return mentions_of(self.text, targets, work, is_remembered=law is not None and _is_named(law)), position

    def relative(self, match: re.Match[str]) -> list[Mention]:
        """Read `sub-section (2) above`, `this section`: references relative to the section that contains the words."""
        parts, begin = match["parts"], match.start()
        work = SECTION
        if match["thereof"] or match["said"]:
            work = Work("provision", since=paragraph_start(self.text, begin))
        elif parts and parts[:3].lower() == "sub":
            work = Work("section", since=paragraph_start(self.text, begin))
        if not parts:
            return self.mention(begin, match.end(), work, "provision")[0]
        pins, targets = _pins(parts), []
        listed = [match.start() + found.end() for found in forms.PIN_GROUP.finditer(parts)]
        for pin, end in zip(pins, [*listed[: len(pins) - 1], match.end()], strict=True):
            targets.append(Target(begin, end, ["__".join(bracketed(pin))]))
            begin = self.text.find("(", end)
        return mentions_of(self.text, targets, work)

    # -- Acts -----------------------------------------------------------------------------------------------------------

    def act(self, match: re.Match[str]) -> list[Mention]:
        """Return the mention of an Act named without a provision (a match of `Patterns.act`)."""
        start, end = match.span()
        if match["own"]:
            return [] if match["own"].endswith(("Part", "Chapter")) else self._named_alone(start, end, OWN)
        before = forms.LONGER_NAME.search(self.text, max(0, start - 60), start)
        longer = before is not None and forms.NOT_NAME.fullmatch(self.text, before.start(), start) is None
        if match["numbered"]:
            of_state = longer and self._of_state(before.group() if before else "")
            return self._named_alone(start, end, UNKNOWN if of_state else known(self._numbered(match)))
        if longer:
            tail = self.patterns.tail.search(self.text, start, end)
            return self.tail(tail) if tail else []
        return self._named_alone(start, end, known(self._named(match)))

    def tail(self, match: re.Match[str]) -> list[Mention]:
        """Read an Act that only its tail identifies: `Foreigners Act, 1946 (31 of 1946)`, `Mines Levies Act [Chapter 21:99]`."""
        name = forms.LAST_NAME.search(self.text, max(0, match.start() - 120), match.end("kind"))
        if name is None:
            return []
        skipped = forms.NOT_NAME.match(self.text, name.start(), match.start())
        start = skipped.end() if skipped else name.start()
        if not self.text[start].isupper() or start >= match.start("kind"):
            return []
        uri = None if self._of_state(self.text[start : match.start()]) else self._identified(match)
        if uri is not None:
            self.names_given.add(self.text[start : match.end("kind")], uri)
        return self._named_alone(start, match.end(), known(uri))

    def _named_alone(self, start: int, end: int, work: Work) -> list[Mention]:
        self.last_act, self.last_act_end = work, end
        names = self._names_given(end)
        if forms.REPEALED_BY.search(self.text, max(0, start - 14), start):
            names = (*names, forms.REPEALING)
        return self.mention(start, end, work, "act", names=names, is_remembered=True)[0]

    def _follows_act(self, offset: int) -> bool:
        """Whether an Act is named directly before: "Subs. by Act 21 of 2015, s. 16", "Penal Code, section 302"."""
        end = self.last_act_end
        return 0 <= end <= offset <= end + 6 and self.text[end:offset].strip() in ("", ",", ", in", "in", "-", "–")

    def _law_behind(self, position: int) -> re.Match[str] | None:
        law = self.patterns.law.match(self.text, position)
        if law is None:
            return None
        if law["abbreviated"]:
            return law if self.names_given.is_clear(law["abbreviated"]) else None
        lead = law["lead"].strip(" ,").removesuffix("the").strip()
        # Without "of", only a name may follow: "Section 302 IPC", "s. 420, I.P.C."; after "in" and "to" other words are common.
        if not lead:
            is_exact = law["named"] or law["numbered"] or law["short_form"] or (law["generic"] and law["of_number"])
            return law if is_exact else None
        return law if lead == "of" or law["named"] or law["own"] else None

    def _behind(self, law: re.Match[str], start: int) -> Work:
        """Return how `law` names the Act of the expression that begins at `start`."""
        if law["own"]:
            return OWN
        if law["earlier"]:
            repealed = forms.REPEALED_BY.search(self.text, max(0, start - 14), start)
            return Work("earlier", name=forms.REPEALING) if repealed else EARLIER
        if law["only_chapter"]:
            return known(self.acts.chapters.get(law["chapter_number"]))
        if law["short"] or law["abbreviated"]:
            return Work("short", name=forms.KIND_OF_YEAR.sub(r"\2 \1", law["short"] or law["abbreviated"]))
        if law["numbered"]:
            return known(self._numbered(law))
        if law["named"]:
            return known(self._named(law))
        uri = None if self._of_state(law["generic"]) else self._identified(law)
        title = law["generic"]
        if uri is not None:
            self.names_given.add(title, uri)
        elif self.names_given.is_ambiguous(title):
            return UNKNOWN
        elif law["year"] is None:
            uri = self.names_given.meaning(title)
        return known(uri) if uri else Work("short", name=title)

    def _unsaid(self, kind: str, position: int) -> Work:
        if kind == "rule" or forms.OF_ANOTHER.match(self.text, position):
            return UNKNOWN
        return Work("unsaid", {"art": self.acts.articles_of, "order": self.acts.orders_of}.get(kind))

    def _of_state(self, name: str) -> bool:
        return any(state in name for state in self.acts.states)

    def _numbered(self, match: re.Match[str]) -> str:
        return f"/akn/{self.acts.code}/act/{match['act_year']}/{int(match['act_number'])}"

    def _named(self, match: re.Match[str]) -> str | None:
        """Return the URI of a known name. If several Acts have the name, the year decides; with an unknown year, return None."""
        works, name = self.acts.works, match["named"]
        identified = self._identified(match)
        if identified is not None:
            return identified
        year = match["year"]
        if year:
            dated = works.get(f"{name}, {year}")
            if dated is not None:
                return dated
            uri = works[name]
            known_year = uri.split("/")[4]
            if known_year != year and known_year not in (str(int(year) + 1), str(int(year) - 1)) and not name.isupper():
                return uri if "onstitution" in name else None
            return uri
        return works[name]

    def _identified(self, match: re.Match[str]) -> str | None:
        if match["chapter"]:
            return self.acts.chapters.get(match["chapter"])
        if match["of_number"]:
            return f"/akn/{self.acts.code}/act/{match['of_year']}/{int(match['of_number'])}"
        if match["title_number"] and match["year"]:
            return f"/akn/{self.acts.code}/act/{match['year']}/{int(match['title_number'])}"
        return None

    def _names_given(self, position: int) -> tuple[str, ...]:
        """Return the short names that the text gives an Act that ends at `position`, and its year with its kind: "1996 Act"."""
        short = forms.SHORT.match(self.text, position)
        year = forms.YEAR_BEHIND.search(self.text, max(0, position - 40), position)
        dated = (f"{year['year']} {year['kind']}",) if year is not None else ()
        if (defined := DEFINED.match(self.text, position)) is not None:
            self.names_given.add(defined["name"])
            dated = (*dated, defined["name"])
        return (short["short"], *dated) if short is not None else dated


def _is_named(law: re.Match[str]) -> bool:
    """Whether a later "the said Act" may mean this Act."""
    return not (law["own"] or law["earlier"] or law["only_chapter"] or law["short"])


def _kind(word: str) -> str:
    lowered = word.lower()
    return "art" if lowered.startswith("art") else "rule" if lowered.startswith("r") else "sec"


def _pins(parts: str) -> list[str]:
    """`clauses (a) and (b) of sub-section (1)` -> `(1)(a)`, `(1)(b)`; an empty string gives one empty pin."""
    inner, *outer = re.split(r"(?: of|,) (?=[A-Za-z])", parts)
    around = "".join(group.group() for part in reversed(outer) if (group := forms.PIN_GROUP.search(part)))
    return [f"{around}{group}" for group in forms.PIN_GROUP.findall(inner)] or [around]


def _eid(kind: str, number: str) -> str:
    head, bracket, pins = number.partition("(")
    return join(segment(kind, head.strip()), *bracketed(bracket + pins)) or ""


def report_uri(jurisdiction: str, series: str, *parts: str) -> str:
    """Return the work URI of a reported case. A case in two series has two URIs, which the registry's parallel citations join."""
    return f"/akn/{jurisdiction}/judgment/{'/'.join(slug(part) for part in (series, *parts) if part)}"

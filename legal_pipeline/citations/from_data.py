"""The data-driven grammar of a country: a word for a provision before or after its number, and the Act after or before both.

The country's `provisions` give the words; `citations` the joining words, the numbering of Acts and the levels below a provision;
`works` the names of Acts. Not here: citation forms that need code (`jurisdictions/<code>/citations.py`), and the common law's forms
(`sections_and_acts`).
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from legal_pipeline.citations.acts_in_data import NEVER, NumberedWork
from legal_pipeline.citations.country import Country, Scanner
from legal_pipeline.citations.entries import (
    Entry,
    Form,
    depth_of,
    in_kind,
    level_above,
    names_division,
    next_number,
    number_range,
    with_levels_before,
    with_paragraphs,
    with_range,
)
from legal_pipeline.citations.levels import ANY, OF_CITING, OF_SCHEDULE, Branch
from legal_pipeline.citations.mention import OWN, SCHEDULE, SECTION, UNKNOWN, UNSAID, Mention, Work, known, mention_of
from legal_pipeline.citations.model import Kind
from legal_pipeline.citations.names_given import NamesGiven
from legal_pipeline.citations.patterns import DEFINED, Patterns
from legal_pipeline.citations.sentences import counts_by_chapters, paragraph_start, sentence_start, with_unsaid_works
from legal_pipeline.errors import ConfigurationError

_LETTER_APART = re.compile(r" [A-Za-z]$")
#: What follows the figures of an ordinal: "1.º", "1r", "1o bis", "1o.-A". "1er" is an ordinal of its language.
_ORDINAL_MARK = re.compile(r"(?<=\d)(?:\.?[º°]|r|o\.?)(?=[ -]|$)")
#: "artículos 5, segundo párrafo": the word counts what follows it.
_NOUN_BEHIND = re.compile(r" [^\W\d_]{4,}")
_LINE_OR_CELL_ENDS = re.compile(r" ?(?:\||\n|$)")
#: Number of characters before a provision that are searched for a name.
_LONGEST_NAME = 80
#: Number of characters before a level without a provision that are searched for words of an amendment.
_LONGEST_AMENDMENT = 2_000


def scanner(country: Country, more: Sequence[NumberedWork] = ()) -> Scanner:
    """Return the scanner made from the words, numbers and names in the data of `country`, and from the numbered works `more`.

    Raises `ConfigurationError` where a table lacks an entry, or a pattern is not a regular expression; the scanner raises it for a pattern
    that it needs only behind the beginning of a citation.
    """
    try:
        return functools.partial(_find, Patterns(country, more))
    except (re.error, KeyError, AttributeError, TypeError) as error:
        raise ConfigurationError(
            f"jurisdiction {country.code}: {type(error).__name__} {error} in `citations`, `provisions` or `works` (expected: tables as in "
            "docs/guides/add-country.md; each of `citations.numbers` with a `pattern` and a `work` that names groups of the pattern)"
        ) from error


def _find(patterns: Patterns, text: str) -> Iterator[Mention]:
    return with_unsaid_works(_mentions(patterns, text), text, patterns.sentences)


def _mentions(patterns: Patterns, text: str) -> Iterator[Mention]:
    reader = _Reader(patterns, text)
    position = 0
    while anchor := patterns.anchor.search(text, position):
        found, end = reader.read(anchor.start())
        position = max(end, anchor.start() + 1)
        yield from found


@dataclass(frozen=True, slots=True)
class _Reader:
    """Reads one text from the positions where a citation may begin."""

    patterns: Patterns
    text: str
    #: Kind of work -> position where the text first names another work of the kind than the noun's default.
    others: dict[str, int] = field(default_factory=dict)
    #: Abbreviations, and titles with the years of their works.
    names_given: NamesGiven = field(default_factory=NamesGiven)

    def read(self, start: int) -> tuple[list[Mention], int]:
        """Return the mentions that begin at `start`, and the next position."""
        act = self.patterns.act.match(self.text, start)
        if act is None:
            return self.provisions(start)
        end = act.end()
        joined = self.patterns.joins_behind.match(self.text, end)
        # "(c. 31), s. 4": the brackets belong together
        is_in_brackets = joined is not None and joined.group().startswith(")") and self.text[start - 1 : start] == "("
        begin = start - 1 if is_in_brackets else start
        found, behind = self.provisions(joined.end(), act, begin) if joined is not None else ([], end)
        if (act["short"] or act["same"] in self.patterns.same_before) and not found:
            return self.provisions(start)  # the name may also be the word of a provision: "CPR 3.4"
        work, kind = self.work(act)
        return (found, behind) if found else ([self.mention(start, end, work, kind)], end)

    def work(self, act: re.Match[str]) -> tuple[Work, Kind]:
        """Return how `act` names its work, and the kind of the mention."""
        if act["dated"]:
            return Work("short", name=act["dated"]), "act"
        if act["own"]:
            kind = self.patterns.nouns.kind(act["own"])
            of_kind = self.patterns.nouns.works.get(kind)
            return replace(OWN, name=kind, kind=of_kind.pattern if of_kind is not None else ""), "act"
        behind = act.groupdict()
        if same := act["same"] or behind.get("demonstrated"):
            kind = self.patterns.nouns.kind(same)
            return Work("earlier", name=kind, kind=kind), "act"
        if noun := behind.get("noun"):
            kind = self.patterns.nouns.kind(noun)
            return Work("short", self.meant(kind, act.start()), kind), "act"
        if name := act["named"] or act["short"]:
            uri = self.patterns.works[name]
            return (Work("short", uri, name) if name in self.patterns.shared.get(uri, ()) else known(uri)), "act"
        return self.numbered(act) or (UNKNOWN, "act")

    def numbered(self, act: re.Match[str]) -> tuple[Work, Kind] | None:
        """Return the work that `act` names by its number, and the kind of the mention; None if it does not."""
        form = next((group for group in self.patterns.numbered if act[group]), None)
        if form is None:
            return None
        groups = {
            name.removeprefix(f"{form}_"): value
            for name, value in act.groupdict().items()
            if name.startswith(f"{form}_")
        }
        numbered = self.patterns.numbered[form]
        return replace(known(numbered.uri(groups)), supplements=numbered.supplements), numbered.kind

    def number_behind(self, position: int) -> tuple[Work, int] | None:
        """Return the work whose number is behind a title that ends at `position`, and the end of the number: " (SI 2031/7)"."""
        match = self.patterns.number_behind.match(self.text, position)
        numbered = self.numbered(match) if match is not None else None
        if match is None or numbered is None or numbered[1] != "act":
            return None
        return numbered[0], match.end()

    def meant(self, kind: str, position: int) -> str | None:
        """Return the default work of a noun of this kind at `position`; None from where the text names another work of the kind."""
        uri, others = self.patterns.nouns.unsaid.get(kind, (None, None))
        if others is None:
            return None
        if kind not in self.others:
            found = others.search(self.text)
            self.others[kind] = found.start() if found is not None else len(self.text)
        return uri if position <= self.others[kind] else None

    def provisions(
        self, start: int, act: re.Match[str] | None = None, begin: int | None = None
    ) -> tuple[list[Mention], int]:
        """Return the provisions of the expression at `start`: of the Act `act` before it, which begins at `begin`, or of the Act after."""
        if act is None and (relative := self.relative(start)):
            return relative, relative[-1].end
        led = self.below_levels(start, self.targets) if act is None else []
        targets = led or self.targets(start)
        if not targets:
            return [], start
        if act is not None:
            targets = self.of_act_before(targets)
        position = targets[-1].end
        defined: re.Match[str] | None = None
        is_bare = False
        if act is None:
            act = self.act_behind(position)
            if act is None or act.lastgroup == "unknown":
                defined = self.defined(position)
            is_unknown = defined is None and (
                act is None or act.lastgroup in ("unknown", "noun", "other", "demonstrated")
            )
            is_heading = self.is_heading(start, targets, act, has_levels_before=bool(led))
            if is_unknown and (is_heading or self.patterns.not_law.match(self.text, position)):
                return [], position
            is_bare = act is None and defined is None
            if is_bare and not all(target.form.alone.match(target.numbers[0]) for target in targets):
                return [], position
            # the words that join an Act of which nothing is known are not cited
            if act is not None and act.lastgroup != "other" and act[act.lastgroup or 0]:
                position = act.end()
            position = defined.end() if defined is not None else position
        named = self.work(act)[0] if act is not None else self.unsaid(start)
        if act is not None and act.lastgroup == "unknown":
            named, position = self.number_behind(position) or (named, position)
        targets[0].start, targets[-1].end = start if begin is None else begin, position
        work = Work("short", name=defined["name"]) if defined is not None else named
        if work.uri in self.patterns.paragraphs_of or self.patterns.first_is_paragraph:
            for target in targets:
                target.below = [with_paragraphs(below) for below in target.below]
        works = [(act is None and (target.work_by_word or target.work_by_kind)) or work for target in targets]
        if begin is None and act is not None:
            # "artikel 8:75 juncto artikel 1 van het Besluit": the articles of one work are all counted by chapters, or none is
            count = counts_by_chapters(targets[-1].numbers[0])
            works = [
                each if counts_by_chapters(target.numbers[0]) == count else self.unsaid(start)
                for target, each in zip(targets, works, strict=True)
            ]
        if begin is None and work.supplements:
            own = max(index for index, target in enumerate(targets) if not target.is_later)
            works[:own] = [work.main] * own
        found = []
        for target, work in zip(targets, works, strict=True):
            more = {"may_be_exhibit": is_bare and target.may_be_exhibit}
            found.append(self.mention(target.start, target.end, work, "provision", target.eids, **more))
        return found, position

    def act_behind(self, position: int) -> re.Match[str] | None:
        """Return the match of an Act that the provisions before `position` name; not of one that names the next provision: "§ 70 første
        ledd, Grunnloven § 104"."""
        act = self.patterns.act_behind.match(self.text, position)
        if (
            act is None
            or not act.group().startswith(",")
            or not (act["named"] or act["short"] or act.lastgroup == "unknown")
        ):
            return act
        in_front = self.patterns.in_front.match(self.text, act.end())
        forms = self.patterns.forms if in_front is not None else ()
        words = (form.before.match(self.text, in_front.end()) for form in forms if in_front is not None)
        return None if any(word and self.text[word.end() : word.end() + 1].isdigit() for word in words) else act

    def of_act_before(self, targets: list[Entry]) -> list[Entry]:
        """Return the entries of a list behind the name of an Act, without those that another Act follows: "HRA 1998, s 6 and s 3 of the
        Theft Act 1968"."""
        own = max(index for index, target in enumerate(targets) if not target.is_later)
        end = targets[-1].end
        behind = self.act_behind(end)
        names_another = behind is not None and behind.lastgroup not in ("noun", "other")
        is_of_another = own and (names_another or self.patterns.not_law.match(self.text, end))
        return targets[:own] if is_of_another else targets

    def below_levels(self, start: int, read: Callable[[int], list[Entry]]) -> list[Entry]:
        """Return the entries that `read` finds behind the levels at `start` ("point (f) of Article 6"), the first with these levels; none
        if no provision follows that has such levels."""
        for word in (ANY, ""):
            first = self.patterns.levels.before(self.text, start, self.patterns.act_behind, word)
            joined = self.patterns.joins_before.match(self.text, first[-1].end) if first else None
            targets = read(joined.end()) if joined is not None else []
            if targets and (not first[-1].of or targets[0].word in first[-1].of):
                return [*with_levels_before(first, targets[0]), *targets[1:]]
            if first and not first[-1].of:
                break  # without a level of some provisions only, the second reading is the first
        return []

    def named(self, at: int) -> list[Entry]:
        """Return the provision with a word before its number at `at`, with the levels after it."""
        for form in self.patterns.forms:
            word = form.before.match(self.text, at)
            if word is not None and (number := self.number(form, word.end())):
                return self.below(Entry(at, number[1], form, [number[0]], word=word.group().strip().lower()))
        return self.only(at)

    def only(self, at: int) -> list[Entry]:
        """Return the schedule that is named as the only one of its work at `at`, with the levels after it."""
        for form in self.patterns.forms:
            if word := form.only.match(self.text, at):
                noun = re.split(r"[ '’]", word.group().lower())[-1]
                return self.below(Entry(at, word.end(), form, ["1"], word=noun, is_only=True))
        return []

    def defined(self, position: int) -> re.Match[str] | None:
        """Return the match of a name at `position` that the text gives to a work before: "s 5 PLA" after "Port Lamps Act 2031 (PLA)", or
        "s 5 of the Port Lamps Act" if it has named no such Act of another year."""
        match = self.patterns.abbreviated_behind.match(self.text, position)
        return match if match is not None and self.names_given.is_clear(match["name"]) else None

    def relative(self, start: int) -> list[Mention]:
        """Return levels of the citing provision that begin at `start` ("Absatz 2 Buchstabe a") and have the words for this provision after
        them; or levels whose words need no such words, where the text does not say what they are levels of. With words for the provision
        cited before ("of that section"), and outside of provisions, they are levels of that."""
        patterns, said = self.patterns, Work("provision", since=paragraph_start(self.text, start))
        before = patterns.levels.before(self.text, start, patterns.act_behind)
        alone, relative_to = patterns.levels.relative(self.text, start, patterns.act_behind)
        of_amended = (
            patterns.amends.search(self.text, max(0, start - _LONGEST_AMENDMENT), start) if alone or before else None
        )
        for found in (alone, before):
            # "the second subparagraph thereof" is of a paragraph, and such a level is not in its eid
            is_unclear = of_amended or any(branch.is_alone for branch in found)
            for words, work in ((patterns.this, SECTION), (patterns.said, said)):
                if found and (behind := words.match(self.text, found[-1].end)) and (work == SECTION or not is_unclear):
                    found[-1].end = behind.end()
                    named = replace(work, kind=self.kind_said(behind.group())) if work is said else work
                    return [self.level(branch, named) for branch in found]
        of = (patterns.joins_before, patterns.act_behind, patterns.not_law, patterns.sentences.of_something)
        if not alone or of_amended or any(each.match(self.text, alone[-1].end) for each in of):
            return []
        work = SECTION if relative_to == OF_CITING else replace(said, by="section")
        if relative_to == OF_SCHEDULE:
            since = sentence_start(patterns.sentences, self.text, start)
            return [self.level(branch, replace(said, kind=SCHEDULE, since=since), must_exist=True) for branch in alone]
        if words_before := patterns.said_before.search(self.text, max(0, start - _LONGEST_NAME), start):
            alone[0].start, work = words_before.start(), said
        levels = [self.level(branch, work, must_exist=True) for branch in alone]
        kinds = (form.kind for form in self.patterns.forms if form.before.match(self.text, start))
        # the word of a level that only some provisions have may be that of a provision
        kind = next(kinds, None) if alone[0].of else None
        if kind is None:
            return levels
        return [
            replace(level, otherwise=tuple(f"{kind}_{eid.partition('_')[2]}" for eid in level.eids)) for level in levels
        ]

    def kind_said(self, words: str) -> str:
        """Return the kind of provision that the last of `words` names: "sched" of " of that Schedule"; "" for "thereof"."""
        noun = words.split()[-1]
        return next((form.kind for form in self.patterns.forms if form.before.fullmatch(noun)), "")

    def level(self, branch: Branch, work: Work, *, must_exist: bool = False) -> Mention:
        """Return the mention of a level of the citing provision, or of the one cited before."""
        levels = map(with_paragraphs, branch.segments) if self.patterns.first_is_paragraph else branch.segments
        eids = tuple(map("__".join, levels))
        return self.mention(branch.start, branch.end, work, "provision", eids, must_exist=must_exist)

    def unsaid(self, start: int) -> Work:
        """Return the work of provisions at `start` without a named work: unknown if an unknown Act is named before them."""
        before = self.patterns.unknown_before.search(self.text, max(0, start - _LONGEST_NAME), start)
        is_known = (
            before is not None and self.patterns.known_before.search(self.text, before.start(), start) is not None
        )
        return UNSAID if before is None or is_known else UNKNOWN

    def is_heading(
        self, start: int, targets: Sequence[Entry], act: re.Match[str] | None, *, has_levels_before: bool
    ) -> bool:
        """Whether a line begins with the number of the provision itself: no levels follow it except numbers in brackets, and no Act. With
        levels before it, only a line of nothing else is one: a cell of a table of correspondence."""
        if act is not None or targets[0].work_by_word or (start and self.text[start - 1] != "\n"):
            return False
        if has_levels_before and not _LINE_OR_CELL_ENDS.match(self.text, targets[-1].end):
            return False
        return all(target.below == [[]] or "(" in self.text[target.start : target.end] for target in targets)

    def mention(self, start: int, end: int, work: Work, kind: Kind, eids: Sequence[str] = (), **more: bool) -> Mention:
        """Return a mention with the further fields `more`.

        A work named by number or name, known or not, is remembered with its nouns for later words ("that Act").
        """
        names: tuple[str, ...] = ()
        # "the Convention" is never a protocol to it, whose name contains the word
        is_remembered = work.by == "uri" and kind != "case" and not work.supplements
        if is_remembered:
            if (title := self.patterns.undated.search(self.text, start, end)) is not None:
                names += (title["title"],)
                self.names_given.add(title["title"], title["year"])
            if (dated := self.patterns.named_by_year.search(self.text, start, end)) is not None:
                names += (f"{dated['year']} {dated['kind']}", f"{dated['kind']} of {dated['year']}")
            names += tuple(self.patterns.shared.get(work.uri or "", ()))
            begin = start if work.uri else max(0, start - _LONGEST_NAME)
            names += self.patterns.nouns.kinds(work.uri, self.text[begin:end])
            if defined := DEFINED.match(self.text, end):
                names += (defined["name"],)
                self.names_given.add(defined["name"])
        fields = {"names": names, "is_remembered": is_remembered, "books": self.patterns.books, **more}
        return mention_of(self.text, start, end, work, kind, eids, **fields)

    def targets(self, start: int) -> list[Entry]:
        """Return the entries that the numbers after or before a word at `start` name."""
        for form in self.patterns.forms:
            word = form.before.match(self.text, start)
            if word is not None and (number := self.number(form, word.end())):
                written = word.group().strip().lower()
                is_list = not form.several or written in form.several
                if written in form.several:
                    number = self.without_next(number)
                return self.entries(Entry(start, number[1], form, [number[0]], word=written), is_list=is_list)
            if word is None and NEVER not in form.behind.pattern and (number := self.number(form, start)):
                targets = self.entries(Entry(start, number[1], form, [number[0]]), is_list=True)
                if word := form.behind.match(self.text, targets[-1].end):
                    # the levels that follow the word are of the last: "3 § andra stycket"
                    last = replace(targets.pop(), end=word.end(), word=word.group().strip().lower())
                    return [*targets, *self.below(last)]
        return self.only(start)

    def number(self, form: Form, position: int) -> tuple[str, int] | None:
        """Return the number at `position` and its end; in "6 i förordningen" the letter is not part of the number."""
        match = form.number.match(self.text, position)
        if match is None:
            return None
        if spelled := form.ordinals.get(match.group().lower()):
            return str(spelled), match.end()
        apart = _LETTER_APART.search(match.group())
        if apart and self.patterns.act_behind.match(self.text, match.start() + apart.start()):
            return match.group()[: apart.start()], match.start() + apart.start()
        number = _ORDINAL_MARK.sub("", match.group()) if form.ordinals else match.group()
        return number.strip("()").rstrip(".º"), match.end()

    def without_next(self, number: tuple[str, int]) -> tuple[str, int]:
        """Return a number behind a word for several without the letter that means the next one: "§§ 119 f BGB", not "§§ 312 f, 312 g"."""
        digits, _, letter = number[0].partition(" ")
        is_level = bool(letter) and any(
            level.adds_next and level.pattern.match(self.text, number[1] - len(letter))
            for level in self.patterns.levels.levels
        )
        goes_on = re.compile(rf"[^\d§]{{1,6}}{re.escape(digits)} ?[a-z](?!\w)").match(self.text, number[1])
        return (digits, number[1] - len(letter) - 1) if is_level and goes_on is None else number

    def below(self, target: Entry) -> list[Entry]:
        """Return `target` with the levels after it: one entry for each entry of a list of levels."""
        act = self.patterns.act_behind
        found = self.patterns.levels.below(self.text, target.start, target.end, act, target.cited)
        return [
            replace(
                target,
                start=branch.start,
                end=branch.end,
                below=branch.segments,
                numbers=[*target.numbers, *next_number(target.numbers[-1])] if branch.has_next else target.numbers,
            )
            for branch in found
        ]

    def entries(self, first: Entry, *, is_list: bool) -> list[Entry]:
        """Return an entry for each entry of a list that begins with `first`, with all the numbers of a range."""
        targets = self.below(first)
        while between := self.patterns.between.match(self.text, targets[-1].end):
            if not (following := self.following(targets, between, is_list=is_list)):
                return targets
            targets += following
        return targets

    def following(self, targets: list[Entry], between: re.Match[str], *, is_list: bool) -> list[Entry]:
        """Return the entries after `between`: further levels of the last provision, another provision, or the end of a range, which
        replaces the last target. Empty if there are none."""
        last, at = targets[-1], between.end()
        is_range = between["range"] is not None
        if is_range and (number := self.number(last.form, at)) and last.below == [[]]:
            numbers = [*last.numbers, *number_range(last.numbers[-1], number[0])[1:]]
            return self.below(replace(targets.pop(), end=number[1], numbers=numbers))
        if not is_range and (led := self.below_levels(at, self.named)):
            return led
        if continued := self.continued(targets, at, is_range=is_range):
            return continued
        if named := self.named(at):
            return named
        number = self.number(last.form, at)
        if number is None or is_range:
            return []
        is_word = self.text[at : number[1]].lower() in last.form.ordinals
        if is_word and (not is_list or _NOUN_BEHIND.match(self.text, number[1])):
            return []
        found = self.below(replace(last, start=at, end=number[1], numbers=[number[0]], is_later=True))
        if above := level_above(last, number[0], found):
            return above
        # After a word for one provision, another number is a provision only with letters before it ("L. 521-17"), or with a level or an Act
        # after it ("art. 310 en 311 lid 1 Sr").
        is_provision = (
            is_list
            or number[0][0].isalpha()
            or found[0].below != [[]]
            or self.patterns.act_behind.match(self.text, found[-1].end)
        )
        return found if is_provision else []

    def continued(self, targets: list[Entry], at: int, *, is_range: bool) -> list[Entry]:
        """Return levels of the last provision that continue a list: "(b)" of "6(1)(a) and (b)", "Abs. 3" of "Abs. 1, Abs. 3". The end of
        a range, and a level without an eid ("Satz 2"), extend the last target."""
        last = targets[-1]
        found: list[Branch] = self.patterns.levels.below(self.text, at, at, self.patterns.act, last.cited)
        if found[0].end == at or not last.below[-1]:
            return []
        first = found[0].segments[0]
        if names_division(first) and last.form.kind != SCHEDULE and not any(map(names_division, last.below)):
            return []  # "CPR 3.4 and Part 36"
        if not first:
            return [replace(targets.pop(), end=found[0].end)]
        kept = last.below[-1]
        depth = depth_of(kept, first, in_brackets=self.text[at] == "(")
        if is_range:
            return [with_range(targets.pop(), found[0], depth)] if depth < len(kept) and len(found) == 1 else []
        out = []
        for branch in found:
            below = [[*kept[:depth], *in_kind(segments, kept[depth:])] for segments in branch.segments]
            out.append(replace(last, start=branch.start, end=branch.end, numbers=last.numbers[-1:], below=below))
        return out

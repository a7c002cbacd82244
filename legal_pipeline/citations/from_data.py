"""The grammar of a country that is only data: a word for a provision before or behind its number, and the Act behind or before both.

The country's `provisions` give the words, `citations` what joins them, how Acts are numbered and what levels stand below a provision,
`works` the names of Acts. Not here: forms of citing that need code (`jurisdictions/<code>/citations.py`), and the common law's
(`sections_and_acts`).
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from legal_pipeline.citations.acts_in_data import NumberedWork, any_of, in_group, numbered_works, without_groups
from legal_pipeline.citations.country import Country, Scanner
from legal_pipeline.citations.levels import Branch, Levels, compile_levels
from legal_pipeline.citations.mention import EARLIER, OWN, SECTION, UNKNOWN, UNSAID, Mention, Work, known, mention_of
from legal_pipeline.citations.model import Kind
from legal_pipeline.citations.provisions import expand, segment
from legal_pipeline.citations.works import names
from legal_pipeline.errors import ConfigurationError

_NUMBER = r"\d{1,4}(?:[ -]?[A-Za-z](?![^\W_]))?"
_LETTER_APART = re.compile(r" [A-Za-z]$")
_SENTENCE_END = re.compile(r"[.;!?\n]\s|\n")
#: A number of a provision that begins with that of its book or chapter: "6:74", "3-1".
#: The book that the number of a provision begins with.
_BOOK = re.compile(r"(?P<book>\d+)[.:](?=\d)")
_CHAPTERED = re.compile(r"(\d+[A-Za-z]?[:-])(\d.*)")
_NEVER = r"(?!)"


def scanner(country: Country, more: Sequence[NumberedWork] = ()) -> Scanner:
    """Finds what a text cites, in order, with the words, numbers and names in the data of `country`, and works numbered as in `more`.

    Raises `ConfigurationError` where a table lacks an entry, or a pattern is not a regular expression.
    """
    try:
        return functools.partial(_find, _compile(country, more))
    except (re.error, KeyError, AttributeError, TypeError) as error:
        raise ConfigurationError(
            f"jurisdiction {country.code}: {type(error).__name__} {error} in `citations`, `provisions` or `works` (expected: tables as in "
            "docs/extending.md; each of `citations.numbers` with a `pattern` and a `work` that names groups of the pattern)"
        ) from error


@dataclass(frozen=True, slots=True)
class _Form:
    """A kind of provision: the letters of its eids, its numbers, and the words that stand before them and behind them.

    `several` are the words behind which a list of numbers stands, where the language has words of its own for that ("§§").
    """

    kind: str
    number: re.Pattern[str]
    before: re.Pattern[str]
    behind: re.Pattern[str]
    several: frozenset[str]
    #: Whether it is of the Act last named in the sentence where no Act is named with it: recitals.
    of_last: bool
    #: The work of a word that names it: "CPR 3.4".
    work: str | None


@dataclass(frozen=True, slots=True)
class _Patterns:
    """`anchor` finds where a citation may begin; the others read on from there."""

    anchor: re.Pattern[str]
    forms: Sequence[_Form]
    levels: Levels
    #: What stands between two entries of an expression: a range or a list.
    between: re.Pattern[str]
    act: re.Pattern[str]
    #: An Act with what joins it to the provision before it; what joins an Act to the provision behind it.
    act_behind: re.Pattern[str]
    joins_behind: re.Pattern[str]
    #: What joins levels to the provision behind them ("point (f) of Article 6"), and the words for the citing provision.
    joins_before: re.Pattern[str]
    this: re.Pattern[str]
    #: What a number of a provision may be of that is not law: "of the lease".
    not_law: re.Pattern[str]
    works: Mapping[str, str]
    #: Name of the group in `act` -> form of the work's URI.
    numbered: Mapping[str, NumberedWork]
    #: Beginnings of the eids of provisions that are of the Act last named in the sentence.
    of_last: tuple[str, ...]
    #: Code -> number of a book -> the work that the book is.
    books: Mapping[str, Mapping[str, str]]


@dataclass(slots=True)
class _Target:
    """An entry of a list: the provisions that it names, and the word that it was read with."""

    start: int
    end: int
    form: _Form
    numbers: list[str]
    below: list[list[str]] = field(default_factory=lambda: [[]])

    @property
    def eids(self) -> list[str]:
        heads = [segment(self.form.kind, number) for number in self.numbers]
        return ["__".join((head, *below)) for head in heads for below in self.below]


def _compile(country: Country, more: Sequence[NumberedWork]) -> _Patterns:
    data = country.section("citations")
    works, short = names(country), names(country, "behind_provision")
    own, same = data.get("own", ()), data.get("same", ())
    numbered = {f"form{index}": form for index, form in enumerate((*more, *numbered_works(country)))}
    unknown = "|".join(data.get("unknown", ())) or _NEVER
    genitive = "".join(f"(?:{any_of(data['genitive'])})?" for _ in (1,) if "genitive" in data)
    behind_name = f"{genitive}{data.get('name_suffix', '')}"
    act = (
        *(in_group(name, form.pattern) for name, form in numbered.items()),
        rf"(?P<own>{any_of(own)})(?!\w)",
        rf"(?P<same>{any_of(same)})(?!\w)",
        rf"(?P<named>{any_of(works)}){behind_name}(?!\w)",
        rf"(?P<short>{any_of(short)}){genitive}(?!\w)",
    )
    forms = [_form(kind, words) for kind, words in country.section("provisions").items()]
    ranges, lists = any_of(data.get("ranges", ("–", "-"))), any_of(data.get("lists", (", ",)))
    levels = compile_levels(data, lists, ranges)
    joins, joins_behind = any_of(data.get("joins", (" ",))), any_of(data.get("joins_behind", (", ",)))
    anchor = (
        *(rf"(?<!\w){form.before.pattern}(?={form.number.pattern})" for form in forms),
        *(_behind(form, f"(?:{ranges}|{lists})") for form in forms if _NEVER not in form.behind.pattern),
        *(rf"(?<![\w/])(?:{without_groups(form.pattern)})" for form in numbered.values()),
        rf"(?<!\w){any_of((*works, *own, *same))}{genitive}(?!\w)",
        *(
            rf"(?<!\w){any_of(short)}(?={joins_behind}{form.before.pattern}{form.number.pattern})"
            for form in forms
            if short
        ),
        *(rf"(?<!\w)(?:{without_groups(level.pattern.pattern)})" for level in levels.levels if data.get("inverted")),
    )
    return _Patterns(
        re.compile("|".join(anchor)),
        forms,
        levels,
        re.compile(rf"(?:(?P<range>{ranges})|{lists})"),
        re.compile("|".join(act)),
        re.compile(rf",?{joins}(?:{'|'.join(act)}|(?P<unknown>{unknown}))"),
        re.compile(joins_behind),
        re.compile(any_of(data.get("inverted", ()))),
        re.compile(any_of(data.get("this", ()))),
        re.compile(rf",?{joins}(?:{'|'.join(data.get('not_law', ())) or _NEVER})"),
        {**works, **short},
        numbered,
        tuple(f"{form.kind}_" for form in forms if form.of_last),
        data.get("books", {}),
    )


def _behind(form: _Form, between: str) -> str:
    """A pattern for the numbers of a form whose word stands behind them, with that word."""
    number = rf"{form.number.pattern}(?: ?\(\w{{1,4}}\))*"
    return rf"(?<![\w(.-]){number}(?:{between}{number}){{0,40}}{form.behind.pattern}"


def _form(kind: str, words: Mapping[str, Any]) -> _Form:
    several = words.get("several", ())
    before = (*words.get("before", ()), *several)
    either_case = (*before, *(word.capitalize() for word in before))
    return _Form(
        kind,
        re.compile(words.get("number", _NUMBER)),
        re.compile(rf"{any_of(either_case)} ?"),
        re.compile(rf" ?{any_of(words.get('after', ()))}(?!\w)"),
        frozenset((*several, *(word.capitalize() for word in several))),
        bool(words.get("of_last")),
        words.get("work"),
    )


def _find(patterns: _Patterns, text: str) -> Iterator[Mention]:
    reader = _Reader(patterns, text)
    position = 0
    last = UNSAID, 0  # the work last named, and where
    while anchor := patterns.anchor.search(text, position):
        found, end = reader.read(anchor.start())
        position = max(end, anchor.start() + 1)
        for mention in found:
            if mention.work.uri and mention.kind != "case":
                last = mention.work, mention.end
            elif mention.work == UNSAID and last[0].uri and not _SENTENCE_END.search(text, last[1], mention.start):
                # outside of a document a bare number is of the Act that the sentence has named; a recital is so anywhere
                is_of_last = mention.eids[0].startswith(patterns.of_last)
                mention = replace(mention, work=last[0] if is_of_last else Work("unsaid", last[0].uri))
            yield mention


@dataclass(frozen=True, slots=True)
class _Reader:
    """Reads on from where a citation begins."""

    patterns: _Patterns
    text: str

    def read(self, start: int) -> tuple[list[Mention], int]:
        """What begins at `start`, and where to read on."""
        act = self.patterns.act.match(self.text, start)
        if act is None:
            return self.provisions(start)
        end = act.end()
        joined = self.patterns.joins_behind.match(self.text, end)
        found, behind = self.provisions(joined.end(), act, start) if joined is not None else ([], end)
        if act["short"] and not found:  # it may be the word of a provision too: "CPR 3.4"
            return self.provisions(start)
        work, kind = self.work(act)
        return (found, behind) if found else ([self.mention(start, end, work, kind)], end)

    def work(self, act: re.Match[str]) -> tuple[Work, Kind]:
        """How `act` names its work, and what that is."""
        if act["same"] or act["own"]:
            return (EARLIER if act["same"] else OWN), "act"
        if name := act["named"] or act["short"]:
            return known(self.patterns.works[name]), "act"
        form = next((group for group in self.patterns.numbered if act[group]), None)
        if form is None:
            return UNKNOWN, "act"
        groups = {
            name.removeprefix(f"{form}_"): value
            for name, value in act.groupdict().items()
            if name.startswith(f"{form}_")
        }
        numbered = self.patterns.numbered[form]
        return known(numbered.uri(groups)), numbered.kind

    def provisions(
        self, start: int, act: re.Match[str] | None = None, begin: int | None = None
    ) -> tuple[list[Mention], int]:
        """The provisions of the expression at `start`, of the Act `act` that stands before it from `begin`, or of one behind it."""
        first = self.patterns.levels.before(self.text, start, self.patterns.act_behind) if act is None else None
        if first is not None and (this := self.patterns.this.match(self.text, first.end)):
            return [self.mention(start, this.end(), SECTION, "provision", ["__".join(first.segments[0])])], this.end()
        joined = self.patterns.joins_before.match(self.text, first.end) if first is not None else None
        targets, position = self.targets(joined.end()) if joined is not None else ([], start)
        if not targets:
            first, (targets, position) = None, self.targets(start)
        if not targets:
            return [], position
        if first is not None:
            targets[0].below = [[*below, *first.segments[0]] for below in targets[0].below]
        if act is None:
            act = self.patterns.act_behind.match(self.text, position)
            if act is None and (self.is_heading(start, targets) or self.patterns.not_law.match(self.text, position)):
                return [], position
            position = act.end() if act is not None else position
        targets[0].start, targets[-1].end = start if begin is None else begin, position
        default = targets[-1].form.work
        work = self.work(act)[0] if act is not None else known(default) if default else UNSAID
        return [self.provision(target, work) for target in targets], position

    def is_heading(self, start: int, targets: Sequence[_Target]) -> bool:
        """Whether a line begins with the number of the provision itself: nothing stands below it but a number in brackets."""
        if start and self.text[start - 1] != "\n":
            return False
        return all(target.below == [[]] or "(" in self.text[target.start : target.end] for target in targets)

    def provision(self, target: _Target, work: Work) -> Mention:
        """Of a code that is a work per book, `3:40` is article 40 of its third book, and `5.69` article 5.69 of its fifth."""
        head = _BOOK.match(target.numbers[0])
        if part := self.patterns.books.get(work.uri or "", {}).get(head["book"]) if head is not None else None:
            work, target.numbers = known(part), [number.rpartition(":")[2] for number in target.numbers]
        return self.mention(target.start, target.end, work, "provision", target.eids)

    def mention(self, start: int, end: int, work: Work, kind: Kind, eids: Sequence[str] = ()) -> Mention:
        """A work known by a number or a name is the one that the text then calls the same."""
        return mention_of(
            self.text,
            start,
            end,
            work,
            kind,
            eids,
            is_remembered=work.by == "uri" and work.uri is not None and kind != "case",
        )

    def targets(self, start: int) -> tuple[list[_Target], int]:
        """What the numbers behind or before a word at `start` name, and where the expression ends."""
        for form in self.patterns.forms:
            word = form.before.match(self.text, start)
            if word is not None and (number := self.number(form, word.end())):
                targets = self.entries(form, start, number, not form.several or word.group().strip() in form.several)
                return targets, targets[-1].end
            if word is None and _NEVER not in form.behind.pattern and (number := self.number(form, start)):
                targets = self.entries(form, start, number, True)
                if behind := form.behind.match(self.text, targets[-1].end):
                    return self.levels_behind(targets, behind.end())
        return [], start

    def levels_behind(self, targets: list[_Target], position: int) -> tuple[list[_Target], int]:
        """`targets`, the last with what stands below it behind its word: "3 § andra stycket"."""
        last = targets.pop()
        targets += self.below(last.form, last.start, position, last.numbers)
        return targets, targets[-1].end

    def number(self, form: _Form, position: int) -> tuple[str, int] | None:
        """The number at `position` and its end; the letter of "6 i förordningen" does not belong to it."""
        match = form.number.match(self.text, position)
        if match is None:
            return None
        apart = _LETTER_APART.search(match.group())
        if apart and self.patterns.act_behind.match(self.text, match.start() + apart.start()):
            return match.group()[: apart.start()], match.start() + apart.start()
        return match.group().strip("()"), match.end()

    def below(self, form: _Form, start: int, position: int, numbers: list[str]) -> list[_Target]:
        """A target for `numbers`, or one for each entry of the levels that stand at `position`."""
        word = form.before.match(self.text, start)
        named = word.group().strip().lower() if word else ""
        found = self.patterns.levels.below(self.text, start, position, self.patterns.act_behind, named)
        return [_Target(branch.start, branch.end, form, numbers, branch.segments) for branch in found]

    def entries(self, form: _Form, start: int, number: tuple[str, int], is_list: bool) -> list[_Target]:
        """A target for each entry of a list from `number` on, with all the numbers of a range."""
        targets = self.below(form, start, number[1], [number[0]])
        while between := self.patterns.between.match(self.text, targets[-1].end):
            if not (following := self.following(targets, between, is_list)):
                return targets
            targets += following
        return targets

    def following(self, targets: list[_Target], between: re.Match[str], is_list: bool) -> list[_Target]:
        """The entry behind `between`: further levels of the last provision, another provision, or the end of a range. Empty where
        there is none."""
        last, at = targets[-1], between.end()
        if between["range"] and (number := self.number(last.form, at)) and last.below == [[]]:
            last.numbers += _range(last.numbers[-1], number[0])[1:]
            last.end = number[1]
            return self.again(targets)
        if continued := self.continued(last, at):
            return continued
        for form in self.patterns.forms:
            word = form.before.match(self.text, at)
            if word is not None and (number := self.number(form, word.end())):
                return self.below(form, at, number[1], [number[0]])
        number = self.number(last.form, at)
        if number is None or not is_list or between["range"]:
            return []
        return self.below(last.form, at, number[1], [number[0]])

    def again(self, targets: list[_Target]) -> list[_Target]:
        """The last target once more, now that its range has ended, with the levels behind it."""
        last = targets.pop()
        return self.below(last.form, last.start, last.end, last.numbers)

    def continued(self, last: _Target, at: int) -> list[_Target]:
        """Levels of the provision `last` that stand behind it in a list: "(b)" of "6(1)(a) and (b)", "Abs. 3" of "Abs. 1, Abs. 3"."""
        found: list[Branch] = self.patterns.levels.below(self.text, at, at, self.patterns.act)
        if not found[0].segments[0] or not last.below[-1]:
            return []
        kept = last.below[-1]
        depth = _depth(kept, found[0].segments[0], in_brackets=self.text[at] == "(")
        out = []
        for branch in found:
            below = [[*kept[:depth], *segments] for segments in branch.segments]
            out.append(_Target(branch.start, branch.end, last.form, last.numbers[-1:], below))
        return out


def _range(first: str, last: str) -> list[str]:
    """Numbers from `first` to `last`; of `6:74` to `6:76` or `3-1` to `3-4` the chapter or book is the same."""
    one, other = _CHAPTERED.match(first), _CHAPTERED.match(last)
    if one is None or other is None:
        return expand(first, last)
    return [f"{one[1]}{number}" for number in expand(one[2], other[2])] if one[1] == other[1] else [first, last]


def _depth(known: list[str], following: list[str], *, in_brackets: bool) -> int:
    """How many of the levels `known` hold for the entry `following` of the same list: those above its own."""
    kind = following[0].partition("_")[0]
    if in_brackets:
        return max(0, len(known) - len(following))
    return next((index for index, name in enumerate(known) if name.partition("_")[0] == kind), len(known))

"""The grammar of a country that is only data: a word for a provision before or behind its number, and the Act behind or before both.

The country's `provisions` give the words, `citations` what joins them and how Acts are numbered, `works` the names of Acts. Not here:
forms of citing that need code (`jurisdictions/<code>/citations.py`), and the common law's (`sections_and_acts`).
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from legal_pipeline.citations.country import Country, Scanner
from legal_pipeline.citations.mention import EARLIER, OWN, UNSAID, Mention, Work, known, mention_of
from legal_pipeline.citations.model import Kind
from legal_pipeline.citations.provisions import bracketed, expand, join, segment
from legal_pipeline.citations.works import alternation, names
from legal_pipeline.errors import ConfigurationError

_NUMBER = r"\d{1,4}(?:[ -]?[A-Za-z](?![^\W_]))?"
_PINNED = rf"{_NUMBER}(?: ?\(\w{{1,4}}\))*"
_HEAD = re.compile(rf"(?P<number>{_NUMBER})(?P<pins>.*)")
_FIRST = re.compile(_PINNED)
_GROUP = re.compile(r"\(\?P<(\w+)>")
_NEVER = r"(?!)"


def scanner(country: Country) -> Scanner:
    """Finds what a text cites, in order, with the words, numbers and names in the data of `country`.

    Raises `ConfigurationError` where a table lacks an entry, or a pattern is not a regular expression.
    """
    try:
        return functools.partial(_find, _compile(country))
    except (re.error, KeyError, AttributeError, TypeError) as error:
        raise ConfigurationError(
            f"jurisdiction {country.code}: {type(error).__name__} {error} in `citations`, `provisions` or `works` (expected: tables as in "
            "docs/extending.md; each of `citations.numbers` with a `pattern` and a `work` that names groups of the pattern)"
        ) from error


@dataclass(frozen=True, slots=True)
class _Form:
    """A kind of provision: the letters of its eids, and the words that stand before its numbers and behind them."""

    kind: str
    before: re.Pattern[str]
    behind: re.Pattern[str]


@dataclass(frozen=True, slots=True)
class _Patterns:
    """`anchor` finds where a citation may begin; the others read on from there."""

    anchor: re.Pattern[str]
    forms: Sequence[_Form]
    #: Another number of the same expression: a range or a list.
    next_number: re.Pattern[str]
    act: re.Pattern[str]
    #: An Act with what joins it to the provision before it; what joins an Act to the provision behind it.
    act_behind: re.Pattern[str]
    joins_behind: re.Pattern[str]
    works: Mapping[str, str]
    #: Name of the group in `act` -> form of the work's URI.
    numbered: Mapping[str, str]


@dataclass(slots=True)
class _Target:
    start: int
    end: int
    eids: list[str] = field(default_factory=list)


def _compile(country: Country) -> _Patterns:
    data = country.section("citations")
    works, short = names(country), names(country, "behind_provision")
    own, same = data.get("own", ()), data.get("same", ())
    numbered = {f"form{index}": form for index, form in enumerate(data.get("numbers", ()))}
    for form in numbered.values():
        # an unknown group name fails here, when the country is loaded, and not in the middle of a document
        form["work"].format(**re.compile(form["pattern"]).groupindex)
    act = (
        *(_in_group(name, form["pattern"]) for name, form in numbered.items()),
        rf"(?P<own>{_any(own)})(?!\w)",
        rf"(?P<same>{_any(same)})(?!\w)",
        rf"(?P<named>{_any(works)})(?!\w)",
        rf"(?P<short>{_any(short)})(?!\w)",
    )
    forms = [_form(kind, words) for kind, words in country.section("provisions").items()]
    ranges, lists = _any(data.get("ranges", ("–", "-"))), _any(data.get("lists", (", ",)))
    anchor = (
        *(rf"(?<!\w){form.before.pattern}\d" for form in forms),
        *(
            rf"(?<![\w(.-]){_PINNED}(?:(?:{ranges}|{lists}){_PINNED}){{0,40}}{form.behind.pattern}"
            for form in forms
            if _NEVER not in form.behind.pattern
        ),
        *(rf"(?<!\w)(?:{_GROUP.sub('(?:', form['pattern'])})" for form in numbered.values()),
        rf"(?<!\w){_any((*works, *own, *same))}(?!\w)",
    )
    return _Patterns(
        re.compile("|".join(anchor)),
        forms,
        re.compile(rf"(?:(?P<range>{ranges})|{lists})(?P<number>{_PINNED})"),
        re.compile("|".join(act)),
        re.compile(rf"{_any(data.get('joins', (' ',)))}(?:{'|'.join(act)})"),
        re.compile(_any(data.get("joins_behind", (", ",)))),
        {**works, **short},
        {name: form["work"] for name, form in numbered.items()},
    )


def _in_group(name: str, pattern: str) -> str:
    """`pattern` as the group `name`, its own groups named after it, so that several stand beside each other."""
    return rf"(?P<{name}>{_GROUP.sub(lambda group: f'(?P<{name}_{group[1]}>', pattern)})"


def _any(words: Iterable[str]) -> str:
    return f"(?:{alternation(words) or _NEVER})"


def _form(kind: str, words: Mapping[str, Any]) -> _Form:
    before = words.get("before", ())
    either_case = (*before, *(word.capitalize() for word in before))
    return _Form(kind, re.compile(rf"{_any(either_case)} ?"), re.compile(rf" ?{_any(words.get('after', ()))}(?!\w)"))


def _find(patterns: _Patterns, text: str) -> Iterator[Mention]:
    reader = _Reader(patterns, text)
    position = 0
    while anchor := patterns.anchor.search(text, position):
        found, end = reader.read(anchor.start())
        position = max(end, anchor.start() + 1)
        yield from found


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
        if act["short"]:
            return [], end
        joined = self.patterns.joins_behind.match(self.text, end)
        found, behind = self.provisions(joined.end(), act, start) if joined is not None else ([], end)
        return (found, behind) if found else ([self.mention(start, end, self.work(act), "act")], end)

    def work(self, act: re.Match[str]) -> Work:
        """How `act` names its work."""
        if act["same"] or act["own"]:
            return EARLIER if act["same"] else OWN
        if name := act["named"] or act["short"]:
            return known(self.patterns.works[name])
        form = next(group for group in self.patterns.numbered if act[group])
        groups = {name.removeprefix(f"{form}_"): value for name, value in act.groupdict().items()}
        return known(self.patterns.numbered[form].format(**groups))

    def provisions(
        self, start: int, act: re.Match[str] | None = None, begin: int | None = None
    ) -> tuple[list[Mention], int]:
        """The provisions of the expression at `start`, of the Act `act` that stands before it from `begin`, or of one behind it."""
        targets, position = self.targets(start)
        if not targets:
            return [], position
        if act is None:
            act = self.patterns.act_behind.match(self.text, position)
            if act is None and (not start or self.text[start - 1] == "\n"):
                return [], position  # the number of the provision itself
            position = act.end() if act is not None else position
        targets[0].start, targets[-1].end = start if begin is None else begin, position
        work = self.work(act) if act is not None else UNSAID
        return [self.mention(target.start, target.end, work, "provision", target.eids) for target in targets], position

    def mention(self, start: int, end: int, work: Work, kind: Kind, eids: Sequence[str] = ()) -> Mention:
        """A work known by a number or a name is the one that the text then calls the same."""
        return mention_of(self.text, start, end, work, kind, eids, is_remembered=work.by == "uri")

    def targets(self, start: int) -> tuple[list[_Target], int]:
        """What the numbers behind or before a word at `start` name, and where the expression ends."""
        for form in self.patterns.forms:
            word = form.before.match(self.text, start)
            if word is not None and (first := _FIRST.match(self.text, word.end())):
                return self.numbers(form.kind, first)
            if word is None and (first := _FIRST.match(self.text, start)):
                targets, end = self.numbers(form.kind, first)
                if behind := form.behind.match(self.text, end):
                    return targets, behind.end()
        return [], start

    def numbers(self, kind: str, first: re.Match[str]) -> tuple[list[_Target], int]:
        """A target for each number of a list from `first` on, with all the numbers of a range."""
        last, end = first.group(), first.end()
        targets = [_Target(first.start(), end, [_eid(kind, last)])]
        while following := self.patterns.next_number.match(self.text, end):
            number, end = following["number"], following.end()
            if following["range"] and "(" not in last + number:
                targets[-1].eids += [_eid(kind, each) for each in expand(last, number)[1:]]
                targets[-1].end = end
            else:
                targets.append(_Target(following.start("number"), end, [_eid(kind, number)]))
            last = number
        return targets, end


def _eid(kind: str, number: str) -> str:
    head = _HEAD.fullmatch(number)
    assert head is not None
    return join(segment(kind, head["number"]), *bracketed(head["pins"])) or ""

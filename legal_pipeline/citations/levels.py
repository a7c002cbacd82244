"""Levels below a provision as print names them: "Abs. 1 lit. f", "første ledd bokstav a", "lid 1, onder b", "(1)(f)", "6.1 f".

The words stand in a country's `citations.levels`, one table per level: `kind` (the letters of its eid; "" for a level that eids do not
name, such as a sentence), `before` and `after` (words before and behind its number), `number` (a pattern) and `ordinals` (the language
whose first, second, third it is counted with). Not here: provisions and Acts (`from_data`).
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from legal_pipeline.citations.provisions import bracketed, expand, segment
from legal_pipeline.citations.works import alternation
from legal_pipeline.languages.language import language

_BRACKETS = re.compile(r"(?: ?\((?:\d{1,3}[A-Za-z]{0,2}|[a-z]{1,4}|[A-Z]{1,3})\))+")
_ONE_BRACKET = re.compile(r"\((\w{1,5})\)")
#: "6.1 f", "6.1.f": a paragraph, and a letter of it.
_COMPACT = re.compile(r"\.(?P<paragraph>\d{1,2})(?![\d:/])(?:[. ]?(?P<letter>[a-z])(?:\)|(?!\w)))?")
_NUMBER = r"\(?\d{1,3}(?: ?[a-z](?!\w))?\)?"
_NEVER = r"(?!)"


@dataclass(frozen=True, slots=True)
class _Level:
    """`pattern` reads the whole level with its numbers in the group `list`; `number` a single number."""

    kind: str
    pattern: re.Pattern[str]
    number: re.Pattern[str]
    ordinals: Mapping[str, int]
    #: The words of a provision, in lower case, behind which alone it is this level; empty for any.
    of: frozenset[str] = frozenset()


@dataclass(slots=True)
class Branch:
    """What an entry of a list names: `segments` below the provision, and where its words begin and end.

    A range ("Abs. 1–3") has one list of segments per number.
    """

    start: int
    end: int
    segments: list[list[str]] = field(default_factory=lambda: [[]])

    def add(self, segments: Sequence[str], end: int) -> None:
        self.segments = [[*known, *segments] for known in self.segments]
        self.end = end


@dataclass(frozen=True, slots=True)
class Levels:
    """The levels of a country; `joins` stand between two of them, `lists` and `ranges` between their numbers."""

    levels: tuple[_Level, ...]
    joins: re.Pattern[str]
    lists: re.Pattern[str]
    ranges: re.Pattern[str]
    is_compact: bool
    reads_brackets: bool

    def below(self, text: str, start: int, position: int, act: re.Pattern[str], word: str = "") -> list[Branch]:
        """What stands behind the number of a provision that begins at `start` and ends at `position`; one branch without segments where
        that is nothing. `act` says where an Act begins: "6.1 i förordningen" has no letter i. `word` is the provision's, in lower case."""
        branches = [Branch(start, position)]
        if self.is_compact and (compact := _COMPACT.match(text, position)):
            names = [segment("subsec", compact["paragraph"])]
            end = compact.end("paragraph")
            if compact["letter"] and not act.match(text, end):
                names.append(segment("item", compact["letter"]))
                end = compact.end()
            branches[-1].add(names, end)
        if self.reads_brackets and (brackets := _BRACKETS.match(text, branches[-1].end)):
            pins = brackets.group()
            known = branches[-1].segments[0]
            branches[-1].add(
                bracketed(pins) if not known else [segment("item", pin) for pin in _ONE_BRACKET.findall(pins)],
                brackets.end(),
            )
        while True:
            at = branches[-1].end
            joined = self.joins.match(text, at)
            places = ((joined.end(),) if joined else ()) + (at,)
            if act.match(text, at) or not any(self._level(text, place, branches, act, word) for place in places):
                return branches

    def _level(self, text: str, position: int, branches: list[Branch], act: re.Pattern[str], word: str = "") -> bool:
        """Reads one level at `position` into `branches`; False where there is none. A list ends where an Act follows."""
        for level in self.levels:
            match = level.pattern.match(text, position) if not level.of or word in level.of else None
            if match is None:
                continue
            numbers = self._numbers(match["list"], level) if "list" in match.re.groupindex and match["list"] else []
            offset = match.start("list") if numbers else position
            base = [list(known) for known in branches[-1].segments]
            for index, (low, high, names) in enumerate(numbers):
                if index and act.match(text, branches[-1].end):
                    return True
                if index:
                    branches.append(Branch(offset + low, offset + high, [list(known) for known in base]))
                if level.kind:
                    branches[-1].segments = [[*known, name] for known in base for name in names]
                branches[-1].end = offset + high
            branches[-1].end = match.end()
            return True
        return False

    def _numbers(self, listed: str, level: _Level) -> list[tuple[int, int, list[str]]]:
        """(start, end, segments) of the numbers of a list."""
        found: list[tuple[int, int, list[str]]] = []
        for match in level.number.finditer(listed):
            written = match.group()
            number = str(level.ordinals.get(written.lower(), written.partition("(")[0].strip("()°. ")))
            pins = _ONE_BRACKET.findall(written) if written.endswith(")") and "(" in written else []
            between = listed[found[-1][1] : match.start()] if found else ""
            if found and self.ranges.fullmatch(between):
                low, _, names = found.pop()
                first = names[-1].partition("_")[2]
                found.append(
                    (low, match.end(), [*names[:-1], *(segment(level.kind, each) for each in expand(first, number))])
                )
            else:
                found.append((match.start(), match.end(), [_with_pins(level.kind, number, pins)]))
        return found

    def before(self, text: str, position: int, act: re.Pattern[str]) -> Branch | None:
        """Levels that stand before their provision, the innermost first ("point (f) of paragraph 1"); None where none begins here."""
        found: list[list[str]] = []
        branch, end = [Branch(position, position)], position
        while self._level(text, end, branch, act):
            if len(branch) > 1:
                return None
            found.append(branch[0].segments[0])
            end = branch[0].end
            joined = self.joins.match(text, end)
            branch = [Branch(position, end)]
            end = joined.end() if joined else end
        if not found:
            return None
        return Branch(position, branch[0].end, [[name for names in reversed(found) for name in names]])


def _with_pins(kind: str, number: str, pins: Sequence[str]) -> str:
    """`5(1)` of a paragraph, `(1)(a)` of a subsection: the number, and what is below it."""
    if not number and pins:
        number, pins = pins[0], pins[1:]
    return "__".join((segment(kind, number), *bracketed("".join(f"({pin})" for pin in pins), kind)))


def compile_levels(data: Mapping[str, Any], lists: str, ranges: str) -> Levels:
    """The levels of a country's `citations`; `lists` and `ranges` are patterns. Raises `KeyError` for a level without `kind`."""
    rows: Iterable[Mapping[str, Any]] = data.get("levels", ())
    levels = tuple(_level(row, f"(?:{lists}|{ranges})") for row in rows)
    joins = alternation(data.get("level_joins", (" ", ", "))) or _NEVER
    return Levels(
        levels,
        re.compile(f"(?:{joins})"),
        re.compile(lists),
        re.compile(ranges),
        bool(data.get("compact")),
        bool(data.get("brackets", True)),
    )


def _level(row: Mapping[str, Any], between: str) -> _Level:
    ordinals: dict[str, int] = {}
    for code in row.get("ordinals", ()):
        ordinals |= language(code).ordinals
    number = row.get("number", "" if ordinals else _NUMBER)
    either_case = (*ordinals, *(word.capitalize() for word in ordinals))
    item = "|".join(part for part in (alternation(either_case), number) if part) or _NEVER
    listed = rf"(?P<list>(?:{item})(?:{between}(?:{item})(?!\w)){{0,20}})"
    if before := row.get("before", ()):
        words = alternation((*before, *(word.capitalize() for word in before)))
        pattern = rf"(?:{words})(?!\w)" if row.get("alone") else rf"(?:{words}) ?{listed}(?!\w)"
    else:
        pattern = rf"(?<!\w){listed}\.? ?(?:{alternation(row['after'])})(?!\w)"
    return _Level(
        row["kind"],
        re.compile(pattern),
        re.compile(rf"(?<!\w)(?:{item})(?!\w)"),
        ordinals,
        frozenset(row.get("of", ())),
    )


@functools.cache
def months(code: str) -> dict[str, str]:
    """Names of months in a language, with every form in lower case, to "01" … "12"."""
    listed = language(code).section("dates").get("months", ())
    return {form.rstrip(".").lower(): f"{number:02}" for number, forms in enumerate(listed, 1) for form in forms}

"""The grammar of languages that print a sign before a number and a word behind it, the outermost level first: "民法第十条の二第一項".

Keys of a language's `citations`:

- `levels`: the levels in their order, the provision first: `kind`, `words` behind the number, and `number`, a pattern, if it is not counted
  in figures or Han numerals
- `sign`, `inserted`, `range_ends`: those of its headings (`[provisions]`)
- `own`, `same`, `named`: patterns of the words directly before a citation that mean the citing work, the work named last and another work
- `said`: those for the provision cited last
- `elsewhere`: those for a provision that cannot be known here ("前条第二項")
- `bare`: after these words a provision needs no sign ("民法709条")
- `amends`: after these words, and before the next article, provisions without a work are of the amended one

Not here: languages whose words are before their numbers (`from_data`).
"""

from __future__ import annotations

import bisect
import functools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from legal_pipeline.citations.acts_in_data import NEVER, any_of
from legal_pipeline.citations.country import Country, Scanner
from legal_pipeline.citations.entries import number_range
from legal_pipeline.citations.mention import EARLIER, OWN, SECTION, UNKNOWN, UNSAID, Mention, Target, Work, mentions_of
from legal_pipeline.citations.provisions import segment
from legal_pipeline.citations.sentences import paragraph_start
from legal_pipeline.numbering.numerals import HAN_SIGNS, han_value

FAMILY = "chained"
_NUMBER = rf"[{HAN_SIGNS}]{{1,9}}|\d{{1,4}}(?!\d)"
#: Number of characters before a citation that are searched for the name of its work.
_LONGEST_NAME = 60
#: A provision's own number is followed by a space or a heading in brackets; a reference at a line start goes on.
_LABEL_ENDS = re.compile(r"[\s\u3000(（【\[]|$")


class _Level:
    """A level, from its table in the data: the patterns of its number with the level's `sign`, and without it."""

    def __init__(self, row: Mapping[str, Any], sign: str) -> None:
        counted = rf"[（(]?(?P<number>{row.get('number', _NUMBER)})[）)]?\s?{any_of(row['words'])}"
        self.kind: str = row["kind"]
        self.signed = re.compile(rf"{sign}\s?{counted}")
        self.bare = re.compile(counted)


class _Patterns:
    """The patterns of a language, from its `citations`."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        def before(name: str) -> re.Pattern[str]:
            return re.compile(rf"(?:{data.get(name, NEVER)})[ \u3000]?$")

        sign, words = re.escape(data["sign"]), any_of(data["levels"][0]["words"])
        self.anchor = re.compile(rf"{sign}\s?[（(]?(?:{_NUMBER})|(?:{data.get('bare', NEVER)})(?:{_NUMBER})\s?{words}")
        self.levels = [_Level(row, sign) for row in data["levels"]]
        self.inserted = re.compile(rf"\s?{any_of(data.get('inserted', ()))}\s?(?P<number>{_NUMBER})")
        self.ranges = re.compile(rf"\s?{any_of(data.get('ranges', ()))}\s?")
        self.lists = re.compile(rf"\s?{any_of(data.get('lists', ()))}\s?")
        self.range_ends = re.compile(rf"\s?{any_of(data.get('range_ends', ()))}")
        self.own = before("own")
        self.same = before("same")
        self.named = before("named")
        self.said = before("said")
        self.elsewhere = before("elsewhere")
        #: Words of an amendment, or the label of a provision, which ends it.
        self.amends = re.compile(
            rf"(?P<amends>{data.get('amends', NEVER)})|\n{sign}\s?(?:{_NUMBER})\s?{words}(?=[\s(（])"
        )


def scanner(country: Country) -> Scanner:
    """Return the scanner made from the levels and words in the data of `country`."""
    return functools.partial(_mentions, _Patterns(country.section("citations")))


def _mentions(patterns: _Patterns, text: str) -> Iterator[Mention]:
    reader = _Reader(patterns, text)
    position = 0
    while anchor := patterns.anchor.search(text, position):
        found, end = reader.read(anchor.start())
        position = max(end, anchor.start() + 1)
        yield from found


@dataclass(slots=True)
class _Chain:
    """A citation: its levels from the first one on, as (depth, number)."""

    start: int
    end: int
    levels: list[tuple[int, str]]


@dataclass(frozen=True)
class _Reader:
    """Reads one text from the positions where a citation may begin."""

    patterns: _Patterns
    text: str

    @functools.cached_property
    def _amendments(self) -> list[tuple[int, bool]]:
        """Offsets where an amendment begins (True) or a provision (False)."""
        return [(match.start(), match["amends"] is not None) for match in self.patterns.amends.finditer(self.text)]

    def is_amending(self, position: int) -> bool:
        """Whether the text at `position` amends another work."""
        place = bisect.bisect_right(self._amendments, (position, True))
        return place > 0 and self._amendments[place - 1][1]

    def read(self, start: int) -> tuple[list[Mention], int]:
        """Return the mentions of the list that begins at `start`, and its end."""
        chain = self.chain(start, is_first=True)
        if chain is None:
            return [], start
        begin, work = self.work(start, is_level=chain.levels[0][0] > 0)
        targets = [] if work is None else [Target(begin, chain.end, [self.eid(chain.levels)])]
        last, end = chain, chain.end
        while work is not None:
            between = self.patterns.ranges.match(self.text, end) or self.patterns.lists.match(self.text, end)
            following = self.chain(between.end()) if between is not None else None
            if between is None or following is None or following.levels[0][0] < chain.levels[0][0]:
                break
            depth = following.levels[0][0]
            levels = [*(level for level in last.levels if level[0] < depth), *following.levels]
            if between.re is self.patterns.ranges:
                closing = self.patterns.range_ends.match(self.text, following.end)
                targets[-1].end = end = closing.end() if closing is not None else following.end
                targets[-1].eids += self.between(last.levels, levels)
            else:
                targets.append(Target(following.start, following.end, [self.eid(levels)]))
                end = following.end
            last = _Chain(following.start, end, levels)
        if work is None:
            return [], end
        if (
            len(chain.levels) == 1
            and begin == paragraph_start(self.text, begin)
            and _LABEL_ENDS.match(self.text, targets[0].end)
        ):
            targets[0].opening = begin
        must_exist = work.by == "section"
        return mentions_of(self.text, targets, work, is_remembered=work.by == "uri", must_exist=must_exist), end

    def work(self, start: int, *, is_level: bool) -> tuple[int, Work | None]:
        """Return where the citation at `start` begins with the words for its work, and the work; None where it cannot be known."""
        patterns, low = self.patterns, max(0, start - _LONGEST_NAME)
        if patterns.elsewhere.search(self.text, low, start):
            return start, None
        if said := patterns.said.search(self.text, low, start):
            found = Work("provision", since=paragraph_start(self.text, start))
            return (said.start(), found) if is_level else (start, None)
        if is_level:
            return (start, None) if self.is_amending(start) else (start, SECTION)
        if own := patterns.own.search(self.text, low, start):
            return own.start(), OWN
        if patterns.same.search(self.text, low, start):
            return start, EARLIER
        is_other = patterns.named.search(self.text, low, start) or self.is_amending(start)
        return start, UNKNOWN if is_other else UNSAID

    def chain(self, start: int, *, is_first: bool = False) -> _Chain | None:
        """Return the levels at `start`. The first level of a list may lack its sign: the anchor has seen what replaces it."""
        levels: list[tuple[int, str]] = []
        end = start
        for depth, level in enumerate(self.patterns.levels):
            at = end + (bool(levels) and self.text[end : end + 1] in (" ", "\u3000"))
            match = level.signed.match(self.text, at)
            if match is None and (levels or (is_first and depth == 0)):
                match = level.bare.match(self.text, at)
            if match is None:
                continue
            number, end = _figures(match["number"]), match.end()
            while depth == 0 and (more := self.patterns.inserted.match(self.text, end)):
                number, end = f"{number}-{_figures(more['number'])}", more.end()
            levels.append((depth, number))
        return _Chain(start, end, levels) if levels else None

    def eid(self, levels: Sequence[tuple[int, str]]) -> str:
        return "__".join(segment(self.patterns.levels[depth].kind, number) for depth, number in levels)

    def between(self, first: Sequence[tuple[int, str]], last: Sequence[tuple[int, str]]) -> list[str]:
        """Return the eids after `first` up to `last`; of different levels, `last` only."""
        if [depth for depth, _ in first] != [depth for depth, _ in last] or first[:-1] != last[:-1]:
            return [self.eid(last)]
        depth = last[-1][0]
        numbers = number_range(first[-1][1], last[-1][1])[1:]
        return [self.eid([*last[:-1], (depth, number)]) for number in numbers]


def _figures(number: str) -> str:
    value = han_value(number)
    return number if value is None else str(value)

"""Levels below a provision as printed: "Abs. 1 lit. f", "første ledd bokstav a", "lid 1, onder b", "(1)(f)", "6.1 f".

A country's `citations.levels` has one table per level: `kind` (the letters of its eid; "" for a level that is not in eids, such as a
sentence; then `alone_kind` is the kind where the level is directly below the provision, as unnumbered paragraphs are: "deuxième alinéa"),
`before` and `after` (words before and after its number), `several` (words before several numbers), `number` (a pattern) and `ordinals` (the
language whose ordinals it is counted with) or `counted` (number words from one on). A `number` without words before or after it needs
none. `where`: lookarounds that must match where the level begins. `alone = true`: a word without a number, and `adds_next =
true`: it adds the next number of what it follows ("§§ 119 f."). `relative = true`: its words alone, in the text of a provision, are a level
of that provision ("nach Absatz 2"), and elsewhere of the provision cited before; with `relative = "citing"` only in the text of a
provision, with `relative = "schedule"` of the schedule cited before in the sentence. `roman = true`: a numeral that needs no word
("§ 433 II BGB"), and a sentence number after it that is not in the eid. Not here: provisions and Acts (`from_data`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from legal_pipeline.citations.acts_in_data import NEVER
from legal_pipeline.citations.provisions import bracketed, expand, level_of, segment
from legal_pipeline.languages.language import language
from legal_pipeline.text.alternation import alternation
from legal_pipeline.text.deferred_pattern import DeferredPattern

_BRACKETS = re.compile(r"(?: ?\((?:\d{1,3}[A-Za-z]{0,2}|[a-z]{1,4}|[A-Z]{1,3}|[א-ת]{1,2})\))+")
#: Brackets after a number with a word: "paragraph 2(a)". A bracket after a space may be a remark: "Absatz 2 (alt)".
_TIGHT_BRACKETS = re.compile(r"(?:\((?:\d{1,2}[a-z]?|[a-z]{1,2}|[ivx]{1,4})\))+")
_CLOSED = re.compile(r"\([^()]*\)")
_ONE_BRACKET = re.compile(r"\((\w{1,5})\)")
#: "6.1 f", "6.1.f": a paragraph, and a letter below it.
_COMPACT = re.compile(r"\.(?P<paragraph>\d{1,2})(?![\d:/])(?:[. ]?(?P<letter>[a-z])(?:\)|(?!\w)))?")
_ROMAN_BELOW = re.compile(r", \(?(?:ii|iii|iv|vi|vii|viii|ix)\)?")
#: Number of characters before a citation in which the bracket of a remark is looked for.
_LONGEST_REMARK = 200
#: No provision has as many levels: a longer row of them is a table.
_MOST_LEVELS = 8
#: A joint shorter than this is a comma and a space, not a conjunction.
_SHORT_JOIN = 3
_LETTER = re.compile(r"([a-z])(?:\)|(?![\w.]\w))")
_SPACE = re.compile(" ")
_ENDS = re.compile(r"[,.;:)]|$")
_NUMBER = r"\(?\d{1,3}(?: ?[a-z](?!\w))?\)?"
_NUMERALS = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X")
_NUMERAL = r"(?:I{1,3}|I?V|VI{1,3}|I?X)"
#: A number with these marks after it belongs to a book or a date: "6:81", "3.5", "2-4".
_GOES_ON = re.compile(r"[:/.–-]\d")
#: Greatest distance from the previous number at which a number is on the same level, where the words do not show that provisions follow.
_NEAR = 3
#: A number before a level, which is then of what it numbers: "Anlage 3 Absatz 2", "8 (1er alinéa)".
_NUMBER_BEFORE = re.compile(r"[\dIVX][a-z]?,? \(?$")
#: The text after a level at the beginning of a line if it is the level's own number: "Stk. 2. Reglerne".
_OWN_NUMBER_ENDS = re.compile(r"[.):](?:\s|$)|\s*(?:$|\n|[^\W\d_a-zà-ž])")
#: Values of `relative`: a level of the citing provision only, and one of the schedule cited before in the sentence.
OF_CITING, OF_SCHEDULE = "citing", "schedule"
#: A number with a number below it: "paragraph 16(1)". Without one, "para 16" is often that of a judgment.
_DIVIDED = re.compile(r"\d[A-Z]*\(\d")
#: The word of a provision that was not read yet: the levels before it may be of any.
ANY = "*"


class _Level:
    """A level, from its table in the data: `pattern` matches it with its numbers in the group `list`; `number` matches a single number.

    `between` is the pattern between two numbers, `ends` that of the end of a word. Raises `KeyError` for a table without `kind`.
    """

    def __init__(self, row: Mapping[str, Any], between: str, ends: str) -> None:
        ordinals = spelled(row)
        is_roman = bool(row.get("roman"))
        if is_roman:
            ordinals = {numeral.lower(): number for number, numeral in enumerate(_NUMERALS, 1)}
        number = row.get("number", _NUMERAL if is_roman else "" if ordinals else _NUMBER)
        either_case = () if is_roman else (*ordinals, *(word.capitalize() for word in ordinals))
        item = "|".join(part for part in (alternation(either_case), number) if part) or NEVER
        listed = rf"(?P<list>(?:{item})(?:{between}(?:{item}){ends}){{0,20}})"
        before, several, after = (
            alternation((*forms, *(word.capitalize() for word in forms))) or NEVER
            for forms in (row.get(place, ()) for place in ("before", "several", "after"))
        )
        if "before" in row:
            pattern = (
                rf"(?:{before}){ends}" if row.get("alone") else rf"(?:(?P<several>{several})|{before}) ?{listed}{ends}"
            )
        elif is_roman:
            pattern = rf"(?<![^ ]){listed}(?![\w.])(?: \d{{1,2}}(?![\w.:/]))?"
        else:
            # a letter may follow the number directly: "718.2e)"
            behind = rf"\.? ?(?:{after})" if "after" in row else ""
            pattern = rf"(?:(?<!\w)|(?<=\d)(?=[a-z])){listed}{behind}(?!\w)"
        self.kind: str = row["kind"]
        self.pattern = DeferredPattern(f"{row.get('where', '')}{pattern}")
        self.number = DeferredPattern(rf"(?<!\w)(?:{item})(?!\w)")
        self.ordinals = ordinals
        #: Words of a provision, in lower case; the level is read only after them. Empty: after any word.
        self.of = frozenset(row.get("of", ()))
        #: Whether its word follows its number.
        self.is_behind = "after" in row
        #: The kind where no level is above it.
        self.alone_kind: str = row.get("alone_kind", "")
        #: Whether it adds the next number of what it follows: "f.".
        self.adds_next = bool(row.get("adds_next"))
        #: Whether its words alone are a level of the provision that contains them; `OF_CITING` or `OF_SCHEDULE`.
        self.relative: str | bool = row.get("relative", False)


@dataclass(frozen=True, slots=True)
class CitedNumber:
    """A provision as printed: its number and its word in lower case. `several`: whether the word announces several provisions
    ("§§"); None where the language has one word for both, or an entry of the list was read before (`is_listed`)."""

    number: str = ""
    word: str = ""
    several: bool | None = False
    is_listed: bool = False

    def is_followed_by(self, number: str, previous: str) -> bool:
        """Whether `number`, in a list after the number `previous` of a level below, is another provision and not a number of that level:
        true in "§§ 25 Abs. 2, 52", "§§ 823 Abs. 1, 249" and "§§ 8, 3 Abs. 1, 3a", false in "§§ 280 Abs. 1, 3"."""
        own, other = _numeral(self.number), _numeral(number)
        if self.several is False or not own or not other:
            return False
        is_later, is_far = own < other, other > _numeral(previous) + _NEAR
        is_inserted = own == other and number[-1:].isalpha() and number != self.number
        if self.several is None and not self.is_listed:
            return is_later and is_far
        return is_inserted or is_far or (self.several is True and is_later)

    def goes_back_to(self, number: str, previous: str) -> bool:
        """Whether `number` goes on after the number `previous` of a level below and cannot be a later provision ("3:40" can)."""
        is_plain = number.isalnum() and self.number.isalnum() and not self.is_followed_by(number, previous)
        return is_plain and _numeral(previous) < _numeral(number) <= _numeral(self.number)


@dataclass(slots=True)
class Branch:
    """An entry of a list: `segments` below the provision, and the start and end of its words.

    A range ("Abs. 1–3") has one list of segments per number.
    """

    start: int
    end: int
    segments: list[list[str]] = field(default_factory=lambda: [[]])
    #: Whether the first level is in the eid only where no level is above it.
    is_alone: bool = False
    #: Whether the words also name the next provision: "§§ 119 f.".
    has_next: bool = False
    #: The words of provisions that have such a level; empty: any has it.
    of: frozenset[str] = frozenset()

    def below(self, above: Sequence[str]) -> list[list[str]]:
        """Return `segments` as they are below `above`."""
        return [names[1:] for names in self.segments] if self.is_alone and above else self.segments

    def add(self, segments: Sequence[str], end: int) -> None:
        self.segments = [[*known, *segments] for known in self.segments]
        self.end = end

    def add_next(self) -> None:
        """Add the number after the last one on its level, or state that the next provision belongs to the branch."""
        *above, last = self.segments[-1] or [""]
        kind, _, number = last.partition("_")
        self.has_next = not last
        if number.isdigit():
            self.segments.append([*above, segment(kind, str(int(number) + 1))])


class Levels:
    """The levels of a country, from its `citations`; the patterns `lists` and `ranges` separate the numbers of two levels."""

    def __init__(self, data: Mapping[str, Any], lists: str, ranges: str) -> None:
        # "sous a), et l'article 6": an article that is written together with its noun is not a letter
        ends = data.get("word_ends", r"(?!\w|(?<=[a-z])['’]\w)")
        self.levels = [_Level(row, f"(?:{lists}|{ranges})", ends) for row in data.get("levels", ())]
        self.joins = DeferredPattern(f"(?:{alternation(data.get('level_joins', (' ', ', '))) or NEVER})")
        self.lists = DeferredPattern(lists)
        self.ranges = DeferredPattern(ranges)
        self.is_compact = bool(data.get("compact"))
        self.reads_brackets = bool(data.get("brackets", True))
        #: Whether the depth of a bracket gives its kind.
        self.by_depth = data.get("brackets") == "by depth"

    def below(
        self, text: str, start: int, position: int, act: DeferredPattern, of: CitedNumber = CitedNumber()
    ) -> list[Branch]:
        """Return the levels after the number of the provision `of`, which begins at `start` and ends at `position`; one branch without
        segments if there are none. `act` matches where an Act begins: in "6.1 i förordningen" the "i" is not a letter of a level."""
        branches = [Branch(start, position)]
        if self.is_compact and (compact := _COMPACT.match(text, position)):
            names = [segment("subsec", compact["paragraph"])]
            end = compact.end("paragraph")
            if compact["letter"] and not act.match(text, end):
                names.append(segment("item", compact["letter"]))
                end = compact.end()
            branches[-1].add(names, end)
            self._letters(text, branches, act)
        if self.reads_brackets and (brackets := _BRACKETS.match(text, branches[-1].end)):
            pins = brackets.group()
            known = branches[-1].segments[0]
            items = [segment("item", pin) for pin in _ONE_BRACKET.findall(pins)]
            branches[-1].add(items if known else bracketed(pins, by_depth=self.by_depth), brackets.end())
        read: list[_Level] = []
        while True:
            at = branches[-1].end
            joined = self.joins.match(text, at)
            places = ((joined.end(),) if joined else ()) + (at,)
            if self.is_compact and read and read[-1].is_behind and not read[-1].kind:
                self._letters(text, branches, act, opening=True)
            if act.match(text, at) or not any(self._level(text, place, branches, act, of, read) for place in places):
                return branches
            if self.reads_brackets and read[-1].kind and (tight := _TIGHT_BRACKETS.match(text, branches[-1].end)):
                branches[-1].add([segment("item", pin) for pin in _ONE_BRACKET.findall(tight.group())], tight.end())

    def _letters(self, text: str, branches: list[Branch], act: DeferredPattern, *, opening: bool = False) -> None:
        """Read further letters after a compact level into `branches`: "9.2 a och b", "6.1 a–c". `opening`: also the first letter, after a
        subparagraph: "6.1 första stycket b"."""
        while True:
            last, at = branches[-1].segments[-1], branches[-1].end
            before = "" if opening else last[-1][-1] if last and last[-1].startswith("item_") else None
            joined = _SPACE.match(text, at) if opening else self.ranges.match(text, at) or self.lists.match(text, at)
            if joined is None or before is None or act.match(text, at):
                return
            letter = _LETTER.match(text, joined.end())
            if letter is None or letter[1] <= before or act.match(text, joined.end() - 1):
                return
            # A vowel may also be a word ("i", "a"): it is a level only with a bracket, or before a list separator, an Act or an end.
            is_end = letter[0].endswith(")") or any(each.match(text, letter.end()) for each in (_ENDS, self.lists, act))
            if not is_end and (letter[1] in "aeioy" or joined[0] == ", "):
                return
            above = last if opening else last[:-1]
            if opening:
                branches[-1].add([segment("item", letter[1])], letter.end())
            elif self.ranges.fullmatch(joined[0]):
                branches[-1].segments += [[*above, segment("item", each)] for each in expand(before, letter[1])[1:]]
                branches[-1].end = letter.end()
            else:
                branches.append(Branch(letter.start(), letter.end(), [[*above, segment("item", letter[1])]]))
            opening = False

    def _level(
        self,
        text: str,
        position: int,
        branches: list[Branch],
        act: DeferredPattern,
        of: CitedNumber,
        read: list[_Level],
    ) -> bool:
        """Read one level at `position` into `branches` and `read`; return False if there is none. A list ends before an Act, or before a
        number of another level."""
        found = self._at(text, position, of.word)
        if found is None:
            return False
        level, match = found
        numbers = self._numbers(match["list"], level) if "list" in match.re.groupindex and match["list"] else []
        if level in read and numbers:
            is_apart = "," in text[branches[-1].end : position]
            if is_apart or _has_level_like(branches[-1].segments[-1], numbers[0][2][0]):
                return False
        read.append(level)
        offset = match.start("list") if numbers else position
        base = [list(known) for known in branches[-1].segments]
        is_alone = bool(level.alone_kind) and not any(base)
        begins_alone = is_alone or branches[-1].is_alone
        is_of_several = bool(match.groupdict().get("several"))
        kind = level.alone_kind if is_alone else level.kind
        for index, (low, high, names) in enumerate(numbers):
            # "3 und 4, 5": the conjunction marks the last number of a list
            has_ended = (
                index > 1
                and of.several is not False
                and low - numbers[index - 1][1] < _SHORT_JOIN <= numbers[index - 1][0] - numbers[index - 2][1]
            )
            if index and (
                has_ended
                or act.match(text, branches[-1].end)
                or self._is_of_another(text, offset + low, offset + high, branches[-1], of, read, is_of_several)
            ):
                return True
            if index and _ROMAN_BELOW.fullmatch(
                text, branches[-1].end, offset + high
            ):  # "sous b), ii)": one level below
                branches[-1].add([names[-1]], offset + high)
                continue
            if index and kind:
                branches.append(Branch(offset + low, offset + high, [list(known) for known in base]))
            if kind:
                branches[-1].segments = [[*known, name] for known in base for name in names]
                branches[-1].is_alone = begins_alone
            branches[-1].end = offset + high
        closes_other = _closes_other(text, branches[0].start, match) and not act.match(text, match.end())
        branches[-1].end = match.end() - closes_other
        branches[-1].of = level.of
        if level.adds_next:
            branches[-1].add_next()
        return True

    def _at(self, text: str, position: int, word: str) -> tuple[_Level, re.Match[str]] | None:
        """Return the level that is named at `position` below a provision with this word."""
        for level in self.levels:
            match = level.pattern.match(text, position) if not level.of or word == ANY or word in level.of else None
            if match is not None:
                return level, match
        return None

    def _is_of_another(
        self, text: str, start: int, end: int, before: Branch, of: CitedNumber, read: list[_Level], is_of_several: bool
    ) -> bool:
        """Whether the number in `text[start:end]`, in a list of the last level of `read`, is not on that level: it is a provision, or a
        level that was already read follows it again ("Abs. 1 und 12 Abs. 1"). `is_of_several`: the word of the list announces several
        numbers of the level, as in "points 17 and 22"."""
        if read[-1].is_behind:
            return False
        previous = before.segments[-1][-1].partition("_")[2] if before.segments[-1] else ""
        # "articles 2, sous a), et 5": letters and figures do not make one list
        is_digit = text[start:end].lstrip("(")[:1].isdigit()
        is_of_other_sort = bool(previous) and all(
            number[:1].isdigit() != is_digit for number in (previous, previous.rpartition("_")[2])
        )
        if is_of_other_sort or _GOES_ON.match(text, end):
            return True
        joined = self.joins.match(text, end)
        following = self._at(text, joined.end(), of.word) if joined else None
        if following is not None:
            # "Art. 4 Nr. 11, 7 Abs. 1": the numbers of a list grow, and no paragraph is below a point
            is_above = (following[0].kind, read[-1].kind) == ("subsec", "item")
            # "Nr. 1 und 2, Abs. 4": a comma separates two levels, unless one is before every level ("articles 13, paragraphe 2, et 14, …")
            is_apart = joined is not None and "," in joined[0] and "," not in text[before.start : before.end]
            if following[0] in read:
                return not (is_apart or is_of_several)
            number = _numeral(text[start:end])
            is_joined = joined is not None and "," not in joined[0]
            if is_above and (number < _numeral(previous) or (is_joined and of.several is not False)):
                return True
            # "articles 43, § 1er, 44, alinéa 2": a level that is new in the list is below its number, unless that is far from the last one
            if of.several is not True or number <= _numeral(previous) + _NEAR:
                return False
        return not is_of_several and of.is_followed_by(text[start:end], previous)

    def _numbers(self, listed: str, level: _Level) -> list[tuple[int, int, list[str]]]:
        """Return (start, end, segments) of the numbers of a list, with the level's `kind` or else its `alone_kind`."""
        kind = level.kind or level.alone_kind
        found: list[tuple[int, int, list[str]]] = []
        at = 0
        while match := level.number.match(listed, at):
            written = match.group()
            number = str(level.ordinals.get(written.lower(), written.partition("(")[0].strip("()°º. ")))
            pins = _ONE_BRACKET.findall(written) if written.endswith(")") and "(" in written else []
            if found and self.ranges.fullmatch(listed[found[-1][1] : match.start()]):
                low, _, names = found.pop()
                first = names[-1].partition("_")[2]
                last = number or "".join(pins[:1])
                found.append((low, match.end(), [*names[:-1], *(segment(kind, each) for each in expand(first, last))]))
            else:
                is_new = number or not found
                name = _with_pins(kind, number, pins) if is_new else _continued(found[-1][2][-1], pins)
                found.append((match.start(), match.end(), [name]))
            between = self.ranges.match(listed, match.end()) or self.lists.match(listed, match.end())
            if between is None:
                break
            at = between.end()
        return found

    def relative(self, text: str, start: int, act: DeferredPattern) -> tuple[list[Branch], str | bool]:
        """Return the levels at `start` that need no provision ("Absatz 2 Buchstabe a"), and of what they are levels (`_Level.relative`).
        Of the branches, `of` are the words after which their first level is read where it has a provision.

        There are none if a number before them names one ("Anlage 3 Absatz 2"), or if they begin a line as its own number."""
        word = "" if self._at(text, start, "") else ANY
        found = self._at(text, start, word)
        if found is None or not found[0].relative or _NUMBER_BEFORE.search(text, max(0, start - 8), start):
            return [], False
        if found[0].relative == OF_SCHEDULE and not _DIVIDED.search(text, start, found[1].end()):
            return [], False
        branches = self.below(text, start, start, act, CitedNumber(word=word))
        for branch in branches:
            branch.of = found[0].of
        is_own_number = start and text[start - 1] == "\n" and _OWN_NUMBER_ENDS.match(text, branches[-1].end)
        # "(7)(b) or (c)": the level of a letter alone is not certain
        counted = [
            each for each in branches if each.segments[0] and each.segments[0][0].partition("_")[2][:1].isdigit()
        ]
        return [] if is_own_number else counted, found[0].relative

    def before(self, text: str, position: int, act: DeferredPattern, word: str = "") -> list[Branch]:
        """Return the levels before their provision, the innermost first ("point (f) of paragraph 1"); the innermost may be a list
        ("points (a) and (b) of"). Empty if no level begins here. With `ANY` as the `word` of the provision, the outermost may be a
        level that only some provisions have: those in its `of`."""
        found: list[Branch] = []
        branch, end = [Branch(position, position)], position
        for _ in range(_MOST_LEVELS):
            if not self._level(text, end, branch, act, CitedNumber(word=word), []):
                return found
            if not found:
                found = branch
            elif len(branch) > 1:
                return []
            else:
                for inner in found:
                    inner.segments = [[*outer, *below] for outer in branch[0].segments for below in inner.below(outer)]
                    inner.is_alone = branch[0].is_alone
                found[-1].end, found[-1].of = branch[0].end, branch[0].of
            if branch[0].of:
                return found  # its provision follows: in "Chapter 2 of Part 5", Part 5 is not a level
            end = branch[0].end if len(branch) == 1 else branch[-1].end
            joined = self.joins.match(text, end)
            branch = [Branch(position, end)]
            end = joined.end() if joined else end
        return []


def _closes_other(text: str, start: int, level: re.Match[str]) -> bool:
    """Whether `level` ends with the bracket of a remark in which the citation that begins at `start` stands: "(§ 5 Buchst. a)"."""
    if not level.group().endswith(")") or "(" in level.group():
        return False
    return "(" in _CLOSED.sub("", text[max(0, start - _LONGEST_REMARK) : start])


def _numeral(number: str) -> int:
    """Return the digits at the start of a number; 0 for a letter."""
    digits = re.match(r"\(?(\d+)", number)
    return int(digits[1]) if digits else 0


def _has_level_like(known: Sequence[str], name: str) -> bool:
    """Whether `known` has a level of the kind of `name` that is counted in the same way (digits or letters)."""
    kind, _, number = name.partition("_")
    return any(
        level.startswith(f"{kind}_") and level[len(kind) + 1].isdigit() == number[:1].isdigit() for level in known
    )


def _continued(before: str, pins: Sequence[str]) -> str:
    """Return the segments of brackets after the number `before` in a list: (b) after `para_1__item_a` is `para_1__item_b`."""
    known = before.split("__")
    level = level_of(pins[0], [name.partition("_")[2] for name in known]) if pins else None
    kind = known[level or 0].partition("_")[0]
    if level is None:
        return _with_pins(kind, "", pins)
    below = bracketed("".join(f"({pin})" for pin in pins[1:]), kind)
    return "__".join((*known[:level], segment(kind, pins[0]), *below))


def _with_pins(kind: str, number: str, pins: Sequence[str]) -> str:
    """Return the segments of a number and its brackets: `5(1)` of a paragraph, `(1)(a)` of a subsection."""
    if not number and pins:
        number, pins = pins[0], pins[1:]
    # "paragraph 4(1)(a)" of a schedule has sub-paragraphs, as a section has subsections
    is_counted = kind == "rule" or (kind == "para" and number[:1].isdigit() and pins and pins[0][:1].isdigit())
    above = "" if is_counted else kind
    return "__".join((segment(kind, number), *bracketed("".join(f"({pin})" for pin in pins), above)))


def spelled(row: Mapping[str, Any]) -> dict[str, int]:
    """Return number word in lower case -> value: the ordinals of the languages in `ordinals`, and the words of `counted`, from one on."""
    words: dict[str, int] = {}
    for code in row.get("ordinals", ()):
        words |= language(code).ordinals
    return words | {form: value for value, forms in enumerate(row.get("counted", ()), 1) for form in forms.split()}

"""Entries of a list of provisions while a data-driven grammar reads it, and the parts that an entry inherits from the entry before.

Not here: the words and patterns that find them (`from_data`), and levels below a provision (`levels`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from legal_pipeline.citations.acts_in_data import NEVER, any_of, either_case
from legal_pipeline.citations.levels import Branch, CitedNumber, spelled
from legal_pipeline.citations.mention import Work, known
from legal_pipeline.citations.provisions import expand, kept_levels, level_of, segment
from legal_pipeline.numbering.numerals import LATIN_SUFFIXES
from legal_pipeline.text.deferred_pattern import DeferredPattern

_NUMBER = r"\d{1,4}(?:[ -]?[A-Za-z](?![^\W_]))?"
#: A number of a provision that begins with that of its book or chapter: "6:74", "3-1", "14.3", "L. 311-3", "706-53-2".
_CHAPTERED = re.compile(r"((?:[A-Z]{1,2}[.*]* ?)?(?:\d+[A-Za-z]?[:.-])+)(\d[^:.-]*)$")


class Form:
    """A kind of provision, from its table in the data: the letters of its eids, its numbers, and the words before and after them.

    `several` are the words before a list of numbers, where the language has separate words for that ("§§").
    """

    def __init__(self, kind: str, words: Mapping[str, Any]) -> None:
        several = words.get("several", ())
        #: Numbers in words, in lower case, with their values.
        self.ordinals = spelled(words)
        number = f"(?:{number})" if (number := words.get("number", _NUMBER)) else ""
        if self.ordinals:
            word = rf"{any_of(self.ordinals)}(?!\w| {any_of(LATIN_SUFFIXES)}\b)"
            number = rf"(?:{word}|{number})" if number else word
        if behind := words.get("not_before"):
            number = f"{number}(?!{behind})"
        self.kind: str = words.get("kind", kind)
        self.number = DeferredPattern(number)
        self.before = DeferredPattern(rf"{any_of(either_case((*words.get('before', ()), *several)))} ?")
        self.behind = DeferredPattern(rf" ?{any_of(words.get('after', ()))}(?!\w)")
        self.several = frozenset(word.lower() for word in several)
        #: Whether such a provision, cited without an Act, belongs to the Act last named in the sentence: recitals.
        self.of_last = bool(words.get("of_last"))
        #: First word -> the work that it names: "CPR 3.4".
        self.works: Mapping[str, str] = words.get("works", {})
        #: The kind of work that such a provision belongs to where no work is named: "r. 3.4" belongs to the rules named before.
        self.of_kind: str = words.get("of_kind", "")
        #: A pattern that the number must match where no work is named.
        self.alone = DeferredPattern(words.get("alone", ""))
        #: Whether such a provision, cited without an Act, may be an exhibit of a party: annexes.
        self.may_be_exhibit = bool(words.get("exhibits"))
        #: Words for the only one of a work, without a number: "the Schedule".
        self.only = DeferredPattern(rf"(?:{words.get('only', NEVER)})(?!\w| ?(?:{number}))")


@dataclass(slots=True)
class Entry:
    """An entry of a list: the provisions that it names, and the word before or behind its number."""

    start: int
    end: int
    form: Form
    numbers: list[str]
    below: list[list[str]] = field(default_factory=lambda: [[]])
    #: In lower case; the word of the first entry applies to the whole list.
    word: str = ""
    #: Whether another provision of the list precedes it.
    is_later: bool = False
    #: Whether it is named without a number, as the only one of its kind.
    is_only: bool = False

    @property
    def may_be_exhibit(self) -> bool:
        """Whether it counts in a text only if the document has it, where no Act is named."""
        return self.form.may_be_exhibit or self.is_only

    @property
    def cited(self) -> CitedNumber:
        is_of_several = self.word in self.form.several
        is_said = bool(self.form.several) and not (self.is_later and is_of_several)
        return CitedNumber(
            self.numbers[-1], self.word, is_of_several if is_said else None, self.is_later and is_of_several
        )

    @property
    def work_by_word(self) -> Work | None:
        """The work that the word itself names ("CPR 3.4")."""
        named = self.form.works.get(self.word.partition(" ")[0].rstrip(","))
        return known(named) if named else None

    @property
    def work_by_kind(self) -> Work | None:
        """The work of kind `Form.of_kind` that was named last, where the country's data has such a kind."""
        return Work("short", name=self.form.of_kind) if self.form.of_kind else None

    @property
    def eids(self) -> list[str]:
        heads = [segment(self.form.kind, number) for number in self.numbers]
        return ["__".join((head, *below)) for head in heads for below in self.below]


def with_levels_before(first: Sequence[Branch], target: Entry) -> list[Entry]:
    """Return `target` with the levels before it, one entry per entry of a list of levels; the last entry extends to the end of `target`."""
    if first and any(target.below) and all(branch.below(target.below[0]) == [[]] for branch in first):
        # "second and third subparagraphs of Article 6(1)" is one place
        first = [replace(first[-1], start=first[0].start)]
    found = [
        replace(
            target,
            start=branch.start,
            end=branch.end,
            below=[[*below, *inner] for below in target.below for inner in branch.below(below)],
        )
        for branch in first
    ]
    return [*found[:-1], replace(found[-1], end=target.end)] if found else [target]


def with_range(target: Entry, end: Branch, depth: int) -> Entry:
    """Return `target` extended from its last level at `depth` to the level that `end` names: "(1) to (3)"."""
    kept, (first, *below) = target.below[-1], end.segments[0]
    kind, _, number = kept[depth].partition("_")
    numbers = expand(number, first.partition("_")[2])[1:]
    added = [[*kept[:depth], segment(kind, each)] for each in numbers]
    return replace(target, end=end.end, below=[*target.below, *added[:-1], *([*last, *below] for last in added[-1:])])


def level_above(last: Entry, number: str, found: list[Entry]) -> list[Entry]:
    """Return `found` under the provision of `last`, if `number`, which was read as a provision, is the level above theirs: 3 of
    "Abs. 1 Nr. 1 und 3 Nr. 2", or 2 of "Abs. 1 erster Satz, 2 zweiter Satz". Empty if `number` is a provision."""
    kept, first = last.below[-1], found[0].below[0]
    if kept and not first and last.cited.goes_back_to(number, kept[0].partition("_")[2]):
        named = [segment(kept[0].partition("_")[0], number)]
        return [replace(entry, numbers=last.numbers[-1:], below=[named]) for entry in found]
    kinds = [name.partition("_")[0] for name in kept]
    depth = kinds.index(first[0].partition("_")[0]) if first and first[0].partition("_")[0] in kinds else 0
    if not depth or last.cited.is_followed_by(number, kept[depth - 1].partition("_")[2]):
        return []
    above = [*kept[: depth - 1], segment(kinds[depth - 1], number)]
    return [
        replace(entry, numbers=last.numbers[-1:], below=[[*above, *below] for below in entry.below]) for entry in found
    ]


def names_division(levels: Sequence[str]) -> bool:
    """Whether `levels` begin with a Part or chapter, which has provisions and is below none but a schedule."""
    return bool(levels) and levels[0].startswith(("part_", "chp_"))


def with_paragraphs(below: list[str]) -> list[str]:
    """Return the levels with a leading `item_1` as `subsec_1`."""
    first = below[0] if below else ""
    if first.startswith("item_") and first[5:6].isdigit():
        return [first.replace("item_", "subsec_", 1), *below[1:]]
    return below


def number_range(first: str, last: str) -> list[str]:
    """Return the numbers from `first` to `last`; `6:74` to `6:76` and `3-1` to `3-4` must have the same book or chapter."""
    one, other = _CHAPTERED.match(first), _CHAPTERED.match(last)
    if one is None or other is None:
        return expand(first, last)
    begins = one[1].replace(" ", "")
    if begins != other[1].replace(" ", ""):
        return [first, last]
    return [f"{begins}{number}" for number in expand(one[2], other[2])]


def next_number(number: str) -> list[str]:
    """Return the number after `number`, as the end of a list; empty for a number with letters, whose next one is not known."""
    head, digits = re.fullmatch(r"(.*?)(\d*)", number).groups()  # type: ignore[union-attr]
    return [f"{head}{int(digits) + 1}"] if digits else []


def in_kind(segments: list[str], replaced: list[str]) -> list[str]:
    """Return `segments`, the first one with the kind of the first that it replaces: "(iii)" after "(b)(ii)" is an item as (ii) is."""
    if not segments or not replaced:
        return segments
    (kind, _, before), number = replaced[0].partition("_"), segments[0].partition("_")[2]
    return segments if level_of(number, [before]) is None else [f"{kind}_{number}", *segments[1:]]


def depth_of(known: list[str], following: list[str], *, in_brackets: bool) -> int:
    """Return how many of the levels `known` the entry `following` of the same list inherits: those above its own level."""
    kind, _, number = following[0].partition("_")
    if in_brackets:
        before, own = ([name.partition("_")[2] for name in names] for names in (known, following))
        return max(0, kept_levels(before, own))
    same = [index for index, name in enumerate(known) if name.partition("_")[0] == kind]
    # "nr. 1 bokstav a og bokstav b": digits and letters separate two levels of one kind
    alike = [index for index in same if known[index].partition("_")[2][:1].isdigit() == number[:1].isdigit()]
    return (alike or same or [len(known)])[0]

"""Laws of our own writing in many languages, as their legislators print them: labels, inserted numbers, annexes, quoted provisions.

Not here: what the recogniser must find in them.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, replace
from pathlib import Path


@dataclass(frozen=True)
class Drafting:
    """How a language prints a law. `{n}` is a number, `{lamp}` a name that occurs in one provision only.

    `inserted` holds the labels of a provision between the fifth and the sixth, and of one after the twelfth, with their numbers;
    `reference` begins with the number of a provision and is not one; `quotes` open and close the law that `amends` announces.
    """

    language: str
    label: str
    chapter: str
    annex: str
    text: str
    inserted: tuple[tuple[str, str], tuple[str, str]]
    reference: str
    amends: str
    quotes: str


@dataclass(frozen=True)
class Printed:
    """`text` of a law, and (number, name of the lamp) of its provisions in order; `annexed`: how many of the last are in annexes."""

    text: str
    provisions: tuple[tuple[str, str], ...]
    annexed: int = 0
    quoted: tuple[str, ...] = ()


DRAFTINGS = {
    language: Drafting(language=language, **fields)
    for language, fields in tomllib.loads(Path(__file__).with_name("drafting.toml").read_text("utf-8")).items()
}
_ROMAN, _GREEK = ("I", "II", "III"), ("Α΄", "Β΄", "Γ΄")
_SYLLABLES = ("ba", "ko", "di", "fu", "ge", "mi", "la", "no", "pe", "ri", "su", "ta")


def lamp(index: int) -> str:
    """A name of its own for each index: no name is part of another."""
    first, second = divmod(index, len(_SYLLABLES))
    return (_SYLLABLES[second] + _SYLLABLES[first] + "x").capitalize()


def printed(
    drafting: Drafting, *, inserted: bool = False, annexes: bool = False, contents: bool = False, quoted: bool = False
) -> Printed:
    """A law of twelve provisions in three chapters. The fourth has a list of references; gaps follow the third and the ninth."""
    blocks: list[str] = []
    provisions: list[tuple[str, str]] = []
    heads: list[str] = []

    def provision(label: str, number: str) -> None:
        name = lamp(len(provisions))
        provisions.append((number, name))
        heads.append(f"{label} {name}")
        blocks.extend((f"{label} {name}" if contents else label, drafting.text.format(lamp=name)))

    quotation: tuple[str, ...] = ()
    for place, number in enumerate((1, 2, 3, 5, 6, 7, 8, 9, 11, 12, 13, 14)):
        if place % 4 == 0:
            chapter = _filled(drafting.chapter, place // 4 + 1)
            heads.append(chapter)
            blocks.append(chapter)
        provision(_filled(drafting.label, number), str(number))
        if number in (5, 12) and inserted:
            provision(*drafting.inserted[number == 12])
        if number == 3:
            blocks.extend((f"a) {drafting.reference}", drafting.reference))
        if number == 7 and quoted:
            quotation = tuple(map(lamp, range(60, 63)))
            opening, closing = drafting.quotes
            lines = [drafting.text.format(lamp=name) for name in quotation]
            labels = [_filled(drafting.label, other) for other in (8, 9, 10)]
            law = [text for pair in zip(labels, lines, strict=True) for text in pair]
            blocks.extend((drafting.amends, f"{opening}{law[0]}", *law[1:-1], f"{law[-1]}{closing}"))
    annexed = 0
    if annexes:
        for annex in (1, 2):
            blocks.append(_filled(drafting.annex, annex))
            for number in (1, 2, 3):
                provision(_filled(drafting.label, number), str(number))
                annexed += 1
    listed = heads if contents else []
    return Printed("\n\n".join([*listed, *blocks]) + "\n", tuple(provisions), annexed, quotation)


def with_quotes(drafting: Drafting, quotes: str) -> Drafting:
    return replace(drafting, quotes=quotes)


def _filled(pattern: str, number: int) -> str:
    small = min(number, 3) - 1
    return pattern.format(n=number, r=_ROMAN[small], g=_GREEK[small])

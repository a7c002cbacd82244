"""Decides whether a raised digit ("13¹"), or a letter behind a space ("15 B."), belongs to the number of a provision or is another mark;
and whether a number of one letter is a Roman numeral.

Some texts have lost the raised style: their "671" is 67¹, and their "28o" is an ordinal number.

Not here: reading a number (`recogniser.numbers`) and lists of notes (`recogniser.notes`).
"""

from __future__ import annotations

import dataclasses
import re
from collections import defaultdict
from collections.abc import Iterator

from legal_pipeline.numbering.numerals import LATIN_SUFFIXES
from legal_pipeline.parsing.blocks import Blocks
from legal_pipeline.parsing.recogniser.labels import Label, Labels
from legal_pipeline.parsing.recogniser.numbers import Number, lowered, read_letter, read_number
from legal_pipeline.text.alternation import alternation
from legal_pipeline.text.markup import RAISED, raised_figure

#: A raised number has at most so many digits, and the first provision behind a number is 1, or 2 if 1 was repealed.
_DIGITS, _FIRST = 2, (1, 2)
#: A number in digits that may be such a number, with the letters of one that was inserted later: "183a" for 18³a; maximum step to the next
#: number without digits, between which others were repealed.
_FLAT, _REPEALED = re.compile(r"(?P<digits>\d+)(?P<letters>[a-z]{0,2})"), 4
#: If at least this many cases are sure, the others are inserted provisions too, and not references to later ones.
_MANY = 5
#: Minimum number of cases if one is behind a number of one digit: an act that amends another states the numbers of its articles.
_CASES = 2
_INSERTED = re.compile(rf"(\d+)(?:[.-](?=\d)|(?=[{RAISED}]))([\d{RAISED}]+)")

#: "A." behind "Artículo 15", and the signs between it and the text.
_LETTER_APART = re.compile(r"\s*(?P<letter>[A-Z])\.[\s–—-]*(?=[^\W\d_a-z]|\Z)")
#: " - 2 (", " -3.", " - ter" behind "Article 134".
_PART_APART = re.compile(
    rf"\s-\s?(?:(?P<figures>\d{{1,2}})|(?P<word>{alternation(LATIN_SUFFIXES)}))(?=\s?[(.:–]|\s?-\D|\s*\Z)[\s.:–-]*"
)
#: The end of a label whose number ends with an o.
_WITH_O = re.compile(r"(?P<figures>\d+)o(?=[\W_]*\Z)")


def without_marks(labels: Labels) -> list[Label]:
    """Return `labels` without raised digits, if these are marks of notes.

    They are parts of the numbers if at least half of the labels with a raised digit have the preceding number among the labels: "13" for
    "13¹", "13¹" for "13²".
    """
    raised = [label for label in labels if label.number.text[-1:] in RAISED and label.number.text.rstrip(RAISED)]
    known = {(label.kinds, _without(label), label.number.key[-1][1]) for label in labels}
    parts = 0
    for label in raised:
        figure = label.number.key[-1][1]
        before = (*figure[:-1], figure[-1] - 1) if figure[-1] > 1 else figure[:-1]
        parts += (label.kinds, _without(label), before) in known
    if not raised or 2 * parts >= len(raised):
        return list(labels)
    return [_unmarked(label) for label in labels]


def _without(label: Label) -> str:
    """Return the number without raised digits; some publishers print a full stop before these."""
    return label.number.text.rstrip(RAISED).rstrip(".")


def _unmarked(label: Label) -> Label:
    if label.number.text[-1:] not in RAISED:
        return label
    number = read_number(_without(label)) or dataclasses.replace(label.number, text=_without(label))
    return dataclasses.replace(label, number=number)


def with_letters(labels: Labels, blocks: Blocks) -> list[Label]:
    """Return `labels`, in which "28o" has the letter o if 28n comes before it; else its o is the sign of an ordinal ("Artículo 28o")."""
    seen: set[Number] = set()
    found: list[Label] = []
    for label in labels:
        printed = _WITH_O.search(blocks[label.index].text[: label.end])
        before = read_number(f"{printed['figures']}n") if printed else None
        # apart from its figures, the o is read as a letter
        lettered = read_number(f"{printed['figures']} o") if printed and before in seen else None
        if printed and lettered:
            label = dataclasses.replace(label, number=dataclasses.replace(lettered, text=printed.group()))
        seen.add(label.number)
        found.append(label)
    return found


def with_letters_in_order(labels: Labels) -> list[Label]:
    """Return `labels`, in which C behind article B is a letter, and not the Roman hundred; so are D, I, L, M, V and X."""
    last: dict[tuple[str, ...], Number] = {}
    found: list[Label] = []
    for label in labels:
        letter = read_letter(label.number.text) if label.is_provision and label.number.series == "roman" else None
        if letter is not None and (before := last.get(label.kinds)) is not None and letter.follows(before) == 0:
            label = dataclasses.replace(label, number=letter)
        last[label.kinds] = label.number
        found.append(label)
    return found


def with_letters_apart(labels: Labels, blocks: Blocks) -> list[Label]:
    """Return `labels`, in which a capital behind a space belongs to the number if it continues a series: 15, "15 A.", "15 B.".

    Without the series it may be a word of the language ("A"), or the mark of an item in article 15."""
    letters: dict[tuple[tuple[str, ...], int], str] = {}
    found: list[Label] = []
    for label in labels:
        is_plain = label.is_provision and label.number.text.isdecimal()
        place = label.kinds, label.number.value
        apart = _LETTER_APART.match(blocks[label.index].text, label.end) if is_plain else None
        if apart and place in letters and ord(apart["letter"]) == ord(letters[place] or "@") + 1:
            number = read_number(f"{label.number.text} {apart['letter']}")
            if number is not None:
                label = dataclasses.replace(label, number=number, end=apart.end())
                letters[place] = apart["letter"]
        elif is_plain:
            letters[place] = ""
        found.append(label)
    return found


def with_parts_apart(labels: Labels, blocks: Blocks) -> list[Label]:
    """Return `labels`, in which figures or a Latin word behind a dash with spaces belong to the number if they continue a series: 134,
    "134 - 2", "134 - 3"; 376, "376 - ter"."""
    last: dict[tuple[tuple[str, ...], int], Number] = {}
    found: list[Label] = []
    for label in labels:
        place = label.kinds, label.number.value
        text = blocks[label.index].text
        if label.is_provision and label.number.text.isdecimal() and (before := last.get(place)) is not None:
            start = text.find(label.number.text)
            apart = _PART_APART.match(text, start + len(label.number.text)) if 0 <= start < label.end else None
            part = apart and (apart["figures"] or apart["word"])
            number = (
                read_number(f"{label.number.text}{'-' if apart and apart['figures'] else ' '}{part}") if part else None
            )
            if apart and number is not None and number.follows(before) in (0, 1):
                label = dataclasses.replace(label, number=number, end=max(label.end, apart.end()))
        if label.is_provision:
            last[place] = label.number
        found.append(label)
    return found


def with_lost(labels: Labels, sign: str) -> list[Label]:
    """Return `labels` with raised digits that the text prints like others: of 67, 671, 672 and 68, the second and third are 67¹ and 67².

    For languages whose laws raise the digits of inserted provisions. If people write a `sign` before these digits instead, the numbers have
    it (67.1). A group is read so only if each of its numbers is greater than all other numbers of the law, or the law has the same number
    in its right place too. Otherwise the lines may be references to other provisions of the law.
    """
    by_word: dict[tuple[str, ...], list[Label]] = defaultdict(list)
    for label in labels:
        if label.is_provision and _FLAT.fullmatch(label.number.text):
            by_word[label.kinds].append(label)  # the paragraphs of an article may have labels too
    found = {index: number for alike in by_word.values() for index, number in _raised(alike, sign)}
    return [
        dataclasses.replace(label, number=found[label.index]) if label.is_provision and label.index in found else label
        for label in labels
    ]


def _raised(plain: Labels, sign: str) -> Iterator[tuple[int, Number]]:
    """Yield the index of a label and its number with raised digits, for labels with the same word."""
    cases = list(_cases(plain))
    inside = {label.index for _, between in cases for label in between}
    own = {label.number.value for label in plain if label.index not in inside}
    last = max(own, default=0)
    sure = [
        (base, between)
        for base, between in cases
        if base.number.value + 1 in own
        and all(label.number.value in own or label.number.value > last for label in between)
    ]
    if len(sure) < _MANY:
        cases = sure
    if len(cases) < _CASES:
        cases = [case for case in cases if len(case[0].number.text) > 1]
    for base, between in cases:
        for label in between:
            if (number := _inserted(base, label, sign)) is not None:
                yield label.index, number


def lost(labels: Labels, blocks: Blocks) -> list[str]:
    """Return the numbers of `labels` that `with_lost` has read: the text has their digits without a sign."""
    return [
        label.number.text
        for label in labels
        if label.number.text not in blocks[label.index].text[: label.end]
        and (parts := _INSERTED.fullmatch(label.number.text))
        and f"{parts[1]}{lowered(parts[2])}" in re.findall(r"\d+", blocks[label.index].text[: label.end])
    ]


def _cases(plain: Labels) -> Iterator[tuple[Label, list[Label]]]:
    """Yield a label, and the labels between it and the next number that look like it and begin with its digits."""
    position = 0
    while position < len(plain):
        base, between = plain[position], list[Label]()
        position += 1
        while position < len(plain) and _adds_digits(base, between, plain[position]):
            between.append(plain[position])
            position += 1
        next_number = plain[position].number.value if between and position < len(plain) else 0
        if base.number.value < next_number <= base.number.value + _REPEALED:
            yield base, between


def _adds_digits(base: Label, between: Labels, label: Label) -> bool:
    digits, letters = _parts(base, label)
    if not 0 < len(digits) <= _DIGITS or digits.startswith("0"):
        return False
    if between:
        before, behind = _parts(base, between[-1])
        is_next = (int(before), behind) < (int(digits), letters)
    else:
        is_next = int(digits) in _FIRST
    return is_next and (label.kinds, label.style) == (base.kinds, base.style)


def _parts(base: Label, label: Label) -> tuple[str, str]:
    """Return the digits of a number behind those of `base`, and the letters behind them: ("3", "a") for 183a behind 18; no digits if the
    number does not begin as `base` does."""
    match = _FLAT.fullmatch(label.number.text)
    if match is None or not base.number.text.isdecimal() or not match["digits"].startswith(base.number.text):
        return "", ""
    return match["digits"].removeprefix(base.number.text), match["letters"]


def _inserted(base: Label, label: Label, sign: str) -> Number | None:
    digits, letters = _parts(base, label)
    if sign:
        return read_number(f"{base.number.text}{sign}{digits}{letters}")
    number = read_number(f"{base.number.text}{raised_figure(digits)}")
    if number is None or not letters:
        return number
    (value, ranks), *_ = number.key
    key = ((value, (*ranks, *(ord(letter) - ord("a") + 1 for letter in letters))),)
    return dataclasses.replace(number, text=f"{number.text}{letters}", key=key)

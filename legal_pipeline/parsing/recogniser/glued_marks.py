"""Raises the marks of notes that a text prints behind the numbers of articles as if they were part of these: "Art. 14 Purpose" is
article 1 with the mark of note 4, whose text is below it.

Not here: raised digits that belong to a number or are marks (`recogniser.raised`), and lists of notes at the end (`recogniser.notes`).
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from legal_pipeline.parsing.blocks import Block, Blocks
from legal_pipeline.parsing.recogniser.words import PROVISION_KINDS, Words
from legal_pipeline.text.markup import raised_figure

#: "Art. 3a11", "Art. 22–2560", "Art. 10a und 10b28"; `figures`: the number, which may end with a mark; `behind`: the mark behind letters.
_LABEL = re.compile(
    r"(?P<word>[^\W\d_]{1,12})\.?\s(?:\d{1,4}[a-z]{0,2}(?:\s?[–-]\s?|\s[^\W\d_]{1,3}\s))?"
    r"(?P<figures>\d{1,6})(?P<letters>[a-z]{0,2})(?P<behind>(?<=[a-z])\d{1,3})?(?=\s|\Z)"
)
#: A note below the article: its number, and its text.
_NOTE = re.compile(r"(\d{1,3})\s+\S")
#: Maximum digits of a mark.
_DIGITS = 3
#: Minimum number of marks, and how many times more often the numbers must break off if the marks are read as parts of them.
_MARKS, _MORE_BREAKS = 5, 4
#: A law may lack a few numbers between two that it has.
_STEP = 5


@dataclasses.dataclass(frozen=True, slots=True)
class _Reading:
    """A label read as the number `value` with `letters`, and a mark in the last `digits` characters before `end`; 0 for no mark."""

    index: int
    value: int
    letters: str
    mark: int
    digits: int
    end: int

    @property
    def number(self) -> tuple[int, str]:
        return self.value, self.letters


def with_raised_marks(blocks: Blocks, words: Words) -> Blocks:
    """Return `blocks` with the marks behind the numbers of their provisions as raised digits, which take the same space.

    They are marks if the notes with these numbers are below the provisions, the marks rise through the law, and the numbers of the
    provisions follow each other only without them.
    """
    labels = [
        (index, match)
        for index, block in enumerate(blocks)
        if block.kind == "text"
        and (match := _LABEL.match(block.text)) is not None
        and not set(PROVISION_KINDS).isdisjoint(words.kinds_of(match["word"]))
    ]
    if len(labels) < _MARKS:
        return blocks
    ends = [*(index for index, _ in labels[1:]), len(blocks)]
    chosen: list[_Reading] = []
    number, mark = (0, ""), 0
    for (index, match), end in zip(labels, ends, strict=True):
        notes = {int(note[1]) for block in blocks[index + 1 : end] if (note := _NOTE.match(block.text))}
        readings = [
            reading
            for reading in _readings(index, match)
            if reading.number > number and (not reading.mark or (reading.mark > mark and reading.mark in notes))
        ]
        reading = min(readings, key=lambda reading: reading.number, default=None)
        if reading is not None:
            chosen.append(reading)
            number, mark = reading.number, reading.mark or mark
    marked = [reading for reading in chosen if reading.mark]
    breaks = len(labels) - len(chosen) + _breaks([reading.value for reading in chosen])
    printed = _breaks([int(match["figures"]) for _, match in labels])
    if len(marked) < _MARKS or printed < max(_MARKS, _MORE_BREAKS * breaks):
        return blocks
    raised = {reading.index: _raised(blocks[reading.index], reading) for reading in marked}
    return [raised.get(index, block) for index, block in enumerate(blocks)]


def _readings(index: int, match: re.Match[str]) -> Iterator[_Reading]:
    figures, letters = match["figures"], match["letters"]
    if behind := match["behind"]:
        yield _Reading(index, int(figures), letters, int(behind), len(behind), match.end())
        return
    yield _Reading(index, int(figures), letters, 0, 0, match.end())
    if letters:
        return
    for digits in range(1, min(_DIGITS + 1, len(figures))):
        if figures[-digits] != "0":
            yield _Reading(index, int(figures[:-digits]), "", int(figures[-digits:]), digits, match.end())


def _breaks(numbers: Sequence[int]) -> int:
    """Return how often a number is lower than the one before it, or much higher."""
    return sum(not before <= after <= before + _STEP for before, after in pairwise(numbers))


def _raised(block: Block, reading: _Reading) -> Block:
    start = reading.end - reading.digits
    mark = block.text[start : reading.end]
    return dataclasses.replace(
        block, text=f"{block.text[:start]}{raised_figure(mark) or mark}{block.text[reading.end :]}"
    )

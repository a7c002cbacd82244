"""Split headings whose line end was lost: `Background facts[3] The appellant …` is a heading and paragraph 3.

Without this, paragraph 3 and the sequence of numbers are lost. Not here: finding the numbered paragraphs (`paragraph_numbers`).
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Sequence

from legal_pipeline.parsing.judgment.blocks import Block
from legal_pipeline.parsing.judgment.phrases import Phrases
from legal_pipeline.text.normalise import offsets_from

_NUMBER = re.compile(r"\[?(?P<num>\d{1,3})(?:\]|[.)](?!\d))\s*(?=\S|$)")
_GLUED = re.compile(
    r"(?P<heading>[A-Z][^.;:?!\[\]\n]{2,90}?)(?P<gap>\s*)(?P<number>\[(?P<bracket>\d{1,3})\]|(?P<stop>\d{1,3})\.(?=\s+[A-Z“\"‘]))"
)
_MOST_WORDS = 12
#: Maximum step between numbers, as in `paragraph_numbers`: a page break may hide numbers.
_MOST_MISSED = 3


def paragraph_number(text: str) -> int | None:
    """Return the number at the beginning of `text` (`[3]`, `3.`, `3)`), or None."""
    match = _NUMBER.match(text)
    return int(match["num"]) if match else None


def glued_number(text: str, last: int, phrases: Phrases) -> int | None:
    """Return the offset in `text` of the number of paragraph `last + 1` after a heading; None without a heading before it.

    The number touches the heading, or the heading is in capitals or is usual in judgments; so "section 12. The" is not a heading.
    """
    match = _GLUED.match(text)
    if (
        match is None
        or int(match["bracket"] or match["stop"]) != last + 1
        or len(match["heading"].split()) > _MOST_WORDS
    ):
        return None
    if match["gap"] and not match["heading"].isupper() and phrases.heading_role(match["heading"]) is None:
        return None
    return match.start("number")


def part_glued_headings(blocks: Sequence[Block], phrases: Phrases) -> list[Block]:
    """Return `blocks`, with a block that begins with a heading glued to the number of the next paragraph split in two."""
    out: list[Block] = []
    last = 0
    for block in blocks:
        number = paragraph_number(block.text) if block.in_flow else None
        if number is not None:
            last = number if number == 1 or not last or last < number <= last + _MOST_MISSED else last
        elif last and block.style is None and (at := glued_number(block.text, last, phrases)) is not None:
            above = tuple(pair for pair in block.offsets if pair[0] < at)
            out.append(dataclasses.replace(block, text=block.text[:at].rstrip(), style="heading", offsets=above))
            offsets = tuple(offsets_from(block.offsets, at))
            block = dataclasses.replace(block, text=block.text[at:], joined=False, offsets=offsets)
            last += 1
        out.append(block)
    return out

"""The numbers of a judgment's paragraphs: `[12]`, `12.` or `12)` at the start of blocks, going up one by one.

Not here: what the paragraphs are about (`roles`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from legal_pipeline.parsing.judgment.blocks import Block

_STYLES = {
    "bracket": re.compile(r"\[\s?(?P<num>\d{1,3})\s?\]\s*"),
    "stop": re.compile(r"(?P<num>\d{1,3})\.(?:\s+|(?=[A-Z“\"‘])|$)"),
    "parenthesis": re.compile(r"\(?(?P<num>\d{1,3})\)\s+"),
}
_SUB = re.compile(r"\[?(?P<num>(?P<main>\d{1,3})\.(?P<sub>\d{1,2}))\.?\]?\s+")
_QUOTE_START = ("“", '"', "‘", "«")
#: Fewer numbered blocks than this may be a list.
MINIMUM = 3
#: Numbers that a page break or a bad scan swallowed.
_MAX_GAP = 3


def number_paragraphs(blocks: Sequence[Block]) -> dict[int, str]:
    """Index of block -> paragraph number, for the blocks that begin a numbered paragraph; empty when they are not numbered.

    Numbers that the format gave win. Of the ways to write a number in the text the one with the longest run is the judgment's; a
    number inside a quotation is the quoted judgment's. `3.1` after paragraph 3 is a number too.
    """
    given = {index: block.number for index, block in enumerate(blocks) if block.number}
    if len(given) >= MINIMUM:
        return given
    runs = [_run(blocks, pattern) for pattern in _STYLES.values()]
    best = max(runs, key=len)
    if len(best) < MINIMUM:
        return {}
    return _with_subnumbers(blocks, best)


def _run(blocks: Sequence[Block], pattern: re.Pattern[str]) -> dict[int, str]:
    out: dict[int, str] = {}
    last = 0
    quoted = False
    for index, block in enumerate(blocks):
        if block.style not in (None, "heading") or block.joined:
            continue  # a sentence of a paragraph begins no paragraph
        text = block.text
        if text.startswith(_QUOTE_START):
            quoted = not _closes(text)
            continue
        match = pattern.match(text)
        number = int(match["num"]) if match else 0
        if match and last < number <= last + _MAX_GAP and not (quoted and number != last + 1):
            out[index] = match["num"]
            last = number
            quoted = False
        if quoted and _closes(text):
            quoted = False
    return out


def _closes(text: str) -> bool:
    """Whether a quotation that is open ends in `text`: as many closing quotes as opening ones, or one at its end."""
    tail = text.rstrip(" .,;:)]0123456789")
    return tail.endswith(("”", '"', "’", "»")) or text.count("”") >= max(text.count("“"), 1)


def _with_subnumbers(blocks: Sequence[Block], main: dict[int, str]) -> dict[int, str]:
    out: dict[int, str] = {}
    current, last_sub = "", 0
    for index, block in enumerate(blocks):
        if index in main:
            current, last_sub = main[index], 0
            out[index] = main[index]
            continue
        match = _SUB.match(block.text) if block.style is None else None
        if match and match["main"] == current and int(match["sub"]) == last_sub + 1:
            last_sub += 1
            out[index] = match["num"]
    return out

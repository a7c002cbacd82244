"""Finds headings of divisions whose number has no word: `I PRELIMINARY`, `A. Allgemeine Bestimmungen`.

Such a number counts only if it is directly above provisions and its sequence is complete. Not here: headings with a word
(`recogniser.divisions`).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence, Set

from legal_pipeline.parsing.blocks import Block
from legal_pipeline.parsing.recogniser.labels import STRONG, Label, is_heading_like, reads_as_heading
from legal_pipeline.parsing.recogniser.numbers import LETTER, ROMAN, read_letter, read_number

#: A Roman numeral or a capital letter, an optional sign, and the words of the heading.
_HEADING = re.compile(rf"(?P<num>{ROMAN}|{LETTER})(?P<sign>[.)]|\s[-–—])?\s+(?P<rest>(?=[^\W\d_]).*)")
_CHARS = 120
#: Minimum length of a sequence of numbers; maximum number of kinds of divisions.
_LEAST, _MOST_KINDS = 2, 2


def bare_divisions(blocks: Sequence[Block], heads: Set[int], left_out: Set[int]) -> list[tuple[Label, str]]:
    """Return (label, kind) of such headings, in order.

    `heads` are the blocks that begin provisions and other divisions; blocks of `left_out` are ignored. The kind is the typographic form
    of the heading: letter or Roman numeral, sign, capitals, heading level.
    """
    found: dict[int, re.Match[str]] = {}
    for index in range(len(blocks) - 1, -1, -1):
        if index in heads or index in left_out or (match := _heading(blocks[index])) is None:
            continue
        if index + 1 in heads or index + 1 in found or (index + 2 in heads and reads_as_heading(blocks[index + 1])):
            found[index] = match
    by_look: dict[str, list[int]] = defaultdict(list)
    for index in sorted(found):
        by_look[_look(found[index], blocks[index])].append(index)
    kinds: list[list[tuple[Label, str]]] = []
    for look, indices in by_look.items():
        letters = _whole([_label(index, found[index], "letter") for index in indices])
        taken = {label.index for label in letters}
        romans = _whole([_label(index, found[index], "roman") for index in indices if index not in taken])
        kinds.append([(label, f"letter:{look}") for label in letters])
        kinds.append([(label, f"roman:{look}") for label in romans])
    most = sorted(kinds, key=len, reverse=True)[:_MOST_KINDS]
    return sorted((item for kind in most for item in kind), key=lambda item: item[0].index)


def _heading(block: Block) -> re.Match[str] | None:
    text = block.text
    if block.kind != "text" or block.depth or len(text) > _CHARS:
        return None
    match = _HEADING.match(text)
    if match is None or not match["rest"][0].isupper():
        return None
    return match if is_heading_like(block) or not text.endswith((".", ";", ":", ",")) else None


def _look(match: re.Match[str], block: Block) -> str:
    return f"{(match['sign'] or '').strip()}:{match['rest'].isupper()}:{block.level}"


def _label(index: int, match: re.Match[str], series: str) -> Label | None:
    number = read_letter(match["num"]) if series == "letter" else read_number(match["num"])
    if number is None or number.series != series:
        return None
    return Label(index, (), number, match.start("rest"), STRONG, f"bare:{series}", False)


def _whole(labels: Sequence[Label | None]) -> list[Label]:
    """Return the labels of sequences that begin with the first number and have no gaps."""
    kept: list[Label] = []
    sequence: list[Label] = []
    for label in labels:
        if label is None:
            continue
        if sequence and label.number.follows(sequence[-1].number) == 0:
            sequence.append(label)
        elif label.number.is_first:
            kept.extend(sequence if len(sequence) >= _LEAST else ())
            sequence = [label]
    return [*kept, *(sequence if len(sequence) >= _LEAST else ())]

"""Finds inserted provisions whose numbers have several parts, "2.1." between "2." and "3.", among provisions without a word.

In other documents such numbers count the paragraphs of a provision. What the text of the provision before them is decides: a paragraph has
above it only a heading, or words that announce it. Not here: inserted letters (2A), which `recogniser.sequence` finds.
"""

from __future__ import annotations

import dataclasses
import re

from legal_pipeline.parsing.blocks import Blocks
from legal_pipeline.parsing.recogniser.labels import Label, parted_label
from legal_pipeline.parsing.recogniser.sequence import Run

#: Maximum share of the provisions that have inserted ones behind them.
_MOST_SHARE = 0.5
#: A text of fewer words is a heading, if it is not a remark in brackets.
_STATED_WORDS = 4
_ANNOUNCES = re.compile(r"[:;,—–-][”\"’]?\Z")
_STATES = re.compile(r"[.)\]][”\"’]?\Z")


def with_inserted(run: Run, blocks: Blocks, end: int) -> tuple[Run, tuple[str, ...]]:
    """Return `run` with the provisions that are inserted between its own, and the numbers for which this could not be decided.

    The provisions of `run` have no word, and the last ends before the block `end`. Undecided numbers may be inserted provisions or
    paragraphs; they stay in the text of the provision before them."""
    inserted: list[Label] = []
    headed = hosts = 0
    for label, after in zip(run.labels, [*run.labels, None][1:], strict=True):
        if found := _behind(label, blocks, after.index if after is not None else end):
            inserted += found
            hosts += 1
            headed += _only_announces(label, blocks, found[0])
    if headed == hosts:
        return run, ()
    if headed or hosts > _MOST_SHARE * len(run.labels):
        return run, tuple(label.number.text for label in inserted)
    labels = sorted([*run.labels, *inserted], key=lambda label: label.index)
    return dataclasses.replace(run, labels=tuple(labels), steps=run.steps + len(inserted)), ()


def _behind(label: Label, blocks: Blocks, end: int) -> list[Label]:
    """Return the labels after `label` and before the block `end` that add parts to its number, in ascending order and in its style."""
    found: list[Label] = []
    last = label.number
    for index in range(label.index + 1, end):
        other = parted_label(index, blocks[index]) if not blocks[index].depth else None
        if other is None or other.number.key[0] != label.number.key[0] or other.number.key <= last.key:
            continue
        if _sign(other) == _sign(label):
            found.append(other)
            last = other.number
    return found


def _sign(label: Label) -> str:
    """Return the sign behind the number: "2." and "2.1." have the same."""
    return label.style.split(":")[1]


def _only_announces(label: Label, blocks: Blocks, first: Label) -> bool:
    """Whether the text of `label` before `first` is only a heading, or announces what follows."""
    texts = [blocks[label.index].text[label.end :], *(block.text for block in blocks[label.index + 1 : first.index])]
    if _ANNOUNCES.search(texts[-1]):
        return True
    return not any(
        _STATES.search(text) and (len(text.split()) >= _STATED_WORDS or text.startswith(("(", "["))) for text in texts
    )

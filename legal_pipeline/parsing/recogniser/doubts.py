"""Warnings about a recognised law in which provisions may be missing: its numbers begin late, have gaps, or its text is not in provisions.

Not here: documents that are not recognised as laws (`recogniser.recognise`).
"""

from __future__ import annotations

import itertools

from legal_pipeline.parsing.blocks import Blocks
from legal_pipeline.parsing.recogniser.labels import IN_CODE
from legal_pipeline.parsing.recogniser.outline import Outline
from legal_pipeline.parsing.recogniser.raised import lost

#: Maximum number of numbers or gaps in a warning.
_NAMED = 10
#: Minimum share of the text before the first provision, or in one of several provisions, and the minimum number of its characters.
_BEFORE_SHARE, _ONE_SHARE, _CHARS = 0.4, 0.3, 6_000
#: A code leaves numbers free if more than one of so many steps does.
_FREE = 3
#: Minimum number of provisions without a word in a schedule that may be the body.
_IN_SCHEDULE = 20
#: Minimum number of provisions of a law in which one is too long.
_PROVISIONS = 10


def doubts(outline: Outline, blocks: Blocks) -> tuple[str, ...]:
    """Return a warning for each reason to doubt that every provision of the law in `blocks` was found."""
    found: list[str] = []
    if unsure := [number for region in outline.regions for number in region.unsure]:
        named = ", ".join(unsure[:_NAMED])
        found.append(f"{len(unsure)} numbers may be sections, but are in the text of the section before them: {named}")
    labels = outline.labels
    if raised := lost(labels, blocks):
        named = ", ".join(raised[:_NAMED])
        found.append(f"{len(raised)} numbers are read with raised digits that the text prints like others: {named}")
    # A code leaves numbers free between its sections: 4.010, 4.020.
    leaves_numbers = all(label.style.startswith(IN_CODE) for label in labels) or (
        _FREE * len(outline.gaps) > len(labels) and all(len(label.number.key) > 1 for label in labels)
    )
    if outline.gaps and not leaves_numbers:
        named = ", ".join(f"{before} and {after}" for before, after in outline.gaps[:_NAMED])
        found.append(f"numbers are missing between {named}")
    first = labels[0].number
    if not (first.is_first or first.begins_hundred or first.is_hundred) and first.value > 1 and not leaves_numbers:
        found.append(f"the first provision found is {first.text}: those before it may be missing")
    return (*found, *_in_schedules(outline), *_long_texts(outline, blocks))


def _in_schedules(outline: Outline) -> list[str]:
    """Return the warnings of provisions in schedules that may be the body's: they continue its numbers, or they are numbers without a word,
    as in the body, and are at least as many."""
    body = outline.regions[0]
    found: list[str] = []
    for region in outline.regions[1:]:
        labels = region.run.labels
        is_usual = region.schedule is None or "transitional" in region.schedule.kinds or region.kind != body.kind
        if is_usual or not labels or not body.run.labels:
            continue
        goes_on = labels[0].number.follows(body.run.labels[-1].number) == 0
        if goes_on or (region.kind is None and len(labels) >= max(_IN_SCHEDULE, len(body.run.labels))):
            numbers = (
                f"{labels[0].number.text} to {labels[-1].number.text}" if len(labels) > 1 else labels[0].number.text
            )
            found.append(
                f"{len(labels)} provisions, {numbers}, are in a schedule and {len(body.run.labels)} in the body: "
                "the body may continue there, or they are paragraphs of the schedule"
            )
    return found


def _long_texts(outline: Outline, blocks: Blocks) -> list[str]:
    """Return the warnings of much text before the first provision and of much text in one of the body's provisions."""
    apart = (*outline.contents, *((start, end) for _, start, end in outline.recitals))
    listed = {index for start, end in apart for index in range(start, end)}
    sizes = [
        len(block.text) if block.kind == "text" and index not in listed else 0 for index, block in enumerate(blocks)
    ]
    before = [0, *itertools.accumulate(sizes)]
    total = before[-1] or 1
    region = next(region for region in outline.regions if region.run.labels)
    labels = sorted((*region.run.labels, *region.inner, *region.beside), key=lambda label: label.index)
    starts = [label.index for label in labels]
    found: list[str] = []
    if before[starts[0]] > max(_CHARS, _BEFORE_SHARE * total):
        share = before[starts[0]] / total
        found.append(f"{share:.0%} of the text is before the first provision, {labels[0].number.text}")
    if len(starts) >= _PROVISIONS:
        ends = [*starts[1:], region.end]
        size, number = max(
            (before[end] - before[start], label.number.text)
            for start, end, label in zip(starts, ends, labels, strict=True)
        )
        if size > max(_CHARS, _ONE_SHARE * total):
            found.append(f"{size / total:.0%} of the text is in one provision, {number}: it may contain others")
    return found

"""Tells the articles of a decree from those of the law that it issues in one of them: "ARTICLE SEVEN. The Lamps Act is issued:".

The decree counts in words and the law in figures. Not here: laws whose articles are all in words.
"""

from __future__ import annotations

from legal_pipeline.parsing.blocks import Blocks
from legal_pipeline.parsing.recogniser.headings import is_heading_like
from legal_pipeline.parsing.recogniser.labels import FAIR, STRONG, Label, Labels
from legal_pipeline.parsing.recogniser.numbers import UNNUMBERED

#: Minimum ratio of the articles of the law and of the decree above it.
_RATIO = 5


def without_decree(labels: Labels, schedules: Labels, blocks: Blocks) -> tuple[list[Label], list[Label]]:
    """Return `labels` without the decree's articles above the law, and `schedules` with one more label for its articles below the law.

    The decree's articles below the law are its transitional provisions; the label is that of their heading. A law that no decree
    issues keeps both lists unchanged."""
    named = [label for label in labels if label.is_provision and label.strength >= FAIR]
    first = next((place for place, label in enumerate(named) if not _is_spelled(label, blocks)), 0)
    decree, law = named[:first], named[first:]
    is_issued = (
        bool(decree)
        and law[0].number.is_first
        and law[0].kinds == decree[-1].kinds
        # behind a sole article (value 0) no further ones of the decree follow
        and (blocks[decree[-1].index].text.endswith(":") or decree[-1].number.value == 0)
        and len([label for label in law if not _is_spelled(label, blocks)]) >= _RATIO * len(decree)
    )
    if not is_issued:
        return list(labels), list(schedules)
    above = {label.index for label in decree}
    kept = [label for label in labels if label.index not in above]
    borders = {label.index for label in schedules}
    goes_on = next((label for label in law if _is_spelled(label, blocks)), None)
    if (
        goes_on is None
        or goes_on.number.follows(decree[-1].number) != 0
        or min(borders, default=goes_on.index) < goes_on.index
    ):
        return kept, list(schedules)
    start = goes_on.index
    while is_heading_like(blocks[start - 1]):
        start -= 1
    heading = Label(start, ("transitional",), UNNUMBERED, 0, STRONG, "transitional", False)
    return kept, sorted([heading, *schedules], key=lambda label: label.index)


def _is_spelled(label: Label, blocks: Blocks) -> bool:
    """Whether the number is printed in words."""
    return not label.number.series and not any(letter.isdigit() for letter in blocks[label.index].text[: label.end])

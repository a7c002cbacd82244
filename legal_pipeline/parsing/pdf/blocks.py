"""The running text of a PDF as blocks for the recogniser. Not here: the layout of its pages (`pdf.layout`)."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from legal_pipeline.parsing.blocks import Block
from legal_pipeline.parsing.pdf.paragraphs import TextBlock

#: Minimum type size of a heading relative to the body, and its maximum length in characters.
_LARGER, _HEADING_CHARS = 1.04, 200
#: Maximum type size of a page of notes relative to the body; minimum number of places in which such pages are between those of the law.
_NOTES_SIZE, _NOTES_PLACES = 0.75, 5


def blocks_of_pdf(found: Sequence[TextBlock], body_size: float) -> list[Block]:
    """Return the paragraphs of `found`. Short paragraphs in larger type are headings, the largest of level 1. `body_size` is in points."""
    notes = _pages_of_notes(found, body_size)
    sizes = sorted({round(block.size) for block in found if is_heading(block, body_size)}, reverse=True)
    levels = {size: min(index + 1, 6) for index, size in enumerate(sizes)}
    return [
        Block(
            block.text,
            kind="footnote" if block.page in notes else "text",
            level=levels[round(block.size)] if is_heading(block, body_size) else 0,
            bold=block.bold,
            page=block.page,
            lead=block.lead,
        )
        for block in found
        if block.text
    ]


def _pages_of_notes(found: Sequence[TextBlock], body_size: float) -> set[int]:
    """Return the pages in small type that the publisher prints between those of the law, with notes on each of its provisions.

    The numbers of such notes are not those of provisions. A single schedule in small type is law.
    """
    sizes: dict[int, float] = {}
    for block in found:
        sizes[block.page] = max(block.size, sizes.get(block.page, 0.0))
    small = {page for page, size in sizes.items() if size <= _NOTES_SIZE * body_size}
    places = sum(page not in small and before in small for before, page in itertools.pairwise(sizes))
    return small if places >= _NOTES_PLACES else set()


def is_heading(block: TextBlock, body_size: float) -> bool:
    """Whether the paragraph is short and in larger type than the body."""
    return block.size > _LARGER * body_size and len(block.text) < _HEADING_CHARS

"""The running text of a PDF as blocks for the recogniser. Not here: the layout of its pages (`pdf.layout`)."""

from __future__ import annotations

from collections.abc import Sequence

from legal_pipeline.parsing.blocks import Block
from legal_pipeline.parsing.pdf.paragraphs import TextBlock

#: Minimum type size of a heading relative to the body, and its maximum length in characters.
_LARGER, _HEADING_CHARS = 1.04, 200


def blocks_of_pdf(found: Sequence[TextBlock], body_size: float) -> list[Block]:
    """Return the paragraphs of `found`. Short paragraphs in larger type are headings, the largest of level 1. `body_size` is in points."""
    sizes = sorted({round(block.size) for block in found if is_heading(block, body_size)}, reverse=True)
    levels = {size: min(index + 1, 6) for index, size in enumerate(sizes)}
    return [
        Block(
            block.text,
            level=levels[round(block.size)] if is_heading(block, body_size) else 0,
            bold=block.bold,
            page=block.page,
        )
        for block in found
        if block.text
    ]


def is_heading(block: TextBlock, body_size: float) -> bool:
    """Whether the paragraph is short and in larger type than the body."""
    return block.size > _LARGER * body_size and len(block.text) < _HEADING_CHARS

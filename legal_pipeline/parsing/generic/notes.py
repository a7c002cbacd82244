"""Text that is not a law: the two outermost heading levels become chapters and subchapters, everything else blocks.

Not here: markdown and plain text, whose modules write such text themselves.
"""

from __future__ import annotations

from legal_pipeline.building.builder import DocumentBuilder
from legal_pipeline.parsing.blocks import ASIDE_TYPES, Blocks
from legal_pipeline.parsing.recogniser.headings import is_heading_like

_LEVELS = ("chapter", "subchapter")


def write_notes(builder: DocumentBuilder, blocks: Blocks) -> str | None:
    """Add `blocks` to `builder`; return the first heading, None if there is none."""
    levels = sorted({block.level for block in blocks if block.level and block.kind == "text"})
    first = next((block for block in blocks if block.level and block.kind == "text"), None)
    if first is not None and sum(block.level == first.level for block in blocks) == 1 and first.level == levels[0]:
        levels = levels[1:]
    else:
        first = None
    kinds = dict(zip(levels, _LEVELS, strict=False))
    opened: list[int] = []
    title = None
    for block in blocks:
        if block.kind in ASIDE_TYPES:
            builder.block(block.text, ASIDE_TYPES[block.kind])
        elif block.level and block.level in kinds and block is not first:
            while opened and opened[-1] >= block.level:
                opened.pop()
                builder.close()
            builder.open(kinds[block.level], None, block.text, attributes={"level": block.level})
            opened.append(block.level)
            builder.heading(block.text, attributes={"level": block.level})
            title = title or block.text
        elif is_heading_like(block):
            builder.heading(block.text)
            title = title or block.text
        else:
            builder.block(block.text, "block")
    builder.close_to(0)
    return title

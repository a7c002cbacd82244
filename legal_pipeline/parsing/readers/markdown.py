"""Reads a markdown text into blocks. Not here: its front matter (`parsing.front_matter`), and the meaning of headings."""

from __future__ import annotations

from collections.abc import Iterable

from legal_pipeline.parsing.blocks import ASIDE_TYPES, Block
from legal_pipeline.parsing.markdown_blocks import MarkdownBlock


def blocks_of_markdown(found: Iterable[MarkdownBlock]) -> list[Block]:
    """Return the blocks of `found`."""
    return [
        Block(
            f"{item.marker if item.num is not None else '-'} {item.text}" if item.kind == "item" else item.text,
            item.kind if item.kind in ASIDE_TYPES else "text",
            level=item.level if item.kind == "heading" else 0,
            depth=item.level + 1 if item.kind == "item" else 0,
            bold=item.bold,
            is_link=item.links_only,
            lead=item.lead,
        )
        for item in found
    ]

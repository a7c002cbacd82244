"""Reads a markdown text into blocks. Not here: its front matter (`parsing.front_matter`), and the meaning of headings."""

from __future__ import annotations

from collections.abc import Iterable

from legal_pipeline.parsing.blocks import Block
from legal_pipeline.parsing.markdown_blocks import MarkdownBlock

_KINDS = {"table": "table", "quotation": "quotation", "footnote": "footnote"}


def blocks_of_markdown(found: Iterable[MarkdownBlock]) -> list[Block]:
    """Return the blocks of `found`."""
    blocks: list[Block] = []
    for item in found:
        text = item.text
        if item.kind == "item":
            text = f"{item.marker if item.num is not None else '-'} {item.text}"
        blocks.append(
            Block(
                text,
                _KINDS.get(item.kind, "text"),
                level=item.level if item.kind == "heading" else 0,
                depth=item.level + 1 if item.kind == "item" else 0,
                bold=item.bold,
                is_link=item.links_only,
                lead=item.lead,
            )
        )
    return blocks

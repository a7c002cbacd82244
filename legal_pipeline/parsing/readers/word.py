"""Blocks of a Word file. Not here: reading the archive (`parsing.docx_text`)."""

from __future__ import annotations

from collections.abc import Sequence

from legal_pipeline.parsing.blocks import Block
from legal_pipeline.parsing.docx_text import WordParagraph

#: A heading whose style does not say its level.
_LEVEL = 2


def blocks_of_word(found: Sequence[WordParagraph]) -> list[Block]:
    """The paragraphs and tables of `found` with their automatic numbers, the footnotes of each behind it."""
    blocks: list[Block] = []
    for item in found:
        if item.kind == "table":
            blocks.append(Block("\n".join(item.lines), "table"))
        elif item.kind == "running":
            blocks.append(Block(item.text, "running"))
        else:
            blocks.append(
                Block(
                    f"{item.number} {item.text}".strip(),
                    level=_LEVEL if item.kind == "heading" else 0,
                    bold=item.bold,
                    italic=item.italic,
                    centred=item.centred,
                )
            )
        blocks.extend(Block(note, "footnote") for note in item.footnotes)
    return blocks

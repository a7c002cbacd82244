"""Converts a Word file to blocks, and printed lines to paragraphs. Not here: reading the archive (`parsing.docx_text`)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from legal_pipeline.parsing.blocks import Block
from legal_pipeline.parsing.docx_text import WordParagraph
from legal_pipeline.parsing.readers.plain_text import text_blocks

#: Level of every heading: the reader of the archive gives no level.
_LEVEL = 2


def without_frames(found: Iterable[WordParagraph]) -> Iterator[WordParagraph]:
    """Yield `found` with the printed lines of a document of frames as paragraphs."""
    for item in found:
        if item.kind != "framed":
            yield item
            continue
        for block in text_blocks("\n".join(item.lines)):
            kind = block.kind if block.kind in ("table", "running") else "paragraph"
            yield WordParagraph(tuple(block.text.split("\n")), kind=kind)


def blocks_of_word(found: Sequence[WordParagraph]) -> list[Block]:
    """Return the paragraphs, with their automatic numbers, and tables of `found`, each followed by its footnotes."""
    blocks: list[Block] = []
    for item in found:
        if item.kind == "table":
            blocks.append(Block("\n".join(item.lines), "table"))
        elif item.kind == "running":
            blocks.append(Block(item.text, "running"))
        else:
            # A page that is pasted into Word has line breaks between its paragraphs.
            blocks.extend(
                Block(
                    f"{item.number} {line}".strip() if place == 0 else line,
                    level=_LEVEL if item.kind == "heading" else 0,
                    bold=item.bold,
                    italic=item.italic,
                    centred=item.centred,
                    lead=item.lead if place == 0 else "",
                )
                for place, line in enumerate(item.lines)
            )
        blocks.extend(Block(note, "footnote") for note in item.footnotes)
    return blocks

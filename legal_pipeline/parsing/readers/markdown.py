"""Reads a markdown text into blocks. Not here: its front matter (`parsing.front_matter`), and the meaning of headings."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable

from legal_pipeline.parsing.blocks import Block, bold_lead
from legal_pipeline.parsing.markdown_blocks import MarkdownBlock, plain

_KINDS = {"table": "table", "quotation": "quotation", "footnote": "footnote"}
_STRONG = re.compile(r"\s*(\*\*|__)(?!\s).+(?<!\s)\1\s*")
_STRONG_WORDS = re.compile(r"(\*\*|__)(?=\S)(?:(?!\1).)+\1")
#: Number of lines of a paragraph that are searched for its first words in bold.
_LEAD_LINES = 3


def blocks_of_markdown(found: Iterable[MarkdownBlock], lines: list[str], first_line: int = 1) -> list[Block]:
    """Return the blocks of `found`; `lines` are the source lines, from `first_line` on, which show bold paragraphs."""
    blocks: list[Block] = []
    for item in found:
        text = item.text
        if item.kind == "item":
            text = f"{item.marker if item.num is not None else '-'} {item.text}"
        raw = lines[item.line - first_line] if 0 <= item.line - first_line < len(lines) else ""
        blocks.append(
            Block(
                text,
                _KINDS.get(item.kind, "text"),
                level=item.level if item.kind == "heading" else 0,
                depth=item.level + 1 if item.kind == "item" else 0,
                # The first line of a longer paragraph may be bold: "**1. This Act may be cited as the Lamps**", "Act 2031.".
                bold=item.kind == "paragraph" and bool(_STRONG.fullmatch(raw)) and plain(raw.strip()) == text,
                is_link=item.links_only,
                lead=_lead(lines[max(item.line - first_line, 0) :][:_LEAD_LINES]) if item.kind == "paragraph" else "",
            )
        )
    return blocks


def _lead(lines: Iterable[str]) -> str:
    """Return the first words in bold of the paragraph that begins with these lines, if others are not."""
    raw = " ".join(itertools.takewhile(str.strip, lines))
    parts, end = list[tuple[str, bool]](), 0
    for strong in _STRONG_WORDS.finditer(raw):
        parts += [(plain(raw[end : strong.start()]), False), (plain(strong.group()), True)]
        end = strong.end()
    return bold_lead([*parts, (plain(raw[end:]), False)]) if parts else ""

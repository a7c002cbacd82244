"""Which blocks of a page are its furniture (navigation, cookie notes, footers) and not the document.

The library Resiliparse says what the main content is; what it leaves out is furniture within bounds: never a block with the number of
a provision, and what stands between the first and the last block of the content only if the page itself marks it as navigation.
Not here: reading the page (`readers.html`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from legal_pipeline.parsing.blocks import Block
from legal_pipeline.parsing.readers.html import PageBlock

#: With a larger share of the words left out, a person must look.
REVIEW_SHARE = 1 / 3
#: Characters by which a block is found again in the main content.
_PREFIX = 40
_NOT_WORD = re.compile(r"[\W_]+")


@dataclass(frozen=True)
class PageContent:
    """`blocks` of the document, and the texts that were `left_out`; `share`: of the words of the page, those left out."""

    blocks: tuple[Block, ...]
    left_out: tuple[str, ...]
    share: float


def without_furniture(html: str, found: Sequence[PageBlock], is_numbered: Callable[[Block], bool]) -> PageContent:
    """`found` without the furniture of the page `html`; `is_numbered` says whether a block begins with the number of a provision."""
    from resiliparse.extract.html2text import extract_plain_text

    content = extract_plain_text(html, main_content=True, alt_texts=True, preserve_formatting=True)
    known = {_squeeze(line)[:_PREFIX] for line in content.split("\n")}
    squeezed = [_squeeze(item.block.text.split("\n", 1)[0])[:_PREFIX] for item in found]
    inside = [bool(text) and text in known for text in squeezed]
    kept_places = [
        index for index, (item, is_inside) in enumerate(zip(found, inside, strict=True)) if is_inside and not item.apart
    ]
    if not kept_places:
        return PageContent(tuple(item.block for item in found), (), 0.0)
    first, last = kept_places[0], kept_places[-1]
    blocks: list[Block] = []
    left_out: list[str] = []
    for index, item in enumerate(found):
        outside = index < first or index > last or item.apart
        if outside and not inside[index] and not is_numbered(item.block):
            left_out.append(item.block.text)
        else:
            blocks.append(item.block)
    words = sum(len(text.split()) for text in left_out)
    total = words + sum(len(block.text.split()) for block in blocks)
    return PageContent(tuple(blocks), tuple(left_out), words / total if total else 0.0)


def _squeeze(text: str) -> str:
    return _NOT_WORD.sub("", text).casefold()

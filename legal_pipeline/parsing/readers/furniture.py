"""Removes page furniture (navigation, cookie notes, footers) from the blocks of a page.

The library Resiliparse extracts the main content. A block outside it is furniture if the page marks it as navigation, or if it is
before the first or after the last block of the content and is not a sentence. So are menus, and the links with which a page begins and
ends, also inside what the library takes for content. A block with the number of a provision is never furniture. Not here: reading the
page (`readers.html`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from legal_pipeline.parsing.blocks import Block
from legal_pipeline.parsing.readers.html import PageBlock

#: If a larger share of the words is left out, the document requires manual review.
REVIEW_SHARE = 1 / 3
#: Number of leading characters by which a block is found in the main content.
_PREFIX = 40
#: A longer block is not a list of links.
_LINK_WORDS = 20
#: A block of at least this many words that ends as a sentence is prose.
_PROSE_WORDS = 15
_ITEM_MARK = re.compile(r"\s*\w{1,4}[.)]\s")
_LETTER = re.compile(r"[^\W_]")
_YEAR = re.compile(r"\d{4}")
_NOT_WORD = re.compile(r"[\W_]+")


@dataclass(frozen=True)
class PageContent:
    """The `blocks` of the document and the texts that were `left_out`; `share`: left-out words as a share of all words of the page."""

    blocks: tuple[Block, ...]
    left_out: tuple[str, ...]
    share: float


def without_furniture(html: str, found: Sequence[PageBlock], is_numbered: Callable[[Block], bool]) -> PageContent:
    """Return `found` without the furniture of the page `html`.

    `is_numbered` returns whether a block begins with the number of a provision. If Resiliparse finds no content, only
    menus and the links of the site are left out.
    """
    from resiliparse.extract.html2text import extract_plain_text

    content = extract_plain_text(html, main_content=True, alt_texts=True, preserve_formatting=True)
    lines = content.split("\n")
    # The library adds numbers to the items of lists, so each line is also compared without its mark.
    known = {_squeeze(text)[:_PREFIX] for line in lines for text in (line, _ITEM_MARK.sub("", line, count=1))}
    squeezed = [_squeeze(item.shown.split("\n", 1)[0])[:_PREFIX] for item in found]
    inside = [bool(text) and text in known for text in squeezed]
    kept_places = [
        index for index, (item, is_inside) in enumerate(zip(found, inside, strict=True)) if is_inside and not item.apart
    ]
    if not kept_places:
        inside, kept_places = [True] * len(found), [0]
    first, last = kept_places[0], kept_places[-1]
    of_site = _links_at_ends(found, is_numbered)
    blocks: list[Block] = []
    left_out: list[str] = []
    for index, item in enumerate(found):
        outside = item.apart or ((index < first or index > last) and not _is_of_law(item.block))
        is_menu = index in of_site or (item.in_menu and not _is_prose(item.block))
        if (is_menu or (outside and not inside[index])) and not is_numbered(item.block):
            left_out.append(item.block.text)
        else:
            blocks.append(item.block)
    words = sum(len(text.split()) for text in left_out)
    total = words + sum(len(block.text.split()) for block in blocks)
    return PageContent(tuple(blocks), tuple(left_out), words / total if total else 0.0)


def _links_at_ends(found: Sequence[PageBlock], is_numbered: Callable[[Block], bool]) -> set[int]:
    """Return the indices of the links, and of the notes of copyright, before the first and behind the last other block of the page."""
    places: set[int] = set()
    for order in (range(len(found)), range(len(found) - 1, -1, -1)):
        for index in order:
            item = found[index]
            text = item.block.text
            if _is_link_of_site(item) and not is_numbered(item.block):
                places.add(index)
            elif not item.apart and not item.in_menu and _LETTER.search(text):
                break
    return places


def _is_link_of_site(item: PageBlock) -> bool:
    """Whether the block is a link or a note of copyright; the title of an act may be a link too, but looks as one or has its year."""
    block = item.block
    is_title = block.level or block.bold or block.centred or _YEAR.search(block.text)
    if (is_title and block.text[:1] != "©") or block.kind != "text" or len(block.text.split()) > _LINK_WORDS:
        return False
    return item.linked or block.text[:1] == "©"


def _is_of_law(block: Block) -> bool:
    """Whether the block is prose, or a table with a year, as gazettes print the number and the day of an act."""
    return _is_prose(block) or (block.kind == "table" and _YEAR.search(block.text) is not None)


def _is_prose(block: Block) -> bool:
    """Whether the block is a long sentence: then it is not furniture unless the page marks it as such."""
    return len(block.text.split()) >= _PROSE_WORDS and block.text.rstrip(')"”»').endswith((".", ";", ":"))


def _squeeze(text: str) -> str:
    return _NOT_WORD.sub("", text).casefold()

"""What one request may show of a document: the whole, or where that is too long its divisions, then its chapters.

Not here: how many chunks one answer may be about (`enrichment.pages`).
"""

from __future__ import annotations

import bisect
from collections.abc import Iterator, Sequence

from legal_pipeline.enrichment.enricher import Part, Passage
from legal_pipeline.model.document import STRUCTURE, Document, Node
from legal_pipeline.text.tokens import count_tokens

#: Tokens (o200k) of a document's text that are shown at once. Prompts above 100,000 of the model's own tokens cost five times as much per
#: token with the default model, reads from the cache included (`prices.toml`): a part, its listed chunks (`pages.LISTED_TOKENS`) and the
#: instructions stay below that. By `enrichment.estimate`, all prefixes of the Socialförsäkringsbalk (190,000 tokens) cost $0.77 with parts
#: of 150,000 or 60,000, $0.22 with 25,000 and no less with smaller ones; that of one changed § $0.005 and $0.002 on average.
MAX_PART_TOKENS = 25_000

_Tile = tuple[int, int, str]


def split_into_parts(
    document: Document, passages: Sequence[tuple[int, Passage]], limit: int = MAX_PART_TOKENS
) -> tuple[Part, ...]:
    """The parts that hold the passages, each given with its offset in the document; a part without any is left out.

    Parts tile the text. What is too long and has no structure is cut between blocks.
    """
    if _fits(document.text, limit):
        return (Part(document.text, tuple(passage for _, passage in passages)),) if passages else ()
    tiles = [
        piece
        for tile in _tiles(document, document.nodes, 0, len(document.text), limit)
        for piece in _cut(document.text, tile, limit)
    ]
    starts = [start for start, _, _ in tiles]
    held: dict[int, list[Passage]] = {}
    for offset, passage in passages:
        held.setdefault(bisect.bisect_right(starts, offset) - 1, []).append(passage)
    return tuple(
        Part(document.text[tiles[index][0] : tiles[index][1]], tuple(found), tiles[index][2])
        for index, found in sorted(held.items())
    )


def _tiles(document: Document, nodes: Sequence[Node], start: int, end: int, limit: int) -> Iterator[_Tile]:
    """`start` to `end` as the structural nodes among `nodes`, those too long as their own, and the text between them."""
    position = start
    for node in nodes:
        if node.type not in STRUCTURE:
            continue
        if node.start > position:
            yield position, node.start, ""
        below = any(child.type in STRUCTURE for child in node.children)
        if below and not _fits(document.text[node.start : node.end], limit):
            yield from _tiles(document, node.children, node.start, node.end, limit)
        else:
            label = " ".join(part for part in (node.type, node.num, node.heading) if part)
            yield node.start, node.end, label
        position = node.end
    if position < end:
        yield position, end, ""


def _cut(text: str, tile: _Tile, limit: int) -> Iterator[_Tile]:
    start, end, label = tile
    if _fits(text[start:end], limit):
        yield tile
        return
    middle = (start + end) // 2
    found = text.rfind("\n\n", start + 1, middle)
    middle = found + 2 if found > start else middle
    yield from _cut(text, (start, middle, label), limit)
    yield from _cut(text, (middle, end, label), limit)


def _fits(text: str, limit: int) -> bool:
    return len(text.encode()) <= limit or count_tokens(text) <= limit

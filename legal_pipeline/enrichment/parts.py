"""Split a document into parts for requests: the whole document or, if it is too long, its divisions, then its chapters.

Not here: the number of chunks in one request (`enrichment.pages`).
"""

from __future__ import annotations

import bisect
from collections.abc import Iterator, Sequence

from legal_pipeline.enrichment.enricher import Part, Passage
from legal_pipeline.model.document import STRUCTURE, Document, Node
from legal_pipeline.text.tokens import count_tokens

#: Maximum tokens (o200k) of a document's text in one request. With the default model, prompts above 100,000 of its own tokens cost
#: five times as much per token, including cache reads (`prices.toml`); a part, its listed chunks (`pages.LISTED_TOKENS`) and the
#: instructions stay below that. According to `enrichment.estimate`, all prefixes of the Socialförsäkringsbalk (190,000 tokens) cost $0.77
#: with parts of 150,000 or 60,000, $0.22 with 25,000 and no less with smaller parts; the prefix of one changed § $0.005 and $0.002 on
#: average.
MAX_PART_TOKENS = 25_000

_Tile = tuple[int, int, str]


def split_into_parts(
    document: Document, passages: Sequence[tuple[int, Passage]], limit: int = MAX_PART_TOKENS
) -> tuple[Part, ...]:
    """Return the parts that contain passages, each given with its offset in the document; a part without a passage is left out.

    Parts are adjacent and cover the text. A long text without structure is cut between blocks.
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
    """Divide `start` to `end` into the structural nodes of `nodes` (a long node into its children) and the text between them."""
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

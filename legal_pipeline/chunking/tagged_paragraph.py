"""`tagged_paragraph`: notes whose blocks carry the number of the judgment paragraph that they report.

Blocks (`■` sections, else the text that `[Para …]` tags close) are found by the parser; their tags are not in the text. A block over 1,200
characters is cut at sentence ends, filled one after the other up to 1,200 (hard: a longer sentence is cut at clauses, then between
words); no overlap. Every sub-chunk has the block's `para_id` and the file's name. Paths: `Para 26`, `Paras 133 to 135`,
`Para 133#2`; `Block 4` without a tag, `Text` outside the blocks. Parameter: `max_chars` (characters). Not here: finding blocks and
tags (`parsing.tagged`).
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from legal_pipeline.chunking.chunk import Draft, Segment, Span
from legal_pipeline.chunking.headers import SEPARATOR, document_header
from legal_pipeline.chunking.outline import outermost
from legal_pipeline.chunking.packing import budget, split_to_fit
from legal_pipeline.chunking.pieces import sentences_of
from legal_pipeline.chunking.provisions import UniquePaths
from legal_pipeline.chunking.strategy import Cut, Strategy, Tools
from legal_pipeline.chunking.windows import clause_starts, word_starts
from legal_pipeline.model.document import Document, Node
from legal_pipeline.text.spans import subtract, trim, within

MAX_CHARS = 1200


def chunk(document: Document, segment: Segment, tools: Tools = Tools()) -> Cut:
    """Return a draft per block, more where it is over 1,200 characters; text outside blocks (a header) likewise, without `para_id`."""
    limit = int(tools.parameters.get("max_chars", MAX_CHARS))
    scope = sorted(segment.spans or ((node.start, node.end) for node, _ in segment.nodes))
    holes = tools.holes(document)
    blocks = [node for node, _ in outermost(document, ("block",)) if within(scope, node.start)]
    text = document.text
    taken = sorted((node.start, node.end) for node in blocks)
    pieces: list[tuple[Span, Node | None]] = [
        *((span, node) for node in blocks for span in trim(text, subtract((node.start, node.end), holes))),
        *((span, None) for part in scope for span in trim(text, subtract(part, sorted([*taken, *holes])))),
    ]
    paths = UniquePaths()
    names: dict[int, tuple[str, int]] = {}
    drafts = []
    for span, node in sorted(pieces, key=lambda piece: piece[0]):
        owner = node.start if node is not None else span[0]
        name, parts = names.get(owner) or (paths.name(_name(node)), 0)
        header = _header(document, node)
        for block in split_block(document, span, limit):
            # 1,200 characters of a rare script can exceed the token limit of a chunk
            for part in split_to_fit(document.text, block, budget(header), ()):
                parts += 1
                drafts.append(_draft(part, node, name if parts == 1 else f"{name}#{parts}", owner, header))
        names[owner] = name, parts
    return drafts, []


def split_block(document: Document, span: Span, limit: int = MAX_CHARS) -> list[Span]:
    """Return `span` as spans of at most `limit` characters that end at sentences, a longer sentence at clauses, then between words."""
    if span[1] - span[0] <= limit:
        return [span]
    pieces = [part for sentence in sentences_of(document, span) for part in _fitting(document.text, sentence, limit)]
    return list(_filled(pieces, limit))


def _fitting(text: str, span: Span, limit: int) -> list[Span]:
    """Return a sentence whole if it fits, else cut at clauses; a clause that is too long between words, a word between characters."""
    start, end = span
    if end - start <= limit:
        return [span]
    for starts in (clause_starts, word_starts):
        cuts = [start, *(start + at for at in starts(text[start:end]) if 0 < at < end - start), end]
        if len(cuts) > 2:
            parts = trim(text, itertools.pairwise(cuts))
            return list(_filled([piece for part in parts for piece in _fitting(text, part, limit)], limit))
    return [(at, min(at + limit, end)) for at in range(start, end, limit)]


def _filled(pieces: Sequence[Span], limit: int) -> Iterator[Span]:
    """Yield neighbouring pieces joined as long as they hold at most `limit` characters."""
    current: Span | None = None
    for piece in pieces:
        if current is not None and piece[1] - current[0] <= limit:
            current = (current[0], piece[1])
        else:
            if current is not None:
                yield current
            current = piece
    if current is not None:
        yield current


def _draft(span: Span, node: Node | None, path: str, anchor: int, header: str) -> Draft:
    attributes = node.attributes if node is not None else {}
    return Draft(
        spans=(span,),
        chunk_type="markdown",
        path=path,
        header=header,
        anchor=anchor,
        eid=node.eid if node is not None else None,
        metadata={name: attributes.get(name) for name in ("para_id", "paras", "pins")},
    )


def _header(document: Document, node: Node | None) -> str:
    para_id = node.attributes.get("para_id") if node is not None else None
    return SEPARATOR.join(part for part in (document_header(document), para_id) if part)


def _name(node: Node | None) -> str:
    """`Para 26` from the tag, or the number of a block without a tag."""
    if node is None:
        return "Text"
    para_id = node.attributes.get("para_id")
    if not para_id:
        return f"Block {node.num}" if node.num else "Block"
    name: str = para_id.partition("]")[0].strip("[ ")
    return name


STRATEGY = Strategy("tagged_paragraph", "1", chunk)

"""Splitting a provision or schedule that is over its budget: at its sub-sections, then clauses, items, blocks, rows, sentences.

What qualifies (a proviso, an explanation, an illustration) stays with what it qualifies as long as both fit together.
Not here: budgets of single strategies, and headers.
"""

from __future__ import annotations

from collections.abc import Sequence

from legal_pipeline.chunking.chunk import Span
from legal_pipeline.chunking.coverage import join_adjacent, trim
from legal_pipeline.chunking.packing import (
    MAX_TOKENS,
    PREFIX_TOKENS,
    budget,
    fits,
    split_blocks,
    split_lines,
    split_to_fit,
)
from legal_pipeline.model.document import Document, Node
from legal_pipeline.text.sentences import sentence_spans
from legal_pipeline.text.tokenized import tokenized

#: Nodes that are meaningless without what stands before them.
QUALIFIERS = frozenset({"proviso", "explanation", "illustration"})


def split(document: Document, node: Node, spans: Sequence[Span], limit: int) -> list[tuple[Span, ...]]:
    """`spans` (the chunkable text of `node`) as parts of at most `limit` tokens, each a tuple of spans in text order."""
    text = document.text
    if fits(text, spans, limit):
        return [tuple(spans)]
    parts: list[list[Span]] = []
    size = 0
    for group, tokens in _groups(text, _atoms(document, node, spans, limit), limit):
        if parts and size + 1 + tokens <= limit:
            parts[-1].extend(group)
            size += 1 + tokens
        else:
            parts.append(group)
            size = tokens
    return [join_adjacent(text, part) for part in parts]


def split_under(header: str, document: Document, node: Node, spans: Sequence[Span]) -> list[tuple[Span, ...]]:
    """`split` within the budget that `header` leaves; what is surely short (a token is at least one byte) is not tokenised."""
    size = len(header.encode()) + sum(len(document.text[start:end].encode()) + 1 for start, end in spans)
    if size <= MAX_TOKENS - PREFIX_TOKENS:
        return [tuple(spans)]
    return split(document, node, spans, budget(header))


def _atoms(document: Document, node: Node, spans: Sequence[Span], limit: int) -> list[tuple[Span, bool]]:
    """(span, whether it qualifies what stands before it): children that fit, and of those that do not their own atoms."""
    text = document.text
    cuts = [child for child in node.children if child.end > child.start]
    if not cuts:
        return [(part, False) for span in spans for part in _sentences_or_less(document, span, limit)]
    out: list[tuple[Span, bool]] = []
    owners: list[Node | None] = []
    edges: list[Span] = []
    position = spans[0][0]
    for child in cuts:
        if child.start > position:
            edges.append((position, child.start))
            owners.append(None)
        edges.append((max(child.start, position), child.end))
        owners.append(child)
        position = max(position, child.end)
    edges.append((position, spans[-1][1]))
    owners.append(None)
    for (start, end), owner in zip(edges, owners, strict=True):
        pieces = trim(text, [(max(start, low), min(end, high)) for low, high in spans if low < end and high > start])
        if not pieces:
            continue
        qualifies = owner is not None and owner.type in QUALIFIERS
        if fits(text, pieces, limit):
            out.extend((piece, qualifies or index > 0) for index, piece in enumerate(pieces))
        elif owner is not None and owner.children:
            below = _atoms(document, owner, pieces, limit)
            out.extend((span, qualifies if index == 0 else glued) for index, (span, glued) in enumerate(below))
        else:
            out.extend((part, False) for piece in pieces for part in _sentences_or_less(document, piece, limit))
    return out


def _groups(text: str, atoms: Sequence[tuple[Span, bool]], limit: int) -> list[tuple[list[Span], int]]:
    """(spans, tokens) of what must not be parted: an atom with its qualifiers, as many as fit together."""
    out: list[tuple[list[Span], int]] = []
    counts = tokenized(text).count_each([(span,) for span, _ in atoms])
    for (span, qualifies), tokens in zip(atoms, counts, strict=True):
        if qualifies and out and out[-1][1] + 1 + tokens <= limit:
            group, size = out.pop()
            out.append(([*group, span], size + 1 + tokens))
        else:
            out.append(([span], tokens))
    return out


def _sentences_or_less(document: Document, span: Span, limit: int) -> list[Span]:
    def sentences(text: str, span: Span) -> list[Span]:
        start, end = span
        return [(start + low, start + high) for low, high in sentence_spans(text[start:end], document.language)]

    return split_to_fit(document.text, span, limit, (split_blocks, split_lines, sentences))

"""Splits a provision or schedule that is over its budget: at its sub-sections, then clauses, items, blocks, rows, sentences.

A qualifier (a proviso, an explanation, an illustration) stays with the text that it qualifies as long as both fit together, and a heading
with the text that follows it.
Not here: budgets of single strategies, and headers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from legal_pipeline.chunking.chunk import Draft, Span
from legal_pipeline.chunking.packing import (
    MAX_TOKENS,
    PREFIX_TOKENS,
    budget,
    fits,
    split_blocks,
    split_lines,
    split_to_fit,
)
from legal_pipeline.chunking.pieces import by_sentence
from legal_pipeline.model.document import Document, Node
from legal_pipeline.text.spans import join_adjacent, trim
from legal_pipeline.text.tokens import count_spans

#: (valid_from, valid_to)
Validity = tuple[str | None, str | None]

#: Nodes that have no meaning without the text before them.
QUALIFIERS = frozenset({"proviso", "explanation", "illustration"})


def split(document: Document, node: Node, spans: Sequence[Span], limit: int) -> list[tuple[Span, ...]]:
    """Return `spans` (the chunkable text of `node`) as parts of at most `limit` tokens, each a tuple of spans in text order."""
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
    """`split` within the budget that `header` leaves; a text with so few bytes that it must fit is not tokenised."""
    size = len(header.encode()) + sum(len(document.text[start:end].encode()) + 1 for start, end in spans)
    if size <= MAX_TOKENS - PREFIX_TOKENS:
        return [tuple(spans)]
    return split(document, node, spans, budget(header))


def node_drafts(
    node: Node,
    parts: Iterable[tuple[Span, ...]],
    chunk_type: str,
    path: str,
    header: str,
    validity: Validity,
    **fields: Any,
) -> Iterator[Draft]:
    """Yield a draft of each part of a node; the path of the second part ends with `#2`. `fields` are further fields of `Draft`."""
    for number, spans in enumerate(parts, start=1):
        numbered = path if number == 1 else f"{path}#{number}"
        valid_from, valid_to = validity
        yield Draft(
            spans,
            chunk_type,
            numbered,
            header,
            node.start,
            node.eid,
            valid_from=valid_from,
            valid_to=valid_to,
            **fields,
        )


@dataclass(frozen=True, slots=True)
class _Atom:
    """A span that is not cut further. If it `qualifies`, it stays with the atom before; if it `leads` (a heading), with the atom after."""

    span: Span
    qualifies: bool = False
    leads: bool = False


def _atoms(document: Document, node: Node, spans: Sequence[Span], limit: int) -> list[_Atom]:
    """Return an atom per child that fits; a child that does not fit is replaced by its own atoms."""
    text = document.text
    if not any(child.end > child.start for child in node.children):
        return [_Atom(part) for span in spans for part in _sentences_or_less(document, span, limit)]
    out: list[_Atom] = []
    room = limit
    for start, end, owner in _edges(node, spans):
        pieces = trim(text, [(max(start, low), min(end, high)) for low, high in spans if low < end and high > start])
        if not pieces:
            continue
        leads = owner is not None and owner.type == "heading"
        qualifies = owner is not None and owner.type in QUALIFIERS
        if fits(text, pieces, room):
            out.extend(_Atom(piece, qualifies or index > 0, leads) for index, piece in enumerate(pieces))
        elif owner is not None and owner.children:
            below = _atoms(document, owner, pieces, room)
            out.extend([replace(below[0], qualifies=qualifies), *below[1:]])
        else:
            out.extend(_Atom(part) for piece in pieces for part in _sentences_or_less(document, piece, room))
        # The text after a heading is cut so that both fit together; a heading over half a chunk is treated as ordinary text.
        room = room - count_spans(text, pieces) - 1 if leads else limit
        room = room if room > limit / 2 else limit
    return out


def _edges(node: Node, spans: Sequence[Span]) -> Iterator[tuple[int, int, Node | None]]:
    """(start, end, node) of the children of `node` and of the text between them."""
    position = spans[0][0]
    for child in node.children:
        if child.end <= child.start:
            continue
        if child.start > position:
            yield position, child.start, None
        yield max(child.start, position), child.end, child
        position = max(position, child.end)
    yield position, spans[-1][1], None


def _groups(text: str, atoms: Sequence[_Atom], limit: int) -> list[tuple[list[Span], int]]:
    """Return (spans, tokens) of groups that must not be divided: headings, an atom and its qualifiers, as many as fit together."""
    out: list[tuple[list[Span], int]] = []
    led = False
    for atom in atoms:
        tokens = count_spans(text, (atom.span,))
        if (atom.qualifies or led) and out and out[-1][1] + 1 + tokens <= limit:
            group, size = out.pop()
            out.append(([*group, atom.span], size + 1 + tokens))
        else:
            out.append(([atom.span], tokens))
        led = atom.leads
    return out


def _sentences_or_less(document: Document, span: Span, limit: int) -> list[Span]:
    return split_to_fit(document.text, span, limit, (split_blocks, split_lines, by_sentence(document)))

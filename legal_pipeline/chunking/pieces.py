"""Sentences and blocks as pieces for the semantic and recursive strategies, and the overlap between neighbouring chunks.

Not here: where the boundaries are (the strategies).
"""

from __future__ import annotations

import bisect
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from legal_pipeline.chunking.chunk import Draft, Span
from legal_pipeline.chunking.packing import split_blocks, split_lines, split_to_fit
from legal_pipeline.model.document import STRUCTURE, Document
from legal_pipeline.text.sentences import sentence_spans
from legal_pipeline.text.spans import join_adjacent
from legal_pipeline.text.tokens import count_spans


@dataclass(frozen=True, slots=True)
class Pieces:
    """Spans in text order and the tokens of each; consecutive pieces of one block are separated only by white space."""

    spans: tuple[Span, ...]
    tokens: tuple[int, ...]

    def __len__(self) -> int:
        return len(self.spans)

    def texts(self, document: Document) -> list[str]:
        return [document.text[start:end] for start, end in self.spans]


def sentences_of(document: Document, span: Span) -> list[Span]:
    start, end = span
    return [(start + low, start + high) for low, high in sentence_spans(document.text[start:end], document.language)]


def by_sentence(document: Document) -> Callable[[str, Span], list[Span]]:
    """Return the splitter of `split_to_fit` that cuts the document's text into sentences."""
    return lambda _, span: sentences_of(document, span)


def sentence_pieces(document: Document, spans: Sequence[Span], limit: int) -> Pieces:
    """Return the sentences of the spans; a sentence over `limit` tokens is cut further."""
    found = [
        part
        for span in spans
        for sentence in sentences_of(document, span)
        for part in split_to_fit(document.text, sentence, limit, (split_lines,))
    ]
    return _counted(document, found)


def block_pieces(document: Document, spans: Sequence[Span], limit: int) -> Pieces:
    """Return the blocks of the spans; a block over `limit` tokens is cut at lines, then sentences."""
    found = [
        part
        for span in spans
        for block in split_blocks(document.text, span)
        for part in split_to_fit(document.text, block, limit, (split_lines, by_sentence(document)))
    ]
    return _counted(document, found)


def _counted(document: Document, spans: list[Span]) -> Pieces:
    return Pieces(tuple(spans), tuple(count_spans(document.text, (span,)) for span in spans))


def overlap_of(tokens: Sequence[int], share: float, most: float) -> int:
    """Return how many of the last pieces of a chunk (`tokens` per piece) the next chunk repeats.

    `share` and `most` are shares of the chunk's tokens: `share` is the wanted overlap, and `most`, which is larger, that of a single piece.
    The result is the number of the last pieces that together have at most `share`. If even the last piece has more, it is 1 if that piece
    has at most `most`, else 0. The first piece is never repeated.
    """
    total = sum(tokens)
    count = size = 0
    for number in reversed(tokens[1:]):
        if size + number > share * total:
            break
        size += number
        count += 1
    if count == 0 and len(tokens) > 1 and tokens[-1] <= most * total:
        return 1
    return count


def own_tokens(limit: int, most: float) -> int:
    """Return the tokens that a chunk's own text may have so that it fits into `limit` with an overlap of up to `most`."""
    return int(limit / (1.0 + most)) - 1


def heading_starts(document: Document) -> list[int]:
    """Return 0 and the offsets of headings and structure nodes.

    The offset that is hashed into a chunk id counts from the last of them before the chunk (`Draft.anchor`).
    """
    return sorted({0, *(node.start for node in document.walk() if node.type in (*STRUCTURE, "heading"))})


def headings_with_text(
    document: Document, pieces: Pieces, groups: Sequence[tuple[int, int]], limit: int
) -> list[tuple[int, int]]:
    """Return `groups` (first, last + 1); headings at the end of a group are moved to the next as far as `limit` tokens allow.

    A group that holds only headings becomes the beginning of the next group.
    """
    ends = {node.start: node.end for node in document.walk() if node.type == "heading"}
    out: list[tuple[int, int]] = []
    begin: int | None = None
    for number, (first, stop) in enumerate(groups):
        first = first if begin is None else begin
        cut = stop
        if number + 1 < len(groups):
            following = groups[number + 1][1]
            size = sum(pieces.tokens[stop:following]) + following - stop - 1
            while cut > first:
                start, end = pieces.spans[cut - 1]
                size += pieces.tokens[cut - 1] + 1
                apart = document.text[end : pieces.spans[cut][0]].strip()
                if ends.get(start) != end or apart or size > limit:
                    break
                cut -= 1
        begin = cut if cut < stop else None
        if cut > first:
            out.append((first, cut))
    return out


def windows(
    pieces: Pieces, groups: Sequence[tuple[int, int]], share: float, most: float, limit: int
) -> list[tuple[int, int]]:
    """Return the groups (first, last + 1) with the overlap added before each but the first, as far as `limit` tokens allow."""
    out: list[tuple[int, int]] = []
    for number, (first, stop) in enumerate(groups):
        start = first
        if number:
            before = groups[number - 1]
            repeat = overlap_of(pieces.tokens[before[0] : before[1]], share, most)
            size = sum(pieces.tokens[first:stop]) + stop - first
            while repeat and size + sum(pieces.tokens[first - repeat : first]) + repeat > limit:
                repeat -= 1
            start = first - repeat
        out.append((start, stop))
    return out


def drafts_of(
    document: Document, pieces: Pieces, groups: Sequence[tuple[int, int]], *, prefix: str, header: str, chunk_type: str
) -> list[Draft]:
    """Return a draft per group of pieces, with paths `<prefix>.chunkN`."""
    starts = heading_starts(document)
    out = []
    for number, (first, stop) in enumerate(groups, start=1):
        spans = join_adjacent(document.text, pieces.spans[first:stop])
        anchor = starts[bisect.bisect_right(starts, spans[0][0]) - 1]
        out.append(Draft(spans, chunk_type, f"{prefix}.chunk{number}", header, anchor, level=None))
    return out

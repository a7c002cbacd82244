"""Packing pieces of text into a token budget, each piece tokenised once.

Not here: where the pieces end (sentences, sub-sections, rows): the callers know.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from legal_pipeline.chunking.chunk import Span
from legal_pipeline.chunking.headers import shorten
from legal_pipeline.text.tokenized import tokenized
from legal_pipeline.text.tokens import count_tokens

#: Every chunk with its contextual header and the context prefix that comes later.
MAX_TOKENS = 1500
PREFIX_TOKENS = 100


def budget(header: str) -> int:
    """Tokens that a chunk's text may have under `header`: 1,500 less the header, shortened as in the chunk, and the context prefix."""
    return MAX_TOKENS - PREFIX_TOKENS - count_tokens(shorten(header))


def fits(text: str, spans: Sequence[Span], limit: int) -> bool:
    """Whether the spans of `text`, joined by newlines, have at most `limit` tokens."""
    if sum([len(text[start:end].encode()) + 1 for start, end in spans]) <= limit:  # a token is at least one byte
        return True
    return tokenized(text).count(spans) <= limit


def pack(text: str, pieces: Sequence[Span], limit: int) -> list[list[Span]]:
    """Neighbouring pieces together as long as they hold at most `limit` tokens; a piece above it stands alone.

    A union counts the sum of its pieces plus one token per joint for the white space between them; `assemble` counts the finished
    chunk and refuses one that is over the limit after all.
    """
    groups: list[list[Span]] = []
    size = 0
    for piece, tokens in zip(pieces, tokenized(text).count_each([(piece,) for piece in pieces]), strict=True):
        if groups and size + 1 + tokens <= limit:
            groups[-1].append(piece)
            size += 1 + tokens
        else:
            groups.append([piece])
            size = tokens
    return groups


def split_to_fit(
    text: str, span: Span, limit: int, splitters: Sequence[Callable[[str, Span], list[Span]]]
) -> list[Span]:
    """Cut `span` into spans of at most `limit` tokens with the first splitter that helps, then the next for what is still too long.

    What no splitter can cut is cut between words, and a word that is longer than the limit between characters.
    """
    if fits(text, (span,), limit):
        return [span]
    for depth, split in enumerate(splitters):
        pieces = split(text, span)
        if len(pieces) < 2:
            continue
        out: list[Span] = []
        for group in pack(text, pieces, limit):
            out.extend(split_to_fit(text, (group[0][0], group[-1][1]), limit, splitters[depth + 1 :]))
        return out
    pieces = [piece for word in split_at(" ")(text, span) for piece in _characters(text, word, limit)]
    return [(group[0][0], group[-1][1]) for group in pack(text, pieces, limit)]


def _characters(text: str, word: Span, limit: int) -> list[Span]:
    """`word` whole where it fits, else cut between characters (`assemble` flags the chunks that begin or end inside a word)."""
    if fits(text, (word,), limit):
        return [word]
    start, end = word
    step = max(1, limit // 4)  # a character is at most four bytes, and a byte at most one token
    return [(at, min(at + step, end)) for at in range(start, end, step)]


def split_at(separator: str) -> Callable[[str, Span], list[Span]]:
    """A splitter that cuts after every `separator`; the separators are in no piece."""

    def split(text: str, span: Span) -> list[Span]:
        out: list[Span] = []
        start, end = span
        while start < end:
            found = text.find(separator, start, end)
            stop = end if found < 0 else found
            if stop > start:
                out.append((start, stop))
            start = stop + len(separator)
        return out

    return split


split_blocks = split_at("\n\n")
split_lines = split_at("\n")

"""Packs pieces of text into a token budget; each piece is tokenised once.

Not here: where the pieces end (sentences, sub-sections, rows), which the callers decide.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from legal_pipeline.chunking.chunk import Span
from legal_pipeline.chunking.headers import shorten
from legal_pipeline.text.tokens import count_spans, count_tokens

#: Token limit of every chunk, including its contextual header and the context prefix that is added later.
MAX_TOKENS = 1500
PREFIX_TOKENS = 100


def budget(header: str) -> int:
    """Return the tokens that a chunk's text may have under `header`: 1,500 less the shortened header and the context prefix."""
    return MAX_TOKENS - PREFIX_TOKENS - count_tokens(shorten(header))


def fits(text: str, spans: Sequence[Span], limit: int) -> bool:
    """Whether the spans of `text`, joined by newlines, have at most `limit` tokens."""
    if sum([len(text[start:end].encode()) + 1 for start, end in spans]) <= limit:  # a token is at least one byte
        return True
    return count_spans(text, spans) <= limit


def pack(text: str, pieces: Sequence[Span], limit: int) -> list[list[Span]]:
    """Join neighbouring pieces as long as they hold at most `limit` tokens; a piece above the limit is a group by itself.

    The size of a group is the sum of its pieces plus one token per joint for the white space between them; `assemble` counts the finished
    chunk and refuses a chunk that is over the limit after all.
    """
    groups: list[list[Span]] = []
    size = 0
    for piece in pieces:
        tokens = count_spans(text, (piece,))
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
    """Cut `span` into spans of at most `limit` tokens: by the first splitter that divides it, then by the next where a part is too long.

    Where no splitter helps, the text is cut between words, and a word that is longer than the limit between characters.
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
    """Return `word` if it fits, else cut it between characters (`assemble` flags the chunks that begin or end inside a word)."""
    if fits(text, (word,), limit):
        return [word]
    start, end = word
    step = max(1, limit // 4)  # a character is at most four bytes, and a byte at most one token
    return [(at, min(at + step, end)) for at in range(start, end, step)]


def split_at(separator: str) -> Callable[[str, Span], list[Span]]:
    """Return a splitter that cuts after every `separator`; no piece contains the separators."""

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

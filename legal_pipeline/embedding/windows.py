"""Cut a text into windows that a model can read completely, with the model's own tokenizer.

Not here: the model, and pooling the vectors of windows (`embedding.model_embedder`).
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

#: Incremented when windows are cut differently: vectors of long texts change with it.
WINDOWS_VERSION = 1


class TokenSequence(Protocol):
    """A text's tokens: their ids in the model's vocabulary, their character offsets, and whether each begins a word."""

    @property
    def ids(self) -> Sequence[int]: ...

    @property
    def offsets(self) -> Sequence[tuple[int, int]]: ...

    @property
    def word_starts(self) -> Sequence[bool]: ...

    def __len__(self) -> int: ...


@dataclass(frozen=True, slots=True)
class Tokens:
    """A token sequence stored in lists."""

    offsets: Sequence[tuple[int, int]]
    word_starts: Sequence[bool]
    ids: Sequence[int] = ()

    def __len__(self) -> int:
        return len(self.offsets)


class Tokenizer(Protocol):
    """Counts tokens as the model does, without special tokens and without truncation."""

    def tokenize(self, texts: Sequence[str]) -> Sequence[TokenSequence]: ...


@dataclass(frozen=True, slots=True)
class Window:
    """A part of text `index` with `tokens` tokens; the model reads `seen` of them, whose ids in its vocabulary are `ids`."""

    index: int
    text: str
    tokens: int
    seen: int
    ids: Sequence[int] = ()


def window_texts(texts: Sequence[str], tokenizer: Tokenizer, capacity: int) -> tuple[list[Window], list[int]]:
    """Return (windows in text order, total tokens per text). No window holds more than `capacity` tokens.

    A text that fits is one window. A longer text is cut into windows of nearly equal size, at word starts if there are any: a short last
    window would have little weight and a different content. Windows are adjacent and cover the text, each part once.
    """
    tokenized = tokenizer.tokenize(texts)
    windows: list[Window] = []
    for index, (text, tokens) in enumerate(zip(texts, tokenized, strict=True)):
        if len(tokens) <= capacity:
            windows.append(Window(index, text, len(tokens), len(tokens), tokens.ids))
        else:
            windows += _fitting(index, _pieces(text, tokens, capacity), tokenizer, capacity)
    return windows, [len(tokens) for tokens in tokenized]


def _fitting(index: int, pieces: Sequence[str], tokenizer: Tokenizer, capacity: int) -> Iterator[Window]:
    """Yield a window for each piece.

    The tokens of a piece are counted again: after a cut inside a word some tokenizers produce more tokens from the halves.
    """
    for piece, tokens in zip(pieces, tokenizer.tokenize(pieces), strict=True):
        if len(tokens) > capacity and len(piece) > 1:
            middle = len(piece) // 2
            yield from _fitting(index, [piece[:middle], piece[middle:]], tokenizer, capacity)
        else:
            yield Window(index, piece, len(tokens), min(len(tokens), capacity), tokens.ids[:capacity])


def _pieces(text: str, tokens: TokenSequence, capacity: int) -> list[str]:
    """Return `text` in as few pieces as `capacity` allows, of nearly equal token counts; the joined pieces equal `text`."""
    count, offsets, word_starts = len(tokens), tokens.offsets, tokens.word_starts
    cuts: list[int] = []
    start = 0
    while count - start > capacity:
        windows_left = -(-(count - start) // capacity)
        target = start - (-(count - start) // windows_left)
        end = next((position for position in range(target, start, -1) if word_starts[position]), target)
        cuts.append(offsets[end][0])
        start = end
    bounds = [0, *cuts, len(text)]
    return [text[a:b] for a, b in itertools.pairwise(bounds) if b > a]

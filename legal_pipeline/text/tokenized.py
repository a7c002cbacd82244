"""A text tokenised once, to count the tokens of any part of it: sums plus an exact correction at the ends.

The tokenizer's pattern reads nothing before the place where it matches. So if a piece begins at a place both in the text and in a part of
the text, both have the same tokens from there to the next such place. For a part, the tokens between its first and last such place are
taken from the whole, and the characters on either side are tokenised separately: counts are exact. Not here: the tokenizer
(`text.tokens`).
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from legal_pipeline.text.tokens import count_tokens, encoding

Span = tuple[int, int]

#: Each is a token by itself, and begins a piece after a Latin letter or digit.
_MARKS = frozenset(".;:,)]?!")
#: The first character that is not a Latin letter, digit or mark: later characters include marks that combine with the letter before them.
_END_OF_LATIN = "\u0250"
#: Characters at the end of a part, after its last Latin letter or digit, that begin a piece there: no letter, mark or apostrophe.
_TAIL = re.compile(r"(?<=[0-9A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f])[^\w'\u0300-\u1fff\u20d0-\U0010ffff]+\Z")
_LONGEST_TAIL = 16
#: Bytes of UTF-8 below this, read as signed, continue a character.
_CONTINUES = -64


class TokenizedText:
    """Token counts of parts of `text`, equal to those of `count_tokens`."""

    def __init__(self, text: str) -> None:
        self._text = text
        lengths = _lengths().take(encoding().encode_to_numpy(text, disallowed_special=()))
        #: The byte after each token.
        self._ends = np.cumsum(lengths, dtype=np.int64)
        #: For each byte that continues a character, the offset of the next character.
        continuing = np.flatnonzero(np.frombuffer(text.encode(), dtype=np.int8) < _CONTINUES)
        self._continued = continuing - np.arange(len(continuing))

    def count(self, spans: Sequence[Span]) -> int:
        """Return the number of tokens of the text of the spans (ascending, none empty), joined by a newline."""
        return self.count_each([spans])[0] if spans else 0

    def count_each(self, parts: Sequence[Sequence[Span]]) -> list[int]:
        """Return `count` of each part; the places of all parts are looked up together."""
        places: list[int] = []
        sums: list[int] = []
        edges: list[int] = []
        for spans in parts:
            before, outside = len(places), 0
            for index, (start, end) in enumerate(spans, start=1):
                found = self._common_places(start, end, index > 1, index < len(spans))
                if found is None:
                    del places[before:]
                    outside = count_tokens("\n".join([self._text[start:end] for start, end in spans]))
                    break
                first, final, tokens = found
                places.append(first)
                places.append(final)
                outside += tokens
            sums.append(outside)
            edges.append(len(places))
        numbers = self._tokens_before(places)
        low = 0
        for index, high in enumerate(edges):
            for at in range(low, high, 2):
                sums[index] += numbers[at + 1] - numbers[at]
            low = high
        return sums

    def starts(self) -> list[int]:
        """Return the offset at which each token begins; if it begins inside a character, the offset of that character."""
        at_byte = np.concatenate(([0], self._ends[:-1])) if len(self._ends) else self._ends
        continuing = self._continued + np.arange(len(self._continued))
        found: list[int] = (at_byte - np.searchsorted(continuing, at_byte, side="right")).tolist()
        return found

    def _tokens_before(self, places: Sequence[int]) -> list[int]:
        """Return how many tokens begin before each of these offsets."""
        offsets = np.array(places, dtype=np.int64)
        at_byte = offsets + np.searchsorted(self._continued, offsets, side="right")
        numbers: list[int] = np.searchsorted(self._ends, at_byte, side="right").tolist()
        return numbers

    def _common_places(self, start: int, end: int, has_before: bool, has_behind: bool) -> tuple[int, int, int] | None:
        """Return (first and last place where a piece begins in the text and in `start..end`, tokens before the one and from the other on).

        None if there are no such places. `has_before`, `has_behind`: whether there is a newline before or after the span.
        """
        text = self._text
        joint = "\n" if has_behind else ""
        mark = text[end - 1]
        before = text[end - 2 : end - 1]
        if mark in _MARKS and before < _END_OF_LATIN and before.isalnum() and start < end - 1:
            final = end - 1
            tokens = count_tokens(mark + joint) if joint else 1
        elif tail := _TAIL.search(text, max(start, end - _LONGEST_TAIL), end):
            final = tail.start()
            tokens = count_tokens(text[final:end] + joint)
        elif mark < _END_OF_LATIN and mark.isalnum() and (end == len(text) or text[end].isspace()):
            final = end
            tokens = len(joint)
        else:
            final = self._word(text.rfind, start, end)
            if final < 0:
                return None
            tokens = count_tokens(text[final:end] + joint)
        begin = text[start]
        is_joined = begin == "/" or begin.isspace()  # a line end before it and this are one piece
        if not is_joined and (start == 0 or text[start - 1] == "\n"):
            return start, final, tokens
        first = self._word(text.find, start, final)
        if first < 0 or (is_joined and has_before):
            return None
        return first, final, tokens + count_tokens(text[start:first])

    def _word(self, find: Callable[[str, int, int], int], start: int, end: int) -> int:
        """Return the first or last place in `start..end` where one space separates two words, -1 if `find` finds no such place."""
        at = find(" ", start + 1, end - 1)
        return -1 if at < 0 or self._text[at - 1].isspace() or self._text[at + 1].isspace() else at


#: Maximum number of cached texts.
REMEMBERED = 50


@functools.lru_cache(maxsize=REMEMBERED)
def tokenized(text: str) -> TokenizedText:
    """Return the tokenised text.

    The last texts are cached, because the steps of chunking use one document one after the other, and tokenising texts in sequence is
    faster than with other work in between (the vocabulary stays in the processor's cache).
    """
    return TokenizedText(text)


@functools.cache
def _lengths() -> NDArray[np.int16]:
    """Return the number of bytes of each token; the longest has 128."""
    vocabulary = encoding()
    lengths = np.zeros(vocabulary.n_vocab, dtype=np.int16)
    for token, number in vocabulary._mergeable_ranks.items():
        lengths[number] = len(token)
    return lengths

"""The part of a chunk that shows why it was found, with the matching words.

Not here: the terms to highlight (`stores.bm25` makes them, so that the highlighted words are the matching words).
"""

from __future__ import annotations

from dataclasses import dataclass

from legal_pipeline.stores import bm25

#: Characters: two lines on a screen.
SNIPPET_LENGTH = 240


@dataclass(frozen=True, slots=True)
class Snippet:
    """`text` is verbatim source text, `start` where it begins in the chunk's text; `highlights` are spans of `text`."""

    text: str
    start: int
    highlights: tuple[tuple[int, int], ...]


def make_snippet(text: str, language: str, terms: frozenset[int], length: int = SNIPPET_LENGTH) -> Snippet:
    """Return the span of at most `length` characters with most matching words, the first on a tie, cut between words."""
    matches = list(bm25.matching_words(text, language, terms)) if terms else []
    start, end = _best_stretch(text, matches, length)
    inside = tuple((a - start, b - start) for a, b in matches if start <= a and b <= end)
    return Snippet(text[start:end], start, inside)


def _best_stretch(text: str, matches: list[tuple[int, int]], length: int) -> tuple[int, int]:
    if len(text) <= length:
        return 0, len(text)
    best, first, last = 0, 0, 0
    for i, (begin, _) in enumerate(matches):
        j = i
        while j + 1 < len(matches) and matches[j + 1][1] - begin <= length:
            j += 1
        if j - i + 1 > best:
            best, first, last = j - i + 1, begin, matches[j][1]
    # Include some text before the matches, as far as there is room.
    start = max(0, min(first - max(0, length - (last - first)) // 2, len(text) - length))
    end = min(len(text), start + length)
    if start > 0 and (space := text.find(" ", start, first + 1)) != -1:
        start = space + 1
    if end < len(text) and (space := text.rfind(" ", max(last, start + 1), end + 1)) != -1:
        end = space
    return start, end

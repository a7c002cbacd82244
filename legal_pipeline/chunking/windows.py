"""Windows over the text of one section: where each ends, and how much of it the next repeats, in tokens counted once.

A window ends at the highest boundary in range (section > paragraph > sentence > clause > word); the next begins inside it, where the
share of repeated tokens is in a given band. Not here: how sections are made and windows named (`chunking.sliding_window`).
"""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from legal_pipeline.chunking.chunk import Span
from legal_pipeline.text.sentences import sentence_spans
from legal_pipeline.text.spans import trim, union
from legal_pipeline.text.tokens import count_spans, token_starts

Boundary = Literal["sentence", "clause", "word", "character"]

_LINE = re.compile(r"(?:^|(?<=\n))(?=\S)")
#: A clause begins after a comma, colon, semicolon or dash, and at a letter or number in brackets.
_CLAUSE = re.compile(r"(?<=[,;:—–])\s+(?=\S)|\s+(?=\((?:[a-z]{1,4}|[A-Z]|\d{1,3})\)\s)")
_WORD = re.compile(r"\s+(?=\S)")


@dataclass(frozen=True)
class Sizes:
    """Tokens (o200k_base), characters for `cap`, and for the overlap shares of the previous window's tokens."""

    target: int = 512
    minimum: int = 100
    cap: int = 5000
    overlap: float = 0.20
    band: tuple[float, float] = (0.15, 0.20)

    @property
    def most(self) -> int:
        """Maximum tokens of a window: a quarter above the target, to end a sentence or to keep a list whole."""
        return self.target + self.target // 4


@dataclass(frozen=True, slots=True)
class Window:
    """`start..end` of a passage's text; tokens shared with the previous window, and the boundary where they begin (None: no overlap)."""

    start: int
    end: int
    overlap_tokens: int = 0
    overlap_boundary: Boundary | None = None


class Passage:
    """Spans of a document's text as one text, joined by newlines as in a chunk; every offset here is into `text`."""

    def __init__(self, source: str, spans: Sequence[Span]) -> None:
        self._spans = tuple(spans)
        self.text = "\n".join(source[start:end] for start, end in self._spans)
        self._starts: list[int] = []
        position = 0
        for start, end in self._spans:
            self._starts.append(position)
            position += end - start + 1

    def offset(self, position: int) -> int:
        """Return the offset in `text` of the document's `position`; a position between two spans is mapped to the beginning of the next."""
        index = bisect.bisect_right(self._spans, (position, 1 << 62)) - 1
        if index < 0:
            return 0
        start, end = self._spans[index]
        if position > end:
            return self._starts[index + 1] if index + 1 < len(self._starts) else len(self.text)
        return self._starts[index] + position - start

    def range(self, start: int, end: int) -> Span:
        return self.offset(start), self.offset(end)

    def spans(self, start: int, end: int) -> tuple[Span, ...]:
        """Return the document's spans of `text[start:end]` without white space at their ends."""
        out = []
        for (low, high), at in zip(self._spans, self._starts, strict=True):
            first, last = max(start, at), min(end, at + high - low)
            piece = self.text[first:last]
            if first < last and piece.strip():
                first += len(piece) - len(piece.lstrip())
                out.append((low + first - at, low + first - at + len(piece.strip())))
        return tuple(out)

    @cached_property
    def _token_starts(self) -> list[int]:
        return token_starts(self.text)

    def count(self, start: int, end: int) -> int:
        """Return the tokens of `text[start:end]` tokenised alone, without the white space at its ends."""
        return count_spans(self.text, trim(self.text, [(start, end)]))

    def token(self, position: int) -> int:
        """Return how many tokens begin before `position`; the space before a word is part of the word's token."""
        if 0 < position < len(self.text) and self.text[position - 1].isspace():
            position -= 1
        return bisect.bisect_left(self._token_starts, position)

    def tokens(self, start: int, end: int) -> int:
        return self.token(end) - self.token(start)

    def at_token(self, number: int) -> int:
        """Return where token `number` begins, or the length of the text after the last token."""
        return self._token_starts[number] if number < len(self._token_starts) else len(self.text)


class _Boundaries:
    """Offsets of a passage where a window may begin or end, by rank, ascending."""

    def __init__(self, passage: Passage, language: str, sections: Iterable[int]) -> None:
        text = passage.text
        self._text = text
        self.sections = sorted(set(sections))
        self.paragraphs = [match.start() for match in _LINE.finditer(text)]
        self.sentences = [start for start, _ in sentence_spans(text, language)]
        self.clauses = clause_starts(text)

    def words(self, low: int, high: int) -> list[int]:
        return [match.end() for match in _WORD.finditer(self._text, max(0, low - 200), high) if match.end() >= low]


def clause_starts(text: str) -> list[int]:
    return [match.end() for match in _CLAUSE.finditer(text)]


def word_starts(text: str) -> list[int]:
    """Return where words begin, except the first."""
    return [match.end() for match in _WORD.finditer(text)]


def windows(
    passage: Passage,
    language: str,
    sizes: Sizes,
    *,
    sections: Iterable[int] = (),
    whole: Iterable[Span] = (),
    tied: Iterable[Span] = (),
) -> list[Window]:
    """Return the windows of a passage, in order; together they hold all of it.

    `sections` are the offsets of highest rank. No window ends inside a span of `whole` (a list, a table, a quotation, a heading with
    the line under it) or `tied` (a proviso with the text that it qualifies) of at most the target's tokens, as far as `cap` allows.
    """
    end = len(passage.text)
    boundaries = _Boundaries(passage, language, sections)
    kept = [span for span in whole if passage.tokens(*span) <= sizes.target]
    bound = [span for span in tied if passage.tokens(*span) <= sizes.target]
    protected = [union([*kept, *bound]), union(kept)]
    out = [Window(0, _window_end(passage, boundaries, protected, sizes, 0, 0))]
    while out[-1].end < end:
        before = out[-1]
        start, boundary = _overlap_start(passage, boundaries, sizes, before)
        stop = _window_end(passage, boundaries, protected, sizes, start, before.end)
        repeated = passage.count(start, before.end) if boundary else 0
        out.append(Window(start, stop, repeated, boundary))
    return out


def _window_end(
    passage: Passage,
    boundaries: _Boundaries,
    protected: list[list[Span]],
    sizes: Sizes,
    start: int,
    done: int,
) -> int:
    """Return where the window that begins at `start` ends; the end is after `done`, the end of the previous window."""
    end = len(passage.text)
    first = passage.token(start)
    rest = passage.token(end) - first
    if rest <= sizes.target and end - start <= sizes.cap:
        return end
    # The rest must be long enough for another window.
    reach = rest - sizes.minimum if rest > 2 * sizes.minimum else rest // 2
    cap = start + sizes.cap
    new = passage.token(done) - first + 1
    high = max(min(passage.at_token(first + min(sizes.target, reach)), cap), done + 1)
    most = max(min(passage.at_token(first + min(sizes.most, reach)), cap), high)
    low = max(min(passage.at_token(first + sizes.target // 2), (start + high) // 2), done + 1)
    least = max(min(passage.at_token(first + max(sizes.minimum, new)), low), done + 1)
    for inside in (*protected, []):
        for offsets in (boundaries.sections, boundaries.paragraphs, boundaries.sentences):
            ends = list(_free(_descending(offsets, low, high), inside))
            if ends:
                # Among equal boundaries, prefer an end whose overlap can begin at a sentence, unless that costs a quarter of the window.
                near = (at for at in ends if passage.tokens(start, at) * 4 >= sizes.target * 3)
                return next(
                    (at for at in near if _has_sentence_in_band(passage, boundaries, sizes, start, at)), ends[0]
                )
        for offsets in (boundaries.paragraphs, boundaries.sentences):
            found = next(_free(iter(_between(offsets, high, most)), inside), None)
            if found is not None:
                return found
        for offsets in (boundaries.paragraphs, boundaries.sentences):
            found = next(_free(_descending(offsets, least, low), inside), None)
            if found is not None:
                return found
    for offsets in (boundaries.clauses, boundaries.words(done + 1, high)):
        found = next(_descending(offsets, low, high), None) or next(_descending(offsets, done + 1, high), None)
        if found is not None:
            return found
    return high


def _has_sentence_in_band(passage: Passage, boundaries: _Boundaries, sizes: Sizes, start: int, end: int) -> bool:
    size, last = passage.tokens(start, end), passage.token(end)
    low, high = (passage.at_token(max(0, last - int(share * size))) for share in reversed(sizes.band))
    return bool(_between(boundaries.sentences, low, high))


def _overlap_start(
    passage: Passage, boundaries: _Boundaries, sizes: Sizes, before: Window
) -> tuple[int, Boundary | None]:
    """Return where the window after `before` begins: at the best boundary whose overlap is in the band.

    The share is checked on the repeated text itself, tokenised alone, with a tolerance of one token for each end of `before`.
    """
    size = passage.tokens(before.start, before.end)
    least, most = sizes.band[0] * (size + 2), sizes.band[1] * (size - 2)
    last = passage.token(before.end)
    low = max(passage.at_token(max(0, last - int(most) - 2)), before.start + 1, before.end - sizes.cap // 2)
    high = min(passage.at_token(max(0, last - int(least) + 2)), before.end - 1)
    wanted = sizes.overlap * size
    ranks: tuple[tuple[Boundary, list[int]], ...] = (
        ("sentence", _between(boundaries.sentences, low, high)),
        ("clause", _between(boundaries.clauses, low, high)),
        ("word", boundaries.words(low, high)),
        ("character", [at for number in range(last - int(most) - 1, last) if low <= (at := passage.at_token(max(0, number))) <= high]),
    )  # fmt: skip
    for boundary, offsets in ranks:
        for at in sorted(offsets, key=lambda at: abs(passage.tokens(at, before.end) - wanted)):
            if least <= passage.count(at, before.end) <= most:
                return at, boundary
    return before.end, None


def _between(offsets: Sequence[int], low: int, high: int) -> list[int]:
    return list(offsets[bisect.bisect_left(offsets, low) : bisect.bisect_right(offsets, high)])


def _descending(offsets: Sequence[int], low: int, high: int) -> Iterator[int]:
    return reversed(_between(offsets, low, high))


def _free(offsets: Iterator[int], inside: list[Span]) -> Iterator[int]:
    """Yield the offsets that are inside none of the spans (disjoint, ascending)."""
    for at in offsets:
        index = bisect.bisect_left(inside, (at, 0)) - 1
        if index < 0 or inside[index][1] <= at:
            yield at

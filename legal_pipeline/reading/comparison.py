"""Compare two texts word by word, and search a text for a quote. Not here: the choice of texts (`law_reader`)."""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence
from dataclasses import dataclass

from legal_pipeline.reading.answers import Span

#: A soft hyphen is where a line may end, and no part of the text.
_SOFT_HYPHEN = "\u00ad"
_TOKEN = re.compile(rf"\w+(?:{_SOFT_HYPHEN}+\w+)*|[^\w\s{_SOFT_HYPHEN}]")

#: Maximum number of word pairs for an alignment word by word: its time grows with this product.
_MOST_PAIRS = 4_000_000

#: Characters that publishers of the same text print differently, with the character used for comparison.
_ALIKE = {
    **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212", "-"),
    **dict.fromkeys("\u2018\u2019\u201a\u00b4`", "'"),
    **dict.fromkeys("\u201c\u201d\u201e\u00ab\u00bb", '"'),
}

#: Omissions in a quote: "…", "[…]", "(...)".
_ELLIPSIS = re.compile(r"\s*[\[(]?\s*(?:…|\.{3})\s*[\])]?\s*")


@dataclass(frozen=True, slots=True)
class _Words:
    """The words and punctuation marks of a text with their spans; `alike` are their forms for comparison."""

    text: str
    spans: list[tuple[int, int]]
    alike: list[str]

    @classmethod
    def of(cls, text: str) -> _Words:
        matches = list(_TOKEN.finditer(text))
        words = [match.group().replace(_SOFT_HYPHEN, "") for match in matches]
        return cls(text, [match.span() for match in matches], [_ALIKE.get(word, word) for word in words])

    def span(self, low: int, high: int) -> tuple[int, int]:
        """Return the characters of the words from `low` to before `high`; an empty span if there are no words."""
        if low < high:
            return self.spans[low][0], self.spans[high - 1][1]
        at = self.spans[low - 1][1] if low else 0
        return at, at


@dataclass(frozen=True, slots=True)
class Found:
    """The place of a quote in a text: characters from `start` to `end`; `differences` of the nearest passage, empty if it is verbatim."""

    start: int
    end: int
    differences: tuple[Span, ...]
    #: Number of words of the quote that the passage contains.
    agreeing: int = 0

    @property
    def verbatim(self) -> bool:
        return not self.differences


def spans_of(first: str, second: str) -> list[Span]:
    """Return the spans of `first` and `second` in text order, equal spans included."""
    one, other = _Words.of(first), _Words.of(second)
    return [_span(kind, one, other, places) for kind, *places in _aligned(one.alike, other.alike)]


def look_for(quote: str, text: str) -> Found:
    """Return the passage of `text` that contains `quote`, or the nearest passage. Case matters; an ellipsis stands for any words."""
    parts = [part for part in _ELLIPSIS.split(quote.strip()) if _TOKEN.search(part)]
    words = _Words.of(text)
    places = _in_order([_Words.of(part).alike for part in parts], words.alike)
    if places is not None:
        start, end = words.span(places[0], places[1])
        return Found(start, end, ())
    return _nearest(_Words.of(quote), words)


def _in_order(parts: Sequence[Sequence[str]], words: Sequence[str]) -> tuple[int, int] | None:
    """Return (first word, word after the last) of the parts in this order; None if a part is missing."""
    first: int | None = None
    at = 0
    for part in parts:
        place = next(
            (
                i
                for i in range(at, len(words) - len(part) + 1)
                if words[i] == part[0] and words[i : i + len(part)] == part
            ),
            None,
        )
        if place is None:
            return None
        first = place if first is None else first
        at = place + len(part)
    return (first, at) if first is not None else None


def _nearest(quote: _Words, text: _Words) -> Found:
    """Return the passage from the first to the last matching word, around the longest run of matching words."""
    blocks = [
        (low, at, size)
        for kind, low, high, at, _ in _aligned(quote.alike, text.alike)
        if kind == "equal"
        for size in [high - low]
    ]
    if not blocks:
        start, end = 0, len(text.text)
        whole = Span(
            kind="replace",
            first_start=0,
            first_end=len(quote.text),
            second_start=0,
            second_end=end,
            first=quote.text,
            second="",
        )
        return Found(start, end, (whole,))
    longest = max(blocks, key=lambda block: block[2])
    room = 2 * len(quote.alike)
    near = [block for block in blocks if abs(block[1] - longest[1]) <= room]
    low = max(0, near[0][1] - near[0][0])
    high = min(len(text.alike), near[-1][1] + near[-1][2] + len(quote.alike) - near[-1][0] - near[-1][2])
    passage = _Words(text.text, text.spans[low:high], text.alike[low:high])
    spans = [_span(kind, quote, passage, places) for kind, *places in _aligned(quote.alike, passage.alike)]
    start, end = text.span(low, high)
    agreeing = sum(size for _, _, size in near)
    return Found(start, end, tuple(span for span in spans if span.kind != "equal"), agreeing)


_Kind = str


def _aligned(first: Sequence[str], second: Sequence[str]) -> list[tuple[_Kind, int, int, int, int]]:
    """Return (kind, start and end in `first`, start and end in `second`), counted in words."""
    shortest = min(len(first), len(second))
    head = next((i for i in range(shortest) if first[i] != second[i]), shortest)
    tail = next((i for i in range(shortest - head) if first[-1 - i] != second[-1 - i]), shortest - head)
    ends = len(first) - tail, len(second) - tail
    found: list[tuple[_Kind, int, int, int, int]] = [("equal", 0, head, 0, head)] if head else []
    inner, other = first[head : ends[0]], second[head : ends[1]]
    if inner and other and len(inner) * len(other) <= _MOST_PAIRS:
        codes = difflib.SequenceMatcher(None, inner, other, autojunk=False).get_opcodes()
        found += [(kind, low + head, high + head, at + head, to + head) for kind, low, high, at, to in codes]
    elif inner or other:
        kind = "replace" if inner and other else "delete" if inner else "insert"
        found.append((kind, head, ends[0], head, ends[1]))
    if tail:
        found.append(("equal", ends[0], len(first), ends[1], len(second)))
    return found


def _span(kind: _Kind, first: _Words, second: _Words, places: Sequence[int]) -> Span:
    one, other = first.span(places[0], places[1]), second.span(places[2], places[3])
    return Span.model_validate(
        {
            "kind": kind,
            "first_start": one[0], "first_end": one[1], "second_start": other[0], "second_end": other[1],
            "first": first.text[slice(*one)], "second": second.text[slice(*other)],
        }
    )  # fmt: skip

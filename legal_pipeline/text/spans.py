"""Spans (start, end) of a text: what is left of them, and where they begin with a printed character. Not here: what they are spans of."""

from __future__ import annotations

import bisect
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeVar

Span = tuple[int, int]
Item = TypeVar("Item")


def overlapping(items: Iterable[Item], span: Callable[[Item], Span]) -> Iterator[list[Item]]:
    """Yield `items` in groups, in the order of their spans: only items of one group can overlap."""
    group: list[Item] = []
    behind = 0
    for item in sorted(items, key=lambda item: span(item)[0]):
        start, end = span(item)
        if group and start >= behind:
            yield group
            group = []
        group.append(item)
        behind = max(behind, end)
    if group:
        yield group


def subtract(span: Span, holes: Iterable[Span]) -> list[Span]:
    """Return `span` without `holes` (sorted; they may overlap)."""
    start, end = span
    out = []
    for low, high in holes:
        if high <= start:
            continue
        if low >= end:
            break
        if low > start:
            out.append((start, low))
        start = high
    if start < end:
        out.append((start, end))
    return out


def trim(text: str, spans: Iterable[Span]) -> tuple[Span, ...]:
    """Return the spans without white space at their ends; empty spans are dropped."""
    out = []
    for start, end in spans:
        piece = text[start:end]
        stripped = piece.strip()
        if stripped:
            start += len(piece) - len(piece.lstrip())
            out.append((start, start + len(stripped)))
    return tuple(out)


def join_adjacent(text: str, spans: Iterable[Span]) -> tuple[Span, ...]:
    """Join spans that only white space separates."""
    out: list[Span] = []
    for start, end in spans:
        if out and not text[out[-1][1] : start].strip():
            out[-1] = (out[-1][0], end)
        else:
            out.append((start, end))
    return tuple(out)


def within(spans: Sequence[Span], position: int) -> bool:
    """Whether one of the spans (sorted, not overlapping) contains `position`."""
    return span_at(spans, position) is not None


def span_at(spans: Sequence[Span], position: int) -> Span | None:
    """Return the one of the spans (sorted, not overlapping) that contains `position`; None if none does."""
    index = bisect.bisect_right(spans, (position, 1 << 62)) - 1
    return spans[index] if index >= 0 and position < spans[index][1] else None


def union(spans: Iterable[Span]) -> list[Span]:
    """Return the spans as disjoint spans in order; adjacent spans are not joined."""
    out: list[Span] = []
    for start, end in sorted(spans):
        if out and start < out[-1][1]:
            out[-1] = (out[-1][0], max(out[-1][1], end))
        elif end > start:
            out.append((start, end))
    return out

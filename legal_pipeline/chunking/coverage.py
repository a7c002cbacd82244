"""Coverage: a document is published only if every character is in a chunk or in an exclusion with a reason.

Not here: which text is excluded (the strategies and `chunking.outline`).
"""

from __future__ import annotations

from collections.abc import Iterable

from legal_pipeline.chunking.chunk import Exclusion, Span


def subtract(span: Span, holes: Iterable[Span]) -> list[Span]:
    """Return `span` without `holes` (sorted, not overlapping)."""
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
        # Most spans begin and end with a printed character already: testing two characters avoids a copy of the text.
        if start < end and not text[start].isspace() and not text[end - 1].isspace():
            out.append((start, end))
            continue
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


def gaps(text: str, spans: Iterable[Span], exclusions: Iterable[Exclusion] = ()) -> list[Span]:
    """Return the spans of `text` that hold more than white space and are neither in `spans` nor excluded."""
    taken = sorted([*spans, *((item.start, item.end) for item in exclusions)])
    found = []
    position = 0
    for start, end in taken:
        if start > position and not text[position:start].isspace():
            found.append((position, start))
        if end > position:
            position = end
    if position < len(text) and not text[position:].isspace():
        found.append((position, len(text)))
    return found


def coverage(text: str, missing: Iterable[Span], exclusions: Iterable[Exclusion]) -> float:
    """Return the share of the characters outside `exclusions` that are in a chunk; `missing` are the `gaps`."""
    gone = sum(end - start for start, end in missing)
    due = len(text) - sum(item.end - item.start for item in exclusions)
    return 1.0 if due <= 0 else max(0.0, 1.0 - gone / due)

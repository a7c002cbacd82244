"""Coverage: every character of a document is in a chunk or in an exclusion with a reason, or the document is not published.

Not here: which text a strategy leaves out (the strategies and `chunking.outline` say so).
"""

from __future__ import annotations

from collections.abc import Iterable

from legal_pipeline.chunking.chunk import Exclusion, Span


def subtract(span: Span, holes: Iterable[Span]) -> list[Span]:
    """`span` without `holes` (sorted, not overlapping)."""
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
    """Spans without white space at their ends; empty ones fall out."""
    out = []
    for start, end in spans:
        # Most spans end in letters and marks already: two characters tell without a copy of the text.
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
    """Spans that only white space parts, as one."""
    out: list[Span] = []
    for start, end in spans:
        if out and not text[out[-1][1] : start].strip():
            out[-1] = (out[-1][0], end)
        else:
            out.append((start, end))
    return tuple(out)


def gaps(text: str, spans: Iterable[Span], exclusions: Iterable[Exclusion] = ()) -> list[Span]:
    """Spans of `text` that hold more than white space and are neither in `spans` nor excluded."""
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
    """Share of the characters that are not listed exclusions that stand in a chunk; `missing` are the `gaps`."""
    gone = sum(end - start for start, end in missing)
    due = len(text) - sum(item.end - item.start for item in exclusions)
    return 1.0 if due <= 0 else max(0.0, 1.0 - gone / due)

"""Coverage: a document is published only if every character is in a chunk or in an exclusion with a reason.

Not here: which text is excluded (the strategies and `chunking.outline`).
"""

from __future__ import annotations

from collections.abc import Iterable

from legal_pipeline.chunking.chunk import Exclusion, Span
from legal_pipeline.text.spans import subtract


def gaps(text: str, spans: Iterable[Span], exclusions: Iterable[Exclusion] = ()) -> list[Span]:
    """Return the spans of `text` that hold more than white space and are neither in `spans` nor excluded."""
    taken = sorted([*spans, *((item.start, item.end) for item in exclusions)])
    return [(start, end) for start, end in subtract((0, len(text)), taken) if not text[start:end].isspace()]


def coverage(text: str, missing: Iterable[Span], exclusions: Iterable[Exclusion]) -> float:
    """Return the share of the characters outside `exclusions` that are in a chunk; `missing` are the `gaps`."""
    gone = sum(end - start for start, end in missing)
    due = len(text) - sum(item.end - item.start for item in exclusions)
    return 1.0 if due <= 0 else max(0.0, 1.0 - gone / due)

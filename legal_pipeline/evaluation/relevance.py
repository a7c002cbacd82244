"""When a hit answers a query: one rule for every chunking.

Not here: what is made of it (`metrics`).
"""

from __future__ import annotations

from collections.abc import Sequence

from legal_pipeline.chunking.chunk import Span
from legal_pipeline.evaluation.dataset import Answer

#: Share of the answer that a chunk must hold, or share of the chunk that must lie in the answer: all of it, but for a heading or a number.
HELD, INSIDE = 0.5, 0.9
#: Share of the answer that a chunk holds which holds the whole of it.
WHOLE = 0.9


def answers(document_id: str, spans: Sequence[Span], answer: Answer) -> bool:
    """Whether a chunk of these spans answers: it holds at least half of the answer's characters, or it lies inside.

    A chunk larger than the provision and one smaller than it can both be right; what merely touches it, or holds the end of one
    provision and the beginning of the next, is not.
    """
    if document_id != answer.document_id:
        return False
    common = overlap(spans, answer)
    size = sum(end - start for start, end in spans)
    return common > 0 and (common >= HELD * (answer.end - answer.start) or common >= INSIDE * size)


def holds_whole(document_id: str, spans: Sequence[Span], answer: Answer) -> bool:
    """Whether a reader of the chunk has the answer before him from its beginning to its end."""
    return document_id == answer.document_id and overlap(spans, answer) >= WHOLE * (answer.end - answer.start)


def overlap(spans: Sequence[Span], answer: Answer) -> int:
    """Characters that the spans and the answer share."""
    return sum(max(0, min(end, answer.end) - max(start, answer.start)) for start, end in spans)

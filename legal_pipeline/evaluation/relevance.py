"""When a hit answers a query: one rule for every chunking.

Not here: the figures computed from it (`metrics`).
"""

from __future__ import annotations

from collections.abc import Sequence

from legal_pipeline.chunking.chunk import Span
from legal_pipeline.evaluation.dataset import Answer

#: Minimum share of the answer that a chunk must hold, or of the chunk that must be in the answer: all of it except a heading or a number.
HELD, INSIDE = 0.5, 0.9
#: Minimum share of an answer that counts as the whole answer.
WHOLE = 0.9


def answers(document_id: str, spans: Sequence[Span], answer: Answer) -> bool:
    """Whether a chunk with these spans answers: it holds at least half of the answer's characters, or it is inside the answer.

    A chunk larger than the provision and a smaller chunk can both be right; a chunk that only touches the provision, or holds the end of
    one provision and the beginning of the next, is not.
    """
    if document_id != answer.document_id:
        return False
    common = overlap(spans, answer)
    size = sum(end - start for start, end in spans)
    return common > 0 and (common >= HELD * (answer.end - answer.start) or common >= INSIDE * size)


def holds_whole(document_id: str, spans: Sequence[Span], answer: Answer) -> bool:
    """Whether the chunk contains the complete answer."""
    return document_id == answer.document_id and overlap(spans, answer) >= WHOLE * (answer.end - answer.start)


def overlap(spans: Sequence[Span], answer: Answer) -> int:
    """Return the number of characters that the spans and the answer share."""
    return sum(max(0, min(end, answer.end) - max(start, answer.start)) for start, end in spans)

"""Max-Min as its authors write it (Kiss, Nagy, Szilágyi 2025), pair by pair in plain Python: what `semantic.max_min` is held to.

Not here: anything fast.
"""

from __future__ import annotations

import math
from collections.abc import Sequence


def cosine(left: Sequence[float], right: Sequence[float]) -> float:
    dot = 0.0
    for a, b in zip(left, right, strict=True):
        dot += a * b
    return dot


def max_min(vectors: Sequence[Sequence[float]], hard: float = 0.6, c: float = 0.9, init: float = 1.5) -> list[int]:
    """Where clusters begin among unit vectors in text order."""
    return max_min_and_margin(vectors, hard, c, init)[0]


def max_min_and_margin(
    vectors: Sequence[Sequence[float]], hard: float, c: float, init: float
) -> tuple[list[int], float]:
    """The boundaries, and by how much the closest decision was decided."""
    starts: list[int] = []
    cluster: list[int] = []
    p = 0.0
    margin = math.inf
    for k in range(len(vectors)):
        if not cluster:
            cluster = [k]
            starts.append(k)
            continue
        m = len(cluster)
        if m == 1:
            p_next = cosine(vectors[k], vectors[cluster[0]])
            score = init * p_next
            threshold = hard
        else:
            sigma = 1.0 / (1.0 + math.exp(-(m - 1)))
            threshold = max(c * p * sigma, hard)
            similarities = [cosine(vectors[k], vectors[j]) for j in cluster]
            score = max(similarities)
            p_next = min(p, min(similarities))
        margin = min(margin, abs(score - threshold))
        if score > threshold:
            p = p_next
            cluster.append(k)
        else:
            cluster = [k]
            starts.append(k)
            p = 0.0
    return starts, margin

"""Reciprocal rank fusion (Cormack, Clarke, Büttcher 2009): lists of different scores become one by ranks alone.

Not here: where the lists come from and what multiplies the fused score (`retrieval.search`).
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import TypeVar

Key = TypeVar("Key", bound=Hashable)

#: The constant of the paper.
RRF_K = 60


def reciprocal_ranks(lists: Mapping[str, Sequence[Key]], k: int = RRF_K) -> dict[Key, dict[str, float]]:
    """Key -> list name -> 1 / (k + rank), ranks from 1. The fused score of a key is the sum of its parts."""
    parts: dict[Key, dict[str, float]] = {}
    for name, keys in lists.items():
        for rank, key in enumerate(keys, start=1):
            parts.setdefault(key, {}).setdefault(name, 1.0 / (k + rank))
    return parts

"""Group token windows into batches of similar length, longest first.

Not here: the computation of a batch (the backends).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

Ids = NDArray[np.int64]


def batches(lengths: Sequence[int], *, tokens: int, multiple: int = 1) -> Iterator[tuple[list[int], int]]:
    """Yield (positions in `lengths`, padded length): each position once, at most `tokens` tokens per batch including padding.

    With a `multiple` above 1 every length is padded to the next multiple, and a batch has one padded length. Then the padding of a text
    does not depend on its neighbours, and in half precision neither does its vector.
    """
    padded = [-(-max(length, 1) // multiple) * multiple for length in lengths]
    batch: list[int] = []
    width = 0
    for position in sorted(range(len(padded)), key=lambda at: -padded[at]):
        ends = (len(batch) + 1) * width > tokens or (multiple > 1 and padded[position] != width)
        if batch and ends:
            yield batch, width
            batch = []
        if not batch:
            width = padded[position]
        batch.append(position)
    if batch:
        yield batch, width


def padded(ids: Sequence[Sequence[int]], width: int, pad: int) -> tuple[Ids, Ids]:
    """Return (token ids, attention mask), each of shape (len(ids), width), int64."""
    tokens = np.full((len(ids), width), pad, dtype=np.int64)
    mask = np.zeros((len(ids), width), dtype=np.int64)
    for row, found in enumerate(ids):
        tokens[row, : len(found)] = found
        mask[row, : len(found)] = 1
    return tokens, mask

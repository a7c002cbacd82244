"""Hits of different documents that say nearly the same, folded under the first of them.

What is near is `chunking.near_duplicates`' to say. Not here: which hits there are and in which order (`retrieval.search`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from legal_pipeline.chunking.near_duplicates import THRESHOLD, jaccard, shingle_hashes
from legal_pipeline.stores.store import DOCUMENT_ID, Payload

Item = TypeVar("Item")


def fold(
    items: Sequence[Item], payload: Callable[[Item], Payload], limit: int, *, apart: Callable[[Item], bool]
) -> list[tuple[Item, list[Item]]]:
    """The first `limit` of `items` (best first) that nearly repeat none before them, each with the items that repeat it.

    Of one document nothing is folded: two of its provisions, or the wording now and the one to come, are two answers. Neither is what
    is `apart` (the provision that was asked for), nor generated text, which says again what its source says.
    """
    shown: list[tuple[Item, list[Item]]] = []
    compared: list[tuple[int, str, NDArray[np.uint32]]] = []
    for item in items:
        values = payload(item)
        if apart(item) or values.get("generator"):
            if len(shown) < limit:
                shown.append((item, []))
            continue
        document_id = str(values.get(DOCUMENT_ID, ""))
        hashes = shingle_hashes(str(values.get("chunk_text", "")))
        first = next((at for at, other, seen in compared if other != document_id and _near(hashes, seen)), None)
        if first is not None:
            shown[first][1].append(item)
        elif len(shown) < limit:
            compared.append((len(shown), document_id, hashes))
            shown.append((item, []))
    return shown


def _near(left: NDArray[np.uint32], right: NDArray[np.uint32]) -> bool:
    if not left.size or not right.size:
        return False
    # the similarity of sets cannot be above the ratio of their sizes
    if min(left.size, right.size) < THRESHOLD * max(left.size, right.size):
        return False
    return jaccard(left, right) >= THRESHOLD

"""Folds hits of different documents with the same content under the first: near-duplicates, and one provision in several languages.

`chunking.near_duplicates` defines when texts are near. Not here: which hits there are and their order (`retrieval.search`).
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from legal_pipeline.chunking.near_duplicates import THRESHOLD, jaccard, process_hashes
from legal_pipeline.stores.store import DOCUMENT_ID, Payload

Item = TypeVar("Item")

#: Bits of the map of a text's shingles: most shingles of a chunk have a bit of their own.
_BITS = 1024


@dataclass(frozen=True, slots=True)
class _Shingled:
    """The hashes of a text's shingles, (n,) uint64, each once, their number, and the map of their last bits."""

    hashes: NDArray[np.uint64]
    size: int
    bits: int

    def is_near(self, other: _Shingled) -> bool:
        """Whether the share of common shingles is at least the threshold.

        The share is at most the ratio of the sizes, and each bit that one text alone has is a shingle of it alone: both are tested first.
        """
        small, large = (self, other) if self.size < other.size else (other, self)
        if not small.size or small.size < THRESHOLD * large.size:
            return False
        common = small.size - (small.bits & ~large.bits).bit_count()
        if common < THRESHOLD * (self.size + other.size - common):
            return False
        return jaccard(self.hashes, other.hashes) >= THRESHOLD


def fold(
    items: Sequence[Item], payload: Callable[[Item], Payload], limit: int, *, apart: Callable[[Item], bool]
) -> list[tuple[Item, list[Item]]]:
    """Return the first `limit` of `items` (best first) that nearly repeat no earlier item, each with the items that repeat it.

    Items of one document are never folded: two of its provisions, or a present and a future wording, are two results. Items for which
    `apart` is true (the provision that was asked for) and generated text, which repeats its source, are not folded either.
    """
    shown: list[tuple[Item, list[Item]]] = []
    compared: list[tuple[int, str, _Shingled]] = []
    for item in items:
        values = payload(item)
        if apart(item) or values.get("generator"):
            if len(shown) < limit:
                shown.append((item, []))
            continue
        document_id = str(values.get(DOCUMENT_ID, ""))
        own = _shingled(str(values.get("chunk_text", "")))
        first = next((at for at, other, seen in compared if other != document_id and own.is_near(seen)), None)
        if first is not None:
            shown[first][1].append(item)
        elif len(shown) < limit:
            compared.append((len(shown), document_id, own))
            shown.append((item, []))
    return shown


def group_languages(items: Sequence[Item], payload: Callable[[Item], Payload]) -> list[tuple[Item, list[Item]]]:
    """Return `items` (best first) with each provision once, in the language of its best item, and its items in other languages.

    Provisions are the same if the URI of their work and their eid are. Two wordings with different dates are two provisions here.
    """
    shown: list[tuple[Item, list[Item]]] = []
    firsts: dict[tuple[str, str], list[int]] = {}
    for item in items:
        values = payload(item)
        work, eid = values.get("work_uri"), values.get("eid")
        if not work or not eid:
            shown.append((item, []))
            continue
        heads = firsts.setdefault((str(work), str(eid)), [])
        head = next((at for at in heads if _says_the_same(payload(shown[at][0]), values)), None)
        if head is not None:
            shown[head][1].append(item)
        else:
            heads.append(len(shown))
            shown.append((item, []))
    return shown


def _says_the_same(shown: Payload, other: Payload) -> bool:
    """Whether both are one wording of a provision in two languages."""
    if shown.get("language") == other.get("language"):
        return False
    dates = {str(date) for date in (shown.get("valid_from"), other.get("valid_from")) if date}
    return len(dates) < 2


@functools.lru_cache(maxsize=4096)
def _shingled(text: str) -> _Shingled:
    """Return what a text is compared by; kept for the next searches, which find the same texts (4,096 chunks take about 20 MB)."""
    hashes = process_hashes(text)
    is_set = np.zeros(_BITS, np.bool_)
    is_set[hashes % _BITS] = True
    return _Shingled(hashes, hashes.size, int.from_bytes(np.packbits(is_set).tobytes(), "big"))

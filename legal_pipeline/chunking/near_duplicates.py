"""Near-duplicate chunks of a set of documents (seed 002, 4.7.2): MinHash over word 5-shingles, candidates checked exactly.

`datasketch` finds candidates (128 permutations, locality-sensitive hashing); a chunk is flagged when the Jaccard similarity of the
shingle sets themselves is at least the threshold. Same chunks in the same order, same answer. Not here: what is done with duplicates.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

#: Words per shingle.
SHINGLE = 5
#: Share of shingles in common. One changed word in a hundred leaves 90 %, one in fifty 80 %: above it texts differ in names, numbers
#: and dates; neighbouring windows of `sliding_window` share about 10 %, far below.
THRESHOLD = 0.8
PERMUTATIONS = 128

_WORD = re.compile(r"\w+")


def near_duplicates(rows: Iterable[Mapping[str, Any]], threshold: float = THRESHOLD) -> dict[str, str]:
    """Chunk id -> id of the first chunk before it that it nearly repeats; chunks that repeat none are not in it.

    `rows` need `chunk_id` and `chunk_text`. Generated text (a `generator`: propositions, summaries) says again what its source says
    and is not compared. Memory: 0.5 kB per chunk and 4 bytes per word.
    """
    from datasketch import MinHash, MinHashLSH

    # a missed candidate is a missed duplicate, a wrong one costs a comparison
    index = MinHashLSH(threshold=threshold, num_perm=PERMUTATIONS, weights=(0.1, 0.9))
    template = MinHash(num_perm=PERMUTATIONS, seed=1, hashfunc=int)
    order: dict[str, int] = {}
    shingles: list[NDArray[np.uint32]] = []
    found: dict[str, str] = {}
    for row in rows:
        if row.get("generator"):
            continue
        chunk_id = str(row["chunk_id"])
        hashes = shingle_hashes(str(row["chunk_text"]))
        if not hashes.size or chunk_id in order:
            continue
        sketch = template.copy()
        sketch.update_batch(hashes.tolist())
        candidates = sorted(index.query(sketch), key=order.__getitem__)
        earlier = next((name for name in candidates if jaccard(hashes, shingles[order[name]]) >= threshold), None)
        if earlier is not None:
            found[chunk_id] = earlier
        order[chunk_id] = len(shingles)
        shingles.append(hashes)
        index.insert(chunk_id, sketch)
    return found


def shingle_hashes(text: str) -> NDArray[np.uint32]:
    """The set of 32-bit hashes of the text's word 5-shingles, (n,) ascending; a text of fewer words is one shingle."""
    from datasketch import sha1_hash32

    words = _WORD.findall(text.casefold())
    if not words:
        return np.zeros(0, dtype=np.uint32)
    last = max(1, len(words) - SHINGLE + 1)
    hashes = {sha1_hash32(" ".join(words[at : at + SHINGLE]).encode()) for at in range(last)}
    return np.array(sorted(hashes), dtype=np.uint32)


def jaccard(left: NDArray[np.uint32], right: NDArray[np.uint32]) -> float:
    """Size of the intersection over that of the union; 1.0 for equal sets."""
    common = int(np.intersect1d(left, right, assume_unique=True).size)
    return common / (left.size + right.size - common)

"""Near-duplicate chunks of a set of documents: MinHash over word 5-shingles, candidates checked exactly.

`datasketch` finds candidates (128 permutations, locality-sensitive hashing); a chunk is flagged when the Jaccard similarity of the
shingle sets themselves is at least the threshold. Same chunks in the same order, same answer. Not here: what is done with duplicates.
"""

from __future__ import annotations

import bisect
import functools
import heapq
import itertools
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

#: Words per shingle.
SHINGLE = 5
#: Share of shingles in common. One changed word in a hundred leaves 90 %, one in fifty 80 %: above it texts differ in names, numbers
#: and dates; neighbouring windows of `sliding_window` share about 10 %, far below.
THRESHOLD = 0.8
PERMUTATIONS = 128

#: Multiplier of the hash of a band. Bands that differ and hash alike cost a comparison.
_ODD = np.uint64(0x9E3779B97F4A7C15)

_WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class Sketches:
    """What chunks are compared by, in their order; chunks with nothing to compare are not in it.

    `bands` is (n, bands) uint64: only chunks that share a value in some column can be similar. `shingles(k)` gives `shingle_hashes` of
    the k-th chunk.
    """

    chunk_ids: Sequence[str]
    bands: NDArray[np.uint64]
    shingles: Callable[[int], NDArray[np.uint32]]


def near_duplicates(rows: Iterable[Mapping[str, Any]], threshold: float = THRESHOLD) -> dict[str, str]:
    """Chunk id -> id of the first chunk before it that it nearly repeats; chunks that repeat none are not in it.

    `rows` need `chunk_id` and `chunk_text`. Generated text (a `generator`: propositions, summaries) says again what its source says
    and is not compared. Memory: 0.5 kB per chunk and 4 bytes per word.
    """
    return repeated([sketch(rows, threshold)], threshold)


def sketch(rows: Iterable[Mapping[str, Any]], threshold: float = THRESHOLD) -> Sketches:
    """The sketches of the rows, which cost nearly all the time; `repeated` compares them."""
    from datasketch import MinHash

    template = MinHash(num_perm=PERMUTATIONS, seed=1, hashfunc=int)
    shingles: dict[str, NDArray[np.uint32]] = {}
    values: list[NDArray[np.uint64]] = []
    for row in rows:
        chunk_id = str(row["chunk_id"])
        if row.get("generator") or chunk_id in shingles:
            continue
        hashes = shingle_hashes(str(row["chunk_text"]))
        if hashes.size:
            minhash = template.copy()
            minhash.update_batch(hashes.tolist())
            values.append(minhash.hashvalues)
            shingles[chunk_id] = hashes
    return Sketches(list(shingles), _bands(values, *_shape(threshold)), list(shingles.values()).__getitem__)


def repeated(groups: Sequence[Sketches], threshold: float = THRESHOLD) -> dict[str, str]:
    """As `near_duplicates`, of the chunks of all groups in their order. Shingles are read of chunks that share a band with another."""
    names = [chunk_id for group in groups for chunk_id in group.chunk_ids]
    firsts = list(itertools.accumulate((len(group.chunk_ids) for group in groups), initial=0))

    def shingles(position: int) -> NDArray[np.uint32]:
        number = bisect.bisect_right(firsts, position) - 1
        return groups[number].shingles(position - firsts[number])

    found: dict[str, str] = {}
    for position, candidates in sorted(_candidates(groups).items()):
        own = shingles(position)
        # ascending, and mostly the first one is it
        for candidate, _ in itertools.groupby(heapq.merge(*candidates)):
            if jaccard(own, shingles(candidate)) >= threshold:
                found[names[position]] = names[candidate]
                break
    return found


def _candidates(groups: Sequence[Sketches]) -> dict[int, list[NDArray[np.int64]]]:
    """Position of a chunk -> for each band that it shares with chunks before it, their positions, ascending."""
    found: dict[int, list[NDArray[np.int64]]] = {}
    for column in range(groups[0].bands.shape[1] if groups else 0):
        values = np.concatenate([group.bands[:, column] for group in groups])
        order = np.argsort(values, kind="stable")
        borders = np.flatnonzero(np.diff(values[order])) + 1
        starts, ends = np.append(0, borders), np.append(borders, values.size)
        shared = ends - starts > 1
        for start, end in zip(starts[shared], ends[shared], strict=True):
            for place in range(start + 1, end):
                found.setdefault(int(order[place]), []).append(order[start:place])
    return found


@functools.cache
def _shape(threshold: float) -> tuple[int, int]:
    """(bands, values per band) by which `datasketch` finds what is as similar as `threshold`."""
    from datasketch import MinHashLSH

    # a missed candidate is a missed duplicate, a wrong one costs a comparison
    index = MinHashLSH(threshold=threshold, num_perm=PERMUTATIONS, weights=(0.1, 0.9))
    return index.b, index.r


def _bands(values: Sequence[NDArray[np.uint64]], bands: int, width: int) -> NDArray[np.uint64]:
    """(n, bands): the hash of each chunk's MinHash values, `width` at a time."""
    found = np.zeros((len(values), bands), dtype=np.uint64)
    if values:
        split = np.stack(values)[:, : bands * width].reshape(len(values), bands, width)
        for column in range(width):
            found = found * _ODD + split[:, :, column]
    return found


def shingle_hashes(text: str) -> NDArray[np.uint32]:
    """The set of 32-bit hashes of the text's word 5-shingles, (n,) ascending; a text of fewer words is one shingle."""
    from datasketch import sha1_hash32

    hashes = {sha1_hash32(" ".join(shingle).encode()) for shingle in shingles(text)}
    return np.array(sorted(hashes), dtype=np.uint32)


def shingles(text: str) -> set[tuple[str, ...]]:
    """The text's word 5-shingles; a text of fewer words is one."""
    words = _WORD.findall(text.casefold())
    if len(words) <= SHINGLE:
        return {tuple(words)} if words else set()
    return set(zip(*(words[at:] for at in range(SHINGLE)), strict=False))


def jaccard(left: NDArray[np.uint32], right: NDArray[np.uint32]) -> float:
    """Size of the intersection over that of the union; 1.0 for equal sets."""
    common = int(np.intersect1d(left, right, assume_unique=True).size)
    return common / (left.size + right.size - common)

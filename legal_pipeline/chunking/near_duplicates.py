"""Near-duplicate chunks of a set of documents: MinHash over word 5-shingles, candidates checked exactly.

`datasketch` finds candidates (128 permutations, locality-sensitive hashing); a chunk is flagged when the Jaccard similarity of the
shingle sets is at least the threshold. The same chunks in the same order give the same result. Not here: how duplicates are used.
"""

from __future__ import annotations

import bisect
import functools
import itertools
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

#: Words per shingle.
SHINGLE = 5
#: Share of shingles in common. One changed word in a hundred leaves 90 %, one in fifty 80 %: above 80 % texts differ in names, numbers
#: and dates; neighbouring windows of `sliding_window` share about 10 %, far below.
THRESHOLD = 0.8
PERMUTATIONS = 128

#: How far an estimate may be below the similarity: six standard deviations of 128 values at 0.8.
_DOUBT = 0.21
#: Candidates whose similarity is estimated first; then four times as many.
_FIRST = 8

#: Multiplier of the hash of a band. Different bands with the same hash only cost a comparison.
_ODD = np.uint64(0x9E3779B97F4A7C15)

_WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class Sketches:
    """The data by which chunks are compared, in order of the chunks; chunks with nothing to compare are not included.

    `bands` is (n, bands) uint64: only chunks that share a value in some column can be similar. `signs` is (n, permutations) uint8: the
    share of equal values estimates the similarity. `shingles(k)` returns `shingle_hashes` of the k-th chunk.
    """

    chunk_ids: Sequence[str]
    bands: NDArray[np.uint64]
    signs: NDArray[np.uint8]
    shingles: Callable[[int], NDArray[np.integer[Any]]]


def sketch(rows: Iterable[Mapping[str, Any]], threshold: float = THRESHOLD) -> Sketches:
    """Return the sketches of the rows, which `earliest_repeats` compares; generated text repeats its source and has none.

    `rows` need `chunk_id` and `chunk_text`. Memory: 0.5 kB per chunk and 4 bytes per word.
    """
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
    signs = np.array(values, np.uint64).reshape(len(values), PERMUTATIONS).astype(np.uint8)
    return Sketches(list(shingles), _bands(values, *_shape(threshold)), signs, list(shingles.values()).__getitem__)


def earliest_repeats(
    groups: Sequence[Sketches],
    *,
    due: NDArray[np.bool_],
    new: NDArray[np.bool_],
    before: Mapping[int, int],
    threshold: float = THRESHOLD,
) -> dict[int, int]:
    """Map positions of chunks in the groups to the earliest chunk that each repeats.

    A chunk that is `due`, (chunks,), is compared with all earlier chunks, any other only with those that are `new` and come before
    position `before[its own]`, where the chunk is, or would be, that it is known to repeat: it has no entry unless there is one.
    """
    firsts = list(itertools.accumulate((len(group.chunk_ids) for group in groups), initial=0))

    def shingles(position: int) -> NDArray[np.integer[Any]]:
        number = bisect.bisect_right(firsts, position) - 1
        return groups[number].shingles(position - firsts[number])

    signs = np.concatenate([group.signs for group in groups]) if groups else np.zeros((0, PERMUTATIONS), np.uint8)
    found: dict[int, int] = {}
    for run in _runs(groups):
        new_ones = run[new[run]]
        for place in np.flatnonzero(due[run] | bool(new_ones.size)):
            position = int(run[place])
            earlier = run if due[position] else new_ones
            end = min(position, found.get(position, before.get(position, position)))
            for candidate in _likely(signs, position, earlier[: np.searchsorted(earlier, end)], threshold - _DOUBT):
                if jaccard(shingles(position), shingles(candidate)) >= threshold:
                    found[position] = candidate
                    break
    return found


def _likely(signs: NDArray[np.uint8], position: int, candidates: NDArray[np.int64], least: float) -> Iterator[int]:
    """Yield the candidates, in order, whose estimated similarity is at least `least`; mostly the first one is asked for."""
    begin, size = 0, _FIRST
    while begin < candidates.size:
        some = candidates[begin : begin + size]
        yield from map(int, some[(signs[some] == signs[position]).mean(axis=1) >= least])
        begin, size = begin + size, size * 4


def _runs(groups: Sequence[Sketches]) -> Iterator[NDArray[np.int64]]:
    """Yield the positions, ascending, of the chunks that share a band, for each band that several chunks have."""
    for column in range(groups[0].bands.shape[1] if groups else 0):
        values = np.concatenate([group.bands[:, column] for group in groups])
        order = np.argsort(values, kind="stable")
        borders = np.flatnonzero(np.diff(values[order])) + 1
        starts, ends = np.append(0, borders), np.append(borders, values.size)
        shared = ends - starts > 1
        for start, end in zip(starts[shared], ends[shared], strict=True):
            yield order[start:end]


@functools.cache
def _shape(threshold: float) -> tuple[int, int]:
    """Return (bands, values per band) by which `datasketch` finds texts as similar as `threshold`."""
    from datasketch import MinHashLSH

    # A missed candidate is a missed duplicate; a wrong candidate only costs a comparison.
    index = MinHashLSH(threshold=threshold, num_perm=PERMUTATIONS, weights=(0.1, 0.9))
    return index.b, index.r


def _bands(values: Sequence[NDArray[np.uint64]], bands: int, width: int) -> NDArray[np.uint64]:
    """Return (n, bands): the hash of each chunk's MinHash values, `width` at a time."""
    found = np.zeros((len(values), bands), dtype=np.uint64)
    if values:
        split = np.stack(values)[:, : bands * width].reshape(len(values), bands, width)
        for column in range(width):
            found = found * _ODD + split[:, :, column]
    return found


def shingle_hashes(text: str) -> NDArray[np.uint32]:
    """Return the 32-bit hashes of the text's word 5-shingles, (n,) ascending, each once; a text of fewer words is one shingle."""
    from datasketch import sha1_hash32

    hashes = {sha1_hash32(" ".join(shingle).encode()) for shingle in shingles(text)}
    return np.array(sorted(hashes), dtype=np.uint32)


def shingles(text: str) -> set[tuple[str, ...]]:
    """Return the text's word 5-shingles; a text of fewer words is one shingle."""
    words = _WORD.findall(text.casefold())
    if len(words) <= SHINGLE:
        return {tuple(words)} if words else set()
    return set(zip(*(words[at:] for at in range(SHINGLE)), strict=False))


def process_hashes(text: str) -> NDArray[np.uint64]:
    """Return 64-bit hashes of the text's word 5-shingles, (n,) ascending, each once: in a twentieth of the time of `shingle_hashes`, and
    to be compared only within this process."""
    words = _WORD.findall(text.casefold())
    hashes = np.fromiter(map(hash, words), np.int64, len(words)).view(np.uint64)
    width = min(SHINGLE, len(words))
    found = np.zeros(max(0, len(words) - width + 1) if width else 0, np.uint64)
    for at in range(width):
        found = found * _ODD + hashes[at : at + found.size]
    return np.unique(found)


def jaccard(left: NDArray[np.integer[Any]], right: NDArray[np.integer[Any]]) -> float:
    """Return the size of the intersection divided by that of the union; 1.0 for equal sets, 0.0 for two empty ones."""
    common = int(np.intersect1d(left, right, assume_unique=True).size)
    return common / max(1, left.size + right.size - common)

"""Speed of `semantic.max_min` beside the plain transcription of its formula: `python -m legal_pipeline_tests.benchmarks.maxmin`.

Not a test: figures depend on the machine. 2,000 unit vectors of 384 dimensions stand for the sentences of a long text; boundaries are
compared before the times are.
"""

from __future__ import annotations

import time

import numpy as np

from legal_pipeline.chunking.semantic import max_min
from legal_pipeline_tests.chunking.max_min_transcription import max_min as transcription

SENTENCES, DIMENSION = 2_000, 384
#: Sentences of one topic: real clusters have between two and a few hundred.
TOPIC = 60


def topics(seed: int = 7) -> np.ndarray:
    """Unit vectors that stay near one direction for `TOPIC` sentences, then near another."""
    rng = np.random.default_rng(seed)
    centres = np.repeat(rng.normal(size=(-(-SENTENCES // TOPIC), DIMENSION)), TOPIC, axis=0)[:SENTENCES]
    rows = centres + 0.35 * rng.normal(size=(SENTENCES, DIMENSION))
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


def main() -> None:
    vectors = topics()
    plain = vectors.astype(np.float64).tolist()
    started = time.perf_counter()
    expected = transcription(plain)
    slow = time.perf_counter() - started
    fast = min(_timed(vectors) for _ in range(5))
    assert max_min(vectors) == expected, "the boundaries differ"
    print(f"{SENTENCES} sentences, {len(expected)} clusters, the same boundaries")
    print(f"transcription {slow:.2f} s, max_min {1000 * fast:.1f} ms: {slow / fast:.0f} times as fast")


def _timed(vectors: np.ndarray) -> float:
    started = time.perf_counter()
    max_min(vectors)
    return time.perf_counter() - started


if __name__ == "__main__":
    main()

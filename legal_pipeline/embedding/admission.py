"""Check that a backend computes the vectors of its model: a probe of 100 texts against the reference vectors.

Collections are named after models, not after backends, so that workers with different hardware can write to the same collection: a backend
is admitted if its vectors agree. The reference is torch in float32 on a processor; for a model whose files exist only on a server, it is
its first answer. Not here: the backends, and the computation of the reference (`embedding.reference`).
"""

from __future__ import annotations

import functools
import json
from collections.abc import Callable
from dataclasses import asdict, dataclass

import numpy as np

from legal_pipeline.embedding.embedder import Vectors
from legal_pipeline.errors import ConfigurationError, EmbeddingError
from legal_pipeline.system.data_files import data_file

#: Minimum cosine of every text, and minimum mean of all texts.
LEAST_COSINE, MEAN_COSINE = 0.995, 0.999

#: Number of sentences in the longer texts: after the single sentences, runs from the first sentence on.
_RUNS = (2, 3, 4, 5, 10)


class NotAdmittedError(ConfigurationError):
    """The vectors of a backend differ from those of the model."""


@dataclass(frozen=True)
class Agreement:
    """Cosines of a backend's vectors with the reference."""

    least: float
    mean: float

    @property
    def is_enough(self) -> bool:
        return self.least >= LEAST_COSINE and self.mean >= MEAN_COSINE

    def __str__(self) -> str:
        return f"cosine {self.least:.5f} at least and {self.mean:.5f} on the mean of {len(probe_texts())} texts"

    def dumps(self) -> str:
        return json.dumps(asdict(self))


@functools.cache
def probe_texts() -> tuple[str, ...]:
    """Return 100 texts in ten languages, of two to about a hundred words."""
    data = data_file(__package__, "probe.toml")
    texts = []
    for sentences in data.values():
        twice = [*sentences, *sentences]
        texts += [*sentences, *(" ".join(twice[:length]) for length in _RUNS)]
    return tuple(texts)


def agreement(vectors: Vectors, reference: Vectors) -> Agreement:
    """Compare two arrays of shape (100, dimension) and unit length. Raises EmbeddingError for different dimensions."""
    if vectors.shape != reference.shape:
        raise EmbeddingError(
            f"the vectors have dimension {vectors.shape[-1]}, those of the model {reference.shape[-1]}"
        )
    cosines = np.einsum("ij,ij->i", vectors.astype(np.float64), reference.astype(np.float64))
    return Agreement(float(cosines.min()), float(cosines.mean()))


def admit(model: str, description: str, vectors: Vectors, reference: Callable[[], Vectors]) -> Agreement:
    """Return the agreement of `vectors` of the probe with the reference. Raises NotAdmittedError with the figures if it is too low."""
    found = agreement(vectors, reference())
    if not found.is_enough:
        raise NotAdmittedError(
            f"{description} gives other vectors than {model}: {found}, expected {LEAST_COSINE} and {MEAN_COSINE}"
        )
    return found

"""The vector of a query minus half of the mean vector of its model.

The vectors of a model point into a narrow cone (Mu and Viswanath 2018, "All-but-the-top"), and a chunk near the mean is near every
query. Subtracting half of the mean from the query ranks such chunks lower, and the stored vectors do not change. Not here: the lists
(`retrieval.dense_lists`), and how the means were computed (`centres.json`: the mean over languages of the mean of the chunks of each).
"""

from __future__ import annotations

import base64
import functools

import numpy as np

from legal_pipeline.stores.store import Vector
from legal_pipeline.system.data_files import data_file

#: The subtracted share of the mean. Of 0.25, 0.5, 0.75 and 1, tried on the tuning half of the plain questions with the mean
#: of the Acts of the other half, 0.5 was chosen; citation queries are about as good or better with it (recall@5 swe 0.454 against 0.435,
#: fra 0.406 against 0.346, eng 0.495 against 0.498).
WEIGHT = 0.5


def centred(vector: Vector, model: str) -> Vector:
    """Return `vector` (dimension,) of unit length minus half of the mean vector of `model`, again of unit length; unchanged for a model
    without a known mean. `model` is an embedder's name."""
    centre = centre_of(model)
    if centre is None or centre.shape != vector.shape:
        return vector
    moved = vector - WEIGHT * centre
    return np.asarray(moved / np.linalg.norm(moved), np.float32)


def centre_of(model: str) -> Vector | None:
    """Return the mean of the model's vectors (dimension,), shorter than 1; None where it is not known."""
    return _centres().get(model.partition("@")[0])


@functools.cache
def _centres() -> dict[str, Vector]:
    stored = data_file(__package__, "centres.json")
    return {name: np.frombuffer(base64.b64decode(text), np.float16).astype(np.float32) for name, text in stored.items()}

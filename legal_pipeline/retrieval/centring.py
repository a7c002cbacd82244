"""The vector of a query less what all texts of its model have in common.

The vectors of a model point into a narrow cone (Mu and Viswanath 2018, "All-but-the-top"), and a chunk near to the middle of it is near to
every query. A query less half of that middle ranks such chunks lower, and the stored vectors stay as they are. Not here: the lists
(`retrieval.dense_lists`), and how the middles were found (`centres.json`: the mean over languages of the mean of the chunks of each).
"""

from __future__ import annotations

import base64
import functools
import importlib.resources
import json

import numpy as np

from legal_pipeline.stores.store import Vector

#: How much of the middle is taken away. Of 0.25, 0.5, 0.75 and 1, which were tried on the tuning half of the plain questions, with the
#: middle of the Acts of the other half; citation queries are as good or better with it (recall@5 swe 0.454 against 0.435, fra 0.406
#: against 0.346, eng 0.495 against 0.498).
WEIGHT = 0.5


def centred(vector: Vector, model: str) -> Vector:
    """`vector` (dimension,) of unit length without half of the middle of `model`, of unit length again; itself for a model of which no
    middle is known. `model` is an embedder's name."""
    centre = centre_of(model)
    if centre is None or centre.shape != vector.shape:
        return vector
    moved = vector - WEIGHT * centre
    return np.asarray(moved / np.linalg.norm(moved), np.float32)


def centre_of(model: str) -> Vector | None:
    """The middle of the model's vectors (dimension,), shorter than 1; None where it is not known."""
    return _centres().get(model.partition("@")[0])


@functools.cache
def _centres() -> dict[str, Vector]:
    stored = json.loads(importlib.resources.files(__package__).joinpath("centres.json").read_text("utf-8"))
    return {name: np.frombuffer(base64.b64decode(text), np.float16).astype(np.float32) for name, text in stored.items()}

"""How much the ranks of a model's vectors count beside the ranks of words: less in a language that the model was not made for.

Not here: fusion itself (`retrieval.fusion`) and how weights are found (`legal-pipeline evaluate`).
"""

from __future__ import annotations

import functools
import importlib.resources
import tomllib
from collections.abc import Mapping


def vector_weights(model: str) -> Mapping[str, float]:
    """Language (ISO 639-3) -> weight, for an embedder's name (`all-MiniLM-L6-v2@53aa…/float32/…`); 1 for a language that is not there."""
    return _weights().get(model.partition("@")[0], {})


@functools.cache
def _weights() -> dict[str, dict[str, float]]:
    text = importlib.resources.files(__package__).joinpath("vector_weights.toml").read_text("utf-8")
    return tomllib.loads(text)

"""How much the ranks of a model's vectors count beside the ranks of words: less in a language that the model was not made for.

Not here: fusion itself (`retrieval.fusion`) and how weights are found (`legal-pipeline evaluate`).
"""

from __future__ import annotations

import functools
import importlib.resources
import tomllib
from collections.abc import Mapping

from legal_pipeline.embedding.model_table import ModelTable


def vector_weights(model: str) -> Mapping[str, float]:
    """Language (ISO 639-3) -> weight, for the name of an embedder (`all-MiniLM-L6-v2@53aa…/float32/…`) or of a table of them
    (`eng=…,*=…`); 1 for a language that is not there."""
    table = ModelTable.parse(model)
    named = dict(table.by_language)
    found = {language: weight for language, weight in _of_model(table.other).items() if language not in named}
    for language, name in named.items():
        if language in (weights := _of_model(name)):
            found[language] = weights[language]
    return found


def _of_model(name: str) -> Mapping[str, float]:
    return _weights().get(name.partition("@")[0], {})


@functools.cache
def _weights() -> dict[str, dict[str, float]]:
    text = importlib.resources.files(__package__).joinpath("vector_weights.toml").read_text("utf-8")
    return tomllib.loads(text)

"""Weights of vector ranks against word ranks: less in a language that the model was not made for, more for a question in plain words.

`vector_weights.json` has them by model, kind and language; `legal-pipeline evaluate --fit` writes new ones there. Not here: fusion
(`retrieval.fusion`), the definition of a question (`retrieval.query_kind`), and the reasons for the weights (docs/evaluation/results.md).
"""

from __future__ import annotations

import functools
import importlib.resources
import json
from collections.abc import Mapping
from dataclasses import dataclass, field

from legal_pipeline.embedding.model_table import ModelTable
from legal_pipeline.retrieval.query_kind import is_question


@dataclass(frozen=True)
class VectorWeights:
    """Language of a chunk (ISO 639-3) -> weight, by the kind of query; 1 for a language that is not listed."""

    words: Mapping[str, float] = field(default_factory=dict)
    questions: Mapping[str, float] = field(default_factory=dict)

    def of(self, query: str) -> Mapping[str, float]:
        return self.questions if is_question(query) else self.words


#: Every rank weighs 1.
UNWEIGHTED = VectorWeights()


def vector_weights(model: str) -> VectorWeights:
    """Return the weights for the name of an embedder (`all-MiniLM-L6-v2@53aa…/float32/…`) or of a table of embedders (`eng=…,*=…`)."""
    table = ModelTable.parse(model)
    return VectorWeights(*(_of_table(table, kind) for kind in ("words", "questions")))


def _of_table(table: ModelTable, kind: str) -> Mapping[str, float]:
    named = dict(table.by_language)
    found = {language: weight for language, weight in _of_model(table.other, kind).items() if language not in named}
    for language, name in named.items():
        if language in (weights := _of_model(name, kind)):
            found[language] = weights[language]
    return found


def _of_model(name: str, kind: str) -> Mapping[str, float]:
    return _weights().get(name.partition("@")[0], {}).get(kind, {})


@functools.cache
def _weights() -> dict[str, dict[str, dict[str, float]]]:
    text = importlib.resources.files(__package__).joinpath("vector_weights.json").read_text("utf-8")
    found: dict[str, dict[str, dict[str, float]]] = json.loads(text)
    return found

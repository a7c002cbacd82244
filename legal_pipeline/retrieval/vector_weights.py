"""Weights of vector ranks against word ranks: less in a language that the model was not made for, more for a question in plain words.

`vector_weights.json` has them by model, kind and language; `legal-pipeline evaluate --fit` writes others to a file of the same form. Not
here: fusion (`retrieval.fusion`), the definition of a question (`retrieval.query_kind`), and the reasons for the weights
(docs/evaluation/results.md).
"""

from __future__ import annotations

import functools
import importlib.resources
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Literal, get_args

from pydantic import Field, TypeAdapter

from legal_pipeline.embedding.model_table import ModelTable
from legal_pipeline.errors import ConfigurationError
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

#: The fields of `VectorWeights`.
Kind = Literal["words", "questions"]

#: Model (its name without its revision) -> kind -> language -> weight.
ByModel = dict[str, dict[Kind, dict[str, Annotated[float, Field(ge=0, allow_inf_nan=False)]]]]
_BY_MODEL = TypeAdapter[ByModel](ByModel)


def vector_weights(model: str, path: Path | None = None) -> VectorWeights:
    """Return the weights for the name of an embedder (`all-MiniLM-L6-v2@53aa…/float32/…`) or of a table of embedders (`eng=…,*=…`).

    The weights of the file at `path` replace those of the package, model by model.
    """
    table = ModelTable.parse(model)
    by_model = _own() if path is None else {**_own(), **_of_file(path)}
    return VectorWeights(*(_of_table(table, kind, by_model) for kind in get_args(Kind)))


def read_weights(path: Path) -> ByModel:
    """Return the weights of a file. Raises `ConfigurationError` for a missing file or one of another form."""
    try:
        return _BY_MODEL.validate_json(path.read_bytes())
    except (OSError, ValueError) as error:
        raise ConfigurationError(
            f"{path} is not a JSON file of weights: expected model, kind, language ({error})"
        ) from error


def _of_table(table: ModelTable, kind: Kind, by_model: ByModel) -> Mapping[str, float]:
    named = dict(table.by_language)
    found = {lang: weight for lang, weight in _of_model(table.other, kind, by_model).items() if lang not in named}
    for language, name in named.items():
        if language in (weights := _of_model(name, kind, by_model)):
            found[language] = weights[language]
    return found


def _of_model(name: str, kind: Kind, by_model: ByModel) -> Mapping[str, float]:
    return by_model.get(name.partition("@")[0], {}).get(kind, {})


@functools.cache
def _own() -> ByModel:
    return _BY_MODEL.validate_json(importlib.resources.files(__package__).joinpath("vector_weights.json").read_bytes())


#: Read once per process: a search must not wait for a disk.
_of_file = functools.lru_cache(maxsize=4)(read_weights)

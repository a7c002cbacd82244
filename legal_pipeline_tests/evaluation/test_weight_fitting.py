"""Weights fitted on laws of our own, of which either the words or the vectors of the queries are right."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from legal_pipeline.building.source import SourceFile
from legal_pipeline.embedding.model_table import Embedders
from legal_pipeline.enrichment.extractive import ExtractiveEnricher
from legal_pipeline.errors import ConfigurationError
from legal_pipeline.evaluation.dataset import Answer, Dataset, Query
from legal_pipeline.evaluation.systems import layers
from legal_pipeline.evaluation.weight_fitting import FittedWeight, best_weight, fit_weights, write_weights
from legal_pipeline.parsing.registry import parse
from legal_pipeline_tests.embedding.named import Named

COUNT = 24
MEANINGS = {f"{kind}{at}": at for kind in ("märke", "vektor") for at in range(COUNT)}
FITTED = FittedWeight("many", "words", "swe", 3.0, 40, 0.5, 0.6)


def dataset(*, words_off: int, vectors_off: int, queries: int = COUNT) -> Dataset:
    """Query n asks for provision n: its word is that of provision n + `words_off`, its vector that of n + `vectors_off`."""
    sections = "\n\n".join(f"{at + 1} § Fyren märke{at} har lampan nyckel{at} tänd." for at in range(COUNT))
    document = parse(SourceFile("fyrar.txt", f"Lag (2099:10) om fyrar\n\n{sections}\n".encode()))
    provisions = [node for node in document.walk() if node.type == "section"]
    assert len(provisions) == COUNT
    asked = tuple(
        Query(
            f"q{at}",
            f"nyckel{(at + words_off) % COUNT} vektor{(at + vectors_off) % COUNT} lyser",
            "swe",
            f"document {at % 6}",
            (Answer(document.document_id, provision.start, provision.end),),
        )
        for at, provision in enumerate(provisions[:queries])
    )
    return Dataset("made", (document,), asked)


def fitted(made: Dataset) -> FittedWeight:
    embedders = Embedders({}, Named("many@1", COUNT + 1, MEANINGS))
    (found,) = fit_weights(made, layers()[1], embedders, ExtractiveEnricher(), seed=7, report=lambda _: None)
    return found


def test_vectors_weigh_more_where_they_are_right_and_no_more_where_words_are() -> None:
    by_vector = fitted(dataset(words_off=1, vectors_off=0))
    assert (by_vector.model, by_vector.kind, by_vector.language, by_vector.queries) == ("many", "words", "swe", COUNT)
    assert by_vector.weight > 1
    assert by_vector.unseen > by_vector.present
    by_words = fitted(dataset(words_off=0, vectors_off=1))
    assert by_words.weight <= 1
    assert by_words.unseen == by_words.present == 1


def test_a_weight_is_not_chosen_on_few_queries() -> None:
    with pytest.raises(ConfigurationError, match="at least 20"):
        fitted(dataset(words_off=0, vectors_off=0, queries=19))


def test_of_equally_good_weights_the_nearest_to_one_is_kept() -> None:
    values = {0.1: np.array([1.0, 0.0]), 0.5: np.array([0.0, 1.0]), 3.0: np.array([0.5, 0.5])}
    assert best_weight(values) == 0.5
    assert best_weight({**values, 10.0: np.array([1.0, 1.0])}) == 10.0
    assert best_weight({0.1: np.array([]), 1.0: np.array([])}) == 1.0


def test_other_weights_of_a_file_stay(tmp_path: Path) -> None:
    path = tmp_path / "weights.json"
    path.write_text(
        json.dumps({"many": {"words": {"fra": 2.0, "swe": 0.1}}, "other": {"questions": {"eng": 10.0}}}), "utf-8"
    )
    write_weights(path, [FITTED])
    assert json.loads(path.read_text("utf-8")) == {
        "many": {"words": {"fra": 2.0, "swe": 3.0}},
        "other": {"questions": {"eng": 10.0}},
    }


@pytest.mark.parametrize("content", ["weights", "[1, 2]", '{"many": 3}', '{"many": {"words": 3}}'])
def test_a_file_that_holds_something_else_is_refused_and_stays(tmp_path: Path, content: str) -> None:
    path = tmp_path / "weights.json"
    path.write_text(content, "utf-8")
    with pytest.raises(ConfigurationError, match=r"weights\.json"):
        write_weights(path, [FITTED])
    assert path.read_text("utf-8") == content

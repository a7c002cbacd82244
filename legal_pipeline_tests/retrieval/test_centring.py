"""A query's vector less what all texts of its model have in common."""

from __future__ import annotations

import numpy as np
import pytest

from legal_pipeline.retrieval.centring import centre_of, centred

MODELS = ["all-MiniLM-L6-v2@53aa/float32", "multilingual-e5-small@1234/bfloat16"]


@pytest.mark.parametrize("model", MODELS)
def test_of_two_chunks_as_near_the_one_that_is_near_to_every_query_comes_behind(model: str) -> None:
    centre = centre_of(model)
    assert centre is not None
    assert 0.3 < np.linalg.norm(centre) < 1
    query = np.eye(1, len(centre), dtype=np.float32)[0]
    aside = centre - query * (centre @ query)
    aside /= np.linalg.norm(aside)
    near_to_all, other = (query + aside) / np.sqrt(2), (query - aside) / np.sqrt(2)
    assert near_to_all @ query == pytest.approx(other @ query)
    assert near_to_all @ centred(query, model) < other @ centred(query, model)
    assert np.linalg.norm(centred(query, model)) == pytest.approx(1)


def test_a_model_of_which_nothing_was_measured_keeps_its_vector() -> None:
    vector = np.eye(1, 384, dtype=np.float32)[0]
    assert centred(vector, "BAAI/bge-m3@1234/float32") is vector


def test_a_model_of_the_same_name_and_another_dimension_keeps_its_vector() -> None:
    vector = np.eye(1, 8, dtype=np.float32)[0]
    assert centred(vector, MODELS[0]) is vector

"""The weights of the roles: stored as fitted, and good on judgments that they were not fitted to."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from legal_pipeline.parsing.judgment.phrases import load_phrases
from legal_pipeline.parsing.judgment.role_features import feature_names
from legal_pipeline.parsing.judgment.roles import RoleModel
from legal_pipeline_tests.parsing.judgment.role_fit import WEIGHTS, Labelled, fit, leave_one_out, read_labelled
from legal_pipeline_tests.real_documents import existing

PHRASES = load_phrases("in")


@pytest.fixture(scope="module")
def judgments(corpus: Path) -> list[Labelled]:
    return [read_labelled(path, PHRASES) for path in existing(corpus / "in/judgments_rr/dev", "*.txt")]


@pytest.mark.corpus
def test_the_stored_weights_are_those_that_the_labels_give(judgments: list[Labelled]) -> None:
    stored = RoleModel.from_json(json.loads(WEIGHTS.read_text("utf-8")), feature_names(PHRASES))
    fitted = fit(judgments, PHRASES)
    for name in ("emissions", "change", "start"):
        assert np.allclose(getattr(stored, name), getattr(fitted, name), atol=0.05), f"{name}: run role_fit --write"


@pytest.mark.corpus
@pytest.mark.slow
@pytest.mark.heavy
def test_judgments_left_out_of_the_fit_are_read_as_people_labelled_them(judgments: list[Labelled]) -> None:
    found = leave_one_out(judgments, PHRASES)
    assert sum(found.counts.values()) == 3117
    for role, recall in (("facts", 0.70), ("arguments", 0.49), ("ratio", 0.86), ("decision", 0.75)):
        assert found.recall(role) >= recall, role

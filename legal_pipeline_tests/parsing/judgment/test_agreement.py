"""Agreement of the structure with labelled judgments, beside two baselines."""

from __future__ import annotations

from pathlib import Path

import pytest

from legal_pipeline_tests.parsing.judgment.agreement import (
    agreement,
    issue_agreement,
    issue_lines,
    majority_baseline,
    position_baseline,
    read_folder,
    table,
)


@pytest.mark.corpus
def test_facts_reasoning_and_decision_agree_with_the_labels_better_than_position_does(corpus: Path) -> None:
    judgments = read_folder(corpus / "in/judgments_rr/dev")
    found, majority, position = agreement(judgments), majority_baseline(judgments), position_baseline(judgments)
    print(table(judgments))
    assert sum(found.counts.values()) == 3117
    for role, recall in (("facts", 0.71), ("ratio", 0.87), ("decision", 0.75), ("arguments", 0.50)):
        assert found.recall(role) >= recall, role
    for role in ("facts", "ratio", "decision", "arguments"):
        assert found.f1(role) > max(majority.f1(role), position.f1(role)), role
    assert found.overall > position.overall > majority.overall


@pytest.mark.corpus
def test_issues_read_by_hand_are_found_more_often_than_not_wrongly(corpus: Path) -> None:
    judgments = read_folder(corpus / "in/judgments_rr/dev")
    recall, precision = issue_agreement(judgments, issue_lines())
    assert recall >= 0.4
    assert precision >= 0.5

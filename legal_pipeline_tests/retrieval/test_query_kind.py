"""What is taken for a question in plain words."""

from __future__ import annotations

import pytest

from legal_pipeline.retrieval.query_kind import is_question


@pytest.mark.parametrize(
    "query",
    [
        "who must light the lamp",
        "My landlord wants me out by next week. Is that allowed?",
        "Får chefen säga upp mig när jag är sjuk",
        "Wer haftet für den Schaden am Leuchtturm",
        "qui doit allumer la lampe",
        "lamp keeper duties?",
    ],
)
def test_a_question_begins_as_one_or_has_its_mark(query: str) -> None:
    assert is_question(query)


@pytest.mark.parametrize(
    "query",
    [
        "duty of the keeper to light the lamp",
        "May 2019",
        "2 kap. 3 § fyrvårdslagen",
        "Kündigungsfrist des Leuchtturmwärters",
        "",
        "may keepers",
    ],
)
def test_words_of_the_law_are_not(query: str) -> None:
    assert not is_question(query)

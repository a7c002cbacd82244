"""Ours beside each baseline, on values that were made for it."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from legal_pipeline.evaluation.comparison import against_each_baseline
from legal_pipeline.evaluation.dataset import Answer, Query
from legal_pipeline.evaluation.metrics import METRICS, Interval
from legal_pipeline.evaluation.report import markdown
from legal_pipeline.evaluation.run import Evaluation, Score
from legal_pipeline.evaluation.systems import Family

OURS, WINDOWS = "structural + header", "windows"
GROUPS = ("swe", "eng over swe")


def values(hits: float, mismatch: float, queries: int) -> NDArray[np.float64]:
    """`hits` of the queries are answered, from the first on; every query has this `mismatch`."""
    out = np.zeros((queries, len(METRICS)))
    out[: round(hits * queries), METRICS.index("hits@5")] = 1
    out[:, METRICS.index("mismatch@5")] = mismatch
    return out


def evaluation(ours: NDArray[np.float64], windows: NDArray[np.float64]) -> Evaluation:
    asked = tuple(Query(str(at), "?", GROUPS[at % 2], "", (Answer("act", 0, 9),)) for at in range(len(ours)))
    families: tuple[tuple[str, Family], ...] = ((OURS, "layer"), (WINDOWS, "baseline"))
    figures = {metric: Interval(0, 0, 0) for metric in METRICS}
    scores = tuple(
        Score(name, family, "passages", group, len(asked) // 2, 1, 1.0, figures)
        for group in GROUPS
        for name, family in families
    )
    found = {(OURS, "passages"): ours, (WINDOWS, "passages"): windows}
    return Evaluation("questions", "model", 7, 1, 9, (), scores, {}, asked, found)  # type: ignore[arg-type]


def test_differences_are_paired_and_a_ratio_is_of_the_means() -> None:
    made = evaluation(values(0.8, 0.2, 100), values(0.5, 0.4, 100))
    swedish, english = against_each_baseline(made, OURS, "passages")
    assert (swedish.group, english.group) == GROUPS
    assert swedish.differences["hits@5"].mean == pytest.approx(0.3)
    # where one answers and the other does not is the same in both: half of the spread of two samples that are not paired
    assert 0 < swedish.differences["hits@5"].low < 0.3 < swedish.differences["hits@5"].high < 0.5
    assert swedish.mismatch_ratio == Interval(pytest.approx(0.5), pytest.approx(0.5), pytest.approx(0.5))


def test_without_any_mismatch_of_the_baseline_there_is_no_ratio() -> None:
    (first, _) = against_each_baseline(evaluation(values(1, 0.2, 10), values(1, 0, 10)), OURS, "passages")
    assert first.mismatch_ratio is None
    assert first.differences["mismatch@5"].mean == pytest.approx(0.2)


def test_the_tables_name_both_languages_of_a_question() -> None:
    shown = markdown(evaluation(values(0.8, 0.2, 100), values(0.5, 0.4, 100)))
    assert "**structural + header against each baseline**" in shown
    assert "| English over Swedish | passages | windows | +0.300 [" in shown
    assert "| structural + header | passages | 0.000 | 0.000 |" in shown
    assert "| DRM@5 | char precision@1 |" in shown

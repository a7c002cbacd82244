"""One system compared with each baseline, paired by query: differences, and the ratio of the mismatches.

Not here: the figures of one system and its difference to the best baseline (`run`), and their display (`report`).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from legal_pipeline.evaluation.metrics import METRICS, Interval, interval, resamples
from legal_pipeline.evaluation.run import ALL, Evaluation, Mode

#: Metrics with a ratio, because they are shares of a total; for the others the difference is enough.
_RATIO_OF = "mismatch@5"


@dataclass(frozen=True)
class Comparison:
    """Comparison of `system` with `baseline` for one group of queries: the paired difference by metric, and the ratio of the mean
    mismatch@5 (below 1 if the system has less; None if the baseline has none)."""

    system: str
    baseline: str
    mode: Mode
    group: str
    differences: dict[str, Interval]
    mismatch_ratio: Interval | None


def against_each_baseline(evaluation: Evaluation, system: str, mode: Mode) -> list[Comparison]:
    """Return comparisons by group, then by baseline; empty if the system or all baselines were not measured in this mode."""
    ours = evaluation.values.get((system, mode))
    baselines = list(dict.fromkeys(score.system for score in evaluation.scores if score.family == "baseline"))
    out = []
    for group in dict.fromkeys(score.group for score in evaluation.scores):
        rows = np.array([at for at, query in enumerate(evaluation.queries) if group in (ALL, query.group)])
        draws = resamples(len(rows), evaluation.seed)
        for baseline in baselines:
            theirs = evaluation.values.get((baseline, mode))
            if ours is None or theirs is None:
                continue
            mine, other = ours[rows], theirs[rows]
            differences = {metric: interval(mine[:, at] - other[:, at], draws) for at, metric in enumerate(METRICS)}
            at = METRICS.index(_RATIO_OF)
            out.append(Comparison(system, baseline, mode, group, differences, _ratio(mine[:, at], other[:, at], draws)))
    return out


def _ratio(mine: NDArray[np.float64], other: NDArray[np.float64], draws: NDArray[np.int64]) -> Interval | None:
    """Return the ratio of the means; draws in which the baseline has no mismatch have no ratio and are left out."""
    if not other.mean():
        return None
    sums, others = mine[draws].mean(axis=1), other[draws].mean(axis=1)
    low, high = np.percentile(sums[others > 0] / others[others > 0], [2.5, 97.5])
    return Interval(float(mine.mean() / other.mean()), float(low), float(high))

"""An evaluation as markdown, JSON and a picture. The same figures give the same bytes.

Not here: how the figures are computed (`run`) and the command line's tables (`presentation`).
"""

from __future__ import annotations

import base64
import dataclasses
import io
from collections.abc import Iterable, Sequence
from typing import Any

from legal_pipeline.evaluation.comparison import Comparison, against_each_baseline
from legal_pipeline.evaluation.metrics import CHARACTERS_AT, Interval
from legal_pipeline.evaluation.question_queries import OVER
from legal_pipeline.evaluation.run import Evaluation, Mode, Score
from legal_pipeline.languages.language import language

#: The decisive figures: they are shown with their intervals and as differences.
DECISIVE = ("recall@5", "mismatch@5")
_COLOURS = {"layer": "#3b6ea8", "strategy": "#5f9e6e", "baseline": "#b0713a"}
_OFFSETS: dict[Mode, float] = {"dense": -0.22, "dense + BM25": 0.0, "passages": 0.22}

#: The metric that is drawn.
_PLOTTED = "recall@5"

#: Figures of the main tables.
SHOWN = ("recall@1", "recall@5", "recall@10", "mrr@10", "ndcg@10", "mismatch@5", "recall@2000t", "whole@5")
HEAD = ("system", "search", "chunks", "tokens", *SHOWN, *(f"{metric} against best baseline" for metric in DECISIVE))

#: Figures by the names that other benchmarks use, by the name of the metric: the columns of a separate table.
_OTHER_NAMES = {
    "hits@5": "hits@5", "mismatch@5": "DRM@5",
    **{f"char {kind}@{k}": f"char {kind}@{k}" for kind in ("precision", "recall") for k in CHARACTERS_AT},
}  # fmt: skip
_FURTHER_HEAD = ("system", "search", *_OTHER_NAMES.values())

#: Figures of the tables for a terminal.
_NARROW = ("hits@5", "recall@5", "mismatch@5", "mrr@10")
NARROW_HEAD = ("system", "search", *_NARROW)

#: The system compared with each baseline: the first of these that was measured. The pipeline makes it by default.
_OURS = ("structural + header + prefix", "structural + header")
#: The figures that are compared with each baseline.
_COMPARED = ("hits@5", "recall@5", "mismatch@5")


def rows(scores: Sequence[Score]) -> list[tuple[str, ...]]:
    """Return the cells of `HEAD` for each score."""
    return [
        (
            score.system,
            score.mode,
            f"{score.chunks:,}",
            f"{score.tokens_median:.0f}",
            *(_cell(score.figures[metric], metric in DECISIVE) for metric in SHOWN),
            *(_difference(score.lead[metric]) if score.lead else "" for metric in DECISIVE),
        )
        for score in scores
    ]


def narrow_rows(scores: Sequence[Score], metrics: Iterable[str] = _NARROW) -> list[tuple[str, ...]]:
    """Return the system, the search mode and the `metrics` without intervals of each score: by default the cells of `NARROW_HEAD`."""
    return [
        (score.system, score.mode, *(_cell(score.figures[metric], with_interval=False) for metric in metrics))
        for score in scores
    ]


def title(evaluation: Evaluation, group: str) -> str:
    number = next((score.queries for score in evaluation.scores if score.group == group), 0)
    return f"{evaluation.dataset}, {_group_name(group)}, {number} queries"


def groups(evaluation: Evaluation) -> tuple[str, ...]:
    return tuple(dict.fromkeys(score.group for score in evaluation.scores))


def of_group(evaluation: Evaluation, group: str) -> list[Score]:
    """Return dense search first, then with BM25, then passages, each in the order of the systems."""
    return sorted((score for score in evaluation.scores if score.group == group), key=lambda score: score.mode)


def markdown(evaluation: Evaluation) -> str:
    """Return a table per group of queries, and a table of the gain of each layer; figures of `DECISIVE` with 95 % bootstrap intervals."""
    parts = []
    for group in groups(evaluation):
        scores = of_group(evaluation, group)
        parts.append(f"**{title(evaluation, group)}**\n\n{_table(HEAD, rows(scores))}")
        parts.append(_table(_FURTHER_HEAD, narrow_rows(scores, _OTHER_NAMES)))
    gains = [
        (_group_name(score.group), score.mode, score.system, *(_difference(score.gain[m]) for m in DECISIVE))
        for group in groups(evaluation)
        for score in of_group(evaluation, group)
        if score.gain is not None
    ]  # fmt: skip
    if gains:
        head = ("queries", "search", "layer", *(f"{metric} against the system without it" for metric in DECISIVE))
        parts.append(f"**What each layer adds**\n\n{_table(head, gains)}")
    compared = [_versus(comparison) for comparison in _comparisons(evaluation)]
    if compared:
        head = ("queries", "search", "baseline", *_COMPARED, "mismatch@5 as a share of its own")
        parts.append(f"**{_ours(evaluation)} against each baseline**\n\n{_table(head, compared)}")
    said = [
        f"{evaluation.documents} documents, {evaluation.characters:,} characters, model `{evaluation.model}`, seed {evaluation.seed}",
        *evaluation.notes,
    ]
    return "\n\n".join([*parts, ". ".join(sentence[0].upper() + sentence[1:] for sentence in said) + "."])


def to_json(evaluation: Evaluation) -> dict[str, Any]:
    """Return all figures except those of single queries."""
    return {
        "dataset": evaluation.dataset,
        "model": evaluation.model,
        "seed": evaluation.seed,
        "documents": evaluation.documents,
        "characters": evaluation.characters,
        "notes": list(evaluation.notes),
        "best_baseline": [
            {"search": mode, "group": group, "metric": metric, "system": name}
            for (mode, group, metric), name in evaluation.best_baseline.items()
        ],
        "scores": [dataclasses.asdict(score) for score in evaluation.scores],
        "against_each_baseline": [dataclasses.asdict(comparison) for comparison in _comparisons(evaluation)],
    }


def plot_png(evaluation: Evaluation) -> bytes:
    """Draw `_PLOTTED` of all systems with intervals, a panel per group: open marks for dense, filled with BM25, square for passages."""
    from matplotlib.figure import Figure

    shown = groups(evaluation)
    names = list(dict.fromkeys(score.system for score in evaluation.scores))
    figure = Figure(figsize=(3.2 + 3.0 * len(shown), 1.0 + 0.32 * len(names)), dpi=100, layout="constrained")
    panels = figure.subplots(1, len(shown), sharey=True, squeeze=False)[0]
    for group, axes in zip(shown, panels, strict=True):
        for score in of_group(evaluation, group):
            place = len(names) - names.index(score.system) + _OFFSETS[score.mode]
            found = score.figures[_PLOTTED]
            colour = _COLOURS[score.family]
            axes.plot([found.low, found.high], [place, place], color=colour, linewidth=1)
            face = "white" if score.mode == "dense" else colour
            marker = "s" if score.mode == "passages" else "o"
            axes.plot([found.mean], [place], marker=marker, markersize=4, color=colour, markerfacecolor=face)
        axes.set_title(title(evaluation, group), fontsize=9)
        axes.set_xlabel(_PLOTTED)
        axes.grid(axis="x", linewidth=0.3)
    panels[0].set_yticks(range(len(names), 0, -1), names, fontsize=8)
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", metadata={"Software": None})
    return buffer.getvalue()


def plot_markdown(evaluation: Evaluation) -> str:
    """Return the picture embedded in markdown, for the metadata of an asset."""
    picture = base64.b64encode(plot_png(evaluation)).decode("ascii")
    return f"![{_PLOTTED}](data:image/png;base64,{picture})"


def _cell(found: Interval, with_interval: bool) -> str:
    return f"{found.mean:.3f} [{found.low:.3f}, {found.high:.3f}]" if with_interval else f"{found.mean:.3f}"


def _difference(found: Interval) -> str:
    return f"{found.mean:+.3f} [{found.low:+.3f}, {found.high:+.3f}]"


def _table(head: Sequence[str], cells: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *cells]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _ours(evaluation: Evaluation) -> str | None:
    measured = {score.system for score in evaluation.scores}
    return next((name for name in _OURS if name in measured), None)


def _comparisons(evaluation: Evaluation) -> list[Comparison]:
    """Compare the pipeline's default system with each baseline, in the default search mode if it was measured."""
    ours = _ours(evaluation)
    modes: tuple[Mode, ...] = ("passages", "dense + BM25")
    mode = next((mode for mode in modes if (ours, mode) in evaluation.values), None)
    return against_each_baseline(evaluation, ours, mode) if ours and mode else []


def _versus(found: Comparison) -> tuple[str, ...]:
    ratio = found.mismatch_ratio
    return (
        _group_name(found.group),
        found.mode,
        found.baseline,
        *(_difference(found.differences[metric]) for metric in _COMPARED),
        _cell(ratio, with_interval=True) if ratio else "",
    )


def _group_name(group: str) -> str:
    """The name of a language, `All` for the queries in any; "English over Swedish" where texts are in another language than queries."""
    return "All" if group == "all" else OVER.join(language(code).name for code in group.split(OVER))

"""Weights of ranks by vector against ranks by words, fitted on a dataset: by model, kind of query and language.

Every weight of a grid is tried in the unchanged search, and the best is kept. The value of a fit is measured on queries about documents
that it has not seen: weights are chosen again without each fifth of the documents and judged on it. Not here: the search, and reading
weights (`retrieval.vector_weights`).
"""

from __future__ import annotations

import contextlib
import json
import tempfile
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from legal_pipeline.embedding.model_table import Embedders
from legal_pipeline.enrichment.enricher import Enricher
from legal_pipeline.errors import ConfigurationError
from legal_pipeline.evaluation.cutting import Cuts
from legal_pipeline.evaluation.dataset import Dataset, Query, shuffled
from legal_pipeline.evaluation.metrics import METRICS
from legal_pipeline.evaluation.question_queries import OVER
from legal_pipeline.evaluation.run import Report, Searched, measured
from legal_pipeline.evaluation.systems import System
from legal_pipeline.retrieval.query_kind import is_question
from legal_pipeline.retrieval.vector_weights import Kind, VectorWeights, read_weights, vector_weights

#: Weights that are tried. Of equally good weights the nearest to 1 is kept.
GRID = (0.1, 0.2, 0.33, 0.5, 1.0, 2.0, 3.0, 5.0, 10.0)

#: The metric that is maximised.
METRIC = "mrr@10"

#: Number of parts of the documents; each part is judged by weights chosen on the others.
FOLDS = 5

#: With fewer queries the choice of a weight would be random.
LEAST_QUERIES = 20


@dataclass(frozen=True, slots=True)
class FittedWeight:
    """Means of `METRIC` over `queries`: `present` with the present weights, `unseen` with
    weights chosen on other documents."""

    model: str
    kind: Kind
    language: str
    weight: float
    queries: int
    present: float
    unseen: float


def fit_weights(
    dataset: Dataset, system: System, embedders: Embedders, enricher: Enricher, *, seed: int, report: Report
) -> list[FittedWeight]:
    """Return a weight for each kind and language with at least `LEAST_QUERIES` queries about texts in their own language.

    Raises `ConfigurationError` if there is none.
    """
    groups: dict[tuple[Kind, str], list[int]] = defaultdict(list)
    for at, query in enumerate(dataset.queries):
        if OVER not in query.group:
            groups["questions" if is_question(query.text) else "words", query.group].append(at)
    groups = {key: rows for key, rows in sorted(groups.items()) if len(rows) >= LEAST_QUERIES}
    if not groups:
        raise ConfigurationError(
            f"weights are fitted on at least {LEAST_QUERIES} queries of one kind and language, the dataset {dataset.name} has fewer"
        )
    values = _values(dataset, system, embedders, enricher, report)
    return [
        _fitted(dataset.queries, rows, values, seed, (embedders.of(language).name.partition("@")[0], kind, language))
        for (kind, language), rows in groups.items()
    ]


def write_weights(path: Path, fitted: Sequence[FittedWeight]) -> None:
    """Write the weights into a file of `retrieval.vector_weights`; its other contents are kept. Raises `ConfigurationError` for a file
    of another form."""
    stored = read_weights(path) if path.exists() else {}
    for choice in fitted:
        stored.setdefault(choice.model, {}).setdefault(choice.kind, {})[choice.language] = choice.weight
    path.write_text(json.dumps(stored, indent=1, sort_keys=True) + "\n", "utf-8")


def _values(
    dataset: Dataset, system: System, embedders: Embedders, enricher: Enricher, report: Report
) -> Mapping[float | None, NDArray[np.float64]]:
    """Return weight -> `METRIC` of each query; the key None is for the present weights."""
    report(f"{system.name}: cutting")
    index = system.index(Cuts(dataset.documents, embedders, enricher))
    languages = {document.language for document in dataset.documents}
    column = METRICS.index(METRIC)
    values = {}
    with tempfile.TemporaryDirectory(prefix="legal-pipeline-fitting-") as folder:
        searched = Searched(dataset, index, embedders, Path(folder), dense=False)
        with contextlib.closing(searched):
            for weight in (None, *GRID):
                alike = dict.fromkeys(languages, weight or 0.0)
                searched.weights = vector_weights(embedders.name) if weight is None else VectorWeights(alike, alike)
                rankings = [searched.ranking(query, "dense + BM25") for query in dataset.queries]
                values[weight] = measured(dataset, rankings)[:, column]
                report(f"weight {'as it is' if weight is None else weight}: {METRIC} {values[weight].mean():.3f}")
    return values


def _fitted(
    queries: Sequence[Query],
    rows: Sequence[int],
    values: Mapping[float | None, NDArray[np.float64]],
    seed: int,
    name: tuple[str, Kind, str],
) -> FittedWeight:
    keys = sorted({queries[at].key for at in rows})
    fold_of = {keys[at]: place % FOLDS for place, at in enumerate(shuffled(range(len(keys)), seed))}
    unseen = []
    for fold in range(FOLDS):
        others = [at for at in rows if fold_of[queries[at].key] != fold]
        chosen = best_weight({weight: found[others] for weight, found in values.items() if weight is not None})
        unseen += [values[chosen][at] for at in rows if fold_of[queries[at].key] == fold]
    weight = best_weight({weight: found[list(rows)] for weight, found in values.items() if weight is not None})
    return FittedWeight(*name, weight, len(rows), float(values[None][list(rows)].mean()), float(np.mean(unseen)))


def best_weight(values: Mapping[float, NDArray[np.float64]]) -> float:
    """Return the weight with the greatest mean; 1 if there are no values."""
    means = {weight: round(float(found.mean()), 6) if found.size else 0.0 for weight, found in values.items()}
    return max(means, key=lambda weight: (means[weight], -abs(np.log(weight))))

"""One complete evaluation, for a command or an asset.

Not here: its parts (`datasets`, `systems`, `run`) and its display.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from legal_pipeline.building.source import Limits
from legal_pipeline.chunking.registry import STRATEGIES
from legal_pipeline.embedding.model_table import Embedders, ModelTable
from legal_pipeline.embedding.options import BackendOptions
from legal_pipeline.embedding.registry import DEFAULT_MODEL, open_embedder
from legal_pipeline.enrichment.extractive import ExtractiveEnricher
from legal_pipeline.errors import ConfigurationError
from legal_pipeline.evaluation.dataset import Dataset
from legal_pipeline.evaluation.datasets import Choice, read_dataset
from legal_pipeline.evaluation.names import DatasetName, Half
from legal_pipeline.evaluation.run import Evaluation, Live, evaluate
from legal_pipeline.evaluation.systems import System, baselines, layers, strategies
from legal_pipeline.evaluation.vector_cache import CachedEmbedder
from legal_pipeline.evaluation.weight_fitting import FittedWeight, fit_weights, write_weights


@dataclass(frozen=True)
class Measurement:
    """The settings of an evaluation; `systems` are the names of the systems to measure (empty: all).

    Layers are written by the extractive enricher: an evaluation costs nothing and gives the same figures again. `judged_files`: a folder
    for judgments and rankings in the forms of BEIR and TREC.
    """

    dataset: DatasetName
    paths: tuple[Path, ...]
    choice: Choice = field(default_factory=Choice)
    half: Half | None = None
    strategies: tuple[str, ...] = ()
    systems: tuple[str, ...] = ()
    model: str | None = None
    options: BackendOptions = field(default_factory=BackendOptions)
    cache: Path | None = None
    limits: Limits | None = None
    judged_files: Path | None = None

    def run(self, report: Callable[[str], None] = lambda _: None) -> Evaluation:
        """Run the evaluation. Raises `ConfigurationError` for an unknown strategy before anything is read."""
        if unknown := set(self.strategies) - set(STRATEGIES):
            raise ConfigurationError(
                f"no such strategy: {', '.join(sorted(unknown))} (known: {', '.join(sorted(STRATEGIES))})"
            )
        return self.of(self._read(), report)

    def fit(self, path: Path, report: Callable[[str], None] = lambda _: None) -> list[FittedWeight]:
        """Fit weights of ranks by vector for our chunks with headers, and write them to the file at `path`; see `weight_fitting`."""
        dataset = self._read()
        with contextlib.ExitStack() as stack:
            embedders = self._embedders(stack, report)
            fitted = fit_weights(
                dataset, layers()[1], embedders, ExtractiveEnricher(), seed=self.choice.seed, report=report
            )
        write_weights(path, fitted)
        return fitted

    def _read(self) -> Dataset:
        dataset = read_dataset(self.dataset, self.paths, self.choice, self.limits)
        return dataset if self.half is None else dataset.half(self.half, self.choice.seed)

    def _embedders(self, stack: contextlib.ExitStack, report: Callable[[str], None]) -> Embedders:
        def cached(model: str) -> CachedEmbedder:
            opened = open_embedder(model, self.options)
            embedder = CachedEmbedder(opened, self.cache, lambda left: report(f"  {left:,} texts to embed"))
            stack.callback(embedder.close)
            return embedder

        return ModelTable.parse(self.model or DEFAULT_MODEL).open(cached)

    def of(
        self, dataset: Dataset, report: Callable[[str], None] = lambda _: None, live: Sequence[Live] = ()
    ) -> Evaluation:
        """Return the figures of a dataset that is already read."""
        rivals, missing = baselines()
        if missing:
            names = ", ".join(missing)
            note = f"not measured: {names}; they need the extra `benchmarks` of this package"
            report(note)
            dataset = dataset.with_note(note)
        systems: tuple[System, ...] = (*layers(), *strategies(self.strategies), *rivals)
        if unknown := set(self.systems) - {system.name for system in systems}:
            known = ", ".join(system.name for system in systems)
            raise ConfigurationError(f"no such system: {', '.join(sorted(unknown))} (known: {known})")
        systems = tuple(system for system in systems if not self.systems or system.name in self.systems)
        with contextlib.ExitStack() as stack:
            return evaluate(
                dataset,
                systems,
                embedders=self._embedders(stack, report),
                enricher=ExtractiveEnricher(),
                seed=self.choice.seed,
                live=live,
                judged_files=self.judged_files,
                report=report,
            )

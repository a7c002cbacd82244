"""What the definitions are given: how to open the pipeline, and who watches it.

Not here: the pipeline's own resources (`processing.stage.Resources`); tests and the command line exchange this one object.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from legal_pipeline.pipeline import Pipeline
from legal_pipeline.processing.stage import StageEvent
from legal_pipeline.settings import Settings, load_settings


class PipelineResource:
    """Opens a pipeline per run, sensor tick or check, on `settings` (those of the process when None)."""

    def __init__(self, settings: Settings | None = None) -> None:
        self._settings = settings

    @property
    def settings(self) -> Settings:
        # not kept: a code server lives long, and `.env` is read by whoever starts a run
        return self._settings if self._settings is not None else load_settings()

    @contextlib.contextmanager
    def open(self) -> Iterator[Pipeline]:
        with Pipeline.open(self.settings) as pipeline:
            yield pipeline

    def observe(self, event: StageEvent) -> None:
        """Called with each event of a run, after Dagster has it."""

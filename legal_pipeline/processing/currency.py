"""The interface of stages that can check whether an existing table is up to date.

Not here: the actions for an outdated table (`reconcile`).
"""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from legal_pipeline.processing.stage import Batch, Stage


@runtime_checkable
class SupportsCurrency(Stage, Protocol):
    """A stage whose table carries a hash of all its inputs."""

    def is_current(self, batch: Batch, document_id: str) -> bool:
        """Return whether a run would leave the table unchanged: its inputs, settings, model and the stage's version are the same.

        Computes nothing. Raises `DocumentError` if an input is missing. A table with unanswered requests may be current.
        """
        ...

    def made_with(self, batch: Batch, format: str) -> str:
        """Return a hash of everything that `is_current` compares besides the document's own inputs: versions, settings and models.

        `format` is the format that the document was parsed from.
        """
        ...

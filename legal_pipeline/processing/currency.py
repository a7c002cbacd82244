"""Which stages can say whether what they made is what they would make now.

Not here: what follows when it is not (`reconcile`).
"""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from legal_pipeline.processing.stage import Batch, Stage


@runtime_checkable
class SupportsCurrency(Stage, Protocol):
    """A stage whose table carries the hash of all that it was made from."""

    def is_current(self, batch: Batch, document_id: str) -> bool:
        """Whether a run would leave the table as it is: its inputs, settings, model and the stage's own version are the same. Computes
        nothing. Raises `DocumentError` where an input is missing; a table with unanswered requests may be current."""
        ...

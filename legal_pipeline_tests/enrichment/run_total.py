"""The usage of a run, as the journal has it."""

from __future__ import annotations

from legal_pipeline.enrichment.enricher import Usage
from legal_pipeline.enrichment.journal import Journal


def run_total(journal: Journal) -> Usage:
    """Return the usage of the run of `journal`: zero if it has no answer."""
    return next((usage for run_id, _, usage in journal.latest_runs(1000) if run_id == journal.run_id), Usage())

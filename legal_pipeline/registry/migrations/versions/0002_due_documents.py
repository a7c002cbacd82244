"""Documents that wait for a run, and compared pages of a folder: the cost of a poll depends on the changes, not on the folder's size."""

from __future__ import annotations

from legal_pipeline.registry.migrations import run_sql_beside

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    run_sql_beside(__file__)

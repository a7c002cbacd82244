"""Columns for what an item and its document state about themselves (title, number), a table of texts with a future date, and a column for
the time when a removed document left the stores."""

from __future__ import annotations

from legal_pipeline.registry.migrations import run_sql_beside

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    run_sql_beside(__file__)

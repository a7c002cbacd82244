"""How many files the user's patterns left out of a folder."""

from __future__ import annotations

from legal_pipeline.registry.migrations import run_sql_beside

revision = "0016"
down_revision = "0015"


def upgrade() -> None:
    run_sql_beside(__file__)

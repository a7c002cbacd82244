"""Figures of the chunks of each document."""

from __future__ import annotations

from legal_pipeline.registry.migrations import run_sql_beside

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    run_sql_beside(__file__)

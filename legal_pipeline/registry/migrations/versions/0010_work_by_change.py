"""Verified documents, and indexes for what a poll asks: its cost does not grow with the corpus."""

from __future__ import annotations

from legal_pipeline.registry.migrations import run_sql_beside

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    run_sql_beside(__file__)

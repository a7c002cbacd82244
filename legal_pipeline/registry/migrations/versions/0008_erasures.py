"""Erased documents, and the items that must not bring them back."""

from __future__ import annotations

from legal_pipeline.registry.migrations import run_sql_beside

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    run_sql_beside(__file__)

"""Sketches of the chunks of each exported document, and the chunks that repeat others."""

from __future__ import annotations

from legal_pipeline.registry.migrations import run_sql_beside

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    run_sql_beside(__file__)

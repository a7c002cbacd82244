"""What the points of each document were made of."""

from __future__ import annotations

from legal_pipeline.registry.migrations import run_sql_beside

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    run_sql_beside(__file__)

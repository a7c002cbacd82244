"""The state of the leaves of each practice area."""

from __future__ import annotations

from legal_pipeline.registry.migrations import run_sql_beside

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    run_sql_beside(__file__)

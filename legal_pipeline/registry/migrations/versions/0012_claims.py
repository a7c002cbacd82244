"""The run that processes a due document."""

from __future__ import annotations

from legal_pipeline.registry.migrations import run_sql_beside

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    run_sql_beside(__file__)

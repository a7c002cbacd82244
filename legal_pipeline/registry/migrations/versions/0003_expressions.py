"""The works that items state they are, texts with a future date, and when removed documents left the stores."""

from __future__ import annotations

from legal_pipeline.registry.migrations import run_sql_beside

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    run_sql_beside(__file__)

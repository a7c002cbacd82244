"""Keys of the service, and an index of restricted documents."""

from __future__ import annotations

from legal_pipeline.registry.migrations import run_sql_beside

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    run_sql_beside(__file__)

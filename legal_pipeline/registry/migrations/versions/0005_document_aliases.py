"""Former ids of documents and chunks."""

from __future__ import annotations

from legal_pipeline.registry.migrations import run_sql_beside

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    run_sql_beside(__file__)

"""The total costs of the language model, updated with the journal; documents that wait for a Message Batch."""

from __future__ import annotations

from legal_pipeline.registry.migrations import run_sql_beside

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    run_sql_beside(__file__)

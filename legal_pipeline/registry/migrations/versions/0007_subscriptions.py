"""Webhooks: subscriptions and the messages to send to them."""

from __future__ import annotations

from legal_pipeline.registry.migrations import run_sql_beside

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    run_sql_beside(__file__)

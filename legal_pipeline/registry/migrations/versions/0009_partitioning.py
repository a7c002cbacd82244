"""Partitions of many documents: the source and the hash of each document, its data versions, and how the home is partitioned."""

from __future__ import annotations

from legal_pipeline.registry.migrations import run_sql_beside

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    run_sql_beside(__file__)

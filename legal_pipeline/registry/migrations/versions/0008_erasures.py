"""Erased documents, and the items that must not bring them back."""

from __future__ import annotations

from pathlib import Path

from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    statements = Path(__file__).with_suffix(".sql").read_text("utf-8")
    op.get_bind().exec_driver_sql(statements, execution_options={"no_parameters": True})

"""The state of the leaves of each practice area."""

from __future__ import annotations

from pathlib import Path

from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    statements = Path(__file__).with_suffix(".sql").read_text("utf-8")
    op.get_bind().exec_driver_sql(statements, execution_options={"no_parameters": True})

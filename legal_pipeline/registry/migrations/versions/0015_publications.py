"""What the points of each document were made of."""

from __future__ import annotations

from pathlib import Path

from alembic import op

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    statements = Path(__file__).with_suffix(".sql").read_text("utf-8")
    op.get_bind().exec_driver_sql(statements, execution_options={"no_parameters": True})

"""The registry, the manifests, the amendments, the journal of the language model and the places of judgments in their practice areas.

A database of an earlier release has these tables already: it is adopted unchanged, and only missing tables and columns are added.
"""

from __future__ import annotations

from pathlib import Path

from alembic import op

revision = "0001"
down_revision = None

#: Columns of the last release without migrations: (table, column). If all exist, there is nothing to do, and no table is locked.
_LATEST = frozenset(
    {
        ("source_documents", "made"),
        ("source_documents", "text_changed_at"),
        ("source_items", "given"),
        ("amendments", "in_force_date"),
        ("published_manifest", "version"),
        ("live_collections", "collection"),
        ("llm_requests", "answered_at"),
        ("practice_area_leaves", "looked_at"),
        ("source_looks", "looked_at"),
    }
)


def upgrade() -> None:
    connection = op.get_bind()
    held = connection.exec_driver_sql(
        "select table_name, column_name from information_schema.columns where table_schema = current_schema()"
    )
    if not {tuple(row) for row in held} >= _LATEST:
        statements = Path(__file__).with_suffix(".sql").read_text("utf-8")
        connection.exec_driver_sql(statements, execution_options={"no_parameters": True})

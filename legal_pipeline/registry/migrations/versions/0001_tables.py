"""The registry, the manifests, the amendments, the journal of the language model and the places of judgments in their practice areas.

A database of an earlier release has these tables already: it is adopted unchanged, and only missing tables and columns are added.
"""

from __future__ import annotations

from alembic import op

from legal_pipeline.registry.migrations import run_sql_beside

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
    held = op.get_bind().exec_driver_sql(
        "select table_name, column_name from information_schema.columns where table_schema = current_schema()"
    )
    if not {tuple(row) for row in held} >= _LATEST:
        run_sql_beside(__file__)

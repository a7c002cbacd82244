"""Alembic's entry point: Alembic runs this file for every migration, on the connection that `migrate` holds.

Not here: connecting and locking (`registry.migrations`).
"""

from __future__ import annotations

from alembic import context

from legal_pipeline.registry.migrations import VERSION_TABLE

# the caller's transaction: the advisory lock is held until its end, and a failed migration leaves nothing
context.configure(
    connection=context.config.attributes["connection"], version_table=VERSION_TABLE, transactional_ddl=True
)
context.run_migrations()

"""Copies the registry's tables as text, and restores them: PostgreSQL's part of a backup.

Not here: the archive (`registry.backup`), Dagster's own tables, and collections of pgvector, which are built from the warehouse.
"""

from __future__ import annotations

from typing import Any

from legal_pipeline.errors import ConfigurationError
from legal_pipeline.registry.database import Database

#: In an order for restoring: referenced tables come first. The database itself computes `llm_spending`.
TABLES = (
    "source_documents",
    "source_items",
    "amendments",
    "published_manifest",
    "live_collections",
    "llm_requests",
    "practice_area_leaves",
    "source_looks",
    "due_documents",
    "source_pages",
    "coming_expressions",
    "document_aliases",
    "chunk_aliases",
    "api_keys",
    "subscriptions",
    "subscription_messages",
    "erasures",
    "erased_items",
    "document_versions",
    "partitioning",
    "verified_documents",
    "chunk_figures",
)
_SEQUENCES = ("published_versions", "llm_workers", "due_asks", "subscription_messages_message_id_seq")

_COLUMNS = """select column_name from information_schema.columns where table_schema = current_schema() and table_name = %s
    and is_generated = 'NEVER' order by ordinal_position"""


def copy_tables(database: Database) -> dict[str, bytes]:
    """Return table -> its rows in PostgreSQL's text format after a line of column names, all of one moment. `sequences`: their values."""
    from psycopg import IsolationLevel

    with database.connection() as connection:
        connection.set_isolation_level(IsolationLevel.REPEATABLE_READ)
        try:
            found = {table: _copied(connection, table) for table in TABLES}
            values = [
                connection.execute(f"select last_value, is_called from {name}".encode()).fetchone()  # noqa: S608
                for name in _SEQUENCES
            ]
            connection.commit()
        finally:
            connection.rollback()
            connection.set_isolation_level(None)
    lines = [
        f"{name} {row['last_value']} {row['is_called']}" for name, row in zip(_SEQUENCES, values, strict=True) if row
    ]
    return {**found, "sequences": "\n".join(lines).encode()}


def _copied(connection: Any, table: str) -> bytes:
    names = [row["column_name"] for row in connection.execute(_COLUMNS, (table,)).fetchall()]
    listed = ", ".join(f'"{name}"' for name in names)
    with connection.cursor().copy(f"copy {table} ({listed}) to stdout".encode()) as rows:
        return b"\t".join(name.encode() for name in names) + b"\n" + b"".join(bytes(row) for row in rows)


def put_back_tables(database: Database, copies: dict[str, bytes]) -> None:
    """Restore the tables in one transaction.

    Raises `ConfigurationError` if the registry is not empty, and for an unknown table or column.
    """
    import psycopg

    with database.connection() as connection:
        if connection.execute("select 1 from source_documents limit 1").fetchone() is not None:
            raise ConfigurationError(
                f"the registry at {database.place} has documents already: a backup is restored to an empty one"
            )
        try:
            for table in TABLES:
                head, _, rows = copies.get(table, b"").partition(b"\n")
                columns = ", ".join(f'"{name}"' for name in head.decode().split("\t"))
                with connection.cursor().copy(f"copy {table} ({columns}) from stdin".encode()) as target:
                    target.write(rows)
            for line in copies.get("sequences", b"").decode().splitlines():
                name, value, is_called = line.split(" ")
                if name in _SEQUENCES:
                    connection.execute("select setval(%s, %s, %s)", (name, int(value), is_called == "True"))
        except (psycopg.DataError, psycopg.ProgrammingError, psycopg.IntegrityError, ValueError) as error:
            raise ConfigurationError(f"the tables of the backup cannot be put back: {str(error)[:300]}") from error

"""Copies the registry's tables as text, and restores them: PostgreSQL's part of a backup.

Not here: the archive (`registry.backup`), Dagster's own tables, and collections of pgvector, which are built from the warehouse.
"""

from __future__ import annotations

import io
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, Any, BinaryIO

from legal_pipeline.errors import ConfigurationError
from legal_pipeline.registry.database import Database

#: In an order for restoring: referenced tables come first. The database itself computes `llm_spending` and
#: `practice_area_states`, the next export `chunk_sketches` and `chunk_repeats`, the next run of each document `publications`.
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

#: Bytes that are read at once.
_BLOCK = 1 << 20

_COLUMNS = """select column_name from information_schema.columns where table_schema = current_schema() and table_name = %s
    and is_generated = 'NEVER' order by ordinal_position"""


def copied_tables(database: Database, folder: Path) -> Iterator[tuple[str, int, BinaryIO]]:
    """Yield (table, bytes, file) of each table, all of one moment: rows in PostgreSQL's text format after a line of column names.

    Each file is read before the next one is asked for; it is kept in `folder` until then, not in memory. `sequences` is last.
    """
    from psycopg import IsolationLevel

    with database.connection() as connection:
        connection.set_isolation_level(IsolationLevel.REPEATABLE_READ)
        try:
            for table in TABLES:
                with tempfile.TemporaryFile(dir=folder) as file:
                    _copy(connection, table, file)
                    size = file.tell()
                    file.seek(0)
                    yield table, size, file
            values = [
                connection.execute(f"select last_value, is_called from {name}".encode()).fetchone()  # noqa: S608
                for name in _SEQUENCES
            ]
            connection.commit()
        finally:
            connection.rollback()
            connection.set_isolation_level(None)
    lines = "\n".join(
        f"{name} {row['last_value']} {row['is_called']}" for name, row in zip(_SEQUENCES, values, strict=True) if row
    ).encode()
    yield "sequences", len(lines), io.BytesIO(lines)


def _copy(connection: Any, table: str, file: IO[bytes]) -> None:
    names = [row["column_name"] for row in connection.execute(_COLUMNS, (table,)).fetchall()]
    listed = ", ".join(f'"{name}"' for name in names)
    file.write(b"\t".join(name.encode() for name in names) + b"\n")
    with connection.cursor().copy(f"copy {table} ({listed}) to stdout".encode()) as rows:
        for row in rows:
            file.write(row)


def verify_empty(connection: Any, place: str) -> None:
    """Raise `ConfigurationError` if the registry at `place` has documents."""
    if connection.execute("select 1 from source_documents limit 1").fetchone() is not None:
        raise ConfigurationError(f"the registry at {place} has documents already: a backup is restored to an empty one")


def put_back_tables(database: Database, copies: Iterable[tuple[str, IO[bytes]]]) -> None:
    """Restore the tables, given in the order of `TABLES`, in one transaction.

    Raises `ConfigurationError` if the registry is not empty, and for an unknown table or column.
    """
    import psycopg
    from psycopg import sql

    with database.connection() as connection:
        verify_empty(connection, database.place)
        missing = {*TABLES, "sequences"}
        try:
            for table, file in copies:
                missing.discard(table)
                if table == "sequences":
                    _set_sequences(connection, file.read().decode())
                elif table in TABLES:
                    names = file.readline().decode().rstrip("\n").split("\t")
                    columns = sql.SQL(", ").join(map(sql.Identifier, names))
                    statement = sql.SQL("copy {} ({}) from stdin").format(sql.Identifier(table), columns)
                    with connection.cursor().copy(statement) as target:
                        while data := file.read(_BLOCK):
                            target.write(data)
                else:
                    raise ValueError(f"this package has no table {table[:100]!r}")
            if missing:
                raise ValueError(f"the archive has no file of the table {min(missing)}")
        except (psycopg.DataError, psycopg.ProgrammingError, psycopg.IntegrityError, ValueError) as error:
            raise ConfigurationError(
                f"the tables of the backup cannot be restored, and nothing was: {str(error)[:300]} (expected: a whole backup "
                "of this release or an earlier one)"
            ) from error


def _set_sequences(connection: Any, lines: str) -> None:
    for line in lines.splitlines():
        name, value, is_called = line.split(" ")
        if name in _SEQUENCES:
            connection.execute("select setval(%s, %s, %s)", (name, int(value), is_called == "True"))

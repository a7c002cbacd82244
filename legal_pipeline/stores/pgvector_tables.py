"""The tables of collections in PostgreSQL: creating, finding, replacing and dropping them.

A table's comment has its collection, so a table that is renamed to its alias is still found under its own name. Not here: rows and
searches (`stores.pgvector`).
"""

from __future__ import annotations

import functools
import importlib.resources
import json
import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import psycopg
from psycopg import Connection, sql
from psycopg.sql import Identifier

from legal_pipeline.errors import ConfigurationError, MissingCollectionError
from legal_pipeline.registry.migrations import LOCK_TIMEOUT_SECONDS, MAX_LOCK_WAIT_SECONDS
from legal_pipeline.settings import VectorType
from legal_pipeline.stores.point_table_store import alias_of, is_generation_of
from legal_pipeline.stores.store import DENSE, Model

#: The start of the comment of tables that this package made and that have these columns.
MARKER = "legal-pipeline/2"
#: Maximum dimensions of an HNSW index.
MAX_DIMENSIONS = {"vector": 2000, "halfvec": 4000}

_NAME = re.compile(r"[a-z_][a-z0-9_]{0,39}")
#: Stored in the row: a row is at most one page of 8 kB, and each comparison with a vector stored elsewhere reads two more pages.
_MAX_INLINE_BYTES = 4200
_LEAST_VERSION = (0, 8)  # iterative scans
_INDEXES = (
    "source_type", "source_document", "criterion_tag", "legal_standard", "is_winning_argument", "source_type_criterion",
    "document_id", "chunk_id", "parent_section_id", "jurisdiction", "words",
    "citations",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Shape:
    vector_type: VectorType
    dimension: int

    @property
    def vector_bytes(self) -> int:
        return self.dimension * (4 if self.vector_type == "vector" else 2)


@dataclass(frozen=True, slots=True)
class CollectionTable:
    """`name` is the table's name, `collection` the collection's.

    `shape` is that of the column `embedding`, which has the first model's vectors.
    """

    name: str
    collection: str
    model: Model
    shape: Shape

    @property
    def columns(self) -> dict[str, Shape]:
        """Return column -> shape, of all columns with vectors."""
        dimensions = self.model.dimensions(self.shape.dimension)
        return {column_of(name): Shape(self.shape.vector_type, size) for name, size in dimensions.items()}


def column_of(vector: str) -> str:
    """Return the column with the vectors of this name."""
    return f"embedding{vector.removeprefix(DENSE)}"


def lock(connection: Connection[Any], collection: str, *, exclusive: bool = False) -> None:
    """Protect the tables of the collection's alias from changes until the transaction ends; `exclusive`: also keep other users out."""
    function = "pg_advisory_xact_lock" if exclusive else "pg_advisory_xact_lock_shared"
    connection.execute(
        f"select {function}(hashtextextended(%s, 0))".encode(), (f"legal-pipeline {alias_of(collection)}",)
    )


def find(connection: Connection[Any], name: str, place: str) -> CollectionTable | None:
    """Return the table of the collection, or else the table of that name.

    None if there is neither, ConfigurationError if it is not ours.
    """
    if not _NAME.fullmatch(name):
        raise ConfigurationError(f"{name!r} cannot be a collection: expected {_NAME.pattern}")
    found = {
        row["name"]: row
        for row in connection.execute(f"{_TABLES} c.relname = any(%s)", ([name, alias_of(name)],)).fetchall()
    }
    for row in found.values():
        if (table := _read(row)) is not None and table.collection == name:
            return table
    if name not in found:
        return None
    if (table := _read(found[name])) is None:
        raise ConfigurationError(
            f"the table {name} at {place} was not made by this version of this package; nothing was written. "
            "Rename it, or use another database or schema"
        )
    return table


def find_all(connection: Connection[Any], alias: str) -> list[CollectionTable]:
    """Return all tables of collections of the alias."""
    rows = connection.execute(f"{_TABLES} starts_with(c.relname, %s)", (alias,)).fetchall()
    tables = [table for row in rows if (table := _read(row)) is not None]
    return sorted(
        (table for table in tables if is_generation_of(table.collection, alias)), key=lambda table: table.collection
    )


def require(connection: Connection[Any], name: str, place: str) -> CollectionTable:
    table = find(connection, name, place)
    if table is None:
        raise MissingCollectionError(f"there is no collection {name} at {place}")
    return table


def create(connection: Connection[Any], table: CollectionTable) -> None:
    """Create the table without the indexes of its vectors."""
    comment = json.dumps({"collection": table.collection, **table.model.dump()}, ensure_ascii=False)
    connection.execute(
        statement("collection.sql").format(
            table=sql.Identifier(table.name),
            vectors=sql.SQL("\n    ").join(
                sql.SQL("{} {}({}),").format(
                    sql.Identifier(column), sql.SQL(shape.vector_type), sql.Literal(shape.dimension)
                )
                for column, shape in table.columns.items()
            ),
            **_index_names(table.name),
        )
    )
    for column, shape in table.columns.items():
        connection.execute(
            sql.SQL("alter table {} alter column {} set storage {}").format(
                sql.Identifier(table.name),
                sql.Identifier(column),
                sql.SQL("plain" if shape.vector_bytes <= _MAX_INLINE_BYTES else "external"),
            )
        )
    connection.execute(
        sql.SQL("comment on table {} is {}").format(sql.Identifier(table.name), sql.Literal(f"{MARKER} {comment}"))
    )
    build_citation_index(connection, table)


def build_citation_index(connection: Connection[Any], table: CollectionTable) -> None:
    """Create the citation index if it does not exist: tables of earlier versions have none."""
    connection.execute(
        statement("citation_index.sql").format(table=sql.Identifier(table.name), **_index_names(table.name))
    )


def build_index(connection: Connection[Any], table: CollectionTable) -> None:
    """Create the HNSW index of each column of vectors that has none."""
    for column, index in _hnsw_names(table, table.name).items():
        connection.execute(
            statement("hnsw_index.sql").format(
                table=sql.Identifier(table.name),
                column=sql.Identifier(column),
                operator_class=sql.Identifier(f"{table.shape.vector_type}_cosine_ops"),
                index=index,
            )
        )


def assign_alias(connection: Connection[Any], table: CollectionTable, alias: str) -> None:
    """Drop the table with the name of the alias, and give this name and those of its indexes to `table`."""
    connection.execute(sql.SQL("drop table if exists {}").format(sql.Identifier(alias)))
    connection.execute(sql.SQL("alter table {} rename to {}").format(sql.Identifier(table.name), sql.Identifier(alias)))
    wanted = {**_index_names(alias), **_hnsw_names(table, alias)}
    for index, present in {**_index_names(table.name), **_hnsw_names(table, table.name)}.items():
        connection.execute(sql.SQL("alter index if exists {} rename to {}").format(present, wanted[index]))


def change(connection: Connection[Any], work: Callable[[], object]) -> None:
    """Do `work`, which needs exclusive access to a table, as soon as no transaction reads it; readers are not blocked for long.

    A statement that waits for such a lock blocks every later reader, so it waits for two seconds at a time. Raises
    `psycopg.errors.LockNotAvailable` if a transaction reads the table for `MAX_LOCK_WAIT_SECONDS`.
    """
    give_up = time.monotonic() + MAX_LOCK_WAIT_SECONDS
    connection.execute(f"set local lock_timeout = {round(LOCK_TIMEOUT_SECONDS * 1000)}".encode())
    while True:
        try:
            with connection.transaction():  # a savepoint: the locks that `work` already has are released
                work()
            return
        except psycopg.errors.LockNotAvailable:
            if time.monotonic() > give_up:
                raise
            time.sleep(0.2)


def require_extension(connection: Connection[Any], place: str) -> None:
    query = "select extversion from pg_extension where extname = 'vector'"
    found = connection.execute(query).fetchone()
    if found is None:  # another user may have created it, and this user may lack the permission
        connection.execute("create extension if not exists vector")
        found = connection.execute(query).fetchone()
    version = str(found["extversion"]) if found else ""
    if tuple(int(part) for part in re.findall(r"\d+", version)[:2]) < _LEAST_VERSION:
        held = f"has pgvector {version}" if version else "does not have the extension pgvector"
        raise ConfigurationError(
            f"PostgreSQL at {place} {held}; expected 0.8 or later: install it, then run `alter extension vector update` in the database"
        )


_TABLES = """select c.relname as name, coalesce(obj_description(c.oid, 'pg_class'), '') as comment, a.atttypmod as dimension,
       t.typname as kind
   from pg_class c left join pg_attribute a on a.attrelid = c.oid and a.attname = 'embedding' and not a.attisdropped
       left join pg_type t on t.oid = a.atttypid
   where pg_table_is_visible(c.oid) and c.relkind in ('r', 'p', 'v', 'm', 'f') and"""


def _read(row: dict[str, Any]) -> CollectionTable | None:
    """Return the collection of the table; None for a table that is not ours, or of another version of this package."""
    marker, _, comment = row["comment"].partition(" ")
    if marker != MARKER or row["kind"] not in MAX_DIMENSIONS:
        return None
    said = json.loads(comment)
    return CollectionTable(row["name"], said["collection"], Model.load(said), Shape(row["kind"], row["dimension"]))


def _index_names(table: str) -> dict[str, Identifier]:
    """Return index names, which share one name space per schema: plain names for `legal_chunks`, with the table's name for others."""
    middle = "" if table == "legal_chunks" else f"{table}_"
    return {f"idx_{name}": sql.Identifier(f"idx_{middle}{name}"[:63]) for name in _INDEXES}


def _hnsw_names(table: CollectionTable, name: str) -> dict[str, Identifier]:
    """Return column -> its HNSW index, for a table named `name`: the plain name for the first, with a number for the others."""
    middle = "" if name == "legal_chunks" else f"{name}_"
    numbers = ("", *(f"_{number}" for number in range(2, len(table.columns) + 1)))
    return {
        column: sql.Identifier(f"idx_{middle}embedding_hnsw{number}"[:63])
        for column, number in zip(table.columns, numbers, strict=True)
    }


def statement(name: str) -> Any:
    return sql.SQL(statement_text(name))


@functools.cache
def statement_text(name: str) -> str:
    return importlib.resources.files(__package__).joinpath("sql", name).read_text("utf-8")

"""PostgreSQL with pgvector: a collection is a table (`sql/collection.sql`).

A document is replaced in one transaction, so a reader of the table sees its old version or its new version, never both and never a part:
readers need no manifest. The live collection of an alias is the table with the alias as its name, for queries of users; a collection
under construction has its own name until it replaces the live one. Words are found by PostgreSQL's full-text search and ranked by
`ts_rank`, which is *not* BM25: it uses the counts of the words in a row, not the rarity of a word in the collection. `ts_rank_cd`, made
for words close to one another, only counts hits if any word may match, and so prefers a row that repeats one word to a row that has
both.
Not here: the mapping of tables and collections (`stores.pgvector_tables`), rows (`stores.pgvector_rows`), conditions
(`stores.pgvector_filters`), the order of replacing (`stores.replacement`).
"""

from __future__ import annotations

import contextlib
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, LiteralString

import psycopg
import psycopg_pool
from pgvector import HalfVector
from pgvector import Vector as PgVector
from pgvector.psycopg import register_vector
from psycopg import Connection, sql
from psycopg.sql import Composed, Identifier

from legal_pipeline.errors import ConfigurationError, DatabaseUnavailableError, StoreError, StoreUnavailableError
from legal_pipeline.model.identity import sha256_hex
from legal_pipeline.registry.database import Database
from legal_pipeline.settings import IterativeScan, VectorType
from legal_pipeline.stores import bm25, pgvector_tables
from legal_pipeline.stores.pgvector_filters import where
from legal_pipeline.stores.pgvector_rows import COLUMNS, PENDING_COLUMNS, configuration, payload, row
from legal_pipeline.stores.pgvector_tables import (
    MAX_DIMENSIONS,
    CollectionTable,
    Shape,
    column_of,
    statement,
    statement_text,
)
from legal_pipeline.stores.point_table_store import PointTableStore, Result, foreign_alias_error, query_batch
from legal_pipeline.stores.store import (
    UNKNOWN_MODEL,
    Generation,
    Model,
    Point,
    Query,
    RankedLists,
    ScoredPoint,
    Searchable,
    Vector,
)

#: Minimum and maximum candidates of an index search: fewer reduce recall, more are refused by the server.
_EF_SEARCH = (100, 1000)

#: Maximum number of rows that match a query's rarest words. `ts_rank` reads the words of every matching row, 7 us each.
_MOST_RANKED = 5000


class PgvectorStore(PointTableStore["_Table"]):
    """A `VectorStore` in the tables of `database`; the caller closes the database.

    `vector_type`: `halfvec` stores 16 bits per dimension and allows up to 4,000 of them in the index. `iterative_scan`: how a filtered
    search continues if the nearest rows do not match the filter. `exact` compares with every row and uses no HNSW index. `deferred_index`
    leaves the HNSW index of a new collection to `optimise`: loading is then many times as fast, and searches are exact and slow until then.

    `replace_documents` calls `publish` before its transaction ends: if `publish` raises, the table is unchanged.
    """

    def __init__(
        self,
        database: Database,
        *,
        vector_type: VectorType = "vector",
        iterative_scan: IterativeScan = "strict_order",
        exact: bool = False,
        deferred_index: bool = False,
    ) -> None:
        self._database = database
        self._vector_type = vector_type
        self._iterative_scan = iterative_scan
        self._exact = exact
        self._deferred_index = deferred_index
        self.layout = {"vector_type": vector_type}

    def ensure_collection(self, name: str, dimension: int, model: Model = UNKNOWN_MODEL) -> None:
        most = max(model.dimensions(dimension).values())
        if not 1 <= most <= MAX_DIMENSIONS[self._vector_type]:
            raise ConfigurationError(
                f"{self._vector_type} indexes hold 1 to {MAX_DIMENSIONS[self._vector_type]} dimensions, the embedding model gives "
                f"{most}" + ("; `halfvec` holds 4000" if self._vector_type == "vector" else "")
            )
        wanted = CollectionTable(name, name, model, Shape(self._vector_type, dimension))
        with self._connected(f"preparing the table {name}") as connection:
            found = pgvector_tables.find(connection, name, self._database.place)
            if found is None:
                # two processes must not both find the table missing
                pgvector_tables.lock(connection, name, exclusive=True)
                pgvector_tables.require_extension(connection, self._database.place)
                found = pgvector_tables.find(connection, name, self._database.place)
            if found is None:
                pgvector_tables.create(connection, wanted)
                if not self._deferred_index:
                    pgvector_tables.build_index(connection, wanted)
            elif found.shape != wanted.shape:
                raise ConfigurationError(
                    f"the table {name} at {self._database.place} holds {found.shape.vector_type} of {found.shape.dimension} dimensions, "
                    f"the embedding model gives {dimension} and the settings say {self._vector_type}; nothing was written. Use another "
                    "collection or the model and type it was made with"
                )

    def live(self, alias: str) -> Generation | None:
        with self._connected(f"looking for {alias}") as connection:
            table = pgvector_tables.find(connection, alias, self._database.place)
            return None if table is None else _generation(table, alias)

    def generations(self, alias: str) -> list[Generation]:
        with self._connected(f"looking for {alias}") as connection:
            return [_generation(table, alias) for table in pgvector_tables.find_all(connection, alias)]

    def go_live(self, alias: str, name: str) -> None:
        with self._connected(f"giving {name} the name {alias}") as connection:
            pgvector_tables.lock(connection, name, exclusive=True)
            table = pgvector_tables.require(connection, name, self._database.place)
            if table.name != alias:
                pgvector_tables.find(connection, alias, self._database.place)  # raises if the table is not ours
                pgvector_tables.change(connection, lambda: pgvector_tables.assign_alias(connection, table, alias))

    def drop(self, name: str) -> None:
        with self._connected(f"dropping {name}") as connection:
            pgvector_tables.lock(connection, name, exclusive=True)
            table = pgvector_tables.find(connection, name, self._database.place)
            if table is not None:
                dropping = sql.SQL("drop table {}").format(sql.Identifier(table.name))
                pgvector_tables.change(connection, lambda: connection.execute(dropping))

    def exists(self, collection: str) -> bool:
        """Return whether the collection exists; raise ConfigurationError for a table that is not ours."""
        with self._connected(f"looking for {collection}") as connection:
            return pgvector_tables.find(connection, collection, self._database.place) is not None

    def documents(self, collection: str) -> set[str]:
        """Return the ids of the documents that have rows."""
        return self._work(collection, f"reading {collection}", lambda table: table.documents())

    @contextlib.contextmanager
    def snapshot(self, alias: str) -> Iterator[tuple[Generation, Searchable]]:
        """Open the live collection in its present state: during the block all searches see the same state of every row."""
        with self._connected(f"searching {alias}") as connection:
            pgvector_tables.require(connection, alias, self._database.place)
            connection.commit()
            connection.execute("set transaction isolation level repeatable read, read only")
            # before the first query, which fixes the state that the transaction sees
            connection.execute(sql.SQL("lock table {} in access share mode").format(sql.Identifier(alias)))
            table = pgvector_tables.require(connection, alias, self._database.place)
            yield _generation(table, alias), _Snapshot(self._opened(connection, table))

    def optimise(self, collection: str) -> None:
        """Build the HNSW index if it was deferred, and update the planner's statistics. Blocks writers meanwhile."""
        self._work(collection, f"indexing {collection}", lambda table: table.optimise())

    def close(self) -> None:
        """Do nothing: the caller closes the database."""

    def _verify_alias(self, alias: str) -> None:
        with self._connected(f"looking for {alias}") as connection:
            table = pgvector_tables.find(connection, alias, self._database.place)
        if table is not None and table.collection == alias:
            raise foreign_alias_error(alias, self._database.place)

    def _work(self, collection: str, purpose: str, work: Callable[[_Table], Result]) -> Result:
        with self._connected(purpose) as connection:
            pgvector_tables.lock(connection, collection)
            table = pgvector_tables.require(connection, collection, self._database.place)
            return work(self._opened(connection, table))

    def _opened(self, connection: Connection[Any], table: CollectionTable) -> _Table:
        return _Table(connection, table, self._iterative_scan, self._exact)

    @contextlib.contextmanager
    def _connected(self, action: str) -> Iterator[Connection[Any]]:
        """Open a connection in a transaction; errors of the driver are converted to ours."""
        where_ = f"PostgreSQL at {self._database.place}"
        try:
            with self._database.connection() as connection:
                yield connection
        except DatabaseUnavailableError as error:
            if isinstance(error.__cause__, psycopg_pool.PoolTimeout):
                raise StoreUnavailableError(f"{where_} does not answer while {action}") from error
            raise StoreUnavailableError(f"{where_} failed while {action}: {error.__cause__}") from error
        except psycopg.errors.InsufficientPrivilege as error:
            raise ConfigurationError(f"{where_} does not allow {action}: {error}") from error
        except (psycopg.OperationalError, psycopg.InterfaceError) as error:
            raise StoreUnavailableError(f"{where_} failed while {action}: {error}") from error
        except psycopg.Error as error:
            raise StoreError(f"{where_} refused while {action}: {error}") from error


def _generation(table: CollectionTable, alias: str) -> Generation:
    return Generation(table.collection, table.model, table.shape.dimension, live=table.name == alias)


class _Snapshot(Searchable):
    """An open table that implements `Searchable`."""

    def __init__(self, table: _Table) -> None:
        self._table = table

    def query_batch(self, collection: str, queries: Sequence[Query]) -> list[RankedLists]:
        return query_batch(self._table, queries)


class _Table:
    """A collection on a connection in a transaction; implements `SearchableTable`."""

    def __init__(
        self, connection: Connection[Any], table: CollectionTable, iterative_scan: IterativeScan, exact: bool
    ) -> None:
        self.connection = connection
        self.shape = table.shape
        self.dimensions = table.model.dimensions(table.shape.dimension)
        self.name = sql.Identifier(table.name)
        self._table = table
        self._iterative_scan: IterativeScan = iterative_scan
        self._exact = exact

    def stored_id(self, point: Point) -> str:
        """Return the point's own id: of two versions, readers see the version of their transaction."""
        return point.id

    def lock(self, document_ids: Iterable[str]) -> None:
        # a second writer waits for the first one's transaction, then sees its result; sorted: two writers never wait for each other
        names = [f"{self._table.collection} {document_id}" for document_id in sorted(document_ids)]
        self.connection.execute(
            "select pg_advisory_xact_lock(hashtextextended(name, 0)) from unnest(%s::text[]) as name", (names,)
        )

    def hashes(self, document_ids: Sequence[str]) -> dict[str, dict[str, str]]:
        result: dict[str, dict[str, str]] = {document_id: {} for document_id in document_ids}
        found = self._select(
            "select document_id, id, row_hash from {} where document_id = any(%s)", (list(document_ids),)
        )
        for each in found:
            result[each["document_id"]][str(each["id"])] = each["row_hash"]
        return result

    def documents(self) -> set[str]:
        return {each["document_id"] for each in self._select("select distinct document_id from {}", ())}

    def document_hashes(self) -> dict[str, str]:
        found = self._select(
            "select document_id, sum(hashtextextended(row_hash, hashtextextended(id::text, 0)))::text as hash from {} group by 1",
            (),
        )
        return {each["document_id"]: each["hash"] for each in found}

    def count(self, document_id: str | None) -> int:
        if document_id is None:
            return int(self._select("select count(*) as n from {}", ())[0]["n"])
        return int(self._select("select count(*) as n from {} where document_id = %s", (document_id,))[0]["n"])

    def optimise(self) -> None:
        # a graph that does not fit in memory is built on disk, many times as slowly; 1 GB is enough for 300,000 vectors of 384 dimensions
        self.connection.execute("set local maintenance_work_mem = '1GB'")
        try:
            with self.connection.transaction():
                pgvector_tables.build_citation_index(self.connection, self._table)
                pgvector_tables.build_index(self.connection, self._table)
        except psycopg.errors.DiskFull:
            # several workers share that memory in /dev/shm, which is small in containers; a single worker does not use it
            self.connection.execute("set local max_parallel_maintenance_workers = 0")
            pgvector_tables.build_citation_index(self.connection, self._table)
            pgvector_tables.build_index(self.connection, self._table)
        self.connection.execute(sql.SQL("analyze {}").format(self.name))

    def query_batch(self, queries: Sequence[Query]) -> list[RankedLists]:
        return [self._query(query) for query in queries]

    def _query(self, query: Query) -> RankedLists:
        """Return the lists of one query. The sparse scores are those of `ts_rank` (see above), comparable only within one list."""
        condition, limit = where(query.filters, query.ids), query.limit
        if query.is_unranked:
            return RankedLists(unranked=self._any(condition, limit))
        return RankedLists(
            dense=self._nearest(query.dense, query.using, condition, limit) if query.dense is not None else (),
            sparse=self._matching(query.text, query.languages, condition, limit) if query.text is not None else (),
        )

    def write(self, points: Mapping[str, Point]) -> None:
        """Write by binary COPY into a temporary table, and from there in one statement."""
        self._register_vectors()
        vectors = self._table.columns
        names = sql.SQL(", ").join(map(sql.Identifier, (*COLUMNS, *vectors)))
        pending = self._pending_table(names)
        make = HalfVector if self.shape.vector_type == "halfvec" else PgVector
        copied = sql.SQL("copy {} from stdin (format binary)").format(pending)
        with self.connection.cursor() as cursor, cursor.copy(copied) as copy:
            kinds = [shape.vector_type for shape in vectors.values()]
            copy.set_types([*COLUMNS.values(), *kinds, *PENDING_COLUMNS.values()])
            for point in points.values():
                own = column_of(point.vector_name)
                copy.write_row(row(point, {name: make(point.vector) if name == own else None for name in vectors}))
        assigned = [name for name in (*COLUMNS, *vectors) if name != "id"]
        assignments = sql.SQL(", ").join(
            sql.SQL("{0} = excluded.{0}").format(sql.Identifier(name))
            for name in (*assigned, "parent_section_id", "words")
        )
        self._verify_ownership(pending)
        self.connection.execute(
            statement("write.sql").format(table=self.name, pending=pending, columns=names, assignments=assignments)
        )
        self.connection.execute(sql.SQL("truncate {}").format(pending))
        self.connection.execute(
            statement("find_parents.sql").format(table=self.name),
            (sorted({point.document_id for point in points.values()}),),
        )

    def _verify_ownership(self, pending: Identifier) -> None:
        # `limit 1` inside makes the server look up each row by its key: for a join it might read the index of the whole table
        stolen = self.connection.execute(
            sql.SQL(
                "select pending.id, pending.document_id, present.document_id as owner from {pending} as pending"
                " cross join lateral (select document_id from {table} where id = pending.id limit 1) as present"
                " where present.document_id <> pending.document_id order by 1 limit 1"
            ).format(pending=pending, table=self.name)
        ).fetchone()
        if stolen is not None:
            raise StoreError(
                f"{stolen['document_id']}: point {stolen['id']} belongs to {stolen['owner']} already; nothing was written"
            )

    def delete(self, ids: Sequence[str]) -> None:
        self.connection.execute(sql.SQL("delete from {} where id = any(%s::uuid[])").format(self.name), (list(ids),))

    def _any(self, condition: tuple[Composed, dict[str, Any]], limit: int) -> tuple[ScoredPoint, ...]:
        clause, parameters = condition
        # `offset 0` makes the server find the matching rows first: in the order of ids it might read every row of the table for a few
        # matches
        statement = sql.SQL(
            "select * from (select id, payload, chunk_text, 0.0 as score from {} where {} offset 0) as fitting order by id limit %(limit)s"
        ).format(self.name, clause)
        return _scored(self.connection.execute(statement, {**parameters, "limit": limit}).fetchall())

    def _nearest(
        self, vector: Vector, using: str, condition: tuple[Composed, dict[str, Any]], limit: int
    ) -> tuple[ScoredPoint, ...]:
        """Return the nearest points by cosine.

        If the index returns fewer than `limit`, all matching rows are compared without the index.
        """
        clause, parameters = condition
        kind = sql.SQL(self.shape.vector_type)
        statement = sql.SQL(
            "select id, payload, chunk_text, 1 - ({column} <=> %(vector)s::{kind}) as score from {table}"
            " where {clause} and {column} is not null order by {column} <=> %(vector)s::{kind} limit %(limit)s"
        ).format(column=sql.Identifier(column_of(using)), kind=kind, table=self.name, clause=clause)
        given = {**parameters, "vector": PgVector(vector).to_text(), "limit": limit}
        if not self._exact:
            set_hnsw(self.connection, self._iterative_scan, limit)
            found = self.connection.execute(statement, given).fetchall()
            if len(found) == limit:
                return _scored(found)
        self.connection.execute("set local enable_indexscan = off")
        # planned again: a prepared statement would still use the index
        found = self.connection.execute(statement, given, prepare=False).fetchall()
        self.connection.execute("set local enable_indexscan = on")
        return _scored(found)

    def _matching(
        self, text: str, languages: Sequence[str], condition: tuple[Composed, dict[str, Any]], limit: int
    ) -> tuple[ScoredPoint, ...]:
        """Return rows that share a word with `text`, ranked by `ts_rank` over the logarithm of their length.

        In a large table the rarest words find the rows, and the others only rank them, unless that leaves fewer than `limit`: with a word
        that every second row has, half the table would be read and ranked.
        """
        configurations = sorted({configuration(language) for language in languages or (*bm25.stemmers(), "")})
        given = {
            "configurations": configurations,
            "text": unicodedata.normalize("NFC", text),
            "table": self.name.as_string(),
            "most": _MOST_RANKED,
        }
        read = self.connection.execute(statement_text("any_word.sql"), given).fetchone()
        if read is None or read["query"] is None:
            return ()
        clause, parameters = condition
        statement = sql.SQL(
            "select id, payload, chunk_text, ts_rank(words, %(query)s::tsquery, 1) as score from {}"
            " where words @@ %(found_by)s::tsquery and {} order by score desc, id limit %(limit)s"
        ).format(self.name, clause)
        parameters = {**parameters, "query": read["query"], "limit": limit}
        for found_by in dict.fromkeys((read["rare"], read["query"])):
            found = self.connection.execute(statement, {**parameters, "found_by": found_by}).fetchall()
            if len(found) == limit:
                break
        return _scored(found)

    def _pending_table(self, names: Composed) -> Identifier:
        """Return the temporary table for pending rows, visible only to this session and emptied at commit.

        Its name contains a hash of its columns.
        """
        columns = sha256_hex(repr(self._table.columns))[:8]
        name = sql.Identifier(f"pending_{self._table.name}_{columns}")
        known = self.connection.execute("select to_regclass(%s) as found", (f"pg_temp.{name.as_string()}",)).fetchone()
        if known is None or known["found"] is None:
            extra: Composed = sql.SQL(", ").join(
                sql.SQL("null::{} as {}").format(sql.SQL(kind), sql.Identifier(column))
                for column, kind in PENDING_COLUMNS.items()
            )
            self.connection.execute(
                sql.SQL("create temp table {} on commit delete rows as select {}, {} from {} with no data").format(
                    name, names, extra, self.name
                )
            )
        return name

    def _register_vectors(self) -> None:
        if self.connection.adapters.types.get(self.shape.vector_type) is None:
            register_vector(self.connection)

    def _select(self, statement: LiteralString, parameters: Sequence[object]) -> list[dict[str, Any]]:
        return self.connection.execute(sql.SQL(statement).format(self.name), parameters).fetchall()


def set_hnsw(connection: Connection[Any], iterative_scan: IterativeScan, limit: int) -> None:
    """Configure HNSW index scans of this transaction for `limit` rows (pgvector's `hnsw.iterative_scan` and `hnsw.ef_search`)."""
    least, most = _EF_SEARCH
    connection.execute(
        "select set_config('hnsw.iterative_scan', %s, true), set_config('hnsw.ef_search', %s, true)",
        (iterative_scan, str(min(max(limit, least), most))),
    )


def _scored(found: Sequence[dict[str, Any]]) -> tuple[ScoredPoint, ...]:
    scored = [
        ScoredPoint(str(each["id"]), float(each["score"]), payload(each["payload"], each["chunk_text"]))
        for each in found
    ]
    # `relaxed_order` leaves the best hits slightly out of order
    return tuple(sorted(scored, key=lambda point: -point.score))

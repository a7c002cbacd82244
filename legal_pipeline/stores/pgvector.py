"""PostgreSQL with pgvector: a collection is a table with the columns of seed 004 and ours (`sql/collection.sql`).

A document is replaced in one transaction, so that whoever reads the table sees its old version or its new one, never both and never a
part: readers need no manifest. Words are found by PostgreSQL's full-text search and ranked by `ts_rank`, which is *not* BM25: it
knows how often a row has how many of the words, not how rare a word is in the collection. `ts_rank_cd`, made for words close to one
another, counts hits alone where any word will do, and so prefers a row that repeats one word to a row that has both.
Not here: rows (`stores.pgvector_rows`), conditions (`stores.pgvector_filters`), the order of replacing (`stores.replacement`).
"""

from __future__ import annotations

import contextlib
import functools
import importlib.resources
import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, LiteralString

from legal_pipeline.corpus.database import Database
from legal_pipeline.errors import ConfigurationError, StoreError, StoreUnavailableError
from legal_pipeline.settings import IterativeScan, VectorType
from legal_pipeline.stores import bm25, replacement
from legal_pipeline.stores.pgvector_filters import where
from legal_pipeline.stores.pgvector_rows import COLUMNS, PENDING_COLUMNS, configuration, payload, row
from legal_pipeline.stores.store import Condition, Point, RankedLists, ReplaceResult, ScoredPoint, Vector

if TYPE_CHECKING:
    from psycopg import Connection
    from psycopg.sql import Composed, Identifier

#: The table's comment begins with it: what bears it was made by this package and has these columns.
_MARKER = "legal-pipeline/1"
_NAME = re.compile(r"[a-z_][a-z0-9_]{0,39}")
#: What an HNSW index holds at most.
_MAX_DIMENSIONS = {"vector": 2000, "halfvec": 4000}
#: Candidates that a walk through the index keeps: below it recall suffers, above it the server refuses.
_EF_SEARCH = (100, 1000)
#: Kept in the row: a row is at most one page of 8 kB, and every comparison with a vector elsewhere costs two more pages.
_MAX_INLINE_BYTES = 4200
_LEAST_VERSION = (0, 8)  # iterative scans
_INDEXES = (
    "source_type", "source_document", "criterion_tag", "legal_standard", "is_winning_argument", "source_type_criterion",
    "embedding_hnsw", "document_id", "chunk_id", "parent_section_id", "jurisdiction", "words",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Shape:
    vector_type: VectorType
    dimension: int

    @property
    def vector_bytes(self) -> int:
        return self.dimension * (4 if self.vector_type == "vector" else 2)


class PgvectorStore:
    """A `VectorStore` in the tables of `database`, which stays the caller's to close.

    `vector_type`: `halfvec` stores 16 bits per dimension and takes up to 4,000 of them in the index. `iterative_scan`: how a filtered
    search goes on when the nearest rows do not fit the filter. `exact` compares with every row and uses no HNSW index. `deferred_index`
    leaves the HNSW index of a new collection to `optimise`: loading is then many times as fast, searching exact and slow until then.

    `replace_document` calls `publish` before its transaction ends: if it raises, the table is as it was.
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
        self._shapes: dict[str, _Shape] = {}

    def ensure_collection(self, name: str, dimension: int) -> None:
        wanted = _Shape(self._vector_type, dimension)
        if self._shapes.get(name) == wanted:
            return
        if not 1 <= dimension <= _MAX_DIMENSIONS[self._vector_type]:
            raise ConfigurationError(
                f"{self._vector_type} indexes hold 1 to {_MAX_DIMENSIONS[self._vector_type]} dimensions, the embedding model gives "
                f"{dimension}" + ("; `halfvec` holds 4000" if self._vector_type == "vector" else "")
            )
        with self._connected(f"preparing the table {name}") as connection:
            # no two processes may find the table missing at once
            connection.execute("select pg_advisory_xact_lock(hashtextextended(%s, 0))", (f"{_MARKER} {name}",))
            self._require_extension(connection)
            found = self._shape(connection, name)
            if found is None:
                self._create(connection, name, wanted)
            elif found != wanted:
                raise ConfigurationError(
                    f"the table {name} at {self._database.place} holds {found.vector_type} of {found.dimension} dimensions, the "
                    f"embedding model gives {dimension} and the settings say {self._vector_type}; nothing was written. Use another "
                    "collection or the model and type it was made with"
                )
        self._shapes[name] = wanted

    def exists(self, collection: str) -> bool:
        """Whether there is such a collection; ConfigurationError for a table that is not ours."""
        with self._connected(f"looking for {collection}") as connection:
            return self._shape(connection, collection) is not None

    def upsert(self, collection: str, points: Sequence[Point]) -> None:
        with self._table(collection, f"writing to {collection}") as table:
            replacement.verify_points(points, table.dimension)
            for document_id in sorted({point.document_id for point in points}):
                table.lock(document_id)
            if points:
                table.write(points)

    def replace_document(
        self, collection: str, document_id: str, points: Sequence[Point], *, publish: Callable[[], None] | None = None
    ) -> ReplaceResult:
        with self._table(collection, f"writing {document_id} to {collection}") as table:
            table.lock(document_id)
            return replacement.replace_document(table, document_id, points, publish)

    def point_hashes(self, collection: str, document_id: str) -> dict[str, str]:
        with self._table(collection, f"reading {document_id} in {collection}") as table:
            return table.hashes(document_id)

    def count(self, collection: str, document_id: str | None = None) -> int:
        with self._table(collection, f"counting {collection}") as table:
            return table.count(document_id)

    def delete_document(self, collection: str, document_id: str) -> int:
        with self._table(collection, f"deleting {document_id} in {collection}") as table:
            table.lock(document_id)
            ids = list(table.hashes(document_id))
            table.delete(ids)
            return len(ids)

    def query(
        self,
        collection: str,
        *,
        dense: Vector | None = None,
        text: str | None = None,
        languages: Sequence[str] = (),
        filters: Sequence[Condition] = (),
        limit: int = 50,
    ) -> RankedLists:
        """Both lists are of one moment. The sparse scores are `ts_rank`'s (see above), comparable within one list alone."""
        condition = where(filters)
        with self._table(collection, f"searching {collection}", reading=True) as table:
            return RankedLists(
                dense=table.nearest(dense, condition, limit, self._iterative_scan, exact=self._exact)
                if dense is not None
                else (),
                sparse=table.matching(text, languages, condition, limit) if text is not None else (),
            )

    def optimise(self, collection: str) -> None:
        """Builds the HNSW index if it was deferred, and gathers the planner's statistics. Blocks writers for that long."""
        import psycopg
        from psycopg import sql

        with self._table(collection, f"indexing {collection}") as table:
            # a graph that does not fit is built on disk, many times as slowly; 1 GB holds 300,000 vectors of 384 dimensions
            table.connection.execute("set local maintenance_work_mem = '1GB'")
            try:
                with table.connection.transaction():
                    self._build_index(table.connection, collection, table.shape)
            except psycopg.errors.DiskFull:
                # several workers share that memory in /dev/shm, which containers keep small; one needs none of it
                table.connection.execute("set local max_parallel_maintenance_workers = 0")
                self._build_index(table.connection, collection, table.shape)
            table.connection.execute(sql.SQL("analyze {}").format(table.name))

    @contextlib.contextmanager
    def session(self, collection: str, purpose: str) -> Iterator[None]:
        """The pool keeps its connections anyhow."""
        yield

    def close(self) -> None:
        """The database is the caller's."""

    @contextlib.contextmanager
    def _table(self, collection: str, action: str, *, reading: bool = False) -> Iterator[_Table]:
        with self._connected(action) as connection:
            if reading:
                connection.execute("set transaction isolation level repeatable read, read only")
            shape = self._shapes.get(collection) or self._shape(connection, collection)
            if shape is None:
                raise StoreError(f"there is no collection {collection} at {self._database.place}")
            self._shapes[collection] = shape
            yield _Table(connection, collection, shape)

    def _shape(self, connection: Connection[Any], name: str) -> _Shape | None:
        """What the table holds; None if there is none, ConfigurationError if it is not ours."""
        if not _NAME.fullmatch(name):
            raise ConfigurationError(f"{name!r} cannot be a collection: expected {_NAME.pattern}")
        found = connection.execute(
            """select coalesce(obj_description(c.oid, 'pg_class'), '') as comment, a.atttypmod as dimension, t.typname as kind
               from pg_class c left join pg_attribute a on a.attrelid = c.oid and a.attname = 'embedding' and not a.attisdropped
               left join pg_type t on t.oid = a.atttypid
               where c.oid = to_regclass(quote_ident(%s))""",
            (name,),
        ).fetchone()
        if found is None:
            return None
        if not found["comment"].startswith(_MARKER) or found["kind"] not in _MAX_DIMENSIONS:
            raise ConfigurationError(
                f"the table {name} at {self._database.place} was not made by this version of this package; nothing was written. "
                "Rename it, or use another database or schema"
            )
        return _Shape(found["kind"], found["dimension"])

    def _require_extension(self, connection: Connection[Any]) -> None:
        connection.execute("create extension if not exists vector")
        found = connection.execute("select extversion from pg_extension where extname = 'vector'").fetchone()
        version = str(found["extversion"]) if found else "none"
        if tuple(int(part) for part in re.findall(r"\d+", version)[:2]) < _LEAST_VERSION:
            raise ConfigurationError(
                f"pgvector at {self._database.place} is of version {version}, 0.8 or later is needed"
            )

    def _create(self, connection: Connection[Any], name: str, shape: _Shape) -> None:
        from psycopg import sql

        connection.execute(
            _statement("collection.sql").format(
                table=sql.Identifier(name),
                vector_type=sql.SQL(shape.vector_type),
                dimension=sql.Literal(shape.dimension),
                storage=sql.SQL("plain" if shape.vector_bytes <= _MAX_INLINE_BYTES else "external"),
                **_index_names(name),
            )
        )
        connection.execute(sql.SQL("comment on table {} is {}").format(sql.Identifier(name), sql.Literal(_MARKER)))
        if not self._deferred_index:
            self._build_index(connection, name, shape)

    def _build_index(self, connection: Connection[Any], name: str, shape: _Shape) -> None:
        from psycopg import sql

        connection.execute(
            _statement("hnsw_index.sql").format(
                table=sql.Identifier(name),
                operator_class=sql.Identifier(f"{shape.vector_type}_cosine_ops"),
                **_index_names(name),
            )
        )

    @contextlib.contextmanager
    def _connected(self, action: str) -> Iterator[Connection[Any]]:
        """A connection in a transaction; errors of the driver as ours."""
        import psycopg
        import psycopg_pool

        where_ = f"PostgreSQL at {self._database.place}"
        try:
            with self._database.connection() as connection:
                yield connection
        except ConfigurationError as error:
            if isinstance(error.__cause__, psycopg_pool.PoolTimeout):
                raise StoreUnavailableError(f"{where_} does not answer while {action}") from error
            raise
        except psycopg.errors.InsufficientPrivilege as error:
            raise ConfigurationError(f"{where_} does not allow {action}: {error}") from error
        except (psycopg.OperationalError, psycopg.InterfaceError) as error:
            raise StoreUnavailableError(f"{where_} failed while {action}: {error}") from error
        except psycopg.Error as error:
            raise StoreError(f"{where_} refused while {action}: {error}") from error


class _Table:
    """A collection on a connection that is in a transaction, as a `PointTable`."""

    def __init__(self, connection: Connection[Any], name: str, shape: _Shape) -> None:
        from psycopg import sql

        self.connection = connection
        self.shape = shape
        self.dimension = shape.dimension
        self.name = sql.Identifier(name)
        self._raw_name = name

    def lock(self, document_id: str) -> None:
        """One writer per document: a second one waits for the first one's transaction, then sees what it wrote."""
        self.connection.execute(
            "select pg_advisory_xact_lock(hashtextextended(%s, 0))", (f"{_MARKER} {self._raw_name} {document_id}",)
        )

    def hashes(self, document_id: str) -> dict[str, str]:
        found = self._select("select id, row_hash from {} where document_id = %s", (document_id,))
        return {str(each["id"]): each["row_hash"] for each in found}

    def owners(self, ids: Sequence[str]) -> dict[str, str]:
        found = self._select("select id, document_id from {} where id = any(%s::uuid[])", (list(ids),))
        return {str(each["id"]): each["document_id"] for each in found}

    def count(self, document_id: str | None) -> int:
        if document_id is None:
            return int(self._select("select count(*) as n from {}", ())[0]["n"])
        return int(self._select("select count(*) as n from {} where document_id = %s", (document_id,))[0]["n"])

    def write(self, points: Sequence[Point]) -> None:
        """By binary COPY into a table of this session, and from there in one statement."""
        from pgvector import HalfVector, Vector
        from psycopg import sql

        self._register_vectors()
        names = sql.SQL(", ").join(map(sql.Identifier, COLUMNS))
        pending = self._pending_table(names)
        make = HalfVector if self.shape.vector_type == "halfvec" else Vector
        copied = sql.SQL("copy {} from stdin (format binary)").format(pending)
        with self.connection.cursor() as cursor, cursor.copy(copied) as copy:
            copy.set_types([kind or self.shape.vector_type for kind in (*COLUMNS.values(), *PENDING_COLUMNS.values())])
            for point in points:
                copy.write_row(row(point, make(point.vector)))
        assigned = [name for name in COLUMNS if name != "id"]
        assignments = sql.SQL(", ").join(
            sql.SQL("{0} = excluded.{0}").format(sql.Identifier(name))
            for name in (*assigned, "parent_section_id", "words")
        )
        self.connection.execute(
            _statement("write.sql").format(table=self.name, pending=pending, columns=names, assignments=assignments)
        )
        self.connection.execute(sql.SQL("truncate {}").format(pending))
        self.connection.execute(
            _statement("find_parents.sql").format(table=self.name),
            (sorted({point.document_id for point in points}),),
        )

    def delete(self, ids: Sequence[str]) -> None:
        from psycopg import sql

        self.connection.execute(sql.SQL("delete from {} where id = any(%s::uuid[])").format(self.name), (list(ids),))

    def nearest(
        self,
        vector: Vector,
        condition: tuple[Composed, dict[str, Any]],
        limit: int,
        iterative_scan: IterativeScan,
        *,
        exact: bool,
    ) -> tuple[ScoredPoint, ...]:
        """By cosine. A walk through the index that ends before `limit` is followed by a look at every row that fits."""
        from pgvector import Vector as PgVector
        from psycopg import sql

        clause, parameters = condition
        kind = sql.SQL(self.shape.vector_type)
        statement = sql.SQL(
            "select id, payload, chunk_text, 1 - (embedding <=> %(vector)s::{kind}) as score from {table}"
            " where {clause} order by embedding <=> %(vector)s::{kind} limit %(limit)s"
        ).format(kind=kind, table=self.name, clause=clause)
        given = {**parameters, "vector": PgVector(vector).to_text(), "limit": limit}
        if not exact:
            set_hnsw(self.connection, iterative_scan, limit)
            found = self.connection.execute(statement, given).fetchall()
            if len(found) == limit:
                return _scored(found)
        self.connection.execute("set local enable_indexscan = off")
        found = self.connection.execute(statement, given).fetchall()
        self.connection.execute("set local enable_indexscan = on")
        return _scored(found)

    def matching(
        self, text: str, languages: Sequence[str], condition: tuple[Composed, dict[str, Any]], limit: int
    ) -> tuple[ScoredPoint, ...]:
        """Rows that share a word with `text`, by `ts_rank` over the logarithm of their length."""
        from psycopg import sql

        configurations = sorted({configuration(language) for language in languages or (*bm25.STEMMED_LANGUAGES, "")})
        read = self.connection.execute(
            _text("any_word.sql"),
            {"configurations": configurations, "text": unicodedata.normalize("NFC", text)},
        ).fetchone()
        if read is None or read["query"] is None:
            return ()
        clause, parameters = condition
        found = self.connection.execute(
            sql.SQL(
                "select id, payload, chunk_text, ts_rank(words, %(query)s::tsquery, 1) as score from {}"
                " where words @@ %(query)s::tsquery and {} order by score desc, id limit %(limit)s"
            ).format(self.name, clause),
            {**parameters, "query": read["query"], "limit": limit},
        ).fetchall()
        return _scored(found)

    def _pending_table(self, names: Composed) -> Identifier:
        """Rows under way, seen by this session alone and gone with the transaction; its name says what it has room for."""
        from psycopg import sql

        name = sql.Identifier(f"pending_{self._raw_name}_{self.shape.vector_type}_{self.shape.dimension}")
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
        from pgvector.psycopg import register_vector

        if self.connection.adapters.types.get(self.shape.vector_type) is None:
            register_vector(self.connection)

    def _select(self, statement: LiteralString, parameters: Sequence[object]) -> list[dict[str, Any]]:
        from psycopg import sql

        return self.connection.execute(sql.SQL(statement).format(self.name), parameters).fetchall()


def set_hnsw(connection: Connection[Any], iterative_scan: IterativeScan, limit: int) -> None:
    """How this transaction walks through HNSW indexes for `limit` rows (pgvector's `hnsw.iterative_scan` and `hnsw.ef_search`)."""
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


def _index_names(collection: str) -> dict[str, Identifier]:
    """Index names are one name space per schema: seed 004's for its table, with the collection's name in them for any other."""
    from psycopg import sql

    middle = "" if collection == "legal_chunks" else f"{collection}_"
    return {f"idx_{name}": sql.Identifier(f"idx_{middle}{name}"[:63]) for name in _INDEXES}


def _statement(name: str) -> Any:
    from psycopg import sql

    return sql.SQL(_text(name))


@functools.cache
def _text(name: str) -> str:
    return importlib.resources.files(__package__).joinpath("sql", name).read_text("utf-8")

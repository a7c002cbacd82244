"""Connections to PostgreSQL: which server, in which spelling, and a small pool over it.

Not here: what is stored (`corpus.registry`; the tables are in `schema.sql`) and how the embedded server runs (`corpus.embedded_postgres`).
"""

from __future__ import annotations

import contextlib
import importlib.resources
import re
from collections.abc import Iterator
from types import TracebackType
from typing import TYPE_CHECKING, Any

from legal_pipeline.corpus.embedded_postgres import EmbeddedPostgres
from legal_pipeline.errors import ConfigurationError
from legal_pipeline.settings import Settings

if TYPE_CHECKING:
    from psycopg import Connection
    from psycopg_pool import ConnectionPool

#: Any constant will do, as long as every process takes the same one while it creates tables.
_SCHEMA_LOCK = 0x6C6567616C  # "legal"

_SCHEME = re.compile(r"^(postgres|postgresql)(\+[a-z0-9_]+)?://")


def psycopg_url(url: str) -> str:
    """`url` as libpq reads it: `postgresql://…`."""
    return _SCHEME.sub("postgresql://", url)


def dagster_url(url: str) -> str:
    """`url` for Dagster: the driver is named, because SQLAlchemy's default (psycopg 3) breaks dagster-postgres' NOTIFY."""
    return _SCHEME.sub("postgresql+psycopg2://", url)


class Database:
    """A pool of connections to one server.

    `Database.open(settings)` starts the embedded server where no URL is configured, and creates what tables are missing.
    `timeout`: seconds that a caller waits for a connection.
    """

    def __init__(self, url: str, *, server: EmbeddedPostgres | None = None, timeout: float = 30) -> None:
        self.url = psycopg_url(url)
        self._timeout = timeout
        self._server = server
        self._pool: ConnectionPool[Connection[Any]] | None = None

    @classmethod
    def open(cls, settings: Settings) -> Database:
        """Raises `ConfigurationError` when the server cannot be started or reached."""
        server = None
        if settings.database_url is None:
            server = EmbeddedPostgres(settings.home / "postgres").start()
        database = cls(server.url if server is not None else settings.database_url_text, server=server)
        try:
            database.create_tables()
        except BaseException:
            database.close()
            raise
        return database

    @contextlib.contextmanager
    def connection(self) -> Iterator[Connection[Any]]:
        """A connection in a transaction: committed at the end of the block, rolled back on an exception. Rows are dicts."""
        import psycopg_pool

        pool = self._pool or self._open_pool()
        try:
            with pool.connection() as connection:
                yield connection
        except psycopg_pool.PoolTimeout as error:
            raise ConfigurationError(f"the database at {self.place} does not answer: {error}") from error

    def create_tables(self) -> None:
        """Create what is missing; any number of processes may do so at once."""
        import psycopg

        statements = importlib.resources.files("legal_pipeline.corpus").joinpath("schema.sql").read_text("utf-8")
        try:
            with psycopg.connect(self.url, connect_timeout=10) as connection:
                connection.execute("select pg_advisory_xact_lock(%s)", (_SCHEMA_LOCK,))
                if self._server is not None:
                    connection.execute("create extension if not exists vector")
                connection.execute(statements)
        except psycopg.OperationalError as error:
            raise ConfigurationError(f"the database at {self.place} cannot be used: {error}") from error

    @property
    def place(self) -> str:
        """The URL without its password, for messages."""
        return re.sub(r"//([^:/@]*):[^@]*@", r"//\1:***@", self.url)

    def close(self) -> None:
        """Close the connections, and the embedded server if nobody else uses it."""
        pool, self._pool = self._pool, None
        if pool is not None:
            pool.close()
        if self._server is not None:
            self._server.close()

    def __enter__(self) -> Database:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _open_pool(self) -> ConnectionPool[Connection[Any]]:
        import atexit

        from psycopg.rows import dict_row
        from psycopg_pool import ConnectionPool

        self._pool = ConnectionPool(
            self.url,
            min_size=0,
            max_size=8,
            timeout=self._timeout,
            max_idle=60,
            kwargs={"row_factory": dict_row, "application_name": "legal-pipeline"},
            check=ConnectionPool.check_connection,  # the server may have been restarted since
            open=True,
        )
        # registered after the server's own handler, so it runs before it: an open connection would keep the server up
        atexit.register(self._pool.close)
        return self._pool


def database_url(settings: Settings) -> str:
    """The configured URL, or that of the embedded server, which is started and kept up until this process ends."""
    if settings.database_url is not None:
        return psycopg_url(settings.database_url_text)
    return EmbeddedPostgres(settings.home / "postgres").start().url

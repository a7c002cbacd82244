"""Connections to PostgreSQL: the server's URL, its forms, and a small connection pool.

Not here: the stored data (`registry.registry`), the tables (`registry.migrations`) and the embedded server
(`registry.embedded_postgres`).
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from legal_pipeline.errors import ConfigurationError, DatabaseUnavailableError
from legal_pipeline.registry.embedded_postgres import EmbeddedPostgres
from legal_pipeline.registry.migrations import VERSION, migrate, read_version, refuse_later_version
from legal_pipeline.settings import Settings
from legal_pipeline.system.urls import check_database_url, render_url

if TYPE_CHECKING:
    from psycopg import Connection
    from psycopg.abc import Params, QueryNoTemplate
    from psycopg_pool import ConnectionPool

_SCHEME = re.compile(r"^(postgres|postgresql)(\+[a-z0-9_]+)?://")


def psycopg_url(url: str) -> str:
    """Return `url` for libpq: `postgresql://…`. Raises `ConfigurationError` for an invalid URL: errors of libpq repeat passwords."""
    return _SCHEME.sub("postgresql://", check_database_url(url))


def dagster_url(url: str) -> str:
    """Return `url` for Dagster, with the driver: SQLAlchemy's default (psycopg 3) breaks dagster-postgres' NOTIFY.

    Raises `ConfigurationError`.
    """
    return _SCHEME.sub("postgresql+psycopg2://", check_database_url(url))


class Database:
    """A pool of connections to one server.

    `Database.open(settings)` starts the embedded server if no URL is configured, and migrates tables of an earlier version.
    `timeout`: maximum seconds that a caller waits for a connection.
    """

    def __init__(self, url: str, *, server: EmbeddedPostgres | None = None, timeout: float = 30) -> None:
        """Raises `ConfigurationError` for an invalid URL."""
        self.url = psycopg_url(url)
        self._timeout = timeout
        self._server = server
        self._pool: ConnectionPool[Connection[Any]] | None = None

    @classmethod
    def open(cls, settings: Settings, *, timeout: float = 30) -> Database:
        """Open the database. Raises `ConfigurationError` if the server cannot be started or reached."""
        server = None
        if settings.database_url is None:
            server = EmbeddedPostgres(settings.home / "postgres").start()
        database = cls(server.url if server is not None else settings.database_url_text, server=server, timeout=timeout)
        try:
            database.bring_up_to_date()
        except BaseException:
            database.close()
            raise
        return database

    @contextlib.contextmanager
    def reading(self) -> Iterator[Connection[Any]]:
        """Open a connection on which each statement is a transaction of its own.

        Each statement sees the data that is committed when it begins, and costs one round trip; `connection` costs three. Raises as
        `connection` does.
        """
        from psycopg.pq import TransactionStatus

        with self.connection() as connection:
            connection.autocommit = True
            try:
                yield connection
            finally:
                if connection.info.transaction_status == TransactionStatus.IDLE:
                    connection.autocommit = False
                else:  # a statement was interrupted: the pool opens another connection
                    connection.close()

    def rows(self, statement: QueryNoTemplate, values: Params | None = None) -> list[Any]:
        """Run one statement, a transaction of its own, and return its rows as dicts. Raises as `connection` does."""
        with self.reading() as connection:
            return connection.execute(statement, values).fetchall()

    def row(self, statement: QueryNoTemplate, values: Params | None = None) -> Any:
        """Return the first row of `rows`; None if there is none."""
        with self.reading() as connection:
            return connection.execute(statement, values).fetchone()

    def execute(self, statement: QueryNoTemplate, values: Params | None = None) -> int:
        """Run one statement, a transaction of its own, and return the number of rows that it changed. Raises as `connection` does."""
        with self.reading() as connection:
            return connection.execute(statement, values).rowcount

    @contextlib.contextmanager
    def connection(self) -> Iterator[Connection[Any]]:
        """Open a connection in a transaction: committed at the end of the block, rolled back on an exception. Rows are dicts.

        Raises `DatabaseUnavailableError` if the server does not answer, or the connection is lost within the block.
        """
        import psycopg
        import psycopg_pool

        pool = self._pool or self._open_pool()
        opened: Connection[Any] | None = None
        try:
            with pool.connection() as opened:
                yield opened
        except psycopg_pool.PoolTimeout as error:
            raise DatabaseUnavailableError(f"the database at {self.place} does not answer: {error}") from error
        except psycopg.OperationalError as error:
            if opened is None or not opened.closed:
                raise
            raise DatabaseUnavailableError(
                f"the connection to the database at {self.place} was lost: {error}"
            ) from error

    def bring_up_to_date(self) -> None:
        """Migrate the tables if they are of an earlier version; otherwise read one row.

        Raises `ConfigurationError` if the server cannot be used, and for tables of a later version.
        """
        import psycopg

        try:
            version = read_version(self.url)
        except (psycopg.OperationalError, psycopg.ProgrammingError) as error:  # not reachable, or not permitted
            raise ConfigurationError(f"the database at {self.place} cannot be used: {error}") from error
        if version is not None and version > VERSION:
            raise refuse_later_version(version, self.place)
        if version != VERSION:
            migrate(self.url, place=self.place, extension=self._server is not None)

    @property
    def place(self) -> str:
        """Return the URL without its password, for messages."""
        return render_url(self.url)

    def close(self) -> None:
        """Close the connections, and the embedded server if no other process uses it."""
        pool, self._pool = self._pool, None
        if pool is not None:
            pool.close()
        if self._server is not None:
            self._server.close()

    def __enter__(self) -> Database:
        return self

    def __exit__(self, *_: object) -> None:
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
            # its retries become rarer with time: after this, the next caller makes it retry, so that it recovers as soon as the server does
            reconnect_timeout=self._timeout,
            max_idle=60,
            kwargs={"row_factory": dict_row, "application_name": "legal-pipeline"},
            check=_check,
            open=True,
        )
        # registered after the server's own handler, so it runs first: an open connection would keep the server running
        atexit.register(self._pool.close)
        return self._pool


def _check(connection: Connection[Any]) -> None:
    """Raise for a connection that the server has closed since its last use.

    A server that closes a connection sends a message, so a connection without incoming data needs no check query, which would double the
    round trips of a read.
    """
    import select

    from psycopg_pool import ConnectionPool

    waiting = select.poll()
    waiting.register(connection.pgconn.socket, select.POLLIN)
    if waiting.poll(0):
        ConnectionPool.check_connection(connection)

"""Migrations of the pipeline's own tables in PostgreSQL: reads a database's version and migrates it to the present version.

A change of the tables is a new module in `versions`, and its number here. Opening a database reads one row; only a database of an earlier
version is migrated. Not here: connections (`registry.database`), and the tables of collections (`stores.pgvector_tables`).
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from legal_pipeline.errors import ConfigurationError

#: The version of this package's tables: the number of the last module in `versions`.
VERSION = "0016"

#: Not Alembic's default name: Dagster stores its own version under that name in the same database.
VERSION_TABLE = "legal_pipeline_version"

_READ_VERSION = f"select version_num from {VERSION_TABLE}".encode()  # noqa: S608

#: Any constant, as long as every process uses the same one while it migrates.
_LOCK = 0x6C6567616C  # "legal"

#: While a statement waits for its lock on a table, readers of that table wait behind it: at most this long.
LOCK_TIMEOUT_SECONDS = 2.0
#: Between the tries the readers continue. After this time a user must end the blocking transaction.
MAX_LOCK_WAIT_SECONDS = 20.0
#: Maximum time that another process may need to migrate.
_OTHER_PROCESS_SECONDS = 300.0


def read_version(url: str) -> str | None:
    """Return the version of the tables at `url`; None for a database without tables, or with tables older than migrations.

    Takes only the lock of a reader of the version table. Raises `psycopg.OperationalError` if the server cannot be reached.
    """
    import psycopg

    with psycopg.connect(url, connect_timeout=10) as connection:
        try:
            row = connection.execute(_READ_VERSION).fetchone()
        except psycopg.errors.UndefinedTable:
            return None
    return str(row[0]) if row else None


def migrate(url: str, *, place: str, extension: bool, max_wait: float = MAX_LOCK_WAIT_SECONDS) -> None:
    """Migrate the tables at `url` to `VERSION`. Several processes may do so at once: one migrates, the others find it done.

    `extension`: also create pgvector's extension if it is missing. Raises `ConfigurationError` if another transaction blocks the
    migration for `max_wait` seconds, and for tables of a later version of this package. No partial migration is left then.
    """
    import sqlalchemy.exc

    give_up = time.monotonic() + max_wait
    while True:
        try:
            _upgrade(url, extension=extension)
            return
        except sqlalchemy.exc.OperationalError as error:
            import psycopg

            if not isinstance(error.orig, psycopg.errors.LockNotAvailable):
                raise ConfigurationError(f"the database at {place} cannot be used: {error.orig}") from error
            if time.monotonic() > give_up:
                raise ConfigurationError(
                    f"the tables at {place} must be brought to version {VERSION}, and another transaction has held one of them for "
                    f"{max_wait:.0f} seconds: end it (pg_stat_activity names it) and start again; nothing was changed"
                ) from error
            time.sleep(0.2)


def run_sql_beside(migration: str) -> None:
    """Run the statements of the file `.sql` beside the file of a migration."""
    from alembic import op

    statements = Path(migration).with_suffix(".sql").read_text("utf-8")
    op.get_bind().exec_driver_sql(statements, execution_options={"no_parameters": True})


def refuse_later_version(version: str, place: str) -> ConfigurationError:
    return ConfigurationError(
        f"the tables at {place} are of version {version}, this package knows {VERSION}: use the later release of the package"
    )


def _upgrade(url: str, *, extension: bool) -> None:
    """Migrate the tables to `VERSION` in one transaction."""
    import psycopg
    import sqlalchemy
    from alembic import command
    from alembic.config import Config

    def connect() -> psycopg.Connection[Any]:
        return psycopg.connect(url, connect_timeout=10)  # libpq reads the URL: SQLAlchemy encodes passwords differently

    engine = sqlalchemy.create_engine("postgresql+psycopg://", creator=connect, poolclass=sqlalchemy.NullPool)
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent))
    with engine.begin() as connection:
        _lock_timeout(connection, _OTHER_PROCESS_SECONDS)
        connection.execute(sqlalchemy.select(sqlalchemy.func.pg_advisory_xact_lock(_LOCK)))
        _lock_timeout(connection, LOCK_TIMEOUT_SECONDS)
        if extension:
            connection.exec_driver_sql("create extension if not exists vector")
        config.attributes["connection"] = connection
        command.upgrade(config, VERSION)


def _lock_timeout(connection: Any, seconds: float) -> None:
    connection.exec_driver_sql(f"set local lock_timeout = {round(seconds * 1000)}")

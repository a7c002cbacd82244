"""Workers: numbers that processes hold while they live, so that what a killed process has claimed is free at once.

A worker is alive as long as its connection holds the advisory lock of its number: no timeout could be too short or too long. Not here: what
is claimed (`registry.claims`: documents; `enrichment.journal`: requests to the language model).
"""

from __future__ import annotations

import atexit
import contextlib
import os
import socket
import threading
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from psycopg import Connection

    from legal_pipeline.registry.database import Database

#: First key of the advisory locks; any constant works if every process uses the same.
LOCK = 0x6C6C6D

#: Numbers of the live workers, as a subquery.
LIVE = f"""(select objid::bigint from pg_locks where locktype = 'advisory' and classid = {LOCK} and objsubid = 2 and granted
    and database = (select oid from pg_database where datname = current_database()))"""  # noqa: S608

#: The server ends the connection of a machine that has vanished after some two minutes; its own default is two hours.
_KEEPALIVES = """select set_config('tcp_keepalives_idle', '60', false), set_config('tcp_keepalives_interval', '10', false),
    set_config('tcp_keepalives_count', '6', false)"""


class Worker:
    """One worker; close it at its end. Safe in many threads. `number` is 0 until `present` is called first."""

    def __init__(self, database: Database) -> None:
        self.number = 0
        self._database = database
        self._connection: Connection[Any] | None = None
        self._lock = threading.Lock()

    def present(self) -> int:
        """Return the worker's number, with its lock held; taken again on a new connection if the old connection broke."""
        import psycopg

        with self._lock:
            if self._connection is not None:
                try:
                    self._connection.execute("select 1")
                except psycopg.Error:
                    self._connection.close()
                    self._connection = None
            if self._connection is None:
                self._connection = self._open()
            return self.number

    def close(self) -> None:
        """End this worker: others may claim what it still holds."""
        import psycopg

        with self._lock:
            atexit.unregister(self.close)
            if self._connection is not None:
                # the server would release the lock only when it has noticed that the connection is closed
                with contextlib.suppress(psycopg.Error):
                    self._connection.execute("select pg_advisory_unlock_all()")
                self._connection.close()
                self._connection = None

    def _open(self) -> Connection[Any]:
        import psycopg

        name = f"legal-pipeline worker {os.getpid()} on {socket.gethostname()[:30]}"
        connection = psycopg.connect(self._database.url, autocommit=True, application_name=name)
        connection.execute(_KEEPALIVES)
        if not self.number:
            # named after its first use; backups have it under this name
            row = connection.execute("select nextval('llm_workers')").fetchone()
            assert row is not None
            self.number = int(row[0])
        connection.execute("select pg_advisory_lock(%s, %s)", (LOCK, self.number))
        # an open connection would keep the embedded server running after this process
        atexit.register(self.close)
        return connection

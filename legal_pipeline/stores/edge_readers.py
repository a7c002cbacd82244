"""Shared reading of a collection of Qdrant Edge: one process reads it, the others send it queries over a local socket.

A folder can be open in one process at a time, and processes that search in turns would mainly open it. The first process that keeps the
collection open answers the others; when it ends, the next process with a query takes its place. Not here: the collection
(`stores.qdrant_edge`), and writers, which still get the folder.
"""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import socket
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from multiprocessing.connection import Client, Connection, Listener, answer_challenge, deliver_challenge
from pathlib import Path

from legal_pipeline import errors
from legal_pipeline.errors import LegalPipelineError, StoreError, StoreUnavailableError
from legal_pipeline.stores.store import Query, RankedLists
from legal_pipeline.system.file_locks import try_lock

_POLL_SECONDS = 0.02

#: Errors of a socket or its other end if that end is gone, or is not a reader of ours.
_GONE = (OSError, EOFError, ValueError)

Answer = Callable[[Sequence[Query]], list[RankedLists]]


class SharedReader:
    """This process's role among the readers of a collection: it answers the others with `answer`, or sends queries to the reader.

    The file `path` has the address of the socket and the key of the reading process, which holds a lock of the file. Both ends prove that
    they know the key. Safe in several threads.
    """

    def __init__(self, path: Path, answer: Answer, timeout: float) -> None:
        self._path = path
        self._answer = answer
        self._timeout = timeout
        self._mutex = threading.Lock()
        self._idle: list[Connection] = []
        self._served: set[Connection] = set()
        #: Number of current uses.
        self.users = 0
        self._listener: Listener | None = None
        self._lock: int | None = None

    def ask(self, queries: Sequence[Query]) -> list[RankedLists] | None:
        """Return the answer of the reading process; None if this process is the reader.

        Raises the errors of that process, and `StoreUnavailableError` if it does not answer in time.
        """
        until = time.monotonic() + self._timeout
        while not self._reads():
            try:
                connection = self._connection()
                connection.send(queries)
                if not connection.poll(self._timeout):
                    connection.close()
                    raise StoreUnavailableError(
                        f"the process that reads {self._path.stem} did not answer in {self._timeout:g} s"
                    )
                kind, found = connection.recv()
            except _GONE as error:
                if time.monotonic() > until:
                    raise StoreUnavailableError(
                        f"the process that reads {self._path.stem} does not answer: {error}"
                    ) from error
                time.sleep(_POLL_SECONDS)
                continue
            with self._mutex:
                self._idle.append(connection)
            if kind is not None:
                raise getattr(errors, kind, StoreError)(found)
            answers: list[RankedLists] = found
            return answers
        return None

    def close(self) -> None:
        with self._mutex:
            for connection in self._idle:
                connection.close()
            self._idle.clear()
            if self._lock is None or self._listener is None:
                return
            os.ftruncate(self._lock, 0)
            os.close(self._lock)
            listener, self._listener, self._lock = self._listener, None, None
            for connection in self._served:
                _hang_up(connection)
        with contextlib.suppress(*_GONE):
            Client(listener.address, family="AF_UNIX").close()  # `accept` would not notice that its socket was closed
        listener.close()

    def _reads(self) -> bool:
        """Return whether this process is the reader; if there is no reader, it becomes the reader."""
        with self._mutex:
            if self._lock is not None:
                return True
            descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)
            if not try_lock(descriptor):
                os.close(descriptor)
                return False
            key = secrets.token_bytes(32)
            try:
                # not next to the collection: the address of a socket has at most 100 characters
                address = os.path.join(tempfile.gettempdir(), f"legal-pipeline-{secrets.token_hex(8)}.socket")
                self._listener = Listener(address, family="AF_UNIX", backlog=64)
            except OSError:  # a socket cannot be created: this process reads for itself, in turn with the others
                os.close(descriptor)
                return True
            self._lock = descriptor
            place = json.dumps({"address": self._listener.address, "key": key.hex()}).encode()
            os.ftruncate(descriptor, 0)
            os.pwrite(descriptor, place, 0)
            # a daemon: a process that ends without closing gives up its role anyway
            threading.Thread(
                target=self._accept, args=(self._listener, key), name="reader for all", daemon=True
            ).start()
            return True

    def _connection(self) -> Connection:
        with self._mutex:
            if self._idle:
                return self._idle.pop()
        place = json.loads(self._path.read_text("utf-8"))  # ValueError: it is being written
        connection = Client(place["address"], family="AF_UNIX")
        key = bytes.fromhex(place["key"])
        _prove(connection, lambda: answer_challenge(connection, key), lambda: deliver_challenge(connection, key))
        return connection

    def _accept(self, listener: Listener, key: bytes) -> None:
        with contextlib.suppress(OSError):  # closed
            while True:
                connection = listener.accept()
                with self._mutex:
                    if self._listener is not listener:
                        connection.close()
                        return
                    self._served.add(connection)
                threading.Thread(target=self._serve, args=(connection, key), daemon=True).start()

    def _serve(self, connection: Connection, key: bytes) -> None:
        try:
            with contextlib.suppress(*_GONE):
                _prove(
                    connection, lambda: deliver_challenge(connection, key), lambda: answer_challenge(connection, key)
                )
                while True:
                    connection.send(self._answered(connection.recv()))
        finally:
            with self._mutex:
                self._served.discard(connection)
            connection.close()

    def _answered(self, queries: Sequence[Query]) -> tuple[str | None, object]:
        """Return (None, answer), or (name of the error, its message)."""
        try:
            return None, self._answer(queries)
        except LegalPipelineError as error:
            return type(error).__name__, str(error)


def _hang_up(connection: Connection) -> None:
    """Shut the connection down, which wakes the thread that reads it."""
    with contextlib.suppress(OSError), socket.socket(fileno=os.dup(connection.fileno())) as line:
        line.shutdown(socket.SHUT_RDWR)


def _prove(connection: Connection, *steps: Callable[[], None]) -> None:
    from multiprocessing import AuthenticationError

    try:
        for step in steps:
            step()
    except AuthenticationError as error:
        connection.close()
        raise EOFError(str(error)) from error

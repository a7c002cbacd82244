"""A collection of Qdrant Edge that this process has open, and the thread that releases it when another process wants it.

Not here: the files (`stores.edge_files`) and the store (`stores.qdrant_edge`).
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from legal_pipeline.errors import MissingCollectionError
from legal_pipeline.stores.collection_lock import CollectionLock
from legal_pipeline.stores.edge_damage import damaged, is_damage, is_of_the_extension
from legal_pipeline.stores.edge_shard import Shard

#: Minimum time that a session keeps the folder open; otherwise two alternating sessions would only open it.
_MIN_HOLD_SECONDS = 0.25

#: Interval at which the keeper of open collections checks whether another process waits for one of them.
_POLL_SECONDS = 0.02


class Keeper:
    """A thread that calls `make_room` repeatedly while at least one caller is `working`."""

    def __init__(self, make_room: Callable[[], None]) -> None:
        self._make_room = make_room
        self._mutex = threading.Lock()
        self._users = 0
        self._stop = threading.Event()

    @contextlib.contextmanager
    def working(self) -> Iterator[None]:
        with self._mutex:
            self._users += 1
            if self._users == 1:
                self._stop = threading.Event()
                # a daemon: a process that ends without closing releases everything anyway
                threading.Thread(
                    target=self._run, args=(self._stop,), name="collections kept open", daemon=True
                ).start()
        try:
            yield
        finally:
            with self._mutex:
                self._users -= 1
                if not self._users:
                    self._stop.set()

    def _run(self, stop: threading.Event) -> None:
        while not stop.wait(_POLL_SECONDS):
            try:
                self._make_room()
            except BaseException as error:
                # retried at the next interval; the next call that opens the collection reports the error
                if not (is_of_the_extension(error) or isinstance(error, OSError)):
                    raise


class OpenCollection:
    """A collection's lock and, while held, its open shard."""

    def __init__(self, folder: Path, lock: CollectionLock, max_new_points: int) -> None:
        self._folder = folder
        self._max_new_points = max_new_points
        self._lock = lock
        self._shard: Shard | None = None
        self._since = 0.0
        self.sessions: list[str] = []
        self.calls = 0

    @property
    def is_open(self) -> bool:
        return self._shard is not None

    def shard(self, purpose: str, meanwhile: Callable[[], None]) -> Shard:
        if self._shard is None:
            self._verify_there()  # before a lock file is created for it
            self._lock.acquire(purpose, meanwhile)
            try:
                self._verify_there()  # it may have been dropped while this process waited
                self._shard = Shard.load(self._folder, self._max_new_points)
            except BaseException as error:
                self._lock.release()
                if is_of_the_extension(error) and is_damage(error):
                    raise damaged(self._folder, error) from error
                raise
            self._since = time.monotonic()
        return self._shard

    def _verify_there(self) -> None:
        if not self._folder.is_dir():
            raise MissingCollectionError(
                f"there is no collection {self._folder.name} in {self._folder.parent}: nothing was indexed yet, or it was dropped; "
                "`legal-pipeline ingest` or `legal-pipeline reconcile --repair` makes it"
            )

    def make_room(self) -> None:
        if self._shard is not None and time.monotonic() - self._since >= _MIN_HOLD_SECONDS and self._lock.wanted():
            self.close()

    def close(self) -> None:
        try:
            if self._shard is not None:
                self._shard.close()
        finally:
            self._shard = None
            self._lock.release()

    def discard(self) -> None:
        """Close a damaged collection as far as possible."""
        try:
            self.close()
        except BaseException as error:
            if not is_of_the_extension(error):
                raise

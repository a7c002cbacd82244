"""One opener at a time per collection on this machine; the wait reports the holder, and a holder can see that another process waits.

Not here: opening the collection. Both locks are `flock`s: the kernel releases them when a process ends in any way.
"""

from __future__ import annotations

import contextlib
import json
import os
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from legal_pipeline.errors import StoreUnavailableError
from legal_pipeline.system.file_locks import try_lock

_POLL_SECONDS = 0.01


class CollectionLock:
    """Exclusive lock of `<path>.lock`. A process that waits for it holds a second lock, the turnstile `<path>.wanted`.

    Only one process can hold the turnstile, which makes the lock fair: a holder that releases the lock and wants it again queues behind
    those that waited. The turnstile also shows the holder that another process waits.
    """

    def __init__(self, path: Path, timeout: float) -> None:
        self._lock_path = path.with_name(f"{path.name}.lock")
        self._turnstile_path = path.with_name(f"{path.name}.wanted")
        self._timeout = timeout
        self._descriptor: int | None = None

    def acquire(self, purpose: str, meanwhile: Callable[[], None] = lambda: None) -> None:
        """Wait for the lock; on timeout raise StoreUnavailableError with the holder's process and purpose.

        While waiting, call `meanwhile` repeatedly.
        """
        self._lock_path.parent.mkdir(parents=True, exist_ok=True)
        end = time.monotonic() + self._timeout
        descriptor = os.open(self._lock_path, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            with self._turnstile_path.open("ab") as turnstile:
                while not (try_lock(turnstile) and try_lock(descriptor)):
                    if time.monotonic() >= end:
                        raise StoreUnavailableError(
                            f"the collection {self._lock_path.stem} is in use by {_holder(descriptor)}; "
                            f"waited {self._timeout:g} s. Try again when that process has finished or was ended, or use a Qdrant "
                            "server (QDRANT_URL), which several processes can use at once"
                        )
                    meanwhile()
                    time.sleep(_POLL_SECONDS)
            holder = {"pid": os.getpid(), "purpose": purpose, "since": datetime.now(UTC).isoformat(timespec="seconds")}
            os.ftruncate(descriptor, 0)
            os.pwrite(descriptor, json.dumps(holder).encode(), 0)
        except BaseException:
            os.close(descriptor)
            raise
        self._descriptor = descriptor

    def release(self) -> None:
        if self._descriptor is not None:
            os.ftruncate(self._descriptor, 0)
            os.close(self._descriptor)
            self._descriptor = None

    def wanted(self) -> bool:
        """Return whether another process or thread waits for this lock."""
        with self._turnstile_path.open("ab") as turnstile:
            return not try_lock(turnstile)


def _holder(descriptor: int) -> str:
    with contextlib.suppress(ValueError, KeyError, TypeError):
        holder = json.loads(os.pread(descriptor, 4096, 0))
        return f"process {holder['pid']} ({holder['purpose']}) since {holder['since']}"
    return "another process"

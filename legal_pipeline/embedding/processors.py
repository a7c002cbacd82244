"""Divide the processors of this machine between the processes that work at the same time.

If each of two processes has one model thread per processor, they wait for each other at the end of every matrix: on two cores that took
twice as long as one thread each. Not here: the number of processes (`concurrency` in `dagster.yaml`).
"""

from __future__ import annotations

import contextlib
import fcntl
import os
from collections.abc import Callable, Iterator
from pathlib import Path

from legal_pipeline.embedding.available_processors import available_processors
from legal_pipeline.system.file_locks import try_lock

#: Maximum number of processes that are counted.
_SLOTS = 64


class Processors:
    """Shares of the available processors, for all processes with the same `directory`.

    Each working process holds the lock of a file in it; the kernel releases the lock when the process ends, in every case.
    """

    def __init__(self, directory: Path, available: Callable[[], int] = available_processors) -> None:
        self._directory = directory
        self._available = available

    @contextlib.contextmanager
    def working(self) -> Iterator[None]:
        """Count this process while the block runs. If no file can be written, no process is counted."""
        try:
            descriptor = self._slot()
        except OSError:
            descriptor = None
        try:
            yield
        finally:
            if descriptor is not None:
                os.close(descriptor)

    def share(self) -> int:
        """Return the processors for each process that works now, at least 1; all of them if no other process works or is counted."""
        taken = sum(_is_taken(path) for path in self._directory.glob("*.lock"))
        return max(1, self._available() // max(1, taken))

    def _slot(self) -> int | None:
        self._directory.mkdir(parents=True, exist_ok=True)
        for number in range(_SLOTS):
            descriptor = os.open(self._directory / f"{number}.lock", os.O_RDWR | os.O_CREAT, 0o644)
            if try_lock(descriptor):
                return descriptor
            os.close(descriptor)
        return None


def _is_taken(path: Path) -> bool:
    with path.open("rb") as file:
        # shared: two processes that count at the same time do not count each other
        return not try_lock(file, fcntl.LOCK_SH)

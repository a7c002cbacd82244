"""How the processes that work on this machine at once divide its processors.

Two processes with a thread of the model per processor each wait for one another at the end of every matrix: on two cores that took twice
as long as one thread each. Not here: how many processes there are (`concurrency` in `dagster.yaml`).
"""

from __future__ import annotations

import contextlib
import fcntl
import os
from collections.abc import Callable, Iterator
from pathlib import Path

from legal_pipeline.embedding.available_processors import available_processors

#: More processes than these are not counted.
_SLOTS = 64


class Processors:
    """Shares of the available processors, for the processes that name the same `directory`.

    Each that works holds the lock of a file in it, which the kernel releases however the process ends.
    """

    def __init__(self, directory: Path, available: Callable[[], int] = available_processors) -> None:
        self._directory = directory
        self._available = available

    @contextlib.contextmanager
    def working(self) -> Iterator[None]:
        """Count this process for the time of the block. Where no file can be written nobody is counted."""
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
        """Processors for each process that works now, at least 1; all of them for one that works alone or is not counted."""
        taken = sum(_is_taken(path) for path in self._directory.glob("*.lock"))
        return max(1, self._available() // max(1, taken))

    def _slot(self) -> int | None:
        self._directory.mkdir(parents=True, exist_ok=True)
        for number in range(_SLOTS):
            descriptor = os.open(self._directory / f"{number}.lock", os.O_RDWR | os.O_CREAT, 0o644)
            if _try_lock(descriptor, fcntl.LOCK_EX):
                return descriptor
            os.close(descriptor)
        return None


def _is_taken(path: Path) -> bool:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        # shared: two that count at once do not count each other
        return not _try_lock(descriptor, fcntl.LOCK_SH)
    finally:
        os.close(descriptor)


def _try_lock(descriptor: int, kind: int) -> bool:
    try:
        fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True

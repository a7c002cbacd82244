"""What a piece of a benchmark spends: wall time, processor time of this process and of PostgreSQL, and bytes on the disk.

Not here: what is measured.
"""

from __future__ import annotations

import contextlib
import os
import resource
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import psutil

#: Gives the processor time of this process that does not count: that of a stand-in.
NotCounted = Callable[[], float]


@dataclass
class Spent:
    """Seconds: `wall`, and processor time `ours` (with ended children) and of PostgreSQL with all of its processes."""

    wall: float = 0
    ours: float = 0
    postgres: float = 0

    @property
    def processor(self) -> float:
        return self.ours + self.postgres


class Meter:
    """Measures blocks of code of one process that uses the PostgreSQL server of a data folder."""

    def __init__(self, postgres: Path, not_counted: NotCounted = lambda: 0.0) -> None:
        self._server = psutil.Process(int((postgres / "postmaster.pid").read_text().split("\n", 1)[0]))
        self._not_counted = not_counted

    @contextlib.contextmanager
    def measured(self, total: Spent | None = None) -> Iterator[Spent]:
        """Add what the block spends to `total`, or to a new `Spent`."""
        spent = Spent() if total is None else total
        before = self._now()
        try:
            yield spent
        finally:
            after = self._now()
            spent.wall += after.wall - before.wall
            spent.ours += after.ours - before.ours
            spent.postgres += after.postgres - before.postgres

    def _now(self) -> Spent:
        own, ended = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
        ours = own.ru_utime + own.ru_stime + ended.ru_utime + ended.ru_stime - self._not_counted()
        return Spent(time.perf_counter(), ours, processor_of(self._server))


def processor_of(process: psutil.Process) -> float:
    """The processor time of a process and of all that it started, running or ended."""
    total = sum(process.cpu_times()[:4])
    for child in process.children(recursive=True):
        with contextlib.suppress(psutil.NoSuchProcess):  # ended meanwhile: its time is its parent's from now on
            total += sum(child.cpu_times()[:4])
    return float(total)


def peak_megabytes() -> float:
    """The most memory that this process has had resident, with pages of mapped files: those of an index are the system's to take back."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


class OwnMemory:
    """Samples the memory that this process allocated itself, without mapped files; `peak`: the most so far, in MB."""

    def __init__(self, seconds: float = 0.2) -> None:
        self.peak = 0.0
        self._seconds = seconds
        threading.Thread(target=self._sample, name="memory", daemon=True).start()

    def _sample(self) -> None:
        process = psutil.Process()
        while True:
            held = process.memory_info()
            self.peak = max(self.peak, (held.rss - held.shared) / 2**20)
            time.sleep(self._seconds)


@dataclass
class Disk:
    """`size`: bytes of the files; `allocated`: bytes of their blocks; `most_entries`: of one folder."""

    files: int = 0
    size: int = 0
    allocated: int = 0
    most_entries: int = 0


def disk_of(folder: Path) -> Disk:
    """What stands under `folder`; nothing if it does not exist."""
    found = Disk()
    for place, folders, files in os.walk(folder):
        found.most_entries = max(found.most_entries, len(folders) + len(files))
        for name in files:
            status = os.lstat(os.path.join(place, name))
            found.files += 1
            found.size += status.st_size
            found.allocated += status.st_blocks * 512
    return found

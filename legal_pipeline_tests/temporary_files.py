"""The temporary files of a test session, in memory where there is room for them.

Qdrant Edge flushes a hundred files whenever it makes or changes a collection. On a disk that is most of the time of a test that runs the
pipeline: making a collection takes 1 s there and 0.1 s in memory. What must be on a disk asks for one (`stores.test_edge_durability`).
"""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

import psutil

_MEMORY = Path("/dev/shm")
_PREFIX = "legal-pipeline-tests-"
#: Bytes that must be free. A collection takes 120 MB here, since its files are not sparse; its test's folder goes when the test has passed.
_ROOM = 8_000_000_000


def keep_in_memory() -> Path | None:
    """Have this process, and those it starts, put temporary files in a folder in memory; returns the folder, for `remove`.

    None, and nothing is changed, if `TMPDIR` is set (as it is in the workers of pytest-xdist by their controller) or memory is short.
    """
    if "TMPDIR" in os.environ or not _MEMORY.is_dir():
        return None
    _remove_left_over()
    if min(shutil.disk_usage(_MEMORY).free, psutil.virtual_memory().available) < _ROOM:
        return None
    if (
        os.statvfs(_MEMORY).f_flag & os.ST_NOEXEC
    ):  # so do containers; the tests of the wheel run what they have installed
        return None
    folder = _MEMORY / f"{_PREFIX}{os.getpid()}"
    folder.mkdir(mode=0o755)  # PostgreSQL runs under another account
    os.environ["TMPDIR"] = str(folder)
    tempfile.tempdir = None  # asked for again
    return folder


def remove(folder: Path) -> None:
    del os.environ["TMPDIR"]
    tempfile.tempdir = None
    shutil.rmtree(folder, ignore_errors=True)


def _remove_left_over() -> None:
    """Remove the folders of sessions that were killed, or that kept theirs because a test failed."""
    for folder in _MEMORY.glob(f"{_PREFIX}*"):
        if not psutil.pid_exists(int(folder.name.removeprefix(_PREFIX))):
            shutil.rmtree(folder, ignore_errors=True)

"""Locks of files, which the kernel releases when a process ends in any way. Not here: what they protect."""

from __future__ import annotations

import fcntl
from typing import IO


def try_lock(file: int | IO[bytes], kind: int = fcntl.LOCK_EX) -> bool:
    """Take the lock of an open file, and return True, unless another open file of the same path holds it."""
    try:
        fcntl.flock(file, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True

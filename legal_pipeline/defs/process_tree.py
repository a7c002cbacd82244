"""Processes that were started together: find them and end them together, even if their parent processes are gone.

They are marked by an environment variable. Their child processes inherit it, also those that start their own session. Not here: starting
them (`defs.launch`).
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import sys
import time

import psutil

#: Maximum seconds until killed processes are gone.
_KILL_SECONDS = 10
_PR_SET_PDEATHSIG = 1


def marked(name: str, value: str) -> list[psutil.Process]:
    """Return the living processes, except this process, whose environment has `value` under `name`."""
    found = []
    for process in psutil.process_iter():
        try:
            if process.pid != os.getpid() and process.environ().get(name) == value:
                found.append(process)
        except (psutil.Error, OSError):  # ended meanwhile, or another user's
            continue
    return found


def end_marked(name: str, value: str, *, timeout: float) -> None:
    """Send SIGTERM to the marked processes, and kill those that are still alive after `timeout` seconds, until none is left."""
    asked = marked(name, value)
    for process in asked:
        with contextlib.suppress(psutil.NoSuchProcess):
            process.terminate()
    psutil.wait_procs(asked, timeout=timeout)
    deadline = time.monotonic() + _KILL_SECONDS
    # again, for processes that were started meanwhile
    while (left := marked(name, value)) and time.monotonic() < deadline:
        for process in left:
            with contextlib.suppress(psutil.NoSuchProcess):
                process.kill()
        psutil.wait_procs(left, timeout=1)


def die_with_parent() -> None:
    """For a new process (`preexec_fn`): send it an interrupt when its parent dies, also by SIGKILL. Works only on Linux."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGINT)

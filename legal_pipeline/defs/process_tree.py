"""Processes that were started together, and how they are ended together, whatever has become of their parents.

A variable in the environment is their mark. Whatever they start themselves inherits it, also what detaches itself into a session of its
own. Not here: what is started (`defs.launch`).
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import time
from collections.abc import Callable

import psutil

#: How long killed processes may take to be gone.
_KILL_SECONDS = 10
_PR_SET_PDEATHSIG = 1


def marked(name: str, value: str) -> list[psutil.Process]:
    """The living processes, but this one, whose environment has `value` under `name`."""
    found = []
    for process in psutil.process_iter():
        try:
            if process.pid != os.getpid() and process.environ().get(name) == value:
                found.append(process)
        except (psutil.Error, OSError):  # gone by now, or another user's
            continue
    return found


def end_marked(name: str, value: str, *, timeout: float) -> None:
    """Ask the marked processes to end (SIGTERM), and kill those that are there after `timeout` seconds, until there is none."""
    asked = marked(name, value)
    for process in asked:
        _signal(process.terminate)
    psutil.wait_procs(asked, timeout=timeout)
    deadline = time.monotonic() + _KILL_SECONDS
    # again, for what was started meanwhile
    while (left := marked(name, value)) and time.monotonic() < deadline:
        for process in left:
            _signal(process.kill)
        psutil.wait_procs(left, timeout=1)


def die_with_parent() -> None:
    """To be called in a new process (`preexec_fn`): it is interrupted when its parent dies, SIGKILL included. Linux alone can do it."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGINT)


def _signal(send: Callable[[], None]) -> None:
    try:
        send()
    except psutil.NoSuchProcess:
        return

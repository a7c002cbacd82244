"""A process beside a test session that ends whatever the session has started, when the session is over or its process is gone.

Started as a file: it imports nothing but the standard library. Not here: the marks (`processes`).
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import time
from pathlib import Path

_PR_SET_PDEATHSIG = 1
_PATIENCE_SECONDS = 3.0


def main() -> None:
    mark, session = f"{sys.argv[1]}={sys.argv[2]}".encode(), int(sys.argv[3])
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM, signal.SIGINT, signal.SIGHUP})
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
    while os.getppid() == session:  # it may have died before it could be told
        if signal.sigtimedwait({signal.SIGTERM}, 5):
            break
    sweep(mark)


def sweep(mark: bytes) -> None:
    """End all processes with `mark` in their environment: they are asked first, so that servers take their shared memory with them."""
    deadline = time.monotonic() + _PATIENCE_SECONDS
    for pid in marked(mark):
        _send(pid, signal.SIGTERM)
    while found := marked(mark):
        if time.monotonic() > deadline:
            for pid in found:
                _send(pid, signal.SIGKILL)
        time.sleep(0.05)


def marked(mark: bytes) -> list[int]:
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            # Python's own resource tracker ends with the process that it belongs to, and asks not to be stopped
            is_tracker = b"multiprocessing.resource_tracker" in (folder / "cmdline").read_bytes()
            if not is_tracker and mark in (folder / "environ").read_bytes().split(b"\0"):
                found.append(int(folder.name))
        except OSError:  # gone by now, or another user's
            continue
    return found


def _send(pid: int, number: signal.Signals) -> None:
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        return


if __name__ == "__main__":
    main()

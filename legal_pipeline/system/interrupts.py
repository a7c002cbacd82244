"""Reliable interrupts: Ctrl-C, a service manager's SIGTERM and a closed terminal all end a command in order, with any library.

Not here: the message of the command line (`cli`).
"""

from __future__ import annotations

import contextlib
import os
import signal
import threading
from collections.abc import Iterator
from typing import Any

#: The signals that end a command in order.
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Interrupts:
    """Whether an interrupt came during `watching`.

    Dagster installs its own handlers while it runs a job, and loses an interrupt that comes at its end: one Ctrl-C in four did nothing. The
    byte that Python writes for each signal, independent of its handler, is not lost.
    """

    def __init__(self, received: int | None = None) -> None:
        self._received = received
        self._came = False

    @property
    def came(self) -> bool:
        if not self._came and self._received is not None:
            with contextlib.suppress(BlockingIOError):
                self._came = any(number in SIGNALS for number in os.read(self._received, 1024))
        return self._came

    def check(self) -> None:
        """Raise `KeyboardInterrupt` if an interrupt came."""
        if self.came:
            raise KeyboardInterrupt


@contextlib.contextmanager
def watching() -> Iterator[Interrupts]:
    """Yield the interrupts during the block. Python reports signals only to the main thread: in other threads there are none."""
    if threading.current_thread() is not threading.main_thread():
        yield Interrupts()
        return
    received, notified = os.pipe()
    os.set_blocking(received, False)
    os.set_blocking(notified, False)
    before = signal.set_wakeup_fd(notified, warn_on_full_buffer=False)
    try:
        yield Interrupts(received)
    finally:
        signal.set_wakeup_fd(before)
        os.close(received)
        os.close(notified)


def interrupt_on_every_signal() -> None:
    """Let SIGTERM and SIGHUP interrupt this process like Ctrl-C, so that its child processes are ended in order."""
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is signal.SIG_DFL:  # `nohup` ignores it
            signal.signal(number, _raise)


def _raise(*_: Any) -> None:
    raise KeyboardInterrupt

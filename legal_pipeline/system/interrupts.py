"""Interrupts that no library loses: Ctrl-C, a service manager's SIGTERM and a closed terminal all end a command in order.

Not here: what the command line says of it (`cli`).
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
    """Whether an interrupt came in the time of `watching`.

    Dagster puts handlers of its own in place while it runs a job, and forgets an interrupt that came at its end: one Ctrl-C in four did
    nothing. The kernel's word, a byte for each signal whatever its handler is, does not get lost.
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
        """Raise `KeyboardInterrupt` when one came."""
        if self.came:
            raise KeyboardInterrupt


@contextlib.contextmanager
def watching() -> Iterator[Interrupts]:
    """The interrupts of the time of the block. Python tells the main thread alone: elsewhere none ever comes."""
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
    """Let SIGTERM and SIGHUP interrupt this process as Ctrl-C does, so that what it started is ended in order."""
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is signal.SIG_DFL:  # `nohup` has it ignored
            signal.signal(number, _raise)


def _raise(*_: Any) -> None:
    raise KeyboardInterrupt

"""Pauses Python's garbage collection of cycles while one document is parsed or chunked.

A large Act is some hundred thousand small objects, and hardly any are in cycles: the repeated search for cycles took a fifth of the time
of parsing, and a third of the time of chunking an Act of 5 MB. Not here: memory limits of a document.
"""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Iterator


@contextlib.contextmanager
def without_cycle_search() -> Iterator[None]:
    """During the block cycles are not collected, in any thread; objects that become unreachable meanwhile are collected afterwards."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()

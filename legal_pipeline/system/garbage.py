"""Pauses Python's search for unreachable cycles while one document is read or cut into chunks.

A large Act is some hundred thousand small objects, of which hardly any stand in cycles: looking through them again and again took a fifth
of the time of parsing, and a third of the time of cutting an Act of 5 MB. Not here: how much memory a document may take.
"""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Iterator


@contextlib.contextmanager
def without_cycle_search() -> Iterator[None]:
    """While the context lasts no cycles are looked for, in any thread; what became unreachable meanwhile is found afterwards."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()

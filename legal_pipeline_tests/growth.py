"""How work grows with its input, as a ratio that no slow machine changes.

Not here: what is allowed in seconds or bytes.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable

#: Work over 4n may take this many times as long as over n: 4 is linear, 16 quadratic.
NEARLY_LINEAR = 8.0


def growth(make: Callable[[int], Callable[[], object]], n: int) -> float:
    """How many times the processor time of `n` the work of `4n` takes, through `2n`; the best of three runs each.

    `make(n)` prepares the work, which is not counted, and returns it.
    """
    times = {size: _best(make(size)) for size in (n, 2 * n, 4 * n)}
    # Three points: one lucky run of the smallest size is no growth.
    return min(times[4 * n] / times[n], (times[4 * n] / times[2 * n]) ** 2)


def _best(work: Callable[[], object]) -> float:
    best = float("inf")
    collects = gc.isenabled()
    gc.disable()
    try:
        for _ in range(3):
            started = time.process_time()
            work()
            best = min(best, max(time.process_time() - started, 1e-4))
    finally:
        if collects:
            gc.enable()
    return best

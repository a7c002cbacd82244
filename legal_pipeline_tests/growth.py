"""How much processor time work takes, and how that grows with its input: measures that other work on the machine changes little.

Not here: what is allowed in seconds or bytes.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator

from legal_pipeline.system.garbage import without_cycle_search

#: Work over 4n may take this many times as long as over n: 4 is linear, 16 quadratic.
NEARLY_LINEAR = 8.0


def growth(make: Callable[[int], Callable[[], object]], n: int) -> float:
    """How many times the processor time of `n` the work of `4n` takes, the best of three runs each; if that is not nearly linear, also
    through `2n`.

    `make(n)` prepares the work, which is not counted, and returns it.
    """
    once, work = best_of_three(make(n)), make(4 * n)
    four_times = _seconds(work)
    if four_times / once < NEARLY_LINEAR:  # more runs could only make it less
        return four_times / once
    # Three points: one lucky run of the smallest size is not a growth.
    twice = best_of_three(make(2 * n))
    four_times = min(four_times, _seconds(work), _seconds(work))
    return min(four_times / once, (four_times / twice) ** 2)


@contextlib.contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Fails the test when the block takes more processor time, without collections of garbage."""
    # what other tests left in this process is looked through again and again: 1.9 s in place of 1.2
    with without_cycle_search():
        started = time.process_time()
        yield
        spent = time.process_time() - started
    assert spent <= seconds, f"{spent:.2f} s of processor time, at most {seconds} expected"


def best_of_three(work: Callable[[], object], enough: float = 0.0) -> float:
    """The least processor time that three runs of `work` take, in seconds, without collections of garbage; no further run follows one of
    at most `enough` seconds."""
    least = float("inf")
    for _ in range(3):
        least = min(least, _seconds(work))
        if least <= enough:
            break
    return least


def _seconds(work: Callable[[], object]) -> float:
    # what other tests left in this process is looked through again and again: 1.9 s in place of 1.2
    with without_cycle_search():
        started = time.process_time()
        work()
        return max(time.process_time() - started, 1e-4)

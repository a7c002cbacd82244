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
    """How many times the processor time of `n` the work of `4n` takes, through `2n`; the best of three runs each.

    `make(n)` prepares the work, which is not counted, and returns it.
    """
    once, twice = (best_of_three(make(size)) for size in (n, 2 * n))
    work, ratio = make(4 * n), float("inf")
    for _ in range(3):
        four_times = _seconds(work)
        # Three points: one lucky run of the smallest size is not a growth.
        ratio = min(ratio, four_times / once, (four_times / twice) ** 2)
        if ratio < NEARLY_LINEAR:  # another run could only make it less
            break
    return ratio


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

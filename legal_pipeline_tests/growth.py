"""How much processor time work takes, and how that grows with its input: measures that other work on the machine changes little.

A limit in seconds is one of a reference machine. A slower machine is allowed more: `allowed` times a fixed piece of work there and then.
Not here: what is allowed in seconds or bytes.
"""

from __future__ import annotations

import contextlib
import re
import time
from collections.abc import Callable, Iterator

from legal_pipeline.system.garbage import without_cycle_search

#: Work over 4n may take this many times as long as over n: 4 is linear, 16 quadratic.
NEARLY_LINEAR = 8.0

#: Processor time of `_reference_work` on the reference machine: two cores of an EPYC of 2023, one of them busy.
_REFERENCE_SECONDS = 0.02
_REFERENCE_TEXT = " ".join(
    f"({n}) A barge pays {n} crowns; the keeper of lock {n % 7} writes it down." for n in range(2500)
)


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


def allowed(seconds: float) -> float:
    """`seconds` of the reference machine in seconds of this one as it is now: the same, or more if it is slower."""
    return seconds * max(1.0, best_of_three(_reference_work) / _REFERENCE_SECONDS)


def check_seconds(spent: float, limit: float, work: str = "work") -> None:
    """Fails the test when `spent` seconds are more than `limit` seconds of the reference machine; `work` names what took them."""
    if spent > limit:  # a machine that keeps the limit as it stands is not timed
        here = allowed(limit)
        assert spent <= here, f"{work} took {spent:.2f} s, at most {here:.2f} s expected on this machine"


@contextlib.contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Fails the test when the block takes more processor time, without collections of garbage; in seconds of the reference machine."""
    # what other tests left in this process is looked through again and again: 1.9 s in place of 1.2
    with without_cycle_search():
        started = time.process_time()
        yield
        spent = time.process_time() - started
    check_seconds(spent, seconds)


def best_of_three(work: Callable[[], object], enough: float = 0.0) -> float:
    """The least processor time that three runs of `work` take, in seconds, without collections of garbage; no further run follows one of
    at most `enough` seconds."""
    least = float("inf")
    for _ in range(3):
        least = min(least, _seconds(work))
        if least <= enough:
            break
    return least


def _reference_work() -> object:
    """Work like that of a parser: a pattern, words, a table of their places."""
    places: dict[str, list[tuple[int, int]]] = {}
    for match in re.finditer(r"\w+", _REFERENCE_TEXT):
        places.setdefault(match.group().casefold(), []).append(match.span())
    return sorted(places.items())


def _seconds(work: Callable[[], object]) -> float:
    # what other tests left in this process is looked through again and again: 1.9 s in place of 1.2
    with without_cycle_search():
        started = time.process_time()
        work()
        return max(time.process_time() - started, 1e-4)

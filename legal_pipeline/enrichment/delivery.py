"""What comes of handing requests to the service, and the patience with which calls are made again.

Not here: the two ways of doing it (`enrichment.interactive`, `enrichment.batches`).
"""

from __future__ import annotations

import math
import random
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TypeVar

from legal_pipeline.enrichment.request import NoReply, Outcome, Request
from legal_pipeline.enrichment.service import ServiceError
from legal_pipeline.errors import LanguageModelError, WaitingForBatchError

T = TypeVar("T")


@dataclass(frozen=True)
class Pace:
    """Times in seconds. `attempts` per call; after `circuit` calls in a row that failed all of theirs, nothing more is sent.
    A `retry-after` above `longest_wait` stops the run's requests too. `batch_wait`: how long a batch may take, and how long anybody waits
    for what another worker is at. `batch_hold`: how long a call stays with a batch that has not ended, before it leaves the batch to a
    later one."""

    attempts: int = 5
    first_delay: float = 0.5
    longest_delay: float = 30.0
    longest_wait: float = 60.0
    circuit: int = 3
    poll: float = 30.0
    batch_wait: float = 25 * 3600.0
    batch_hold: float = math.inf

    @property
    def busy_elsewhere(self) -> str:
        """What is said of a request when the wait for the worker that is at it has lasted too long."""
        waited = timedelta(seconds=round(self.batch_wait))
        return f"another run is at this request and has no answer after a wait of {waited}; the next run looks again"

    def delay(self, attempt: int) -> float:
        """Before attempt `attempt + 1` (from 0): exponential, with jitter so that workers do not come back in step."""
        delay: float = min(self.longest_delay, self.first_delay * 2**attempt)
        return delay * random.uniform(0.75, 1.25)  # noqa: S311


@dataclass
class Delivery:
    """`outcomes` by request key: one for every request but those in `batched` (they are in a batch: fetch them there)."""

    outcomes: dict[str, Outcome] = field(default_factory=dict)
    batched: list[Request] = field(default_factory=list)
    stopped: LanguageModelError | None = None

    def stop_for_batches(self) -> None:
        """Say that some answers are still to come, unless something worse stopped the delivery."""
        batches = [
            outcome.batch
            for outcome in self.outcomes.values()
            if isinstance(outcome, NoReply) and outcome.batch is not None
        ]
        if batches:
            self.stopped = self.stopped or WaitingForBatchError(batches)


def in_a_batch(batch_id: str) -> NoReply:
    """The outcome of a request whose batch has not ended, or may not have."""
    named = f"batch {batch_id}" if batch_id else "the batch of another run"
    return NoReply(f"{named} has not ended; the next run looks again", batch=batch_id)


class Patience:
    """Makes calls again while they fail for reasons of the moment. Threads share it: when the service asks one to wait, all wait."""

    def __init__(self, pace: Pace) -> None:
        self._pace = pace
        self._ended = threading.Event()
        self._not_before = 0.0

    def end(self) -> None:
        """Nobody waits or tries again any more."""
        self._ended.set()

    @property
    def ended(self) -> bool:
        return self._ended.is_set()

    def exhausted_by(self, failure: ServiceError) -> bool:
        """The service asks to wait longer than anybody wants to."""
        return failure.retry_after is not None and failure.retry_after > self._pace.longest_wait

    def call(self, work: Callable[[], T]) -> T:
        """The result of `work`, or the last `ServiceError`."""
        for attempt in range(self._pace.attempts):
            self._ended.wait(max(0.0, self._not_before - time.monotonic()))
            try:
                return work()
            except ServiceError as error:
                failure = error
            last = attempt + 1 == self._pace.attempts
            if not failure.transient or last or self.ended or self.exhausted_by(failure):
                raise failure
            if failure.retry_after is not None:
                self._not_before = max(self._not_before, time.monotonic() + failure.retry_after)
            else:
                self._ended.wait(self._pace.delay(attempt))
        raise AssertionError("unreachable: the last attempt returns or raises")

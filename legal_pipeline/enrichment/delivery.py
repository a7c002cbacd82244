"""The result of sending requests to the service (`Delivery`), and the retries of failed calls (`Retrier`).

Not here: the two ways of sending (`enrichment.interactive`, `enrichment.batches`).
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TypeVar

from legal_pipeline.enrichment.request import NoReply, Outcome, Request
from legal_pipeline.enrichment.service import ServiceError
from legal_pipeline.errors import LanguageModelError, WaitingForBatchError
from legal_pipeline.system.retries import RetryPolicy

T = TypeVar("T")


@dataclass(frozen=True)
class DeliveryPolicy:
    """Times in seconds. `attempts` is per call; after `circuit` calls in a row whose attempts all failed, nothing more is sent.

    A `retry-after` above `longest_wait` also stops the requests of the run. `batch_wait`: maximum duration of a batch, and maximum wait
    for a request that another worker has claimed. `batch_hold`: how long a call waits for a batch before it leaves the batch to a later
    call.
    """

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
        """The reason reported for a request when the wait for the worker that has claimed it was too long."""
        waited = timedelta(seconds=round(self.batch_wait))
        return f"another run is at this request and has no answer after a wait of {waited}; the next run looks again"

    @property
    def retries(self) -> RetryPolicy:
        """Number of attempts of a call, and the backoff between them."""
        return RetryPolicy(self.attempts, self.first_delay, self.longest_delay)


@dataclass
class Delivery:
    """`outcomes` by request key, for every request that is not in `batched` (those are in a batch: fetch them there)."""

    outcomes: dict[str, Outcome] = field(default_factory=dict)
    batched: list[Request] = field(default_factory=list)
    stopped: LanguageModelError | None = None

    def stop_for_batches(self) -> None:
        """Set `stopped` to `WaitingForBatchError` if answers are still to come, unless another error stopped the delivery."""
        batches = [
            outcome.batch
            for outcome in self.outcomes.values()
            if isinstance(outcome, NoReply) and outcome.batch is not None
        ]
        if batches:
            self.stopped = self.stopped or WaitingForBatchError(batches)


def batch_pending(batch_id: str) -> NoReply:
    """Return the outcome of a request whose batch has not ended, or may not have ended."""
    named = f"batch {batch_id}" if batch_id else "the batch of another run"
    return NoReply(f"{named} has not ended; the next run looks again", batch=batch_id)


class Retrier:
    """Repeats calls while they fail for transient reasons. Threads share it: when the service asks one thread to wait, all wait."""

    def __init__(self, policy: DeliveryPolicy) -> None:
        self._policy = policy
        self._ended = threading.Event()
        self._not_before = 0.0

    def end(self) -> None:
        """Stop all waits and retries."""
        self._ended.set()

    @property
    def ended(self) -> bool:
        return self._ended.is_set()

    def exhausted_by(self, failure: ServiceError) -> bool:
        """Return whether the service asks for a longer wait than `longest_wait`."""
        return failure.retry_after is not None and failure.retry_after > self._policy.longest_wait

    def call(self, work: Callable[[], T]) -> T:
        """Return the result of `work`, or raise the last `ServiceError`."""

        def in_turn() -> T:
            self._ended.wait(max(0.0, self._not_before - time.monotonic()))
            return work()

        return self._policy.retries.call(in_turn, is_transient=self._may_pass, wait=self._wait_alone, sleep=self._sleep)

    def _sleep(self, seconds: float) -> None:
        self._ended.wait(seconds)

    def _may_pass(self, error: BaseException) -> bool:
        return isinstance(error, ServiceError) and error.transient and not (self.ended or self.exhausted_by(error))

    def _wait_alone(self, error: BaseException, backoff: float) -> float:
        """Return how long this call waits in addition to the wait of all calls, which a `retry-after` extends."""
        if not isinstance(error, ServiceError) or error.retry_after is None:
            return backoff
        self._not_before = max(self._not_before, time.monotonic() + error.retry_after)
        return 0.0

"""Retries of calls that fail for transient reasons: how often, and after which waits.

Not here: which failures are transient and which waits a server may request (the callers know).
"""

from __future__ import annotations

import contextlib
import math
import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from email.utils import parsedate_to_datetime
from typing import TypeVar

import tenacity

Result = TypeVar("Result")


def retry_after(value: str | None) -> float | None:
    """Return the seconds of a `Retry-After` header, a number or an HTTP date; None if it has no valid value."""
    with contextlib.suppress(ValueError):
        seconds = float(value or "")
        return max(0.0, seconds) if math.isfinite(seconds) else None
    with contextlib.suppress(ValueError):
        moment = parsedate_to_datetime(value or "")
        return max(0.0, (moment - datetime.now(moment.tzinfo)).total_seconds())
    return None


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """The number of attempts and the waits between them.

    `attempts` includes the first. The backoff before the second one is `first_wait` seconds, twice as long before each further one, at most
    `longest_wait`; a random factor between the two values of `jitter` keeps callers from retrying at the same time.
    """

    attempts: int
    first_wait: float
    longest_wait: float = math.inf
    jitter: tuple[float, float] = (0.75, 1.25)

    def backoff(self, attempt: int) -> float:
        """Return the seconds after the attempt of this number, which counts from 1."""
        return min(self.longest_wait, self.first_wait * 2.0 ** (attempt - 1)) * random.uniform(*self.jitter)  # noqa: S311

    def call(
        self,
        work: Callable[[], Result],
        *,
        is_transient: Callable[[BaseException], bool],
        wait: Callable[[BaseException, float], float] = lambda _, backoff: backoff,
        sleep: Callable[[float], None] = time.sleep,
    ) -> Result:
        """Return the result of `work`. Raises its error if it is not transient, and the error of the last attempt.

        `wait` returns the seconds to wait from the error and the backoff, for servers that state a time. It may raise instead; it is not
        called after the last attempt.
        """

        def seconds(state: tenacity.RetryCallState) -> float:
            error = state.outcome.exception() if state.outcome is not None else None
            is_last = state.attempt_number >= self.attempts
            return 0.0 if error is None or is_last else wait(error, self.backoff(state.attempt_number))

        calls = tenacity.Retrying(
            retry=tenacity.retry_if_exception(is_transient),
            stop=tenacity.stop_after_attempt(self.attempts),
            wait=seconds,
            sleep=sleep,
            reraise=True,
        )
        return calls(work)

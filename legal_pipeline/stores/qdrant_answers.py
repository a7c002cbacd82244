"""Converts a Qdrant server's failures to our errors, and decides how long a call is retried.

Not here: the calls (`stores.qdrant_server`).
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from qdrant_client.common.client_exceptions import ResourceExhaustedResponse
from qdrant_client.http.exceptions import ResponseHandlingException, UnexpectedResponse

from legal_pipeline.errors import (
    ConfigurationError,
    LegalPipelineError,
    MissingCollectionError,
    StoreError,
    StoreUnavailableError,
)
from legal_pipeline.system.retries import RetryPolicy

Result = TypeVar("Result")

_LONGEST_WAIT_SECONDS = 30.0


def retry_policy(attempts: int = 6, wait: float = 1.0) -> RetryPolicy:
    """Return the policy of `attempts` in all: `wait` seconds before the second attempt, twice as long before each further one, at most 30.

    Each wait is shortened by up to half at random.
    """
    return RetryPolicy(attempts, wait, _LONGEST_WAIT_SECONDS, jitter=(0.5, 1.0))


def wait_before_next(backoff: float, asked_for: float) -> float:
    """Return at least the wait that the server requested, unless that is more than the longest wait."""
    return min(_LONGEST_WAIT_SECONDS, max(backoff, asked_for))


DEFAULT_RETRIES = retry_policy()


class _TooManyRequestsError(StoreUnavailableError):
    def __init__(self, message: str, retry_after: float) -> None:
        self.retry_after = retry_after
        super().__init__(message)


class Retries:
    """Retries calls to the server named by `where` until one succeeds or all attempts have failed.

    After a call that ended without an answer each further call is tried once, until one succeeds: a run over fifty documents waits once
    for a server that is down, not fifty times.
    """

    def __init__(self, where: str, policy: RetryPolicy) -> None:
        self._where = where
        self._policy = policy
        self._gone = False

    def call(self, action: str, work: Callable[[], Result]) -> Result:
        """Return the result of `work`, with its errors converted to ours; only transient errors are retried."""
        begin = time.monotonic()
        policy = replace(self._policy, attempts=1) if self._gone else self._policy
        try:
            result = policy.call(
                lambda: self._translated(action, work),
                is_transient=lambda error: isinstance(error, StoreUnavailableError),
                wait=_wait,
            )
        except StoreUnavailableError as error:
            self._gone = True
            if policy.attempts == 1:
                raise
            tried = f"tried {policy.attempts} times in {time.monotonic() - begin:.1f} s"
            raise StoreUnavailableError(f"{error} ({tried})") from error
        self._gone = False
        return result

    def _translated(self, action: str, work: Callable[[], Result]) -> Result:
        """Return the result of `work`, with errors of the client converted to ours."""
        try:
            return work()
        except LegalPipelineError:
            raise
        except ResourceExhaustedResponse as error:
            raise _TooManyRequestsError(
                f"{self._where} answered HTTP 429 while {action}: {error}", error.retry_after_s
            ) from error
        except UnexpectedResponse as error:
            status = error.status_code or 0
            if status in (401, 403):
                raise ConfigurationError(
                    f"{self._where} refused the API key while {action} (HTTP {status}); check QDRANT_API_KEY"
                ) from error
            body = error.content.decode("utf-8", "replace")[:300]
            raise _kind(status)(f"{self._where} answered HTTP {status} while {action}: {body}") from error
        except ResponseHandlingException as error:
            raise StoreUnavailableError(f"{self._where} does not answer while {action}: {error.source}") from error
        except ValueError as error:
            # the in-memory client has no status codes
            kind = MissingCollectionError if "not found" in str(error) else StoreError
            raise kind(f"{self._where} refused while {action}: {error}") from error


def _wait(error: BaseException, backoff: float) -> float:
    return wait_before_next(backoff, error.retry_after if isinstance(error, _TooManyRequestsError) else 0.0)


def is_conflict(error: Exception) -> bool:
    """Return whether the object to create exists already."""
    return isinstance(error, UnexpectedResponse) and error.status_code == 409


def _kind(status: int) -> type[StoreError]:
    if status in (408, 429) or status >= 500:
        return StoreUnavailableError
    return MissingCollectionError if status == 404 else StoreError

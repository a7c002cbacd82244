"""Send requests one by one: a limited number at the same time, with retries for transient failures, and a stop if failures continue.

Not here: Message Batches (`enrichment.batches`) and the checks of answers (`enrichment.validation`).
"""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import chain

from legal_pipeline.enrichment.budget import reservation
from legal_pipeline.enrichment.delivery import Delivery, DeliveryPolicy, Retrier, batch_pending
from legal_pipeline.enrichment.journal import Journal
from legal_pipeline.enrichment.request import NoReply, Request
from legal_pipeline.enrichment.service import Service, ServiceError
from legal_pipeline.errors import (
    BudgetExceededError,
    ConfigurationError,
    LanguageModelError,
    LanguageModelUnavailableError,
)

#: Seconds between polls for a request that another worker has claimed: first and longest pause.
_LOOK = (0.05, 2.0)


def deliver(
    requests: Sequence[Request], service: Service, journal: Journal, policy: DeliveryPolicy, concurrency: int
) -> Delivery:
    """Return an outcome for each of `requests` (all distinct). Raises `ConfigurationError` when key, account or model are refused."""
    return _Delivery(service, journal, policy).run(requests, concurrency)


class _Delivery:
    """The shared state of the threads of one call of `deliver`."""

    def __init__(self, service: Service, journal: Journal, policy: DeliveryPolicy) -> None:
        self._service = service
        self._journal = journal
        self._policy = policy
        self._retrier = Retrier(policy)
        self._lock = threading.Lock()
        self._result = Delivery()
        self._refused: str | None = None
        self._failures = 0

    def run(self, requests: Sequence[Request], concurrency: int) -> Delivery:
        lanes: dict[str, list[Request]] = {}
        for request in requests:
            lanes.setdefault(request.lane or request.key, []).append(request)
        with ThreadPoolExecutor(concurrency, thread_name_prefix="llm") as pool:
            try:
                taken = list(chain.from_iterable(pool.map(self._lane, lanes.values())))
            except BaseException:
                self._retrier.end()
                pool.shutdown(wait=False, cancel_futures=True)
                raise
        pause, longest = _LOOK
        patient_until = time.monotonic() + self._policy.batch_wait
        while taken and time.monotonic() < patient_until:
            time.sleep(pause)
            pause = min(pause * 2, longest)
            taken = self._lane(taken)
        for request in taken:
            self._set_aside(request, self._policy.busy_elsewhere)
        if self._refused is not None:
            raise ConfigurationError(self._refused)
        self._result.stop_for_batches()
        return self._result

    def _lane(self, requests: Sequence[Request]) -> list[Request]:
        """Settle the requests in order; return those that another worker has claimed."""
        return [request for request in requests if not self._settle(request)]

    def _settle(self, request: Request) -> bool:
        """Find or request the outcome of `request`; return False while another worker has claimed it."""
        if self._retrier.ended:
            self._set_aside(request, str(self._result.stopped or self._refused or "stopped"))
            return True
        try:
            reserve = reservation(
                request,
                self._journal.budget,
                batch=False,
                spent=self._journal.spent,
                count=lambda: self._retrier.call(lambda: self._service.count_tokens(request)),
            )
            claim = self._journal.claim(request, reserve, "interactive")
        except BudgetExceededError as error:
            self._stop(error)
            self._set_aside(request, str(error))
            return True
        except ServiceError as failure:
            self._note(failure)
            self._set_aside(request, str(failure))
            return True
        if claim.state == "taken" and claim.batch is not None and self._policy.batch_hold <= 0:
            self._result.outcomes[request.key] = batch_pending(claim.batch)
            return True
        if claim.state == "taken":
            return False
        if claim.state == "batched":
            self._result.batched.append(request)
        elif claim.reply is not None:
            self._result.outcomes[request.key] = claim.reply
        else:
            self._send(request)
        return True

    def _send(self, request: Request) -> None:
        try:
            reply = self._retrier.call(lambda: self._service.send(request))
        except ServiceError as failure:
            self._journal.release([request.key], str(failure))
            self._note(failure)
            self._result.outcomes[request.key] = NoReply(str(failure))
            return
        self._result.outcomes[request.key] = self._journal.record(request.key, reply, "interactive")
        with self._lock:
            self._failures = 0

    def _set_aside(self, request: Request, reason: str) -> None:
        # an answer that is already paid for is used, for every reason of the stop
        self._result.outcomes[request.key] = self._journal.stored(request.key) or NoReply(reason)

    def _note(self, failure: ServiceError) -> None:
        """Record `failure`, and stop the other requests if they would fail too."""
        if failure.fatal:
            self._refused = str(failure)
            self._retrier.end()
        elif self._retrier.exhausted_by(failure):
            self._stop(LanguageModelUnavailableError(f"{failure} (asks to wait {failure.retry_after:.0f} s)"))
        elif failure.transient:
            with self._lock:
                self._failures += 1
                open_ = self._failures >= self._policy.circuit
            if open_:
                self._stop(
                    LanguageModelUnavailableError(f"{self._failures} requests in a row failed, the last: {failure}")
                )

    def _stop(self, error: LanguageModelError) -> None:
        with self._lock:
            self._result.stopped = self._result.stopped or error
        self._retrier.end()

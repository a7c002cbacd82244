"""Send requests in Message Batches: half the price, up to 24 hours, and the batch survives the process that created it.

The journal records the intention before a batch is created and the batch id after. If a crash loses the id, the batch is found by listing:
it was created after the intention, has the same number of requests, and its results carry their hashes. Not here: requests sent one by
one (`enrichment.interactive`).
"""

from __future__ import annotations

import contextlib
import math
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta

from legal_pipeline.enrichment.budget import reservation
from legal_pipeline.enrichment.delivery import Delivery, DeliveryPolicy, Retrier, batch_pending
from legal_pipeline.enrichment.journal import Journal, Submission
from legal_pipeline.enrichment.request import NoReply, Outcome, Request
from legal_pipeline.enrichment.service import BatchEntry, Service, ServiceError
from legal_pipeline.errors import BudgetExceededError, ConfigurationError, LanguageModelUnavailableError

#: The service accepts 100,000 requests or 256 MB; smaller batches end sooner and lose less when one is refused.
_MAX_REQUESTS = 10_000
_MAX_BYTES = 200_000_000
#: Maximum difference between the clocks of the database and of the service.
_SKEW = timedelta(minutes=5)
#: How often a request is submitted in all: a request that errored or expired is submitted once more.
_ROUNDS = 2
#: Number of polls after a batch was cancelled.
_LOOKS_AFTER_CANCEL = 20


def deliver(requests: Sequence[Request], service: Service, journal: Journal, policy: DeliveryPolicy) -> Delivery:
    """Return an outcome for each of `requests` (all distinct). Raises `ConfigurationError` when key, account or model are refused."""
    return _Delivery(service, journal, policy).run(requests)


class _NotEndedError(Exception):
    """A batch that may be the wanted batch has not ended; its results can only be read after it ends."""


class _Delivery:
    def __init__(self, service: Service, journal: Journal, policy: DeliveryPolicy) -> None:
        self._service = service
        self._journal = journal
        self._policy = policy
        self._retrier = Retrier(policy)
        self._result = Delivery()
        self._submitted: dict[str, int] = {}
        #: Time (monotonic) after which this call leaves batches that have not ended to a later call.
        self._leave_at = math.inf

    def run(self, requests: Sequence[Request]) -> Delivery:
        open_ = {request.key: request for request in requests}
        patient_until = math.inf
        self._leave_at = time.monotonic() + self._policy.batch_hold
        try:
            while open_:
                mine, batched = self._claim(open_.values())
                self._submit(mine)
                keys = [*batched, *(request.key for request in mine)]
                for submission in self._journal.submissions(keys):
                    self._fetch(submission, open_)
                self._drop_settled(open_)
                if keys:
                    patient_until = math.inf
                elif open_:  # another worker has claimed the rest
                    patient_until = min(patient_until, time.monotonic() + self._policy.batch_wait)
                    if time.monotonic() >= patient_until:
                        self._leave(open_, self._policy.busy_elsewhere)
                    else:
                        time.sleep(min(self._policy.poll, 2.0))
        except ServiceError as failure:
            if failure.fatal:
                raise ConfigurationError(str(failure)) from None
            # submitted batches stay in the journal: the next run continues to wait for them
            self._result.stopped = LanguageModelUnavailableError(str(failure))
            self._drop_settled(open_)
            self._leave(open_, str(failure))
        self._result.stop_for_batches()
        return self._result

    def _leave(self, open_: dict[str, Request], reason: str) -> None:
        for key in open_:
            self._result.outcomes[key] = self._journal.stored(key) or NoReply(reason)
        open_.clear()

    def _drop_settled(self, open_: dict[str, Request]) -> None:
        for key in list(open_):
            if key in self._result.outcomes:
                del open_[key]

    # -- submitting ---------------------------------------------------------------------------------------------------

    def _claim(self, requests: Iterable[Request]) -> tuple[list[Request], list[str]]:
        """Return (requests to submit, keys of requests in batches that this worker now waits for). Answered requests get their outcome."""
        mine: list[Request] = []
        batched: list[str] = []
        for request in list(requests):
            try:
                claim = self._journal.claim(request, self._reserve(request), "batch")
            except BudgetExceededError as error:
                self._result.stopped = self._result.stopped or error
                self._result.outcomes[request.key] = NoReply(str(self._result.stopped))
                continue
            if claim.reply is not None:
                self._result.outcomes[request.key] = claim.reply
            elif claim.state == "mine":
                mine.append(request)
            elif claim.state == "batched":
                batched.append(request.key)
            elif claim.batch is not None and self._is_time_to_leave:
                self._result.outcomes[request.key] = batch_pending(claim.batch)
        return mine, batched

    def _reserve(self, request: Request) -> float:
        if self._result.stopped is not None:
            return math.inf  # requests that are answered or in a batch can still be used; no new request is claimed
        return reservation(
            request,
            self._journal.budget,
            batch=True,
            spent=self._journal.spent,
            count=lambda: self._retrier.call(lambda: self._service.count_tokens(request)),
        )

    def _submit(self, requests: Sequence[Request]) -> None:
        for group in _groups(requests):
            keys = [request.key for request in group]
            for key in keys:
                self._submitted[key] = self._submitted.get(key, 0) + 1
            submission = self._journal.begin_submission(keys)
            try:
                self._create(group, submission)
            except ServiceError as failure:
                if failure.transient:
                    raise  # the batch may exist: the rows stay unchanged and the next run searches for it
                self._journal.release(keys, str(failure))
                if failure.fatal:
                    raise
                for key in keys:
                    self._result.outcomes[key] = NoReply(str(failure))

    def _create(self, group: Sequence[Request], submission: Submission) -> None:
        tried = False

        def create() -> str:
            nonlocal tried
            if tried and (found := self._find(submission)) is not None:
                return found
            tried = True
            return self._service.create_batch(group)

        # the batch may exist and not be readable yet: `_fetch` searches for it again by this submission
        with contextlib.suppress(_NotEndedError):
            self._journal.submitted(submission, self._retrier.call(create))

    # -- fetching -----------------------------------------------------------------------------------------------------

    def _fetch(self, submission: Submission, open_: dict[str, Request]) -> None:
        """Wait for the batch of `submission` and store its answers; set outcomes for those of its requests that are in `open_`."""
        batch_id = submission.batch_id
        if batch_id is None:
            try:
                batch_id = self._find(submission)
            except _NotEndedError:
                self._wait_for("", submission, open_)
                return
            if batch_id is None:
                self._journal.resubmit(submission)
                return
            self._journal.submitted(submission, batch_id)
        if self._is_gone(batch_id):
            self._journal.release(list(submission.keys), f"batch {batch_id} is gone")
            return
        if not self._has_ended(batch_id):
            self._wait_for(batch_id, submission, open_)
            return
        for key, outcome in self._collect(batch_id, submission).items():
            again = isinstance(outcome, NoReply) and not outcome.final and self._submitted.get(key, 1) < _ROUNDS
            if again:
                self._submitted.setdefault(key, 1)
            elif key in open_:
                self._result.outcomes[key] = outcome

    def _wait_for(self, batch_id: str, submission: Submission, open_: Mapping[str, Request]) -> None:
        for key in submission.keys & open_.keys():
            self._result.outcomes[key] = batch_pending(batch_id)

    @property
    def _is_time_to_leave(self) -> bool:
        return time.monotonic() >= self._leave_at

    def _is_gone(self, batch_id: str) -> bool:
        try:
            return self._retrier.call(lambda: self._service.batch(batch_id)).gone
        except ServiceError as error:
            if error.missing:
                return True
            raise

    def _has_ended(self, batch_id: str) -> bool:
        """Poll until the batch ends or it is time to leave. Past the time limit, cancel the batch and poll only a few more times."""
        looks_left: int | None = None
        while True:
            state = self._retrier.call(lambda: self._service.batch(batch_id))
            if state.ended:
                return True
            if looks_left is None and datetime.now(UTC) - state.created_at > timedelta(seconds=self._policy.batch_wait):
                self._retrier.call(lambda: self._service.cancel_batch(batch_id))
                looks_left = _LOOKS_AFTER_CANCEL
            elif looks_left is not None:
                looks_left -= 1
                if looks_left <= 0:
                    return False
            if self._is_time_to_leave:
                return False
            time.sleep(self._policy.poll)

    def _collect(self, batch_id: str, submission: Submission) -> dict[str, Outcome]:
        """Return the outcome of every request of the batch. Each answer is stored when it arrives; a broken stream is read again."""
        outcomes: dict[str, Outcome] = {}

        def read() -> None:
            for entry in self._service.results(batch_id):
                if entry.key in submission.keys and entry.key not in outcomes:
                    outcomes[entry.key] = self._outcome(entry)

        self._retrier.call(read)
        for key in submission.keys - outcomes.keys():
            outcomes[key] = NoReply("it is missing from the results of its batch", final=False)
        for key, outcome in outcomes.items():
            if isinstance(outcome, NoReply):
                self._journal.release([key], outcome.reason)
        return outcomes

    def _outcome(self, entry: BatchEntry) -> Outcome:
        if entry.reply is not None:
            return self._journal.record(entry.key, entry.reply, "batch")
        return NoReply(f"the batch entry is {entry.problem}", final=entry.final)

    def _find(self, submission: Submission) -> str | None:
        """Return the id of the batch that this submission created, or None if it created none.

        Waits for candidates to end, because no results can be read before. Raises `_NotEndedError` when it is time to leave.
        """
        return self._look_for(submission) or self._look_again_for(submission)

    def _look_again_for(self, submission: Submission) -> str | None:
        # the service may still have been creating the batch, for a caller that had already gone, when the first list was made
        time.sleep(self._policy.poll)
        return self._look_for(submission)

    def _look_for(self, submission: Submission) -> str | None:
        states = self._retrier.call(lambda: self._service.batches_since(submission.since - _SKEW))
        known = self._journal.known_batches([state.id for state in states])
        for state in reversed(states):
            if state.gone or state.id in known or state.size != len(submission.keys):
                continue
            while not self._retrier.call(lambda state=state: self._service.batch(state.id)).ended:  # type: ignore[misc]
                if datetime.now(UTC) - state.created_at > timedelta(seconds=self._policy.batch_wait):
                    break
                if self._is_time_to_leave:
                    raise _NotEndedError
                time.sleep(self._policy.poll)
            else:
                if self._retrier.call(lambda state=state: self._holds(state.id, submission)):  # type: ignore[misc]
                    return state.id
        return None

    def _holds(self, batch_id: str, submission: Submission) -> bool:
        return any(entry.key in submission.keys for entry in self._service.results(batch_id))


def _groups(requests: Sequence[Request]) -> Iterator[list[Request]]:
    group: list[Request] = []
    size = 0
    for request in requests:
        length = len(request.body.encode())
        if group and (len(group) >= _MAX_REQUESTS or size + length > _MAX_BYTES):
            yield group
            group, size = [], 0
        group.append(request)
        size += length
    if group:
        yield group

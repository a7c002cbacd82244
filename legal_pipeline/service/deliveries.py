"""The loop that sends changes to subscribers: in one process at a time, in order for each subscription, until each message is received.

Not here: finding the changes (`reading.subscribed`), the tables (`registry.subscriptions`), and one request (`webhooks`).
"""

from __future__ import annotations

import contextlib
import logging
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

from legal_pipeline.errors import LegalPipelineError, StoreUnavailableError
from legal_pipeline.reading.access import Access
from legal_pipeline.reading.answers import WebhookMessage
from legal_pipeline.reading.law_reader import LawReader
from legal_pipeline.reading.subscribed import change_called, names_of_changes
from legal_pipeline.registry.api_keys import ApiKeys
from legal_pipeline.registry.subscriptions import Message, Subscription, Subscriptions
from legal_pipeline.service.gate import Asker
from legal_pipeline.service.webhooks import NotDeliveredError, WebhookSender
from legal_pipeline.system.retries import RetryPolicy

#: Key of an advisory lock; any constant works that no other lock of this database uses.
_LOCK = 0x77656268  # "webh"

#: Seconds between two polls for changes.
_POLL_SECONDS = 2.0
#: Documents compared with a subscription per poll, and seconds of sending to one subscription before the next gets its turn.
_DOCUMENTS, _TURN_SECONDS = 200, 20.0
#: Subscriptions served at the same time: a receiver that does not answer blocks a thread for `webhooks.ANSWER_SECONDS`.
_THREADS = 8

#: Attempts to send one message; the backoff grows to six hours.
_RETRIES = RetryPolicy(attempts=1_000, first_wait=5, longest_wait=6 * 3600)

_log = logging.getLogger(__name__)


class Deliveries:
    """Sends the changes of the index of `reader`, which the caller closes. `give_up`: an address that fails for so long is disabled."""

    def __init__(
        self,
        reader: LawReader,
        sender: WebhookSender,
        *,
        give_up: timedelta,
        retries: RetryPolicy = _RETRIES,
    ) -> None:
        self._reader = reader
        self._database = reader.database
        self._subscriptions = Subscriptions(reader.database)
        self._sender = sender
        self._give_up = give_up
        self._retries = retries
        self._stopped = threading.Event()

    @contextlib.contextmanager
    def running(self) -> Iterator[None]:
        """Poll every few seconds, in a separate thread, until the block ends; an open request is finished."""
        thread = threading.Thread(target=self._run, name="webhooks", daemon=True)
        thread.start()
        try:
            yield
        finally:
            self._stopped.set()
            thread.join()

    def _run(self) -> None:
        while not self._stopped.wait(_POLL_SECONDS):
            try:
                self.poll()
            except LegalPipelineError as error:
                _log.warning("webhooks: %s", error)  # PostgreSQL does not answer: the next poll continues
            except Exception:
                _log.exception("a defect of the webhooks")

    def poll(self) -> None:
        """Record changes and send the messages that are due, unless another process does it."""
        active = [subscription for subscription in self._subscriptions.all() if subscription.disabled_at is None]
        if not active:
            return
        with self._database.connection() as connection:
            # lock of a transaction: the server releases it if the process is killed
            row = connection.execute("select pg_try_advisory_xact_lock(%s) as mine", (_LOCK,)).fetchone()
            if not row or not row["mine"]:
                return
            with ThreadPoolExecutor(_THREADS, thread_name_prefix="webhooks") as pool:
                list(pool.map(self._serve, active))

    def _serve(self, subscription: Subscription) -> None:
        access = self._access(subscription)
        if access is None:
            self._subscriptions.postpone(
                subscription.subscription_id, "its API key was revoked", seconds=0, disable=True
            )
            return
        try:
            self._note_changes(access, subscription)
            self._send_due(access, subscription)
        except LegalPipelineError as error:
            _log.warning("webhooks of %s: %s", subscription.subscription_id, error)
        except Exception:
            _log.exception("a defect of the webhooks of %s", subscription.subscription_id)

    def _access(self, subscription: Subscription) -> Access | None:
        """Return the present access of the subscription's key; None if the key was revoked or deleted."""
        key = None
        if subscription.key_id is not None:
            key = ApiKeys(self._database).get(subscription.key_id)
            if key is None or key.revoked_at is not None:
                return None
        return self._reader.access(Asker(key).viewer)

    def _note_changes(self, access: Access, subscription: Subscription) -> None:
        since = subscription.since.astimezone(UTC).date()
        hidden = access.visibility.hidden
        for document in self._subscriptions.changed_documents(subscription, hidden, _DOCUMENTS):
            try:
                names = names_of_changes(access, document, since, subscription.eid)
            except StoreUnavailableError:
                continue  # its history is being made: the next poll finds it again
            self._subscriptions.note(subscription, document, names)

    def _send_due(self, access: Access, subscription: Subscription) -> None:
        end = time.monotonic() + _TURN_SECONDS
        while not self._stopped.is_set() and time.monotonic() < end:
            message = self._subscriptions.due(subscription.subscription_id)
            if message is None:
                return
            change = change_called(access, message.document_id, message.change)
            if change is None:
                self._subscriptions.settle(message, delivered=False)
                continue
            body = WebhookMessage.model_validate(
                {"type": f"law.{change.kind}", "timestamp": message.changed_at.isoformat(), "data": change}
            )
            try:
                name = f"msg_{subscription.subscription_id.removeprefix('sub_')}_{message.message_id}"
                self._sender.send(subscription.address, subscription.secret, name, body.model_dump_json().encode())
            except NotDeliveredError as error:
                self._put_off(message, error)
                return
            self._subscriptions.settle(message, delivered=True)

    def _put_off(self, message: Message, error: NotDeliveredError) -> None:
        subscription = self._subscriptions.get(message.subscription_id)
        if subscription is None:
            return  # deleted in the meantime
        since = subscription.failing_since
        is_dead = error.is_gone or (since is not None and datetime.now(UTC) - since >= self._give_up)
        wait = max(error.retry_after or 0, self._retries.backoff(subscription.attempts + 1))
        wait = min(wait, self._retries.longest_wait)
        self._subscriptions.postpone(subscription.subscription_id, str(error)[:500], seconds=wait, disable=is_dead)

"""Subscriptions to changes of the law, and the messages to send to them: the operations on their two tables.

A message is recorded before it is sent and settled after it was received, so after a crash in between it is sent again. Not here: the
content of a message (`reading.subscribed`) and sending it (`service.deliveries`).
"""

from __future__ import annotations

import base64
import secrets
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

from legal_pipeline.registry.database import Database
from legal_pipeline.registry.listing import IN_JURISDICTIONS, LISTED_COLUMNS, Listed
from legal_pipeline.registry.registry import NOT_RENAMED

#: As a key: the subscriptions of all keys.
ANYBODY = "*"

_COLUMNS = """subscription_id, key_id, address, secret, jurisdictions, document_id, eid, since, created_at, attempts, failing_since,
    next_attempt_at, last_error, delivered_at, disabled_at"""


@dataclass(frozen=True, slots=True)
class Subscription:
    """One row.

    `attempts`: failed attempts to send its next message, since `failing_since`; `delivered_at`: when it last received a message.
    """

    subscription_id: str
    key_id: str | None
    address: str
    secret: str
    jurisdictions: Sequence[str]
    document_id: str | None
    eid: str | None
    since: datetime
    created_at: datetime
    attempts: int
    failing_since: datetime | None
    next_attempt_at: datetime
    last_error: str | None
    delivered_at: datetime | None
    disabled_at: datetime | None


@dataclass(frozen=True, slots=True)
class Wanted:
    """The changes that a subscription receives: of these jurisdictions, this document and this eid (empty: of all), from `since` on (None:
    from now on)."""

    jurisdictions: Sequence[str] = ()
    document_id: str | None = None
    eid: str | None = None
    since: datetime | None = None


@dataclass(frozen=True, slots=True)
class Message:
    """A change of a document that is to be sent to a subscription."""

    message_id: int
    subscription_id: str
    document_id: str
    change: str
    changed_at: datetime


class Subscriptions:
    """The operations on subscriptions and messages. Safe in any number of threads and processes."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def create(self, key_id: str | None, address: str, wanted: Wanted) -> Subscription:
        """Insert a subscription with its own secret: 32 random bytes in the form of the Standard Webhooks specification."""
        made = f"sub_{secrets.token_hex(8)}", f"whsec_{base64.b64encode(secrets.token_bytes(32)).decode()}"
        row = self._database.row(
            f"""insert into subscriptions (subscription_id, secret, key_id, address, jurisdictions, document_id, eid, since)
                values (%s, %s, %s, %s, %s, %s, %s, coalesce(%s, now())) returning {_COLUMNS}""",  # noqa: S608
            (*made, key_id, address, list(wanted.jurisdictions), wanted.document_id, wanted.eid, wanted.since),
        )
        return Subscription(**row)

    def all(self, key_id: str | None = ANYBODY) -> list[Subscription]:
        """Return the subscriptions of one key (None: of the owner), in the order of their creation."""
        rows = self._database.rows(
            f"""select {_COLUMNS} from subscriptions where %(key)s = %(anybody)s or key_id is not distinct from %(key)s
                order by created_at, subscription_id""",  # noqa: S608
            {"key": key_id, "anybody": ANYBODY},
        )
        return [Subscription(**row) for row in rows]

    def get(self, subscription_id: str) -> Subscription | None:
        row = self._database.row(
            f"select {_COLUMNS} from subscriptions where subscription_id = %s",  # noqa: S608
            (subscription_id,),
        )
        return Subscription(**row) if row else None

    def delete(self, subscription_id: str) -> None:
        """Delete the subscription and its messages; no error if it does not exist."""
        self._database.execute("delete from subscriptions where subscription_id = %s", (subscription_id,))

    # -- its messages -------------------------------------------------------------------------------------------------

    def changed_documents(self, subscription: Subscription, hidden: Collection[str], limit: int) -> list[Listed]:
        """Return documents whose present state was not yet compared with the subscription, the earliest change first.

        Documents in processing follow later: their recorded history is that of the previous text.
        """
        rows = self._database.rows(
            f"""select {LISTED_COLUMNS} from source_documents d
                where text_hash is not null and (tombstoned_at is not null or processing_status not in ('pending', 'processing'))
                    and coalesce(tombstoned_at, text_changed_at, created_at) >= %(since)s and not document_id = any(%(hidden)s)
                    and {NOT_RENAMED}
                    and (%(jurisdictions)s::text[] = '{{}}' or {IN_JURISDICTIONS})
                    and (%(document)s::text is null or document_id = coalesce(
                        (select document_id from document_aliases where old_id = %(document)s), %(document)s))
                    and not exists (select from subscription_messages m where m.subscription_id = %(id)s
                        and m.document_id = d.document_id and m.changed_at >= coalesce(tombstoned_at, text_changed_at, d.created_at))
                order by changed_at, document_id limit %(limit)s""",  # noqa: S608
            {
                "id": subscription.subscription_id,
                "since": subscription.since,
                "jurisdictions": list(subscription.jurisdictions),
                "document": subscription.document_id,
                "hidden": list(hidden),
                "limit": limit,
            },
        )
        return [Listed(**row) for row in rows]

    def note(self, subscription: Subscription, document: Listed, changes: Sequence[str]) -> None:
        """Record a message for each of these changes of the document, in this order.

        A change that already has a message gets no second one; only its `changed_at` becomes that of the document. Without changes one
        settled row with the change "" is recorded, which is never sent: it shows that the document was compared.
        """
        with self._database.connection() as connection:
            for change in changes or ("",):
                connection.execute(
                    """insert into subscription_messages as known (subscription_id, document_id, change, changed_at, settled_at)
                       values (%s, %s, %s, %s, case when %s then now() end)
                       on conflict (subscription_id, document_id, change) do update set changed_at = excluded.changed_at""",
                    (subscription.subscription_id, document.document_id, change, document.changed_at, change == ""),
                )

    def due(self, subscription_id: str) -> Message | None:
        """Return the subscription's next message, if it may be sent now."""
        row = self._database.row(
            """select message_id, subscription_id, m.document_id, change, changed_at
               from subscription_messages m join subscriptions s using (subscription_id)
               where subscription_id = %s and settled_at is null and disabled_at is null and next_attempt_at <= now()
               order by message_id limit 1""",
            (subscription_id,),
        )
        return Message(**row) if row else None

    def settle(self, message: Message, *, delivered: bool) -> None:
        """Mark the message as received, or as not to be sent any more."""
        with self._database.connection() as connection:
            connection.execute(
                "update subscription_messages set settled_at = now() where message_id = %s", (message.message_id,)
            )
            if delivered:
                connection.execute(
                    """update subscriptions set attempts = 0, failing_since = null, last_error = null, delivered_at = now(),
                           next_attempt_at = now() where subscription_id = %s""",
                    (message.subscription_id,),
                )

    def postpone(self, subscription_id: str, error: str, *, seconds: float, disable: bool) -> None:
        """Record a failed attempt: the next attempt follows after `seconds`; with `disable` there is none."""
        self._database.execute(
            """update subscriptions set attempts = attempts + 1, failing_since = coalesce(failing_since, now()), last_error = %s,
                   next_attempt_at = now() + make_interval(secs => %s), disabled_at = case when %s then now() end
               where subscription_id = %s""",
            (error, seconds, disable, subscription_id),
        )

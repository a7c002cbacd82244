"""Changes of the law for subscribers: the names of a document's changes, and the content of a change.

A change is identified by its name in `reading.changes.document_changes` and read again when it is sent: a reader who may no longer see its
document does not receive it, and an erased document is not sent. Not here: subscriptions (`registry.subscriptions`), and feeds by day
(`reading.changes`).
"""

from __future__ import annotations

import contextlib
from datetime import date

from legal_pipeline.errors import DocumentError, NotFoundError
from legal_pipeline.reading.access import Access
from legal_pipeline.reading.answers import LawChange
from legal_pipeline.reading.changes import concerns, document_changes
from legal_pipeline.registry.listing import Listed, look_up


def names_of_changes(access: Access, document: Listed, since: date, eid: str | None) -> list[str]:
    """Return the names of the changes seen on `since` or later (with `eid`: of this provision), oldest first.

    Raises `StoreUnavailableError` while the history of the document is being made: call again later.
    """
    # if its tables are gone, or of an earlier version, its removal can still be reported
    with contextlib.suppress(NotFoundError, DocumentError):
        access.texts.work(document.document_id).verify_whole()
    return [name for name, change in _changes(access, document, since) if concerns(change, eid)]


def change_called(access: Access, document_id: str, name: str) -> LawChange | None:
    """Return a change by name; None if it no longer exists, or its document is hidden from the reader."""
    document = look_up(access.resources.registry.database, document_id)
    if document is None or document_id in access.visibility.hidden:
        return None
    return dict(_changes(access, document, date.min)).get(name)


def _changes(access: Access, document: Listed, since: date) -> list[tuple[str, LawChange]]:
    source = access.provenances([document.document_id])[document.document_id]
    return list(document_changes(access.texts, document, since, source))[::-1]

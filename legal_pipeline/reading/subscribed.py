"""Changes of the law as subscribers are told of them: which there are of a document, and what one of them says.

A change is named (`change 3`, `removed 2099-01-01`), and looked up again when it is told: a reader who may not see its document any more is
not told, nor is what was erased. Not here: who subscribes (`registry.subscriptions`), and feeds by day (`reading.changes`).
"""

from __future__ import annotations

import contextlib
from datetime import date

from legal_pipeline.errors import DocumentError, NotFoundError
from legal_pipeline.reading.access import Access
from legal_pipeline.reading.answers import LawChange
from legal_pipeline.reading.changes import concerns, document_changes
from legal_pipeline.registry.item_hints import Provenance
from legal_pipeline.registry.listing import Listed, look_up


def names_of_changes(access: Access, document: Listed, since: date, eid: str | None) -> list[str]:
    """The changes seen on `since` or later, or those of them that concern the provision `eid`, the oldest first.

    Raises `StoreUnavailableError` while the history of the document is being made: ask again then.
    """
    # where its tables are gone, or of an earlier version, its removal can be told all the same
    with contextlib.suppress(NotFoundError, DocumentError):
        _ = access.texts.work(document.document_id).history
    return [name for name, change in _changes(access, document, since) if concerns(change, eid)]


def change_called(access: Access, document_id: str, name: str) -> LawChange | None:
    """None where there is no such change any more, or its document is hidden from the reader."""
    document = look_up(access.resources.registry.database, document_id)
    if document is None or document_id in access.visibility.hidden:
        return None
    return dict(_changes(access, document, date.min)).get(name)


def _changes(access: Access, document: Listed, since: date) -> list[tuple[str, LawChange]]:
    source = access.provenances([document.document_id]).get(document.document_id, Provenance())
    found = list(document_changes(access.texts, document, since, source))
    return [(f"{change.kind} {change.seen_on}" if position is None else f"change {position}", change)
            for position, change in reversed(found)]  # fmt: skip

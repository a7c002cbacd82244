"""Changes of the law since a day: documents that were added, changed, corrected or removed, in words.

Not here: finding the differences (`model.diff`) and the feed (`service`).
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import UTC, date, datetime, time
from typing import Any, Literal

from legal_pipeline.errors import DocumentError, NotFoundError, QueryError, StoreUnavailableError
from legal_pipeline.reading.answers import LawChange, LawChanges
from legal_pipeline.reading.provisions import provision_id
from legal_pipeline.reading.texts import Texts, Work
from legal_pipeline.registry.database import Database
from legal_pipeline.registry.item_hints import Provenance, provenances
from legal_pipeline.registry.listing import Choice, Listed, changed


@dataclass(frozen=True, slots=True)
class ChangesAsked:
    """A request for changes: since which day (inclusive), and of what; an empty field means all. `eid`: only changes of this provision."""

    since: date
    choice: Choice
    eid: str | None = None
    limit: int = 50
    cursor: str | None = None


def changes(database: Database, texts: Texts, asked: ChangesAsked) -> LawChanges:
    """Return the changes of at most `limit` documents, latest first. Raises `QueryError` for an invalid cursor."""
    since = datetime.combine(asked.since, time(), UTC)
    before = _read_cursor(asked.cursor) if asked.cursor else None
    documents = changed(database, asked.choice, since=since, before=before, limit=asked.limit + 1)
    shown = documents[: asked.limit]
    known = provenances(database, [document.document_id for document in shown])
    found = [
        change
        for document in shown
        for _, change in document_changes(texts, document, asked.since, known[document.document_id])
        if concerns(change, asked.eid)
    ]
    more = _cursor(shown[-1]) if len(documents) > len(shown) else None
    return LawChanges(since=asked.since.isoformat(), changes=found, next_cursor=more)


def document_changes(texts: Texts, listed: Listed, since: date, source: Provenance) -> Iterator[tuple[str, LawChange]]:
    """Yield (name, change) for changes seen on `since` or later, latest first. `source` gives the origin of the document where its text
    does not state it.

    A name (`change 3`, `correction 1`, `removed 2099-01-01`) identifies a change within its document. The number of a change is that of its
    expression. Corrections have numbers of their own, because a text may be corrected twice on one day.
    """
    try:
        work: Work | None = texts.work(listed.document_id)
    except (NotFoundError, DocumentError):
        work = None  # its tables are of an earlier version of the document model
    about = _about(listed, work, source)
    if listed.tombstoned_at is not None:
        day = listed.tombstoned_at.date().isoformat()
        yield f"removed {day}", LawChange(kind="removed", seen_on=day, summary="", provisions=[], **about)
    if work is None:
        return
    index = work.index()
    correction = sum(len(expression.corrections) for expression in index)
    for position in reversed(range(len(index))):
        expression = index[position]
        holds_from, provisions = _known(work, position)
        stated = {"consolidated_through": expression.consolidated_through} if expression.consolidated_through else {}
        shared: dict[str, Any] = {
            **about,
            **stated,
            "holds_from": holds_from,
            "expression": expression.expression,
        }
        for corrected in reversed(expression.corrections):
            if corrected.seen_on < since.isoformat():
                return
            yield (
                f"correction {correction}",
                LawChange(
                    kind="corrected",
                    correction=correction,
                    seen_on=corrected.seen_on,
                    summary=corrected.changes,
                    provisions=[provision_id(work.document_id, eid) for eid in corrected.eids],
                    **shared,
                ),
            )
            correction -= 1
        if expression.first_seen < since.isoformat():
            return
        kind: Literal["added", "changed"] = "changed" if position else "added"
        yield (
            f"change {position}",
            LawChange(
                kind=kind,
                seen_on=expression.first_seen,
                summary=expression.changes,
                provisions=provisions,
                **shared,
            ),
        )


def _known(work: Work, position: int) -> tuple[str | None, list[str]]:
    """Return (start date of the text, the provisions that it changes), as far as the history contains them."""
    try:
        history = work.history
    except StoreUnavailableError:
        return None, []
    if history is None or position >= len(history.expressions):
        return None, []
    lines = [
        line for line in history.history.lines if position in (line.first, -1 if line.last is None else line.last + 1)
    ]
    eids = dict.fromkeys(line.eid for line in lines) if position else {}
    return history.expressions[position].date, [provision_id(work.document_id, eid) for eid in eids]


def _about(listed: Listed, work: Work | None, source: Provenance) -> dict[str, Any]:
    """Return the fields that all changes of a document share."""
    about = {name: getattr(listed, name) for name in ("document_id", "title", "jurisdiction", "doc_type")} | asdict(
        source
    )
    if work is not None:
        document = work.latest.document
        licence = document.metadata.get("licence")
        about |= {"source_url": document.source_url or source.source_url, "licence": licence or source.licence}
    return about


def concerns(change: LawChange, eid: str | None) -> bool:
    """Return whether it changes this provision; without `eid` every change of the document counts."""
    return eid is None or provision_id(change.document_id, eid) in change.provisions


def _cursor(last: Listed) -> str:
    return base64.urlsafe_b64encode(f"{last.changed_at.isoformat()} {last.document_id}".encode()).decode().rstrip("=")


def _read_cursor(cursor: str) -> tuple[datetime, str]:
    try:
        text = base64.urlsafe_b64decode(f"{cursor}{'=' * (-len(cursor) % 4)}".encode("ascii")).decode("ascii")
        moment, _, document_id = text.partition(" ")
        return datetime.fromisoformat(moment), document_id
    except (ValueError, binascii.Error):
        raise QueryError(
            f"the cursor {cursor[:100]!r} is not one that an answer gave; expected its `next_cursor`"
        ) from None

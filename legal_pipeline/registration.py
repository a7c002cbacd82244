"""Registration: what a source holds becomes documents in the registry, ready to be run.

A thin loop over the pure decision (`sources.plan`): look, fetch what is new or changed, ask the parser which work it is, write it down.
Not here: running the documents (`pipeline`), and when a source is looked at (`defs.sensors`, the command line).
"""

from __future__ import annotations

import time
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from typing import Any

from legal_pipeline.corpus import identity
from legal_pipeline.corpus.document import Document
from legal_pipeline.corpus.registry import RegisteredItem, Registry
from legal_pipeline.errors import LegalPipelineError
from legal_pipeline.parsing.registry import parse
from legal_pipeline.sources.plan import plan
from legal_pipeline.sources.source import Source, SourceItem


@dataclass(frozen=True)
class Registration:
    """Ids of documents, sorted. `listed` are those whose items were found again without a change; `unreadable` maps ids to errors:
    such a document is registered, and its run fails with that error, so that it is seen wherever documents are looked at."""

    new: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    listed: tuple[str, ...] = ()
    tombstoned: tuple[str, ...] = ()
    unreadable: Mapping[str, str] = field(default_factory=dict)
    complete: bool = True

    @property
    def to_run(self) -> tuple[str, ...]:
        return tuple(sorted({*self.new, *self.changed}))


def register(
    source: Source,
    registry: Registry,
    *,
    grace: timedelta,
    in_flight: Collection[str] = (),
    hints: Mapping[str, Any] | None = None,
    deadline: float | None = None,
) -> Registration:
    """Look at `source` once. Raises `ListingError` when it cannot be listed; nothing is changed then.

    `hints` are the user's words about all items. `deadline` (`time.monotonic()` seconds) ends the look early: `complete` is then
    False, and the next look goes on, because what was registered is not new any more.
    """
    listing = source.list()
    known = registry.items(source.name)
    decision = plan(listing, known, now=datetime.now(UTC), grace=grace, in_flight=in_flight)
    by_key = {item.item_key: item for item in known}
    new, changed, unreadable = set(), set(), {}
    complete = True
    for item in (*decision.add, *decision.rebuild):
        if deadline is not None and time.monotonic() > deadline:
            complete = False
            break
        record, error = _identify(source, item, by_key.get(item.key), dict(hints or {}))
        assert record.document_id is not None
        before = registry.document(record.document_id)
        after = registry.register(record)
        if error is not None:
            unreadable[after.document_id] = str(error)
        if before is None:
            new.add(after.document_id)
        elif before.revision != after.revision:
            changed.add(after.document_id)
    registry.mark_present(source.name, decision.returned)
    registry.mark_missing(source.name, decision.missing)
    registry.forget_items(source.name, decision.removed)
    tombstoned = [*decision.tombstone, *(orphan for orphan in registry.orphans() if orphan not in decision.tombstone)]
    for document_id in tombstoned:
        registry.tombstone(document_id)
    listed_keys = {item.key for item in listing.items}
    listed = {item.document_id for item in known if item.item_key in listed_keys and item.document_id is not None}
    return Registration(
        new=tuple(sorted(new)),
        changed=tuple(sorted({*changed, *decision.shrunk})),
        listed=tuple(sorted(listed - new - changed)),
        tombstoned=tuple(sorted(tombstoned)),
        unreadable=unreadable,
        complete=complete,
    )


def _identify(
    source: Source, item: SourceItem, known: RegisteredItem | None, hints: dict[str, Any]
) -> tuple[RegisteredItem, LegalPipelineError | None]:
    """The item with the document that it holds. One that cannot be read keeps the document it held, so that its last good version
    stays and the failure is seen there; a new one gets an id of its own."""
    sha256 = ""
    try:
        file = source.fetch(item)
        sha256 = file.sha256
        file = file.with_hints(**hints)
        document = parse(file, file.hints.get("format"))
    except LegalPipelineError as error:
        held = known.document_id if known is not None else None
        suffix = identity.sha256_hex(item.key)[:8]
        return (
            RegisteredItem(
                source=source.name,
                item_key=item.key,
                document_id=held or identity.document_id("unreadable", item.name[-80:], suffix),
                stamp=item.stamp,
                sha256=sha256,
                url=item.url,
                hints=hints,
                error=str(error),
            ),
            error,
        )
    through = document.metadata.get("consolidated_through")
    return (
        RegisteredItem(
            source=source.name,
            item_key=item.key,
            document_id=document.document_id,
            stamp=item.stamp,
            sha256=sha256,
            part=document.metadata.get("part"),
            parts=document.metadata.get("parts"),
            as_of_date=_date(document),
            url=file.url or item.url,
            hints={**hints, **({"consolidated_through": through} if through else {})},
        ),
        None,
    )


def _date(document: Document) -> date | None:
    try:
        return date.fromisoformat(document.as_of_date) if document.as_of_date else None
    except ValueError:
        return None  # a year or a condition orders nothing

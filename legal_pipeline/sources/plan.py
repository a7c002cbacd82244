"""The decisions after a poll of a source: a pure function of its listing, the registry and the documents in flight.

Not here: polling, fetching and writing (`defs.sensors` and the command line do that, in the order of `Plan`).
"""

from __future__ import annotations

from collections.abc import Container, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from legal_pipeline.registry.registry import RegisteredItem
from legal_pipeline.sources.source import Listing, SourceItem


@dataclass(frozen=True)
class Plan:
    """`add` and `rebuild` are items to fetch: their bytes, not their stamps, decide whether their documents are new or changed.

    `missing` are keys that are gone for the first time, `returned` keys that were missing and are listed again. `removed` are keys that are
    gone at a second poll; `tombstone` their documents without another item, `shrunk` those with another item, whose content therefore
    differs. `waiting` are changed items whose document is in a run: the next poll finds them again. `leaving` are keys that were gone at an
    earlier poll and do not count as removed yet.
    """

    add: tuple[SourceItem, ...] = ()
    rebuild: tuple[SourceItem, ...] = ()
    missing: tuple[str, ...] = ()
    returned: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    tombstone: tuple[str, ...] = ()
    shrunk: tuple[str, ...] = ()
    waiting: tuple[SourceItem, ...] = ()
    leaving: tuple[str, ...] = ()
    unchanged: int = 0

    @property
    def is_empty(self) -> bool:
        return not (self.add or self.rebuild or self.missing or self.returned or self.removed or self.waiting)

    @property
    def leaves_work(self) -> bool:
        """Whether a later poll has something to do even if the source does not change."""
        return bool(self.missing or self.leaving or self.waiting)


def plan(
    listing: Listing,
    known: Iterable[RegisteredItem],
    *,
    now: datetime,
    grace: timedelta,
    in_flight: Container[str] = (),
) -> Plan:
    """Decide what to do with each item.

    `known` are the source's items in the registry, `in_flight` ids of documents in a run, `grace` is how long an item must be missing
    before it counts as removed. Every listed item is in exactly one result.
    """
    by_key: dict[str, list[RegisteredItem]] = {}
    for record in known:
        by_key.setdefault(record.item_key, []).append(record)

    add, rebuild, waiting, returned = [], [], [], []
    unchanged = 0
    listed = set()
    for item in sorted(listing.items, key=lambda item: item.key):
        listed.add(item.key)
        records = by_key.get(item.key)
        if records is None:
            add.append(item)
            continue
        if any(record.missing_since is not None for record in records):
            returned.append(item.key)
        if all(record.stamp == item.stamp for record in records):
            unchanged += 1
        elif _are_in_flight(records, in_flight):
            waiting.append(item)
        else:
            rebuild.append(item)

    missing, removed, leaving = [], [], []
    for key in sorted(filter(listing.covers, by_key.keys() - listed)):
        records = by_key[key]
        since = [record.missing_since for record in records]
        if any(moment is None or moment > now for moment in since):  # in the future: the clock was set back
            missing.append(key)
        elif now - max(filter(None, since)) < grace or _are_in_flight(records, in_flight):
            leaving.append(key)
        else:
            removed.append(key)

    def documents(keys: Iterable[str]) -> set[str]:
        ids = (record.document_id for key in keys for record in by_key[key])
        return {document_id for document_id in ids if document_id is not None}

    lost, kept = documents(removed), documents(by_key.keys() - set(removed))
    return Plan(
        add=tuple(add),
        rebuild=tuple(rebuild),
        missing=tuple(missing),
        returned=tuple(returned),
        removed=tuple(removed),
        tombstone=tuple(sorted(lost - kept)),
        shrunk=tuple(sorted(lost & kept)),
        waiting=tuple(waiting),
        leaving=tuple(leaving),
        unchanged=unchanged,
    )


def _are_in_flight(records: Iterable[RegisteredItem], in_flight: Container[str]) -> bool:
    return any(record.document_id is not None and record.document_id in in_flight for record in records)

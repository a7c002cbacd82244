"""Following a source behind an API over time: incremental sync with a periodic full listing in slices.

Not here: processing a listing (`registration`), when a source is polled (`defs.sensors`), and any single source.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Protocol

from legal_pipeline.building.source import SourceFile
from legal_pipeline.sources.source import Listing, ListingError, Source, SourceItem, UnknownCursorError


class RemoteSource(Source, Protocol):
    """A source behind an API: it is listed in slices, reports changes, and finds a single item again."""

    def item(self, key: str) -> SourceItem: ...

    def slices(self, after: str = "") -> Iterator[Listing]:
        """Yield all items in slices, each complete in itself; `after` is the cursor of the last slice seen."""
        ...

    def changes(self, since: str) -> Listing:
        """Return the items changed at or after `since`, a stamp of this source; items that are not listed are not gone."""
        ...


@dataclass(frozen=True)
class Position:
    """The position up to which a source has been followed.

    `pass_began`: when the last full listing began (ISO 8601), "" before the first. `after`: the cursor of its last slice, None when the
    full listing is complete. `since`: a stamp no later than that beginning, or the latest seen since: changes are requested from there.
    `in_vain`: number of requests for the next step that the source left without a reliable answer. `left_out`: number of items that the
    user's patterns left out of the slices so far.
    """

    after: str | None = None
    since: str = ""
    pass_began: str = ""
    in_vain: int = 0
    left_out: int = 0


def stay(position: Position, after: Position) -> Position:
    """Return the position at which a poll ends that cannot continue from `position` to `after`.

    The first slice of a new pass begins the pass, and the last slice ends it, even if changes in it were missed.
    """
    begun = position if after.pass_began == position.pass_began else Position(after="", pass_began=after.pass_began)
    reached = begun.after if after.after is not None else None
    return replace(begun, after=reached)


@dataclass(frozen=True)
class Listed:
    """A source that has been listed already."""

    source: Source
    listing: Listing

    @property
    def name(self) -> str:
        return self.source.name

    def list(self) -> Listing:
        return self.listing

    def fetch(self, item: SourceItem) -> SourceFile:
        return self.source.fetch(item)


def follow(
    source: RemoteSource, position: Position, *, now: datetime, again: timedelta
) -> Iterator[tuple[Listing, Position]]:
    """Yield listings to process from `position` on, each with the position that holds after the listing has been processed completely.

    A full listing starts `again` after the last one began, if that is complete: only a full listing shows which items are gone. Raises
    `ListingError` during a full listing; if changes cannot be listed, the listing is a doubtful one.
    """
    is_over = position.after is None
    if not position.pass_began or (is_over and now - datetime.fromisoformat(position.pass_began) >= again):
        # changes during the full listing are listed after it: from the latest stamp at its beginning
        position = Position(after="", since="", pass_began=now.isoformat())
    try:
        for part in source.slices(position.after) if position.after is not None else ():
            position = replace(position, after=part.cursor, in_vain=0, since=position.since or _latest(part, ""))
            yield part, position
    except UnknownCursorError:
        yield from follow(source, Position(), now=now, again=again)
        return
    position = replace(position, after=None, in_vain=0)
    try:
        changed = source.changes(position.since)
    except ListingError as error:
        changed = Listing(source.name, (), (), doubt=str(error))
    yield changed, replace(position, since=_latest(changed, position.since))


def _latest(listing: Listing, since: str) -> str:
    return max([since, *(item.stamp for item in listing.items)])

"""How a source behind an API is followed over time: all of it once, slice by slice, then what changes, and now and then all of it.

Not here: what a listing leads to (`registration`), when a source is polled (`defs.sensors`), and any single source.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Protocol

from legal_pipeline.building.source import SourceFile
from legal_pipeline.sources.source import Listing, ListingError, Source, SourceItem, UnknownCursorError


class RemoteSource(Source, Protocol):
    """A source behind an API: it is listed in slices, tells what changed, and finds a single item again."""

    def item(self, key: str) -> SourceItem: ...

    def slices(self, after: str = "") -> Iterator[Listing]:
        """Everything, in parts that are whole in themselves; `after` is the cursor of the last part seen."""
        ...

    def changes(self, since: str) -> Listing:
        """What changed at or after `since`, a stamp of this source; nothing follows for what is not listed."""
        ...


@dataclass(frozen=True)
class Position:
    """How far a source has been followed.

    `pass_began`: when the last reading of everything began (ISO 8601), "" before the first. `after`: the cursor of its last slice, None
    when it is over. `since`: a stamp no later than that beginning, or the latest seen since: what changed is asked for from there.
    `in_vain`: tries of what follows behind the position that the source left without a believable answer.
    """

    after: str | None = None
    since: str = ""
    pass_began: str = ""
    in_vain: int = 0


def stay(position: Position, after: Position) -> Position:
    """Where a poll ends that cannot go on from `position` to `after`.

    The first slice of a new pass begins it, and the last one ends it, whatever then changed without notice.
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
    """Listings to process from `position` on, each with the position that holds once it has been polled to its end.

    Everything is read again `again` after the last reading of it began, if that is over: only then is it seen what is gone. Raises
    `ListingError` where everything is read; of changes that cannot be listed the listing is one in doubt.
    """
    is_over = position.after is None
    if not position.pass_began or (is_over and now - datetime.fromisoformat(position.pass_began) >= again):
        # what changes while everything is read is listed again behind it: from the latest stamp that its beginning shows
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

"""What a source is: something with a name that lists items and fetches one.

Not here: any single source.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Protocol

from legal_pipeline.building.source import SourceFile
from legal_pipeline.errors import DocumentError, LegalPipelineError


class ListingError(LegalPipelineError):
    """A source could not be listed. Nothing follows from it: least of all that its documents are gone."""

    transient = True


class UnknownCursorError(ListingError):
    """A source was to go on behind a slice that it does not have (any more): its settings have changed, say."""


class DoubtfulListingError(ListingError):
    """A source answered, and its answers contradict each other, or say that there is nothing."""


@dataclass(frozen=True)
class SourceItem:
    """One thing that a source lists. `key` is unique within the source and does not change.

    `stamp` is what the source says about the state of the item without reading it (size and times, or an ETag): equal stamps mean that
    there is no need to fetch, different ones mean nothing more than that there is. `error` is set for an item that must not be fetched.
    """

    key: str
    name: str
    size: int | None = None
    stamp: str = ""
    url: str | None = None
    hints: dict[str, Any] = field(default_factory=dict)
    error: DocumentError | None = None


@dataclass(frozen=True)
class Listing:
    """What a source listed, in the order of the keys. `scope` is where it looked: keys that start with one of these prefixes.

    Items elsewhere are not missing, they were not looked for. A source that is listed in slices gives the `cursor` that goes on behind
    this one. A page of a listing is of the keys behind the first of `between` up to the second, with a fingerprint of its items and their
    stamps. `closed` are prefixes of keys within the scope that could not be polled. `doubt`: why what the source says of the scope is
    not believed; such a listing has no items, and nothing is gone for it.
    """

    source: str
    items: tuple[SourceItem, ...]
    scope: tuple[str, ...] = ("",)
    cursor: str = ""
    between: tuple[str, str] | None = None
    fingerprint: str = ""
    closed: tuple[str, ...] = ()
    doubt: str = ""

    def covers(self, key: str) -> bool:
        if self.between is not None and not self.between[0] < key <= self.between[1]:
            return False
        return key.startswith(self.scope) and not (self.closed and key.startswith(self.closed))

    @property
    def ranges(self) -> tuple[tuple[str, str], ...]:
        """Ranges of keys, ends included, that hold all that it covers."""
        return (self.between,) if self.between is not None else tuple((prefix, prefix + _LAST) for prefix in self.scope)

    @property
    def is_part(self) -> bool:
        """A page of a source, or only what changed in it."""
        return self.between is not None or not self.scope


#: Sorts behind every character.
_LAST = chr(0x10FFFF)


class Source(Protocol):
    @property
    def name(self) -> str: ...

    def list(self) -> Listing:
        """Raises `ListingError` when the source cannot be read; an empty listing means that the source is empty."""
        ...

    def fetch(self, item: SourceItem) -> SourceFile:
        """The bytes of `item`. Raises `item.error`, or a `DocumentError` (gone, unreadable, too large)."""
        ...

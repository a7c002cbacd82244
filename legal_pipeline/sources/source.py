"""The interface of a source: it has a name, lists items and fetches an item.

Not here: the single sources.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Protocol

from legal_pipeline.building.source import SourceFile
from legal_pipeline.errors import DocumentError, LegalPipelineError


class ListingError(LegalPipelineError):
    """A source could not be listed. This does not mean that its documents are gone."""

    transient = True


class UnknownCursorError(ListingError):
    """A source was to continue after a slice that it does not have (any more), for example because its settings have changed."""


class DoubtfulListingError(ListingError):
    """A source answered, but its answers contradict each other, or are empty."""


@dataclass(frozen=True)
class SourceItem:
    """One item of a source's listing. `key` is unique within the source and does not change.

    `stamp` is the source's statement about the state of the item without reading it (size and times, or an ETag): equal stamps mean that
    fetching is unnecessary, different stamps mean only that it is necessary. `error` is set for an item that must not be fetched.
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
    """The items that a source listed, in the order of the keys. `scope` is the listed part: keys that start with one of these prefixes.

    Items outside the scope are not missing, they were not requested. A source that is listed in slices gives the `cursor` to continue after
    this slice. A page of a listing has the keys after the first of `between` up to the second, with a fingerprint of its items and their
    stamps. `closed` are prefixes of keys within the scope that could not be polled. `left_out` are keys within the scope that the user's
    patterns leave out: to the registry they are gone. `doubt`: why the source's answer for the scope is not
    reliable; such a listing has no items, and does not show that items are gone.
    """

    source: str
    items: tuple[SourceItem, ...]
    scope: tuple[str, ...] = ("",)
    cursor: str = ""
    between: tuple[str, str] | None = None
    fingerprint: str = ""
    closed: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    doubt: str = ""

    def covers(self, key: str) -> bool:
        if self.between is not None and not self.between[0] < key <= self.between[1]:
            return False
        return key.startswith(self.scope) and not (self.closed and key.startswith(self.closed))

    @property
    def left_out_by_scope(self) -> dict[str, int]:
        """Return prefix of the scope -> the number of its keys that are left out."""
        return {prefix: sum(key.startswith(prefix) for key in self.left_out) for prefix in self.scope}

    @property
    def ranges(self) -> tuple[tuple[str, str], ...]:
        """Return ranges of keys, ends included, that include all covered keys."""
        return (self.between,) if self.between is not None else tuple((prefix, prefix + _LAST) for prefix in self.scope)

    @property
    def is_empty(self) -> bool:
        """Whether the source has no items. A later page without items is only the end of the listing."""
        return not self.items and (self.between is None or self.between[0] in self.scope)

    @property
    def is_part(self) -> bool:
        """Whether it is a page of a source, or only the changes."""
        return self.between is not None or not self.scope


#: Sorts after every character.
_LAST = chr(0x10FFFF)


class Source(Protocol):
    @property
    def name(self) -> str: ...

    def list(self) -> Listing:
        """Return the listing. Raises `ListingError` if the source cannot be read; an empty listing means that the source is empty."""
        ...

    def fetch(self, item: SourceItem) -> SourceFile:
        """Return the bytes of `item`. Raises `item.error`, or a `DocumentError` (gone, unreadable, too large)."""
        ...

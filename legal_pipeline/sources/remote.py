"""Shared parts of sources behind an HTTP API: listings in slices, and the errors of failed requests.

Not here: the requests (`sources.http`) and any single source.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, TypeVar

from legal_pipeline.errors import DocumentError, LimitExceededError
from legal_pipeline.sources.exchange import AnswerTooLargeError, HttpError
from legal_pipeline.sources.http import HttpClient, Params
from legal_pipeline.sources.source import DoubtfulListingError, Listing, ListingError, SourceItem, UnknownCursorError

T = TypeVar("T")


class FetchError(DocumentError):
    """An item could not be fetched. `status` is the status of the HTTP answer, None without an answer."""

    def __init__(self, message: str, *, document: str, status: int | None = None, transient: bool = False) -> None:
        super().__init__(message, document=document)
        self.status = status
        self.transient = transient


def whole(name: str, slices: Iterable[Listing]) -> Listing:
    """Return one listing of all `slices`, sorted by key.

    Raises `ListingError` if they have no item (an empty answer does not prove an empty source), and for a doubtful slice.
    """
    items: dict[str, SourceItem] = {}
    scope: list[str] = []
    for part in slices:
        if part.doubt:
            raise DoubtfulListingError(part.doubt)
        items.update((item.key, item) for item in part.items)
        scope.extend(part.scope)
    if not items:
        raise ListingError(f"{name}: the listing is empty")
    return Listing(name, tuple(items[key] for key in sorted(items)), tuple(scope))


def slice_of(name: str, items: Iterable[SourceItem], prefix: str, *, cursor: str) -> Listing:
    """Return a listing of the items under `prefix`.

    An empty listing covers nothing: an empty answer does not show that documents are gone.
    """
    by_key = {item.key: item for item in items}
    return Listing(name, tuple(by_key[key] for key in sorted(by_key)), (prefix,) if by_key else (), cursor=cursor)


def slice_or_doubt(name: str, request: Callable[[], Iterable[SourceItem]], prefix: str, *, cursor: str) -> Listing:
    """Return a slice of the items that `request` finds under `prefix`, or a doubtful slice, so that later slices need not wait."""
    try:
        return slice_of(name, request(), prefix, cursor=cursor)
    except DoubtfulListingError as error:
        return Listing(name, (), (prefix,), cursor=cursor, doubt=str(error))


def slices(
    name: str, prefixes: Mapping[str, str], items: Callable[[str], Iterable[SourceItem]], after: str
) -> Iterator[Listing]:
    """Yield a slice (see `slice_or_doubt`) for each cursor after `after`, with what `items` finds for it; `prefixes`: cursor -> prefix.

    Raises `UnknownCursorError` if `after` is not one of the cursors.
    """
    if after and after not in prefixes:
        raise UnknownCursorError(f"{name}: {after!r} is not a cursor of this source")
    cursors = list(prefixes)
    for cursor in cursors[cursors.index(after) + 1 if after else 0 :]:
        yield slice_or_doubt(name, functools.partial(items, cursor), prefixes[cursor], cursor=cursor)


def changed_only(name: str, items: Iterable[SourceItem]) -> Listing:
    """Return a listing of changed items; it covers no other item."""
    return replace(slice_of(name, items, "", cursor=""), scope=())


def listed(name: str, request: Callable[[], T]) -> T:
    """Return the result of `request`; a failure is raised as `ListingError`."""
    try:
        return request()
    except HttpError as error:
        raise ListingError(f"{name} cannot be listed: {error}") from None


def listed_json(name: str, client: HttpClient, address: str, params: Params | None = None) -> dict[str, Any]:
    """Return the JSON object at `address`, requested as part of a listing."""
    return listed(name, lambda: client.get(address, params, accept="application/json").json())


def fetched(document: str, request: Callable[[], T]) -> T:
    """Return the result of `request`; a failure is raised as `FetchError`, too large an answer as `LimitExceededError`."""
    try:
        return request()
    except AnswerTooLargeError as error:
        raise LimitExceededError(str(error), document=document) from None
    except HttpError as error:
        raise FetchError(str(error), document=document, status=error.status, transient=error.transient) from None


def rows(value: Any, *, source: str, what: str) -> list[dict[str, Any]]:
    """Return a source's list of objects, given as nothing, a single object, or a list. Raises `ListingError` for anything else."""
    if value is None or value == "":
        return []
    found = value if isinstance(value, list) else [value]
    if not all(isinstance(row, dict) for row in found):
        raise ListingError(f"{source}: {what} is {type(value).__name__}, expected a list of objects")
    return found


def number(value: Any, *, source: str, what: str) -> int:
    """Return a source's count, given as a number or as digits in a string. Raises `ListingError` for anything else."""
    text = str(value).strip() if isinstance(value, (int, str)) and not isinstance(value, bool) else ""
    if not (text.isascii() and text.isdigit()):
        raise ListingError(f"{source}: {what} is missing or no number")
    return int(text)

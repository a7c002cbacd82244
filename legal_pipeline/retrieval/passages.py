"""Hits with the provisions beside them: neighbouring chunks of a document that together have at most so many tokens.

What is asked for often stands in the provision before or after the one that says it in the query's words, and a reader of one wants the
other (README, "How well it finds provisions"). Not here: which chunks are hits and in which order (`retrieval.search`), and the text of a
whole chapter or Act (`retrieval.context`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeVar

from legal_pipeline.retrieval.filters import SUPERSEDED
from legal_pipeline.stores.store import DOCUMENT_ID, AnyOf, Condition, Not, Payload

Item = TypeVar("Item")

#: Chunks of a document that are looked at on either side of a hit.
REACH = 8

#: Strategies whose chunks are no text of the document in its order: they say again what stands elsewhere.
_SAID_AGAIN = ("proposition", "raptor")
#: Those, and superseded wordings, which are of another expression, stand beside nothing.
_IN_ORDER: tuple[Condition, ...] = (Not(AnyOf("strategy", _SAID_AGAIN)), Not(AnyOf(SUPERSEDED, (True,))))

Fetch = Callable[[Sequence[Condition], int], Iterable[Payload]]


def passages(
    items: Sequence[Item],
    payload: Callable[[Item], Payload],
    limit: int,
    tokens: int,
    fetch: Fetch,
    *,
    apart: Callable[[Item], bool],
) -> list[tuple[Item, list[Payload]]]:
    """The first `limit` of `items` (best first) that no other's passage holds, each with the chunks beside it, in text order.

    A passage has at most `tokens`, unless the item alone has more, and no chunk is in two. What is `apart` (the provision that was asked
    for) is in no other's passage. `fetch` gives chunks for conditions, at most so many.
    """
    taken = {_id(payload(item)) for item in items if apart(item)}
    neighbours = _Neighbours([payload(item) for item in items], fetch)
    shown: list[tuple[Item, list[Payload]]] = []
    for item in items:
        values = payload(item)
        if _id(values) in taken and not apart(item):
            continue
        if len(shown) == limit:
            break
        taken.add(_id(values))
        shown.append((item, _grown(values, neighbours.of(values), tokens, taken)))
    return shown


class _Neighbours:
    """Chunks near any of `hits` by the place of each, fetched once for all hits of a document."""

    def __init__(self, hits: Sequence[Payload], fetch: Fetch) -> None:
        self._places: dict[str, set[int]] = {}
        for hit in hits:
            if (place := _place(hit)) is not None:
                self._places.setdefault(str(hit.get(DOCUMENT_ID)), set()).add(place)
        self._fetch = fetch
        self._fetched: dict[str, Mapping[int, Payload]] = {}

    def of(self, hit: Payload) -> Mapping[int, Payload]:
        """Those within `REACH` of the hit, without itself; none for what is not text of its document."""
        place = _place(hit)
        if place is None:
            return {}
        document_id = str(hit.get(DOCUMENT_ID))
        if document_id not in self._fetched:
            self._fetched[document_id] = self._of_document(document_id)
        near = range(place - REACH, place + REACH + 1)
        return {at: one for at, one in self._fetched[document_id].items() if at in near and at != place}

    def _of_document(self, document_id: str) -> Mapping[int, Payload]:
        wanted = sorted(
            {at for place in self._places[document_id] for at in range(place - REACH, place + REACH + 1) if at >= 0}
        )
        conditions = (AnyOf(DOCUMENT_ID, (document_id,)), AnyOf("seq", tuple(wanted)), *_IN_ORDER)
        found = ((_place(one), one) for one in self._fetch(conditions, len(wanted)))
        return {place: one for place, one in found if place is not None}


def _grown(hit: Payload, near: Mapping[int, Payload], tokens: int, taken: set[str]) -> list[Payload]:
    """The chunks of `near` that go with the hit, one after and one before by turns until neither fits; they are `taken` then."""
    place, size = _place(hit), _tokens(hit)
    if place is None:
        return []
    after = [near[at] for at in sorted(near) if at > place]
    before = [near[at] for at in sorted(near, reverse=True) if at < place]
    found: list[Payload] = []
    while after or before:
        for side in (after, before):
            if not side:
                continue
            following = side.pop(0)
            if _id(following) in taken or size + _tokens(following) > tokens:
                side.clear()  # nothing behind it is beside the hit
                continue
            size += _tokens(following)
            taken.add(_id(following))
            found.append(following)
    return sorted(found, key=lambda one: _place(one) or 0)


def _place(values: Payload) -> int | None:
    """The chunk's number in its document's order; None for what has no place in the text."""
    aside = values.get("strategy") in _SAID_AGAIN or values.get(SUPERSEDED)
    return None if aside or values.get("seq") is None else int(values["seq"])


def _tokens(values: Payload) -> int:
    return int(values.get("num_tokens", 0))


def _id(values: Payload) -> str:
    return str(values.get("chunk_id", ""))

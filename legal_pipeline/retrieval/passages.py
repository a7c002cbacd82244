"""Hits with the provisions next to them: neighbouring chunks of a document up to a maximum number of tokens.

The answer is often in the provision before or after the provision that matches the query's words, and a reader of one needs the
other (docs/evaluation/results.md). Not here: which chunks are hits and their scores (`retrieval.search`), and the text of a
whole chapter or Act (`retrieval.context`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from legal_pipeline.retrieval.filters import SUPERSEDED
from legal_pipeline.stores.store import DOCUMENT_ID, AnyOf, Condition, Either, Not, Payload

Item = TypeVar("Item")

#: Number of chunks of a document that are considered on either side of a hit.
REACH = 8

#: Weight of the neighbours' scores relative to the hit's own score. Chosen on the development half of the citation queries (recall@5 0.453
#: against 0.439 in English, 0.661 against 0.627 in Swedish; share of hits from the wrong document 0.274 against 0.297, and 0.296 against
#: 0.293) and on definitions, some of which a weight of 0.15 lost.
BESIDE_WEIGHT = 0.1

_SUMMARY = "raptor"
#: Strategies whose chunks are not text of the document in its order: they repeat other chunks.
_SAID_AGAIN = ("proposition", _SUMMARY)
#: Chunks of these strategies, and superseded wordings, which are of another expression, have no neighbours.
_IN_ORDER: tuple[Condition, ...] = (Not(AnyOf("strategy", _SAID_AGAIN)), Not(AnyOf(SUPERSEDED, (True,))))

#: Fields read of neighbours before it is known which are shown: hundreds are considered for about twenty that are shown.
PLACING = (DOCUMENT_ID, "chunk_id", "seq", "num_tokens", "strategy", SUPERSEDED)

Fetch = Callable[[Sequence[Condition], int], Iterable[Payload]]


@dataclass(frozen=True, slots=True)
class Passage(Generic[Item]):
    """A hit and the chunks `beside` it, in text order. `beside_score`: the sum of the scores of the neighbours in its passage."""

    item: Item
    beside: list[Payload]
    beside_score: float


def passages(
    items: Sequence[Item],
    payload: Callable[[Item], Payload],
    limit: int,
    tokens: int,
    fetch: Fetch,
    *,
    scored: Iterable[tuple[Payload, float]],
    apart: Callable[[Item], bool],
    last: Callable[[Item], bool] = lambda _: False,
) -> list[Passage[Item]]:
    """Return the first `limit` of `items` that are in no other item's passage, each with the chunks next to it.

    - A passage is a run of chunks around its hit, of at most `tokens` (or the hit alone, if it has more). It is the run of
      this size with the highest score; if no other chunk in reach is `scored`, the hit is in its middle. No chunk is in two passages.
    - The neighbours' score counts for the hit (`with_beside`). A definition has no neighbours and gets the best such score of its document.
      A summary gets none, so that the chunks it was made from come before it.
    - Items for which `apart` is true (the provision that was asked for) come first, in their order, and are in no passage of another item.
      Items for which `last` is true come behind the others.

    `fetch` returns at most so many chunks for conditions; the fields `PLACING` of their payloads are enough.
    """
    scores = _Scores(scored)
    asked_for = {chunk_id_of(payload(item)) for item in items if apart(item)}
    hits = [payload(item) for item in items]
    neighbours = _Neighbours(fetch)
    # hits that can change the order, and hits that are shown unless they are in another passage
    neighbours.read([hit for at, hit in enumerate(hits) if at < limit or scores.any_near(hit)])
    gained = _gained([hit for hit in hits if chunk_id_of(hit) not in asked_for], neighbours, tokens, asked_for, scores)

    def order(item: Item) -> tuple[bool, bool, float]:
        hit = payload(item)
        if apart(item):
            return False, False, 0.0
        return True, last(item), -with_beside(scores.of(hit), gained[chunk_id_of(hit)])

    taken = set(asked_for)
    shown: list[Passage[Item]] = []
    ordered = sorted(items, key=order)
    for at, item in enumerate(ordered):
        hit = payload(item)
        if chunk_id_of(hit) in taken and not apart(item):
            continue
        if len(shown) == limit:
            break
        if not neighbours.has(hit):
            neighbours.read(map(payload, ordered[at : at + limit]))
        beside = _run(hit, neighbours.of(hit), tokens, taken, scores)
        taken.update(map(chunk_id_of, (hit, *beside)))
        shown.append(Passage(item, beside, gained.get(chunk_id_of(hit), 0.0)))
    return shown


def with_beside(score: float, beside_score: float) -> float:
    """Return the score of a hit including its neighbours."""
    return score + BESIDE_WEIGHT * beside_score


def _gained(
    hits: Sequence[Payload], neighbours: _Neighbours, tokens: int, asked_for: Collection[str], scores: _Scores
) -> dict[str, float]:
    """Return chunk id -> score of its passage without the hit, each computed as if it were the only passage."""
    found: dict[str, float] = {}
    of_document: dict[str, float] = {}
    for hit in hits:
        # most hits have no scored chunk near them
        run = _run(hit, neighbours.of(hit), tokens, asked_for, scores) if scores.any_near(hit) else []
        found[chunk_id_of(hit)] = sum(map(scores.of, run))
        of_document[_document(hit)] = max(of_document.get(_document(hit), 0.0), found[chunk_id_of(hit)])
    placeless = (hit for hit in hits if _place(hit) is None and hit.get("strategy") != _SUMMARY)
    return found | {chunk_id_of(hit): of_document[_document(hit)] for hit in placeless}


class _Scores:
    """Scores of chunks, hits or not; 0 for any other chunk."""

    def __init__(self, scored: Iterable[tuple[Payload, float]]) -> None:
        self._by_id: dict[str, float] = {}
        self._places: dict[str, set[int]] = {}
        for values, score in scored:
            self._by_id[chunk_id_of(values)] = score
            if (place := _place(values)) is not None:
                self._places.setdefault(_document(values), set()).add(place)

    def of(self, values: Payload) -> float:
        return self._by_id.get(chunk_id_of(values), 0.0)

    def any_near(self, hit: Payload) -> bool:
        place = _place(hit)
        places = self._places.get(_document(hit), ())
        return place is not None and any(0 < abs(at - place) <= REACH for at in places)


class _Neighbours:
    """Chunks near hits, by position."""

    def __init__(self, fetch: Fetch) -> None:
        self._fetch = fetch
        self._read: set[tuple[str, int]] = set()
        self._fetched: dict[str, dict[int, Payload]] = {}

    def has(self, hit: Payload) -> bool:
        place = _place(hit)
        return place is None or (_document(hit), place) in self._read

    def read(self, hits: Iterable[Payload]) -> None:
        """Fetch the chunks near the hits, for all hits in one request."""
        wanted: dict[str, set[int]] = {}
        for hit in hits:
            place = _place(hit)
            if place is not None and not self.has(hit):
                self._read.add((_document(hit), place))
                wanted.setdefault(_document(hit), set()).update(range(max(0, place - REACH), place + REACH + 1))
        if not wanted:
            return
        either = Either(
            tuple(
                (AnyOf(DOCUMENT_ID, (document_id,)), AnyOf("seq", tuple(sorted(places))))
                for document_id, places in sorted(wanted.items())
            )
        )
        for found in self._fetch((either, *_IN_ORDER), sum(map(len, wanted.values()))):
            if (place := _place(found)) is not None:
                self._fetched.setdefault(_document(found), {})[place] = found

    def of(self, hit: Payload) -> Mapping[int, Payload]:
        """Return the chunks within `REACH` of the hit, which was read, by position; none for a hit that is not text of its document."""
        place = _place(hit)
        if place is None:
            return {}
        near = range(place - REACH, place + REACH + 1)
        return {at: row for at, row in self._fetched.get(_document(hit), {}).items() if at in near}


@dataclass(frozen=True, slots=True)
class _Side:
    """The chunks on one side of a hit, from the hit outwards, with their tokens and score."""

    chunks: tuple[Payload, ...] = ()
    tokens: int = 0
    score: float = 0.0


def _run(
    hit: Payload, around: Mapping[int, Payload], tokens: int, taken: Collection[str], scores: _Scores
) -> list[Payload]:
    """Return the neighbours in the run of chunks through the hit with the highest score; on a tie the longest run, then the run with
    the hit nearest to its middle."""
    place, room = _place(hit), tokens - _tokens(hit)
    if place is None:
        return []
    after = list(_sides((around[at] for at in sorted(around) if at > place), room, taken, scores))
    before = list(_sides((around[at] for at in sorted(around, reverse=True) if at < place), room, taken, scores))
    back, on = max(
        ((row, other) for row in before for other in after if row.tokens + other.tokens <= max(room, 0)),
        key=lambda pair: (
            pair[0].score + pair[1].score,
            pair[0].tokens + pair[1].tokens,
            -abs(pair[0].tokens - pair[1].tokens),
        ),
    )
    return [*reversed(back.chunks), *on.chunks]


def _sides(outwards: Iterable[Payload], room: int, taken: Collection[str], scores: _Scores) -> Iterator[_Side]:
    """Yield no chunks, the first, the first two and so on, as long as they fit and none is taken."""
    side = _Side()
    yield side
    for row in outwards:
        side = _Side((*side.chunks, row), side.tokens + _tokens(row), side.score + scores.of(row))
        if chunk_id_of(row) in taken or side.tokens > room:
            return
        yield side


def _place(values: Payload) -> int | None:
    """Return the chunk's number in its document's order; None for a chunk without a place in the text."""
    aside = values.get("strategy") in _SAID_AGAIN or values.get(SUPERSEDED)
    return None if aside or values.get("seq") is None else int(values["seq"])


def _document(values: Payload) -> str:
    return str(values.get(DOCUMENT_ID))


def _tokens(values: Payload) -> int:
    return int(values.get("num_tokens", 0))


def chunk_id_of(values: Payload) -> str:
    return str(values.get("chunk_id", ""))

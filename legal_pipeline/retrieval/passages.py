"""Hits with the provisions beside them: neighbouring chunks of a document that together have at most so many tokens.

What is asked for often stands in the provision before or after the one that says it in the query's words, and a reader of one wants the
other (docs/evaluation/results.md). Not here: which chunks are hits and what they score (`retrieval.search`), and the text of a
whole chapter or Act (`retrieval.context`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from legal_pipeline.retrieval.filters import SUPERSEDED
from legal_pipeline.stores.store import DOCUMENT_ID, AnyOf, Condition, Either, Not, Payload

Item = TypeVar("Item")

#: Chunks of a document that are looked at on either side of a hit.
REACH = 8

#: What the chunks beside a hit score weighs beside its own score. Chosen on the development half of the citation queries (recall@5 0.453
#: against 0.439 in English, 0.661 against 0.627 in Swedish; share of hits from the wrong document 0.274 against 0.297, and 0.296 against
#: 0.293) and on definitions, of which 0.15 lost some.
BESIDE_WEIGHT = 0.1

_SUMMARY = "raptor"
#: Strategies whose chunks are not text of the document in its order: they say again what stands elsewhere.
_SAID_AGAIN = ("proposition", _SUMMARY)
#: Those, and superseded wordings, which are of another expression, stand beside nothing.
_IN_ORDER: tuple[Condition, ...] = (Not(AnyOf("strategy", _SAID_AGAIN)), Not(AnyOf(SUPERSEDED, (True,))))

#: What is read of the chunks beside a hit before it is known which are shown: hundreds are looked at for some twenty that are.
PLACING = (DOCUMENT_ID, "chunk_id", "seq", "num_tokens", "strategy", SUPERSEDED)

Fetch = Callable[[Sequence[Condition], int], Iterable[Payload]]


@dataclass(frozen=True, slots=True)
class Passage(Generic[Item]):
    """A hit and the chunks `beside` it, in text order. `beside_score`: what those score that its passage has room for."""

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
) -> list[Passage[Item]]:
    """The first `limit` of `items` that no other's passage holds, each with the chunks beside it.

    A passage is the run of chunks around its hit that has at most `tokens` (unless the hit alone has more) and scores most; where nothing
    else in reach is `scored`, the hit stands in its middle. What its passage has beside a hit counts for it (`with_beside`), and no chunk
    is in two passages; a definition, which stands beside nothing, is counted as much as the best of its document, a summary is not: what it
    sums up shall come before it. What is `apart` (the provision that was asked for) comes first, in its order and by itself, and is in no
    other's passage. `fetch` gives chunks for conditions, at most so many; `PLACING` of their payloads is enough.
    """
    scores = _Scores(scored)
    asked_for = {_id(payload(item)) for item in items if apart(item)}
    hits = [payload(item) for item in items]
    neighbours = _Neighbours(fetch)
    # what decides the order, and what is shown unless another's passage holds it
    neighbours.read([hit for at, hit in enumerate(hits) if at < limit or scores.any_near(hit)])
    gained = _gained([hit for hit in hits if _id(hit) not in asked_for], neighbours, tokens, asked_for, scores)

    def order(item: Item) -> tuple[bool, float]:
        hit = payload(item)
        return (False, 0.0) if apart(item) else (True, -with_beside(scores.of(hit), gained[_id(hit)]))

    taken = set(asked_for)
    shown: list[Passage[Item]] = []
    ordered = sorted(items, key=order)
    for at, item in enumerate(ordered):
        hit = payload(item)
        if _id(hit) in taken and not apart(item):
            continue
        if len(shown) == limit:
            break
        if not neighbours.has(hit):
            neighbours.read(map(payload, ordered[at : at + limit]))
        beside = _run(hit, neighbours.of(hit), tokens, taken, scores)
        taken.update(map(_id, (hit, *beside)))
        shown.append(Passage(item, beside, gained.get(_id(hit), 0.0)))
    return shown


def with_beside(score: float, beside_score: float) -> float:
    """What a hit scores with what stands beside it."""
    return score + BESIDE_WEIGHT * beside_score


def _gained(
    hits: Sequence[Payload], neighbours: _Neighbours, tokens: int, asked_for: Collection[str], scores: _Scores
) -> dict[str, float]:
    """Chunk id -> what the passage scores but for the hit, each as if it were the only one."""
    found: dict[str, float] = {}
    of_document: dict[str, float] = {}
    for hit in hits:
        # most hits have none near them that score anything
        run = _run(hit, neighbours.of(hit), tokens, asked_for, scores) if scores.any_near(hit) else []
        found[_id(hit)] = sum(map(scores.of, run))
        of_document[_document(hit)] = max(of_document.get(_document(hit), 0.0), found[_id(hit)])
    placeless = (hit for hit in hits if _place(hit) is None and hit.get("strategy") != _SUMMARY)
    return found | {_id(hit): of_document[_document(hit)] for hit in placeless}


class _Scores:
    """What chunks score, hits or not; 0 for any other."""

    def __init__(self, scored: Iterable[tuple[Payload, float]]) -> None:
        self._by_id: dict[str, float] = {}
        self._places: dict[str, set[int]] = {}
        for values, score in scored:
            self._by_id[_id(values)] = score
            if (place := _place(values)) is not None:
                self._places.setdefault(_document(values), set()).add(place)

    def of(self, values: Payload) -> float:
        return self._by_id.get(_id(values), 0.0)

    def any_near(self, hit: Payload) -> bool:
        place = _place(hit)
        places = self._places.get(_document(hit), ())
        return place is not None and any(0 < abs(at - place) <= REACH for at in places)


class _Neighbours:
    """Chunks near hits by the place of each."""

    def __init__(self, fetch: Fetch) -> None:
        self._fetch = fetch
        self._read: set[tuple[str, int]] = set()
        self._fetched: dict[str, dict[int, Payload]] = {}

    def has(self, hit: Payload) -> bool:
        place = _place(hit)
        return place is None or (_document(hit), place) in self._read

    def read(self, hits: Iterable[Payload]) -> None:
        """Fetch what is near to the hits, those near to all of them at once."""
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
        """Those within `REACH` of the hit, which was read, without itself; none for what is not text of its document."""
        place = _place(hit)
        if place is None:
            return {}
        near = range(place - REACH, place + REACH + 1)
        return {at: row for at, row in self._fetched.get(_document(hit), {}).items() if at in near and at != place}


@dataclass(frozen=True, slots=True)
class _Side:
    """Chunks from beside a hit outwards, what they have together and what they score."""

    chunks: tuple[Payload, ...] = ()
    tokens: int = 0
    score: float = 0.0


def _run(
    hit: Payload, around: Mapping[int, Payload], tokens: int, taken: Collection[str], scores: _Scores
) -> list[Payload]:
    """Of the runs of chunks that go through the hit, what belongs to the one that scores most; of several the fullest, then the one that
    has the hit nearest to its middle."""
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
    """None of the chunks, the first, the first two and so on, as far as there is room and none is taken."""
    side = _Side()
    yield side
    for row in outwards:
        side = _Side((*side.chunks, row), side.tokens + _tokens(row), side.score + scores.of(row))
        if _id(row) in taken or side.tokens > room:
            return
        yield side


def _place(values: Payload) -> int | None:
    """The chunk's number in its document's order; None for what has no place in the text."""
    aside = values.get("strategy") in _SAID_AGAIN or values.get(SUPERSEDED)
    return None if aside or values.get("seq") is None else int(values["seq"])


def _document(values: Payload) -> str:
    return str(values.get(DOCUMENT_ID))


def _tokens(values: Payload) -> int:
    return int(values.get("num_tokens", 0))


def _id(values: Payload) -> str:
    return str(values.get("chunk_id", ""))

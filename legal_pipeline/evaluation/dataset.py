"""A dataset: documents, queries, and for each query the spans that answer it.

Not here: the sources of datasets (`datasets`) and the judgment of a hit (`relevance`).
"""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeVar

from legal_pipeline.evaluation.names import Half
from legal_pipeline.model.document import Document

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Answer:
    """A span of a document's text that answers a query; `grade` 1 or more, higher is better."""

    document_id: str
    start: int
    end: int
    grade: int = 1


@dataclass(frozen=True, slots=True)
class Query:
    """`group` is the group that figures are reported for: a language, or "eng over swe" for a query about texts in another language.
    `origin` is the place of the query's own words, which is never a hit. `key` names the source of the query: queries of one key are in the
    same half of a dataset. `half` is the half that the query's own file assigns it to; None: a hash of `key` decides."""

    query_id: str
    text: str
    group: str
    key: str
    answers: tuple[Answer, ...]
    origin: Answer | None = None
    half: Half | None = None


@dataclass(frozen=True)
class Dataset:
    """`by_document`: the judgments are of whole documents, so hits of one document count as one hit. `notes` describe how it was made."""

    name: str
    documents: tuple[Document, ...]
    queries: tuple[Query, ...]
    by_document: bool = False
    notes: tuple[str, ...] = ()

    def half(self, half: Half, seed: int) -> Dataset:
        """Return the development or the test half: by the half that each query states, or by a hash of its key."""
        kept = tuple(query for query in self.queries if (query.half or half_of(query.key, seed)) == half)
        return dataclasses.replace(self, queries=kept).with_note(
            f"the {half} half of the queries, by document, seed {seed}"
        )

    def with_note(self, note: str) -> Dataset:
        return dataclasses.replace(self, notes=(*self.notes, note))

    def groups(self) -> tuple[str, ...]:
        return tuple(sorted({query.group for query in self.queries}))


def half_of(key: str, seed: int) -> Half:
    return Half.DEV if _hash(key, seed) % 2 == 0 else Half.TEST


def sample(items: Iterable[T], key: str, limit: int, seed: int) -> list[T]:
    """Return at most `limit` of `items`, in order; one seed gives the same sample, independent of samples with another `key`."""
    held = list(items)
    if len(held) <= limit:
        return held
    return [held[index] for index in sorted(shuffled(range(len(held)), seed, key)[:limit])]


def shuffled(numbers: Iterable[int], seed: int, key: str = "") -> list[int]:
    """Return `numbers` in an order that depends only on the seed and the key."""
    return sorted(numbers, key=lambda number: _hash(f"{key}/{number}", seed))


def numbered(queries: Iterable[Query]) -> Iterator[Query]:
    """Yield queries with their position as their id."""
    for number, query in enumerate(queries, start=1):
        yield dataclasses.replace(query, query_id=f"q{number:04}")


def _hash(key: str, seed: int) -> int:
    return int.from_bytes(hashlib.sha256(f"{seed}/{key}".encode()).digest()[:8], "big")

"""An open shard of Qdrant Edge.

Not here: opening, creating and locking it (`stores.edge_files`, `stores.edge_collection`).
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from qdrant_edge import CountRequest, EdgeShard, QueryBatchRequest, ScrollRequest, UpdateOperation

from legal_pipeline.registry.disk_space import has_space, verify_space
from legal_pipeline.stores.edge_marker import SHARD, read_marker
from legal_pipeline.stores.edge_payloads import Fields, Payloads, asked_fields
from legal_pipeline.stores.edge_points import EdgeRequests, configuration, create_indexes, edge_points
from legal_pipeline.stores.replacement import VersionedPoints, batches, hash_documents, ids_and_hashes
from legal_pipeline.stores.store import (
    DOCUMENT_ID,
    ROW_HASH,
    AnyOf,
    Condition,
    Model,
    Payload,
    Point,
    Query,
    RankedLists,
    ScoredPoint,
)

_BATCH = 512
_PAGE = 1000

#: Bytes that must be free before a batch is written: the collection's files are sparse, and a full disk would end the process. A batch of
#: the largest chunks needs a tenth of it in the log, the payload and the vectors; a new segment of the log and its pages need the rest.
ROOM = 100_000_000
#: Opening a collection also writes, even for searches: pages of its metadata, at most a segment of the log (33 MB).
ROOM_TO_OPEN = 40_000_000

#: Points without an index are in memory (2.8 KB each), so a load indexes them when there are so many. The collection is then locked for
#: about 12 s. With smaller numbers a search has more segments to search until the next night (20,000: of 500,000 points in 26 segments it
#: takes 300 ms, in 3 segments 84 ms).
MAX_NEW_POINTS = 50_000
_VERSION_BYTES = 8

#: Fields of a collection with so many points have indexes. They are files to read at every opening: a collection of 500 points is opened in
#: 72 ms, and one of 450 in 32 ms, which searches in 1.8 ms instead of 0.9 (`benchmarks.embedded_store`).
MIN_INDEXED = 500

#: The vectors of a large collection are read in so many nights: reading a vector takes five times as long as reading a payload.
_NIGHTS = 30


class Shard(VersionedPoints):
    """An open shard that implements `SearchableTable`."""

    def __init__(
        self, folder: Path, dimensions: Mapping[str, int], quantized: bool, edge: Any, max_new_points: int
    ) -> None:
        self._folder = folder
        self._max_new_points = max_new_points
        self.dimensions = dimensions
        self._quantized = quantized
        self._edge = edge
        self._requests = EdgeRequests()
        self._payloads = Payloads(lambda ids, fields: self._edge.retrieve(ids, fields, False))

    @classmethod
    def load(cls, folder: Path, max_new_points: int = MAX_NEW_POINTS) -> Shard:
        marker = read_marker(folder)
        verify_space(folder, ROOM_TO_OPEN)
        edge = EdgeShard.load(str(folder / SHARD))
        dimensions = Model.load(marker).dimensions(marker["dimension"])
        return cls(folder, dimensions, marker["quantization"] != "none", edge, max_new_points)

    def close(self) -> None:
        self._edge.close()

    def lock(self, document_ids: Iterable[str]) -> None:
        """Do nothing: the collection is locked as a whole."""

    def _hashes(self, conditions: Sequence[Condition]) -> Iterator[tuple[str, str, str]]:
        """Yield (document id, stored id, row hash) of each point."""
        return itertools.chain.from_iterable(map(ids_and_hashes, self._pages(conditions, lambda _: False)))

    def _pages(self, conditions: Sequence[Condition], with_vectors: Callable[[int], bool]) -> Iterator[list[Any]]:
        """Yield the points, a page at a time, each with its document and row hash, on some pages with its vectors."""
        wanted = self._requests.filter(conditions)
        offset = None
        for page in itertools.count():
            records, offset = self._edge.scroll(
                ScrollRequest(
                    offset=offset,
                    limit=_PAGE,
                    filter=wanted,
                    with_payload=[DOCUMENT_ID, ROW_HASH],
                    with_vector=with_vectors(page),
                )
            )
            yield records
            if offset is None:
                return

    def write(self, points: Mapping[str, Point]) -> None:
        self._payloads.forget()
        for batch in batches(points.items(), _BATCH):
            verify_space(self._folder, ROOM)
            self._edge.update(UpdateOperation.upsert_points(edge_points(batch)))
        self._edge.flush()
        if self._edge.info().points_count >= MIN_INDEXED:
            create_indexes(self._edge)
        if self._new_points() >= self._max_new_points and has_space(self._folder, self._room_to_optimise()):
            self._optimise(is_loading=True)

    def delete(self, ids: Sequence[str]) -> None:
        verify_space(self._folder, ROOM_TO_OPEN)
        self._edge.update(UpdateOperation.delete_points(list(ids)))
        self._edge.flush()

    def count(self, document_id: str | None) -> int:
        conditions = [] if document_id is None else [AnyOf(DOCUMENT_ID, (document_id,))]
        return int(self._edge.count(CountRequest(exact=True, filter=self._requests.filter(conditions))))

    def query_batch(self, queries: Sequence[Query]) -> list[RankedLists]:
        requests = [self._requests.of(query, quantized=self._quantized, with_payload=False) for query in queries]
        asked = [request for each in requests for request in each.values()]
        answers = iter(self._edge.query_batch(QueryBatchRequest(asked)) if asked else ())
        found = [{name: [(point.id, point.score) for point in next(answers)] for name in each} for each in requests]
        wanted: dict[Fields, set[Any]] = {}
        for query, lists in zip(queries, found, strict=True):
            ids = wanted.setdefault(asked_fields(query), set())
            if query.fields != ():
                ids.update(point_id for points in lists.values() for point_id, _ in points)
        payloads = {fields: self._payloads.of(ids, fields) for fields, ids in wanted.items()}
        return [
            RankedLists(**{name: _scored(points, payloads[asked_fields(query)]) for name, points in lists.items()})
            for query, lists in zip(queries, found, strict=True)
        ]

    def read_all(self, night: int) -> tuple[int, dict[str, str]]:
        """Return the number of points that can be read, and `document_hashes`.

        All payloads are read, and the vectors whose turn it is in `night` (`is_turn`).
        """
        number = math.ceil(self.count(None) / _PAGE)
        read = 0

        def pages() -> Iterator[list[Any]]:
            nonlocal read
            for page, records in enumerate(self._pages((), lambda page: is_turn(page, number, night))):
                with_vector = is_turn(page, number, night)
                read += sum(
                    DOCUMENT_ID in (record.payload or {})
                    and not (with_vector and self.dimensions.keys().isdisjoint(record.vector or {}))
                    for record in records
                )
                yield records

        hashes = hash_documents(itertools.chain.from_iterable(map(ids_and_hashes, pages())))
        return read, hashes

    def optimise(self) -> None:
        verify_space(self._folder, self._room_to_optimise())
        self._optimise(is_loading=False)

    def _optimise(self, *, is_loading: bool) -> None:
        self._payloads.forget()
        self._edge.close()
        config = configuration(self.dimensions, self._quantized, is_loading=is_loading)
        self._edge = EdgeShard.load(str(self._folder / SHARD), config)
        self._edge.optimize()
        self._edge.flush()

    def _room_to_optimise(self) -> int:
        """Return the bytes that must be free: segments are rewritten in addition to the old ones."""
        return ROOM + sum(path.stat().st_blocks * 512 for path in self._folder.rglob("*") if path.is_file())

    def _new_points(self) -> int:
        """Return the number of points, deleted ones included, in segments without an index; Edge itself counts vectors, not points."""
        versions = self._folder.glob(f"{SHARD}/segments/*/mutable_id_tracker.versions")
        return sum(path.stat().st_size for path in versions) // _VERSION_BYTES


def is_turn(page: int, pages: int, night: int) -> bool:
    """Return whether the vectors of this page of points are read in `night`: each page of a large collection in one of 30 nights."""
    return pages <= _NIGHTS or (page + night) % _NIGHTS == 0


def _scored(
    points: Sequence[tuple[Any, float]], payloads: Mapping[Any, tuple[str, Payload]]
) -> tuple[ScoredPoint, ...]:
    if not payloads:
        return tuple(ScoredPoint(str(point_id), score, {}) for point_id, score in points)
    return tuple(ScoredPoint(payloads[point_id][0], score, payloads[point_id][1]) for point_id, score in points)

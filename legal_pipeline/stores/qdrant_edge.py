"""Qdrant Edge: collections as folders, opened by one process at a time.

Not here: waiting for one another (`stores.collection_lock`) and the order of replacing (`stores.replacement`).

A folder cannot be opened twice, not even for reading (the write-ahead log is locked), and opening 20,000 points takes 0.2 s. So every
call opens, works and closes under the collection's lock; a `session` keeps the folder open over many calls and makes room between
two of them when somebody waits.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from legal_pipeline.errors import ConfigurationError, LegalPipelineError, StoreError
from legal_pipeline.stores import bm25, replacement
from legal_pipeline.stores.collection_lock import CollectionLock
from legal_pipeline.stores.store import (
    DENSE,
    DOCUMENT_ID,
    INDEXED_FIELDS,
    ROW_HASH,
    SPARSE,
    AnyOf,
    Condition,
    DateRange,
    Point,
    RankedLists,
    ReplaceResult,
    Scalar,
    ScoredPoint,
    Vector,
)

_FORMAT = "legal-pipeline/1"
_MARKER = "collection.json"
_SHARD = "shard"
_MIRROR = "__word"

#: Fewer than a server has: every index is a file that every flush waits for (22 of them: seven times the time of none), and filters
#: on other fields read the payload, which at this size is quick enough.
_INDEXED = ("document_id", "jurisdiction", "doc_type", "strategy", "work_uris", "provisions")
_BATCH = 256
_PAGE = 1000

#: A session keeps the folder open at least this long, or two that alternate would do nothing but open it.
_MIN_HOLD_SECONDS = 0.25


class QdrantEdgeStore:
    """A `VectorStore` under `directory`, one folder per collection; usable from several threads, one call at a time.

    `lock_timeout`: seconds that a call waits for another process before it raises StoreUnavailableError.
    """

    def __init__(self, directory: Path, *, lock_timeout: float = 60.0) -> None:
        self._directory = directory
        self._lock_timeout = lock_timeout
        self._mutex = threading.RLock()
        self._open: dict[str, _Collection] = {}

    def ensure_collection(self, name: str, dimension: int) -> None:
        with self._mutex, self._locked(name, f"creating {name}"):
            folder = self._directory / name
            if not folder.exists() or not any(folder.iterdir()):
                _create(folder, dimension)
            found = _read_marker(folder)["dimension"]
        if found != dimension:
            raise ConfigurationError(
                f"the collection {name} in {self._directory} holds vectors of {found} dimensions, the embedding model gives {dimension}; "
                "nothing was written. Use another collection or the model it was made with"
            )

    def upsert(self, collection: str, points: Sequence[Point]) -> None:
        with self._opened(collection, "writing points") as table:
            replacement.verify_points(points, table.dimension)
            table.write(points)

    def replace_document(
        self, collection: str, document_id: str, points: Sequence[Point], *, publish: Callable[[], None] | None = None
    ) -> ReplaceResult:
        with self._opened(collection, f"writing {document_id}") as table:
            return replacement.replace_document(table, document_id, points, publish)

    def point_hashes(self, collection: str, document_id: str) -> dict[str, str]:
        with self._opened(collection, f"reading {document_id}") as table:
            return table.hashes(document_id)

    def count(self, collection: str, document_id: str | None = None) -> int:
        with self._opened(collection, "counting") as table:
            return table.count(document_id)

    def delete_document(self, collection: str, document_id: str) -> int:
        with self._opened(collection, f"deleting {document_id}") as table:
            ids = list(table.hashes(document_id))
            if ids:
                table.delete(ids)
            return len(ids)

    def query(
        self,
        collection: str,
        *,
        dense: Vector | None = None,
        text: str | None = None,
        languages: Sequence[str] = (),
        filters: Sequence[Condition] = (),
        limit: int = 50,
    ) -> RankedLists:
        sparse = bm25.query_vector(text, languages) if text is not None else None
        with self._opened(collection, "searching") as table:
            return RankedLists(
                dense=table.nearest(dense.tolist(), DENSE, filters, limit) if dense is not None else (),
                sparse=table.nearest(sparse, SPARSE, filters, limit) if sparse and sparse.indices else (),
            )

    def optimise(self, collection: str) -> None:
        """Builds the HNSW graph of what was written since (20,000 points: 10 s) and holds the collection for that long."""
        with self._opened(collection, "building the search index") as table:
            table.optimise()

    @contextlib.contextmanager
    def session(self, collection: str, purpose: str) -> Iterator[None]:
        """Keep the folder open over the calls within. Others wait meanwhile, so do nothing but store calls in it."""
        with self._mutex:
            state = self._open.setdefault(collection, self._collection(collection))
            state.sessions.append(purpose)
        try:
            yield
        finally:
            with self._mutex:
                state.sessions.remove(purpose)
                self._close_if_unused(collection, state)

    def close(self) -> None:
        with self._mutex:
            for state in self._open.values():
                state.close()

    def _collection(self, name: str) -> _Collection:
        return _Collection(self._directory / name, CollectionLock(self._directory / name, self._lock_timeout))

    @contextlib.contextmanager
    def _opened(self, name: str, purpose: str) -> Iterator[_Shard]:
        with self._mutex:
            state = self._open.setdefault(name, self._collection(name))
            if not state.calls:
                state.make_room()
            # a call may be made inside another, by the hook that publishes
            state.calls += 1
            try:
                yield state.shard(state.sessions[-1] if state.sessions else purpose)
            except LegalPipelineError:
                raise
            except Exception as error:
                if (
                    type(error) is not Exception
                ):  # the extension raises bare `Exception`s; all others are not the store's
                    raise
                raise StoreError(
                    f"the collection {name} in {self._directory} failed while {purpose}: {error}"
                ) from error
            finally:
                state.calls -= 1
                self._close_if_unused(name, state)

    def _close_if_unused(self, name: str, state: _Collection) -> None:
        if not state.sessions and not state.calls:
            self._open.pop(name, None)
            state.close()

    @contextlib.contextmanager
    def _locked(self, name: str, purpose: str) -> Iterator[None]:
        """The lock alone; free already while a session of this object holds it."""
        state = self._open.get(name)
        if state is not None and state.is_open:
            yield
            return
        lock = CollectionLock(self._directory / name, self._lock_timeout)
        lock.acquire(purpose)
        try:
            yield
        finally:
            lock.release()


class _Collection:
    """A collection's lock and, while held, its open shard."""

    def __init__(self, folder: Path, lock: CollectionLock) -> None:
        self._folder = folder
        self._lock = lock
        self._shard: _Shard | None = None
        self._since = 0.0
        self.sessions: list[str] = []
        self.calls = 0

    @property
    def is_open(self) -> bool:
        return self._shard is not None

    def shard(self, purpose: str) -> _Shard:
        if self._shard is None:
            if not self._folder.is_dir():
                raise StoreError(
                    f"there is no collection {self._folder.name} in {self._folder.parent}; nothing was indexed yet"
                )
            self._lock.acquire(purpose)
            try:
                self._shard = _Shard.load(self._folder)
            except BaseException:
                self._lock.release()
                raise
            self._since = time.monotonic()
        return self._shard

    def make_room(self) -> None:
        if self._shard is not None and time.monotonic() - self._since >= _MIN_HOLD_SECONDS and self._lock.wanted():
            self.close()

    def close(self) -> None:
        try:
            if self._shard is not None:
                self._shard.close()
        finally:
            self._shard = None
            self._lock.release()


@dataclass
class _Shard:
    """An open shard as a `PointTable`, with search."""

    dimension: int
    edge: Any

    @classmethod
    def load(cls, folder: Path) -> _Shard:
        from qdrant_edge import EdgeShard

        dimension = _read_marker(folder)["dimension"]
        try:
            return cls(dimension, EdgeShard.load(str(folder / _SHARD)))
        except Exception as error:
            raise StoreError(f"the collection {folder.name} in {folder.parent} cannot be opened: {error}") from error

    def close(self) -> None:
        self.edge.close()

    def hashes(self, document_id: str) -> dict[str, str]:
        from qdrant_edge import ScrollRequest

        result: dict[str, str] = {}
        offset = None
        while True:
            records, offset = self.edge.scroll(
                ScrollRequest(offset=offset, limit=_PAGE, filter=_filter([_of(document_id)]), with_payload=[ROW_HASH])
            )
            result.update((str(record.id), str((record.payload or {}).get(ROW_HASH, ""))) for record in records)
            if offset is None:
                return result

    def owners(self, ids: Sequence[str]) -> dict[str, str]:
        records = self.edge.retrieve(list(ids), with_payload=[DOCUMENT_ID], with_vector=False)
        return {str(record.id): str((record.payload or {}).get(DOCUMENT_ID, "")) for record in records}

    def write(self, points: Sequence[Point]) -> None:
        from qdrant_edge import UpdateOperation

        for start in range(0, len(points), _BATCH):
            self.edge.update(
                UpdateOperation.upsert_points([_edge_point(point) for point in points[start : start + _BATCH]])
            )
        self.edge.flush()

    def delete(self, ids: Sequence[str]) -> None:
        from qdrant_edge import UpdateOperation

        self.edge.update(UpdateOperation.delete_points(list(ids)))
        self.edge.flush()

    def count(self, document_id: str | None) -> int:
        from qdrant_edge import CountRequest

        conditions = [] if document_id is None else [_of(document_id)]
        return int(self.edge.count(CountRequest(exact=True, filter=_filter(conditions))))

    def nearest(self, query: Any, using: str, filters: Sequence[Condition], limit: int) -> tuple[ScoredPoint, ...]:
        import qdrant_edge

        vector = query if using == DENSE else qdrant_edge.SparseVector(query.indices, query.values)
        found = self.edge.query(
            qdrant_edge.QueryRequest(
                limit=limit,
                query=qdrant_edge.Query.Nearest(vector, using=using),
                filter=_filter(filters),
                with_payload=True,
            )
        )
        return tuple(ScoredPoint(str(point.id), float(point.score), _payload(point.payload)) for point in found)

    def optimise(self) -> None:
        self.edge.optimize()
        self.edge.flush()


def _of(document_id: str) -> AnyOf:
    return AnyOf(DOCUMENT_ID, (document_id,))


def _edge_point(point: Point) -> Any:
    import qdrant_edge

    sparse = bm25.document_vector(point.text, point.language)
    vectors = {DENSE: point.vector.tolist(), SPARSE: qdrant_edge.SparseVector(sparse.indices, sparse.values)}
    mirrored = {
        _mirror(name): str(point.payload[name])
        for name, kind in INDEXED_FIELDS.items()
        if kind == "bool" and isinstance(point.payload.get(name), bool)
    }
    return qdrant_edge.Point(point.id, vectors, {**point.payload, **mirrored, DOCUMENT_ID: point.document_id})


def _mirror(name: str) -> str:
    """Where a boolean is kept as a word too: qdrant-edge-py 0.9 turns `MatchValue(True)` into a match of the number 1."""
    return f"{name}{_MIRROR}"


def _payload(stored: dict[str, Any] | None) -> dict[str, Any]:
    return {name: value for name, value in (stored or {}).items() if not name.endswith(_MIRROR)}


def _match(name: str, value: Scalar) -> Any:
    from qdrant_edge import FieldCondition, MatchValue

    if isinstance(value, bool):
        return FieldCondition(_mirror(name), match=MatchValue(str(value)))
    return FieldCondition(name, match=MatchValue(value))


def _filter(conditions: Sequence[Condition]) -> Any:
    import qdrant_edge

    if not conditions:
        return None
    must, must_not = [], []
    for condition in conditions:
        if isinstance(condition, AnyOf | DateRange):
            must.append(_condition(condition))
        else:
            must_not.append(_condition(condition.condition))
    return qdrant_edge.Filter(must=must, must_not=must_not)


def _condition(condition: AnyOf | DateRange) -> Any:
    import qdrant_edge as edge

    if isinstance(condition, AnyOf):
        each = [_match(condition.field, value) for value in condition.values]
        return edge.Filter(should=each) if each else edge.HasIdCondition(set())
    within = edge.FieldCondition(
        condition.field,
        range=edge.RangeDateTime(gte=condition.since, gt=condition.after, lte=condition.until, lt=condition.before),
    )
    return edge.Filter(should=[within, edge.IsEmptyCondition(condition.field)]) if condition.or_absent else within


def _read_marker(folder: Path) -> dict[str, Any]:
    path = folder / _MARKER
    try:
        marker = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ConfigurationError(
            f"{folder} is not a collection of this package (no readable {_MARKER}); nothing was written. Name another folder or remove it"
        ) from error
    if not isinstance(marker, dict) or marker.get("format") != _FORMAT or marker.get("bm25") != bm25.BM25_VERSION:
        raise ConfigurationError(
            f"{path} is of another version of this package; nothing was written. Index into a new folder"
        )
    return marker


def _create(folder: Path, dimension: int) -> None:
    """Build the collection beside its place and move it there whole: killed at any time it is there or it is not."""
    import qdrant_edge as edge

    building = folder.with_name(f".{folder.name}.building")
    shutil.rmtree(building, ignore_errors=True)
    (building / _SHARD).mkdir(parents=True)
    shard = edge.EdgeShard.create(
        str(building / _SHARD),
        edge.EdgeConfig(
            vectors={DENSE: edge.EdgeVectorParams(dimension, edge.Distance.Cosine)},
            sparse_vectors={SPARSE: edge.EdgeSparseVectorParams(modifier=edge.Modifier.Idf)},
        ),
    )
    try:
        for name in _INDEXED:
            shard.update(edge.UpdateOperation.create_field_index(name, edge.PayloadSchemaType.Keyword))
        shard.flush()
    finally:
        shard.close()
    marker = {"format": _FORMAT, "dimension": dimension, "bm25": bm25.BM25_VERSION}
    (building / _MARKER).write_text(json.dumps(marker), encoding="utf-8")
    os.replace(building, folder)

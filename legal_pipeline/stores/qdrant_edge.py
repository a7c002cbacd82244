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
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from legal_pipeline.corpus.disk_space import verify_space
from legal_pipeline.errors import ConfigurationError, LegalPipelineError, MissingCollectionError, StoreError
from legal_pipeline.settings import Quantization
from legal_pipeline.stores import bm25
from legal_pipeline.stores.collection_lock import CollectionLock
from legal_pipeline.stores.point_table_store import PointTableStore, Result, is_generation_of
from legal_pipeline.stores.replacement import batches, version_id
from legal_pipeline.stores.store import (
    DENSE,
    DOCUMENT_ID,
    INDEXED_FIELDS,
    ROW_HASH,
    SPARSE,
    UNKNOWN_MODEL,
    AnyOf,
    Condition,
    DateRange,
    Generation,
    Model,
    Point,
    RankedLists,
    Scalar,
    ScoredPoint,
    Vector,
)

_FORMAT = "legal-pipeline/2"
_MARKER = "collection.json"
_SHARD = "shard"
_MIRROR = "__word"

#: Fewer than a server has: every index is a file that every flush waits for (22 of them: seven times the time of none), and filters
#: on other fields read the payload, which at this size is quick enough.
_INDEXED = ("document_id", "jurisdiction", "doc_type", "strategy", "work_uris", "provisions")
_BATCH = 512
_PAGE = 1000

#: Bytes that must be free before a batch is written: the collection's files are sparse, and a full disk would end the process. A batch of
#: the largest chunks takes a tenth of it in the log, the payload and the vectors; a new segment of the log and its pages take the rest.
_ROOM = 100_000_000

#: How many more candidates than hits are looked at where vectors are quantized: their true scores decide among them.
OVERSAMPLING = 2.0

_BOOLEANS = tuple(name for name, kind in INDEXED_FIELDS.items() if kind == "bool")

#: A session keeps the folder open at least this long, or two that alternate would do nothing but open it.
_MIN_HOLD_SECONDS = 0.25


class QdrantEdgeStore(PointTableStore["_Shard"]):
    """A `VectorStore` under `directory`, one folder per collection; usable from several threads, one call at a time.

    The alias of collections is a file, `<alias>.live`, that names one of them. `quantization="int8"` keeps a byte per dimension beside
    the vectors, finds candidates by it and scores them by the vectors. `lock_timeout`: seconds that a call waits for another process
    before it raises StoreUnavailableError.
    """

    def __init__(self, directory: Path, *, lock_timeout: float = 60.0, quantization: Quantization = "none") -> None:
        self._directory = directory
        self._lock_timeout = lock_timeout
        self._quantization: Quantization = quantization
        self._mutex = threading.RLock()
        self._open: dict[str, _Collection] = {}
        self.layout = {"bm25": bm25.BM25_VERSION, "quantization": quantization}

    def ensure_collection(self, name: str, dimension: int, model: Model = UNKNOWN_MODEL) -> None:
        with self._mutex, self._locked(name, f"creating {name}"):
            folder = self._directory / name
            if not folder.exists() or not any(folder.iterdir()):
                _create(folder, dimension, model, self._quantization)
            found = _read_marker(folder)["dimension"]
        if found != dimension:
            raise ConfigurationError(
                f"the collection {name} in {self._directory} holds vectors of {found} dimensions, the embedding model gives {dimension}; "
                "nothing was written. Use another collection or the model it was made with"
            )

    def live(self, alias: str) -> Generation | None:
        name = self._resolved(alias)
        return self._generation(name, live=name) if name != alias and (self._directory / name).is_dir() else None

    def generations(self, alias: str) -> list[Generation]:
        live = self.live(alias)
        names = sorted(
            path.name
            for path in self._directory.glob(f"{alias}_*")
            if path.is_dir() and is_generation_of(path.name, alias)
        )
        return [self._generation(name, live=live.name if live is not None else "") for name in names]

    def go_live(self, alias: str, name: str) -> None:
        _read_marker(self._directory / name)
        pointer = self._pointer(alias)
        with self._mutex:
            written = pointer.with_name(f".{pointer.name}.{os.getpid()}.{threading.get_ident()}")
            with written.open("w", encoding="utf-8") as stream:
                json.dump({"collection": name}, stream)
                stream.flush()
                os.fsync(stream.fileno())
            os.replace(written, pointer)

    def drop(self, name: str) -> None:
        folder = self._directory / name
        with self._mutex, self._locked(name, f"dropping {name}"):
            if folder.is_dir():
                _read_marker(folder)
                dropped = folder.with_name(f".{name}.dropped")
                shutil.rmtree(dropped, ignore_errors=True)
                os.replace(folder, dropped)
                shutil.rmtree(dropped, ignore_errors=True)

    def optimise(self, collection: str) -> None:
        """Builds the HNSW graph of what was written since (20,000 points: 10 s) and holds the collection for that long."""
        self._work(collection, "building the search index", lambda table: table.optimise())

    @contextlib.contextmanager
    def session(self, collection: str, purpose: str) -> Iterator[None]:
        """Keep the folder open over the calls within. Others wait meanwhile, so do nothing but store calls in it."""
        with self._mutex:
            name = self._resolved(collection)
            state = self._open.setdefault(name, self._collection(name))
            state.sessions.append(purpose)
        try:
            yield
        finally:
            with self._mutex:
                state.sessions.remove(purpose)
                self._close_if_unused(name, state)

    def close(self) -> None:
        with self._mutex:
            for state in self._open.values():
                state.close()

    def _verify_alias(self, alias: str) -> None:
        """The alias is a file of its own kind: no folder is in its way."""

    def _resolved(self, collection: str) -> str:
        """The collection that an alias leads to; any other name as it is."""
        pointer = self._pointer(collection)
        try:
            return str(json.loads(pointer.read_text(encoding="utf-8"))["collection"])
        except FileNotFoundError:
            return collection
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise StoreError(f"{pointer} does not name a collection: {error}") from error

    def _pointer(self, alias: str) -> Path:
        return self._directory / f"{alias}.live"

    def _generation(self, name: str, *, live: str) -> Generation:
        marker = _read_marker(self._directory / name)
        return Generation(name, Model(marker["model"], marker["setting"]), marker["dimension"], name == live)

    def _work(self, collection: str, purpose: str, work: Callable[[_Shard], Result]) -> Result:
        with self._opened(collection, purpose) as shard:
            return work(shard)

    def _collection(self, name: str) -> _Collection:
        return _Collection(self._directory / name, CollectionLock(self._directory / name, self._lock_timeout))

    @contextlib.contextmanager
    def _opened(self, collection: str, purpose: str) -> Iterator[_Shard]:
        with self._mutex:
            name = self._resolved(collection)
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
            self._verify_there()  # before a lock file is made for it
            self._lock.acquire(purpose)
            try:
                self._verify_there()  # it may have been dropped while this process waited
                self._shard = _Shard.load(self._folder)
            except BaseException:
                self._lock.release()
                raise
            self._since = time.monotonic()
        return self._shard

    def _verify_there(self) -> None:
        if not self._folder.is_dir():
            raise MissingCollectionError(
                f"there is no collection {self._folder.name} in {self._folder.parent}; nothing was indexed yet"
            )

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


class _Shard:
    """An open shard as a `SearchableTable`."""

    def __init__(self, folder: Path, dimension: int, quantized: bool, edge: Any) -> None:
        self._folder = folder
        self.dimension = dimension
        self._quantized = quantized
        self._edge = edge

    @classmethod
    def load(cls, folder: Path) -> _Shard:
        from qdrant_edge import EdgeShard

        marker = _read_marker(folder)
        try:
            edge = EdgeShard.load(str(folder / _SHARD))
        except Exception as error:
            raise StoreError(f"the collection {folder.name} in {folder.parent} cannot be opened: {error}") from error
        return cls(folder, marker["dimension"], marker["quantization"] != "none", edge)

    def close(self) -> None:
        self._edge.close()

    def stored_id(self, point: Point) -> str:
        return version_id(point)

    def lock(self, document_ids: Iterable[str]) -> None:
        """The collection is locked as a whole."""

    def hashes(self, document_ids: Sequence[str]) -> dict[str, dict[str, str]]:
        from qdrant_edge import ScrollRequest

        result: dict[str, dict[str, str]] = {document_id: {} for document_id in document_ids}
        wanted = _filter([AnyOf(DOCUMENT_ID, tuple(document_ids))])
        offset = None
        while True:
            records, offset = self._edge.scroll(
                ScrollRequest(offset=offset, limit=_PAGE, filter=wanted, with_payload=[DOCUMENT_ID, ROW_HASH])
            )
            for record in records:
                result[record.payload[DOCUMENT_ID]][str(record.id)] = str(record.payload.get(ROW_HASH, ""))
            if offset is None:
                return result

    def write(self, points: Mapping[str, Point]) -> None:
        from qdrant_edge import UpdateOperation

        for batch in batches(points.items(), _BATCH):
            verify_space(self._folder, _ROOM)
            self._edge.update(UpdateOperation.upsert_points(_edge_points(batch)))
        self._edge.flush()

    def delete(self, ids: Sequence[str]) -> None:
        from qdrant_edge import UpdateOperation

        self._edge.update(UpdateOperation.delete_points(list(ids)))
        self._edge.flush()

    def count(self, document_id: str | None) -> int:
        from qdrant_edge import CountRequest

        conditions = [] if document_id is None else [AnyOf(DOCUMENT_ID, (document_id,))]
        return int(self._edge.count(CountRequest(exact=True, filter=_filter(conditions))))

    def query(
        self,
        dense: Vector | None,
        text: str | None,
        languages: Sequence[str],
        filters: Sequence[Condition],
        limit: int,
    ) -> RankedLists:
        from qdrant_edge import QuantizationSearchParams, SearchParams, SparseVector

        words = bm25.query_vector(text, languages) if text is not None else None
        rescored = SearchParams(quantization=QuantizationSearchParams(rescore=True, oversampling=OVERSAMPLING))
        return RankedLists(
            dense=self._nearest(dense.tolist(), DENSE, filters, limit, rescored if self._quantized else None)
            if dense is not None
            else (),
            sparse=self._nearest(SparseVector(words.indices, words.values), SPARSE, filters, limit, None)
            if words and words.indices
            else (),
        )

    def _nearest(
        self, vector: Any, using: str, filters: Sequence[Condition], limit: int, params: Any
    ) -> tuple[ScoredPoint, ...]:
        from qdrant_edge import Query, QueryRequest

        request = QueryRequest(
            limit=limit,
            query=Query.Nearest(vector, using=using),
            filter=_filter(filters),
            with_payload=True,
            params=params,
        )
        found = self._edge.query(request)
        return tuple(ScoredPoint(str(point.id), float(point.score), _payload(point.payload)) for point in found)

    def optimise(self) -> None:
        self._edge.optimize()
        self._edge.flush()


def _edge_points(points: Iterable[tuple[str, Point]]) -> list[Any]:
    from qdrant_edge import Point as EdgePoint

    made = []
    for stored_id, point in points:
        # read by the buffer's items: half the time of the list of its numbers, and nothing is copied before
        dense: Any = np.ascontiguousarray(point.vector, np.float32).data
        payload = {**point.payload, DOCUMENT_ID: point.document_id}
        for name in _BOOLEANS:
            if isinstance(value := payload.get(name), bool):
                payload[_mirror(name)] = str(value)
        vectors = {DENSE: dense, SPARSE: bm25.edge_vector(point.text, point.language)}
        made.append(EdgePoint(stored_id, vectors, payload))
    return made


def _mirror(name: str) -> str:
    """Where a boolean is kept as a word too: qdrant-edge-py 0.9 turns `MatchValue(True)` into a match of the number 1."""
    return f"{name}{_MIRROR}"


def _payload(stored: dict[str, Any] | None) -> dict[str, Any]:
    return {name: value for name, value in (stored or {}).items() if not name.endswith(_MIRROR)}


def _any_of(name: str, values: Sequence[Scalar]) -> Any:
    """The field has one of `values`: one condition for all of a kind, as those of one value each are tried one after the other."""
    import qdrant_edge as edge

    flags: list[str] = [str(value) for value in values if isinstance(value, bool)]
    words: list[str] = [value for value in values if isinstance(value, str)]
    numbers: list[int] = [value for value in values if isinstance(value, int) and not isinstance(value, bool)]
    found: list[Any] = []
    if flags:
        found.append(edge.FieldCondition(_mirror(name), match=edge.MatchAny(flags)))
    if words:
        found.append(edge.FieldCondition(name, match=edge.MatchAny(words)))
    if numbers:
        found.append(edge.FieldCondition(name, match=edge.MatchAny(numbers)))
    return edge.Filter(should=found) if found else edge.HasIdCondition(set())


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
        return _any_of(condition.field, condition.values)
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


def _create(folder: Path, dimension: int, model: Model, quantization: Quantization) -> None:
    """Build the collection beside its place and move it there whole: killed at any time it is there or it is not."""
    import qdrant_edge as edge

    quantized = edge.ScalarQuantizationConfig(edge.ScalarType.Int8, quantile=0.99, memory=edge.Memory.Cached)
    verify_space(folder, _ROOM)
    building = folder.with_name(f".{folder.name}.building")
    shutil.rmtree(building, ignore_errors=True)
    (building / _SHARD).mkdir(parents=True)
    shard = edge.EdgeShard.create(
        str(building / _SHARD),
        edge.EdgeConfig(
            vectors={DENSE: edge.EdgeVectorParams(dimension, edge.Distance.Cosine)},
            quantization_config=quantized if quantization == "int8" else None,
            sparse_vectors={SPARSE: edge.EdgeSparseVectorParams(modifier=edge.Modifier.Idf)},
            # The log numbers the operations. Without it they are numbered on from what the segments last flushed, and after a kill
            # that came between points and that number, deletions pass for older than the points and are ignored.
            wal_enabled=True,
        ),
    )
    try:
        for name in _INDEXED:
            shard.update(edge.UpdateOperation.create_field_index(name, edge.PayloadSchemaType.Keyword))
        shard.flush()
    finally:
        shard.close()
    marker = {
        "format": _FORMAT,
        "dimension": dimension,
        "bm25": bm25.BM25_VERSION,
        "model": model.name,
        "setting": model.setting,
        "quantization": quantization,
    }
    (building / _MARKER).write_text(json.dumps(marker), encoding="utf-8")
    os.replace(building, folder)

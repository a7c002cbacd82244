"""Qdrant Edge: collections as folders, opened by one process at a time.

Not here: waiting for one another (`stores.collection_lock`) and the order of replacing (`stores.replacement`).

A folder cannot be opened twice, not even for reading (the write-ahead log is locked), and opening 20,000 points takes 0.2 s. So every
call opens, works and closes under the collection's lock; a `session` keeps the folder open over many calls and makes room between
two of them when somebody waits. `kept_open` does so for hours: a thread makes room even when no call comes.
"""

from __future__ import annotations

import contextlib
import functools
import json
import os
import re
import shutil
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from legal_pipeline.corpus.disk_space import verify_space
from legal_pipeline.errors import (
    ConfigurationError,
    DamagedCollectionError,
    LegalPipelineError,
    MissingCollectionError,
    StoreError,
)
from legal_pipeline.settings import Quantization
from legal_pipeline.stores import bm25
from legal_pipeline.stores.collection_lock import CollectionLock
from legal_pipeline.stores.point_table_store import PointTableStore, Result, is_generation_of
from legal_pipeline.stores.ranking import verify_indexed
from legal_pipeline.stores.replacement import batches, verify_points, version_id
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
    Either,
    Generation,
    Model,
    Not,
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

#: What searches filter on unasked. Fewer than a server has: every index is files that every opening reads and every flush waits for (all
#: 26: three times the time of six, for either), and Edge, unlike a server in strict mode, reads the payload where there is no index.
_INDEXED = (
    "document_id", "jurisdiction", "doc_type", "strategy", "superseded", "work_uris", "provisions", "chapter", "chunk_id", "seq",
)  # fmt: skip
_BATCH = 512
_PAGE = 1000

#: Bytes that must be free before a batch is written: the collection's files are sparse, and a full disk would end the process. A batch of
#: the largest chunks takes a tenth of it in the log, the payload and the vectors; a new segment of the log and its pages take the rest.
_ROOM = 100_000_000
#: Opening a collection writes too, searches included: pages of its bookkeeping, at most a segment of the log (33 MB).
_ROOM_TO_OPEN = 40_000_000

#: How many more candidates than hits are looked at where vectors are quantized: their true scores decide among them.
OVERSAMPLING = 2.0

_BOOLEANS = tuple(name for name, kind in INDEXED_FIELDS.items() if kind == "bool")

#: A session keeps the folder open at least this long, or two that alternate would do nothing but open it.
_MIN_HOLD_SECONDS = 0.25

#: No right, no space, no memory, too many files: errors of the system that say nothing of the files (`EACCES`, `ENOSPC`, …).
_REFUSED = re.compile(r"os error (?:1|12|13|23|24|28|30)\b")

#: How often the keeper of collections that are kept open looks whether somebody waits for one of them.
_LOOK_SECONDS = 0.02


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
        self._keeper = _Keeper(self._make_room)
        self.layout = {"bm25": bm25.BM25_VERSION, "quantization": quantization}

    def ensure_collection(self, name: str, dimension: int, model: Model = UNKNOWN_MODEL) -> None:
        with self._mutex, self._locked(name, f"creating {name}"):
            folder = self._directory / name
            if not folder.exists() or not any(folder.iterdir()):
                _create(folder, dimension, model, self._quantization)
            marker = _read_marker(folder)
            found = marker["dimension"]
        if found == dimension and marker.get("indexed") != sorted(_INDEXED):
            # made by an earlier version of this package
            self._work(name, f"indexing fields of {name}", lambda table: table.create_indexes())
            _write_marker(folder, {**marker, "indexed": sorted(_INDEXED)})
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
            _write_whole(pointer, {"collection": name})

    def drop(self, name: str) -> None:
        folder = self._directory / name
        with self._mutex:
            if (state := self._open.get(name)) is not None:
                state.close()  # a search may keep it open
            self._drop(name, folder)

    def _drop(self, name: str, folder: Path) -> None:
        with self._locked(name, f"dropping {name}"):
            if folder.is_dir():
                _read_marker(folder)
                dropped = folder.with_name(f".{name}.dropped")
                shutil.rmtree(dropped, ignore_errors=True)
                os.replace(folder, dropped)
                shutil.rmtree(dropped, ignore_errors=True)

    def verify(self, collection: str) -> None:
        read, held = self._work(
            collection, f"verifying {collection}", lambda table: (table.read_all(), table.count(None))
        )
        if read != held:
            raise _damaged(self._directory / self._resolved(collection), f"{read} of {held} points can be read")

    def rebuild(self, name: str, dimension: int, model: Model, documents: Iterable[Sequence[Point]]) -> int:
        """The collection is held meanwhile. Killed in between, it is as damaged as it was, or it is missing."""
        folder = self._directory / name
        building, damaged = folder.with_name(f".{name}.building"), folder.with_name(f".{name}.damaged")
        with self._mutex:
            if (state := self._open.get(name)) is not None:
                state.discard()
            with self._locked(name, f"building {name} anew"):
                _build(building, dimension, model, self._quantization)
                written = _fill(building, documents)
                shutil.rmtree(damaged, ignore_errors=True)
                if folder.exists():
                    os.replace(folder, damaged)
                os.replace(building, folder)
                shutil.rmtree(damaged, ignore_errors=True)
        return written

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

    @contextlib.contextmanager
    def kept_open(self, collections: Sequence[str], purpose: str) -> Iterator[None]:
        with contextlib.ExitStack() as stack:
            for collection in collections:
                stack.enter_context(self.session(collection, purpose))
            stack.enter_context(self._keeper.working())
            yield

    def close(self) -> None:
        with self._mutex:
            for state in self._open.values():
                state.close()

    def _make_room(self, wanted: str = "") -> None:
        """Give up what others wait for and no call of this object uses; `wanted` is what it waits for itself."""
        with self._mutex:
            for name, state in self._open.items():
                if name != wanted and not state.calls:
                    state.make_room()

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
            raise DamagedCollectionError(
                f"{pointer} does not name a collection: {error}. `legal-pipeline reconcile --repair` writes it anew"
            ) from error

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
                # two that each hold what the other one waits for would wait for ever
                yield state.shard(
                    state.sessions[-1] if state.sessions else purpose, functools.partial(self._make_room, name)
                )
            except LegalPipelineError:
                raise
            except BaseException as error:
                if not _is_of_the_extension(error):
                    raise
                if _is_damage(error):
                    state.discard()
                    raise _damaged(self._directory / name, error) from error
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


class _Keeper:
    """A thread that calls `make_room` again and again for as long as anybody is `working`."""

    def __init__(self, make_room: Callable[[], None]) -> None:
        self._make_room = make_room
        self._mutex = threading.Lock()
        self._users = 0
        self._stop = threading.Event()

    @contextlib.contextmanager
    def working(self) -> Iterator[None]:
        with self._mutex:
            self._users += 1
            if self._users == 1:
                self._stop = threading.Event()
                # a daemon: a process that ends without closing gives everything up anyhow
                threading.Thread(
                    target=self._run, args=(self._stop,), name="collections kept open", daemon=True
                ).start()
        try:
            yield
        finally:
            with self._mutex:
                self._users -= 1
                if not self._users:
                    self._stop.set()

    def _run(self, stop: threading.Event) -> None:
        while not stop.wait(_LOOK_SECONDS):
            try:
                self._make_room()
            except BaseException as error:
                # it looks again at once, and the next call that opens the collection says what is wrong
                if not (_is_of_the_extension(error) or isinstance(error, OSError)):
                    raise


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

    def shard(self, purpose: str, meanwhile: Callable[[], None]) -> _Shard:
        if self._shard is None:
            self._verify_there()  # before a lock file is made for it
            self._lock.acquire(purpose, meanwhile)
            try:
                self._verify_there()  # it may have been dropped while this process waited
                self._shard = _Shard.load(self._folder)
            except BaseException as error:
                self._lock.release()
                if _is_of_the_extension(error) and _is_damage(error):
                    raise _damaged(self._folder, error) from error
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

    def discard(self) -> None:
        """Close what is damaged, as far as that goes."""
        try:
            self.close()
        except BaseException as error:
            if not _is_of_the_extension(error):
                raise


def _is_of_the_extension(error: BaseException) -> bool:
    """It raises bare `Exception`s, and panics, which are no `Exception`s."""
    return type(error) is Exception or type(error).__name__ == "PanicException"


def _is_damage(error: BaseException) -> bool:
    """Whether files hold what they should not, or are not there; not where the system refuses to open or to write them."""
    return not _REFUSED.search(str(error)) and (
        type(error).__name__ == "PanicException" or str(error).startswith("Service runtime error")
    )


def _damaged(folder: Path, error: BaseException | str) -> DamagedCollectionError:
    return DamagedCollectionError(
        f"the collection {folder.name} in {folder.parent} cannot be opened or read: its files are damaged ({str(error)[:200]}). "
        "`legal-pipeline reconcile --repair` builds it anew from the warehouse"
    )


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
        verify_space(folder, _ROOM_TO_OPEN)
        edge = EdgeShard.load(str(folder / _SHARD))
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

        verify_space(self._folder, _ROOM_TO_OPEN)
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
        import qdrant_edge as edge

        verify_indexed(filters)
        rescored = edge.SearchParams(
            quantization=edge.QuantizationSearchParams(rescore=True, oversampling=OVERSAMPLING)
        )
        asked: dict[str, tuple[Any, Any]] = {}
        if dense is not None:
            asked[DENSE] = dense.tolist(), rescored if self._quantized else None
        words = bm25.query_vector(text, languages) if text is not None else None
        if words is not None and words.indices:
            asked[SPARSE] = edge.SparseVector(words.indices, words.values), None
        if not asked:
            return RankedLists()
        condition = _filter(filters)
        requests = [
            edge.QueryRequest(
                limit=limit,
                query=edge.Query.Nearest(vector, using=using),
                filter=condition,
                with_payload=True,
                params=params,
            )
            for using, (vector, params) in asked.items()
        ]
        answers = self._edge.query_batch(edge.QueryBatchRequest(requests))
        found = dict(zip(asked, map(_scored, answers), strict=True))
        return RankedLists(dense=found.get(DENSE, ()), sparse=found.get(SPARSE, ()))

    def read_all(self) -> int:
        """How many points can be read in full, vectors and all."""
        from qdrant_edge import ScrollRequest

        read, offset = 0, None
        while True:
            records, offset = self._edge.scroll(
                ScrollRequest(offset=offset, limit=_PAGE, with_payload=True, with_vector=True)
            )
            read += sum(DENSE in (record.vector or {}) and DOCUMENT_ID in (record.payload or {}) for record in records)
            if offset is None:
                return read

    def create_indexes(self) -> None:
        _create_indexes(self._edge)

    def optimise(self) -> None:
        # segments are written anew beside the old ones
        held = sum(path.stat().st_blocks * 512 for path in self._folder.rglob("*") if path.is_file())
        verify_space(self._folder, held + _ROOM)
        self._edge.optimize()
        self._edge.flush()


def _scored(answer: Iterable[Any]) -> tuple[ScoredPoint, ...]:
    return tuple(ScoredPoint(str(point.id), float(point.score), _payload(point.payload)) for point in answer)


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
    must: list[Any] = []
    must_not: list[Any] = []
    for condition in conditions:
        if isinstance(condition, Either):
            either: list[Any] = [_filter(each) or qdrant_edge.Filter() for each in condition.alternatives]
            must.append(qdrant_edge.Filter(should=either) if either else qdrant_edge.HasIdCondition(set()))
        elif isinstance(condition, Not):
            must_not.append(_condition(condition.condition))
        else:
            must.append(_condition(condition))
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


def _create_indexes(shard: Any) -> None:
    """Those that the shard lacks."""
    import qdrant_edge as edge

    kinds = {
        "keyword": edge.PayloadSchemaType.Keyword,
        "integer": edge.PayloadSchemaType.Integer,
    }
    wanted = {
        _mirror(name) if kind == "bool" else name: kinds["keyword" if kind == "bool" else kind]
        for name, kind in ((name, INDEXED_FIELDS[name]) for name in _INDEXED)
    }
    missing = wanted.keys() - shard.info().payload_schema.keys()
    for name in sorted(missing):
        shard.update(edge.UpdateOperation.create_field_index(name, wanted[name]))
    if missing:
        shard.flush()


def _read_marker(folder: Path) -> dict[str, Any]:
    path = folder / _MARKER
    try:
        marker = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        if (folder / _SHARD).is_dir():
            raise _damaged(folder, error) from error
        raise ConfigurationError(
            f"{folder} is not a collection of this package (no readable {_MARKER}); nothing was written. Name another folder or remove it"
        ) from error
    if not isinstance(marker, dict) or marker.get("format") != _FORMAT or marker.get("bm25") != bm25.BM25_VERSION:
        raise ConfigurationError(
            f"{path} is of another version of this package; nothing was written. Index into a new folder"
        )
    return marker


def _write_marker(folder: Path, marker: Mapping[str, Any]) -> None:
    _write_whole(folder / _MARKER, marker)


def _write_whole(path: Path, content: Mapping[str, Any]) -> None:
    """Killed at any time, the file has its old content or the new one."""
    written = path.with_name(f".{path.name}.{os.getpid()}.{threading.get_ident()}")
    with written.open("w", encoding="utf-8") as stream:
        json.dump(content, stream)
        stream.flush()
        os.fsync(stream.fileno())
    os.replace(written, path)


def _create(folder: Path, dimension: int, model: Model, quantization: Quantization) -> None:
    """Build the collection beside its place and move it there whole: killed at any time it is there or it is not."""
    building = folder.with_name(f".{folder.name}.building")
    _build(building, dimension, model, quantization)
    os.replace(building, folder)


def _fill(folder: Path, documents: Iterable[Sequence[Point]]) -> int:
    """Write the points into a folder that nobody else knows of; how many there are."""
    shard = _Shard.load(folder)
    written = 0
    try:
        for points in documents:
            verify_points(points, shard.dimension)
            shard.write({shard.stored_id(point): point for point in points})
            written += len(points)
        if (held := shard.count(None)) != written:
            raise StoreError(f"{folder}: {held} points after writing {written}; nothing was replaced")
    finally:
        shard.close()
    return written


def _build(building: Path, dimension: int, model: Model, quantization: Quantization) -> None:
    import qdrant_edge as edge

    quantized = edge.ScalarQuantizationConfig(edge.ScalarType.Int8, quantile=0.99, memory=edge.Memory.Cached)
    verify_space(building, _ROOM)
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
        _create_indexes(shard)
    finally:
        shard.close()
    marker = {
        "format": _FORMAT,
        "dimension": dimension,
        "bm25": bm25.BM25_VERSION,
        "model": model.name,
        "setting": model.setting,
        "quantization": quantization,
        "indexed": sorted(_INDEXED),
    }
    _write_marker(building, marker)

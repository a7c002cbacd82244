"""Qdrant Edge: collections as folders, each opened by one process at a time.

Not here: waiting for other processes (`stores.collection_lock`) and the order of replacing (`stores.replacement`).

A folder cannot be opened twice, not even for reading (the write-ahead log is locked), and opening 20,000 points takes 0.2 s. So every
call opens, works and closes under the collection's lock; a `session` keeps the folder open over many calls and releases it between two
calls when another process waits. `kept_open` does so for hours: a thread releases the folder even if no call comes, and of several
processes that keep a collection open, one reads it for all (`stores.edge_readers`).
"""

from __future__ import annotations

import contextlib
import functools
import json
import os
import shutil
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

from legal_pipeline.errors import DamagedCollectionError, LegalPipelineError, StoreError
from legal_pipeline.settings import Quantization
from legal_pipeline.stores import bm25
from legal_pipeline.stores.collection_lock import CollectionLock
from legal_pipeline.stores.edge_collection import Keeper, OpenCollection
from legal_pipeline.stores.edge_damage import damaged, is_damage, is_of_the_extension
from legal_pipeline.stores.edge_files import build, create, fill
from legal_pipeline.stores.edge_marker import read_marker, write_whole
from legal_pipeline.stores.edge_readers import SharedReader
from legal_pipeline.stores.edge_shard import MAX_NEW_POINTS, Shard
from legal_pipeline.stores.point_table_store import PointTableStore, Result, is_generation_of, verify_dimension
from legal_pipeline.stores.store import UNKNOWN_MODEL, Generation, Model, Point, Query, RankedLists


class QdrantEdgeStore(PointTableStore[Shard]):
    """A `VectorStore` under `directory`, one folder per collection; usable from several threads, one call at a time.

    The alias of collections is a file, `<alias>.live`, with the name of one of them. `quantization="int8"` stores a byte per dimension in
    addition to the vectors, finds candidates by it and scores them by the vectors. `lock_timeout`: seconds that a call waits for another
    process before it raises StoreUnavailableError. `max_new_points`: points without an index are in memory, so a load indexes them when
    there are so many.
    """

    def __init__(
        self,
        directory: Path,
        *,
        lock_timeout: float = 60.0,
        quantization: Quantization = "none",
        max_new_points: int = MAX_NEW_POINTS,
    ) -> None:
        self._directory = directory
        self._lock_timeout = lock_timeout
        self._quantization: Quantization = quantization
        self._max_new_points = max_new_points
        self._mutex = threading.RLock()
        self._open: dict[str, OpenCollection] = {}
        self._readers: dict[str, SharedReader] = {}
        self._keeper = Keeper(self._make_room)
        self.layout = {"bm25": bm25.BM25_VERSION, "quantization": quantization}

    def ensure_collection(self, name: str, dimension: int, model: Model = UNKNOWN_MODEL) -> None:
        with self._mutex, self._locked(name, f"creating {name}"):
            folder = self._directory / name
            if not folder.exists() or not any(folder.iterdir()):
                create(folder, dimension, model, self._quantization)
            found = read_marker(folder)["dimension"]
        verify_dimension(f"{name} in {self._directory}", found, dimension)

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
        read_marker(self._directory / name)
        pointer = self._pointer(alias)
        with self._mutex:
            write_whole(pointer, {"collection": name})

    def drop(self, name: str) -> None:
        folder = self._directory / name
        with self._mutex:
            if (state := self._open.get(name)) is not None:
                state.close()  # a search may have it open
            with self._locked(name, f"dropping {name}"):
                if folder.is_dir():
                    read_marker(folder)
                    dropped = folder.with_name(f".{name}.dropped")
                    shutil.rmtree(dropped, ignore_errors=True)
                    os.replace(folder, dropped)
                    shutil.rmtree(dropped, ignore_errors=True)

    def verify(self, collection: str) -> dict[str, str]:
        night = datetime.now(UTC).toordinal()
        (read, hashes), held = self._work(
            collection, f"verifying {collection}", lambda table: (table.read_all(night), table.count(None))
        )
        if read != held:
            raise damaged(self._directory / self._resolved(collection), f"{read} of {held} points can be read")
        return hashes

    def rebuild(self, name: str, dimension: int, model: Model, documents: Iterable[Sequence[Point]]) -> int:
        """Rebuild; the collection is locked meanwhile. If killed in between, it is still damaged, or it is missing."""
        folder = self._directory / name
        building, damaged = folder.with_name(f".{name}.building"), folder.with_name(f".{name}.damaged")
        with self._mutex:
            if (state := self._open.get(name)) is not None:
                state.discard()
            with self._locked(name, f"building {name} anew"):
                build(building, dimension, model, self._quantization)
                written = fill(building, documents)
                shutil.rmtree(damaged, ignore_errors=True)
                if folder.exists():
                    os.replace(folder, damaged)
                os.replace(building, folder)
                shutil.rmtree(damaged, ignore_errors=True)
        return written

    def optimise(self, collection: str) -> None:
        """Build the HNSW graph for points that have none, and merge segments; the collection is locked meanwhile (20,000 points: 10 s)."""
        self._work(collection, "building the search index", lambda table: table.optimise())

    @contextlib.contextmanager
    def session(self, collection: str, purpose: str) -> Iterator[None]:
        """Keep the folder open during the block. Other processes wait meanwhile, so only call the store in it."""
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
                stack.enter_context(self._shared(self._resolved(collection)))
            stack.enter_context(self._keeper.working())
            yield

    @contextlib.contextmanager
    def _shared(self, name: str) -> Iterator[None]:
        """Read the collection for other processes, or let the reading process read it."""
        # the reader may wait for a writer before it answers
        made = SharedReader(
            self._directory / f"{name}.reader", functools.partial(super().query_batch, name), self._lock_timeout + 5
        )
        with self._mutex:
            reader = self._readers.setdefault(name, made)
            reader.users += 1
        try:
            yield
        finally:
            with self._mutex:
                reader.users -= 1
                if not reader.users:
                    del self._readers[name]
            if not reader.users:
                reader.close()

    def query_batch(self, collection: str, queries: Sequence[Query]) -> list[RankedLists]:
        name = self._resolved(collection)
        state, reader = self._open.get(name), self._readers.get(name)
        # this process may be writing to a collection that it has open: the reading process would wait for it
        if reader is None or (state is not None and state.is_open):
            return super().query_batch(name, queries)
        found = reader.ask(queries)
        return super().query_batch(name, queries) if found is None else found

    def close(self) -> None:
        with self._mutex:
            for state in self._open.values():
                state.close()

    def _make_room(self, wanted: str = "") -> None:
        """Release collections that others wait for and that no call of this object uses.

        `wanted` is the collection that this object waits for.
        """
        with self._mutex:
            for name, state in self._open.items():
                if name != wanted and not state.calls:
                    state.make_room()

    def _verify_alias(self, alias: str) -> None:
        """Do nothing: the alias is a separate file, so no folder conflicts with it."""

    def _resolved(self, collection: str) -> str:
        """Return the collection of an alias; any other name unchanged."""
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
        marker = read_marker(self._directory / name)
        return Generation(name, Model.load(marker), marker["dimension"], name == live)

    def _work(self, collection: str, purpose: str, work: Callable[[Shard], Result]) -> Result:
        with self._opened(collection, purpose) as shard:
            return work(shard)

    def _collection(self, name: str) -> OpenCollection:
        folder = self._directory / name
        return OpenCollection(folder, CollectionLock(folder, self._lock_timeout), self._max_new_points)

    @contextlib.contextmanager
    def _opened(self, collection: str, purpose: str) -> Iterator[Shard]:
        with self._mutex:
            name = self._resolved(collection)
            state = self._open.setdefault(name, self._collection(name))
            if not state.calls:
                state.make_room()
            # a call may be made within another call, by the publish hook
            state.calls += 1
            try:
                # two processes that each hold the collection that the other waits for would wait for ever
                yield state.shard(
                    state.sessions[-1] if state.sessions else purpose, functools.partial(self._make_room, name)
                )
            except LegalPipelineError:
                raise
            except BaseException as error:
                if not is_of_the_extension(error):
                    raise
                if is_damage(error):
                    state.discard()
                    raise damaged(self._directory / name, error) from error
                raise StoreError(
                    f"the collection {name} in {self._directory} failed while {purpose}: {error}"
                ) from error
            finally:
                state.calls -= 1
                self._close_if_unused(name, state)

    def _close_if_unused(self, name: str, state: OpenCollection) -> None:
        if not state.sessions and not state.calls:
            self._open.pop(name, None)
            state.close()

    @contextlib.contextmanager
    def _locked(self, name: str, purpose: str) -> Iterator[None]:
        """Hold only the lock; it is already held while a session of this object has the collection open."""
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

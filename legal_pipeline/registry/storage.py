"""The files of the warehouse: in a folder, or in an object store behind fsspec.

A reader sees the old file or the new file, never a partial file. Paths are relative to the root, with `/`. Not here: the content
of the files and their names (`registry.warehouse`).
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import io
import os
import threading
import time
import uuid
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, BinaryIO

from legal_pipeline.errors import ConfigurationError, DocumentError, StoreUnavailableError
from legal_pipeline.model import identity
from legal_pipeline.system.retries import RetryPolicy
from legal_pipeline.system.urls import render_url

#: Returns the new content of a file from the present one; None: there is no file.
Change = Callable[[bytes | None], bytes | None]

_TEMPORARY = ".writing-"
_LOCKS = ".locks"
#: A file being written is younger than this; an older file was left by a killed process.
LEFTOVER_SECONDS = 3600
#: Bytes at the end of an object that are requested for its index: more than almost every index has.
_END_BYTES = 1 << 16
#: More bytes than a file has.
_WHOLE = 1 << 40
#: A change is computed again when another process has changed the object meanwhile.
_RETRIES = RetryPolicy(attempts=15, first_wait=0.02, longest_wait=2.0, jitter=(0.0, 1.0))
#: Maximum number and bytes of the objects that are kept in memory to be changed again.
_KEPT, _KEPT_BYTES = 512, 1 << 16


def open_storage(root: str) -> FolderStorage | ObjectStorage:
    """Return the storage of a folder or an fsspec URL. Raises `ConfigurationError` for an unknown kind of URL."""
    import fsspec

    try:
        files, path = fsspec.core.url_to_fs(root)
    except (ImportError, ValueError) as error:
        place = render_url(root) if "://" in root else root
        raise ConfigurationError(f"LEGAL_PIPELINE_WAREHOUSE={place}: {error}") from None
    protocols = files.protocol if isinstance(files.protocol, tuple) else (files.protocol,)
    path = str(path).rstrip("/")
    return FolderStorage(path) if "file" in protocols else ObjectStorage(files, path, conditional="s3" in protocols)


class FolderStorage:
    """Files of a folder that processes and, with a shared disk, machines may share. Missing files raise `FileNotFoundError`."""

    def __init__(self, root: str) -> None:
        self._root = root
        self._waits = True

    def location(self, path: str) -> str:
        return f"{self._root}/{path}"

    def read(self, path: str) -> bytes:
        return Path(self._root, path).read_bytes()

    def opened(self, path: str, *, whole: bool) -> contextlib.AbstractContextManager[BinaryIO]:
        """Open a file as it is now; if not `whole`, perhaps only its end."""
        return Path(self._root, path).open("rb")  # it stays this file while another takes its name

    def write(self, path: str, data: bytes) -> None:
        target = Path(self._root, path)
        self._make_folder(target.parent)
        temporary = target.with_name(f"{_TEMPORARY}{uuid.uuid4().hex}")
        try:
            with temporary.open("xb") as stream:
                stream.write(data)
                stream.flush()
                if self._waits:
                    os.fsync(stream.fileno())
            temporary.replace(target)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise
        self._sync(target.parent)  # the new name must also survive a power failure

    def change(self, path: str, lock: str, change: Change) -> None:
        """Replace the content, one writer of the same `lock` after the other: no change is lost."""
        with self.lock(lock):
            try:
                old = self.read(path)
            except FileNotFoundError:
                old = None
            new = change(old)
            if new is None:
                self.remove(path)
            elif new != old:
                self.write(path, new)

    def remove(self, path: str) -> None:
        """Remove a file; no error if it does not exist."""
        Path(self._root, path).unlink(missing_ok=True)

    def versions(self, folder: str) -> Iterator[tuple[str, str]]:
        """Yield (name, version text) of the files two folders below `folder`; each write of a file changes the text."""
        for entry in self._entries(folder):
            with contextlib.suppress(FileNotFoundError):  # removed meanwhile
                found = entry.stat()
                yield entry.name, f"{found.st_ino}-{found.st_mtime_ns}-{found.st_size}"

    def files(self) -> list[str]:
        """Return the paths of all files, without locks and files that are being written, sorted."""
        found = []
        for folder, _, names in os.walk(self._root):
            within = os.path.relpath(folder, self._root)
            found += [name if within == "." else f"{within}/{name}" for name in names]
        return sorted(filter(_is_shown, found))

    @contextlib.contextmanager
    def lock(self, name: str) -> Iterator[None]:
        """Wait until no other has the lock of this name."""
        locks = Path(self._root, _LOCKS)
        locks.mkdir(parents=True, exist_ok=True)
        with open(locks / name, "wb") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    def clean(self, folder: str, older_than: float) -> int:
        """Remove the files of killed writers two folders below `folder`; return their number."""
        removed = 0
        for entry in self._entries(folder):
            with contextlib.suppress(FileNotFoundError):
                if entry.name.startswith(_TEMPORARY) and time.time() - entry.stat().st_mtime >= older_than:
                    os.unlink(entry.path)
                    removed += 1
        return removed

    def delete_empty_folders(self) -> None:
        for folder, _, _ in os.walk(self._root, topdown=False):
            with contextlib.suppress(OSError):
                os.rmdir(folder)

    @contextlib.contextmanager
    def waiting_once(self) -> Iterator[None]:
        """Within the block writes do not wait for the disk; its end waits for all of them."""
        self._waits = False
        try:
            yield
        finally:
            self._waits = True
        os.sync()

    def _make_folder(self, folder: Path) -> None:
        """Make the folder and those above it; their names survive a power failure."""
        if not folder.is_dir():
            self._make_folder(folder.parent)
            folder.mkdir(exist_ok=True)
            self._sync(folder.parent)

    def _sync(self, folder: Path) -> None:
        if not self._waits:
            return
        opened = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)

    def _entries(self, folder: str) -> Iterator[os.DirEntry[str]]:
        for outer in _scan(self.location(folder)):
            for inner in _scan(outer.path) if len(outer.name) == 1 else ():
                yield from _scan(inner.path)


class ObjectStorage:
    """The methods of `FolderStorage` for objects of a store that shows an object only when it is complete.

    One request each to read, to write and to list a thousand.

    `conditional`: a write can be bound to the version that was read. In other stores only one process may write to a document.
    """

    def __init__(self, files: Any, root: str, *, conditional: bool) -> None:
        self._files = _Answering(files, str(files.unstrip_protocol(root)))
        self._root = root
        self._conditional = conditional
        #: What this process wrote last, for the next stage of a document: if it is no longer so, the write is refused, and it is read.
        self._written: OrderedDict[str, tuple[bytes | None, dict[str, str]]] = OrderedDict()

    def location(self, path: str) -> str:
        return str(self._files.unstrip_protocol(self._path(path)))

    def read(self, path: str) -> bytes:
        # with a range, or s3fs asks for the size first
        return bytes(self._files.cat_file(self._path(path), start=0, end=_WHOLE))

    def opened(self, path: str, *, whole: bool) -> contextlib.AbstractContextManager[BinaryIO]:
        # one request: all that is read is of one write
        return io.BytesIO(
            self.read(path) if whole else bytes(self._files.cat_file(self._path(path), start=-_END_BYTES))
        )

    def write(self, path: str, data: bytes) -> None:
        self._files.pipe_file(self._path(path), data)

    def change(self, path: str, lock: str, change: Change) -> None:
        try:
            _RETRIES.call(lambda: self._try_to_change(path, lock, change), is_transient=self._is_refused)
        except OSError as error:
            if not self._is_refused(error):
                raise
            raise DocumentError(
                f"other processes changed it {_RETRIES.attempts} times; run it again", document=path
            ) from error

    def _try_to_change(self, path: str, lock: str, change: Change) -> None:
        with self.lock(lock):
            old, version = self._written.pop(path) if path in self._written else self._present(path)
            new = change(old)
            if new == old:
                return
            if new is None:
                self.remove(path)
                return
            answer = self._files.pipe_file(self._path(path), new, **version)
            if self._conditional and answer and len(new) <= _KEPT_BYTES:
                self._written[path] = new, {"IfMatch": answer["ETag"]}
                if len(self._written) > _KEPT:
                    self._written.popitem(last=False)

    def _is_refused(self, error: BaseException) -> bool:
        """Return whether a write was refused because another process has written meanwhile: these are the errors of s3fs."""
        refused = isinstance(error, FileExistsError) or getattr(error, "errno", None) in (errno.EINVAL, errno.EBUSY)
        return self._conditional and refused

    def _present(self, path: str) -> tuple[bytes | None, dict[str, str]]:
        """Return the content as it is now, and the condition of a write that it still is."""
        try:
            version = {"IfMatch": self._files.info(self._path(path), refresh=True)["ETag"]} if self._conditional else {}
            return self.read(path), version
        except FileNotFoundError:
            return None, {"IfNoneMatch": "*"} if self._conditional else {}

    def remove(self, path: str) -> None:
        with contextlib.suppress(FileNotFoundError):
            self._files.rm_file(self._path(path))

    def versions(self, folder: str) -> Iterator[tuple[str, str]]:
        for path, entry in self._find(self._path(folder)).items():
            outer, _, name = path.removeprefix(f"{self._path(folder)}/").partition("/")
            if len(outer) == 1 and name.count("/") == 1:  # else of an asset below
                # stores report different facts about an object: size and time, or also a checksum
                yield name.rsplit("/", 1)[-1], identity.sha256_hex(repr(sorted(entry.items(), key=str)))

    def files(self) -> list[str]:
        found = (path.removeprefix(f"{self._root}/") for path in self._find(self._root))
        return sorted(filter(_is_shown, found))

    def lock(self, name: str) -> contextlib.AbstractContextManager[Any]:
        """Return a lock between threads: an object store has no locks between processes."""
        return _locks[name]

    def clean(self, folder: str, older_than: float) -> int:
        return 0

    def delete_empty_folders(self) -> None:
        """Do nothing: an object store has no folders."""

    def waiting_once(self) -> contextlib.AbstractContextManager[None]:
        return contextlib.nullcontext()

    def _find(self, path: str) -> dict[str, dict[str, Any]]:
        self._files.invalidate_cache()  # clients cache listings; other processes write too
        return {str(name): entry for name, entry in self._files.find(path, detail=True).items()}

    def _path(self, path: str) -> str:
        return f"{self._root}/{path}"


class _Answering:
    """A client of an object store. What it raises except `OSError`, and refused access, becomes `StoreUnavailableError`."""

    def __init__(self, files: Any, place: str) -> None:
        self._files = files
        self._place = place

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._files, name)

        def call(*arguments: Any, **options: Any) -> Any:
            try:
                return method(*arguments, **options)
            except Exception as error:  # each client has its own types: no key, no network, no such bucket
                if isinstance(error, OSError) and not isinstance(
                    error, PermissionError | ConnectionError | TimeoutError
                ):
                    raise
                raise StoreUnavailableError(
                    f"the warehouse at {render_url(self._place)} cannot be used: {error} (LEGAL_PIPELINE_WAREHOUSE)"
                ) from error

        return call


_locks: dict[str, threading.Lock] = defaultdict(threading.Lock)


def _is_shown(path: str) -> bool:
    return not any(part.startswith(".") for part in path.split("/"))


def _scan(folder: str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except (FileNotFoundError, NotADirectoryError):
        return []

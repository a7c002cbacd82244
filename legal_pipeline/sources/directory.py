"""Folders and single files as a source.

A file's name and links are checked before anything is read. Not here: the content of the files.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import stat
import time
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from legal_pipeline.building.source import Limits, SourceFile
from legal_pipeline.errors import DefectError, DocumentError, LimitExceededError, UnsafeNameError, raise_interruption
from legal_pipeline.parsing.profiles.companions import companion_hints, companion_names, companions_among
from legal_pipeline.sources import sidecar
from legal_pipeline.sources.file_names import UNSAFE_CHARACTERS, is_plainly_safe, printable, unsafe_name
from legal_pipeline.sources.source import Listing, ListingError, SourceItem
from legal_pipeline.system.file_patterns import FilePatterns

_TEMPORARY_ENDINGS = ("~", ".tmp", ".temp", ".part", ".partial", ".crdownload", ".download", ".swp", ".swx", ".lock")
_TEMPORARY_STARTS = ("~$", "#")

#: Mean and maximum number of items of a page.
PAGE_ITEMS, MAX_PAGE_ITEMS = 256, 2_048

#: A page that takes longer to read ends early, so that a poll of a slow disk makes progress.
PAGE_SECONDS = 10.0


class DirectorySource:
    """The files at and under `paths` (folders or files), recursively.

    Keys are absolute paths, so a file is the same item whether the user named it or its folder. Hidden and temporary files and sidecars are
    not items; files that must not be read are items with an error. Items that match one of the patterns `exclude` are left out, with their
    sidecars; a folder that matches is not walked.
    """

    name = "files"

    def __init__(
        self, paths: Sequence[Path] | Path, *, limits: Limits | None = None, exclude: Iterable[str] = ()
    ) -> None:
        self.paths = tuple(sorted({path.absolute() for path in ([paths] if isinstance(paths, Path) else paths)}))
        self._limits = limits or Limits()
        self._exclude = FilePatterns(exclude)

    def list(self) -> Listing:
        """Return all items sorted by key. Raises `ListingError` for a path that does not exist or a folder that cannot be read."""
        items: dict[str, SourceItem] = {}
        scope: list[str] = []
        left_out: set[str] = set()
        for path in self.paths:
            with _listing(path):
                root = _resolved(path)
                if root.is_dir():
                    scope.append(_prefix(root))
                    walk = _Walk(root, self._exclude)
                    items.update({item.key: item for item in walk.items()})
                    left_out.update(walk.left_out)
                else:
                    scope.append(_key(root))
                    if self._exclude.match(_name(root.parent, root)):
                        left_out.add(_key(root))
                    else:
                        items[_key(root)] = _item(root.parent, root)
        keys = sorted(items)
        return Listing(
            self.name,
            tuple(items[key] for key in keys),
            tuple(scope),
            closed=tuple(key for key in keys if key.endswith("/")),
            left_out=tuple(sorted(left_out.difference(items))),
        )

    def verify_outside(self, home: Path) -> None:
        """Raise `ListingError` if a listing would include the folder of the index: its database and tables are not documents."""
        home = home.resolve()
        for path in self.paths:
            root = path.resolve()
            if home.is_relative_to(root) and not any(map(_is_passed_over, home.relative_to(root).parts)):
                raise ListingError(
                    f"{_key(path)} contains the home of the index, {_key(home)}, whose files are not documents: "
                    "name a folder beside it, or move the home (LEGAL_PIPELINE_HOME)"
                )

    def pages(self, after: str | None = None, *, max_seconds: float = PAGE_SECONDS) -> Iterator[Listing]:
        """Yield a folder's items in consecutive pages, after the key `after`, or from the beginning.

        The keys decide where a page ends, so that a new file changes one page and not all that follow; a page that takes longer than
        `max_seconds` to read ends there. A folder without items is one empty page, for every `after`.
        Raises `ListingError`.
        """
        (path,) = self.paths
        with _listing(path):
            root = _resolved(path)
            first, last = _range(root)
            low = first if after is None else after
            page, found = _Page(low), False
            walk = _Walk(root, self._exclude)
            for item in walk.items(low):
                found = True
                page.add(item)
                if page.is_full or time.monotonic() - page.began > max_seconds:
                    yield page.listing(self.name, (_prefix(root),), item.key, walk.left_out)
                    page = _Page(item.key)
                    walk.left_out.clear()
            if not found and next(_Walk(root, self._exclude).items(), None) is None:  # only then is it read once more
                page = _Page(first)
            yield page.listing(self.name, (_prefix(root),), last, walk.left_out)

    @property
    def range(self) -> tuple[str, str]:
        """Return the range of all keys that the pages of the folder can have: after the first, up to the second."""
        (path,) = self.paths
        return _range(path.resolve())

    def item(self, key: str) -> SourceItem:
        """Return the item at `key`, read again as if its folder had been listed."""
        path = Path(key)
        try:
            if "\\" in path.name and not os.path.lexists(path):  # the name has characters that its key shows as escapes
                path = next((beside for beside in path.parent.iterdir() if _key(beside) == key), path)
            return _item(path.parent, path)
        except OSError as error:
            raise DocumentError(f"cannot be read: {error.strerror or error}", document=path.name) from error

    def fetch(self, item: SourceItem) -> SourceFile:
        if item.error is not None:
            raise item.error
        path = Path(item.key)
        if (unsafe := _unsafe_link(self._root_of(path), path, item.name)) is not None:  # changed since it was listed
            raise unsafe
        try:
            # not blocking: a pipe in the file's place must not block the run
            descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
            with os.fdopen(descriptor, "rb") as stream:
                status = os.fstat(descriptor)
                if not stat.S_ISREG(status.st_mode):
                    raise UnsafeNameError("is not a regular file", document=item.name)
                if status.st_size > self._limits.max_bytes:
                    raise LimitExceededError(
                        f"{status.st_size:,} bytes",
                        document=item.name,
                        expected=f"at most {self._limits.max_bytes:,} (LEGAL_PIPELINE_MAX_DOCUMENT_BYTES)",
                    )
                data = stream.read()
        except OSError as error:
            raise DocumentError(f"cannot be read: {error.strerror or error}", document=item.name) from error
        hints = self._hints(path, item.name)
        if "/" in item.name:
            hints = {**hints, "path": item.name}
        return SourceFile(
            name=item.name,
            data=data,
            url=hints.get("source_url"),
            fetched_at=hints.get("fetched_at")
            or datetime.fromtimestamp(status.st_mtime, UTC).isoformat(timespec="seconds"),
            hints=hints,
            limits=self._limits,
        )

    def _hints(self, path: Path, name: str) -> dict[str, Any]:
        """Return the hints of the file that accompanies `path`: the user's sidecar, else the publisher's file."""
        beside, status = _beside(path)
        if status is None:
            return {}
        document = f"{name.removesuffix(path.name)}{beside.name}"
        if not stat.S_ISREG(status.st_mode):
            raise UnsafeNameError("is not a regular file", document=document)
        try:
            with beside.open("rb") as stream:
                data = stream.read(sidecar.MAX_BYTES + 1)
        except OSError as error:
            raise DocumentError(f"cannot be read: {error.strerror or error}", document=document) from error
        if beside == _sidecar(path):
            return sidecar.read_hints(data, document=document)
        return companion_hints(beside.name, data)

    def _root_of(self, path: Path) -> Path:
        for root in (root.resolve() for root in self.paths):
            if path.is_relative_to(root):
                return root if root.is_dir() else root.parent
        raise UnsafeNameError(f"is not under {', '.join(map(str, self.paths))}", document=_key(path))


@contextlib.contextmanager
def _listing(path: Path) -> Iterator[None]:
    """Raise `ListingError` for an error of the file system in the block."""
    try:
        yield
    except (OSError, RuntimeError) as error:  # RuntimeError: a loop of links, before Python 3.13
        reason = getattr(error, "strerror", None) or error
        raise ListingError(f"{_key(path)} cannot be listed: {reason}") from error


def _resolved(path: Path) -> Path:
    """Return `path` without links. Raises `ListingError` if a folder has a name that cannot be part of a key."""
    root = path.resolve(strict=True)
    folder = root if root.is_dir() else root.parent
    if _key(folder) != folder.as_posix():
        raise ListingError(f"{_key(path)} cannot be listed: rename the folder that has {UNSAFE_CHARACTERS} in its name")
    return root


@dataclass
class _Page:
    """Consecutive items after the key `after`."""

    after: str
    items: list[SourceItem] = field(default_factory=list)
    began: float = field(default_factory=time.monotonic)
    is_full: bool = False

    def add(self, item: SourceItem) -> None:
        self.items.append(item)
        chosen = zlib.crc32(item.key.encode("utf-8", "surrogatepass")) % PAGE_ITEMS == 0
        self.is_full = chosen or len(self.items) >= MAX_PAGE_ITEMS

    def listing(self, source: str, scope: tuple[str, ...], until: str, left_out: Iterable[str]) -> Listing:
        digest = hashlib.blake2b(digest_size=16)
        for item in self.items:
            digest.update(f"{item.key}\n{item.stamp}\n".encode("utf-8", "surrogatepass"))
        closed = tuple(item.key for item in self.items if item.key.endswith("/"))
        return Listing(
            source,
            tuple(self.items),
            scope,
            between=(self.after, until),
            fingerprint=digest.hexdigest(),
            closed=closed,
            left_out=tuple(left_out),
        )


class _Walk:
    """The files at and under `root`, a folder without links in its path, in the order of their keys.

    `left_out` collects the keys of those that match `exclude`.
    """

    def __init__(self, root: Path, exclude: FilePatterns) -> None:
        self._root = root
        self._prefix = _prefix(root)
        self._exclude = exclude
        self.left_out: list[str] = []

    def items(self, after: str = "") -> Iterator[SourceItem]:
        """Yield the items after the key `after`. A folder that cannot be read is an item with an error, whose key ends in `/`.

        Raises `OSError` if the root cannot be read.
        """
        yield from self._folder(os.fspath(self._root), self._prefix, after)

    def _folder(self, folder: str, prefix: str, after: str) -> Iterator[SourceItem]:
        try:
            with os.scandir(folder) as entries:
                found = list(entries)
        except FileNotFoundError:
            if prefix == self._prefix:
                raise
            return  # removed since its parent was read
        except OSError as error:
            if prefix == self._prefix:
                raise
            name = prefix.removeprefix(self._prefix)
            closed = DocumentError(f"the folder cannot be read: {error.strerror or error}", document=name)
            yield SourceItem(prefix, name, error=closed, stamp=str(closed))
            return
        beside = companions_among([entry.name for entry in found])
        companions = set().union(*beside.values())
        sidecars = (entry.name for entry in found if entry.name.endswith(sidecar.ENDING))
        accompanied = {name.removesuffix(sidecar.ENDING) for name in sidecars}.union(beside)
        keys = {entry.name: prefix + printable(entry.name) + ("/" if _is_walked(entry) else "") for entry in found}
        for entry in sorted(found, key=lambda entry: keys[entry.name]):
            key = keys[entry.name]
            if key.endswith("/"):
                if key >= after or after.startswith(key):
                    if self._is_left_out(key):
                        continue
                    yield from self._folder(entry.path, key, after)
            elif key > after:
                if entry.name in companions:
                    continue
                if _is_sidecar(entry.name) and entry.name.removesuffix(sidecar.ENDING) in keys:
                    continue
                item = self._entry(entry, key, entry.name in accompanied)
                if item is not None and not self._is_left_out(item.key):
                    yield item

    def _is_left_out(self, key: str) -> bool:
        is_left_out = self._exclude.match(key.removeprefix(self._prefix))
        if is_left_out:
            self.left_out.append(key)
        return is_left_out

    def _entry(self, entry: os.DirEntry[str], key: str, has_sidecar: bool) -> SourceItem | None:
        """Return the item at `entry`, None if it is not an item."""
        if entry.is_symlink() or not is_plainly_safe(entry.name) or entry.is_dir(follow_symlinks=False):
            return self._unusual(Path(entry.path))
        if _is_passed_over(entry.name):
            return None
        try:
            status = entry.stat(follow_symlinks=False)
        except OSError:
            return self._unusual(Path(entry.path))
        if has_sidecar or _is_sidecar(entry.name) or not stat.S_ISREG(status.st_mode):
            return self._unusual(Path(entry.path))
        return SourceItem(key, key[len(self._prefix) :], size=status.st_size, stamp=_stamp(status))

    def _unusual(self, path: Path) -> SourceItem | None:
        """Return the item at `path`; None if it is not an item, or does not exist any more. Any other problem is the item's error."""
        name = _name(self._root, path)
        try:
            if path.is_dir():
                return self._refused_folder(path, name)
            if path.is_symlink() and path.is_file() and path.resolve().is_relative_to(self._root):
                return None  # the linked file is listed under its own name
            if unsafe_name(path.relative_to(self._root)) is None and _is_passed_over(path.name):
                return None
            return _item(self._root, path)
        except FileNotFoundError:
            return None
        except Exception as defect:
            error = _unreadable(defect, name)
            return SourceItem(_key(path), name, error=error, stamp=str(error))

    def _refused_folder(self, path: Path, name: str) -> SourceItem | None:
        """Return a folder that is not walked: hidden, with an unsafe name, or a link. Links within the root are listed at their target."""
        error = unsafe_name(path.relative_to(self._root))
        if error is None and path.is_symlink():
            error = _unsafe_link(self._root, path, name)
        return None if error is None else SourceItem(_key(path), name, error=error)


def _is_walked(entry: os.DirEntry[str]) -> bool:
    if not entry.is_dir(follow_symlinks=False):
        return False
    return not _is_passed_over(entry.name) and (is_plainly_safe(entry.name) or unsafe_name(Path(entry.name)) is None)


def _item(root: Path, path: Path) -> SourceItem:
    name = _name(root, path)
    error = unsafe_name(path.relative_to(root)) or _unsafe_link(root, path, name) or _no_document(path, name)
    if error is not None:
        return SourceItem(_key(path), name, error=error, stamp=str(error))
    status = path.stat()
    if not stat.S_ISREG(status.st_mode):
        error = UnsafeNameError("is not a regular file", document=name, position=name)
        return SourceItem(_key(path), name, error=error, stamp=str(error))
    _, beside = _beside(path)
    stamp = _stamp(status) + ("" if beside is None else f"+{_stamp(beside)}")
    return SourceItem(_key(path), name, size=status.st_size, stamp=stamp)


def _unsafe_link(root: Path, path: Path, name: str) -> UnsafeNameError | None:
    try:
        target = path.resolve(strict=True)
    except (OSError, RuntimeError):  # RuntimeError: a loop of links, before Python 3.13
        return UnsafeNameError("is a link to nothing", document=name, position=name) if path.is_symlink() else None
    if not target.is_relative_to(root.resolve()):
        return UnsafeNameError("is a link that leads out of its folder", document=name, position=name)
    return None


def _is_passed_over(name: str) -> bool:
    return name.startswith((".", *_TEMPORARY_STARTS)) or name.lower().endswith(_TEMPORARY_ENDINGS)


def _is_sidecar(name: str) -> bool:
    return name.endswith(sidecar.ENDING) and not _is_passed_over(name)


def _no_document(path: Path, name: str) -> DocumentError | None:
    """Return the error of a sidecar as an item: without its document, what it states would have no effect, and nobody would notice."""
    if not _is_sidecar(path.name):
        return None
    document = path.name.removesuffix(sidecar.ENDING)
    beside = sorted(entry.name for entry in path.parent.iterdir())
    if document in beside:
        return DocumentError(f"describes {printable(document)} and is not a document", document=name)
    named = (name for name in beside if name.startswith(f"{document}.") and not _is_passed_over(name))
    other = next((other for other in named if other != path.name), None)
    expected = f"the name {other}{sidecar.ENDING}" if other else f"a file {document} beside it"
    return DocumentError(f"is a sidecar file without its document (expected: {printable(expected)})", document=name)


def _sidecar(path: Path) -> Path:
    return path.with_name(path.name + sidecar.ENDING)


def _beside(path: Path) -> tuple[Path, os.stat_result | None]:
    """Return the file that accompanies the text at `path`, and its status without following links; None if there is none."""
    for name in (_sidecar(path).name, *companion_names(path.name)):  # the user's before the publisher's
        beside = path.with_name(name)
        try:
            return beside, beside.lstat()
        except FileNotFoundError:
            continue
        except OSError as error:
            # a name too long: the file's own name leaves no room for the ending, so it cannot have a sidecar
            if error.errno != errno.ENAMETOOLONG:
                raise DocumentError(f"cannot be read: {error.strerror or error}", document=name) from error
    return _sidecar(path), None


def _unreadable(defect: Exception, name: str) -> DocumentError:
    """Return the reason why a file cannot be listed, as the error of its item."""
    raise_interruption(defect)
    if isinstance(defect, DocumentError):
        return defect
    if isinstance(defect, OSError):
        return DocumentError(f"cannot be read: {defect.strerror or defect}", document=name)
    return DefectError.of(defect, document=name)


def _stamp(status: os.stat_result) -> str:
    # also the change time: `cp -p` and `touch -r` give new content an old modification time
    return f"{status.st_size}:{status.st_mtime_ns}:{status.st_ctime_ns}"


def _key(path: Path) -> str:
    return printable(path.as_posix())


def _prefix(root: Path) -> str:
    """Return the common prefix of all keys under `root`."""
    key = _key(root)
    return key if key.endswith("/") else f"{key}/"


def _range(root: Path) -> tuple[str, str]:
    prefix = _prefix(root)
    return prefix, f"{prefix[:-1]}0"  # the character after the slash


def _name(root: Path, path: Path) -> str:
    return printable(path.relative_to(root).as_posix())

"""Folders and single files as a source.

A file's name and links are checked before anything is read. Not here: what is in the files.
"""

from __future__ import annotations

import errno
import os
import stat
import unicodedata
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from legal_pipeline.errors import DefectError, DocumentError, LimitExceededError, UnsafeNameError
from legal_pipeline.parsing.source import Limits, SourceFile
from legal_pipeline.sources import sidecar
from legal_pipeline.sources.source import Listing, ListingError, SourceItem

_TEMPORARY_ENDINGS = ("~", ".tmp", ".temp", ".part", ".partial", ".crdownload", ".download", ".swp", ".swx", ".lock")
_TEMPORARY_STARTS = ("~$", "#")


class DirectorySource:
    """The files at and under `paths` (folders or files), recursively.

    Keys are absolute paths, so that a file is the same item whether it or its folder was named. Hidden and temporary files and
    sidecars are no items; files that must not be read are items with an error.
    """

    name = "files"

    def __init__(self, paths: Sequence[Path] | Path, *, limits: Limits | None = None) -> None:
        self.paths = tuple(sorted({path.absolute() for path in ([paths] if isinstance(paths, Path) else paths)}))
        self._limits = limits or Limits()

    def list(self) -> Listing:
        """Sorted by key. Raises `ListingError` for a path that is not there or a folder that cannot be read."""
        items: dict[str, SourceItem] = {}
        scope: list[str] = []
        for path in self.paths:
            try:
                root = path.resolve(strict=True)
                if root.is_dir():
                    scope.append(f"{_key(root)}/")
                    found = {item.key: item for item in self._walk(root)}
                else:
                    scope.append(_key(root))
                    found = {_key(root): self._item(root.parent, root)}
            except (OSError, RuntimeError) as error:  # RuntimeError: a loop of links, before Python 3.13
                raise ListingError(f"{path} cannot be listed: {getattr(error, 'strerror', None) or error}") from error
            items.update(found)
        return Listing(self.name, tuple(items[key] for key in sorted(items)), tuple(scope))

    def item(self, key: str) -> SourceItem:
        """The item at `key`, looked at again as if its folder had been listed."""
        path = Path(key)
        try:
            return self._item(path.parent, path)
        except OSError as error:
            raise DocumentError(f"cannot be read: {error.strerror or error}", document=path.name) from error

    def fetch(self, item: SourceItem) -> SourceFile:
        if item.error is not None:
            raise item.error
        path = Path(item.key)
        if (unsafe := _unsafe_link(self._root_of(path), path, item.name)) is not None:  # since it was listed
            raise unsafe
        try:
            # not blocking: a pipe put in the file's place must not hang the run
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
        return SourceFile(
            name=item.name,
            data=data,
            url=hints.get("source_url"),
            fetched_at=hints.get("fetched_at")
            or datetime.fromtimestamp(status.st_mtime, UTC).isoformat(timespec="seconds"),
            hints=hints,
            limits=self._limits,
        )

    def _walk(self, root: Path) -> Iterator[SourceItem]:
        def fail(error: OSError) -> None:
            raise error  # os.walk passes over what it cannot read, and the files there would look removed

        for folder, folders, files in os.walk(root, onerror=fail, followlinks=False):
            here = Path(folder)
            for name in list(folders):
                path = here / name
                error = _unsafe_name(path.relative_to(root))
                if error is None and path.is_symlink():
                    error = _unsafe_link(root, path, _name(root, path))
                    folders.remove(name)  # inside the folder its files are listed already
                elif error is not None or _is_passed_over(name):
                    folders.remove(name)
                if error is not None:
                    yield SourceItem(_key(path), _name(root, path), error=error)
            for name in files:
                item = self._listed_file(root, here / name)
                if item is not None:
                    yield item

    def _listed_file(self, root: Path, path: Path) -> SourceItem | None:
        """The item at `path`; None for what is no item, or is gone by now. Whatever else is wrong with it is its error."""
        try:
            if path.is_symlink() and path.is_file() and path.resolve().is_relative_to(root):
                return None  # the file that it leads to is listed under its own name
            if _unsafe_name(path.relative_to(root)) is None and (
                _is_passed_over(path.name) or path.name.endswith(sidecar.ENDING) or _is_second_name(root, path)
            ):
                return None
            return self._item(root, path)
        except FileNotFoundError:
            return None
        except Exception as defect:
            name = _name(root, path)
            error = _unreadable(defect, name)
            return SourceItem(_key(path), name, error=error, stamp=str(error))

    def _item(self, root: Path, path: Path) -> SourceItem:
        name = _name(root, path)
        error = _unsafe_name(path.relative_to(root)) or _unsafe_link(root, path, name)
        if error is not None:
            return SourceItem(_key(path), name, error=error, stamp=str(error))
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            error = UnsafeNameError("is not a regular file", document=name, position=name)
            return SourceItem(_key(path), name, error=error, stamp=str(error))
        return SourceItem(_key(path), name, size=status.st_size, stamp=_stamp(status) + self._sidecar_stamp(path))

    def _sidecar_stamp(self, path: Path) -> str:
        status = _sidecar_status(path)
        return "" if status is None else "+" + _stamp(status)

    def _hints(self, path: Path, name: str) -> dict[str, Any]:
        beside = _sidecar(path)
        try:
            status = _sidecar_status(path)
            if status is None:
                return {}
            if not stat.S_ISREG(status.st_mode):
                raise UnsafeNameError("is not a regular file", document=f"{name}{sidecar.ENDING}")
            with beside.open("rb") as stream:
                data = stream.read(sidecar.MAX_BYTES + 1)
        except OSError as error:
            raise DocumentError(
                f"cannot be read: {error.strerror or error}", document=f"{name}{sidecar.ENDING}"
            ) from error
        return sidecar.read_hints(data, document=f"{name}{sidecar.ENDING}")

    def _root_of(self, path: Path) -> Path:
        for root in (root.resolve() for root in self.paths):
            if path.is_relative_to(root):
                return root if root.is_dir() else root.parent
        raise UnsafeNameError(f"is not under {', '.join(map(str, self.paths))}", document=_key(path))


def _unsafe_name(relative: Path) -> UnsafeNameError | None:
    """What is wrong with a path whose every part came from a file system, where a name may hold anything but `/` and a zero."""
    for part in relative.parts:
        shown = _printable(part)
        plain = part
        for _ in range(3):  # %252e is %2e is a point
            plain = unquote(plain, errors="surrogateescape")
        if ".." in unicodedata.normalize("NFKC", plain).replace("\\", "/").split("/"):
            return UnsafeNameError(
                "the name leads out of its folder", document=shown, position=_printable(str(relative))
            )
        if any(unicodedata.category(character) in ("Cc", "Cs") or _turns_direction(character) for character in plain):
            return UnsafeNameError(
                "the name holds control characters or bytes that are no UTF-8",
                document=shown,
                position=_printable(str(relative)),
            )
    return None


def _unsafe_link(root: Path, path: Path, name: str) -> UnsafeNameError | None:
    try:
        target = path.resolve(strict=True)
    except (OSError, RuntimeError):  # RuntimeError: a loop of links, before Python 3.13
        return UnsafeNameError("is a link to nothing", document=name, position=name) if path.is_symlink() else None
    if not target.is_relative_to(root.resolve()):
        return UnsafeNameError("is a link that leads out of its folder", document=name, position=name)
    return None


def _turns_direction(character: str) -> bool:
    return "\u202a" <= character <= "\u202e" or "\u2066" <= character <= "\u2069"


def _is_passed_over(name: str) -> bool:
    return name.startswith((".", *_TEMPORARY_STARTS)) or name.lower().endswith(_TEMPORARY_ENDINGS)


def _is_second_name(root: Path, path: Path) -> bool:
    """Whether `path` is a link to a file that is listed under its own name."""
    if not path.is_symlink() or not path.is_file():
        return False
    target = path.resolve()
    return target.is_relative_to(root) and not any(map(_is_passed_over, target.relative_to(root).parts))


def _sidecar(path: Path) -> Path:
    return path.with_name(path.name + sidecar.ENDING)


def _sidecar_status(path: Path) -> os.stat_result | None:
    """Of the sidecar itself, not of what it may link to; None where there is none."""
    try:
        return _sidecar(path).lstat()
    except FileNotFoundError:
        return None
    except OSError as error:
        if error.errno == errno.ENAMETOOLONG:  # the file's own name leaves no room for the ending: it can have none
            return None
        raise


def _unreadable(defect: Exception, name: str) -> DocumentError:
    """Why a file cannot be listed, as the error of its item."""
    if isinstance(defect, DocumentError):
        return defect
    if isinstance(defect, OSError):
        return DocumentError(f"cannot be read: {defect.strerror or defect}", document=name)
    return DefectError.of(defect, document=name)


def _stamp(status: os.stat_result) -> str:
    # the change time too: `cp -p` and `touch -r` put an old modification time on new content
    return f"{status.st_size}:{status.st_mtime_ns}:{status.st_ctime_ns}"


def _printable(text: str) -> str:
    """`text` with what cannot be shown or stored as backslash escapes; safe names come out as they are."""
    return "".join(
        character.encode("unicode_escape").decode("ascii")
        if unicodedata.category(character) in ("Cc", "Cs") or _turns_direction(character)
        else character
        for character in text
    )


def _key(path: Path) -> str:
    return _printable(path.as_posix())


def _name(root: Path, path: Path) -> str:
    return _printable(path.relative_to(root).as_posix())

"""The format of the warehouse's files: a bundle is a ZIP archive with the contents of one document as members, each with a stamp.

A member is a Zstandard frame (`chunks.arrows.zst`), so `unzip` and `zstd` open a bundle. `index.json` comes last, with the size, checksum
and stamp of the others: the end of a file is enough to read it. Equal members give equal bytes. Not here: what the members hold, and where
bundles are stored (`registry.warehouse`).
"""

from __future__ import annotations

import io
import json
import zipfile
import zlib
from collections.abc import Mapping
from functools import cache
from typing import Any, BinaryIO, NamedTuple

_INDEX = "index.json"
_COMPRESSED = ".zst"
#: Level 3 takes a tenth more time than level 1 for a short Act, and a tenth fewer bytes.
_LEVEL = 3
#: What reading a damaged archive raises. `ValueError`: also for a member that begins before the end of a file that was read.
_UNREADABLE = (zipfile.BadZipFile, ValueError, KeyError, EOFError, NotImplementedError, RuntimeError, zlib.error)


class DamagedBundleError(ValueError):
    """The bytes are not those that were written."""


class Member(NamedTuple):
    """The content of a member. `data` is compressed, `size` its number of bytes before. `stamp` is a text in addition to the content."""

    data: bytes
    size: int
    checksum: int
    stamp: str | None

    @classmethod
    def pack(cls, content: bytes, stamp: str | None = None) -> Member:
        data = _codec().compress(content, asbytes=True)
        return cls(data, len(content), zlib.crc32(data), stamp)

    def content(self) -> bytes:
        """Return the content. Raises `DamagedBundleError` if it is not the content that was written."""
        if zlib.crc32(self.data) != self.checksum:
            raise DamagedBundleError("wrong checksum")
        content: bytes = _codec().decompress(self.data, self.size, asbytes=True)
        return content


class Bundle:
    """A bundle that is open for reading: the names and stamps of its members, and each member when it is asked for."""

    def __init__(self, stream: BinaryIO) -> None:
        """`stream` is the file, or its end. Raises `DamagedBundleError` if it does not have the whole index."""
        try:
            self._archive = zipfile.ZipFile(stream)
            self._entries: dict[str, list[Any]] = json.loads(self._archive.read(_INDEX))
        except _UNREADABLE as error:
            raise DamagedBundleError(f"unreadable index: {error}") from error

    def __contains__(self, name: str) -> bool:
        return name in self._entries

    def names(self) -> list[str]:
        return list(self._entries)

    def stamp(self, name: str) -> str | None:
        """Return the stamp of a member; None if there is no such member, or if it has no stamp."""
        return self._entries[name][2] if name in self._entries else None

    def member(self, name: str) -> Member:
        """Return a member that exists; a damaged one without data, so that it is as damaged in the next bundle."""
        try:
            data = self._archive.read(name + _COMPRESSED)
        except _UNREADABLE:
            data = b""
        return Member(data, *self._entries[name])


def dump(members: Mapping[str, Member]) -> bytes:
    """Return the bundle of `members`."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, member in sorted(members.items()):
            archive.writestr(_entry(name + _COMPRESSED), member.data)
        index = {name: member[1:] for name, member in sorted(members.items())}
        text = json.dumps(index, ensure_ascii=False, separators=(",", ":"))
        archive.writestr(_entry(_INDEX), text, zipfile.ZIP_DEFLATED)
    return file.getvalue()


def load(data: bytes) -> dict[str, Member]:
    """Return all members of a bundle. Raises `DamagedBundleError` if the index cannot be read."""
    bundle = Bundle(io.BytesIO(data))
    return {name: bundle.member(name) for name in bundle.names()}


def _entry(name: str) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name)  # of 1980: the time is not part of the content
    entry.create_system = 3  # Unix, also where this runs on another system
    entry.external_attr = 0o644 << 16
    return entry


@cache
def _codec() -> Any:
    import pyarrow as pa  # a tenth of a second, which commands without tables do not need

    return pa.Codec("zstd", _LEVEL)

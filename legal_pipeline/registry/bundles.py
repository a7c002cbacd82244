"""The format of the warehouse's files: a bundle holds named members of one document, each compressed, with a checksum and a stamp.

A bundle is a marker, the length of its index, the index as compressed JSON, and the members in the order of their names. Equal members
give equal bytes. Not here: what the members hold, and where bundles are stored (`registry.warehouse`).
"""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, NamedTuple

#: Marker and version of the format, bytes of the compressed index, bytes of the index, checksum of the compressed index.
_START = struct.Struct("<4sIII")
_MARKER = b"LPB1"
#: Level 3 takes a tenth more time than level 1 for a short Act, and a tenth fewer bytes.
_LEVEL = 3


class DamagedBundleError(ValueError):
    """The bytes are not those that were written."""


class Member(NamedTuple):
    """The content of a member. `data` is compressed, `size` its number of bytes before. `stamp` is a text beside the content."""

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


class Index:
    """The names, places and stamps of the members of a bundle, without their bytes."""

    def __init__(self, read: Callable[[int, int], bytes]) -> None:
        """`read` returns the bytes of the bundle from a position to another. Raises `DamagedBundleError`."""
        try:
            marker, packed, size, checksum = _START.unpack(read(0, _START.size))
            self._begin = _START.size + packed
            index = Member(read(_START.size, self._begin) if marker == _MARKER else b"", size, checksum, None)
            self._entries: dict[str, list[Any]] = json.loads(index.content())
        except (struct.error, ValueError) as error:
            raise DamagedBundleError(f"unreadable index: {error}") from error

    def __contains__(self, name: str) -> bool:
        return name in self._entries

    def names(self) -> list[str]:
        return list(self._entries)

    def stamp(self, name: str) -> str | None:
        """Return the stamp of a member; None if there is no such member, or if it has no stamp."""
        return self._entries[name][4] if name in self._entries else None

    def member(self, name: str, read: Callable[[int, int], bytes]) -> Member:
        """Return a member that exists; `read` as for the index."""
        begin, end, size, checksum, stamp = self._entries[name]
        return Member(read(self._begin + begin, self._begin + end), size, checksum, stamp)


def dump(members: Mapping[str, Member]) -> bytes:
    """Return the bundle of `members`."""
    index: dict[str, list[Any]] = {}
    place = 0
    ordered = sorted(members.items())
    for name, member in ordered:
        index[name] = [place, place + len(member.data), member.size, member.checksum, member.stamp]
        place += len(member.data)
    packed = Member.pack(json.dumps(index, ensure_ascii=False, separators=(",", ":")).encode("utf-8"))
    start = _START.pack(_MARKER, len(packed.data), packed.size, packed.checksum)
    return b"".join([start, packed.data, *(member.data for _, member in ordered)])


def load(data: bytes) -> dict[str, Member]:
    """Return all members of a bundle: also damaged members, so that a new bundle with them stays as damaged as before.

    Raises `DamagedBundleError` if the index cannot be read.
    """

    def read(begin: int, end: int) -> bytes:
        return data[begin:end]

    index = Index(read)
    return {name: index.member(name, read) for name in index.names()}


@cache
def _codec() -> Any:
    import pyarrow as pa  # a tenth of a second, which commands without tables do not need

    return pa.Codec("zstd", _LEVEL)

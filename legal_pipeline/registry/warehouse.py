"""The warehouse: one file per asset and document, under an fsspec root.

A reader sees the old file or the new file, never a partial file. Not here: the content of the files (`model.tables`, `model.document`)
and the processing state (`registry.registry`).
"""

from __future__ import annotations

import contextlib
import os
import re
import uuid
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from legal_pipeline.errors import ConfigurationError, DocumentError
from legal_pipeline.model import identity
from legal_pipeline.model.identity import DOCUMENT_ID
from legal_pipeline.system.urls import render_url

if TYPE_CHECKING:
    import pyarrow as pa

Kind = Literal["parquet", "json", "raw"]

#: Allowed form of one element of an asset key; it becomes a folder.
_KEY_PART = re.compile(r"[a-z0-9][a-z0-9_.-]*")
_TEMPORARY = ".writing-"
#: Maximum bytes of a table that is compressed by snappy and read by one thread: zstd rebuilds its tables for each column, and threads are
#: started for each read. For a short Act's chunks both took longer than all the rest.
_SMALL_TABLE = 1 << 18
#: A file being written is younger than this; an older file was left by a killed process.
_LEFTOVER_SECONDS = 3600


class Warehouse:
    """Tables, JSON texts and raw bytes under `root` (a folder, or any fsspec URL: `s3://…`, `memory://…`)."""

    def __init__(self, root: str | Path) -> None:
        import fsspec

        self.root = str(root)
        try:
            self._files, path = fsspec.core.url_to_fs(self.root)
        except (ImportError, ValueError) as error:
            raise ConfigurationError(f"LEGAL_PIPELINE_WAREHOUSE={self.place}: {error}") from None
        self._path = str(path).rstrip("/")
        self._local = "file" in (
            self._files.protocol if isinstance(self._files.protocol, tuple) else (self._files.protocol,)
        )

    @property
    def place(self) -> str:
        """Return the root for messages: without a password."""
        return render_url(self.root) if "://" in self.root else self.root

    def write_table(self, asset: Sequence[str], document_id: str, table: pa.Table) -> None:
        """Write `table` as Parquet. Equal tables give equal bytes."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        buffer = pa.BufferOutputStream()
        pq.write_table(table, buffer, compression="zstd" if table.nbytes > _SMALL_TABLE else "snappy")
        self._write(self._file(asset, document_id, "parquet"), buffer.getvalue().to_pybytes())

    def read_table(self, asset: Sequence[str], document_id: str, columns: Sequence[str] | None = None) -> pa.Table:
        """Return the table. Raises `DocumentError` if it is missing or damaged."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        data = self.read_bytes(asset, document_id, "parquet")
        try:
            # not `pq.read_table`: it opens a data set with threads, which takes twice as long as reading a table of one file
            table = pq.ParquetFile(pa.BufferReader(data)).read(
                columns=None if columns is None else list(columns), use_threads=len(data) > _SMALL_TABLE
            )
        except (pa.ArrowInvalid, OSError) as error:  # OSError: unreadable pages, although the bytes are in memory
            raise DocumentError(f"{'/'.join(asset)} is damaged: {error}", document=document_id) from error
        if missing := set(columns or ()).difference(table.column_names):
            raise DocumentError(f"{'/'.join(asset)} has no columns {sorted(missing)}", document=document_id)
        return table

    def table_metadata(self, asset: Sequence[str], document_id: str) -> dict[bytes, bytes] | None:
        """Return the key-value metadata of a table's schema, read from the end of its file; None if there is no file."""
        import pyarrow.parquet as pq

        try:
            with self._files.open(self._file(asset, document_id, "parquet"), "rb") as stream:
                return dict(pq.read_schema(stream).metadata or {})
        except FileNotFoundError:
            return None

    def write_json(self, asset: Sequence[str], document_id: str, text: str) -> None:
        """Write JSON text unchanged."""
        self._write(self._file(asset, document_id, "json"), text.encode("utf-8"))

    def read_json(self, asset: Sequence[str], document_id: str) -> str:
        return self.read_bytes(asset, document_id, "json").decode("utf-8")

    def read_head(self, asset: Sequence[str], document_id: str, kind: Kind, length: int = 16_384) -> str | None:
        """Return the first `length` bytes as text; None if there is no file."""
        try:
            data = self._files.cat_file(self._file(asset, document_id, kind), start=0, end=length)
        except FileNotFoundError:
            return None
        return bytes(data).decode("utf-8", errors="ignore")

    def write_bytes(self, asset: Sequence[str], document_id: str, data: bytes) -> None:
        self._write(self._file(asset, document_id, "raw"), data)

    def read_bytes(self, asset: Sequence[str], document_id: str, kind: Kind = "raw") -> bytes:
        try:
            return bytes(self._files.cat_file(self._file(asset, document_id, kind)))
        except FileNotFoundError:
            raise DocumentError(f"{'/'.join(asset)} has not been made yet", document=document_id) from None

    def location(self, asset: Sequence[str], document_id: str, kind: Kind = "parquet") -> str:
        """Return the file's location, even if it does not exist: a path, or a URL if the root is a URL."""
        path = self._file(asset, document_id, kind)
        return path if self._local else str(self._files.unstrip_protocol(path))

    @property
    def is_local(self) -> bool:
        """Return whether the files have paths on this machine."""
        return self._local

    def exists(self, asset: Sequence[str], document_id: str, kind: Kind = "parquet") -> bool:
        return bool(self._files.isfile(self._file(asset, document_id, kind)))

    def delete(self, asset: Sequence[str], document_id: str, kind: Kind = "parquet") -> None:
        """Delete the file; no error if it does not exist."""
        with contextlib.suppress(FileNotFoundError):
            self._files.rm_file(self._file(asset, document_id, kind))

    def delete_folder(self, asset: Sequence[str]) -> None:
        """Delete the folder if it is empty; object stores have no folders."""
        with contextlib.suppress(OSError, NotImplementedError):
            self._files.rmdir(self._folder(asset))

    def documents(self, asset: Sequence[str], kind: Kind = "parquet") -> list[str]:
        """Return the ids of the documents that have a file of this asset, sorted."""
        ending = f".{kind}"
        names = (str(entry).rsplit("/", 1)[-1] for entry in self._list(self._folder(asset)))
        found = (name.removesuffix(ending) for name in names if name.endswith(ending))
        return sorted(name for name in found if DOCUMENT_ID.fullmatch(name))

    def file_versions(self, asset: Sequence[str], kind: Kind = "parquet") -> dict[str, str]:
        """Return document id -> version text of every document with a file of this asset; each write of the file changes the text.

        Needs one listing for any number of documents, and opens no file.
        """
        ending = f".{kind}"
        versions = self._local_versions(asset) if self._local else self._remote_versions(asset)
        named = ((name.removesuffix(ending), version) for name, version in versions if name.endswith(ending))
        return {name: version for name, version in named if DOCUMENT_ID.fullmatch(name)}

    def _local_versions(self, asset: Sequence[str]) -> Iterator[tuple[str, str]]:
        with contextlib.suppress(FileNotFoundError), os.scandir(self._folder(asset)) as entries:
            for entry in entries:
                with contextlib.suppress(FileNotFoundError):  # deleted meanwhile
                    told = entry.stat()
                    yield entry.name, f"{told.st_ino}-{told.st_mtime_ns}-{told.st_size}"

    def _remote_versions(self, asset: Sequence[str]) -> Iterator[tuple[str, str]]:
        for entry in self._list(self._folder(asset), detail=True):
            # file systems report different facts about a file: size and time, or also a checksum
            yield str(entry["name"]).rsplit("/", 1)[-1], identity.sha256_hex(repr(sorted(entry.items(), key=str)))

    def files(self) -> list[str]:
        """Return the paths of all files below the root, without files that are being written, sorted."""
        self._files.invalidate_cache()
        found = (str(path).removeprefix(f"{self._path}/") for path in self._files.find(self._path))
        return sorted(path for path in found if not path.rsplit("/", 1)[-1].startswith(_TEMPORARY))

    def read_file(self, path: str) -> bytes | None:
        """Return the content of a file of `files`; None if it was deleted meanwhile."""
        try:
            return bytes(self._files.cat_file(f"{self._path}/{path}"))
        except FileNotFoundError:
            return None

    def write_file(self, path: str, data: bytes) -> None:
        """Restore a file that `read_file` returned. Raises `ConfigurationError` for a path that leads out of the root."""
        parts = path.split("/")
        if any(part in ("", ".", "..") for part in parts) or "\\" in path:
            raise ConfigurationError(f"{path[:200]!r} is not the path of a file of a warehouse")
        self._write(f"{self._path}/{path}", data)

    def clean(self, asset: Sequence[str], *, older_than: float = _LEFTOVER_SECONDS) -> int:
        """Remove files of killed writers (with a temporary name, older than `older_than` seconds); return their number."""
        import time

        removed = 0
        for entry in self._list(self._folder(asset)) if self._local else ():
            path = Path(entry)
            with contextlib.suppress(FileNotFoundError):
                if path.name.startswith(_TEMPORARY) and time.time() - path.stat().st_mtime >= older_than:
                    path.unlink()
                    removed += 1
        return removed

    def _list(self, folder: str, *, detail: bool = False) -> list[Any]:
        self._files.invalidate_cache(folder)  # object stores' clients cache listings; other processes write too
        try:
            return list(self._files.ls(folder, detail=detail))
        except FileNotFoundError:
            return []

    def _folder(self, asset: Sequence[str]) -> str:
        if isinstance(asset, str) or not asset or not all(_KEY_PART.fullmatch(part) for part in asset):
            raise ValueError(f"{asset!r} is not an asset key: a sequence of [a-z0-9_.-] is needed")
        return "/".join((self._path, *asset))

    def _file(self, asset: Sequence[str], document_id: str, kind: Kind) -> str:
        if not DOCUMENT_ID.fullmatch(document_id) or len(document_id) > 200:
            raise DocumentError("is not a document id: [a-z0-9.-] is needed", document=repr(document_id)[:200])
        return f"{self._folder(asset)}/{document_id}.{kind}"

    def _write(self, file: str, data: bytes) -> None:
        if not self._local:
            self._files.pipe_file(file, data)  # one PUT: object stores show an object only when it is complete
            return
        path = Path(file)
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary = path.with_name(f"{_TEMPORARY}{uuid.uuid4().hex}")
        try:
            with temporary.open("xb") as stream:
                stream.write(data)
                stream.flush()
                os.fsync(stream.fileno())
            temporary.replace(path)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)  # the new name must also survive a power failure
        finally:
            os.close(folder)

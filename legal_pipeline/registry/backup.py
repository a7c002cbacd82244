"""Backup of data that cannot be made again without cost, in one file: the registry with its paid answers and manifests, and the warehouse.

Stores, exports and Dagster's history are rebuilt (`reconcile --repair`). The file is a tar archive: `backup.json` first, with the version,
then each file; a list of all checksums comes last, so that a truncated archive is never restored. Not here: copying the tables
(`registry.table_copies`).
"""

from __future__ import annotations

import hashlib
import io
import json
import tarfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any, cast

from legal_pipeline.errors import ConfigurationError
from legal_pipeline.registry import warehouse_migration
from legal_pipeline.registry.database import Database
from legal_pipeline.registry.files import replacing
from legal_pipeline.registry.migrations import VERSION as TABLES_VERSION
from legal_pipeline.registry.table_copies import copied_tables, put_back_tables, verify_empty
from legal_pipeline.registry.warehouse import Warehouse
from legal_pipeline.settings import Settings

#: Version of the archive format.
_FORMAT = 1
_HEAD, _SUMS = "backup.json", "checksums.json"
_TABLES, _WAREHOUSE = "tables/", "warehouse/"


@dataclass(frozen=True)
class BackedUp:
    """The content of an archive. `bytes`: the size of its files, unpacked."""

    documents: int
    files: int
    bytes: int
    made_at: str


def write_backup(settings: Settings, target: Path) -> BackedUp:
    """Write the archive completely or not at all; only its owner may read it, because it contains secrets of webhooks.

    The tables are from one moment. A document that is processed meanwhile may have later files: `reconcile` finds it after a restore.
    """
    _verify_replaceable(target)
    made_at = datetime.now(UTC).isoformat(timespec="seconds")
    sums: dict[str, str] = {}
    total = 0
    with Database.open(settings) as database, replacing(target, mode=0o600) as file:
        documents = database.row("select count(*) as documents from source_documents")["documents"]
        head = {"format": _FORMAT, "tables": TABLES_VERSION, "documents": documents, "made_at": made_at}
        with tarfile.open(fileobj=file, mode="w:gz", compresslevel=1) as archive:
            _add_bytes(archive, _HEAD, json.dumps(head).encode())
            for name, size, data in _contents(database, Warehouse(settings.warehouse_root), target.parent):
                sums[name] = _add(archive, name, size, data)
                total += size
            _add_bytes(archive, _SUMS, json.dumps(sums).encode())
    return BackedUp(documents, len(sums), total, made_at)


def _verify_replaceable(target: Path) -> None:
    """Raise `ConfigurationError` if `target` has content that is not a backup: somebody's document, named by mistake."""
    if not target.is_file() or target.stat().st_size == 0:
        return
    try:
        with tarfile.open(target, mode="r|gz") as archive:
            first = archive.next()
    except (tarfile.TarError, EOFError, OSError, zlib.error):
        first = None
    if first is None or first.name != _HEAD:
        raise ConfigurationError(f"{target} exists and is not a backup: name a new file, or an old backup to replace")


def _contents(database: Database, warehouse: Warehouse, folder: Path) -> Iterator[tuple[str, int, IO[bytes]]]:
    for table, size, rows in copied_tables(database, folder):
        yield f"{_TABLES}{table}", size, rows
    for path in warehouse.files():
        data = warehouse.read_file(path)
        if data is not None:
            yield f"{_WAREHOUSE}{path}", len(data), io.BytesIO(data)


def _add(archive: tarfile.TarFile, name: str, size: int, data: IO[bytes]) -> str:
    """Add a file and return its SHA-256."""
    entry = tarfile.TarInfo(name)
    entry.size, entry.mode = size, 0o600
    reader = _Hashing(data)
    archive.addfile(entry, cast("IO[bytes]", reader))
    return reader.sha256.hexdigest()


def _add_bytes(archive: tarfile.TarFile, name: str, data: bytes) -> None:
    _add(archive, name, len(data), io.BytesIO(data))


class _Hashing:
    """A file that hashes what is read from it, so that the checksum is that of the bytes in the archive."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self.sha256 = hashlib.sha256()

    def read(self, size: int = -1) -> bytes:
        data = self._file.read(size)
        self.sha256.update(data)
        return data


def restore_backup(settings: Settings, archive: Path) -> BackedUp:
    """Restore everything into an empty registry and an empty warehouse, after checking the whole archive.

    The files come before the tables: after a killed restore the registry is empty and the restore can be repeated. Raises
    `ConfigurationError` for an incomplete archive or one of other versions, and if there is data already.
    """
    head, sums, size = _verify(archive)
    warehouse = Warehouse(settings.warehouse_root)
    with Database.open(settings) as database:
        with database.connection() as connection:
            verify_empty(connection, database.place)
        foreign = set(warehouse.files()) - {name.removeprefix(_WAREHOUSE) for name in sums}
        if foreign:
            raise ConfigurationError(
                f"the warehouse at {warehouse.place} has files that are not of the backup: {min(foreign)}"
            )
        # the archive may be of a release with the earlier layout
        warehouse.write_file(warehouse_migration.MARK, b"restored\n")
        for name, data in _files(archive, _WAREHOUSE):
            warehouse.write_file(name, data.read())
        put_back_tables(database, _files(archive, _TABLES))
    return BackedUp(head["documents"], len(sums), size, head["made_at"])


def _verify(archive: Path) -> tuple[dict[str, Any], dict[str, str], int]:
    """Return (head, checksums, bytes) of an archive after checking that it can be read, is complete and of these versions."""
    try:
        head, sums, found, size = _summary(archive)
    except (tarfile.TarError, EOFError, OSError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or error
        raise ConfigurationError(f"{archive} cannot be read as a backup: {reason}") from error
    if not head or sums is None:
        raise ConfigurationError(f"{archive} is not a whole backup: it has no {_SUMS if head else _HEAD}")
    if wrong := sorted(name for name in {*found, *sums} if found.get(name) != sums.get(name)):
        raise ConfigurationError(f"{archive} is damaged: {wrong[0]} is not what was written")
    return head, sums, size


def _summary(archive: Path) -> tuple[dict[str, Any], dict[str, str] | None, dict[str, str], int]:
    """Return (head, checksums as written, checksums as read, bytes)."""
    head: dict[str, Any] = {}
    sums: dict[str, str] | None = None
    found: dict[str, str] = {}
    size = 0
    for name, length, data in _entries(archive):
        if name == _HEAD:
            head = _json(data.read(), archive)
            _verify_versions(head, archive)
        elif name == _SUMS:
            sums = _json(data.read(), archive)
        else:
            found[name] = hashlib.file_digest(data, "sha256").hexdigest()
            size += length
    return head, sums, found, size


def _verify_versions(head: dict[str, Any], archive: Path) -> None:
    for name, known in (("format", _FORMAT), ("tables", TABLES_VERSION)):
        if head.get(name) != known:
            raise ConfigurationError(
                f"{archive} is of version {head.get(name)} ({name}), this package knows {known}: restore it with the release that made "
                "it, and update then"
            )


def _files(archive: Path, folder: str) -> Iterator[tuple[str, IO[bytes]]]:
    """Yield (name below `folder`, file) of the files below it."""
    for name, _, data in _entries(archive):
        if name.startswith(folder):
            yield name.removeprefix(folder), data


def _entries(archive: Path) -> Iterator[tuple[str, int, io.BufferedReader]]:
    """Yield (name, bytes, file) of its files in their order; each is read before the next one is asked for."""
    with tarfile.open(archive, mode="r|gz") as opened:
        for entry in opened:
            data = cast("io.BufferedReader | None", opened.extractfile(entry)) if entry.isfile() else None
            if data is None:
                raise ConfigurationError(f"{archive} is not a backup: {entry.name[:200]!r} is not a plain file")
            yield entry.name, entry.size, data


def _json(data: bytes, archive: Path) -> dict[str, Any]:
    try:
        value = json.loads(data)
    except ValueError:
        value = None
    if not isinstance(value, dict):
        raise ConfigurationError(f"{archive} is not a backup: its list is not JSON")
    return value

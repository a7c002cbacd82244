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
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from legal_pipeline.errors import ConfigurationError
from legal_pipeline.registry import warehouse_migration
from legal_pipeline.registry.database import Database
from legal_pipeline.registry.files import replacing
from legal_pipeline.registry.migrations import VERSION as TABLES_VERSION
from legal_pipeline.registry.table_copies import copy_tables, put_back_tables
from legal_pipeline.registry.warehouse import Warehouse
from legal_pipeline.settings import Settings

#: Version of the archive format.
_FORMAT = 1
_HEAD, _SUMS = "backup.json", "checksums.json"
_TABLES, _WAREHOUSE = "tables/", "warehouse/"

#: Maximum bytes of a file in the archive; an entry of the checksum list has about 200.
_MOST_LISTED = 4_000_000_000


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
    made_at = datetime.now(UTC).isoformat(timespec="seconds")
    sums: dict[str, str] = {}
    size = 0
    with Database.open(settings) as database, replacing(target, mode=0o600) as file:
        tables = copy_tables(database)
        documents = max(0, tables["source_documents"].count(b"\n") - 1)
        head = {"format": _FORMAT, "tables": TABLES_VERSION, "documents": documents, "made_at": made_at}
        with tarfile.open(fileobj=file, mode="w:gz", compresslevel=1) as archive:
            _add(archive, _HEAD, json.dumps(head).encode())
            for name, data in _contents(tables, Warehouse(settings.warehouse_root)):
                _add(archive, name, data)
                sums[name] = hashlib.sha256(data).hexdigest()
                size += len(data)
            _add(archive, _SUMS, json.dumps(sums).encode())
    return BackedUp(documents, len(sums), size, made_at)


def _contents(tables: dict[str, bytes], warehouse: Warehouse) -> Iterator[tuple[str, bytes]]:
    yield from ((f"{_TABLES}{name}", data) for name, data in tables.items())
    for path in warehouse.files():
        data = warehouse.read_file(path)
        if data is not None:
            yield f"{_WAREHOUSE}{path}", data


def _add(archive: tarfile.TarFile, name: str, data: bytes) -> None:
    entry = tarfile.TarInfo(name)
    entry.size, entry.mode = len(data), 0o600
    archive.addfile(entry, io.BytesIO(data))


def restore_backup(settings: Settings, archive: Path) -> BackedUp:
    """Restore everything into an empty registry and an empty warehouse, after checking the whole archive.

    The files come before the tables: after a killed restore the registry is empty and the restore can be repeated. Raises
    `ConfigurationError` for an incomplete archive or one of other versions, and if there is data already.
    """
    head, sums, size = _verify(archive)
    warehouse = Warehouse(settings.warehouse_root)
    with Database.open(settings) as database:
        _verify_empty(database)
        foreign = set(warehouse.files()) - {name.removeprefix(_WAREHOUSE) for name in sums}
        if foreign:
            raise ConfigurationError(
                f"the warehouse at {warehouse.place} has files that are not of the backup: {min(foreign)}"
            )
        tables: dict[str, bytes] = {}
        warehouse.write_file(
            warehouse_migration.MARK, b"restored\n"
        )  # the archive may be of a release with the earlier layout
        for name, data in _entries(archive):
            if name.startswith(_TABLES):
                tables[name.removeprefix(_TABLES)] = data
            elif name.startswith(_WAREHOUSE):
                warehouse.write_file(name.removeprefix(_WAREHOUSE), data)
        put_back_tables(database, tables)
    return BackedUp(head["documents"], len(sums), size, head["made_at"])


def _verify_empty(database: Database) -> None:
    with database.connection() as connection:
        if connection.execute("select 1 from source_documents limit 1").fetchone() is not None:
            raise ConfigurationError(
                f"the registry at {database.place} has documents already: a backup is restored to an empty one"
            )


def _verify(archive: Path) -> tuple[dict[str, Any], dict[str, str], int]:
    """Return (head, checksums, bytes) of an archive after checking that it is complete and of these versions."""
    head: dict[str, Any] = {}
    sums: dict[str, str] | None = None
    found: dict[str, str] = {}
    size = 0
    for name, data in _entries(archive):
        if name == _HEAD:
            head = _json(data, archive)
            _verify_versions(head, archive)
        elif name == _SUMS:
            sums = _json(data, archive)
        else:
            found[name] = hashlib.sha256(data).hexdigest()
            size += len(data)
    if not head or sums is None:
        raise ConfigurationError(f"{archive} is not a whole backup: it has no {_SUMS if head else _HEAD}")
    if wrong := sorted(name for name in {*found, *sums} if found.get(name) != sums.get(name)):
        raise ConfigurationError(f"{archive} is damaged: {wrong[0]} is not what was written")
    return head, sums, size


def _verify_versions(head: dict[str, Any], archive: Path) -> None:
    for name, known in (("format", _FORMAT), ("tables", TABLES_VERSION)):
        if head.get(name) != known:
            raise ConfigurationError(
                f"{archive} is of version {head.get(name)} ({name}), this package knows {known}: restore it with the release that made "
                "it, and update then"
            )


def _entries(archive: Path) -> Iterator[tuple[str, bytes]]:
    """Yield (name, bytes) of its files in their order. Raises `ConfigurationError` if the archive cannot be read."""
    try:
        with tarfile.open(archive, mode="r|gz") as opened:
            for entry in opened:
                data = opened.extractfile(entry) if entry.isfile() and entry.size < _MOST_LISTED else None
                if data is None:
                    raise ConfigurationError(f"{archive} is not a backup: {entry.name[:200]!r} is not a plain file")
                yield entry.name, data.read()
    except (tarfile.TarError, EOFError, OSError) as error:
        raise ConfigurationError(f"{archive} cannot be read as a backup: {error}") from error


def _json(data: bytes, archive: Path) -> dict[str, Any]:
    try:
        value = json.loads(data)
    except ValueError:
        value = None
    if not isinstance(value, dict):
        raise ConfigurationError(f"{archive} is not a backup: its list is not JSON")
    return value

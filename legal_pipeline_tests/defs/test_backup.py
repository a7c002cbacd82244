"""The restore drill: a home is lost, put back from one file and reconciled, and nothing is paid for twice. And files that are no backup."""

from __future__ import annotations

import gzip
import io
import json
import os
import tarfile
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import psycopg
import pytest
from pydantic import SecretStr

from legal_pipeline.defs.launch import dagster_instance, embedded_services, ingest_source
from legal_pipeline.defs.repair import reconcile_documents
from legal_pipeline.errors import ConfigurationError
from legal_pipeline.pipeline import Pipeline
from legal_pipeline.registry.backup import restore_backup, write_backup
from legal_pipeline.registry.database import Database
from legal_pipeline.registry.registry import RegisteredItem, Registry
from legal_pipeline.registry.table_copies import TABLES
from legal_pipeline.registry.warehouse import Warehouse
from legal_pipeline.registry.warehouse_migration import LAYOUT, MARK
from legal_pipeline.settings import Settings
from legal_pipeline.sources.directory import DirectorySource
from legal_pipeline_tests.conftest import NewDatabase
from legal_pipeline_tests.defs.test_runs import Log
from legal_pipeline_tests.enrichment.anthropic_server import KEY, AnthropicServer
from legal_pipeline_tests.small_laws import write_law


@pytest.fixture
def elsewhere(settings: Settings, new_database: NewDatabase, tmp_path: Path) -> Settings:
    """A new home and an empty database."""
    return settings.model_copy(update={"home": tmp_path / "new", "database_url": SecretStr(new_database())})


def found(settings: Settings) -> list[tuple[str, str]]:
    with Pipeline.open(settings) as pipeline:
        return [(hit.chunk_id, hit.snippet) for hit in pipeline.search("hålla vägen framkomlig", limit=5)]


@pytest.mark.slow
def test_a_lost_home_is_restored_and_nothing_is_paid_for_twice(
    make_settings: Callable[..., Settings], new_database: NewDatabase, folder: Path, tmp_path: Path
) -> None:
    archive = tmp_path / "backup.tar.gz"
    with AnthropicServer() as server:
        claude = {"anthropic_api_key": SecretStr(KEY), "anthropic_base_url": server.url, "enrich": None}
        lost = make_settings(**claude)
        for number in (1, 2):
            write_law(folder, number)
        ingest_source(lost, DirectorySource(folder), report=Log())
        before, paid = found(lost), len(server.received)
        assert before
        assert paid
        assert write_backup(lost, archive).documents == 2
        assert archive.stat().st_mode & 0o777 == 0o600
        new = lost.model_copy(update={"home": tmp_path / "new", "database_url": SecretStr(new_database())})
        restore_backup(new, archive)
        with embedded_services(new), dagster_instance(new):
            pass  # its tables are made anew
        log = Log()
        _, after = reconcile_documents(new, repair=True, report=log)
        assert after is not None
        assert (after.is_clean, log.failed) == (True, set())
        assert found(new) == before
        ingest_source(new, DirectorySource(folder), report=Log())
        write_law(folder, 2, addition="Föreningen får ta ut avgift.\n")
        assert len(server.received) == paid
        ingest_source(new, DirectorySource(folder), report=Log())
        assert found(new)


def small(settings: Settings) -> None:
    """A registry with a row and a warehouse with a file."""
    with Database.open(settings) as database:
        Registry(database).register(
            RegisteredItem("directory", "/a\tb\\c.txt", "se-sfs-2099-1", sha256="1", hints={"x": "å\n"})
        )
    Warehouse(settings.warehouse_root).write_json(("expressions", "se-sfs-2099-1"), "0a", "{}")


def test_every_table_of_the_registry_is_in_a_backup(database: Database) -> None:
    with database.connection() as connection:
        rows = connection.execute("select tablename from pg_tables where schemaname = 'public'").fetchall()
    own = {row["tablename"] for row in rows} - {
        "legal_pipeline_version",
        "llm_spending",
        "practice_area_states",
        "chunk_sketches",
        "chunk_repeats",
        "publications",
    }
    assert {name for name in own if not _is_of_dagster(name)} == set(TABLES)


def _is_of_dagster(name: str) -> bool:
    from dagster._core.storage.event_log.schema import SqlEventLogStorageMetadata
    from dagster._core.storage.runs.schema import RunStorageSqlMetadata
    from dagster._core.storage.schedules.schema import ScheduleStorageSqlMetadata

    known = (SqlEventLogStorageMetadata, RunStorageSqlMetadata, ScheduleStorageSqlMetadata)
    return name == "alembic_version" or any(name in metadata.tables for metadata in known)


def test_tables_and_files_come_back_as_they_were(settings: Settings, elsewhere: Settings, tmp_path: Path) -> None:
    small(settings)
    write_backup(settings, tmp_path / "a.tar.gz")
    restore_backup(elsewhere, tmp_path / "a.tar.gz")
    with Database.open(settings) as one, Database.open(elsewhere) as other:
        assert Registry(one).document("se-sfs-2099-1") == Registry(other).document("se-sfs-2099-1")
        assert Registry(one).items("directory") == Registry(other).items("directory")
    assert Warehouse(elsewhere.warehouse_root).read_json(("expressions", "se-sfs-2099-1"), "0a") == "{}"
    with pytest.raises(ConfigurationError, match="empty"):
        restore_backup(elsewhere, tmp_path / "a.tar.gz")


def test_a_large_table_is_not_held_in_memory(settings: Settings, elsewhere: Settings, tmp_path: Path) -> None:
    small(settings)
    rows = 40_000  # of a kilobyte
    with Database.open(settings) as database, database.connection() as connection:
        connection.execute(
            "insert into chunk_aliases select n::text, repeat('x', 1000) from generate_series(1, %s) n", (rows,)
        )
        connection.commit()
    path = tmp_path / "a.tar.gz"
    tracemalloc.start()
    try:
        write_backup(settings, path)
        restore_backup(elsewhere, path)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < rows * 1000 / 2
    with Database.open(elsewhere) as database, database.connection() as connection:
        found = connection.execute("select count(*) as n, sum(length(chunk_id)) as size from chunk_aliases").fetchone()
    assert found == {"n": rows, "size": rows * 1000}


def test_a_backup_of_a_release_with_a_file_per_asset_is_restored(
    settings: Settings, elsewhere: Settings, tmp_path: Path
) -> None:
    small(settings)
    Warehouse(settings.warehouse_root).write_file("provision_versions/se-sfs-2099-1.json", b"{}")
    write_backup(settings, tmp_path / "a.tar.gz")
    Warehouse(elsewhere.warehouse_root).write_file(MARK, LAYOUT)  # what was there before is gone
    restore_backup(elsewhere, tmp_path / "a.tar.gz")
    with Pipeline.open(elsewhere) as pipeline:
        assert pipeline.warehouse.read_json(("provision_versions",), "se-sfs-2099-1") == "{}"


def _repacked(data: bytes, change: Callable[[str, bytes], bytes | None]) -> bytes:
    target = io.BytesIO()
    with tarfile.open(fileobj=io.BytesIO(data)) as old, tarfile.open(fileobj=target, mode="w:gz") as new:
        for entry in old:
            opened = old.extractfile(entry)
            assert opened is not None
            kept = change(entry.name, opened.read())
            if kept is not None:
                entry.size = len(kept)
                new.addfile(entry, io.BytesIO(kept))
    return target.getvalue()


def _newer(name: str, data: bytes) -> bytes:
    return json.dumps({**json.loads(data), "tables": "9999"}).encode() if name == "backup.json" else data


@pytest.mark.parametrize(
    ("damage", "told"),
    [
        (lambda data: data[: len(data) // 2], "cannot be read|not a whole|damaged"),
        (lambda data: _repacked(data, lambda name, one: one + b"x" if "source_items" in name else one), "source_items"),
        (lambda data: _repacked(data, lambda name, one: None if "expressions" in name else one), "damaged"),
        (
            lambda data: _repacked(data, lambda name, one: None if name == "checksums.json" else one),
            "not a whole backup",
        ),
        (lambda data: _repacked(data, _newer), "9999"),
        (lambda _: b"nothing", "cannot be read"),
        (lambda _: gzip.compress(os.urandom(2000)), "cannot be read"),
    ],
    ids=["cut short", "other bytes", "a file is missing", "no checksums", "later version", "no archive", "noise"],
)
def test_what_is_not_a_whole_backup_changes_nothing(
    settings: Settings, elsewhere: Settings, tmp_path: Path, damage: Callable[[bytes], bytes], told: str
) -> None:
    small(settings)
    path = tmp_path / "a.tar.gz"
    write_backup(settings, path)
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(ConfigurationError, match=told):
        restore_backup(elsewhere, path)
    with Database.open(elsewhere) as database:
        assert Registry(database).documents() == []
    assert Warehouse(elsewhere.warehouse_root).files() == []


def test_a_restore_that_was_killed_is_made_again(
    settings: Settings, elsewhere: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small(settings)
    path = tmp_path / "a.tar.gz"
    write_backup(settings, path)
    with monkeypatch.context() as patch:
        patch.setattr(psycopg.Copy, "write", _killed)
        with pytest.raises(KeyboardInterrupt):
            restore_backup(elsewhere, path)
    assert restore_backup(elsewhere, path).documents == 1


def test_files_that_are_not_of_the_backup_are_not_mixed_with_it(
    settings: Settings, elsewhere: Settings, tmp_path: Path
) -> None:
    small(settings)
    write_backup(settings, tmp_path / "a.tar.gz")
    Warehouse(elsewhere.warehouse_root).write_json(("expressions", "se-sfs-2099-2"), "0b", "{}")
    with pytest.raises(ConfigurationError, match="0b"):
        restore_backup(elsewhere, tmp_path / "a.tar.gz")


def _killed(*_: object) -> None:
    raise KeyboardInterrupt

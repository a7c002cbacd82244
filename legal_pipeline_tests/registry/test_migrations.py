"""Migrations: run once, adopt what is there, and never keep readers waiting. Every database is a real one."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psycopg
import pytest
from pydantic import SecretStr

from legal_pipeline.errors import ConfigurationError
from legal_pipeline.registry.database import Database
from legal_pipeline.settings import Settings
from legal_pipeline_tests.conftest import NewDatabase

#: The tables as a release without migrations made them, with a row in them.
_OLD = """
create table source_documents (
    id uuid not null unique default gen_random_uuid(), filename text not null default '',
    source_type text not null generated always as (doc_type) stored, file_path text, total_chunks integer not null default 0,
    processed_at timestamptz, processing_status text not null default 'pending', metadata jsonb not null default '{}',
    created_at timestamptz not null default now(), document_id text primary key, work_uri text, title text, jurisdiction text,
    doc_type text not null default 'other', source_sha256 text not null default '', text_hash text,
    revision integer not null default 1, attempt integer not null default 0, last_error text, tombstoned_at timestamptz,
    updated_at timestamptz not null default now());
insert into source_documents (document_id, title) values ('se-sfs-1999-1', 'Lag om fyrar');
"""


@pytest.fixture
def settings(settings: Settings, new_database: NewDatabase) -> Settings:
    """Settings of a database without tables."""
    return settings.model_copy(update={"database_url": SecretStr(new_database("template1"))})


@pytest.fixture
def locked(settings: Settings) -> Iterator[psycopg.Connection[tuple[object, ...]]]:
    """A transaction that has read the registry's tables and stays open."""
    Database.open(settings).close()
    with psycopg.connect(settings.database_url_text) as connection:
        connection.execute("select count(*) from source_documents, source_items, published_manifest")
        yield connection


def open_in_a_thread(settings: Settings) -> threading.Thread:
    thread = threading.Thread(target=lambda: Database.open(settings).close(), daemon=True)
    thread.start()
    return thread


def test_opening_does_not_wait_for_a_transaction_that_reads(
    settings: Settings, locked: psycopg.Connection[tuple[object, ...]]
) -> None:
    opening = open_in_a_thread(settings)
    opening.join(20)
    assert not opening.is_alive()


def test_opening_takes_no_lock_that_a_reader_would_wait_for(settings: Settings) -> None:
    Database.open(settings).close()
    with psycopg.connect(settings.database_url_text) as connection:
        connection.execute(
            "lock table source_documents, source_items in share mode"
        )  # allows readers, refuses all others
        opening = open_in_a_thread(settings)
        opening.join(20)
        assert not opening.is_alive()


def test_opening_a_database_of_the_present_version_makes_one_statement(settings: Settings, tmp_path: Path) -> None:
    """And does not import Alembic for it."""
    Database.open(settings).close()
    code = (
        "import sys; from legal_pipeline.registry.database import Database; from legal_pipeline.settings import load_settings\n"
        "import psycopg; statements = []; execute = psycopg.Cursor.execute\n"
        "def counted(self, *args, **kwargs):\n    statements.append(args[0]); return execute(self, *args, **kwargs)\n"
        "psycopg.Cursor.execute = counted\n"
        "Database.open(load_settings(home=sys.argv[1], database_url=sys.argv[2])).close()\n"
        "print(len(statements), 'alembic' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path), settings.database_url_text],
        capture_output=True, text=True, timeout=120, check=True,
    )  # fmt: skip
    assert done.stdout.split() == ["1", "False"]


def test_many_processes_that_open_an_empty_database_at_once_make_its_tables_once(settings: Settings) -> None:
    with ThreadPoolExecutor(6) as threads:
        for database in threads.map(lambda _: Database.open(settings), range(6)):
            database.close()
    with psycopg.connect(settings.database_url_text) as connection:
        assert connection.execute("select count(*) from legal_pipeline_version").fetchone() == (1,)


def test_tables_of_an_earlier_release_are_adopted_with_their_rows(settings: Settings) -> None:
    with psycopg.connect(settings.database_url_text, autocommit=True) as connection:
        connection.execute(_OLD)
    with Database.open(settings) as database, database.connection() as connection:
        row = connection.execute("select title, made, text_changed_at from source_documents").fetchone()
    assert row == {"title": "Lag om fyrar", "made": [], "text_changed_at": None}


def test_tables_that_are_complete_are_adopted_without_a_lock_on_them(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As the last release without migrations left them: the same tables, and no version."""
    from legal_pipeline.registry import migrations

    Database.open(settings).close()
    url = settings.database_url_text
    with psycopg.connect(url) as connection:
        connection.execute("drop table legal_pipeline_version")
        connection.execute("insert into source_documents (document_id) values ('se-sfs-1999-1')")
        connection.commit()
        connection.execute("select count(*) from source_documents, source_items, published_manifest")
        monkeypatch.setattr(migrations, "VERSION", "0001")
        migrations.migrate(url, place="here", extension=False, max_wait=0)
        assert migrations.read_version(url) == "0001"
        assert connection.execute("select document_id from source_documents").fetchall() == [("se-sfs-1999-1",)]


def test_a_migration_that_must_wait_lets_readers_pass_and_says_what_is_in_the_way(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    from legal_pipeline.registry import migrations

    monkeypatch.setattr(migrations, "LOCK_TIMEOUT_SECONDS", 0.3)
    with psycopg.connect(settings.database_url_text, autocommit=True) as connection:
        connection.execute(_OLD)
    with psycopg.connect(settings.database_url_text) as reader:
        reader.execute("select count(*) from source_documents")
        with pytest.raises(ConfigurationError, match="another transaction has held one of them for 1 seconds"):
            migrations.migrate(settings.database_url_text, place="here", extension=False, max_wait=1)
        migrating = open_in_a_thread(settings)
        for _ in range(20):
            with psycopg.connect(settings.database_url_text) as other:
                other.execute("set statement_timeout = '10s'")
                assert other.execute("select count(*) from source_documents").fetchone() == (1,)
    migrating.join(60)
    assert not migrating.is_alive()


def test_tables_of_a_later_version_are_refused(settings: Settings) -> None:
    Database.open(settings).close()
    with psycopg.connect(settings.database_url_text) as connection:
        connection.execute("update legal_pipeline_version set version_num = '9999'")
    with pytest.raises(ConfigurationError, match="of version 9999, this package knows"):
        Database.open(settings)


def test_the_version_is_that_of_the_last_migration() -> None:
    from alembic.config import Config
    from alembic.script import ScriptDirectory

    from legal_pipeline.registry import migrations

    config = Config()
    config.set_main_option("script_location", str(Path(migrations.__file__).parent))
    assert ScriptDirectory.from_config(config).get_heads() == [migrations.VERSION]


def test_status_answers_beside_an_open_transaction_and_keeps_no_reader_waiting(
    tmp_path: Path, settings: Settings
) -> None:
    Database.open(settings).close()
    environment = {
        "LEGAL_PIPELINE_DATABASE_URL": settings.database_url_text,
        "LEGAL_PIPELINE_HOME": str(tmp_path / "h"),
    }
    with psycopg.connect(settings.database_url_text) as connection:
        connection.execute("select count(*) from source_documents, source_items, published_manifest")
        done = subprocess.run(
            [sys.executable, "-m", "legal_pipeline.cli.app", "status", "--json"],
            env={**os.environ, **environment}, capture_output=True, text=True, timeout=120,
        )  # fmt: skip
    assert done.returncode == 0, done.stderr

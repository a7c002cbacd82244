"""Settings of a folder of laws, and a Dagster instance on the real PostgreSQL."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest
from dagster import DagsterInstance

from legal_pipeline.defs.launch import dagster_instance, embedded_services
from legal_pipeline.registry.embedded_postgres import EmbeddedPostgres
from legal_pipeline.settings import Settings, load_settings
from legal_pipeline_tests.conftest import database_url


@pytest.fixture(scope="session")
def template(postgres: EmbeddedPostgres, template: str, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The template of all tests with Dagster's tables added, which take longer to make than most tests of this folder."""
    name = "template_with_dagster"
    with psycopg.connect(postgres.url, autocommit=True) as connection:
        connection.execute(f"create database {name} template {template}".encode())
    settings = load_settings(
        home=tmp_path_factory.mktemp("template"), database_url=database_url(postgres, name), _env_file=None
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("DAGSTER_HOME", raising=False)
        with embedded_services(settings), dagster_instance(settings):
            pass  # opening it makes the tables
    return name


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "lagar"
    path.mkdir()
    return path


@pytest.fixture
def make_settings(settings: Settings, folder: Path) -> Callable[..., Settings]:
    """The test's settings, with changes; summaries are made, so that the stage has work."""

    def make(**changes: object) -> Settings:
        plain = {"source_directory": folder, "removal_grace_seconds": 0, "enrich": "summaries"}
        return settings.model_copy(update={**plain, **changes})

    return make


@pytest.fixture
def instance(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[DagsterInstance]:
    monkeypatch.delenv("DAGSTER_HOME", raising=False)
    with embedded_services(settings), dagster_instance(settings) as opened:
        yield opened

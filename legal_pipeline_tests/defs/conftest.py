"""Settings of a folder of laws, and a Dagster instance on the real PostgreSQL."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from dagster import DagsterInstance

from legal_pipeline.defs.launch import dagster_instance, embedded_services
from legal_pipeline.settings import Settings


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

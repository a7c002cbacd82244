"""The resource `pipeline`: settings of its own over those of the process."""

from __future__ import annotations

from pathlib import Path

import pytest
from dagster import materialize

from legal_pipeline.defs.corpus_assets import chunks_jsonl
from legal_pipeline.defs.resources import PipelineResource
from legal_pipeline.errors import ConfigurationError
from legal_pipeline.settings import Settings


def test_overrides_go_before_the_settings_of_the_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LEGAL_PIPELINE_ASSET_OWNER", "team:law")
    settings = PipelineResource(overrides={"home": str(tmp_path)}).settings
    assert (settings.home, settings.asset_owner) == (tmp_path, "team:law")


def test_a_secret_or_an_unknown_name_is_no_override() -> None:
    with pytest.raises(ConfigurationError, match=r"database_url is a secret.*LEGAL_PIPELINE_DATABASE_URL"):
        _ = PipelineResource(overrides={"database_url": "postgresql://u:p@h/d"}).settings
    with pytest.raises(ConfigurationError, match="hom is not a setting"):
        _ = PipelineResource(overrides={"hom": "x"}).settings


def test_what_dagster_stores_of_a_run_holds_no_setting_that_was_given_loaded(settings: Settings, instance) -> None:
    settings = settings.model_copy(update={"asset_owner": "team:kept-to-itself"})
    result = materialize([chunks_jsonl], resources={"pipeline": PipelineResource(loaded=settings)}, instance=instance)
    run = instance.get_run_by_id(result.run_id)
    assert "kept-to-itself" not in str(run.run_config) + str(instance.get_job_snapshot(run.job_snapshot_id))

"""`legal-pipeline partitioning`: a switch, and what refuses until the setting agrees."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path

import pytest

from legal_pipeline.pipeline import Failed, Pipeline
from legal_pipeline.registration import register
from legal_pipeline.settings import Settings
from legal_pipeline.sources.directory import DirectorySource
from legal_pipeline_tests.cli.commands import command_here
from legal_pipeline_tests.small_laws import write_law


@pytest.mark.slow
def test_a_switch_says_what_it_did_and_commands_refuse_until_the_setting_agrees(
    settings: Settings, tmp_path: Path
) -> None:
    environment = {"LEGAL_PIPELINE_DATABASE_URL": settings.database_url_text, "LEGAL_PIPELINE_ENRICH": "none"}
    write_law(tmp_path / "laws", 1)
    with Pipeline.open(settings.model_copy(update={"enrich": "none"})) as pipeline:
        new = register(DirectorySource(tmp_path / "laws"), pipeline.registry, grace=timedelta(0)).new
        assert not [event for event in pipeline.run(new) if isinstance(event, Failed)]
    switched = command_here("partitioning", "buckets", "--json", home=settings.home, **environment)
    assert switched.returncode == 0, switched.stderr
    said = json.loads(switched.stdout)
    assert (said["before"], said["added"], said["removed"], said["failed"]) == ("documents", 1, 0, 0)
    assert said["events"] > 10
    refused = command_here("ingest", tmp_path / "laws", home=settings.home, **environment)
    assert refused.returncode == 2
    assert b"the partitions of this home are buckets (1,024 per source), but the settings" in refused.stderr
    wrong = command_here("partitioning", "bucket", home=settings.home, **environment)
    assert wrong.returncode == 2
    assert b"is none of documents, buckets" in wrong.stderr

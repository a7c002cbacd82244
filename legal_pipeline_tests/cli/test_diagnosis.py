"""`doctor`: settings that are wrong are findings, and commands that would use them refuse them first."""

from __future__ import annotations

from pathlib import Path

import pytest

from legal_pipeline.cli.diagnosis import diagnose
from legal_pipeline.cli.dry_run import dry_run
from legal_pipeline.defs.launch import serve
from legal_pipeline.errors import ConfigurationError
from legal_pipeline.pipeline import Pipeline
from legal_pipeline.settings import Settings, load_settings
from legal_pipeline.sources.directory import DirectorySource


@pytest.mark.parametrize(
    ("part", "field", "value", "expected"),
    [
        ("settings", "forced_strategy", "nonsense", "LEGAL_PIPELINE_FORCED_STRATEGY: strategy 'nonsense' is not known"),
        ("embedding model", "embedding_device", "cuda:7", "LEGAL_PIPELINE_EMBEDDING_DEVICE: torch finds no device cuda:7"),
        ("source ecfr", "ecfr_parts", "eight", "LEGAL_PIPELINE_ECFR_PARTS: 'eight': expected title/part"),
        ("source eurlex", "eurlex_acts", "GDPR", "LEGAL_PIPELINE_EURLEX_ACTS: 'GDPR': expected CELEX"),
        ("source laws_africa", "laws_africa_places", "zw", "LEGAL_PIPELINE_LAWS_AFRICA_TOKEN is not set"),
        ("source docs_jsonl", "docs_jsonl", Path("/missing/docs.jsonl"), "/missing/docs.jsonl cannot be listed"),
        ("source directory", "source_directory", Path("/missing/laws"), "/missing/laws is not a folder"),
    ],
)  # fmt: skip
def test_a_wrong_setting_is_a_finding(settings: Settings, part: str, field: str, value: object, expected: str) -> None:
    wrong = load_settings(**settings.model_dump(exclude_unset=True) | {field: value})
    (found,) = [finding for finding in diagnose(wrong) if finding.part == part]
    assert not found.ok
    assert expected in found.detail


def test_an_unknown_strategy_is_refused_before_anything_runs(settings: Settings, tmp_path: Path) -> None:
    wrong = settings.model_copy(update={"forced_strategy": "nonsense"})
    refused = "LEGAL_PIPELINE_FORCED_STRATEGY: strategy 'nonsense' is not known; known are .*paragraf"
    with pytest.raises(ConfigurationError, match=refused):
        Pipeline.open(wrong)
    with pytest.raises(ConfigurationError, match=refused):
        serve(wrong)
    with pytest.raises(ConfigurationError, match=refused):
        dry_run(wrong, DirectorySource(tmp_path))

"""`doctor`: settings that are wrong are findings, and commands that would use them refuse them first."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from legal_pipeline.cli.diagnosis import diagnose
from legal_pipeline.cli.dry_run import dry_run
from legal_pipeline.cli.presentation import print_diagnosis
from legal_pipeline.defs.launch import serve
from legal_pipeline.errors import ConfigurationError
from legal_pipeline.pipeline import Pipeline
from legal_pipeline.registration import register
from legal_pipeline.settings import Settings, load_settings
from legal_pipeline.sources.directory import DirectorySource
from legal_pipeline.stages import canonical_documents, raw_documents
from legal_pipeline_tests.small_laws import write_law


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


def test_a_model_for_english_is_a_warning_and_no_error_where_it_embeds_other_languages(
    settings: Settings, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "laws"

    def poll(times: int = 1) -> None:
        with Pipeline.open(settings) as pipeline:
            for _ in range(times):
                found = register(DirectorySource(folder), pipeline.registry, grace=timedelta())
            list(pipeline.run(found.to_run, [raw_documents.KEY, canonical_documents.KEY]))

    def told(model: str) -> str:
        chosen = settings.model_copy(update={"embedding_model": model})
        (found,) = [finding for finding in diagnose(chosen) if finding.part == "embedding model"]
        assert found.ok
        print_diagnosis([found], as_json=False)
        assert ("warning" in capsys.readouterr().out) == bool(found.warning)
        return found.warning

    default = "eng=all-MiniLM-L6-v2,*=multilingual-e5-small"
    assert told(default) == ""
    advice = (
        f": for law in other languages name a model that reads them, such as LEGAL_PIPELINE_EMBEDDING_MODEL='{default}'"
    )
    assert told("all-MiniLM-L6-v2") == f"all-MiniLM-L6-v2 is for English only{advice}"
    assert told("multilingual-e5-small") == ""
    swedish = write_law(folder, 1)
    act = "# Lantern Act, 2097\n\n## Section 1\n\nThe keeper shall light the lantern every evening.\n"
    (folder / "act.md").write_text(act)
    poll()
    assert told(default) == ""
    assert told("all-MiniLM-L6-v2").startswith(
        "all-MiniLM-L6-v2 is for English only, and it embeds Swedish (1 document): "
    )
    assert "it embeds Swedish" in told("swe=all-MiniLM-L6-v2,*=multilingual-e5-small")
    swedish.unlink()
    poll(times=2)
    assert told("all-MiniLM-L6-v2") == ""


def test_an_unknown_strategy_is_refused_before_anything_runs(settings: Settings, tmp_path: Path) -> None:
    wrong = settings.model_copy(update={"forced_strategy": "nonsense"})
    refused = "LEGAL_PIPELINE_FORCED_STRATEGY: strategy 'nonsense' is not known; known are .*paragraf"
    with pytest.raises(ConfigurationError, match=refused):
        Pipeline.open(wrong)
    with pytest.raises(ConfigurationError, match=refused):
        serve(wrong)
    with pytest.raises(ConfigurationError, match=refused):
        dry_run(wrong, DirectorySource(tmp_path))

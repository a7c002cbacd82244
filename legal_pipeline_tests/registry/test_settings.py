"""Settings: where they come from, and what is said when one is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from legal_pipeline.errors import ConfigurationError
from legal_pipeline.settings import Settings, load_settings


@pytest.fixture(autouse=True)
def empty_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import os

    for name in list(os.environ):
        if name.startswith(("LEGAL_PIPELINE_", "QDRANT_", "ANTHROPIC_")):
            monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)


def test_the_environment_wins_over_the_file_and_an_argument_over_both(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".env").write_text(
        "LEGAL_PIPELINE_MAX_DEPTH=5\nLEGAL_PIPELINE_PARTITIONS_PER_RUN=7\nQDRANT_URL=http://q:6333\n"
    )
    monkeypatch.setenv("LEGAL_PIPELINE_MAX_DEPTH", "6")
    settings = load_settings()
    assert (settings.max_depth, settings.partitions_per_run, settings.qdrant_url) == (6, 7, "http://q:6333")
    assert load_settings(max_depth=8).max_depth == 8


def test_a_wrong_value_is_reported_by_its_variable_and_without_the_value(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LEGAL_PIPELINE_MAX_DEPTH", "deep")
    monkeypatch.setenv("LEGAL_PIPELINE_DATABASE_URL", "mysql://root:hunter2@h/d")
    with pytest.raises(ConfigurationError) as caught:
        load_settings()
    assert "LEGAL_PIPELINE_MAX_DEPTH" in str(caught.value)
    assert "LEGAL_PIPELINE_DATABASE_URL" in str(caught.value)
    assert "hunter2" not in str(caught.value)


def test_secrets_do_not_print() -> None:
    settings = load_settings(anthropic_api_key="sk-1", database_url="postgresql://u:pw@h/d")
    assert "sk-1" not in repr(settings)
    assert "pw@" not in repr(settings)


def test_every_setting_has_a_description() -> None:
    assert [name for name, field in Settings.model_fields.items() if not field.description] == []


def test_a_relative_home_is_pinned_to_where_it_was_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LEGAL_PIPELINE_HOME", "mydata")
    assert load_settings().home == tmp_path / "mydata"


def test_an_empty_variable_is_an_unset_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LEGAL_PIPELINE_DATABASE_URL", "")
    monkeypatch.setenv("QDRANT_URL", "")
    assert load_settings().database_url is None
    assert load_settings().qdrant_url is None


@pytest.mark.parametrize(
    ("variable", "value", "expected"),
    [
        ("LEGAL_PIPELINE_CHECK_SCHEDULE", "every night", "five fields"),
        ("LEGAL_PIPELINE_ASSET_OWNER", "lawyers", "team:"),
        ("LEGAL_PIPELINE_LLM_MODELS", "claude", "JSON"),
        ("LEGAL_PIPELINE_EMBEDDING_URL", "localhost", "http://host:port"),
        ("LEGAL_PIPELINE_EMBEDDING_DEVICE", "gpu", "cuda:1"),
        ("LEGAL_PIPELINE_DOCS_JSONL", "/", "expected a file"),
        ("LEGAL_PIPELINE_VECTOR_WEIGHTS", "/", "expected a file"),
    ],
)
def test_a_wrong_value_says_what_is_expected(
    monkeypatch: pytest.MonkeyPatch, variable: str, value: str, expected: str
) -> None:
    monkeypatch.setenv(variable, value)
    with pytest.raises(ConfigurationError, match=f"^{variable}: .*{expected}") as caught:
        load_settings()
    assert "Value error" not in str(caught.value)


def test_a_home_in_a_file_is_refused_under_the_name_by_which_it_was_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "taken").write_text("")
    with pytest.raises(ConfigurationError, match=r"^home: .*taken is not a folder"):
        load_settings(home=tmp_path / "taken" / "data")
    monkeypatch.setenv("LEGAL_PIPELINE_HOME", str(tmp_path / "taken" / "data"))
    with pytest.raises(ConfigurationError, match=r"^LEGAL_PIPELINE_HOME: .*taken is not a folder"):
        load_settings()


@pytest.mark.parametrize(
    ("mistyped", "meant"),
    [("EMBEDING_MODEL", "EMBEDDING_MODEL"), ("EMBEDDING_MODELS", "EMBEDDING_MODEL"), ("HOMES", "HOME")],
)
def test_a_mistyped_variable_names_the_right_one(
    mistyped: str, meant: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    message = f"^LEGAL_PIPELINE_{mistyped} is not a setting: did you mean LEGAL_PIPELINE_{meant}[?]"
    (tmp_path / ".env").write_text(f"LEGAL_PIPELINE_{mistyped}=x\n")
    with pytest.raises(ConfigurationError, match=message):
        load_settings()
    (tmp_path / ".env").unlink()
    monkeypatch.setenv(f"LEGAL_PIPELINE_{mistyped}", "x")
    with pytest.raises(ConfigurationError, match=message):
        load_settings()


def test_variables_of_kubernetes_and_of_other_programs_are_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    for service in ("", "SERVE_", "DAGSTER_", "POSTGRES_", "QDRANT_"):
        for name in (
            "PORT",
            "SERVICE_HOST",
            "SERVICE_PORT",
            "SERVICE_PORT_HTTP",
            "PORT_8000_TCP",
            "PORT_8000_TCP_ADDR",
        ):
            monkeypatch.setenv(f"LEGAL_PIPELINE_{service}{name}", "x")
    monkeypatch.setenv("LEGAL_PIPELINE_CORPUS", "x")
    monkeypatch.setenv("LEGAL_PIPELINE_SERVED_BY", "x")
    load_settings()

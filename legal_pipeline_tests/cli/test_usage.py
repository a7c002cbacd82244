"""Wrong calls: an unknown option or command is answered with the nearest known one."""

from __future__ import annotations

import importlib.metadata

import pytest
import typer

from legal_pipeline.cli.app import app, main
from legal_pipeline.cli.usage import nearest_name

COMMANDS = typer.main.get_command(app).commands  # type: ignore[attr-defined]
OPTIONS = [
    (name, option)
    for name, command in COMMANDS.items()
    for parameter in command.params
    if parameter.param_type_name == "option"
    for option in (*parameter.opts, *parameter.secondary_opts)
    if len(option) > 2
]


def error_of(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """What the call says on standard error; it ends with 2."""
    monkeypatch.setattr("sys.argv", ["legal-pipeline", *arguments])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2
    return capsys.readouterr().err


@pytest.mark.parametrize(("command", "option"), OPTIONS, ids=" ".join)
def test_a_mistyped_option_of_any_command_names_the_right_one(
    command: str, option: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    mistyped = option[:3] + "x" + option[3:]  # one letter too many
    assert f"No such option: {mistyped}. Did you mean {option}?" in error_of(monkeypatch, capsys, command, mistyped)


@pytest.mark.parametrize(("mistyped", "meant"), [("ingst", "ingest"), ("serch", "search"), ("stat", "status")])
def test_a_mistyped_command_names_the_right_one(
    mistyped: str, meant: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert f"No such command: {mistyped}. Did you mean {meant}?" in error_of(monkeypatch, capsys, mistyped)


@pytest.mark.parametrize("arguments", [("search", "vaken", "-k", "3"), ("search", "vaken", "--zzz")], ids=" ".join)
def test_an_option_like_no_other_is_answered_with_all_of_them(
    arguments: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    message = error_of(monkeypatch, capsys, *arguments)
    assert all(option in message for option in ("--jurisdiction", "--limit", "-n", "--as-of"))


def test_search_takes_the_short_form_of_limit(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "'-n'" in error_of(monkeypatch, capsys, "search", "vaken", "-n", "0")


def test_a_name_that_begins_so_is_nearer_than_one_that_looks_alike() -> None:
    assert nearest_name("--doc", ["--dog", "--document", "--document-type"]) == "--document"
    assert nearest_name("--qqq", ["--dog"]) is None


def test_the_version_is_told(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.argv", ["legal-pipeline", "--version"])
    with pytest.raises(SystemExit) as ended:
        main()
    assert (ended.value.code, capsys.readouterr().out) == (
        0,
        f"legal-pipeline {importlib.metadata.version('legal_pipeline')}\n",
    )

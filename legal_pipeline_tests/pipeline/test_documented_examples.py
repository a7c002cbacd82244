"""The examples of README and docs run: Python against an index, commands against the command line's own parser.

Not here: the example of a code location, which `defs/test_code_location.py` loads.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest
import typer

from legal_pipeline.cli.app import app
from legal_pipeline_tests.pipeline.conftest import Bench, Law
from legal_pipeline_tests.real_documents import existing

REPOSITORY = Path(__file__).resolve().parent.parent.parent
GENERATED = REPOSITORY / "docs/reference/command-line.md"
ELSEWHERE = REPOSITORY / "docs/guides/code-location.md"
PAGES = [REPOSITORY / "README.md", *existing(REPOSITORY / "docs", "**/*.md")]
_BLOCK = re.compile(r"^```(?P<language>\w+)\n(?P<code>.*?)^```$", re.MULTILINE | re.DOTALL)
_COMMAND = re.compile(r"^(?:\$ )?(?:\.venv/bin/)?legal-pipeline (?P<arguments>.+)$", re.MULTILINE)


def blocks(*languages: str) -> Iterator[tuple[Path, str]]:
    for page in PAGES:
        for block in _BLOCK.finditer(page.read_text("utf-8")):
            if block["language"] in languages:
                yield page, block["code"]


COMMANDS = sorted({
    command["arguments"]
    for page, code in blocks("console", "bash")
    if page != GENERATED
    for command in _COMMAND.finditer(code)
})  # fmt: skip
EXAMPLES = [(page, code) for page, code in blocks("python") if page != ELSEWHERE]


def test_there_are_examples() -> None:
    assert len(COMMANDS) > 20
    assert len(EXAMPLES) >= 3


@pytest.mark.parametrize("line", COMMANDS)
def test_a_command_of_the_documentation_is_understood(
    line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "laws").mkdir()
    for name in ("law.html", "old.md", "new.md"):
        (tmp_path / name).touch()
    name, *arguments = shlex.split(line.replace("~/laws", "laws"), comments=True)
    program: Any = typer.main.get_command(app)
    command = program.get_command(click.Context(program), name)
    assert command is not None, f"no command {name}"
    command.make_context(name, arguments)


@pytest.mark.parametrize(("page", "code"), EXAMPLES, ids=[str(page.relative_to(REPOSITORY)) for page, _ in EXAMPLES])
def test_an_example_in_python_runs(
    page: Path, code: str, bench: Bench, law: Law, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    bench.write("fyr.txt", law("2099:10", "A keeper must light the lamp.", "A judge judges the work of others."))
    bench.ingest()
    settings = bench.pipeline.resources.settings
    monkeypatch.setenv("LEGAL_PIPELINE_HOME", str(settings.home))
    monkeypatch.setenv("LEGAL_PIPELINE_DATABASE_URL", settings.database_url_text)
    names: dict[str, object] = {}
    exec(compile(code, str(page), "exec"), names)
    if "print(" in code:
        assert "se-sfs-2099-10" in capsys.readouterr().out
    else:
        assert isinstance(names["rows"], list)

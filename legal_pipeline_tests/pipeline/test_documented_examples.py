"""The examples of README and docs run: Python against an index, or a server over one, commands against the command line's own parser.

Not here: the example of a code location, which `defs/test_code_location.py` loads, and those of formats, sources and strategies
(`test_extension_guides`).
"""

from __future__ import annotations

import re
import shlex
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest
import typer

from legal_pipeline.cli.app import app
from legal_pipeline.client.clients import LOCAL
from legal_pipeline.pipeline import Pipeline
from legal_pipeline.registry.embedded_postgres import EmbeddedPostgres
from legal_pipeline.service.webhooks import signature
from legal_pipeline.settings import Settings, load_settings
from legal_pipeline_tests.indexed_laws import own_database, run
from legal_pipeline_tests.pipeline.conftest import Bench, Law
from legal_pipeline_tests.real_documents import existing
from legal_pipeline_tests.serving_thread import served_index

REPOSITORY = Path(__file__).resolve().parent.parent.parent
GENERATED = REPOSITORY / "docs/reference/command-line.md"
#: Pages whose examples go on from each other: over a server, and as a notebook.
SERVED = [REPOSITORY / f"docs/guides/{name}.md" for name in ("client", "langchain")]
NOTEBOOK = REPOSITORY / "docs/guides/notebook.md"
WEBHOOKS = REPOSITORY / "docs/guides/webhooks.md"
EXTENSIONS = [REPOSITORY / f"docs/guides/add-{name}.md" for name in ("format", "source", "strategy")]
ELSEWHERE = {REPOSITORY / "docs/guides/code-location.md", NOTEBOOK, WEBHOOKS, *SERVED, *EXTENSIONS}
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
EXAMPLES = [(page, code) for page, code in blocks("python") if page not in ELSEWHERE]


def run_in_order(page: Path, served_at: str = LOCAL) -> dict[str, Any]:
    """The names that the examples of `page` leave, run as one program."""
    names: dict[str, Any] = {}
    for _, code in (block for block in blocks("python") if block[0] == page):
        exec(compile(code.replace(LOCAL, served_at), str(page), "exec"), names)
    return names


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


def test_the_receiver_of_a_message_knows_whether_it_is_genuine() -> None:
    is_genuine, secret, body = run_in_order(WEBHOOKS)["is_genuine"], "whsec_bGlnaHRob3VzZQ==", b'{"type": "law.added"}'

    def headers(sent: int) -> dict[str, str]:
        signed = signature(secret, "msg_1", sent, body)
        return {"webhook-id": "msg_1", "webhook-timestamp": str(sent), "webhook-signature": signed}

    now = int(time.time())
    assert is_genuine(secret, headers(now), body)
    assert not is_genuine(secret, headers(now), body + b" ")
    assert not is_genuine(secret, {**headers(now), "webhook-timestamp": str(now + 1)}, body)
    assert not is_genuine(secret, headers(now - 600), body), "an old message that somebody sends again"


@pytest.fixture(scope="module")
def url(postgres: EmbeddedPostgres, template: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server over the Swedish part of the sample, which `legal-pipeline demo` indexes."""
    with own_database(postgres, template) as database_url:
        home = tmp_path_factory.mktemp("home")
        settings = load_settings(home=home, database_url=database_url, stores="qdrant", enrich="none", qdrant_url=None)
        with Pipeline.open(settings) as pipeline:
            run(pipeline, REPOSITORY / "data/sample/se")
        with served_index(settings) as running:
            yield running.url


@pytest.mark.parametrize("page", SERVED, ids=[page.stem for page in SERVED])
def test_the_examples_over_a_server_run(
    page: Path, url: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for package in ("langchain_core", "llama_index.core", "haystack") if page.stem == "langchain" else ():
        pytest.importorskip(package, reason="needs `pip install 'legal-pipeline[langchain,llamaindex,haystack]'`")
    monkeypatch.setenv("HAYSTACK_TELEMETRY_ENABLED", "False")
    names = run_in_order(page, url)
    names["client"].close()
    told = capsys.readouterr().out.splitlines()
    printed = sum(code.count("print(") for at, code in blocks("python") if at == page)
    assert printed >= 3
    assert sum("se-sfs-2099-101" in line or "known wordings" in line for line in told) >= printed


def test_the_notebook_runs_cell_by_cell(settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LEGAL_PIPELINE_HOME", str(settings.home))
    monkeypatch.setenv("LEGAL_PIPELINE_DATABASE_URL", settings.database_url_text)
    assert sum(page == NOTEBOOK for page, _ in blocks("python")) == 10
    names = run_in_order(NOTEBOOK)
    assert (tmp_path / "laws/keepers.txt").exists()
    assert names["section"].text == "2 § In fog the horn must sound."
    assert [one.interval.valid_from for one in names["wordings"]] == ["2020-01-01", "2025-07-01"]
    assert list(names["changed"]["kind"]) == ["changed", "added"]
    assert names["changed"]["provisions"][0] == ["se-sfs-2099-10~sec_2"]
    assert (names["check"].verdict, names["check"].versions[0].interval.valid_to) == ("superseded", "2025-07-01")

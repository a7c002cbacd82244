"""The command line from outside: exit codes, what goes to which stream, and what it needs."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from legal_pipeline.pipeline import Pipeline
from legal_pipeline.registry.erasures import Erasures
from legal_pipeline.settings import Settings
from legal_pipeline_tests import processes
from legal_pipeline_tests.cli.commands import command, command_here
from legal_pipeline_tests.serving_thread import environment

LAW = "Lag (2099:10) om fyrvakter\n\n" + "\n\n".join(
    f"{number} § En fyrvakt ska vara vaken hela natt {number}." for number in range(1, 400)
)


@pytest.fixture
def law_file(tmp_path: Path) -> Path:
    path = tmp_path / "fyr.txt"
    path.write_text(LAW, "utf-8")
    return path


@pytest.mark.parametrize(
    "arguments",
    [
        ("parse", "missing.html"),
        ("parse", "fyr.txt", "--format", "nonsense"),
        ("parse", "fyr.txt", "--type", "nonsense"),
        ("parse", "fyr.txt", "--jurisdiction", "Sweden!"),
        ("chunk", "fyr.txt", "--strategy", "nonsense"),
        ("parse", "."),
        ("ingest",),
        ("ingest", "missing"),
        ("ingest", ""),
        ("ingest", "nothing"),
        ("ingest", "nothing", "--dry-run"),
        ("coverage", "nothing"),
        ("ingest", "fyr.txt", "--exclude", "!"),
        ("backup", "fyr.txt"),
        ("backup", ""),
        ("search", "  "),
        ("search", "fyrvakt", "--strategy", "nonsense"),
        ("search", "fyrvakt", "--passage-tokens", "-1"),
        ("nonsense",),
    ],
)
def test_a_wrong_call_ends_with_2_and_a_sentence(
    law_file: Path, tmp_path: Path, arguments: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(law_file.parent)
    (tmp_path / "nothing").mkdir()
    ended = command_here(*arguments, home=tmp_path / "home")
    assert (ended.returncode, ended.stdout) == (2, b"")
    assert law_file.read_text("utf-8") == LAW
    assert ended.stderr.strip()
    assert b"Traceback" not in ended.stderr


def test_files_of_other_kinds_are_left_out_of_a_folder_and_named(tmp_path: Path, settings: Settings) -> None:
    folder, home = tmp_path / "laws", settings.home
    folder.mkdir()
    (folder / "fyr.txt").write_text("Lag (2099:10) om fyrvakter\n\n1 § En fyrvakt ska vara vaken.\n", "utf-8")
    (folder / "fees.xlsx").write_bytes(bytes(range(256)))
    (folder / "README.md").write_text("# Our laws\n", "utf-8")
    database = {"LEGAL_PIPELINE_DATABASE_URL": settings.database_url_text, "LEGAL_PIPELINE_ENRICH": "none"}
    setting = {**database, "LEGAL_PIPELINE_SOURCE_EXCLUDE": "README.md"}
    for command_of_files in ("ingest", "coverage"):
        ended = command_here(command_of_files, folder, "--exclude", "*.xlsx", home=home, **setting)
        assert ended.returncode == 0, ended.stderr
        assert f"left out: 2 files by patterns: {folder}/README.md, {folder}/fees.xlsx" in ended.stderr.decode()
    told = json.loads(command_here("ingest", folder, "--exclude", "*.xlsx", "--json", home=home, **setting).stdout)
    assert told["left_out"] == [f"{folder}/README.md", f"{folder}/fees.xlsx"]
    assert json.loads(command_here("status", "--json", home=home, **database).stdout)["left_out"] == {f"{folder}/": 2}
    assert (
        f"left out of {folder}/ by patterns: 2 files" in command_here("status", home=home, **database).stdout.decode()
    )
    assert command_here("ingest", folder, home=home, **setting).returncode == 1


def test_a_folder_with_the_home_of_the_index_is_not_ingested(law_file: Path, tmp_path: Path) -> None:
    home = tmp_path / "home"
    (home / "warehouse").mkdir(parents=True)
    for folder in (tmp_path, home):
        ended = command_here("ingest", folder, home=home)
        assert ended.returncode == 2
        assert b"contains the home of the index" in ended.stderr
        assert os.listdir(home) == ["warehouse"]
    for arguments in (
        (law_file, "--dry-run"),
        (tmp_path, "--dry-run"),
    ):  # beside the home; hidden folders are not listed
        assert command_here("ingest", *arguments, home=tmp_path / ".index").returncode == 0


def test_a_warehouse_that_cannot_be_written_fails_no_document(law_file: Path, tmp_path: Path) -> None:
    place = law_file / "warehouse"
    ended = command_here("ingest", law_file, home=tmp_path / "home", LEGAL_PIPELINE_WAREHOUSE=str(place))
    assert (ended.returncode, ended.stdout) == (2, b"")
    assert ended.stderr.decode() == f"error: the warehouse in {place} cannot be written: Not a directory\n"


@pytest.mark.parametrize("day", ["yesterday", "2024-02-30"])
def test_a_day_that_is_none_says_the_form_of_a_day(day: str, tmp_path: Path) -> None:
    ended = command_here("search", "fyrvakt", "--as-of", day, home=tmp_path / "home")
    assert f"'{day}' is not a date (expected: YYYY-MM-DD)" in ended.stderr.decode()
    assert b"Value error" not in ended.stderr


def test_a_file_that_cannot_be_parsed_ends_with_1(tmp_path: Path) -> None:
    (tmp_path / "empty.txt").write_bytes(b"")
    ended = command_here("parse", tmp_path / "empty.txt", "--json", home=tmp_path / "home")
    assert (ended.returncode, ended.stdout) == (1, b"")
    assert b"empty" in ended.stderr


def test_parse_and_chunk_write_nothing(law_file: Path, tmp_path: Path) -> None:
    parsed = json.loads(command_here("parse", law_file, "--json", home=tmp_path / "home").stdout)
    rows = [
        json.loads(line)
        for line in command_here("chunk", law_file, "--json", home=tmp_path / "home").stdout.splitlines()
    ]
    assert len(rows) == 399
    assert all(row["chunk_text"] == parsed["text"][row["start_char"] : row["end_char"]] for row in rows)
    assert not (tmp_path / "home").exists()


def test_the_chunks_of_a_file_are_a_line_each_in_a_narrow_terminal(law_file: Path, tmp_path: Path) -> None:
    ended = command_here("chunk", law_file, home=tmp_path / "home", COLUMNS="80")
    first, *lines = ended.stdout.decode().splitlines()
    assert first.split() == ["path", "type", "tokens", "span", "text"]
    rows = [line for line in lines if re.search(r" \d+\.\.\d+ ", line)]
    assert len(rows) == 399
    assert all(len(line) <= 80 for line in lines)
    assert re.search(r": 399 chunks \((?:\w+ \d+(?:, )?)+\), coverage 1\.0000", " ".join(lines))


@pytest.mark.parametrize("arguments", [("--json",), pytest.param((), marks=pytest.mark.heavy)])
def test_a_reader_that_goes_away_is_no_failure(law_file: Path, tmp_path: Path, arguments: tuple[str, ...]) -> None:
    process = processes.start(
        [sys.executable, "-m", "legal_pipeline.cli.app", "chunk", str(law_file), *arguments],
        env={**os.environ, "LEGAL_PIPELINE_HOME": str(tmp_path / "home")},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.read(10)
    process.stdout.close()
    assert process.wait(60) == 0
    assert process.stderr.read() == b""
    process.stderr.close()


def test_a_terminal_that_is_not_utf_8_ends_no_command_and_json_is_utf_8(law_file: Path, tmp_path: Path) -> None:
    ascii_only = {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0", "LC_ALL": "C"}
    for arguments in (("parse", law_file), ("chunk", law_file)):
        ended = command(*arguments, home=tmp_path / "home", **ascii_only)
        assert (ended.returncode, ended.stderr) == (0, b"")
        ended.stdout.decode("ascii")
    ended = command("parse", law_file, "--json", home=tmp_path / "home", **ascii_only)
    assert "1 § En fyrvakt" in json.loads(ended.stdout)["text"]


def test_an_unreachable_database_is_named_without_its_password(tmp_path: Path) -> None:
    url = "postgresql://user:hemligt@127.0.0.1:1/laws"
    ended = command("status", "--json", home=tmp_path / "home", LEGAL_PIPELINE_DATABASE_URL=url)
    assert (ended.returncode, ended.stdout) == (2, b"")
    assert b"127.0.0.1:1" in ended.stderr
    assert b"hemligt" not in ended.stderr


def test_a_search_names_the_citations_that_no_hit_answers(law_index: Settings) -> None:
    asked = ("search", "§ 12 BetrVG")
    place = environment(law_index)
    printed = command_here(*asked, home=law_index.home, **place)
    assert "not found: § 12 BetrVG: the index has no BetrVG" in printed.stdout.decode()
    (missed,) = json.loads(command_here(*asked, "--json", home=law_index.home, **place).stdout)["unresolved"]
    assert (missed["kind"], missed["document_id"]) == ("not_indexed", None)


def test_the_end_of_an_erasure_is_told_as_json_too(settings: Settings) -> None:
    with Pipeline.open(settings) as pipeline:
        Erasures(pipeline.registry.database).record(["judgment-7"], "decision 7")
    ended = command_here("erase", "judgment-7", "--lift", "--json", home=settings.home, **environment(settings))
    assert (ended.returncode, json.loads(ended.stdout)) == (0, {"lifted": "judgment-7"})

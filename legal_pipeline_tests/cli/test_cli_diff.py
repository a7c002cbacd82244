"""`legal-pipeline diff`: what it prints for people and for machines, and its exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from legal_pipeline_tests.cli.commands import command_here

BEFORE = "Lag (2099:10) om fyrar\n\n1 § Ljuset ska tändas före solens nedgång.\n\n2 § Fyrvaktaren ska bo i fyren.\n"
AFTER = BEFORE.replace("före", "vid") + "\n3 § Fyren ska vara [bold]vit[/bold].\n"


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    paths = tmp_path / "fore.txt", tmp_path / "efter.txt"
    for path, text in zip(paths, (BEFORE, AFTER), strict=True):
        path.write_text(text, "utf-8")
    return paths


def test_two_expressions_stand_side_by_side_with_the_sentence_for_lawyers(
    files: tuple[Path, Path], tmp_path: Path
) -> None:
    done = command_here("diff", *files, home=tmp_path / "home", COLUMNS="160")
    assert done.returncode == 0, done.stderr
    shown = done.stdout.decode()
    assert "fore.txt" in shown
    assert "efter.txt" in shown
    assert "[bold]vit[/bold]" in shown  # text of documents is never markup
    assert shown.rstrip().endswith("[se-sfs-2099-10]: 1 § ändrad, 3 § ny")


def test_for_machines_it_is_one_json_value(files: tuple[Path, Path], tmp_path: Path) -> None:
    done = command_here("diff", *files, "--json", home=tmp_path / "home")
    assert done.returncode == 0, done.stderr
    value = json.loads(done.stdout)
    assert [(change["kind"], change["num"]) for change in value["changes"]] == [("changed", "1"), ("added", "3")]
    assert value["changes"][0]["before"]["text"] == "Ljuset ska tändas före solens nedgång."
    assert (value["before"]["source_file"], value["description"]) == ("fore.txt", "1 § ändrad, 3 § ny")


def test_a_file_without_a_number_is_told_which_work_it_is(files: tuple[Path, Path], tmp_path: Path) -> None:
    for path in files:
        path.write_text(path.read_text("utf-8").split("\n\n", 1)[1], "utf-8")
    done = command_here("diff", *files, "--number", "2099:10", "--json", home=tmp_path / "home")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["document_id"] == "se-sfs-2099-10"


def test_different_works_end_with_2_and_a_sentence(files: tuple[Path, Path], tmp_path: Path) -> None:
    files[1].write_text(AFTER.replace("2099:10", "2099:11"), "utf-8")
    done = command_here("diff", *files, home=tmp_path / "home")
    assert done.returncode == 2
    assert b"different works" in done.stderr
    assert not done.stdout


def test_files_that_do_not_say_their_work_are_compared_on_the_users_word(
    files: tuple[Path, Path], tmp_path: Path
) -> None:
    for path, text in zip(
        files, ("A barge pays.\n\nA raft pays.\n", "A barge pays.\n\nA raft does not.\n"), strict=True
    ):
        path.write_text(f"# Canals\n\n{text}", "utf-8")
    done = command_here("diff", *files, "--json", home=tmp_path / "home")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["document_id"] == "doc-efter"


def test_files_that_state_different_works_are_compared_when_the_user_insists(
    files: tuple[Path, Path], tmp_path: Path
) -> None:
    files[1].write_text(AFTER.replace("2099:10", "2099:11"), "utf-8")
    done = command_here("diff", *files, "--same-work", "--json", home=tmp_path / "home")
    assert done.returncode == 0, done.stderr
    assert [change["kind"] for change in json.loads(done.stdout)["changes"]] == ["changed", "added"]

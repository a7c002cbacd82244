"""Text of documents on a terminal: what it would obey is shown as an escape, and JSON stays exact."""

from __future__ import annotations

import io
import json
import logging
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from rich.table import Table
from rich.text import Text

from legal_pipeline.cli.diagnosis import Finding
from legal_pipeline.cli.presentation import Report, print_diagnosis
from legal_pipeline.cli.state_presentation import print_files, print_purged
from legal_pipeline.errors import DocumentError
from legal_pipeline.processing.stage import Failed
from legal_pipeline.system.terminal import Terminal, VisibleLog, print_json, say_traceback
from legal_pipeline.system.visible import visible, visible_json
from legal_pipeline.views.akn_files import AknFiles
from legal_pipeline_tests.cli.commands import command_here

#: Sets the window's title and colours, in 7 and 8 bits, turns the reading direction around, moves to the line's start, hides text.
HOSTILE = "fyr\x1b]0;mine\x07 \x1b[31mvakt\x9b0m \u202elampa\u2066 \r\x7f\u2028\U000e0041 ska lysa"
#: Whatever is neither printable nor the line feed and tab of plain text.
OBEYED = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\U000e0000-\U000e007f]")


def hostile_law(folder: Path) -> Path:
    path = folder / "lag.txt"
    path.write_text(f"Lag (2099:10) om {HOSTILE}\n\n1 § En {HOSTILE} hela natten.\n\n2 § Lampan ska lysa.\n", "utf-8")
    return path


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31mröd", "\\x1b[31mröd"),
        ("\x9b31m", "\\x9b31m"),
        ("a\u202eb", "a\\u202eb"),
        ("a\rb\x08", "a\\x0db\\x08"),
        ("\ud800", "\\ud800"),
        ("\U000e0041", "\\U000e0041"),
        ("2 kap.\t3 §\nÞjóð — \u200d क\u094d\u200dष", "2 kap.\t3 §\nÞjóð — \u200d क\u094d\u200dष"),
    ],
)
def test_what_a_terminal_obeys_is_shown_as_an_escape_and_all_else_stays(text: str, shown: str) -> None:
    assert visible(text) == shown


@pytest.mark.parametrize("value", [HOSTILE, "\ud800", "plain"])
def test_json_is_exact_and_holds_nothing_that_a_terminal_obeys(value: str) -> None:
    line = visible_json(json.dumps({"text": value}, ensure_ascii=False))
    assert json.loads(line) == {"text": value}
    assert not OBEYED.search(line)


@pytest.mark.parametrize(
    "arguments",
    [("parse",), ("parse", "--json"), ("chunk",), ("chunk", "--json"), ("coverage",), ("coverage", "--markdown"), ("coverage", "--json")],
    ids=" ".join,
)  # fmt: skip
def test_no_command_passes_the_control_characters_of_a_document_on(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    name, *options = arguments
    ended = command_here(name, hostile_law(tmp_path), *options, home=tmp_path / "home", COLUMNS="200")
    assert ended.returncode == 0, ended.stderr
    output = (ended.stdout + ended.stderr).decode()
    assert "lampa" in output or name == "coverage"
    assert not OBEYED.search(output)


def test_a_diff_shows_control_characters_as_escapes(tmp_path: Path) -> None:
    before = hostile_law(tmp_path).rename(tmp_path / "before.txt")
    after = hostile_law(tmp_path)
    after.write_text(after.read_text().replace("lysa", f"slockna {HOSTILE}"), "utf-8")
    ended = command_here("diff", before, after, home=tmp_path / "home")
    assert "slockna" in ended.stdout.decode()
    assert not OBEYED.search(ended.stdout.decode())


@pytest.mark.parametrize("arguments", [("parse",), ("ingest",), ("nonsense",)], ids=" ".join)
def test_a_name_in_an_error_message_is_shown_with_escapes(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    ended = command_here(*arguments, tmp_path / "no\x1b[31msuch\u202efile", home=tmp_path / "home")
    assert ended.returncode == 2
    assert not OBEYED.search(ended.stderr.decode())


def report_failure() -> None:
    report = Report(as_json=False)
    report.event(Failed(("chunks",), "se-sfs-2099-10", DocumentError(HOSTILE, document=HOSTILE)))
    report.finish()


@pytest.mark.parametrize(
    "show",
    [
        lambda: print_purged({HOSTILE: 1}, [HOSTILE], as_json=False),
        lambda: print_files(AknFiles((Path(HOSTILE),), 0), as_json=False),
        lambda: print_diagnosis([Finding(HOSTILE, False, HOSTILE)], as_json=False),
        lambda: print_json({HOSTILE: [HOSTILE]}),
        lambda: say_traceback(ValueError(HOSTILE)),
        report_failure,
    ],
)
def test_every_view_shows_control_characters_as_escapes(
    show: Callable[[], None], capsys: pytest.CaptureFixture[str]
) -> None:
    show()
    output = "".join(capsys.readouterr())
    assert "lampa" in output
    assert not OBEYED.search(output)


def test_styles_stay_on_their_words_beside_escapes() -> None:
    text = Text("a\x1bb ord c")
    text.stylize("bold", 4, 7)
    out = io.StringIO()
    Terminal(file=out, force_terminal=True, color_system="standard", width=80).print(text)
    assert out.getvalue() == "a\\x1bb \x1b[1mord\x1b[0m c\n"


def test_a_cell_that_grows_by_its_escapes_is_shown_in_full() -> None:
    table = Table()
    table.add_column("a")
    table.add_row(Text("\x1b" * 8 + "end"))
    out = io.StringIO()
    Terminal(file=out, width=40).print(table)
    assert "\\x1b" * 8 + "end" in out.getvalue()


def test_a_log_line_shows_control_characters_as_escapes() -> None:
    out = io.StringIO()
    record = logging.LogRecord("x", logging.ERROR, "", 1, "%s failed", (HOSTILE,), None)
    VisibleLog(out).emit(record)
    assert not OBEYED.search(out.getvalue())

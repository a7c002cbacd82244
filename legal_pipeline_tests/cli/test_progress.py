"""What an ingest shows on its way: documents, chunks per second and what is left, for each stage."""

from __future__ import annotations

import io
from collections.abc import Iterator

import pytest

from legal_pipeline.cli.dry_run import DryRun
from legal_pipeline.cli.presentation import Report, print_dry_run
from legal_pipeline.cli.progress import StageProgress
from legal_pipeline.enrichment.estimate import Estimate
from legal_pipeline.errors import DocumentError, FutureTextError, ParseError
from legal_pipeline.processing.stage import Deferred, Failed, Materialized
from legal_pipeline.registration import Registration
from legal_pipeline.system.terminal import Terminal


def made(asset: str, document: int, **metadata: int) -> Materialized:
    return Materialized((asset,), f"d-{document}", "v", {}, metadata, False)


class Clock:
    """Goes on by two seconds with each look."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        self.now += 2.0
        return self.now


def events() -> Iterator[Materialized | Failed]:
    for document in range(10):
        yield made("chunks", document, chunks=40)
    yield Failed(("context_prefixes",), "d-9", DocumentError("broken"))
    for document in range(9):
        yield made("chunk_embeddings", document)


def shown(*, terminal: bool) -> str:
    out = io.StringIO()
    progress = StageProgress(10, Terminal(file=out, force_terminal=terminal, width=120), Clock())
    for event in events():
        progress.event(event)
    progress.close()
    return out.getvalue()


def test_without_a_terminal_lines_tell_documents_chunks_per_second_and_what_is_left() -> None:
    lines = shown(terminal=False).splitlines()
    assert lines[0] == "chunks: 3 of 10 documents, 120 chunks, 20 chunks/s, 0:00:14 left"
    assert "chunks: 10 of 10 documents, 400 chunks, 20 chunks/s" in lines
    assert lines[-1].startswith("chunk_embeddings: 9 of 10 documents, 360 chunks, ")
    assert "left" not in lines[-1]
    assert all("\x1b" not in line for line in lines)


def test_on_a_terminal_each_stage_has_a_bar() -> None:
    output = shown(terminal=True)
    assert "\x1b" in output
    assert all(name in output for name in ("chunks", "chunk_embeddings", "━", "9 of 10 documents", "chunks/s"))


def test_an_ingest_for_machines_shows_no_progress(capsys: pytest.CaptureFixture[str]) -> None:
    report = Report(as_json=True)
    report.registration(Registration(new=tuple(f"d-{number}" for number in range(10))))
    for event in events():
        report.event(event)
    report.close()
    assert "".join(capsys.readouterr()) == ""


def test_a_failure_is_told_once_and_counted_in_words_of_its_number(capsys: pytest.CaptureFixture[str]) -> None:
    report = Report(as_json=False)
    report.registration(Registration(new=("d-1", "d-2")))
    report.event(Failed(("chunks",), "d-1", DocumentError("is torn", document="d-1")))
    day = FutureTextError("its text is dated 2999-01-01", document="d-2")
    report.event(Deferred(("raw_documents",), "d-2", day))
    report.finish()
    shown = capsys.readouterr()
    assert (shown.out + shown.err).count("is torn") == 1
    assert "2 documents, 0 texts embedded, 1 document failed" in shown.out
    assert "waiting: d-2: its text is dated 2999-01-01" in shown.out


def test_an_ingest_for_people_is_not_silent_between_its_stages(capsys: pytest.CaptureFixture[str]) -> None:
    report = Report(as_json=False)
    report.registration(Registration(new=tuple(f"d-{number}" for number in range(10))))
    for event in events():
        report.event(event)
    before = capsys.readouterr().err
    assert "chunks: 10 of 10 documents, 400 chunks" in before
    report.finish()
    assert "chunk_embeddings: 9 of 10 documents" in capsys.readouterr().err


def test_documents_with_warnings_are_named_with_the_command_that_shows_them(capsys: pytest.CaptureFixture[str]) -> None:
    report = Report(as_json=False)
    report.registration(Registration(new=("d-1", "d-2")))
    report.event(made("canonical_documents", 1, warnings=2))
    report.event(made("canonical_documents", 2, warnings=0))
    report.finish()
    assert "1 document has warnings: d-1; `legal-pipeline coverage` of the files shows them" in capsys.readouterr().out


def test_a_dry_run_tells_the_name_of_an_unreadable_file_once(capsys: pytest.CaptureFixture[str]) -> None:
    error = ParseError("binary data", document="broken.bin", position="byte 0")
    waiting = {"d-1": "its text is dated 2999-01-01"}
    print_dry_run(DryRun(1, 1, Estimate(), {"broken.bin": str(error)}, waiting), as_json=False)
    lines = capsys.readouterr().out.splitlines()
    assert lines[-2:] == ["broken.bin, byte 0: binary data", "d-1: its text is dated 2999-01-01"]
    assert any(line.startswith("1 document, 1 chunk, ") for line in lines)

"""Ctrl-C: a command ends with one sentence, nothing of it is left running, and nothing is lost."""

from __future__ import annotations

import gc
import os
import signal
import socket
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from dagster import DagsterInstance

from legal_pipeline.defs.dev_lines import shown_lines
from legal_pipeline.defs.launch import run_documents
from legal_pipeline.defs.process_tree import marked
from legal_pipeline.pipeline import Pipeline
from legal_pipeline.registry.embedded_postgres import EmbeddedPostgres
from legal_pipeline.settings import Settings
from legal_pipeline_tests import processes
from legal_pipeline_tests.cli.commands import command_here
from legal_pipeline_tests.defs.test_runs import Log, register_all
from legal_pipeline_tests.small_laws import write_law
from legal_pipeline_tests.webserver import wait_for

_MARK = "LAW_TESTS_COMMAND"


@pytest.fixture
def home() -> Iterator[Path]:
    # not under pytest's folder: the account that the server runs under must reach it
    with tempfile.TemporaryDirectory(prefix="legal-pipeline-") as folder:
        yield Path(folder) / "home"


@pytest.mark.parametrize(
    "moment", ["PIPELINE_START", "STEP_START", "ASSET_MATERIALIZATION", "STEP_SUCCESS", "PIPELINE_SUCCESS"]
)
def test_an_interrupt_at_any_moment_of_a_run_ends_the_command(
    make_settings: Callable[..., Settings],
    instance: DagsterInstance,
    folder: Path,
    moment: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    write_law(folder, 1)
    handle = DagsterInstance.handle_new_event

    def interrupting(self: DagsterInstance, event: Any, **options: Any) -> Any:
        handled = handle(self, event, **options)
        if event.dagster_event is not None and event.dagster_event.event_type_value == moment:
            os.kill(os.getpid(), signal.SIGINT)
        return handled

    monkeypatch.setattr(DagsterInstance, "handle_new_event", interrupting)
    with Pipeline.open(make_settings()) as pipeline:
        documents = register_all(pipeline, folder)
        with pytest.raises(KeyboardInterrupt):
            run_documents(instance, pipeline, documents, report=Log(), job_name="parse_and_chunk")
        assert "processing" not in pipeline.registry.counts()
        monkeypatch.undo()
        run_documents(instance, pipeline, documents, report=Log(), job_name="parse_and_chunk")
        assert pipeline.warehouse.documents(("chunks",)) == documents


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_an_interrupted_write_is_not_a_failed_document(
    make_settings: Callable[..., Settings], instance: DagsterInstance, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An archive that is interrupted with an open member cannot be closed: zipfile replaces the interruption by an error of its own."""
    write_law(folder, 1)

    def interrupting(self: zipfile.ZipFile, *_: Any) -> None:
        unfinished = self.open("unfinished", "w")
        os.kill(os.getpid(), signal.SIGINT)
        unfinished.close()

    with Pipeline.open(make_settings()) as pipeline:
        documents = register_all(pipeline, folder)
        monkeypatch.setattr(zipfile.ZipFile, "writestr", interrupting)
        log = Log()
        with pytest.raises(KeyboardInterrupt):
            run_documents(instance, pipeline, documents, report=log, job_name="parse_and_chunk")
        assert log.failed == set()
        monkeypatch.undo()
        gc.collect()  # the archive cannot be closed at its end either
        run_documents(instance, pipeline, documents, report=log, job_name="parse_and_chunk")
        assert pipeline.warehouse.documents(("chunks",)) == documents


@pytest.mark.parametrize("number", [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.heavy)])
def test_an_interrupted_ingest_says_one_sentence_and_leaves_nothing_running(
    home: Path, tmp_path: Path, folder: Path, number: signal.Signals, monkeypatch: pytest.MonkeyPatch
) -> None:
    for law in range(1, 130):
        write_law(folder, law)
    monkeypatch.delenv("LEGAL_PIPELINE_DATABASE_URL", raising=False)
    environment = {**os.environ, "LEGAL_PIPELINE_HOME": str(home), _MARK: str(tmp_path)}
    arguments = [sys.executable, "-m", "legal_pipeline.cli.app", "ingest", str(folder)]
    ingest = processes.start(arguments, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    wait_for("the warehouse", lambda: list(home.glob("warehouse/canonical_documents/*/*/*.zip")), 120)
    os.killpg(ingest.pid, number)  # as a terminal does it
    out, error = ingest.communicate(timeout=120)
    sentences = [line for line in error.splitlines() if line.startswith("error: ")]
    assert (ingest.returncode, len(sentences)) == (130, 1)
    assert sentences[0].startswith("error: interrupted; what was finished is kept")
    assert "Traceback" not in out + error
    assert marked(_MARK, str(tmp_path)) == [], (home / "postgres" / "log").read_text()[-2000:]
    assert not (home / "postgres" / "postmaster.pid").exists()


@pytest.mark.slow
@pytest.mark.waits
def test_an_interrupted_dev_leaves_no_run_no_code_server_and_no_database_behind(
    home: Path, tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for law in range(1, 60):
        write_law(folder, law)
    monkeypatch.delenv("LEGAL_PIPELINE_DATABASE_URL", raising=False)
    monkeypatch.delenv("DAGSTER_HOME", raising=False)
    environment = {
        **os.environ,
        "LEGAL_PIPELINE_HOME": str(home),
        "LEGAL_PIPELINE_SOURCE_DIRECTORY": str(folder),
        "LEGAL_PIPELINE_SENSOR_INTERVAL_SECONDS": "5",
        _MARK: str(tmp_path),
    }
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    log = tmp_path / "log"
    with log.open("w") as output:
        arguments = [sys.executable, "-m", "legal_pipeline.cli.app", "dev", "--port", port]
        dev = processes.start(arguments, env=environment, stdout=output, stderr=output)
    try:
        wait_for("a run in its midst", lambda: list(home.glob("warehouse/canonical_documents/*/*/*.zip")), 240)
    except BaseException:
        print(log.read_text()[-5000:])
        raise
    assert len(marked(_MARK, str(tmp_path))) > 5
    os.killpg(dev.pid, signal.SIGINT)
    assert dev.wait(120) == 0
    assert [process.cmdline() for process in marked(_MARK, str(tmp_path))] == []
    assert not (home / "postgres" / "postmaster.pid").exists()
    shown = log.read_text()
    assert "stopping: runs in progress are interrupted" in shown.splitlines()[-1]
    assert "DEBUG" not in shown
    assert "se-sfs-2024-1" in shown
    settings = Settings(home=home)
    with EmbeddedPostgres(home / "postgres"), Pipeline.open(settings) as pipeline:
        assert pipeline.registry.counts().get("processing", 0) == 0


def test_a_port_in_use_is_found_before_anything_starts(home: Path, tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        ended = command_here("dev", "--port", port, home=home)
    assert (ended.returncode, ended.stdout) == (2, b"")
    expected = f"error: port {port} of 127.0.0.1 is in use: end what listens there, or choose another one with --port\n"
    assert ended.stderr.decode() == expected
    assert not home.exists()


def test_dev_shows_neither_debugging_nor_what_a_terminal_obeys_and_names_partitions() -> None:
    head = "2026-11-22 14:13:12 +0000 - dagster"
    run = "process_document - b301b6dd-b83a-43f1-abba-9476ac5e2c99 - 24098 - documents"
    lines = [
        f"{head} - INFO - Launching Dagster services...\n",
        f"{head} - DEBUG - {run} - STEP_START - Started execution of step.\n",
        f"{head} - DEBUG - {run} - ASSET_MATERIALIZATION - se-sfs-2024-1: chunks\n",
        f"{head} - DEBUG - {run} - STEP_OUTPUT - something\n",
        "that goes on here\n",
        f"\x1b[32m{head}\x1b[0m - ERROR - {run} - se-sfs-2024-2: fyr\x1b]0;mine\x07\n",
        "Traceback\n",
    ]
    assert list(shown_lines(lines)) == [
        lines[0].rstrip("\n"),
        "2026-11-22 14:13:12 run b301b6dd: se-sfs-2024-1: chunks",
        f"{head} - ERROR - {run} - se-sfs-2024-2: fyr\\x1b]0;mine\\x07",
        "Traceback",
    ]

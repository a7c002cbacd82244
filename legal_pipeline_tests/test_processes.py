"""What tests start dies with them: after a failure, after a kill, and whatever a process has detached from itself."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import psutil
import pytest

from legal_pipeline_tests import processes
from legal_pipeline_tests.real_documents import existing

#: A process that leaves another one behind, in a session of its own and without a parent, and says which.
_DAEMON = (
    "import subprocess, sys; daemon = subprocess.Popen(['sleep', '600'], start_new_session=True);"
    "print(daemon.pid, flush=True)"
)
#: It takes every signal, whatever its parent blocks or ignores (which is inherited) or a library handles.
_TEST = """
import signal, subprocess, time
from pathlib import Path

def test_that_takes_long(postgres):
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
    other = subprocess.Popen(["sleep", "600"], start_new_session=True)
    server = int((postgres.folder / "postmaster.pid").read_text().split()[0])
    Path({told!r}).write_text(f"{{other.pid}} {{server}} ")
    time.sleep(600)
"""


def alive(pids: Sequence[int]) -> list[int]:
    found = []
    for pid in pids:
        try:
            if psutil.Process(pid).status() != psutil.STATUS_ZOMBIE:
                found.append(pid)
        except psutil.NoSuchProcess:
            continue
    return found


def left_after(pids: Sequence[int], seconds: float) -> list[int]:
    """Those of `pids` that still live when all should be gone."""
    deadline = time.monotonic() + seconds
    while (left := alive(pids)) and time.monotonic() < deadline:
        time.sleep(0.1)
    return left


@pytest.mark.parametrize("number", [signal.SIGKILL, pytest.param(signal.SIGTERM, marks=pytest.mark.heavy)])
def test_a_killed_test_leaves_no_process_behind(tmp_path: Path, repository: Path, number: signal.Signals) -> None:
    told = tmp_path / "told"
    (tmp_path / "test_long.py").write_text(_TEST.format(told=str(told)))
    options = ["-p", "legal_pipeline_tests.conftest", "-p", "no:cacheprovider", f"--rootdir={tmp_path}"]
    environment = {**os.environ, "PYTHONPATH": str(repository)}
    command = [sys.executable, "-m", "pytest", *options, str(tmp_path)]
    session = processes.start(command, env=environment, cwd=tmp_path)
    while not (told.exists() and told.read_text().endswith(" ")):
        assert session.poll() is None, "the session ended before its test began"
        time.sleep(0.1)
    pids = [int(word) for word in told.read_text().split()]
    assert alive(pids) == pids
    session.send_signal(number)
    session.wait(60)
    try:
        assert left_after(pids, 30) == []
    finally:
        for pid in alive(pids):
            os.kill(pid, signal.SIGKILL)


def test_a_failed_test_leaves_no_process_behind_even_one_that_detached_itself() -> None:
    started: list[int] = []

    def fail() -> None:
        with processes.ended():
            started.append(processes.start(["sleep", "600"]).pid)
            parent = processes.start([sys.executable, "-c", _DAEMON], stdout=subprocess.PIPE, text=True)
            assert parent.stdout is not None
            started.append(int(parent.stdout.readline()))
            parent.wait(60)
            assert alive(started) == started
            raise AssertionError("the test fails")

    with pytest.raises(AssertionError, match="the test fails"):
        fail()
    assert alive(started) == []


def test_all_tests_start_their_processes_in_one_place(repository: Path) -> None:
    begins = re.compile(r"(?<!-> )\bPopen\(")
    elsewhere = [
        path.name
        for path in existing(repository / "legal_pipeline_tests", "**/*.py")
        if path.name not in ("processes.py", Path(__file__).name) and begins.search(path.read_text("utf-8"))
    ]
    assert elsewhere == []

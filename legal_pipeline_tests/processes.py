"""The one place where tests start processes: each dies with its test, with all that it started, also when the test itself is killed.

What a test starts in any other way (PostgreSQL, a subprocess that is waited for) inherits the mark of the session, by which a watcher finds
it when the session is over or its process gone. Not here: what is started.
"""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import uuid
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import psutil

from legal_pipeline.defs.process_tree import end_marked, marked

#: Environment variables: of everything that a session starts, and of what one call of `start` does.
SESSION, STARTED = "LAW_TESTS_SESSION", "LAW_TESTS_STARTED"
#: Of what a session keeps for all of its tests.
KEPT = "LAW_TESTS_KEPT"
_END_SECONDS = 5

_marks: list[str] = []


def start(command: Sequence[str], *, env: Mapping[str, str] | None = None, **options: Any) -> subprocess.Popen[Any]:
    """A process that ends with the fixture or test that started it. It has a session of its own: what is sent to the terminal's group
    does not reach it."""
    _marks.append(uuid.uuid4().hex)
    environment = {**(os.environ if env is None else env), STARTED: _marks[-1]}
    if SESSION in os.environ:
        environment[SESSION] = os.environ[SESSION]
    return subprocess.Popen(command, env=environment, **{"start_new_session": True, **options})


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


@contextlib.contextmanager
def ended() -> Iterator[None]:
    """Whatever is started within the block is gone after it."""
    before = len(_marks)
    try:
        yield
    finally:
        for mark in _marks[before:]:
            end_marked(STARTED, mark, timeout=_END_SECONDS)
        del _marks[before:]


def left_of_session() -> list[psutil.Process]:
    """The processes that this session has started in any way, and that still live, but those it keeps."""
    left = []
    for process in marked(SESSION, os.environ[SESSION]):
        with contextlib.suppress(psutil.Error, OSError):
            # Python's own tracker is one for each process
            if KEPT not in process.environ() and "multiprocessing.resource_tracker" not in " ".join(process.cmdline()):
                left.append(process)
    return left


@contextlib.contextmanager
def kept() -> Iterator[None]:
    """What is started within the block lives as long as the session."""
    os.environ[KEPT] = "1"
    try:
        yield
    finally:
        del os.environ[KEPT]


@contextlib.contextmanager
def swept_session() -> Iterator[None]:
    """Mark whatever this process starts from now on; it is gone after the block, and also when this process is killed in it."""
    mark = uuid.uuid4().hex
    watcher_environment = {name: value for name, value in os.environ.items() if name not in (SESSION, STARTED)}
    watcher = subprocess.Popen(
        [sys.executable, str(Path(__file__).with_name("sweeper.py")), SESSION, mark, str(os.getpid())],
        env=watcher_environment,
        start_new_session=True,
    )
    os.environ[SESSION] = mark
    try:
        yield
    finally:
        watcher.send_signal(signal.SIGTERM)
        watcher.wait(60)
        os.environ.pop(SESSION, None)

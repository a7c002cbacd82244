"""SIGKILL at any step of replacing a document, with searches in another process beside it: every answer is of one version, in full,
and the next run repairs."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from legal_pipeline.registry.database import Database
from legal_pipeline.retrieval.searcher import Searcher
from legal_pipeline.views.published_index import PublishedIndex
from legal_pipeline_tests import processes
from legal_pipeline_tests.stores import replaced
from legal_pipeline_tests.stores.qdrant_http_server import QdrantHttpServer

REPOSITORY = Path(__file__).resolve().parents[2]
VERSIONS = [sorted(str(point.payload["chunk_text"]) for point in replaced.version(number)) for number in (0, 1)]


@pytest.fixture(params=["edge", "server", "pgvector"])
def place(request: pytest.FixtureRequest, tmp_path: Path, database: Database) -> Iterator[tuple[str, str, str]]:
    """(store, where it is, URL of the database), with the first version in it."""
    url = database.url
    with contextlib.ExitStack() as stack:
        where = {"edge": str(tmp_path), "pgvector": "-"}.get(request.param) or stack.enter_context(
            QdrantHttpServer().listening()
        )
        opened = replaced.resources(request.param, where, database)
        replaced.replace(opened, replaced.version(0))
        if request.param != "pgvector":
            opened.store.close()
        yield request.param, where, url


def process(mode: str, *arguments: str) -> subprocess.Popen[str]:
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith(("LEGAL_PIPELINE_", "QDRANT_"))
    }
    return processes.start(
        [sys.executable, "-W", "ignore", "-m", "legal_pipeline_tests.stores.replaced", mode, *arguments],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=REPOSITORY, env=environment,
    )  # fmt: skip


class Reader:
    """A process that searches; its answers as they come."""

    def __init__(self, *arguments: str) -> None:
        self.answers: list[list[str]] = []
        self._process = process("read", *arguments)
        self._first = threading.Event()
        self._thread = threading.Thread(target=self._collect)
        self._thread.start()
        assert self._first.wait(120)

    def _collect(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self.answers.append(json.loads(line))
            self._first.set()
        self._first.set()

    def stop(self) -> list[list[str]]:
        _, error = self._communicate()
        assert self._process.returncode == 0, error[-2000:]
        return self.answers

    def _communicate(self) -> tuple[str, str]:
        assert self._process.stdin is not None
        assert self._process.stderr is not None
        self._process.stdin.close()
        self._thread.join(60)
        error = self._process.stderr.read()
        self._process.wait(60)
        return "", error


def written(place: tuple[str, str, str], event: str = "0") -> int | None:
    """Write the other version; how many calls it took, or None if the process was killed at `event`."""
    writer = process("write", *place, event)
    out, error = writer.communicate(timeout=120)
    if writer.returncode == -signal.SIGKILL:
        return None
    assert writer.returncode == 0, error[-2000:]
    return int(out)


def repair(place: tuple[str, str, str], database: Database) -> None:
    """Write the other version in this process, which is another than the one that was killed."""
    opened = replaced.resources(place[0], place[1], database)
    replaced.write_other(opened)
    if place[0] != "pgvector":
        opened.store.close()


def check_kills(place: tuple[str, str, str], events: Sequence[str], database: Database) -> None:
    """After each kill the document is written in full, so that each begins with a store that holds one version."""
    reader = Reader(*place)
    try:
        for event in events:
            assert written(place, event) is None, f"{event} was never reached"
            seen = len(reader.answers)
            while len(reader.answers) < seen + 2:  # one that began after the kill
                time.sleep(0.01)
            repair(place, database)
    finally:
        answers = reader.stop()
    for answer in answers:
        assert answer in VERSIONS
    assert all(version in answers for version in VERSIONS)
    opened = replaced.resources(place[0], place[1], database)
    store = opened.pgvector if place[0] == "pgvector" else opened.store
    assert store.count(replaced.ALIAS) == len(VERSIONS[0])
    with contextlib.closing(Searcher(PublishedIndex(opened))) as searcher:
        assert replaced.answer(searcher) in VERSIONS


@pytest.mark.slow
@pytest.mark.waits
def test_killed_between_the_steps_every_answer_is_of_one_version(
    place: tuple[str, str, str], database: Database
) -> None:
    """After the points are written, and after the stale ones are deleted."""
    check_kills(place, ["return write", "return delete"], database)


@pytest.mark.heavy
def test_killed_at_many_calls_every_answer_is_of_one_version(place: tuple[str, str, str], database: Database) -> None:
    calls = written(place)
    assert calls is not None
    assert calls > 100
    steps = ["call write", "call delete", *(str(1 + number * (calls - 50) // 60) for number in range(60))]
    check_kills(place, steps, database)

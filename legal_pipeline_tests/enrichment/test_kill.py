"""SIGKILL in the middle of a run: the next run pays for nothing twice and ends where an undisturbed one ends."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from legal_pipeline.registry.database import Database
from legal_pipeline.settings import Settings
from legal_pipeline_tests import processes
from legal_pipeline_tests.conftest import REPOSITORY
from legal_pipeline_tests.enrichment.anthropic_server import AnthropicServer
from legal_pipeline_tests.enrichment.enrich_30 import CONCURRENCY, documents

Start = Callable[[str], subprocess.Popen[bytes]]

#: In `make test` runs of the whole pipeline are killed at the same two moments (`test_killed_runs`).
pytestmark = [pytest.mark.slow, pytest.mark.heavy]


@pytest.fixture
def start(
    anthropic_server: AnthropicServer, journal_settings: Settings, journal_database: Database, tmp_path: Path
) -> Start:
    """Starts the run in a mode; it leaves its answers in `tmp_path / "answers.json"`."""

    def start(mode: str) -> subprocess.Popen[bytes]:
        module = "legal_pipeline_tests.enrichment.enrich_30"
        database_url = journal_settings.database_url_text
        return processes.start(
            [sys.executable, "-m", module, anthropic_server.url, database_url, mode, str(tmp_path / "answers.json")],
            cwd=REPOSITORY,
        )

    return start


@pytest.fixture(scope="module")
def undisturbed(journal_settings: Settings, tmp_path_factory: pytest.TempPathFactory) -> str:
    """What the run leaves when nothing happens to it."""
    from legal_pipeline_tests.enrichment import enrich_30

    file = tmp_path_factory.mktemp("undisturbed") / "answers.json"
    with Database.open(journal_settings) as database, database.connection() as connection:
        connection.execute("truncate llm_requests")
    with AnthropicServer() as server:
        enrich_30.main(server.url, journal_settings.database_url_text, "interactive", str(file))
    return file.read_text("utf-8")


def wait_for(condition: Callable[[], bool], process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline, "the run did not get there"
        assert process.poll() is None, "the run ended before it could be killed"
        time.sleep(0.002)


def kill_and_finish(start: Start, mode: str, when: Callable[[subprocess.Popen[bytes]], None]) -> None:
    process = start(mode)
    try:
        when(process)
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()
    assert start(mode).wait(timeout=120) == 0


def interactive(server: AnthropicServer, start: Start, after: int, share: float) -> None:
    """Kill when `after` requests have arrived and the `share` of a request's time has gone by."""
    server.latency = 0.05

    def when(process: subprocess.Popen[bytes]) -> None:
        wait_for(lambda: len(server.received) >= after, process)
        time.sleep(share * server.latency)

    kill_and_finish(start, "interactive", when)
    assert len(server.received) <= len(documents()) + CONCURRENCY
    assert len(server.billed) == len(documents())


def batch(server: AnthropicServer, start: Start, delay: float) -> None:
    """Kill `delay` seconds after the service has created the batch, which it says 0.2 seconds later."""
    server.hold_created = 0.2
    server.batch_seconds = 0.4
    server.result_seconds = 0.01

    def when(process: subprocess.Popen[bytes]) -> None:
        wait_for(lambda: bool(server.batches), process)
        time.sleep(delay)

    kill_and_finish(start, "batch", when)
    assert len(server.batches) == 1
    assert set(server.billed.values()) == {1}
    assert server.totals["requests"] == len(documents())
    assert not server.received


def assert_ended_alike(tmp_path: Path, undisturbed: str, database: Database, server: AnthropicServer) -> None:
    assert (tmp_path / "answers.json").read_text("utf-8") == undisturbed
    with database.connection() as connection:
        row = connection.execute(
            """select count(*) as requests, count(*) filter (where state = 'answered') as answered,
                      sum(reserved_usd) as reserved from llm_requests"""
        ).fetchone()
    assert row == {"requests": len(documents()), "answered": len(documents()), "reserved": 0}


def test_after_a_kill_only_what_was_in_flight_is_asked_again(
    anthropic_server: AnthropicServer, start: Start, tmp_path: Path, undisturbed: str, journal_database: Database
) -> None:
    interactive(anthropic_server, start, after=13, share=0.5)
    assert_ended_alike(tmp_path, undisturbed, journal_database, anthropic_server)


def test_a_batch_created_in_the_instant_before_the_kill_is_found_and_adopted(
    anthropic_server: AnthropicServer, start: Start, tmp_path: Path, undisturbed: str, journal_database: Database
) -> None:
    batch(anthropic_server, start, delay=0.0)
    assert_ended_alike(tmp_path, undisturbed, journal_database, anthropic_server)


@pytest.mark.parametrize("seed", range(10))
def test_killed_at_any_point_an_interactive_run_ends_as_an_undisturbed_one(
    anthropic_server: AnthropicServer,
    start: Start,
    tmp_path: Path,
    undisturbed: str,
    journal_database: Database,
    seed: int,
) -> None:
    chance = random.Random(seed)
    interactive(anthropic_server, start, after=chance.randint(1, 29), share=chance.random() * 1.2)
    assert_ended_alike(tmp_path, undisturbed, journal_database, anthropic_server)


@pytest.mark.parametrize("seed", range(10))
def test_killed_at_any_point_a_batch_run_ends_as_an_undisturbed_one(
    anthropic_server: AnthropicServer,
    start: Start,
    tmp_path: Path,
    undisturbed: str,
    journal_database: Database,
    seed: int,
) -> None:
    batch(anthropic_server, start, delay=random.Random(seed).random() * 0.9)
    assert_ended_alike(tmp_path, undisturbed, journal_database, anthropic_server)

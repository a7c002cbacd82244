"""SIGKILL in a run of 30 Acts through the pipeline: the next run pays for nothing twice, and the tables end as if nothing had been."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from legal_pipeline.registry.database import Database
from legal_pipeline.registry.warehouse import Warehouse
from legal_pipeline.settings import Settings
from legal_pipeline_tests import processes
from legal_pipeline_tests.conftest import REPOSITORY
from legal_pipeline_tests.enrichment import run_30
from legal_pipeline_tests.enrichment.anthropic_server import AnthropicServer
from legal_pipeline_tests.enrichment.claude_bench import UP_TO_ENRICHMENT
from legal_pipeline_tests.enrichment.run_30 import CONCURRENCY, DOCUMENTS

#: Prefixes, two chapters, the Act, questions.
REQUESTS = 5 * DOCUMENTS
#: Prefixes, chapters, Acts, questions.
BATCHES = 4

pytestmark = [pytest.mark.slow, pytest.mark.waits]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("acts")
    run_30.write_acts(path)
    return path


@pytest.fixture(scope="module")
def undisturbed(journal_settings: Settings, folder: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What the run leaves when nothing happens to it."""
    home = tmp_path_factory.mktemp("undisturbed")
    url = journal_settings.database_url_text
    with Database.open(journal_settings) as database, database.connection() as connection:
        connection.execute("truncate llm_requests, source_documents cascade")
    with AnthropicServer() as server:
        run_30.main(server.url, url, str(home), str(folder), "interactive")
        assert len(server.received) == REQUESTS
    return tables(home)


def tables(home: Path) -> dict[str, Any]:
    """All tables, with what stands beside their rows."""
    warehouse = Warehouse(str(home / "warehouse"))
    found: dict[str, Any] = {}
    for key in UP_TO_ENRICHMENT:
        for document_id in warehouse.documents(key):
            table = warehouse.read_table(key, document_id)
            found[f"{'/'.join(key)} {document_id}"] = (
                table.to_pylist(),
                table.schema.metadata,
                warehouse.read_stamp(key, document_id),
            )
        for document_id in warehouse.documents(key, "json"):
            found[f"{'/'.join(key)} {document_id} json"] = warehouse.read(key, document_id, "json")
    return found


class Killing:
    """Runs that are killed and finished by another, against one server, database and home."""

    def __init__(self, server: AnthropicServer, settings: Settings, folder: Path) -> None:
        self.server, self.settings, self.folder = server, settings, folder

    def start(self, mode: str) -> subprocess.Popen[bytes]:
        where = [self.server.url, self.settings.database_url_text, str(self.settings.home), str(self.folder)]
        module = "legal_pipeline_tests.enrichment.run_30"
        return processes.start([sys.executable, "-m", module, *where, mode], cwd=REPOSITORY)

    def kill_and_finish(self, mode: str, reached: Callable[[], bool], delay: float) -> None:
        """Kill `delay` seconds after `reached`, then run again to the end."""
        process = self.start(mode)
        try:
            deadline = time.monotonic() + 120
            while not reached():
                assert time.monotonic() < deadline, "the run did not get there"
                assert process.poll() is None, "the run ended before it could be killed"
                time.sleep(0.002)
            time.sleep(delay)
        finally:
            process.send_signal(signal.SIGKILL)
            assert process.wait() == -signal.SIGKILL, "the run ended before it was killed"
        assert self.start(mode).wait(timeout=120) == 0

    def interactive(self, after: int, share: float) -> None:
        """Kill when `after` requests have arrived and the `share` of a request's time has gone by."""
        self.server.latency = 0.04
        self.kill_and_finish(
            "interactive", lambda: len(self.server.received) >= after, delay=share * self.server.latency
        )
        arrived = Counter(json.dumps(received.body, sort_keys=True) for received in self.server.received)
        assert len(arrived) == REQUESTS
        assert arrived.total() <= REQUESTS + CONCURRENCY

    def batch(self, created: int, delay: float) -> None:
        """Kill `delay` seconds after the service has created its batch number `created`, which it says 0.2 seconds later."""
        self.server.hold_created = 0.2
        self.server.batch_seconds = 0.4
        self.server.result_seconds = 0.005
        self.kill_and_finish("batch", lambda: len(self.server.batches) >= created, delay)
        assert len(self.server.batches) == BATCHES
        assert set(self.server.submitted.values()) == {1}
        assert self.server.totals["requests"] == REQUESTS
        assert not self.server.received

    def assert_ended_as(self, undisturbed: dict[str, Any]) -> None:
        found = tables(self.settings.home)
        assert found.keys() == undisturbed.keys()
        for name, expected in undisturbed.items():
            assert found[name] == expected, name
        assert set(self.server.billed.values()) <= {1, 2}
        with Database.open(self.settings) as database, database.connection() as connection:
            row = connection.execute(
                """select count(*) as requests, count(*) filter (where state = 'answered') as answered,
                          sum(reserved_usd) as reserved from llm_requests"""
            ).fetchone()
        assert row == {"requests": REQUESTS, "answered": REQUESTS, "reserved": 0}


@pytest.fixture
def killing(anthropic_server: AnthropicServer, settings: Settings, folder: Path) -> Killing:
    return Killing(anthropic_server, settings, folder)


def test_after_a_kill_only_what_was_in_flight_is_asked_again(killing: Killing, undisturbed: dict[str, Any]) -> None:
    killing.interactive(after=70, share=0.5)
    killing.assert_ended_as(undisturbed)


def test_a_batch_created_in_the_instant_before_the_kill_is_found_and_adopted(
    killing: Killing, undisturbed: dict[str, Any]
) -> None:
    killing.batch(created=2, delay=0.0)
    killing.assert_ended_as(undisturbed)


@pytest.mark.heavy
@pytest.mark.parametrize("seed", range(10))
def test_an_interactive_run_that_is_killed_anywhere(killing: Killing, undisturbed: dict[str, Any], seed: int) -> None:
    chance = random.Random(seed)
    killing.interactive(after=chance.randint(1, REQUESTS - CONCURRENCY), share=chance.random())
    killing.assert_ended_as(undisturbed)


@pytest.mark.heavy
@pytest.mark.parametrize("seed", range(10))
def test_a_batch_run_that_is_killed_anywhere(killing: Killing, undisturbed: dict[str, Any], seed: int) -> None:
    chance = random.Random(seed)
    killing.batch(created=chance.randint(1, BATCHES), delay=chance.random() * 0.75)
    killing.assert_ended_as(undisturbed)

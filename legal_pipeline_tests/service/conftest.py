"""A real server over the small index, and keys of several readers. Not here: the texts (`indexed_laws`)."""

from __future__ import annotations

import contextlib
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest

from legal_pipeline.registry.api_keys import ApiKeys
from legal_pipeline.registry.database import Database
from legal_pipeline.settings import Settings
from legal_pipeline_tests import processes
from legal_pipeline_tests.processes import free_port
from legal_pipeline_tests.serving_thread import environment

_STARTING_SECONDS = 60


class Server:
    """`legal-pipeline serve` on a free port; `client(key)` asks it."""

    def __init__(self, address: str, keys: dict[str, str], log: Path) -> None:
        self.address = address
        self.keys = keys
        self.log = log

    def client(self, reader: str | None) -> httpx.Client:
        """As the reader whose key has this name; None: without a key."""
        headers = {"Authorization": f"Bearer {self.keys[reader]}"} if reader else {}
        return httpx.Client(base_url=self.address, headers=headers, timeout=30)


@pytest.fixture(scope="module")
def server(law_index: Settings, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """It asks for keys: of a stranger, of a firm, of an administrator, and of one who may ask twice a minute."""
    with Database.open(law_index) as database:
        keys = ApiKeys(database)
        made = {
            "stranger": keys.create("stranger"),
            "firm": keys.create("firm", audiences=["firm-a"]),
            "admin": keys.create("admin", scopes=["admin"]),
            "slow": keys.create("slow", requests_per_minute=2),
            "hostile": keys.create("hostile", requests_per_minute=1_000_000),
        }
    with serving(law_index, tmp_path_factory.mktemp("server"), "--require-keys") as served:
        yield Server(served.address, {name: text for name, (_, text) in made.items()}, served.log)


@dataclass(frozen=True)
class Served:
    """A process of `legal-pipeline serve`, and what it writes."""

    address: str
    process: subprocess.Popen[bytes]
    log: Path


@contextlib.contextmanager
def serving(settings: Settings, folder: Path, *options: str) -> Iterator[Served]:
    """A server over the index of `settings`, which ends by itself when it is told to, unless it has ended before."""
    port, log = free_port(), folder / "log"
    command = [sys.executable, "-m", "legal_pipeline.cli.app", "serve", "--port", str(port), *options]
    with processes.ended(), log.open("wb") as output:
        process = processes.start(command, env=environment(settings), cwd=folder, stdout=output, stderr=output)
        wait_until_up(f"http://127.0.0.1:{port}", log)
        yield Served(f"http://127.0.0.1:{port}", process, log)
        process.terminate()
        assert process.wait(30) == 0, log.read_text("utf-8")


def wait_until_up(address: str, log: Path) -> None:
    deadline = time.monotonic() + _STARTING_SECONDS
    while time.monotonic() < deadline:
        try:
            if httpx.get(f"{address}/healthz", timeout=10).status_code == 200:
                return
        except httpx.TransportError:
            time.sleep(0.1)
    pytest.fail(f"the server did not start: {log.read_text('utf-8')}")

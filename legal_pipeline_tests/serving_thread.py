"""The HTTP application on a loopback port, in a thread of this process. Not here: the command that serves it (`service/conftest`)."""

from __future__ import annotations

import contextlib
import os
import socket
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import httpx
import uvicorn

from legal_pipeline.pipeline import Pipeline
from legal_pipeline.reading.law_reader import LawReader
from legal_pipeline.registry.api_keys import ApiKeys
from legal_pipeline.service.app import make_app
from legal_pipeline.service.gate import Gate
from legal_pipeline.service.webhooks import NOBODY, AllowedReceivers
from legal_pipeline.settings import Settings

_STARTING_SECONDS, _ENDING_SECONDS = 30, 30


@contextlib.contextmanager
def served(reader: LawReader, gate: Gate, receivers: AllowedReceivers = NOBODY) -> Iterator[str]:
    """The address of a real server, `http://127.0.0.1:<port>`."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{listening.getsockname()[1]}"
        server = uvicorn.Server(uvicorn.Config(make_app(reader, gate, receivers), log_level="warning"))
        thread = threading.Thread(target=server.run, args=([listening],))
        thread.start()
        try:
            deadline = time.monotonic() + _STARTING_SECONDS
            while not server.started and thread.is_alive() and time.monotonic() < deadline:
                time.sleep(0.02)
            assert server.started
            yield address
        finally:
            server.should_exit = True
            thread.join(_ENDING_SECONDS)
            assert not thread.is_alive()


@dataclass(frozen=True)
class Index:
    """An index that is served: its address, and keys by the name of their reader, `stranger`, `firm` and `slow`, who may ask once a
    minute."""

    url: str
    keys: dict[str, str]
    openapi: dict[str, Any]


@contextlib.contextmanager
def served_index(settings: Settings, *, needs_key: bool = False) -> Iterator[Index]:
    """The index of `settings`. Webhooks may be sent to this machine."""
    with Pipeline.open(settings) as pipeline:
        keys = ApiKeys(pipeline.registry.database)
        made = {
            "stranger": keys.create("stranger")[1],
            "firm": keys.create("firm", audiences=["firm-a"])[1],
            "slow": keys.create("slow", requests_per_minute=1)[1],
        }
        receivers = AllowedReceivers.parse("127.0.0.1")
        with served(LawReader(pipeline), Gate(keys, needs_key=needs_key), receivers) as url:
            yield Index(url, made, httpx.get(f"{url}/openapi.json").json())


def environment(settings: Settings) -> dict[str, str]:
    """The environment of a command that works with the index of `settings`."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("LEGAL_PIPELINE_", "QDRANT_"))}
    return kept | {
        "LEGAL_PIPELINE_HOME": str(settings.home),
        "LEGAL_PIPELINE_DATABASE_URL": settings.database_url_text,
        "LEGAL_PIPELINE_STORES": settings.stores,
        "LEGAL_PIPELINE_ENRICH": settings.enrich or "",
        "LEGAL_PIPELINE_WEBHOOK_HOSTS": "127.0.0.1",
    }

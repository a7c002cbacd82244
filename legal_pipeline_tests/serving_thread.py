"""The HTTP application on a loopback port, in a thread of this process. Not here: the command that serves it (`service/conftest`)."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections.abc import Iterator

import uvicorn

from legal_pipeline.reading.law_reader import LawReader
from legal_pipeline.service.app import make_app
from legal_pipeline.service.gate import Gate

_STARTING_SECONDS, _ENDING_SECONDS = 30, 30


@contextlib.contextmanager
def served(reader: LawReader, gate: Gate) -> Iterator[str]:
    """The address of a real server, `http://127.0.0.1:<port>`."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{listening.getsockname()[1]}"
        server = uvicorn.Server(uvicorn.Config(make_app(reader, gate), log_level="warning"))
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

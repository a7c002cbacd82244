"""The server as a context. Not here: what a test sets and reads (`state`), and the endpoints (`messages`, `batches`)."""

from __future__ import annotations

import threading
from http.server import ThreadingHTTPServer
from typing import Any

from legal_pipeline_tests.enrichment.anthropic_server.batches import create_batch
from legal_pipeline_tests.enrichment.anthropic_server.handler import Handler
from legal_pipeline_tests.enrichment.anthropic_server.state import Batch, State


class AnthropicServer(State):
    """`with AnthropicServer() as server:` serves at `server.url`. Set the hooks before the requests that they are meant for."""

    _http: ThreadingHTTPServer | None = None

    def __enter__(self) -> AnthropicServer:
        class OwnHandler(Handler):
            state = self

        class Server(ThreadingHTTPServer):
            daemon_threads = True
            request_queue_size = 128

            def handle_error(self, request: Any, client_address: Any) -> None:
                pass  # clients that are killed close their connections

        self._http = Server(("127.0.0.1", 0), OwnHandler)
        self.url = f"http://127.0.0.1:{self._http.server_address[1]}"
        threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        assert self._http is not None
        self._http.shutdown()
        self._http.server_close()

    def create_batch(self, requests: list[dict[str, Any]]) -> Batch:
        return create_batch(self, requests)

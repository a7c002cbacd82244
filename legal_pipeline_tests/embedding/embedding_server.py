"""A local embedding server that speaks both protocols, TEI's (`/info`, `/embed`) and OpenAI's (`/v1/embeddings`), with their errors.

Not here: any code of the pipeline but what makes vectors, which a test hands in.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

KEY = "emb-test-51d09c"

Rows = list[list[float]]
Answer = tuple[int, Any, dict[str, str]]


@dataclass(frozen=True)
class Fault:
    """In place of an answer: a `status`, with headers; or a good answer `altered`; or `silence` seconds and then nothing."""

    status: int = 200
    retry_after: str | None = None
    altered: Callable[[Any], Any] | None = None
    silence: float = 0.0


class EmbeddingServer:
    """A context manager. `faults` are given to embedding requests, first to last, each once; `batches` are the texts of those that were
    answered with vectors, `models` the names that it was asked for in OpenAI's protocol."""

    def __init__(self, vectors: Callable[[Sequence[str]], Rows], *, tei: bool = True, most_texts: int = 32) -> None:
        self.vectors = vectors
        self.faults: list[Fault] = []
        self.requests = 0
        self.batches: list[list[str]] = []
        self.keys: set[str | None] = set()
        self.models: set[str] = set()
        self._tei = tei
        self._most_texts = most_texts
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True

            def do_GET(self) -> None:
                info = {"model_id": "served", "model_sha": "abc", "max_client_batch_size": outer._most_texts}
                known = outer._tei and self.path == "/info"
                outer._send(self, (200, info, {}) if known else (404, {"error": "not found"}, {}))

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                outer.keys.add(self.headers.get("Authorization"))
                outer._send(self, outer._answer(self.path, body))

            def log_message(self, *_: Any) -> None:
                pass

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._http.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._http.server_address[1]}"
        self._thread = threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)

    def __enter__(self) -> EmbeddingServer:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()

    def _answer(self, path: str, body: dict[str, Any]) -> Answer:
        self.requests += 1
        fault = self.faults.pop(0) if self.faults else Fault()
        time.sleep(fault.silence)
        if fault.status != 200:
            headers = {"Retry-After": fault.retry_after} if fault.retry_after else {}
            return fault.status, {"error": "no", "error_type": "Overloaded"}, headers
        if self._tei and path == "/embed":
            texts = body["inputs"]
            assert body["truncate"] is False
            if len(texts) > self._most_texts:
                return 413, {"error": "batch size > maximum", "error_type": "Validation"}, {}
            found: Any = self.vectors(texts)
        elif path == "/v1/embeddings":
            texts = body["input"]
            self.models.add(body["model"])
            rows = [{"object": "embedding", "index": n, "embedding": row} for n, row in enumerate(self.vectors(texts))]
            found = {"object": "list", "data": rows, "model": body["model"], "usage": {"prompt_tokens": 1}}
        else:
            return 404, {"error": "not found"}, {}
        if fault.altered is not None:
            return 200, fault.altered(found), {}
        self.batches.append(list(texts))
        return 200, found, {}

    @staticmethod
    def _send(handler: BaseHTTPRequestHandler, answer: Answer) -> None:
        status, value, headers = answer
        data = value if isinstance(value, bytes) else json.dumps(value).encode()
        try:
            handler.send_response(status)
            for name, said in {"Content-Type": "application/json", **headers}.items():
                handler.send_header(name, said)
            handler.send_header("Content-Length", str(len(data)))
            handler.end_headers()
            handler.wfile.write(data)
        except (BrokenPipeError, ConnectionResetError):
            pass

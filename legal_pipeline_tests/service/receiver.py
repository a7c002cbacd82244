"""A receiver of webhooks on the loopback address that answers as a test says. Not here: who sends to it."""

from __future__ import annotations

import base64
import contextlib
import hashlib
import hmac
import json
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True)
class Received:
    """One request: `document` and `kind` of the change that it tells."""

    id: str
    timestamp: int
    signature: str
    body: bytes

    @property
    def data(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.body)["data"]
        return found

    def is_signed_with(self, secret: str) -> bool:
        """As a receiver that follows the specification checks it: five minutes of tolerance, any of the signatures."""
        key = base64.b64decode(secret.split("_", 1)[1])
        expected = hmac.new(key, b"%s.%d.%s" % (self.id.encode(), self.timestamp, self.body), hashlib.sha256).digest()
        stated = [base64.b64decode(one.partition(",")[2]) for one in self.signature.split(" ") if one.startswith("v1,")]
        return abs(time.time() - self.timestamp) < 300 and any(hmac.compare_digest(expected, one) for one in stated)


class Receiver:
    """`answer` gives the status for a request, and may wait or return (status, headers); by default everything is taken."""

    def __init__(self, answer: Callable[[Received], Any] = lambda _: 204) -> None:
        self.received: list[Received] = []
        self.answer = answer
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                names = ("webhook-id", "webhook-timestamp", "webhook-signature")
                id, timestamp, signature = (self.headers[name] for name in names)
                one = Received(id, int(timestamp), signature, body)
                receiver.received.append(one)
                answer = receiver.answer(one)
                status, headers = answer if isinstance(answer, tuple) else (answer, {})
                with contextlib.suppress(OSError):  # the sender may have gone
                    self.send_response(status)
                    for name, value in {"content-length": "0", **headers}.items():
                        self.send_header(name, value)
                    self.end_headers()

            do_GET = do_POST  # noqa: N815 - the base class wants this name

            def log_message(self, *_: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.address = f"http://127.0.0.1:{self._server.server_port}/law"

    @contextlib.contextmanager
    def running(self) -> Iterator[Receiver]:
        thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield self
        finally:
            self._server.shutdown()
            self._server.server_close()
            thread.join()

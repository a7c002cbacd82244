"""One HTTP exchange: the ways in which an answer is written or breaks off. Not here: which request gets which answer (`handler`)."""

from __future__ import annotations

import json
import random
import socket
import struct
from http.server import BaseHTTPRequestHandler
from typing import Any

from legal_pipeline_tests.enrichment.anthropic_server.state import State

_ERROR_TYPES = {
    400: "invalid_request_error", 401: "authentication_error", 402: "billing_error", 403: "permission_error", 404: "not_found_error",
    413: "request_too_large", 429: "rate_limit_error", 500: "api_error", 504: "timeout_error", 529: "overloaded_error",
}  # fmt: skip


class Exchange(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    state: State

    def log_message(self, format: str, *args: Any) -> None:
        pass

    def json(self, data: dict[str, Any], status: int = 200, headers: tuple[tuple[str, str], ...] = ()) -> None:
        content = json.dumps(data, ensure_ascii=False).encode()
        self.send_response(status)
        self._common_headers("application/json")
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def error(self, status: int, message: str, headers: tuple[tuple[str, str], ...] = ()) -> None:
        error = {"type": _ERROR_TYPES.get(status, "api_error"), "message": message}
        self.json({"type": "error", "error": error, "request_id": "req_1"}, status, headers)

    def begin_chunks(self, content_type: str) -> None:
        self.send_response(200)
        self._common_headers(content_type)
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()

    def chunk(self, data: bytes) -> None:
        """An empty one ends the answer."""
        self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
        self.wfile.flush()

    def reset(self) -> None:
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.close_connection = True
        self.connection.close()

    def _common_headers(self, content_type: str) -> None:
        self.send_header("content-type", content_type)
        self.send_header("request-id", f"req_{random.getrandbits(64):016x}")
        self.send_header("anthropic-organization-id", "00000000-0000-0000-0000-000000000000")
        self.send_header("anthropic-ratelimit-requests-limit", "4000")
        self.send_header("anthropic-ratelimit-requests-remaining", "3999")

"""Who may ask, and which address is which endpoint. Not here: the endpoints, and how an answer is written (`exchange`)."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import parse_qs, urlsplit

from legal_pipeline_tests.enrichment.anthropic_server import batches, messages
from legal_pipeline_tests.enrichment.anthropic_server.exchange import Exchange


class Handler(Exchange):
    def do_GET(self) -> None:
        self._guarded(None)

    def do_POST(self) -> None:
        length = int(self.headers.get("content-length") or 0)
        self._guarded(json.loads(self.rfile.read(length)) if length else {})

    def _guarded(self, body: Any) -> None:
        given = self.headers.get("x-api-key") or (self.headers.get("authorization") or "").removeprefix("Bearer ")
        if given != self.state.key:
            self.error(401, f"invalid API key {given}")
        elif not self.headers.get("anthropic-version"):
            self.error(400, "anthropic-version: header is required")
        else:
            self._route(body)

    def _route(self, body: Any) -> None:
        address = urlsplit(self.path)
        match address.path.strip("/").split("/"):
            case ["v1", "messages"]:
                messages.post(self, body)
            case ["v1", "messages", "count_tokens"]:
                self.state.counted += 1
                self.json({"input_tokens": self.state.count(body)})
            case ["v1", "messages", "batches"] if self.command == "POST":
                batches.post(self, body)
            case ["v1", "messages", "batches"]:
                batches.listing(self, parse_qs(address.query))
            case ["v1", "messages", "batches", batch_id, *rest] if batch_id in self.state.batches:
                batches.one(self, self.state.batches[batch_id], rest)
            case _:
                self.error(404, "not found")

"""The state of the server: what a test sets, what it received and what it would bill. Not here: HTTP (`server`) and the endpoints."""

from __future__ import annotations

import hashlib
import json
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from legal_pipeline_tests.enrichment.anthropic_server.bodies import all_text, said

KEY = "sk-ant-test-1f6d2c9b7a"


@dataclass(frozen=True)
class Fault:
    """What goes wrong with one Messages request. `status`: an HTTP error with `headers`. Else one of: `reset` (the connection is reset
    before an answer), `break_off` (reset in the middle of one), `silence` (seconds without a byte), `stream_error` (an error event after
    the start), `truncated_json`, `refusal`, `max_tokens` (these three are answers, and billed)."""

    kind: str
    status: int = 0
    headers: tuple[tuple[str, str], ...] = ()
    seconds: float = 0.0


@dataclass
class Received:
    """One Messages request. `billed` once the whole answer was written."""

    body: dict[str, Any]
    text: str
    billed: bool = False
    usage: dict[str, int] = field(default_factory=dict)


@dataclass
class Batch:
    """A message batch. `ends_at` is of the clock `time.monotonic`; `results` are there once it was worked off."""

    id: str
    requests: list[dict[str, Any]]
    created_at: datetime
    ends_at: float
    cancelled: bool = False
    archived: bool = False
    results: list[dict[str, Any]] | None = None


class State:
    """Shared by all requests of one server."""

    key = KEY

    def __init__(self) -> None:
        self.received: list[Received] = []
        self.counted = 0
        self.batches: dict[str, Batch] = {}
        self.faults: list[Fault | None] = []
        """Consumed one per Messages request; empty: none."""
        self.fault: Callable[[dict[str, Any]], Fault | None] = lambda body: None
        self.alter: Callable[[dict[str, Any], str], dict[str, Any]] = lambda answer, text: answer
        """Changes a right answer; `text` is all that the request says."""
        self.tokens: Callable[[str], int] = lambda text: len(text) // 4
        """Counts what is billed."""
        self.latency = 0.0
        self.batch_seconds = 0.0
        self.fate: Callable[[str, int], str] = lambda custom_id, times: "succeeded"
        """Of a batch entry, by its id and how often it was submitted: succeeded, errored, invalid, expired, lost, never."""
        self.drop_created_batches = 0
        """This many creations are carried out and then answered with a reset connection."""
        self.fail_retrievals = 0
        """This many looks at a batch are answered with 500."""
        self.hold_created = 0.0
        """Seconds between the creation of a batch and the answer that says so."""
        self.result_seconds = 0.0
        """Per line of results."""
        self.ignore_cancel = False
        self.break_results = 0
        """This many times the results break off after the first line."""
        self.per_second: int | None = None
        self.billed: Counter[str] = Counter()
        """Times that the same request body was answered in full, by the hash of the body."""
        self.totals: Counter[str] = Counter()
        self.submitted: Counter[str] = Counter()
        self.most_at_once = 0
        self.created = 0
        self._at_once = 0
        self._times: list[float] = []
        self._cache: set[str] = set()
        self.lock = threading.RLock()
        self.url = ""
        """Where it is served."""

    def receive(self, body: dict[str, Any]) -> Received:
        self.received.append(Received(body, said(body)))
        return self.received[-1]

    def next_fault(self, body: dict[str, Any]) -> Fault | None:
        if self._over_rate():
            return Fault("status", 429, (("retry-after", "1"),))
        with self.lock:
            return (self.faults.pop(0) if self.faults else None) or self.fault(body)

    def _over_rate(self) -> bool:
        if self.per_second is None:
            return False
        with self.lock:
            now = time.monotonic()
            self._times = [then for then in self._times if now - then < 1.0]
            if len(self._times) >= self.per_second:
                return True
            self._times.append(now)
            return False

    def enter(self, change: int) -> None:
        with self.lock:
            self._at_once += change
            self.most_at_once = max(self.most_at_once, self._at_once)

    def usage(self, body: dict[str, Any], answer: str) -> dict[str, int]:
        read = written = 0
        cached = [part for part in body["messages"][0]["content"] if "cache_control" in part]
        if cached:
            prefix = json.dumps([body["model"], body.get("system"), cached[0]["text"]])
            name = hashlib.sha256(prefix.encode()).hexdigest()
            with self.lock:
                if name in self._cache:
                    read = self.tokens(prefix)
                else:
                    self._cache.add(name)
                    written = self.tokens(prefix)
        return {
            "input_tokens": self.count(body) - read - written,
            "output_tokens": self.tokens(answer) + 1,
            "cache_read_input_tokens": read,
            "cache_creation_input_tokens": written,
        }

    def count(self, body: dict[str, Any]) -> int:
        """Input tokens of a request."""
        return self.tokens(all_text(body))

    def bill(self, body: dict[str, Any], message: dict[str, Any]) -> None:
        bare = {name: value for name, value in body.items() if name != "stream"}
        with self.lock:
            self.billed[hashlib.sha256(json.dumps(bare, sort_keys=True).encode()).hexdigest()] += 1
            self.totals.update(message["usage"])
            self.totals["requests"] += 1

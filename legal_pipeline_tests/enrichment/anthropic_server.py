"""A local HTTP server that speaks the Anthropic API: Messages (streamed or not), token counts and Message Batches.

It answers every task of the pipeline rightly, keeps account of what it would bill, and fails in all the ways that a test asks for.
Not here: any code of the pipeline; what a request asks is read out of its body alone.
"""

from __future__ import annotations

import hashlib
import json
import random
import re
import socket
import struct
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

KEY = "sk-ant-test-1f6d2c9b7a"

_DATA = re.compile(r"<(data-[0-9a-f]{16})>\n(.*?)\n</\1>", re.S)
_ERROR_TYPES = {
    400: "invalid_request_error", 401: "authentication_error", 402: "billing_error", 403: "permission_error", 404: "not_found_error",
    413: "request_too_large", 429: "rate_limit_error", 500: "api_error", 504: "timeout_error", 529: "overloaded_error",
}  # fmt: skip
_CUSTOM_ID = re.compile(r"[a-zA-Z0-9_-]{1,64}")


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
    id: str
    requests: list[dict[str, Any]]
    created_at: datetime
    ends_at: float
    cancelled: bool = False
    archived: bool = False
    results: list[dict[str, Any]] | None = None


class AnthropicServer:
    """`with AnthropicServer() as server:` serves at `server.url`. Set the hooks before the requests that they are meant for."""

    def __init__(self) -> None:
        self.received: list[Received] = []
        self.counted = 0
        self.batches: dict[str, Batch] = {}
        self.faults: list[Fault | None] = []
        """Consumed one per Messages request; empty: none."""
        self.fault: Callable[[dict[str, Any]], Fault | None] = lambda body: None
        self.alter: Callable[[dict[str, Any], str], dict[str, Any]] = lambda answer, text: answer
        """Changes a right answer; `text` is all that the request says."""
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
        self._at_once = 0
        self._created = 0
        self._times: list[float] = []
        self._cache: set[str] = set()
        self.lock = threading.RLock()
        self._http: ThreadingHTTPServer | None = None

    def __enter__(self) -> AnthropicServer:
        owner = self

        class Handler(_Handler):
            server_state = owner

        class Server(ThreadingHTTPServer):
            daemon_threads = True
            request_queue_size = 128

            def handle_error(self, request: Any, client_address: Any) -> None:
                pass  # clients that are killed close their connections

        self._http = Server(("127.0.0.1", 0), Handler)
        threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        assert self._http is not None
        self._http.shutdown()
        self._http.server_close()

    @property
    def url(self) -> str:
        assert self._http is not None
        return f"http://127.0.0.1:{self._http.server_address[1]}"

    # -- what is asked of it ------------------------------------------------------------------------------------------

    def next_fault(self, body: dict[str, Any]) -> Fault | None:
        with self.lock:
            return (self.faults.pop(0) if self.faults else None) or self.fault(body)

    def over_rate(self) -> bool:
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

    def message(self, body: dict[str, Any], fault: Fault | None = None) -> dict[str, Any]:
        """The `Message` that answers `body`."""
        text = said(body)
        answer = (
            json.dumps(self.alter(right_answer(body), text), ensure_ascii=False)
            .encode("utf-8", "backslashreplace")
            .decode()
        )
        stop = "end_turn"
        if fault is not None and fault.kind == "truncated_json":
            answer = answer[: len(answer) // 2]
        elif fault is not None and fault.kind == "max_tokens":
            answer, stop = answer[: len(answer) // 2], "max_tokens"
        elif fault is not None and fault.kind == "refusal":
            answer, stop = "", "refusal"
        content: list[dict[str, Any]] = [{"type": "text", "text": answer}] if answer else []
        if body.get("thinking", {}).get("type") == "adaptive":
            content.insert(0, {"type": "thinking", "thinking": "", "signature": "c2ln"})
        return {
            "id": f"msg_{random.getrandbits(64):016x}",
            "type": "message",
            "role": "assistant",
            "model": body["model"],
            "content": content,
            "stop_reason": stop,
            "stop_sequence": None,
            "usage": self._usage(body, answer),
        }

    def _usage(self, body: dict[str, Any], answer: str) -> dict[str, int]:
        read = written = 0
        cached = [part for part in body["messages"][0]["content"] if "cache_control" in part]
        if cached:
            prefix = json.dumps([body["model"], body.get("system"), cached[0]["text"]])
            name = hashlib.sha256(prefix.encode()).hexdigest()
            with self.lock:
                if name in self._cache:
                    read = len(prefix) // 4
                else:
                    self._cache.add(name)
                    written = len(prefix) // 4
        return {
            "input_tokens": tokens_of(body) - read - written,
            "output_tokens": len(answer) // 4 + 1,
            "cache_read_input_tokens": read,
            "cache_creation_input_tokens": written,
        }

    def bill(self, body: dict[str, Any], message: dict[str, Any]) -> None:
        bare = {name: value for name, value in body.items() if name != "stream"}
        with self.lock:
            self.billed[hashlib.sha256(json.dumps(bare, sort_keys=True).encode()).hexdigest()] += 1
            self.totals.update(message["usage"])
            self.totals["requests"] += 1

    # -- batches ------------------------------------------------------------------------------------------------------

    def create_batch(self, requests: list[dict[str, Any]]) -> Batch:
        with self.lock:
            batch = Batch(
                f"msgbatch_{self._created:04d}", requests, datetime.now(UTC), time.monotonic() + self.batch_seconds
            )
            self._created += 1
            self.batches[batch.id] = batch
            self.submitted.update(request["custom_id"] for request in requests)
            return batch

    def settle(self, batch: Batch) -> None:
        """Work the batch off if its time has come."""
        with self.lock:
            if batch.results is not None or time.monotonic() < batch.ends_at:
                return
            fates = {r["custom_id"]: self.fate(r["custom_id"], self.submitted[r["custom_id"]]) for r in batch.requests}
            if "never" in fates.values() and (not batch.cancelled or self.ignore_cancel):
                return
            batch.results = []
            for request in batch.requests:
                fate = fates[request["custom_id"]]
                if fate == "succeeded":
                    message = self.message(request["params"])
                    self.bill(request["params"], message)
                    result: dict[str, Any] = {"type": "succeeded", "message": message}
                elif fate in ("errored", "invalid"):
                    kind = "api_error" if fate == "errored" else "invalid_request_error"
                    result = {
                        "type": "errored",
                        "error": {
                            "type": "error",
                            "error": {"type": kind, "message": "it went wrong"},
                            "request_id": "req_1",
                        },
                    }
                elif fate == "lost":
                    continue
                else:
                    result = {"type": "canceled" if fate == "never" else "expired"}
                batch.results.append({"custom_id": request["custom_id"], "result": result})
            random.Random(len(batch.results)).shuffle(batch.results)

    def batch_json(self, batch: Batch) -> dict[str, Any]:
        self.settle(batch)
        counts = dict.fromkeys(("processing", "succeeded", "errored", "canceled", "expired"), 0)
        if batch.results is None:
            counts["processing"] = len(batch.requests)
        else:
            counts.update(Counter(result["result"]["type"] for result in batch.results))
            counts["errored"] += len(batch.requests) - len(
                batch.results
            )  # the counts always add up, even if a line is lost
        ended = batch.results is not None
        return {
            "id": batch.id,
            "type": "message_batch",
            "processing_status": "ended" if ended else "canceling" if batch.cancelled else "in_progress",
            "request_counts": counts,
            "created_at": batch.created_at.isoformat(),
            "expires_at": (batch.created_at + timedelta(hours=24)).isoformat(),
            "ended_at": datetime.now(UTC).isoformat() if ended else None,
            "archived_at": datetime.now(UTC).isoformat() if batch.archived else None,
            "cancel_initiated_at": None,
            "results_url": f"{self.url}/v1/messages/batches/{batch.id}/results"
            if ended and not batch.archived
            else None,
        }


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_state: AnthropicServer

    def log_message(self, format: str, *args: Any) -> None:
        pass

    def do_GET(self) -> None:
        self._guarded(None)

    def do_POST(self) -> None:
        length = int(self.headers.get("content-length") or 0)
        self._guarded(json.loads(self.rfile.read(length)) if length else {})

    def _guarded(self, body: Any) -> None:
        if KEY not in (
            self.headers.get("x-api-key"),
            (self.headers.get("authorization") or "").removeprefix("Bearer "),
        ):
            self._error(401, "invalid API key")
        elif not self.headers.get("anthropic-version"):
            self._error(400, "anthropic-version: header is required")
        else:
            self._route(body)

    def _route(self, body: Any) -> None:
        state = self.server_state
        address = urlsplit(self.path)
        steps = address.path.strip("/").split("/")
        if steps[:2] != ["v1", "messages"]:
            self._error(404, "not found")
        elif len(steps) == 2:
            state.enter(1)
            try:
                self._message(body)
            finally:
                state.enter(-1)
        elif steps[2] == "count_tokens":
            state.counted += 1
            self._json({"input_tokens": tokens_of(body)})
        elif len(steps) == 3 and self.command == "POST":
            self._create_batch(body)
        elif len(steps) == 3:
            self._list_batches(parse_qs(address.query))
        elif (batch := state.batches.get(steps[3])) is None:
            self._error(404, "no such batch")
        elif len(steps) == 4 and state.fail_retrievals > 0:
            state.fail_retrievals -= 1
            self._error(500, "it went wrong")
        elif len(steps) == 4:
            self._json(state.batch_json(batch))
        elif steps[4] == "cancel":
            batch.cancelled = True
            self._json(state.batch_json(batch))
        else:
            self._results(batch)

    # -- messages -----------------------------------------------------------------------------------------------------

    def _message(self, body: dict[str, Any]) -> None:
        state = self.server_state
        received = Received(body, said(body))
        with state.lock:
            state.received.append(received)
        if problem := invalid(body):
            self._error(400, problem)
            return
        fault = state.next_fault(body)
        if state.over_rate():
            fault = Fault("status", 429, (("retry-after", "1"),))
        time.sleep(state.latency)
        if fault is not None and fault.kind == "status":
            self._error(fault.status, "it went wrong", fault.headers)
            return
        if fault is not None and fault.kind == "reset":
            self._reset()
            return
        if fault is not None and fault.kind == "silence":
            time.sleep(fault.seconds)
            self._reset()
            return
        message = state.message(body, fault)
        if body.get("stream"):
            if not self._stream(message, fault):
                return
        else:
            self._json(message)
        received.usage = message["usage"]
        received.billed = True
        state.bill(body, message)

    def _stream(self, message: dict[str, Any], fault: Fault | None) -> bool:
        """Server-sent events, as the API sends them. False where the answer was not sent whole."""
        self.send_response(200)
        self._common_headers("text/event-stream; charset=utf-8")
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        events = list(events_of(message))
        for index, (name, data) in enumerate(events):
            if index == len(events) // 2 and fault is not None and fault.kind == "break_off":
                self._reset()
                return False
            if index == 2 and fault is not None and fault.kind == "stream_error":
                error = {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}
                self._chunk(f"event: error\ndata: {json.dumps(error)}\n\n".encode())
                self._chunk(b"")
                return False
            self._chunk(f"event: {name}\ndata: {json.dumps(data, ensure_ascii=False)}\n\n".encode())
        self._chunk(b"")
        return True

    # -- batches ------------------------------------------------------------------------------------------------------

    def _create_batch(self, body: dict[str, Any]) -> None:
        state = self.server_state
        ids = [request["custom_id"] for request in body["requests"]]
        problems = [problem for request in body["requests"] if (problem := invalid(request["params"]))]
        if len(set(ids)) < len(ids) or not ids or not all(_CUSTOM_ID.fullmatch(name) for name in ids):
            problems.append("requests: custom_id must be unique, 1 to 64 of [a-zA-Z0-9_-]")
        if problems:
            self._error(400, problems[0])
            return
        fault = state.next_fault(body)
        if fault is not None and fault.kind == "status":
            self._error(fault.status, "it went wrong", fault.headers)
            return
        batch = state.create_batch(body["requests"])
        with state.lock:
            drop = state.drop_created_batches > 0
            state.drop_created_batches -= drop
        if drop:
            self._reset()
            return
        time.sleep(state.hold_created)
        self._json(state.batch_json(batch))

    def _list_batches(self, query: dict[str, list[str]]) -> None:
        state = self.server_state
        with state.lock:
            newest_first = list(reversed(state.batches.values()))
        if "after_id" in query:
            at = [batch.id for batch in newest_first].index(query["after_id"][0])
            newest_first = newest_first[at + 1 :]
        limit = int(query.get("limit", ["20"])[0])
        shown = [state.batch_json(batch) for batch in newest_first[:limit]]
        self._json(
            {
                "data": shown,
                "has_more": len(newest_first) > limit,
                "first_id": shown[0]["id"] if shown else None,
                "last_id": shown[-1]["id"] if shown else None,
            }
        )

    def _results(self, batch: Batch) -> None:
        state = self.server_state
        state.settle(batch)
        if batch.results is None:
            self._error(400, "the batch has not ended")
            return
        with state.lock:
            broken = state.break_results > 0
            state.break_results -= broken
        self.send_response(200)
        self._common_headers("application/x-jsonl")
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        for number, result in enumerate(batch.results):
            if broken and number == 1:
                self._reset()
                return
            line = (json.dumps(result, ensure_ascii=False) + "\n").encode()
            time.sleep(state.result_seconds)
            middle = len(line) // 2
            self._chunk(line[:middle])  # a line need not come in one piece
            self._chunk(line[middle:])
        self._chunk(b"")

    # -- HTTP ---------------------------------------------------------------------------------------------------------

    def _chunk(self, data: bytes) -> None:
        self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
        self.wfile.flush()

    def _common_headers(self, content_type: str) -> None:
        self.send_header("content-type", content_type)
        self.send_header("request-id", f"req_{random.getrandbits(64):016x}")
        self.send_header("anthropic-organization-id", "00000000-0000-0000-0000-000000000000")
        self.send_header("anthropic-ratelimit-requests-limit", "4000")
        self.send_header("anthropic-ratelimit-requests-remaining", "3999")

    def _json(self, data: dict[str, Any], status: int = 200, headers: tuple[tuple[str, str], ...] = ()) -> None:
        content = json.dumps(data, ensure_ascii=False).encode()
        self.send_response(status)
        self._common_headers("application/json")
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def _error(self, status: int, message: str, headers: tuple[tuple[str, str], ...] = ()) -> None:
        error = {"type": _ERROR_TYPES.get(status, "api_error"), "message": message}
        self._json({"type": "error", "error": error, "request_id": "req_1"}, status, headers)

    def _reset(self) -> None:
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.close_connection = True
        self.connection.close()


# -- reading requests -------------------------------------------------------------------------------------------------


def said(body: dict[str, Any]) -> str:
    """All text of a request but the system prompt."""
    return "\n".join(part["text"] for message in body.get("messages", []) for part in message["content"])


def data_blocks(text: str) -> list[str]:
    return [match.group(2) for match in _DATA.finditer(text)]


def tokens_of(body: dict[str, Any]) -> int:
    return (len(said(body)) + sum(len(part["text"]) for part in body.get("system", []))) // 4


def invalid(body: dict[str, Any]) -> str | None:
    """What the API would answer with 400."""
    known = {"model", "max_tokens", "messages", "system", "output_config", "thinking", "stream"}
    if extra := set(body) - known:
        return f"{sorted(extra)[0]}: Extra inputs are not permitted"
    if body.get("thinking", {}).get("type") == "enabled":
        return '"thinking.type.enabled" is not supported for this model'
    if not 1 <= body.get("max_tokens", 0) <= 128_000:
        return "max_tokens: out of range"
    if any(not part["text"] for message in body["messages"] for part in message["content"]):
        return "messages: text content blocks must be non-empty"

    def unsupported(schema: Any) -> str | None:
        if isinstance(schema, list):
            return next((found for item in schema if (found := unsupported(item))), None)
        if not isinstance(schema, dict):
            return None
        if schema.get("type") == "object" and schema.get("additionalProperties") is not False:
            return (
                "output_config.format.schema: For 'object' type, 'additionalProperties' must be explicitly set to false"
            )
        for word in ("minimum", "maximum", "minLength", "maxLength", "maxItems"):
            if word in schema and not isinstance(schema[word], dict):
                return f"output_config.format.schema: property '{word}' is not supported"
        return next((found for item in schema.values() if (found := unsupported(item))), None)

    return unsupported(body.get("output_config", {}).get("format", {}).get("schema"))


def events_of(message: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    usage = message["usage"]
    start = {**message, "content": [], "stop_reason": None, "usage": {**usage, "output_tokens": 1}}
    yield "message_start", {"type": "message_start", "message": start}
    yield "ping", {"type": "ping"}
    for index, block in enumerate(message["content"]):
        empty = (
            {**block, "text": ""} if block["type"] == "text" else {"type": "thinking", "thinking": "", "signature": ""}
        )
        yield "content_block_start", {"type": "content_block_start", "index": index, "content_block": empty}
        if block["type"] == "text":
            for at in range(0, len(block["text"]), 400):
                delta = {"type": "text_delta", "text": block["text"][at : at + 400]}
                yield "content_block_delta", {"type": "content_block_delta", "index": index, "delta": delta}
        else:
            delta = {"type": "signature_delta", "signature": block["signature"]}
            yield "content_block_delta", {"type": "content_block_delta", "index": index, "delta": delta}
        yield "content_block_stop", {"type": "content_block_stop", "index": index}
    delta = {"stop_reason": message["stop_reason"], "stop_sequence": None}
    yield "message_delta", {"type": "message_delta", "delta": delta, "usage": {"output_tokens": usage["output_tokens"]}}
    yield "message_stop", {"type": "message_stop"}


# -- right answers ----------------------------------------------------------------------------------------------------


def right_answer(body: dict[str, Any]) -> dict[str, Any]:
    """An answer that fits the request: which task it is shows in the schema that is asked for."""
    properties = body["output_config"]["format"]["schema"]["properties"]
    text = said(body)
    blocks = data_blocks(text)
    if "prefixes" in properties:
        return {"prefixes": [{"chunk_id": row["chunk_id"], "prefix": a_prefix(row)} for row in rows_of(blocks[-1])]}
    if "summary" in properties:
        return {
            "summary": f"The texts regulate {hashlib.sha256(text.encode()).hexdigest()[:6]} and name duties and rights."
        }
    if "chunks" in properties and "questions" in str(properties):
        return {
            "chunks": [{"chunk_id": row["chunk_id"], "questions": some_questions(row)} for row in rows_of(blocks[-1])]
        }
    if "definitions" in properties:
        return {"definitions": list(definitions_in(blocks[0], text))}
    if "chunk_plan" in properties:
        return a_plan(blocks[0], text)
    if "chunks" in properties:
        return {
            "chunks": [
                {"chunk": r["chunk"], "denied": False, "reason": "it finds for the petitioner"}
                for r in rows_of(blocks[0])
            ]
        }
    listed = re.findall(r"^- ([^:\n]+):", text.rpartition("The list:")[2], re.M)
    return {"label": listed[0]}


def rows_of(block: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in block.split("\n")]


def a_prefix(row: dict[str, Any]) -> str:
    name = hashlib.sha256(row["preview"].encode()).hexdigest()[:4]
    return (
        f"This provision, marked {name}, lays down what an employer must do before work begins, who may inspect it, which records have to "
        "be kept and for how long, what happens when a deadline is missed, and how the person concerned can have the decision reviewed by "
        "a court, as part of the general rules of the law on duties."
    )


def some_questions(row: dict[str, Any]) -> list[str]:
    name = hashlib.sha256(row["text"].encode()).hexdigest()[:4]
    return [f"{word} must an employer do under rule {name}?" for word in ("What", "When", "Why", "How")]


def definitions_in(block: str, text: str) -> Iterator[dict[str, Any]]:
    section = json.loads(re.findall(r'^The section: (".*")$', text, re.M)[-1])
    title = json.loads(re.findall(r'^Document: (".*")$', text, re.M)[0])
    for line in block.split("\n"):
        number, _, said_there = line.partition("| ")
        if found := re.match(r'(?:\((\w+)\) )?"([^"]+)" means (.+)', said_there):
            yield {
                "term": found[2],
                "number": found[1],
                "first_line": int(number),
                "last_line": int(number),
                "text": f'Under {section} of the {title}, "{found[2]}" means {found[3]}',
            }


def a_plan(block: str, text: str) -> dict[str, Any]:
    appeal = "Document type: appeal_decision" in text
    tags = re.findall(r"^- (\w+):", text.rpartition("The criterion tags:")[2], re.M)
    chunks, excluded = [], []
    for line in block.split("\n"):
        number, _, said_there = line.partition("| ")
        if not said_there.strip():
            continue
        at = {"start_line": int(number), "end_line": int(number)}
        if appeal and "Director" in said_there:
            excluded.append({**at, "reason": "denied_argument"})
        else:
            chunks.append(
                {
                    **at,
                    "section": "Section A",
                    "level": None,
                    "criterion_tag": tags[0] if tags and appeal else None,
                    "legal_standard": None,
                    "is_winning_argument": appeal,
                }
            )
    return {"strategy": "One chunk per paragraph.", "chunk_plan": chunks, "excluded": excluded}

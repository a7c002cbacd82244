"""The Messages endpoint: an answer in one piece or streamed, and every fault that can befall it. Not here: Message Batches."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Iterator
from typing import Any

from legal_pipeline_tests.enrichment.anthropic_server.answers import right_answer
from legal_pipeline_tests.enrichment.anthropic_server.bodies import invalid, said
from legal_pipeline_tests.enrichment.anthropic_server.exchange import Exchange
from legal_pipeline_tests.enrichment.anthropic_server.state import Fault, Received, State


def post(handler: Exchange, body: dict[str, Any]) -> None:
    state = handler.state
    with state.lock:
        received = state.receive(body)
    if problem := invalid(body):
        handler.error(400, problem)
        return
    # Counted until the answer is on its way: a client that has the answer may ask again before this thread goes on.
    state.enter(1)
    fault = state.next_fault(body)
    time.sleep(state.latency)
    state.enter(-1)
    _answer(handler, body, received, fault)


def message(state: State, body: dict[str, Any], fault: Fault | None = None) -> dict[str, Any]:
    """The `Message` that answers `body`."""
    answer = (
        json.dumps(state.alter(right_answer(body), said(body)), ensure_ascii=False)
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
        "usage": state.usage(body, answer),
    }


def _answer(handler: Exchange, body: dict[str, Any], received: Received, fault: Fault | None) -> None:
    state = handler.state
    if fault is not None and fault.kind == "status":
        handler.error(fault.status, "it went wrong", fault.headers)
        return
    if fault is not None and fault.kind == "reset":
        handler.reset()
        return
    if fault is not None and fault.kind == "silence":
        time.sleep(fault.seconds)
        handler.reset()
        return
    answer = message(state, body, fault)
    if body.get("stream"):
        if not _stream(handler, answer, fault):
            return
    else:
        handler.json(answer)
    received.usage = answer["usage"]
    received.billed = True
    state.bill(body, answer)


def _stream(handler: Exchange, answer: dict[str, Any], fault: Fault | None) -> bool:
    """Server-sent events, as the API sends them. False where the answer was not sent whole."""
    handler.begin_chunks("text/event-stream; charset=utf-8")
    events = list(_events_of(answer))
    for index, (name, data) in enumerate(events):
        if index == len(events) // 2 and fault is not None and fault.kind == "break_off":
            handler.reset()
            return False
        if index == 2 and fault is not None and fault.kind == "stream_error":
            error = {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}
            handler.chunk(f"event: error\ndata: {json.dumps(error)}\n\n".encode())
            handler.chunk(b"")
            return False
        handler.chunk(f"event: {name}\ndata: {json.dumps(data, ensure_ascii=False)}\n\n".encode())
    handler.chunk(b"")
    return True


def _events_of(message: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
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

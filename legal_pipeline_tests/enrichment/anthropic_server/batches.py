"""The Message Batches endpoint: created, worked off when its time has come, listed, cancelled, its results streamed in any order.

Not here: single messages.
"""

from __future__ import annotations

import json
import random
import re
import time
from collections import Counter
from datetime import UTC, datetime, timedelta
from typing import Any

from legal_pipeline_tests.enrichment.anthropic_server.bodies import invalid
from legal_pipeline_tests.enrichment.anthropic_server.exchange import Exchange
from legal_pipeline_tests.enrichment.anthropic_server.messages import message
from legal_pipeline_tests.enrichment.anthropic_server.state import Batch, State

_CUSTOM_ID = re.compile(r"[a-zA-Z0-9_-]{1,64}")


def post(handler: Exchange, body: dict[str, Any]) -> None:
    state = handler.state
    ids = [request["custom_id"] for request in body["requests"]]
    problems = [problem for request in body["requests"] if (problem := invalid(request["params"]))]
    if len(set(ids)) < len(ids) or not ids or not all(_CUSTOM_ID.fullmatch(name) for name in ids):
        problems.append("requests: custom_id must be unique, 1 to 64 of [a-zA-Z0-9_-]")
    if problems:
        handler.error(400, problems[0])
        return
    fault = state.next_fault(body)
    if fault is not None and fault.kind == "status":
        handler.error(fault.status, "it went wrong", fault.headers)
        return
    batch = create_batch(state, body["requests"])
    with state.lock:
        drop = state.drop_created_batches > 0
        state.drop_created_batches -= drop
    if drop:
        handler.reset()
        return
    time.sleep(state.hold_created)
    handler.json(_as_json(state, batch))


def listing(handler: Exchange, query: dict[str, list[str]]) -> None:
    state = handler.state
    with state.lock:
        newest_first = list(reversed(state.batches.values()))
    if "after_id" in query:
        at = [batch.id for batch in newest_first].index(query["after_id"][0])
        newest_first = newest_first[at + 1 :]
    limit = int(query.get("limit", ["20"])[0])
    shown = [_as_json(state, batch) for batch in newest_first[:limit]]
    handler.json(
        {
            "data": shown,
            "has_more": len(newest_first) > limit,
            "first_id": shown[0]["id"] if shown else None,
            "last_id": shown[-1]["id"] if shown else None,
        }
    )


def one(handler: Exchange, batch: Batch, rest: list[str]) -> None:
    """A look at a batch, its cancellation, or its results."""
    state = handler.state
    if not rest and state.fail_retrievals > 0:
        state.fail_retrievals -= 1
        handler.error(500, "it went wrong")
    elif rest == ["results"]:
        _results(handler, batch)
    else:
        batch.cancelled = batch.cancelled or rest == ["cancel"]
        handler.json(_as_json(state, batch))


def create_batch(state: State, requests: list[dict[str, Any]]) -> Batch:
    with state.lock:
        ends_at = time.monotonic() + state.batch_seconds
        batch = Batch(f"msgbatch_{state.created:04d}", requests, datetime.now(UTC), ends_at)
        state.created += 1
        state.batches[batch.id] = batch
        state.submitted.update(request["custom_id"] for request in requests)
        return batch


def _settle(state: State, batch: Batch) -> None:
    """Work the batch off if its time has come."""
    with state.lock:
        if batch.results is not None or time.monotonic() < batch.ends_at:
            return
        fates = {r["custom_id"]: state.fate(r["custom_id"], state.submitted[r["custom_id"]]) for r in batch.requests}
        if "never" in fates.values() and (not batch.cancelled or state.ignore_cancel):
            return
        found = [_result(state, request, fates[request["custom_id"]]) for request in batch.requests]
        batch.results = [result for result in found if result is not None]
        random.Random(len(batch.results)).shuffle(batch.results)


def _result(state: State, request: dict[str, Any], fate: str) -> dict[str, Any] | None:
    """The line of one entry; None for one that is lost."""
    if fate == "lost":
        return None
    if fate == "succeeded":
        answer = message(state, request["params"])
        state.bill(request["params"], answer)
        result: dict[str, Any] = {"type": "succeeded", "message": answer}
    elif fate in ("errored", "invalid"):
        error = {"type": "api_error" if fate == "errored" else "invalid_request_error", "message": "it went wrong"}
        result = {"type": "errored", "error": {"type": "error", "error": error, "request_id": "req_1"}}
    else:
        result = {"type": "canceled" if fate == "never" else "expired"}
    return {"custom_id": request["custom_id"], "result": result}


def _as_json(state: State, batch: Batch) -> dict[str, Any]:
    _settle(state, batch)
    counts = dict.fromkeys(("processing", "succeeded", "errored", "canceled", "expired"), 0)
    if batch.results is None:
        counts["processing"] = len(batch.requests)
    else:
        counts.update(Counter(result["result"]["type"] for result in batch.results))
        counts["errored"] += len(batch.requests) - len(batch.results)  # they always add up, even if a line is lost
    ended = batch.results is not None
    results_url = f"{state.url}/v1/messages/batches/{batch.id}/results"
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
        "results_url": results_url if ended and not batch.archived else None,
    }


def _results(handler: Exchange, batch: Batch) -> None:
    state = handler.state
    _settle(state, batch)
    if batch.results is None:
        handler.error(400, "the batch has not ended")
        return
    with state.lock:
        broken = state.break_results > 0
        state.break_results -= broken
    handler.begin_chunks("application/x-jsonl")
    for number, result in enumerate(batch.results):
        if broken and number == 1:
            handler.reset()
            return
        line = (json.dumps(result, ensure_ascii=False) + "\n").encode()
        time.sleep(state.result_seconds)
        middle = len(line) // 2
        handler.chunk(line[:middle])  # a line need not come in one piece
        handler.chunk(line[middle:])
    handler.chunk(b"")

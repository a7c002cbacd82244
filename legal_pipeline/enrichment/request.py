"""One request to a language model, its hash in the journal, and the reply.

Not here: sending (`enrichment.interactive`, `enrichment.batches`) and the content of requests (`enrichment.pages`).
"""

from __future__ import annotations

import functools
import json
from dataclasses import dataclass, field
from typing import Any

from legal_pipeline.enrichment.enricher import Task, Usage
from legal_pipeline.model.identity import sha256_hex


@dataclass(frozen=True)
class Request:
    """`params` is the body for the Messages API, without `stream`. Requests with the same `lane` share a cached beginning: they are sent
    one after the other, so that all but the first use the cache."""

    task: Task
    document_id: str
    prompt_version: str
    params: dict[str, Any] = field(hash=False)
    lane: str = ""

    @functools.cached_property
    def key(self) -> str:
        """SHA-256 of the body, 64 hex digits: also the `custom_id` in a batch, whose limit is 64 characters."""
        return sha256_hex(self.body)

    @functools.cached_property
    def body(self) -> str:
        return json.dumps(self.params, ensure_ascii=False, sort_keys=True, separators=(",", ":"))

    @property
    def model(self) -> str:
        return str(self.params["model"])

    @property
    def max_tokens(self) -> int:
        return int(self.params["max_tokens"])


@dataclass(frozen=True)
class Reply:
    """The answer of the model. `usage.requests` is 0 if the answer came from the journal: it was paid for before."""

    text: str
    stop_reason: str
    usage: Usage


@dataclass(frozen=True)
class NoReply:
    """No answer, no cost, and the reason. `final`: another attempt cannot help. `batch` is the Message Batch whose results will hold the
    answer ("": its id is not known), None if there is no such batch."""

    reason: str
    final: bool = True
    batch: str | None = None


Outcome = Reply | NoReply


def storable(text: str) -> str:
    """Return `text` without characters that PostgreSQL refuses (NUL, half a surrogate pair), so that a paid answer is not lost."""
    return text.replace("\0", "").encode("utf-8", "replace").decode("utf-8")


def reply_of(message: Any) -> Reply:
    """Return the reply in a `Message` of the SDK. Blocks are selected by type: an answer may begin with a thinking block."""
    usage = message.usage
    return Reply(
        text=storable("".join(block.text for block in message.content if block.type == "text")),
        stop_reason=message.stop_reason or "",
        usage=Usage(
            requests=1,
            input_tokens=usage.input_tokens,
            output_tokens=usage.output_tokens,
            cache_read_tokens=usage.cache_read_input_tokens or 0,
            cache_write_tokens=usage.cache_creation_input_tokens or 0,
        ),
    )

"""One request to a language model, the hash that it is journalled under, and the reply.

Not here: how it is sent (`enrichment.interactive`, `enrichment.batches`) and what a task puts into it (`enrichment.pages`).
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
    """`params` is the body of the Messages API, without `stream`. Requests of one `lane` share the beginning that is cached: they are
    sent one after the other, so that all but the first find it in the cache."""

    task: Task
    document_id: str
    prompt_version: str
    params: dict[str, Any] = field(hash=False)
    lane: str = ""

    @functools.cached_property
    def key(self) -> str:
        """SHA-256 of the body, 64 hex digits: also the `custom_id` in a batch, whose limit is just that."""
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
    """What the model said. `usage.requests` is 0 where the answer came out of the journal: it was paid for before."""

    text: str
    stop_reason: str
    usage: Usage


@dataclass(frozen=True)
class NoReply:
    """Nothing was said, nothing was paid, and why. `final` says that asking once more cannot help. `batch` is the Message Batch that the
    answer will come out of ("": its id is not known), None where none will."""

    reason: str
    final: bool = True
    batch: str | None = None


Outcome = Reply | NoReply


def storable(text: str) -> str:
    """`text` without what PostgreSQL refuses (NUL, half a surrogate pair): an answer that is paid for must not be lost over it."""
    return text.replace("\0", "").encode("utf-8", "replace").decode("utf-8")


def reply_of(message: Any) -> Reply:
    """The reply in a `Message` of the SDK. Blocks are chosen by type: an answer may begin with a thinking block."""
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

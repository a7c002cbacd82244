"""Where an embedding server is and how it is asked. Not here: asking (`embedding.http_backend`)."""

from __future__ import annotations

from dataclasses import dataclass, field
from urllib.parse import urlsplit


@dataclass(frozen=True)
class Server:
    """`url`: the address of a TEI server, or of an OpenAI-compatible one to its `/v1`. `model` is the name that it serves the model under,
    empty where that is the model's own.
    `revision` and `max_tokens` are those of a model whose files are not here (`served_model`).
    `timeout_seconds` is the longest silence of an answer; `longest_wait_seconds` the longest pause that a `Retry-After` may ask for."""

    url: str
    model: str
    key: str | None = field(default=None, repr=False)
    revision: str | None = None
    max_tokens: int = 400
    batch: int = 32
    concurrency: int = 4
    timeout_seconds: float = 60.0
    attempts: int = 6
    longest_wait_seconds: float = 60.0

    @property
    def shown(self) -> str:
        """The address without what could be a password."""
        parts = urlsplit(self.url)
        return f"{parts.scheme}://{parts.hostname}{f':{parts.port}' if parts.port else ''}{parts.path}"

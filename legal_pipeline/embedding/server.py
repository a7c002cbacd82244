"""Address and limits of an embedding server. Not here: requests to it (`embedding.http_backend`)."""

from __future__ import annotations

from dataclasses import dataclass, field
from urllib.parse import urlsplit


@dataclass(frozen=True)
class Server:
    """`url`: the address of a TEI server, or the address up to `/v1` of an OpenAI-compatible server.

    `model` is the server's name for the model, empty if it is the model's own name. `revision` and `max_tokens` are for a model without
    local files (`served_model`). `timeout_seconds`: maximum time without data from the server; `longest_wait_seconds`: maximum
    `Retry-After` that is accepted.
    """

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
        """The address without user name, password and query."""
        parts = urlsplit(self.url)
        return f"{parts.scheme}://{parts.hostname}{f':{parts.port}' if parts.port else ''}{parts.path}"

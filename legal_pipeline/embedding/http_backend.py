"""Get vectors from an embedding server with OpenAI's protocol or TEI's: requests of limited size, several at a time, with retries.

Not here: request and response bodies (`http_protocols`).
"""

from __future__ import annotations

import contextlib
import functools
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar
from urllib.parse import urlsplit

import httpx
import numpy as np
from numpy.typing import NDArray

from legal_pipeline.embedding.http_protocols import BadAnswerError, OpenAi, Tei
from legal_pipeline.embedding.server import Server
from legal_pipeline.embedding.windows import Window
from legal_pipeline.errors import ConfigurationError, EmbeddingError, EmbeddingUnavailableError
from legal_pipeline.system.retries import RetryPolicy, retry_after

Answer = TypeVar("Answer")

#: Statuses after which the same request may succeed; TEI answers 424 if an inference failed.
_RETRYABLE = frozenset({408, 409, 424, 425, 429, 500, 502, 503, 504})

#: Status of a request that is too large, in bytes or texts.
_TOO_LARGE = 413

#: Statuses of `/info` from a server that is not TEI.
_NO_INFO = frozenset({400, 401, 403, 404, 405, 422})

#: Backoff in seconds.
_FIRST_PAUSE, _LONGEST_PAUSE = 0.5, 30.0


class HttpBackend:
    """A call returns all vectors or none.

    Raises EmbeddingUnavailableError if the server does not answer after all attempts, EmbeddingError if the answer is not vectors of one
    dimension, ConfigurationError if it refuses key, address or model.
    """

    def __init__(
        self, server: Server, *, dimension: int | None = None, sleep: Callable[[float], None] = time.sleep
    ) -> None:
        if urlsplit(server.url).scheme not in ("http", "https") or not urlsplit(server.url).hostname:
            raise ConfigurationError(f"{server.shown} is not an address of an embedding server: expected https://host")
        self._server = server
        self._sleep = sleep
        self._dimension = dimension
        self._lock = threading.Lock()
        headers = {"Authorization": f"Bearer {server.key}"} if server.key else {}
        self._client = httpx.Client(headers=headers, timeout=server.timeout_seconds)

    @property
    def description(self) -> str:
        return f"http ({self._protocol.label}) at {self._server.shown}"

    @property
    def fingerprint(self) -> str:
        return f"{self.description} {self._server.model}"

    @property
    def dimension(self) -> int:
        if self._dimension is None:
            self._ask(["dimension"])
        assert self._dimension is not None
        return self._dimension

    def encode(self, windows: Sequence[Window], *, is_question: bool = False) -> NDArray[np.float32]:
        """See `Backend.encode`. Texts of similar length are sent together; a server has no question adapter."""
        order = sorted(range(len(windows)), key=lambda at: -len(windows[at].text))
        size = min(self._server.batch, self._protocol.most_texts or self._server.batch)
        batches = [order[start : start + size] for start in range(0, len(order), size)]
        vectors = np.empty((len(windows), self.dimension), dtype=np.float32)
        pool = ThreadPoolExecutor(self._server.concurrency, thread_name_prefix="embedding")
        try:
            found = pool.map(lambda batch: self._ask([windows[at].text for at in batch]), batches)
            for batch, rows in zip(batches, found, strict=True):
                vectors[batch] = rows
        finally:
            pool.shutdown(cancel_futures=True)
        return vectors

    @functools.cached_property
    def _protocol(self) -> OpenAi | Tei:
        """The server's protocol. TEI identifies itself at `/info`; an address with `/v1` or a protocol's own path is not checked."""
        url = self._server.url.rstrip("/")
        if url.endswith("/embed"):
            return Tei(url, None)
        if url.endswith("/embeddings"):
            return OpenAi(url, self._server.model)
        if url.endswith("/v1"):
            return OpenAi(f"{url}/embeddings", self._server.model)
        answer = self._retry(lambda: self._client.get(f"{url}/info"), lambda answer: answer, _NO_INFO)
        info = _info(answer)
        if "model_id" in info:
            most = info.get("max_client_batch_size")
            return Tei(f"{url}/embed", most if isinstance(most, int) and most > 0 else None)
        return OpenAi(f"{url}/v1/embeddings", self._server.model)

    def _ask(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return (texts, dimension); split the texts in halves if the server refuses them as too large."""
        protocol = self._protocol

        def read(answer: httpx.Response) -> NDArray[np.float32]:
            return protocol.vectors(_json(answer), len(texts))

        try:
            vectors = self._retry(lambda: self._client.post(protocol.url, json=protocol.body(texts)), read)
        except _TooLargeError as error:
            if len(texts) == 1:
                raise EmbeddingError(
                    f"{self._server.shown} refuses a text of {len(texts[0]):,} characters as too large: {error}"
                ) from None
            middle = len(texts) // 2
            return np.concatenate([self._ask(texts[:middle]), self._ask(texts[middle:])])
        with self._lock:
            if self._dimension is None:
                self._dimension = vectors.shape[1]
        if vectors.shape[1] != self._dimension:
            raise EmbeddingError(
                f"{self._server.shown} gives vectors of dimension {vectors.shape[1]}, expected {self._dimension}"
            )
        return vectors

    def _retry(
        self,
        send: Callable[[], httpx.Response],
        read: Callable[[httpx.Response], Answer],
        allowed: frozenset[int] = frozenset(),
    ) -> Answer:
        """Return the result of `read` for the first successful answer, or for an answer with an `allowed` status."""

        def ask() -> Answer:
            try:
                answer = send()
                if answer.status_code in _RETRYABLE:
                    raise _PassingError(self._unavailable(f"status {answer.status_code}"), self._asked_to_wait(answer))
                if answer.is_success or answer.status_code in allowed:
                    return read(answer)
            except httpx.TransportError as error:
                problem = ": ".join(part for part in (type(error).__name__, str(error)) if part)
                raise _PassingError(self._unavailable(problem)) from error
            except BadAnswerError as error:
                useless = f"the embedding server {self._server.shown} gave an answer of no use: {error}"
                raise _PassingError(EmbeddingError(useless)) from error
            raise self._refusal(answer)

        try:
            return RetryPolicy(self._server.attempts, _FIRST_PAUSE, _LONGEST_PAUSE).call(
                ask,
                is_transient=lambda error: isinstance(error, _PassingError),
                wait=lambda error, backoff: max(
                    backoff, error.asked_to_wait if isinstance(error, _PassingError) else 0.0
                ),
                sleep=self._sleep,
            )
        except _PassingError as error:
            raise error.failure from error.__cause__

    def _unavailable(self, problem: str) -> EmbeddingUnavailableError:
        return EmbeddingUnavailableError(
            f"the embedding server {self._server.shown} failed {self._server.attempts} times, at last with {problem}"
        )

    def _asked_to_wait(self, answer: httpx.Response) -> float:
        """Return the seconds of a `Retry-After`. Raises EmbeddingUnavailableError if they exceed the configured maximum."""
        seconds = retry_after(answer.headers.get("Retry-After")) or 0.0
        if seconds > self._server.longest_wait_seconds:
            raise EmbeddingUnavailableError(
                f"the embedding server {self._server.shown} asks to wait {seconds:.0f} s, more than "
                f"{self._server.longest_wait_seconds:.0f}"
            )
        return seconds

    def _refusal(self, answer: httpx.Response) -> Exception:
        status = answer.status_code
        said = " ".join(answer.text[:300].split())
        if status == _TOO_LARGE:
            return _TooLargeError(said)
        if status in (400, 422):
            return EmbeddingError(
                f"the embedding server {self._server.shown} refused the texts (status {status}): {said}"
            )
        return ConfigurationError(
            f"the embedding server {self._server.shown} answers with status {status}: check address, model "
            f"{self._server.model} and key"
        )


class _PassingError(Exception):
    """A transient `failure`; retry after `asked_to_wait` seconds if the server gave a time."""

    def __init__(self, failure: EmbeddingError, asked_to_wait: float = 0.0) -> None:
        self.failure = failure
        self.asked_to_wait = asked_to_wait
        super().__init__(str(failure))


class _TooLargeError(Exception):
    pass


def _info(answer: httpx.Response) -> dict[str, Any]:
    with contextlib.suppress(BadAnswerError):
        if answer.is_success and isinstance(said := _json(answer), dict):
            return said
    return {}


def _json(answer: httpx.Response) -> Any:
    try:
        return answer.json()
    except ValueError:
        raise BadAnswerError("it is not JSON") from None

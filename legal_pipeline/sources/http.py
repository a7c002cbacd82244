"""An HTTP client for sources with rate limits: one host, few requests, every answer bounded in time and size.

Not here: the meaning of a source's answers (one module per source).
"""

from __future__ import annotations

import contextlib
import json
import sqlite3
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Protocol

import diskcache
import httpx

from legal_pipeline.sources.exchange import Exchange, Exchanged, HttpError, shown_request
from legal_pipeline.system.retries import RetryPolicy
from legal_pipeline.system.urls import check_web_address

USER_AGENT = "legal-pipeline/0.1 (legal search index; one request at a time)"

_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_MOST_REDIRECTS = 5

Params = Mapping[str, str | int]


@dataclass(frozen=True)
class Answer:
    """A complete answer. `url` is the requested address. `from_cache`: the server confirmed that the cached answer is still valid."""

    url: str
    data: bytes
    fetched_at: str
    from_cache: bool = False

    def json(self) -> dict[str, Any]:
        """Return the answer as a JSON object. Raises `HttpError`, transient: services answer in HTML during maintenance."""
        try:
            value = json.loads(self.data)
        except (ValueError, RecursionError):
            raise HttpError(f"{shown_request(httpx.URL(self.url))}: the answer is not JSON", transient=True) from None
        if not isinstance(value, dict):
            raise HttpError(f"{shown_request(httpx.URL(self.url))}: the answer is not a JSON object", transient=True)
        return value


@dataclass(frozen=True)
class Remembered:
    """A cached answer with the validators of its server."""

    data: bytes
    etag: str | None
    last_modified: str | None


class AnswerCache:
    """A cache of answers with validators, by address, in `folder`; the least recently used ones are deleted when there are too many bytes.

    Safe in any number of threads and processes.
    """

    def __init__(self, folder: Path, max_bytes: int = 1_000_000_000) -> None:
        self._kept = diskcache.Cache(str(folder), size_limit=max_bytes, eviction_policy="least-recently-used")

    def get(self, url: str) -> Remembered | None:
        # only bytes and text: objects that the library would pickle are never read back
        data, validators = self._kept.get(url, tag=True)
        if not isinstance(data, bytes) or validators is None:
            return None
        etag, modified = json.loads(validators)
        return Remembered(data, etag, modified)

    def put(self, url: str, answer: Remembered) -> None:
        self._kept.set(url, answer.data, tag=json.dumps([answer.etag, answer.last_modified]))

    def clear(self) -> None:
        """Delete all answers, also from the space that the cache's file keeps free."""
        self._kept.clear()
        with contextlib.closing(sqlite3.connect(Path(self._kept.directory) / "cache.db")) as database:
            database.execute("vacuum")
            database.execute("pragma wal_checkpoint(truncate)")

    def close(self) -> None:
        self._kept.close()


@dataclass(frozen=True)
class RequestPolicy:
    """The limits and retries for a host.

    `timeout_seconds` is the longest silence, `answer_seconds` the longest time for one whole exchange (from the connection to the last
    byte, with its redirects), `longest_wait_seconds` the longest pause that a `Retry-After` may request: a longer pause ends the request.
    Without `Retry-After` the first pause is `backoff_seconds`, and each further pause twice as long.
    """

    requests_per_second: float = 2.0
    timeout_seconds: float = 30.0
    answer_seconds: float = 300.0
    attempts: int = 4
    backoff_seconds: float = 1.0
    longest_wait_seconds: float = 60.0
    max_bytes: int = 40_000_000
    user_agent: str = USER_AGENT


class OpenClient(Protocol):
    """Opens a client for the API at `url`, with headers that are sent with every request."""

    def __call__(self, url: str, headers: Mapping[str, str] | None = None) -> HttpClient: ...


class HttpClient:
    """`GET` on one host, with pauses between requests, retries, conditional requests and limits. Safe in any number of threads.

    `headers` may contain a token: they are sent only to the host of `base_url`, because redirects and links to other hosts are refused.
    """

    def __init__(
        self,
        base_url: str,
        *,
        policy: RequestPolicy | None = None,
        headers: Mapping[str, str] | None = None,
        cache: AnswerCache | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """Raises `ConfigurationError` for an address that is not http or https, or is ambiguous."""
        self._base = httpx.URL(check_web_address(base_url).rstrip("/"))
        self._policy = policy or RequestPolicy()
        self._retries = RetryPolicy(self._policy.attempts, self._policy.backoff_seconds, jitter=(0.8, 1.2))
        self._cache = cache
        self._sleep = sleep
        self._lock = threading.Lock()
        self._next_request = 0.0
        self._exchange = Exchange(
            {"User-Agent": self._policy.user_agent, **(headers or {})}, silence_seconds=self._policy.timeout_seconds
        )

    def close(self) -> None:
        self._exchange.close()

    def address(self, path: str) -> str:
        """Return the whole address of `path`, without a password."""
        return str(self._target(path).copy_with(userinfo=b""))

    def get(self, address: str, params: Params | None = None, *, accept: str = "*/*") -> Answer:
        """Return the answer at `address`: a path under the base URL, or a link from the source, on the same host.

        Raises `HttpError`: not found and refused (with `status`), on another host, too large, or no answer after all attempts.
        """
        url = self._target(address)
        if params:
            url = url.copy_merge_params({name: str(value) for name, value in params.items()})
        return self._retries.call(
            lambda: self._once(url, accept),
            is_transient=lambda error: isinstance(error, HttpError) and error.transient,
            wait=self._pause,
            sleep=self._sleep,
        )

    def _once(self, url: httpx.URL, accept: str) -> Answer:
        remembered = self._cache.get(_key(url)) if self._cache is not None else None
        headers = {"Accept": accept}
        if remembered is not None and remembered.etag:
            headers["If-None-Match"] = remembered.etag
        if remembered is not None and remembered.last_modified:
            headers["If-Modified-Since"] = remembered.last_modified
        target = url
        left = self._policy.answer_seconds
        for _ in range(_MOST_REDIRECTS + 1):
            self._wait_for_turn()
            began = time.monotonic()
            answer = self._exchange.get(target, headers, deadline=began + left, max_bytes=self._policy.max_bytes)
            left -= time.monotonic() - began
            if answer.status in _REDIRECTS and "location" in answer.headers:
                target = self._target(_joined(target, answer.headers["location"]))
                continue
            if answer.status == 304 and remembered is not None:
                return Answer(str(url), remembered.data, _now(), from_cache=True)
            if answer.status != 200:
                raise answer.refusal(target)
            self._remember(url, answer)
            return Answer(str(url), answer.data, _now())
        raise HttpError(f"{shown_request(url)}: more than {_MOST_REDIRECTS} redirects")

    def _remember(self, url: httpx.URL, answer: Exchanged) -> None:
        etag, modified = answer.headers.get("etag"), answer.headers.get("last-modified")
        if self._cache is not None and (etag or modified):
            self._cache.put(_key(url), Remembered(answer.data, etag, modified))

    def _target(self, address: str) -> httpx.URL:
        """Return `address` as a URL on the host of this client.

        Sources give links without a scheme, and http links behind an https proxy.
        """
        if address.startswith("/") and not address.startswith("//"):
            address = f"{str(self._base).rstrip('/')}{address}"
        try:
            url = self._base.join(address)
        except httpx.InvalidURL:
            raise HttpError("a link of the source is not an address") from None
        if url.scheme == "http" and self._base.scheme == "https" and url.port is None:
            url = url.copy_with(scheme="https", port=None)
        if (url.scheme, url.host, url.port) != (self._base.scheme, self._base.host, self._base.port):
            raise HttpError(f"a link leads from {self._base.host} to {url.host or 'nowhere'}: not followed")
        return url

    def _wait_for_turn(self) -> None:
        with self._lock:
            now = time.monotonic()
            turn = max(now, self._next_request)
            self._next_request = turn + 1 / self._policy.requests_per_second
        if turn > now:
            self._sleep(turn - now)

    def _pause(self, failed: BaseException, backoff: float) -> float:
        assert isinstance(failed, HttpError)
        asked = failed.retry_after
        if asked is None:
            return backoff
        if asked > self._policy.longest_wait_seconds:
            raise HttpError(
                f"{failed}; it asks to wait {asked:g} seconds, at most {self._policy.longest_wait_seconds:g} are allowed",
                status=failed.status,
                transient=True,
            )
        return asked


def _key(url: httpx.URL) -> str:
    """Return the address without a password, because it is written to disk."""
    return str(url.copy_with(userinfo=b""))


def _joined(url: httpx.URL, link: str) -> str:
    try:
        return str(url.join(link))
    except httpx.InvalidURL:
        raise HttpError(f"{shown_request(url)}: leads to a link that is not an address") from None


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")

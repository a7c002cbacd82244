"""One HTTP request with its complete answer: one deadline for all of it, one content coding, decompressed within one limit of bytes.

Not here: retries, caching, and the permitted hosts (`sources.http`).
"""

from __future__ import annotations

import base64
import contextlib
import threading
import time
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import httpcore
import httpx

from legal_pipeline.errors import LegalPipelineError
from legal_pipeline.system.retries import retry_after

#: Statuses after which a repeated request may succeed.
_RETRYABLE_STATUSES = frozenset({408, 425, 429, 500, 502, 503, 504})

#: The requested content coding, by both of its names, and the window bits by which zlib identifies it.
_GZIP = frozenset({"gzip", "x-gzip"})
_GZIP_BITS = 16 + zlib.MAX_WBITS


class HttpError(LegalPipelineError):
    """A request without a usable answer.

    `status` is None if there was no answer; `retry_after` are the seconds to wait that the server states.

    The message contains method, host and path; never a query, a header or text of the server, which may repeat a token.
    """

    def __init__(
        self, message: str, *, status: int | None = None, transient: bool = False, retry_after: float | None = None
    ) -> None:
        self.status = status
        self.transient = transient
        self.retry_after = retry_after
        super().__init__(message)


class AnswerTooLargeError(HttpError):
    """An answer above the size limit; it was not read to its end."""


@dataclass(frozen=True)
class Exchanged:
    """A received answer.

    `headers` by lower-case name, several of one name joined with commas; `data` is decompressed, and empty for every status except 200.
    """

    status: int
    headers: Mapping[str, str]
    data: bytes

    def refusal(self, url: httpx.URL, method: str = "GET") -> HttpError:
        """Return the error for the status of the answer to `url`."""
        return HttpError(
            f"{shown_request(url, method)}: HTTP {self.status}",
            status=self.status,
            transient=self.status in _RETRYABLE_STATUSES,
            retry_after=retry_after(self.headers.get("retry-after")),
        )


class Exchange:
    """Requests to one host over pooled connections. Safe in any number of threads."""

    def __init__(
        self,
        headers: Mapping[str, str],
        *,
        silence_seconds: float,
        network: httpcore.NetworkBackend | None = None,
    ) -> None:
        """`headers` are sent with every request; `silence_seconds` is the longest wait for the next byte.

        `network` opens the connections.
        """
        self._headers = dict(headers)
        self._timeouts = dict.fromkeys(("connect", "read", "write", "pool"), silence_seconds)
        self._backend = _DeadlineBackend(network or httpcore.SyncBackend())
        # no proxy and no .netrc of the environment: they would see or change the request
        self._pool = httpcore.ConnectionPool(network_backend=self._backend, keepalive_expiry=5.0)

    def close(self) -> None:
        self._pool.close()

    def get(self, url: httpx.URL, headers: Mapping[str, str], *, deadline: float, max_bytes: int) -> Exchanged:
        """Return the answer to one request, at most `max_bytes` long; `deadline` is in `time.monotonic()` seconds.

        Raises `HttpError`, transient if the connection failed or the time ran out, and `AnswerTooLargeError`.
        """
        sent = {**headers, "Accept-Encoding": "gzip"}
        with self._asked("GET", url, sent, deadline) as response:
            received = _headers(response.headers)
            data = _body(url, received, response.iter_stream(), max_bytes) if response.status == 200 else b""
            return Exchanged(response.status, received, data)

    def post(self, url: httpx.URL, headers: Mapping[str, str], content: bytes, *, deadline: float) -> Exchanged:
        """Return the status and the headers of the answer, whose body is not read. Raises `HttpError` as `get` does."""
        with self._asked("POST", url, headers, deadline, content) as response:
            return Exchanged(response.status, _headers(response.headers), b"")

    @contextlib.contextmanager
    def _asked(
        self, method: str, url: httpx.URL, headers: Mapping[str, str], deadline: float, content: bytes | None = None
    ) -> Iterator[httpcore.Response]:
        try:
            with (
                self._backend.until(deadline),
                self._pool.stream(
                    method,
                    httpcore.URL(scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path),
                    headers=list({**_authorization(url), **self._headers, **headers}.items()),
                    content=content,
                    extensions={"timeout": self._timeouts},
                ) as response,
            ):
                yield response
        except _FAILURES as error:
            # not chained: the library's error may contain the request with its headers
            raise HttpError(
                f"{shown_request(url, method)}: {_words(error)}",
                transient=not isinstance(error, httpcore.LocalProtocolError),
            ) from None


_FAILURES = (httpcore.TimeoutException, httpcore.NetworkError, httpcore.ProtocolError, httpcore.UnsupportedProtocol)


def shown_request(url: httpx.URL, method: str = "GET") -> str:
    """Return host and path of `url`: no user, password or query."""
    return f"{method} {url.host}{url.path}"


# -- the deadline -----------------------------------------------------------------------------------------------------


class _OverdueError(httpcore.ReadTimeout):
    """The whole exchange took too long, even if data was still arriving."""


class _DeadlineBackend(httpcore.NetworkBackend):
    """Connections on which no call waits beyond the deadline of the calling thread.

    The library's timeouts restart with each byte, so they do not end the exchange with a server that sends a byte from time to time.
    """

    def __init__(self, inner: httpcore.NetworkBackend) -> None:
        self._inner = inner
        self._thread = threading.local()

    @contextlib.contextmanager
    def until(self, deadline: float) -> Iterator[None]:
        self._thread.deadline = deadline
        self._thread.began = time.monotonic()
        try:
            yield
        finally:
            del self._thread.deadline

    @contextlib.contextmanager
    def waiting(self, timeout: float | None) -> Iterator[float]:
        """Yield the seconds that the block may wait. Raises `_OverdueError` if the deadline has passed, before or after."""
        deadline: float = self._thread.deadline
        left = deadline - time.monotonic()
        if left <= 0:
            raise _OverdueError(self._told(deadline))
        try:
            yield left if timeout is None else min(left, timeout)
        except httpcore.TimeoutException:
            if time.monotonic() >= deadline:
                raise _OverdueError(self._told(deadline)) from None
            raise

    def _told(self, deadline: float) -> str:
        return f"no end after {deadline - self._thread.began:.3g} seconds"

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.NetworkStream:
        with self.waiting(timeout) as seconds:
            stream = self._inner.connect_tcp(host, port, seconds, local_address, socket_options)
        return _DeadlineStream(stream, self)


class _DeadlineStream(httpcore.NetworkStream):
    def __init__(self, inner: httpcore.NetworkStream, backend: _DeadlineBackend) -> None:
        self._inner = inner
        self._backend = backend

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        with self._backend.waiting(timeout) as seconds:
            return self._inner.read(max_bytes, seconds)

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        with self._backend.waiting(timeout) as seconds:
            self._inner.write(buffer, seconds)

    def start_tls(
        self, ssl_context: Any, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.NetworkStream:
        with self._backend.waiting(timeout) as seconds:
            return _DeadlineStream(self._inner.start_tls(ssl_context, server_hostname, seconds), self._backend)

    def close(self) -> None:
        self._inner.close()

    def get_extra_info(self, info: str) -> Any:
        return self._inner.get_extra_info(info)


# -- the body ---------------------------------------------------------------------------------------------------------


def _body(url: httpx.URL, headers: Mapping[str, str], packed: Iterable[bytes], max_bytes: int) -> bytes:
    stated = headers.get("content-length", "")
    if stated.isascii() and stated.isdigit() and int(stated[:18]) > max_bytes:
        raise _too_large(url, max_bytes)
    data = bytearray()
    received = 0
    unpack = _Unpacking(url, headers.get("content-encoding", ""), max_bytes)
    for piece in packed:
        received += len(piece)
        data += unpack.take(piece, max_bytes - len(data))
        # received bytes count too: a compressed answer may be long and decompress to nothing
        if max(received, len(data)) > max_bytes:
            raise _too_large(url, max_bytes)
    unpack.end()
    return bytes(data)


class _Unpacking:
    """Decompresses one coding piece by piece, never beyond the limit: a kilobyte of gzip may contain a gigabyte."""

    def __init__(self, url: httpx.URL, codings: str, max_bytes: int) -> None:
        names = [name for part in codings.split(",") if (name := part.strip().lower()) not in ("", "identity")]
        if len(names) > 1:
            raise HttpError(f"{shown_request(url)}: the answer is packed {len(names)} times, expected once at most")
        if not _GZIP.issuperset(names):
            raise HttpError(
                f"{shown_request(url)}: the answer is packed in a way that was not asked for, expected gzip"
            )
        self._url = url
        self._max_bytes = max_bytes
        self._unpacker = zlib.decompressobj(_GZIP_BITS) if names else None

    def take(self, piece: bytes, room: int) -> bytes:
        """Return `piece` decompressed. Raises `AnswerTooLargeError` for more than `room` bytes."""
        if self._unpacker is None:
            return piece
        out = bytearray()
        while piece:
            if self._unpacker.eof:  # gzip data may be several parts that were compressed separately
                self._unpacker = zlib.decompressobj(_GZIP_BITS)
            try:
                out += self._unpacker.decompress(piece, room - len(out) + 1)
            except zlib.error:
                raise self._broken() from None
            if len(out) > room:
                raise _too_large(self._url, self._max_bytes)
            piece = self._unpacker.unused_data
        return bytes(out)

    def end(self) -> None:
        if self._unpacker is not None and not self._unpacker.eof:
            raise self._broken()

    def _broken(self) -> HttpError:
        return HttpError(f"{shown_request(self._url)}: the answer cannot be unpacked", transient=True)


# -- headers ----------------------------------------------------------------------------------------------------------


def _headers(raw: Iterable[tuple[bytes, bytes]]) -> dict[str, str]:
    found: dict[str, str] = {}
    for name, value in raw:
        key, text = name.decode("latin-1").lower(), value.decode("latin-1")
        found[key] = f"{found[key]}, {text}" if key in found else text
    return found


def _authorization(url: httpx.URL) -> dict[str, str]:
    """Return the header for a user and a password in the address."""
    if not url.userinfo:
        return {}
    return {"Authorization": f"Basic {base64.b64encode(f'{url.username}:{url.password}'.encode()).decode('ascii')}"}


def _too_large(url: httpx.URL, limit: int) -> AnswerTooLargeError:
    return AnswerTooLargeError(f"{shown_request(url)}: more than {limit:,} bytes (LEGAL_PIPELINE_MAX_DOCUMENT_BYTES)")


def _words(error: Exception) -> str:
    if isinstance(error, _OverdueError):
        return str(error)
    if isinstance(error, httpcore.TimeoutException):
        return "no answer in time"
    if isinstance(error, httpcore.ConnectError):
        return "no connection"
    if isinstance(error, httpcore.RemoteProtocolError):
        return "the connection ended before the answer did"
    return type(error).__name__

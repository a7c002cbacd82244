"""The clients: `Client` blocks until each answer, `AsyncClient` is awaited. Their methods are the functions of `endpoints`.

Not here: reading an answer (`exchange`).
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Sequence
from typing import Any, Concatenate, ParamSpec, Self, TypeVar

import httpx

from legal_pipeline.client import endpoints
from legal_pipeline.client.endpoints import Call
from legal_pipeline.client.exchange import Exchange, unavailable
from legal_pipeline.reading.answers import DocumentPage, LawChanges

P = ParamSpec("P")
T = TypeVar("T")
PageT = TypeVar("PageT", DocumentPage, LawChanges)
ItemT = TypeVar("ItemT")
MethodT = TypeVar("MethodT", bound=Callable[..., Any])

#: Default address of `legal-pipeline serve`.
LOCAL = "http://127.0.0.1:8000"

#: Default timeout of an answer in seconds: the first search after a start loads the models.
_SECONDS = 60.0


def _options(url: str, key: str | None, timeout: float) -> dict[str, Any]:
    """Return the options for opening either client of httpx."""
    return {"base_url": url, "headers": {"Authorization": f"Bearer {key}"} if key else {}, "timeout": timeout}


def _sent(endpoint: Callable[P, Call[T]]) -> Callable[Concatenate[Client, P], T]:
    """Return the method of `Client` that calls `endpoint`."""

    def method(client: Client, /, *arguments: P.args, **named: P.kwargs) -> T:
        return client.send(endpoint(*arguments, **named))

    return _described(method, endpoint)


def _awaited(endpoint: Callable[P, Call[T]]) -> Callable[Concatenate[AsyncClient, P], Coroutine[Any, Any, T]]:
    """Return the method of `AsyncClient` that calls `endpoint`."""

    async def method(client: AsyncClient, /, *arguments: P.args, **named: P.kwargs) -> T:
        return await client.send(endpoint(*arguments, **named))

    return _described(method, endpoint)


def _paged(
    endpoint: Callable[P, Call[PageT]], items: Callable[[PageT], Sequence[ItemT]]
) -> Callable[Concatenate[Client, P], Iterator[ItemT]]:
    """Return the method of `Client` that yields the items of all pages of `endpoint`; each page is requested when it is needed."""

    def method(client: Client, /, *arguments: P.args, **named: P.kwargs) -> Iterator[ItemT]:
        while True:
            page = client.send(endpoint(*arguments, **named))
            yield from items(page)
            if page.next_cursor is None:
                return
            named["cursor"] = page.next_cursor

    return _described(method, endpoint)


def _paged_awaited(
    endpoint: Callable[P, Call[PageT]], items: Callable[[PageT], Sequence[ItemT]]
) -> Callable[Concatenate[AsyncClient, P], AsyncIterator[ItemT]]:
    """Return the same method as `_paged`, for `async for`."""

    async def method(client: AsyncClient, /, *arguments: P.args, **named: P.kwargs) -> AsyncIterator[ItemT]:
        while True:
            page = await client.send(endpoint(*arguments, **named))
            for item in items(page):
                yield item
            if page.next_cursor is None:
                return
            named["cursor"] = page.next_cursor

    return _described(method, endpoint)


def _described(method: MethodT, endpoint: Callable[..., Any]) -> MethodT:
    """Return `method` with name, docstring and parameters of `endpoint`."""
    functools.update_wrapper(method, endpoint)
    signature = inspect.signature(endpoint)
    client = inspect.Parameter("self", inspect.Parameter.POSITIONAL_ONLY)
    parameters = [client, *signature.parameters.values()]
    method.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    return method


class Client:
    """The HTTP API of a running `legal-pipeline serve`: a method for each endpoint, with the same answers as `LawReader`.

    Thread-safe. Methods raise a `ServiceError`: `InvalidRequestError`, `AccessDeniedError`, `AnswerNotFoundError`, `RateLimitError`, or
    `ServiceUnavailableError`, also if there is no server at `url`.
    """

    search = _sent(endpoints.search)
    documents = _sent(endpoints.documents)
    document = _sent(endpoints.document)
    outline = _sent(endpoints.outline)
    document_diff = _sent(endpoints.document_diff)
    export = _sent(endpoints.export)
    document_cited_by = _sent(endpoints.document_cited_by)
    coverage = _sent(endpoints.coverage)
    provision = _sent(endpoints.provision)
    versions = _sent(endpoints.versions)
    diff = _sent(endpoints.diff)
    cited_by = _sent(endpoints.cited_by)
    resolve = _sent(endpoints.resolve)
    verify = _sent(endpoints.verify)
    changes = _sent(endpoints.changes)
    changes_feed = _sent(endpoints.changes_feed)
    subscribe = _sent(endpoints.subscribe)
    subscriptions = _sent(endpoints.subscriptions)
    subscription = _sent(endpoints.subscription)
    unsubscribe = _sent(endpoints.unsubscribe)
    healthz = _sent(endpoints.healthz)
    metrics = _sent(endpoints.metrics)
    all_documents = _paged(endpoints.documents, lambda page: page.documents)
    all_changes = _paged(endpoints.changes, lambda page: page.changes)

    def __init__(
        self,
        url: str = LOCAL,
        *,
        key: str | None = None,
        timeout: float = _SECONDS,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        """`url`: the address of `legal-pipeline serve`. `key`: made by `legal-pipeline keys create`; not needed on the loopback address.
        `timeout`: maximum seconds for a connection or an answer. `transport`: a transport of httpx, for example for own certificates."""
        self._http = httpx.Client(**_options(url, key, timeout), transport=transport)
        self._exchange = Exchange(self._http)

    def send(self, call: Call[T]) -> T:
        """Return the answer to `call`."""
        request = self._exchange.request(call)
        try:
            response = self._http.send(request)
        except httpx.TransportError as error:
            raise unavailable(request, error) from error
        return self._exchange.answer(call, request, response)

    def close(self) -> None:
        self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class AsyncClient:
    """The awaited form of `Client`: `async with AsyncClient() as client: await client.search("…")`."""

    search = _awaited(endpoints.search)
    documents = _awaited(endpoints.documents)
    document = _awaited(endpoints.document)
    outline = _awaited(endpoints.outline)
    document_diff = _awaited(endpoints.document_diff)
    export = _awaited(endpoints.export)
    document_cited_by = _awaited(endpoints.document_cited_by)
    coverage = _awaited(endpoints.coverage)
    provision = _awaited(endpoints.provision)
    versions = _awaited(endpoints.versions)
    diff = _awaited(endpoints.diff)
    cited_by = _awaited(endpoints.cited_by)
    resolve = _awaited(endpoints.resolve)
    verify = _awaited(endpoints.verify)
    changes = _awaited(endpoints.changes)
    changes_feed = _awaited(endpoints.changes_feed)
    subscribe = _awaited(endpoints.subscribe)
    subscriptions = _awaited(endpoints.subscriptions)
    subscription = _awaited(endpoints.subscription)
    unsubscribe = _awaited(endpoints.unsubscribe)
    healthz = _awaited(endpoints.healthz)
    metrics = _awaited(endpoints.metrics)
    all_documents = _paged_awaited(endpoints.documents, lambda page: page.documents)
    all_changes = _paged_awaited(endpoints.changes, lambda page: page.changes)

    def __init__(
        self,
        url: str = LOCAL,
        *,
        key: str | None = None,
        timeout: float = _SECONDS,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        """See `Client`."""
        self._http = httpx.AsyncClient(**_options(url, key, timeout), transport=transport)
        self._exchange = Exchange(self._http)

    async def send(self, call: Call[T]) -> T:
        """Return the answer to `call`."""
        request = self._exchange.request(call)
        try:
            response = await self._http.send(request)
        except httpx.TransportError as error:
            raise unavailable(request, error) from error
        return self._exchange.answer(call, request, response)

    async def close(self) -> None:
        await self._http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

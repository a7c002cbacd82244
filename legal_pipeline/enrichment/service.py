"""The Anthropic API through its SDK: one call per method, and every failure of a call as a `ServiceError`.

The retries of the SDK are off: they wait as long as the service asks, without a limit. Its exceptions hold the HTTP request with the key in
its headers, so none of them leaves this module. Not here: retries (`enrichment.interactive`, `enrichment.batches`).
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from pydantic import SecretStr

from legal_pipeline.enrichment.request import Reply, Request, reply_of
from legal_pipeline.errors import ConfigurationError, LanguageModelError
from legal_pipeline.settings import Settings
from legal_pipeline.system.retries import retry_after

if TYPE_CHECKING:
    import anthropic

#: Statuses of a temporary state of the service, not of the request.
_TRANSIENT_STATUSES = frozenset({408, 409, 429})
_TRANSIENT_TYPES = frozenset({"rate_limit_error", "overloaded_error", "api_error", "timeout_error"})
#: Statuses that every other request would get too: key, account, permission, model.
_FATAL_STATUSES = frozenset({401, 402, 403, 404})
_FATAL_TYPES = frozenset({"authentication_error", "billing_error", "permission_error", "not_found_error"})

#: Batches per page of a list. The service keeps results of a batch for 29 days; a list is read no further back than necessary.
_LIST_PAGE = 100

T = TypeVar("T")


class ServiceError(LanguageModelError):
    """A call failed. `transient`: it may succeed if repeated, after `retry_after` seconds if the service gives a time. `fatal`: every
    other call will fail too. `missing`: the requested object does not exist."""

    def __init__(
        self,
        reason: str,
        *,
        transient: bool,
        fatal: bool = False,
        missing: bool = False,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(reason)
        self.transient = transient
        self.fatal = fatal
        self.missing = missing
        self.retry_after = retry_after


@dataclass(frozen=True)
class BatchState:
    """`gone`: the batch has ended and its results are no longer available (deleted, or older than 29 days)."""

    id: str
    ended: bool
    gone: bool
    size: int
    created_at: datetime


@dataclass(frozen=True)
class BatchEntry:
    """One line of a batch's results: `reply` if it succeeded, else `problem`. `final`: the same request would fail again."""

    key: str
    reply: Reply | None
    problem: Literal["", "errored", "expired", "canceled"] = ""
    final: bool = False


def open_service(settings: Settings) -> Service:
    """Return the service that the settings name. Raises `ConfigurationError` without a key; makes no request yet."""
    if settings.anthropic_api_key is None:
        raise ConfigurationError("ANTHROPIC_API_KEY is not set: Claude cannot be asked")
    return Service(
        settings.anthropic_api_key, base_url=settings.anthropic_base_url, timeout=settings.llm_timeout_seconds
    )


class Service:
    """`base_url` None is the public address. `timeout`: maximum seconds without data within one answer."""

    def __init__(self, api_key: SecretStr, *, base_url: str | None, timeout: float) -> None:
        self._api_key = api_key
        self._base_url = base_url
        self._timeout = timeout

    def send(self, request: Request) -> Reply:
        """Return the complete answer, streamed: a long answer must not exceed a time limit, and an answer that breaks off is detected."""
        return self._call(lambda: self._stream(request))

    def count_tokens(self, request: Request) -> int:
        """Return the input tokens of `request` as the service counts them; free of charge."""
        fields = {name: value for name, value in request.params.items() if name != "max_tokens"}
        return self._call(lambda: self._client.messages.count_tokens(**fields).input_tokens)

    def create_batch(self, requests: Sequence[Request]) -> str:
        entries: list[Any] = [{"custom_id": request.key, "params": request.params} for request in requests]
        return self._call(lambda: self._client.messages.batches.create(requests=entries).id)

    def batch(self, batch_id: str) -> BatchState:
        return self._call(lambda: _state(self._client.messages.batches.retrieve(batch_id)))

    def cancel_batch(self, batch_id: str) -> None:
        self._call(lambda: self._client.messages.batches.cancel(batch_id))

    def batches_since(self, since: datetime) -> list[BatchState]:
        """Return the batches of this key created at `since` or later, newest first."""

        def read() -> list[BatchState]:
            found = []
            for batch in self._client.messages.batches.list(limit=_LIST_PAGE):
                if batch.created_at < since:
                    break
                found.append(_state(batch))
            return found

        return self._call(read)

    def results(self, batch_id: str) -> Iterator[BatchEntry]:
        """Yield the results, streamed, in the service's order. A broken stream raises `ServiceError` after the entries received."""
        entries = self._call(lambda: iter(self._client.messages.batches.results(batch_id)))
        while True:
            entry = self._call(lambda: next(entries, None))
            if entry is None:
                return
            yield _entry(entry)

    def close(self) -> None:
        if "_client" in self.__dict__:
            self._client.close()

    # -- helper methods -----------------------------------------------------------------------------------------------

    @functools.cached_property
    def _client(self) -> anthropic.Anthropic:
        import anthropic

        return anthropic.Anthropic(
            api_key=self._api_key.get_secret_value(),
            base_url=self._base_url,
            max_retries=0,
            timeout=anthropic.Timeout(self._timeout, connect=min(10.0, self._timeout)),
        )

    def _stream(self, request: Request) -> Reply:
        with self._client.messages.stream(**request.params) as stream:
            message = stream.get_final_message()
        if message.stop_reason is None:
            raise ServiceError("the answer broke off", transient=True)
        return reply_of(message)

    def _call(self, work: Callable[[], T]) -> T:
        try:
            return work()
        except Exception as error:
            failure = self._failure(error)
        # raised outside the handler: the SDK's exception, which holds the key, must not become the context of this one
        raise failure

    def _failure(self, error: Exception) -> ServiceError:
        import anthropic

        if isinstance(error, ServiceError):
            return error
        if isinstance(error, anthropic.APIStatusError):
            kind = error.type or ""
            status = error.status_code
            message = error.api_message or kind or "no reason given"
            return ServiceError(
                self._scrubbed(f"the service answered {status} {kind}: {message[:300]}"),
                transient=status in _TRANSIENT_STATUSES or status >= 500 or kind in _TRANSIENT_TYPES,
                fatal=status in _FATAL_STATUSES or kind in _FATAL_TYPES,
                missing=status == 404,
                retry_after=retry_after(error.response.headers.get("retry-after")),
            )
        # timeouts, resets, an incomplete stream, a body that is not JSON: treated as network errors
        return ServiceError(self._scrubbed(f"no answer ({type(error).__name__}: {str(error)[:200]})"), transient=True)

    def _scrubbed(self, text: str) -> str:
        return text.replace(self._api_key.get_secret_value(), "***")


def _state(batch: Any) -> BatchState:
    counts = batch.request_counts
    size = counts.processing + counts.succeeded + counts.errored + counts.canceled + counts.expired
    ended = batch.processing_status == "ended"
    return BatchState(batch.id, ended, ended and batch.results_url is None, size, batch.created_at)


def _entry(entry: Any) -> BatchEntry:
    result = entry.result
    if result.type == "succeeded":
        return BatchEntry(entry.custom_id, reply_of(result.message))
    if result.type == "errored":
        return BatchEntry(entry.custom_id, None, "errored", final=result.error.error.type == "invalid_request_error")
    return BatchEntry(entry.custom_id, None, result.type)

"""Requests and answers of the HTTP API without the connection: the shared code of both clients.

Not here: the endpoints (`endpoints`) and the connections (`clients`).
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Mapping
from datetime import date
from typing import Any, TypeVar, cast

import httpx
from pydantic import BaseModel, ValidationError

from legal_pipeline.client.endpoints import Call
from legal_pipeline.errors import (
    AccessDeniedError,
    AnswerNotFoundError,
    InvalidRequestError,
    RateLimitError,
    ServiceError,
    ServiceUnavailableError,
)

T = TypeVar("T")

#: Maximum number of answers that a client keeps for conditional requests.
_MOST_KEPT = 128

#: Maximum characters of an answer that is not a problem detail in an error message.
_MAX_TOLD = 200

#: The request extension with the earlier response, if the answer is known.
_KNOWN = "legal_pipeline.known"

_ERRORS: Mapping[int, type[ServiceError]] = {
    400: InvalidRequestError,
    401: AccessDeniedError,
    403: AccessDeniedError,
    404: AnswerNotFoundError,
    422: InvalidRequestError,
    429: RateLimitError,
    502: ServiceUnavailableError,
    503: ServiceUnavailableError,
    504: ServiceUnavailableError,
}


class Problem(BaseModel):
    """The fields that are read of a problem detail (RFC 9457)."""

    detail: str
    errors: list[dict[str, Any]] | None = None


class Exchange:
    """Converts calls to requests and responses to typed answers. Keeps the latest answers with their ETags, so that an unchanged answer is
    not sent again. Thread-safe."""

    def __init__(self, http: httpx.Client | httpx.AsyncClient) -> None:
        """`http` builds the requests, with its address and headers."""
        self._http = http
        self._kept: OrderedDict[str, httpx.Response] = OrderedDict()
        self._lock = threading.Lock()

    def request(self, call: Call[T]) -> httpx.Request:
        parameters = {name: _written(value) for name, value in call.parameters.items() if value not in (None, (), [])}
        request = self._http.build_request(call.method, call.path, params=parameters, json=call.body)
        known = self._kept.get(str(request.url))
        if known is not None:
            request.headers["If-None-Match"] = known.headers["ETag"]
            request.extensions[_KNOWN] = known
        return request

    def answer(self, call: Call[T], request: httpx.Request, response: httpx.Response) -> T:
        """Return the answer to `request`. Raises the error in the response."""
        if response.status_code == httpx.codes.NOT_MODIFIED and _KNOWN in request.extensions:
            response = request.extensions[_KNOWN]
        elif not response.is_success:
            raise _error(response)
        if "ETag" in response.headers:
            self._keep(str(request.url), response)
        if issubclass(call.answer, BaseModel):
            try:
                return cast("T", call.answer.model_validate_json(response.content))
            except ValidationError as error:
                raise ServiceError(
                    f"{request.url}: the answer is not a {call.answer.__name__} of this version of the package: "
                    f"{error.errors(include_input=False)[0]['msg']}",
                    status=response.status_code,
                ) from error
        others: dict[type, object] = {str: response.text, bytes: response.content}
        return cast("T", others.get(call.answer))

    def _keep(self, address: str, response: httpx.Response) -> None:
        with self._lock:
            self._kept[address] = response
            self._kept.move_to_end(address)
            if len(self._kept) > _MOST_KEPT:
                self._kept.popitem(last=False)


def unavailable(request: httpx.Request, error: httpx.TransportError) -> ServiceUnavailableError:
    """Return the error for a request without a response."""
    reason = str(error) or type(error).__name__
    return ServiceUnavailableError(f"{request.method} {request.url.copy_with(query=None)}: no answer: {reason}")


def _error(response: httpx.Response) -> ServiceError:
    """Return the error in a problem detail (RFC 9457), or in any other response."""
    try:
        problem = Problem.model_validate_json(response.content)
    except ValidationError:  # from a proxy, or from another server
        problem = Problem(
            detail=response.text[:_MAX_TOLD] or response.reason_phrase or f"HTTP status {response.status_code}"
        )
    waited = response.headers.get("retry-after", "")
    return _ERRORS.get(response.status_code, ServiceError)(
        problem.detail,
        status=response.status_code,
        errors=problem.errors or (),
        retry_after=float(waited) if waited.isdecimal() else None,
    )


def _written(value: Any) -> Any:
    return value.isoformat() if isinstance(value, date) else value

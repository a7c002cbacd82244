"""Errors of the service as problem details (RFC 9457): what is wrong, where, and what was expected, without a traceback or the input.

Not here: the errors (`errors`).
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException

from legal_pipeline.errors import (
    ConfigurationError,
    DefectError,
    DocumentError,
    LegalPipelineError,
    NotFoundError,
    StoreError,
    WithheldError,
)

MEDIA_TYPE = "application/problem+json"

#: Seconds after which a client may retry if the index did not answer.
_RETRY_AFTER = 5

_log = logging.getLogger(__name__)


class Problem(BaseModel):
    """A problem detail (RFC 9457)."""

    type: str = Field(description="Kind of problem, a URN.", examples=["urn:legal-pipeline:problem:not-found"])
    title: str
    status: int
    detail: str = Field(description="What is wrong, where, and what was expected.")
    errors: list[dict[str, Any]] | None = Field(default=None, description="Of a wrong request: each wrong parameter.")


class ProblemError(Exception):
    """An error of the service itself, for example a missing key."""

    def __init__(self, status: HTTPStatus, detail: str, headers: Mapping[str, str] | None = None) -> None:
        self.status = status
        self.headers = headers
        super().__init__(detail)


#: For OpenAPI: the error responses of each endpoint.
PROBLEMS: dict[int | str, dict[str, Any]] = {
    int(status): {
        "description": status.description or status.phrase,
        # a `model` would be described as application/json
        "content": {MEDIA_TYPE: {"schema": Problem.model_json_schema()}},
    }
    for status in (
        HTTPStatus.BAD_REQUEST,
        HTTPStatus.UNAUTHORIZED,
        HTTPStatus.FORBIDDEN,
        HTTPStatus.NOT_FOUND,
        HTTPStatus.UNPROCESSABLE_ENTITY,
        HTTPStatus.TOO_MANY_REQUESTS,
        HTTPStatus.SERVICE_UNAVAILABLE,
    )
}


def answer_problems(app: FastAPI) -> None:
    """Make `app` answer every error as a problem detail."""
    app.add_exception_handler(LegalPipelineError, _of_the_library)
    app.add_exception_handler(ProblemError, _of_the_service)
    app.add_exception_handler(RequestValidationError, _of_the_request)
    app.add_exception_handler(HTTPException, _of_http)
    app.add_exception_handler(Exception, _defect)


def problem(
    status: HTTPStatus,
    detail: str,
    *,
    headers: Mapping[str, str] | None = None,
    errors: list[dict[str, Any]] | None = None,
) -> JSONResponse:
    kind = f"urn:legal-pipeline:problem:{status.phrase.lower().replace(' ', '-')}"
    # a message may contain characters that UTF-8 cannot encode
    detail = detail.encode("utf-8", "backslashreplace").decode()
    described = Problem(type=kind, title=status.phrase, status=status, detail=detail, errors=errors)
    return JSONResponse(described.model_dump(exclude_none=True), int(status), dict(headers or {}), MEDIA_TYPE)


def status_of(error: LegalPipelineError) -> HTTPStatus:
    """Return the HTTP status of an error of the library."""
    if error.transient or isinstance(error, StoreError):
        return HTTPStatus.SERVICE_UNAVAILABLE
    if isinstance(error, DefectError):
        return HTTPStatus.INTERNAL_SERVER_ERROR
    if isinstance(error, WithheldError):
        return HTTPStatus.FORBIDDEN
    if isinstance(error, NotFoundError):
        return HTTPStatus.NOT_FOUND
    if isinstance(error, ConfigurationError):
        return HTTPStatus.BAD_REQUEST
    if isinstance(error, DocumentError):
        return HTTPStatus.NOT_FOUND
    return HTTPStatus.INTERNAL_SERVER_ERROR


async def _of_the_library(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, LegalPipelineError)
    status = status_of(error)
    if status is HTTPStatus.INTERNAL_SERVER_ERROR:
        return await _defect(_, error)
    headers = {"Retry-After": str(_RETRY_AFTER)} if status is HTTPStatus.SERVICE_UNAVAILABLE else None
    return problem(status, str(error), headers=headers)


async def _of_the_service(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, ProblemError)
    return problem(error.status, str(error), headers=error.headers)


async def _of_the_request(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    wrong = [{"where": [str(part) for part in detail["loc"]], "message": detail["msg"]} for detail in error.errors()]
    sentence = "; ".join(f"{'.'.join(detail['where'])}: {detail['message']}" for detail in wrong)
    return problem(HTTPStatus.UNPROCESSABLE_ENTITY, sentence, errors=wrong)


async def _of_http(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    status = HTTPStatus(error.status_code)
    return problem(status, str(error.detail), headers=error.headers)


async def _defect(_: Request, error: Exception) -> JSONResponse:
    _log.error("a defect of the service", exc_info=error)
    return problem(HTTPStatus.INTERNAL_SERVER_ERROR, "a defect of the service; its log has the trace")

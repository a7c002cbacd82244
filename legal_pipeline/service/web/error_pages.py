"""Errors as pages in plain words, for browsers; programs get problem details. Not here: the errors (`service.problems`)."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from http import HTTPStatus
from typing import Any, cast

from fastapi import FastAPI, Request, Response

from legal_pipeline.service.problems import MEDIA_TYPE, Problem
from legal_pipeline.service.web.asking import forget, own_path
from legal_pipeline.service.web.rendering import COOKIE, page

#: Advice to the reader, by status.
_ADVICE = {
    HTTPStatus.BAD_REQUEST: "Change what you asked for and try again.",
    HTTPStatus.FORBIDDEN: "Open the page at the address that the server printed when it started.",
    HTTPStatus.NOT_FOUND: "Look for it with the search above, or in the list of documents.",
    HTTPStatus.UNPROCESSABLE_ENTITY: "The address of the page has a value that is not understood. Dates are written 2024-01-31.",
    HTTPStatus.TOO_MANY_REQUESTS: "Wait a moment, then load the page again.",
    HTTPStatus.SERVICE_UNAVAILABLE: "The index does not answer at present. Load the page again in a few seconds.",
}

#: Paths for programs, which get no pages.
_OF_PROGRAMS = ("/v1", "/mcp", "/openapi.json", "/healthz", "/metrics")


def answer_with_pages(app: FastAPI) -> None:
    """Make every error handler of `app` answer browsers with a page."""
    for error, handler in list(app.exception_handlers.items()):
        app.add_exception_handler(error, _with_page(cast("Callable[..., Any]", handler)))


def _with_page(handler: Callable[..., Any]) -> Callable[..., Any]:
    async def answer(request: Request, error: Exception) -> Response:
        found = handler(request, error)
        response: Response = await found if inspect.isawaitable(found) else found
        return _page_of(request, response) if _is_of_a_page(request, response) else response

    return answer


def _is_of_a_page(request: Request, response: Response) -> bool:
    path = request.url.path
    is_program = any(path == prefix or path.startswith(f"{prefix}/") for prefix in _OF_PROGRAMS)
    return response.media_type == MEDIA_TYPE and not is_program and "text/html" in request.headers.get("accept", "")


def _page_of(request: Request, response: Response) -> Response:
    problem = Problem.model_validate_json(bytes(response.body))
    status = HTTPStatus(problem.status)
    kept = {name: value for name, value in response.headers.items() if name in ("retry-after", "www-authenticate")}
    if status is not HTTPStatus.UNAUTHORIZED:
        return page(
            request,
            "problem",
            status=status,
            headers=kept,
            problem=problem,
            advice=_ADVICE.get(status, ""),
            wrong=[(detail["where"][-1], detail["message"]) for detail in problem.errors or ()],
        )
    address = request.url.path + (f"?{request.url.query}" if request.url.query else "")
    wrong_key = COOKIE in request.cookies or request.method == "POST"
    asked = page(
        request,
        "sign_in",
        status=status,
        headers=kept,
        next=own_path(address) if request.method == "GET" else "/",
        wrong=problem.detail if wrong_key else None,
    )
    if COOKIE in request.cookies:
        forget(asked)
    return asked

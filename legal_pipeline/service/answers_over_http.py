"""HTTP answers: conditional requests by ETag, and metrics for Prometheus. Not here: the endpoints (`routes`)."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Coroutine
from typing import Any

from fastapi.routing import APIRoute
from prometheus_client import CollectorRegistry, Counter, Histogram
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_CACHE = "private, no-cache"


class ConditionalRoute(APIRoute):
    """A route whose answers have an ETag: the hash of their content. A client that already has the answer gets 304.

    The hash is of the answer and not of a version of the index, because pending amendments, audiences and the date change answers too.
    """

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        answer = super().get_route_handler()

        async def conditional(request: Request) -> Response:
            response = await answer(request)
            if request.method != "GET" or response.status_code != 200:
                return response
            etag = f'"{hashlib.sha256(bytes(response.body)).hexdigest()[:32]}"'
            headers = {"ETag": etag, "Cache-Control": _CACHE, "Vary": "Authorization"}
            if _is_known(request.headers.get("if-none-match"), etag):
                return Response(status_code=304, headers=headers)
            response.headers.update(headers)
            return response

        return conditional


def _is_known(stated: str | None, etag: str) -> bool:
    known = [tag.strip().removeprefix("W/") for tag in (stated or "").split(",")]
    return etag in known or "*" in known


class Metrics:
    """Requests by route, method and status, and their duration."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self._requests = Counter(
            "legal_pipeline_http_requests", "Requests.", ["route", "method", "status"], registry=self.registry
        )
        self._seconds = Histogram(
            "legal_pipeline_http_request_seconds", "Time to the end of the answer.", ["route"], registry=self.registry
        )

    def count(self, route: str, method: str, status: int, seconds: float) -> None:
        self._requests.labels(route, method, str(status)).inc()
        self._seconds.labels(route).observe(seconds)


class CountedRequests:
    """Middleware that counts each request under the path of its route, so that clients cannot create new labels."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self._app = app
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        begun = time.perf_counter()
        status = 500

        async def counted(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._app(scope, receive, counted)
        finally:
            route = getattr(scope.get("route"), "path_format", "none")
            self._metrics.count(route, scope["method"], status, time.perf_counter() - begun)

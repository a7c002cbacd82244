"""The MCP server at `/mcp` of the HTTP API, with the same authentication. Not here: its tools (`mcp_server`)."""

from __future__ import annotations

from typing import Any

import anyio.to_thread
from mcp.server.mcpserver import Context
from mcp.server.transport_security import TransportSecuritySettings
from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from legal_pipeline.errors import LegalPipelineError
from legal_pipeline.reading.law_reader import LawReader
from legal_pipeline.reading.viewer import Viewer
from legal_pipeline.service.gate import Asker, Gate
from legal_pipeline.service.mcp_server import LawServer, make_mcp_server
from legal_pipeline.service.problems import ProblemError, problem, status_of

PATH = "/mcp"

_ASKER = "legal_pipeline.asker"


class GuardedMcp:
    """An ASGI application that authenticates requests and passes them to the MCP server. Run `server.session_manager` around it."""

    def __init__(self, reader: LawReader, gate: Gate) -> None:
        self.server: LawServer = make_mcp_server(reader, _viewer_of)
        self._gate = gate
        # stateless, so that every call counts for its key; the gate checks hosts and origins
        self._app: ASGIApp = self.server.streamable_http_app(
            streamable_http_path=PATH,
            stateless_http=True,
            json_response=True,
            transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope)
        headers = request.headers
        try:
            asker = await anyio.to_thread.run_sync(
                self._gate.admit, headers.get("authorization"), request.url.hostname, headers.get("origin")
            )
        except ProblemError as error:
            await problem(error.status, str(error), headers=error.headers)(scope, receive, send)
            return
        except LegalPipelineError as error:
            await problem(status_of(error), str(error))(scope, receive, send)
            return
        await self._app({**scope, _ASKER: asker}, receive, send)


def _viewer_of(context: Context[Any, Any]) -> Viewer:
    request = context.request_context.request
    assert isinstance(request, Request)
    asker: Asker = request.scope[_ASKER]
    return asker.viewer

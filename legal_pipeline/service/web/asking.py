"""Who asks for a page: by the key of a program, by the key that a person signed in with, or without one on the loopback address.

A browser keeps the key in a cookie that no script reads, that no other site's page sends, and that ends with the session of the browser.
Not here: which keys there are and how fast they may ask (`service.gate`).
"""

from __future__ import annotations

from http import HTTPStatus
from typing import Annotated
from urllib.parse import urlsplit

from fastapi import APIRouter, Depends, Form, Request, Response
from fastapi.responses import RedirectResponse

from legal_pipeline.reading.viewer import Viewer
from legal_pipeline.service.gate import Asker, Gate
from legal_pipeline.service.problems import ProblemError
from legal_pipeline.service.web.rendering import COOKIE, HEADERS, page

#: Characters of a key, and of the address to return to.
_MAX_KEY, _MAX_NEXT = 200, 4000


def admitted(request: Request) -> Asker:
    """Raises as `Gate.admit`."""
    cookie = request.cookies.get(COOKIE)
    authorization = request.headers.get("authorization") or (f"Bearer {cookie}" if cookie else None)
    return _admit(request, authorization)


def _viewer(asker: Annotated[Asker, Depends(admitted)]) -> Viewer:
    return asker.viewer


AsViewer = Annotated[Viewer, Depends(_viewer)]

router = APIRouter(include_in_schema=False)


@router.get("/sign-in")
def sign_in_form(request: Request, next: str = "/") -> Response:
    return page(request, "sign_in", next=own_path(next), wrong=None)


@router.post("/sign-in")
def sign_in(
    request: Request,
    key: Annotated[str, Form(max_length=_MAX_KEY)],
    next: Annotated[str, Form(max_length=_MAX_NEXT)] = "/",
) -> Response:
    """Raises `ProblemError` 401 for a key that there is not."""
    _verify_own_form(request)
    _admit(request, f"Bearer {key.strip()}")
    answer = RedirectResponse(own_path(next), HTTPStatus.SEE_OTHER, dict(HEADERS))
    answer.set_cookie(
        COOKIE, key.strip(), httponly=True, samesite="strict", secure=request.url.scheme == "https", path="/"
    )
    return answer


@router.post("/sign-out")
def sign_out(request: Request) -> Response:
    _verify_own_form(request)
    answer = RedirectResponse("/sign-in", HTTPStatus.SEE_OTHER, dict(HEADERS))
    forget(answer)
    return answer


def forget(answer: Response) -> None:
    """Have the browser forget the key."""
    answer.delete_cookie(COOKIE, path="/", httponly=True, samesite="strict")


def _admit(request: Request, authorization: str | None) -> Asker:
    gate: Gate = request.app.state.gate
    return gate.admit(authorization, request.url.hostname, request.headers.get("origin"))


def _verify_own_form(request: Request) -> None:
    """Raises `ProblemError` 403 for a form that a page of another site sent: it would sign a person in with its own key."""
    origin, fetched_from = request.headers.get("origin"), request.headers.get("sec-fetch-site")
    # browsers state `Sec-Fetch-Site` over TLS and to the loopback address; behind a proxy the host may be another than the reader's
    if fetched_from is not None:
        is_own = fetched_from in ("same-origin", "none")
    else:
        is_own = origin is None or urlsplit(origin).netloc == request.url.netloc
    if not is_own:
        raise ProblemError(HTTPStatus.FORBIDDEN, "the form came from another site; sign in on the page of this server")


def own_path(next: str) -> str:
    """`next` where it is a path of this server, else the first page."""
    is_own = next.startswith("/") and not next.startswith("//") and next.isprintable() and "\\" not in next
    return next if is_own else "/"

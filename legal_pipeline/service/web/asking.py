"""Authentication of page requests: by the key of a program, by the key of a signed-in person, or without a key on the loopback address.

A browser keeps the key in a cookie that scripts cannot read, that requests from other sites do not send, and that ends with the browser
session. Not here: the keys and their rate limits (`service.gate`).
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

#: Maximum characters of a key, and of the address to return to.
_MAX_KEY, _MAX_NEXT = 200, 4000


def admitted(request: Request) -> Asker:
    """Return the sender of the request. Raises as `Gate.admit`."""
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
    """Sign in with a key. Raises `ProblemError` 401 for an invalid key."""
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
    """Make the browser delete the key."""
    answer.delete_cookie(COOKIE, path="/", httponly=True, samesite="strict")


def _admit(request: Request, authorization: str | None) -> Asker:
    gate: Gate = request.app.state.gate
    return gate.admit(authorization, request.url.hostname, request.headers.get("origin"))


def _verify_own_form(request: Request) -> None:
    """Raise `ProblemError` 403 for a form sent by a page of another site: it could sign a person in with a key of that site."""
    origin, fetched_from = request.headers.get("origin"), request.headers.get("sec-fetch-site")
    # browsers send `Sec-Fetch-Site` over TLS and to the loopback address; behind a proxy the host may differ from the reader's host
    if fetched_from is not None:
        is_own = fetched_from in ("same-origin", "none")
    else:
        is_own = origin is None or urlsplit(origin).netloc == request.url.netloc
    if not is_own:
        raise ProblemError(HTTPStatus.FORBIDDEN, "the form came from another site; sign in on the page of this server")


def own_path(next: str) -> str:
    """Return `next` if it is a path of this server, else the first page."""
    is_own = next.startswith("/") and not next.startswith("//") and next.isprintable() and "\\" not in next
    return next if is_own else "/"

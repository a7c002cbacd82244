"""Render pages from templates: the environment that escapes every value, the headers of every answer, and functions for templates.

Not here: the values of a page (`pages`).
"""

from __future__ import annotations

import functools
import hashlib
import importlib.resources
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, timedelta
from http import HTTPStatus
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

from fastapi import Request, Response
from fastapi.responses import HTMLResponse
from jinja2 import Environment, PackageLoader, StrictUndefined

from legal_pipeline.languages.language import codes
from legal_pipeline.reading.answers import WITHHELD_NOTE
from legal_pipeline.retrieval.query_text import MAX_QUERY

#: A page loads its style and icon from this server and nothing else: no script, no frame, no other host.
_POLICY = (
    "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)

HEADERS: Mapping[str, str] = {
    "Content-Security-Policy": _POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    # the origin of a form is sent to this server only
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}

#: Name of the cookie with the key of a signed-in person.
COOKIE = "legal_pipeline_key"

_PRIVATE = {"Cache-Control": "private, no-cache", "Vary": "Authorization, Cookie"}


def page(
    request: Request,
    template: str,
    *,
    status: int = HTTPStatus.OK,
    headers: Mapping[str, str] | None = None,
    **values: Any,
) -> HTMLResponse:
    """Return the page of `template`. Its values are text: they are never interpreted as markup."""
    html = _environment().get_template(f"{template}.html").render(is_signed_in=COOKIE in request.cookies, **values)
    return HTMLResponse(html, status, {**HEADERS, **_PRIVATE, **(headers or {})})


def asset(name: str, media_type: str) -> Response:
    """Return a file of this package. Its address contains its hash (`asset_url`), so browsers may cache it."""
    headers = {**HEADERS, "Cache-Control": "public, max-age=31536000, immutable"}
    return Response(_read(name), media_type=media_type, headers=headers)


def marked(text: str, spans: Iterable[Sequence[int]]) -> list[tuple[str, bool]]:
    """Return `text` in pieces, each with a flag whether it is in one of `spans`, which are [start, end) in text order."""
    found: list[tuple[str, bool]] = []
    at = 0
    for start, end in spans:
        start, end = max(at, start), min(end, len(text))
        if start >= end:
            continue
        if at < start:
            found.append((text[at:start], False))
        found.append((text[start:end], True))
        at = end
    if at < len(text):
        found.append((text[at:], False))
    return found


def is_iso(day: str | None) -> bool:
    try:
        return date.fromisoformat(day or "").isoformat() == day
    except ValueError:
        return False


def day_before(day: str) -> str:
    return (date.fromisoformat(day) - timedelta(1)).isoformat()


def provision_url(id: str, as_of: str | None = None, *, compare: tuple[str, str] | None = None) -> str:
    if compare is not None:
        return _address("provisions", id, "compare", {"from": compare[0], "to": compare[1]})
    return _address("provisions", id, "", {"as_of": as_of})


def _document_url(id: str, as_of: str | None = None, *, below: str = "", **query: Any) -> str:
    return _address("documents", id, below, {"as_of": as_of, **query})


def _chunk_url(id: str) -> str:
    return _address("chunks", id, "", {})


def _address(kind: str, id: str, below: str, query: Mapping[str, Any]) -> str:
    path = "/".join(quote(part, safe="~:") for part in (kind, id, below) if part)
    return f"/{path}{_query(query)}"


def _query(values: Mapping[str, Any]) -> str:
    """Return `?name=value…` of the values that are not empty."""
    stated = {name: value for name, value in values.items() if value not in (None, "", [])}
    return f"?{urlencode(stated, doseq=True)}" if stated else ""


def _web_address(url: str | None) -> str | None:
    """Return `url` if it is a web address; else None, for example for a script that a source gives as its URL."""
    try:
        return url if url and urlsplit(url).scheme in ("http", "https") else None
    except ValueError:
        return None


def _language_tag(language: str | None) -> str:
    """Return the BCP 47 tag of an ISO 639-3 code, for browsers and screen readers; "" without a language."""
    return _short_codes().get(language or "", language or "")


@functools.cache
def _short_codes() -> Mapping[str, str]:
    return {long: short for short, long in reversed(list(codes().items()))}


def _asset_url(name: str) -> str:
    return f"/{name}?{hashlib.sha256(_read(name)).hexdigest()[:12]}"


@functools.cache
def _read(name: str) -> bytes:
    return importlib.resources.files(__package__).joinpath(name).read_bytes()


@functools.cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("legal_pipeline.service.web"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(
        marked=marked, web_address=_web_address, language_tag=_language_tag, iso=is_iso, query=_query
    )
    environment.globals.update(
        provision_url=provision_url,
        document_url=_document_url,
        chunk_url=_chunk_url,
        asset_url=functools.cache(_asset_url),
        withheld_note=WITHHELD_NOTE,
        max_query=MAX_QUERY,
    )
    return environment

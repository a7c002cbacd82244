"""A local HTTP server that speaks the APIs of the sources, in their shapes and with their misbehaviours.

Not here: any code of the pipeline. What an API holds is plain data that a test changes between requests.
"""

from __future__ import annotations

import hashlib
import json
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

TOKEN = "la-test-7c41b09e55"


@dataclass(frozen=True)
class Request:
    path: str
    query: dict[str, str]
    headers: dict[str, str]
    at: float = 0.0


@dataclass(frozen=True)
class Response:
    """`silence`: seconds before the answer begins; `drip`: seconds between its bytes; `missing`: bytes promised and never sent;
    `is_chunked`: the answer does not state its length."""

    status: int = 200
    body: bytes = b""
    headers: tuple[tuple[str, str], ...] = ()
    silence: float = 0.0
    drip: float = 0.0
    missing: int = 0
    is_chunked: bool = False


def as_json(value: Any, status: int = 200) -> Response:
    return Response(status, json.dumps(value, ensure_ascii=False).encode(), (("Content-Type", "application/json"),))


def as_xml(body: str) -> Response:
    return Response(200, body.encode(), (("Content-Type", "application/xml"),))


Api = Callable[[Request], Response]


class ApiServer:
    """A context manager. `faults` are given, first to last, in place of the API's own answers, each once; `url` is its address."""

    def __init__(self, api: Api, *, etags: bool = False) -> None:
        self.api = api
        self.faults: list[Response | None] = []
        self.requests: list[Request] = []
        self.etags = etags
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True

            def do_GET(self) -> None:
                outer._answer(self)

            def log_message(self, *_: Any) -> None:
                pass

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._http.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._http.server_address[1]}"
        self._thread = threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)

    def __enter__(self) -> ApiServer:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()

    @property
    def paths(self) -> list[str]:
        return [request.path for request in self.requests]

    def _answer(self, handler: BaseHTTPRequestHandler) -> None:
        parts = urlsplit(handler.path)
        request = Request(
            unquote(parts.path),
            dict(parse_qsl(parts.query)),
            {name.lower(): value for name, value in handler.headers.items()},
            time.monotonic(),
        )
        self.requests.append(request)
        fault = self.faults.pop(0) if self.faults else None
        response = fault if fault is not None else self.api(request)
        headers = list(response.headers)
        if self.etags and response.status == 200:
            etag = f'"{hashlib.sha256(response.body).hexdigest()[:12]}"'
            headers.append(("ETag", etag))
            if request.headers.get("if-none-match") == etag:
                response = Response(304)
        time.sleep(response.silence)
        try:
            handler.send_response(response.status)
            for name, value in headers:
                handler.send_header(name, value)
            if response.is_chunked:
                handler.send_header("Transfer-Encoding", "chunked")
            elif response.status != 304:
                handler.send_header("Content-Length", str(len(response.body) + response.missing))
            handler.end_headers()
            if response.drip:
                for byte in response.body:
                    handler.wfile.write(bytes([byte]))
                    handler.wfile.flush()
                    time.sleep(response.drip)
            elif response.is_chunked:
                handler.wfile.write(b"%x\r\n%b\r\n0\r\n\r\n" % (len(response.body), response.body))
            else:
                handler.wfile.write(response.body)
            if response.missing:
                handler.close_connection = True
        except OSError:
            handler.close_connection = True  # the client has had enough


@dataclass
class Statute:
    year: int
    number: str
    title: str
    html: str
    systemdatum: str = "2024-01-05 04:11:00"
    text: str = ""

    @property
    def dok_id(self) -> str:
        return f"sfs-{self.year}-{self.number}"


@dataclass
class RiksdagenApi:
    """Counts are strings, links lack a scheme, one hit is an object, and page 101 is refused."""

    statutes: list[Statute] = field(default_factory=list)
    details_name: str = "dokuppgift"

    def __call__(self, request: Request) -> Response:
        if request.path == "/dokumentlista/":
            return self._list(request.query)
        dok_id = request.path.removeprefix("/dokument/").removesuffix(".json")
        found = next((statute for statute in self.statutes if statute.dok_id == dok_id), None)
        return as_json({"dokumentstatus": self._status(found)}) if found is not None else Response(404, b"Not Found")

    def touch_all(self, moment: str) -> None:
        for statute in self.statutes:
            statute.systemdatum = moment

    def _list(self, query: dict[str, str]) -> Response:
        page, size = int(query["p"]), int(query["sz"])
        if page > 100:
            return Response(400, b"<html>Bad Request</html>")
        hits = [
            statute
            for statute in self.statutes
            if query.get("rm", str(statute.year)) == str(statute.year)
            and query.get("nr", statute.number) == statute.number
        ]
        hits.sort(
            key=(lambda statute: statute.systemdatum)
            if query.get("sort") == "systemdatum"
            else lambda statute: statute.dok_id,
            reverse=query.get("sortorder") == "desc",
        )
        pages = -(-len(hits) // size)
        shown = [self._row(statute) for statute in hits[(page - 1) * size : page * size]]
        answer: dict[str, Any] = {"@traffar": str(len(hits)), "@sida": str(page), "@sidor": str(pages)}
        if page < pages:
            answer["@nasta_sida"] = f"//data.riksdagen.se/dokumentlista/?p={page + 1}"
        if shown:
            answer["dokument"] = shown if len(shown) > 1 else shown[0]
        return as_json({"dokumentlista": answer})

    def _row(self, statute: Statute) -> dict[str, Any]:
        return {
            "id": statute.dok_id,
            "dok_id": statute.dok_id,
            "rm": str(statute.year),
            "nummer": statute.number,
            "beteckning": f"{statute.year}:{statute.number}",
            "titel": statute.title,
            "systemdatum": statute.systemdatum,
            "dokument_url_html": f"//data.riksdagen.se/dokument/{statute.dok_id}.html",
        }

    def _status(self, statute: Statute) -> dict[str, Any]:
        row = {name: value for name, value in self._row(statute).items() if name != "id"}
        detail = {"kod": "utfardad", "namn": "Utfärdad", "text": f"{statute.year}-12-19"}
        return {
            "dokument": {**row, "html": statute.html, "text": statute.text},
            self.details_name: {"uppgift": detail},
        }


@dataclass
class EcfrApi:
    """The versioner. `wrapped`: a section comes inside its part; a day after `up_to_date` is answered with 404."""

    sections: dict[str, str]
    versions: list[dict[str, Any]]
    up_to_date: str = "2024-06-01"
    wrapped: bool = False
    page_size: int = 1000
    turns_pages: bool = True

    def __call__(self, request: Request) -> Response:
        if request.path == "/api/versioner/v1/titles.json":
            titles = [{"number": 8, "name": "Aliens and Nationality", "up_to_date_as_of": self.up_to_date}]
            return as_json({"titles": titles, "meta": {"date": self.up_to_date, "import_in_progress": False}})
        if "/versions/" in request.path:
            return self._versions(request.query)
        day = request.path.split("/full/")[1].split("/")[0]
        section = self.sections.get(request.query.get("section", ""))
        if day > self.up_to_date or section is None:
            return as_json({"error": "not found"}, 404)
        if self.wrapped:
            section = f'<DIV5 N="204" TYPE="PART"><HEAD>PART 204—PETITIONS</HEAD>\n{section}\n</DIV5>'
        return as_xml(f'<?xml version="1.0"?>\n{section}\n')

    def _versions(self, query: dict[str, str]) -> Response:
        rows = [
            row
            for row in self.versions
            if row["part"] == query["part"]
            and row["issue_date"] >= query.get("issue_date[gte]", "")
            and query.get("section", row["identifier"]) == row["identifier"]
        ]
        page = int(query.get("page", "1")) if self.turns_pages else 1
        shown = rows[(page - 1) * self.page_size : page * self.page_size]
        return as_json({"content_versions": shown, "meta": {"title": "8", "result_count": str(len(rows))}})


@dataclass
class LawsAfricaApi:
    """Version 3. Works by URI, expressions by URI; everything but the right token is refused, with the token in the refusal."""

    works: dict[str, dict[str, Any]]
    expressions: dict[str, str]
    page_size: int = 2
    address: str = ""

    def __call__(self, request: Request) -> Response:
        if request.headers.get("authorization") != f"Token {TOKEN}":
            return as_json({"detail": f"Invalid token: {request.headers.get('authorization')}"}, 401)
        path = request.path.removeprefix("/v3")
        if path.startswith("/places/"):
            return self._list(path.split("/")[2], request.query)
        if path.endswith(".json"):
            work = self.works.get(path.removesuffix(".json"))
            return as_json(work) if work is not None else as_json({"detail": "Not found."}, 404)
        body = self.expressions.get(path.removesuffix(".xml"))
        return as_xml(body) if body is not None else as_json({"detail": "Not found."}, 404)

    def _list(self, place: str, query: dict[str, str]) -> Response:
        rows = [
            work
            for uri, work in sorted(self.works.items())
            if uri.startswith(f"/akn/{place}/") and work["updated_at"] >= query.get("updated_at__gte", "")
        ]
        page = int(query.get("page", "1"))
        shown = rows[(page - 1) * self.page_size : page * self.page_size]
        more = page * self.page_size < len(rows)
        following = f"{self.address}/v3/places/{place}/work-expressions?page={page + 1}" if more else None
        return as_json({"count": len(rows), "next": following, "previous": None, "results": shown})

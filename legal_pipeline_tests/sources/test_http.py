"""How the client of the sources behaves towards a host, and what it believes of it."""

from __future__ import annotations

import base64
import contextlib
import gzip
import random
import socket
import threading
import time
import tracemalloc
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path

import pytest

from legal_pipeline.errors import ConfigurationError
from legal_pipeline.sources.exchange import AnswerTooLargeError, HttpError
from legal_pipeline.sources.http import AnswerCache, HttpClient, RequestPolicy
from legal_pipeline_tests.sources.api_server import ApiServer, Request, Response, as_json

QUICK = RequestPolicy(
    requests_per_second=100, timeout_seconds=0.3, answer_seconds=0.6, backoff_seconds=0.01, longest_wait_seconds=5
)


def echo(request: Request) -> Response:
    return as_json({"path": request.path, "query": request.query})


@pytest.fixture
def server() -> Iterator[ApiServer]:
    with ApiServer(echo) as running:
        yield running


Open = Callable[..., HttpClient]


@pytest.fixture
def client(server: ApiServer) -> Iterator[Open]:
    opened: list[HttpClient] = []

    def make(policy: RequestPolicy = QUICK, **more: object) -> HttpClient:
        opened.append(HttpClient(server.url, policy=policy, **more))  # type: ignore[arg-type]
        return opened[-1]

    yield make
    for each in opened:
        each.close()


def test_every_request_says_who_asks(server: ApiServer, client: Open) -> None:
    client(replace(QUICK, user_agent="index of a law library; law@example.org")).get("/a")
    assert server.requests[0].headers["user-agent"] == "index of a law library; law@example.org"


def test_requests_keep_their_distance(server: ApiServer, client: Open) -> None:
    asking = client(replace(QUICK, requests_per_second=20))
    began = time.monotonic()
    for _ in range(4):
        asking.get("/a")
    assert time.monotonic() - began >= 0.15


@pytest.mark.parametrize("status", [429, 500, 503])
def test_what_passes_is_asked_again(server: ApiServer, client: Open, status: int) -> None:
    server.faults = [Response(status), Response(status)]
    assert client().get("/a").json()["path"] == "/a"
    assert len(server.requests) == 3


def test_what_does_not_pass_is_asked_once(server: ApiServer, client: Open) -> None:
    server.faults = [Response(404)]
    with pytest.raises(HttpError) as caught:
        client().get("/a")
    assert (caught.value.status, caught.value.transient, len(server.requests)) == (404, False, 1)


def test_tries_come_to_an_end(server: ApiServer, client: Open) -> None:
    server.faults = [Response(503)] * 10
    with pytest.raises(HttpError) as caught:
        client(replace(QUICK, attempts=3)).get("/a")
    assert (caught.value.transient, len(server.requests)) == (True, 3)


@pytest.mark.parametrize("dated", [False, True])
def test_a_host_is_left_alone_for_as_long_as_it_asks(server: ApiServer, client: Open, dated: bool) -> None:
    pauses: list[float] = []
    after = format_datetime(datetime.now(UTC) + timedelta(seconds=4), usegmt=True) if dated else "3"
    server.faults = [Response(503, headers=(("Retry-After", after),))]
    client(replace(QUICK, requests_per_second=10_000), sleep=pauses.append).get("/a")
    assert 2 <= max(pauses) <= 4


def test_a_wait_above_the_limit_ends_the_request(server: ApiServer, client: Open) -> None:
    server.faults = [Response(429, headers=(("Retry-After", "86400"),))]
    with pytest.raises(HttpError, match=r"asks to wait 86400 seconds, at most 5") as caught:
        client().get("/a")
    assert caught.value.transient
    assert len(server.requests) == 1


def test_a_silent_host_is_given_up(server: ApiServer, client: Open) -> None:
    server.faults = [Response(200, b"{}", silence=1.0)] * 2
    began = time.monotonic()
    with pytest.raises(HttpError, match="no answer in time"):
        client(replace(QUICK, attempts=2)).get("/a")
    assert time.monotonic() - began < 2


def test_an_answer_that_drips_is_given_up_although_it_is_never_silent(server: ApiServer, client: Open) -> None:
    server.faults = [Response(200, b"x" * 200, drip=0.02)]
    with pytest.raises(HttpError, match="no end after"):
        client(replace(QUICK, attempts=1, answer_seconds=0.2)).get("/a")


def test_a_silent_host_is_given_up_at_the_deadline_though_silence_may_last_longer(
    server: ApiServer, client: Open
) -> None:
    server.faults = [Response(200, b"{}", silence=0.6)]
    with pytest.raises(HttpError, match="no end after"):
        client(replace(QUICK, attempts=1, answer_seconds=0.1, timeout_seconds=30)).get("/a")


def test_half_an_answer_is_no_answer(server: ApiServer, client: Open) -> None:
    server.faults = [Response(200, b'{"half":', missing=100)]
    assert client().get("/a").json()["path"] == "/a"
    server.faults = [Response(200, b'{"half":', missing=100)]
    with pytest.raises(HttpError, match="ended before"):
        client(replace(QUICK, attempts=1)).get("/a")


@pytest.mark.parametrize(
    ("body", "message"), [(b"<html>", "not JSON"), (b"[" * 100_000, "not JSON"), (b"[1]", "not a JSON object")]
)
def test_an_answer_that_is_not_an_object_may_be_an_object_later(
    server: ApiServer, client: Open, body: bytes, message: str
) -> None:
    server.faults = [Response(200, body)]
    answer = client().get("/a")
    with pytest.raises(HttpError, match=message) as caught:
        answer.json()
    assert caught.value.transient


@pytest.mark.parametrize("is_chunked", [True, False])
def test_an_answer_above_the_limit_is_not_read(server: ApiServer, client: Open, is_chunked: bool) -> None:
    server.faults = [Response(200, b"x" * 10_001, is_chunked=is_chunked)]
    with pytest.raises(AnswerTooLargeError, match="10,000 bytes"):
        client(replace(QUICK, max_bytes=10_000)).get("/a")


def test_the_limit_counts_unpacked_bytes(server: ApiServer, client: Open) -> None:
    packed = gzip.compress(b"x" * 100_000)
    assert len(packed) < 10_000
    server.faults = [Response(200, packed, (("Content-Encoding", "gzip"),))]
    with pytest.raises(AnswerTooLargeError):
        client(replace(QUICK, max_bytes=10_000)).get("/a")


@pytest.mark.parametrize("headers", [("gzip, gzip",), ("gzip", "gzip"), ("gzip, identity, x-gzip",)])
def test_an_answer_that_is_packed_twice_is_refused_and_not_unpacked(
    server: ApiServer, client: Open, headers: tuple[str, ...]
) -> None:
    packed = gzip.compress(gzip.compress(bytes(100_000_000), 9), 9)
    assert len(packed) < 2_000
    server.faults = [Response(200, packed, tuple(("Content-Encoding", value) for value in headers))]
    tracemalloc.start()
    try:
        with pytest.raises(HttpError, match="packed 2 times"):
            client(replace(QUICK, max_bytes=1_000_000, answer_seconds=30, timeout_seconds=30)).get("/a")
        assert tracemalloc.get_traced_memory()[1] < 5_000_000
    finally:
        tracemalloc.stop()
    assert len(server.requests) == 1


@pytest.mark.parametrize("before", [b"", gzip.compress(bytes(1_000_001))], ids=["at once", "behind a first member"])
def test_no_more_is_unpacked_than_the_limit_allows(server: ApiServer, client: Open, before: bytes) -> None:
    server.faults = [Response(200, before + gzip.compress(bytes(50_000_000)), (("Content-Encoding", "gzip"),))]
    tracemalloc.start()
    try:
        with pytest.raises(AnswerTooLargeError):
            client(replace(QUICK, max_bytes=1_000_000, answer_seconds=30, timeout_seconds=30)).get("/a")
        assert tracemalloc.get_traced_memory()[1] < 5_000_000
    finally:
        tracemalloc.stop()


def test_packed_bytes_that_unpack_to_nothing_count_too(server: ApiServer, client: Open) -> None:
    server.faults = [Response(200, gzip.compress(b"") * 1_000, (("Content-Encoding", "gzip"),), is_chunked=True)]
    with pytest.raises(AnswerTooLargeError):
        client(replace(QUICK, max_bytes=10_000)).get("/a")


@pytest.mark.parametrize(
    ("coding", "data"),
    [
        ("gzip", gzip.compress(b'{"a": 1}')),
        ("x-gzip", gzip.compress(b'{"a"') + gzip.compress(b": 1}")),
        ("identity", b'{"a": 1}'),
        ("", b'{"a": 1}'),
    ],
    ids=["gzip", "gzip of two members", "identity", "none"],
)
def test_an_answer_in_one_coding_is_unpacked(server: ApiServer, client: Open, coding: str, data: bytes) -> None:
    server.faults = [Response(200, data, (("Content-Encoding", coding),))]
    assert client().get("/a").json() == {"a": 1}
    assert server.requests[0].headers["accept-encoding"] == "gzip"


@pytest.mark.parametrize(
    ("coding", "data"),
    [("br", b"\x8b"), ("gzip", b"no gzip"), ("gzip", gzip.compress(b'{"a": 1}')[:-6])],
    ids=["not asked for", "not packed", "cut off"],
)
def test_an_answer_that_cannot_be_unpacked_is_no_answer(
    server: ApiServer, client: Open, coding: str, data: bytes
) -> None:
    server.faults = [Response(200, data, (("Content-Encoding", coding),))]
    with pytest.raises(HttpError, match="pack"):
        client(replace(QUICK, attempts=1)).get("/a")


class Dripping:
    """A server that sends a header line now and then, for ever, once it has sent `begin`; it counts connections."""

    def __init__(self, begin: bytes, *, pause: float) -> None:
        self._begin = begin
        self._pause = pause
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._over = threading.Event()
        self._threads = [threading.Thread(target=self._accept, daemon=True)]
        self.url = f"http://127.0.0.1:{self._listening.getsockname()[1]}"

    def __enter__(self) -> Dripping:
        self._threads[0].start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()
        for thread in self._threads:
            thread.join()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                connection, _ = self._listening.accept()
                self._threads.append(threading.Thread(target=self._drip, args=(connection,), daemon=True))
                self._threads[-1].start()

    def _drip(self, connection: socket.socket) -> None:
        with connection, contextlib.suppress(OSError):
            connection.recv(10_000)
            connection.sendall(self._begin)
            while not self._over.wait(self._pause):
                connection.sendall(b"X-More: yes\r\n")


@pytest.mark.parametrize(
    "begin",
    [b"", b"HTTP/1.1 200 OK\r\n", b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n"],
    ids=["before the status", "after the status", "after an interim answer"],
)
def test_headers_that_never_end_are_given_up_at_the_deadline(begin: bytes) -> None:
    with Dripping(begin, pause=0.05) as server:
        asking = HttpClient(server.url, policy=replace(QUICK, attempts=2, answer_seconds=0.4))
        began = time.monotonic()
        with pytest.raises(HttpError, match=r"no end after 0\.[34]\d* seconds|ended before") as caught:
            asking.get("/a")
        assert caught.value.transient
        assert time.monotonic() - began < 10
        asking.close()


def test_redirects_share_one_deadline(server: ApiServer, client: Open) -> None:
    server.faults = [Response(302, headers=(("Location", "/a"),), silence=0.2)] * 5
    with pytest.raises(HttpError, match=r"no end after"):
        client(replace(QUICK, attempts=1, timeout_seconds=5, answer_seconds=0.5)).get("/a")


def test_a_password_in_the_address_is_sent_as_basic_authorization(server: ApiServer) -> None:
    asking = HttpClient(server.url.replace("http://", "http://reader:p%40ss@"), policy=QUICK)
    asking.get("/a")
    asking.close()
    assert server.requests[0].headers["authorization"] == "Basic " + base64.b64encode(b"reader:p@ss").decode()
    headers = {"Authorization": "Token 7f3a"}  # what the source itself sends
    asking = HttpClient(server.url.replace("http://", "http://reader:p%40ss@"), policy=QUICK, headers=headers)
    asking.get("/a")
    asking.close()
    assert server.requests[1].headers["authorization"] == "Token 7f3a"


def test_each_pause_is_about_twice_the_one_before(server: ApiServer, client: Open) -> None:
    pauses: list[float] = []
    server.faults = [Response(503)] * 3
    client(replace(QUICK, backoff_seconds=100), sleep=pauses.append).get("/a")
    pauses = [pause for pause in pauses if pause > 1]  # the others keep the distance between two requests
    assert [round(pause / 100 / 2**number) for number, pause in enumerate(pauses)] == [1, 1, 1]


@pytest.mark.parametrize(("location", "path"), [("/b", "/b"), ("c", "/laws/c"), ("../d", "/d")])
def test_a_redirect_on_the_same_host_is_followed(server: ApiServer, client: Open, location: str, path: str) -> None:
    server.faults = [Response(301, headers=(("Location", location),))]
    assert client().get("/laws/a").json()["path"] == path


def test_redirects_in_a_circle_come_to_an_end(server: ApiServer, client: Open) -> None:
    server.faults = [Response(302, headers=(("Location", "/a"),))] * 20
    with pytest.raises(HttpError, match="redirects"):
        client().get("/a")


def test_nothing_is_sent_to_another_host(server: ApiServer, client: Open) -> None:
    with ApiServer(echo) as elsewhere:
        asking = client(headers={"Authorization": "Token secret-7f3a"})
        server.faults = [Response(302, headers=(("Location", f"{elsewhere.url}/a"),))]
        with pytest.raises(HttpError, match="not followed"):
            asking.get("/a")
        with pytest.raises(HttpError, match="not followed"):
            asking.get(f"{elsewhere.url}/a")
        with pytest.raises(HttpError, match="not followed"):
            asking.get("//law.example.org/a")
        assert elsewhere.requests == []


def test_an_http_link_of_an_https_source_is_read_over_https() -> None:
    asking = HttpClient("https://law.example.org/api")
    assert asking.address("http://law.example.org/api?page=2") == "https://law.example.org/api?page=2"
    assert asking.address("//law.example.org/b") == "https://law.example.org/b"
    assert asking.address("/b") == "https://law.example.org/api/b"
    with pytest.raises(HttpError, match="not followed"):
        asking.address("http://law.example.org:8080/b")
    asking.close()


def test_an_answer_that_did_not_change_is_not_sent_again(server: ApiServer, client: Open, tmp_path: Path) -> None:
    server.etags = True
    asking = client(cache=AnswerCache(tmp_path))
    first, second = asking.get("/a"), asking.get("/a")
    assert (first.from_cache, second.from_cache) == (False, True)
    assert first.data == second.data
    server.api = lambda request: as_json({"path": "changed"})
    assert asking.get("/a").json() == {"path": "changed"}


def test_the_time_of_change_is_a_validator_too(server: ApiServer, client: Open, tmp_path: Path) -> None:
    moment = "Sat, 01 Jun 2024 10:00:00 GMT"
    server.faults = [Response(200, b'{"a": 1}', (("Last-Modified", moment),)), Response(304)]
    asking = client(cache=AnswerCache(tmp_path))
    asking.get("/a")
    assert asking.get("/a").json() == {"a": 1}
    assert server.requests[1].headers["if-modified-since"] == moment


def test_another_query_is_another_answer(server: ApiServer, client: Open, tmp_path: Path) -> None:
    server.etags = True
    asking = client(cache=AnswerCache(tmp_path))
    assert asking.get("/a", {"p": "1"}).json() != asking.get("/a", {"p": "2"}).json()


def test_answers_are_known_to_a_later_process(server: ApiServer, client: Open, tmp_path: Path) -> None:
    server.etags = True
    client(cache=AnswerCache(tmp_path)).get("/a")
    assert client(cache=AnswerCache(tmp_path)).get("/a").from_cache


def test_the_cache_forgets_what_was_used_longest_ago(server: ApiServer, client: Open, tmp_path: Path) -> None:
    server.etags = True
    server.api = lambda request: as_json({"path": request.path * 20_000})
    asking = client(cache=AnswerCache(tmp_path, max_bytes=1_000_000))
    for number in range(20):
        asking.get(f"/{number:02}")
    assert sum(file.stat().st_size for file in tmp_path.rglob("*") if file.is_file()) < 1_100_000
    assert asking.get("/19").from_cache
    assert not asking.get("/00").from_cache


def test_no_password_is_kept_with_an_answer(server: ApiServer, tmp_path: Path) -> None:
    server.etags = True
    asking = HttpClient(
        server.url.replace("http://", "http://reader:secret-7f3a@"), policy=QUICK, cache=AnswerCache(tmp_path)
    )
    asking.get("/a")
    asking.close()
    assert not any(b"secret-7f3a" in file.read_bytes() for file in tmp_path.rglob("*") if file.is_file())


def test_no_error_holds_a_secret(server: ApiServer) -> None:
    url = server.url.replace("http://", "http://reader:secret-7f3a@")
    asking = HttpClient(url, policy=replace(QUICK, attempts=1), headers={"Authorization": "Token secret-7f3a"})
    for fault in (
        Response(401, b"secret-7f3a"),
        Response(200, b"secret-7f3a"),
        Response(200, b"", missing=5),
        Response(302, headers=(("Location", "http://other.example/?token=secret-7f3a"),)),
    ):
        server.faults = [fault]
        with pytest.raises(HttpError) as caught:
            asking.get("/a", {"key": "secret-7f3a"}).json()
        assert "secret" not in str(caught.value) + repr(caught.value)
        assert caught.value.__cause__ is None
    asking.close()


def test_an_address_that_is_none_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="expected https"):
        HttpClient("file:///etc/passwd")


def test_an_address_that_is_shown_holds_no_password() -> None:
    asking = HttpClient("https://reader:secret-7f3a@law.example.org/api")
    assert asking.address("/b") == "https://law.example.org/api/b"
    asking.close()


@pytest.mark.parametrize("coding", ["", "gzip"])
def test_an_answer_as_long_as_the_limit_is_read(server: ApiServer, client: Open, coding: str) -> None:
    data = random.Random(1).randbytes(10_000) if not coding else b"x" * 10_000
    server.faults = [Response(200, gzip.compress(data) if coding else data, (("Content-Encoding", coding),))]
    assert client(replace(QUICK, max_bytes=10_000)).get("/a").data == data


def test_a_wait_as_long_as_the_limit_is_waited(server: ApiServer, client: Open) -> None:
    pauses: list[float] = []
    server.faults = [Response(429, headers=(("Retry-After", "5"),))]
    client(replace(QUICK, longest_wait_seconds=5), sleep=pauses.append).get("/a")
    assert max(pauses) == 5


def test_five_redirects_are_followed(server: ApiServer, client: Open) -> None:
    server.faults = [Response(302, headers=(("Location", f"/{number}"),)) for number in range(5)]
    assert client().get("/a").json()["path"] == "/4"

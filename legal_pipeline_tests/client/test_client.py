"""`Client` and `AsyncClient` against a real server: every endpoint, errors, pages, and what importing them loads."""

from __future__ import annotations

import asyncio
import inspect
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import date, timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread

import pytest
from lxml import etree

import legal_pipeline
from legal_pipeline.client import AsyncClient, Client, endpoints
from legal_pipeline.client.endpoints import Call
from legal_pipeline.errors import (
    AccessDeniedError,
    AnswerNotFoundError,
    ConfigurationError,
    InvalidRequestError,
    NotFoundError,
    RateLimitError,
    ServiceError,
    ServiceUnavailableError,
)
from legal_pipeline.reading.law_reader import LawReader
from legal_pipeline.reading.viewer import Viewer
from legal_pipeline.settings import Settings
from legal_pipeline_tests.indexed_laws import CITING, LAW, NOTE, ROAD, SECOND, THIRD, WITHHELD
from legal_pipeline_tests.serving_thread import Index, served_index

SECTION = f"{LAW}~sec_3"
YESTERDAY = date.today() - timedelta(1)
STRANGER = Viewer(audiences=frozenset(), may_read_withheld=False)
#: What a client has beside the endpoints.
_OWN = {"all_changes", "all_documents", "close", "send"}


@pytest.fixture(scope="module")
def server(law_index: Settings) -> Iterator[Index]:
    """It needs keys."""
    with served_index(law_index, needs_key=True) as running:
        yield running


@pytest.fixture(scope="module")
def client(server: Index) -> Iterator[Client]:
    with Client(server.url, key=server.keys["stranger"]) as opened:
        yield opened


def public(of: type) -> dict[str, object]:
    return {name: value for name, value in vars(of).items() if not name.startswith("_")}


def test_every_path_of_the_api_is_a_method_with_its_parameters(server: Index) -> None:
    methods = {name: getattr(endpoints, name) for name in public(Client).keys() - _OWN}
    described = {
        (path, verb.upper()): operation
        for path, of in server.openapi["paths"].items()
        for verb, operation in of.items()
    }
    asked: dict[tuple[str, str], Call[object]] = {}
    for endpoint in methods.values():
        needed = [one for one in inspect.signature(endpoint).parameters.values() if one.default is one.empty]
        call = endpoint(*(YESTERDAY if one.annotation == "date" else "ID" for one in needed))
        asked[call.path.replace("ID", "{id}"), call.method] = call
    assert asked.keys() == described.keys()
    for at, call in asked.items():
        named = {one["name"] for one in described[at].get("parameters", ()) if one["in"] == "query"}
        assert set(call.parameters) == named, at


def test_both_clients_have_the_same_methods() -> None:
    assert public(Client).keys() == public(AsyncClient).keys()
    for name in public(Client).keys() - {"close"}:
        assert (
            inspect.signature(getattr(Client, name)).parameters
            == inspect.signature(getattr(AsyncClient, name)).parameters
        )
        assert getattr(Client, name).__doc__


def test_the_answers_are_those_of_the_reader(client: Client, law_index: Settings) -> None:
    days = date(2005, 1, 1), date(2025, 1, 1)
    asked: list[tuple[str, tuple[object, ...], dict[str, object]]] = [
        ("search", ("3 § lagen (2099:10)",), {"limit": 2}),
        ("provision", (SECTION,), {"as_of": days[0]}),
        ("versions", (SECTION,), {}),
        ("diff", (SECTION, *days), {}),
        ("document_diff", (LAW, *days), {}),
        ("outline", (LAW,), {}),
        ("document", (ROAD,), {}),
        ("documents", (), {"jurisdictions": ["se"]}),
        ("cited_by", (SECTION,), {}),
        ("verify", (SECOND, SECTION), {}),
        ("resolve", ("Se 3 § lagen (2099:10).",), {"jurisdictions": ["se"]}),
        ("changes", (YESTERDAY,), {"id": LAW}),
        ("coverage", (), {}),
    ]
    with LawReader.open(law_index) as reader:
        for name, arguments, named in asked:
            expected = getattr(reader, name)(*arguments, **named, viewer=STRANGER)
            assert getattr(client, name)(*arguments, **named) == expected, name
        assert client.document_cited_by(LAW) == reader.cited_by(LAW, viewer=STRANGER)


def test_a_search_names_the_citations_that_no_hit_answers(client: Client) -> None:
    assert [missed.kind for missed in client.search("§ 12 BetrVG").unresolved] == ["not_indexed"]


def test_filters_reach_the_search(client: Client) -> None:
    hits = client.search("mistluren", document_ids=[LAW], languages=["swe"], as_of=date(2015, 1, 1)).hits
    assert {hit.origin.document_id for hit in hits} == {LAW}
    assert hits[0].text == f"3 § {SECOND}"
    assert not client.search("mistluren", jurisdictions=["zw"]).hits


def test_answers_that_are_not_json(client: Client, server: Index) -> None:
    assert "ok" in client.healthz()
    assert client.changes_feed(YESTERDAY, id=LAW).count(b"<entry>") == 3
    assert etree.fromstring(client.export(LAW)).tag.endswith("akomaNtoso")
    assert SECOND.encode() in client.export(LAW, as_of=date(2015, 1, 1))
    with pytest.raises(AccessDeniedError):
        client.export(WITHHELD)
    with pytest.raises(AccessDeniedError, match="scope `admin`"):
        client.metrics()


def test_subscriptions_are_made_listed_and_deleted(client: Client) -> None:
    made = client.subscribe("http://127.0.0.1:9/hook", jurisdictions=["se"], since=YESTERDAY)
    assert made.secret.startswith("whsec_")
    assert [one.subscription_id for one in client.subscriptions().subscriptions] == [made.subscription_id]
    assert client.subscription(made.subscription_id).jurisdictions == ["se"]
    assert client.unsubscribe(made.subscription_id) is None
    with pytest.raises(AnswerNotFoundError, match="no subscription"):
        client.subscription(made.subscription_id)


def test_pages_are_asked_for_one_after_the_other(client: Client) -> None:
    ids = [row.document_id for row in client.all_documents(limit=2)]
    assert ids == sorted(set(ids))
    assert {LAW, CITING, ROAD} < set(ids)
    changes = list(client.all_changes(YESTERDAY, limit=1))
    assert changes == client.changes(YESTERDAY, limit=100).changes
    assert len(changes) > len(ids)


def test_a_citation_may_have_a_slash(client: Client) -> None:
    """It is looked up as a citation; before, the path was not known."""
    for ask in (client.provision, client.versions):
        with pytest.raises(NotFoundError, match="2016/679"):
            ask("art. 5 Regulation 2016/679")
    assert client.provision("3 § lagen (2099:10)").id == SECTION


def test_an_answer_that_has_not_changed_is_not_sent_again(server: Index) -> None:
    with Client(server.url, key=server.keys["stranger"]) as client:
        statuses: list[int] = []
        client._http.event_hooks["response"].append(lambda response: statuses.append(response.status_code))
        first, again = client.provision(SECTION), client.provision(SECTION)
        assert statuses == [200, 304]
        assert first == again
        for number in range(200):  # more than are kept
            with pytest.raises(NotFoundError):
                client.provision(f"{LAW}~sec_{number + 100}")
        assert client.provision(SECTION) == first
        assert statuses[-1] == 304  # errors are not kept


def test_errors_say_what_is_wrong_and_where(client: Client) -> None:
    with pytest.raises(InvalidRequestError, match=r"query\.limit") as wrong:
        client.search("fyr", limit=1000)
    assert (wrong.value.status, wrong.value.errors[0]["where"]) == (422, ["query", "limit"])
    with pytest.raises(ConfigurationError, match="country code") as refused:
        client.search("fyr", jurisdictions=["Sweden"])
    assert (refused.value.status, refused.value.transient) == (400, False)
    with pytest.raises(AnswerNotFoundError, match="known wordings: sec_3 from 2001-01-01"):
        client.provision(SECTION, as_of=date(1999, 1, 1))


def test_keys(server: Index) -> None:
    with Client(server.url) as nobody, pytest.raises(AccessDeniedError) as refused:
        nobody.coverage()
    assert refused.value.status == 401
    with Client(server.url, key=server.keys["firm"]) as firm:
        assert firm.document(NOTE).origin.document_id == NOTE
    with Client(server.url, key=server.keys["slow"]) as slow:
        slow.coverage()
        with pytest.raises(RateLimitError) as often:
            slow.coverage()
    assert often.value.transient
    assert often.value.retry_after is not None
    assert 1 <= often.value.retry_after <= 60


def test_an_index_or_server_that_does_not_answer_is_unavailable(settings: Settings) -> None:
    with served_index(settings) as running, Client(running.url) as client:
        with pytest.raises(ServiceUnavailableError) as empty:  # nothing is indexed yet
            client.search("fyr")
        assert (empty.value.status, empty.value.retry_after, empty.value.transient) == (503, 5, True)
    with Client(running.url, timeout=5) as client, pytest.raises(ServiceUnavailableError, match="no answer") as gone:
        client.search("fyr")
    assert gone.value.status is None
    with pytest.raises(ServiceUnavailableError):
        asyncio.run(AsyncClient(running.url, timeout=5).coverage())


@pytest.mark.parametrize(
    ("status", "kind", "body", "expected"),
    [
        (502, "text/html", b"<h1>Bad gateway of a proxy</h1>", ServiceUnavailableError),
        (418, "text/plain", b"", ServiceError),
        (404, "application/problem+json", b"[]", AnswerNotFoundError),
        (500, "application/problem+json", b"{", ServiceError),
        (200, "application/json", b'{"documents": "many"}', ServiceError),
        (302, "text/plain", b"", ServiceError),
    ],
)
def test_what_another_server_answers_is_a_typed_error(
    status: int, kind: str, body: bytes, expected: type[ServiceError]
) -> None:
    class Other(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Location", "http://127.0.0.1:9/")
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Other) as other:
        Thread(target=other.handle_request, daemon=True).start()
        with Client(f"http://127.0.0.1:{other.server_port}", timeout=5) as client, pytest.raises(expected) as error:
            client.coverage()
    assert error.value.status == status
    assert str(error.value)


def test_awaited_the_answers_are_the_same(server: Index, client: Client) -> None:
    async def ask() -> None:
        async with AsyncClient(server.url, key=server.keys["stranger"]) as asynchronous:
            one, other = await asyncio.gather(
                asynchronous.provision(SECTION), asynchronous.search("mistluren", limit=3)
            )
            assert one == client.provision(SECTION)
            assert one.text == f"3 § {THIRD}"
            assert other == client.search("mistluren", limit=3)
            rows = [row.document_id async for row in asynchronous.all_documents(limit=2)]
            assert rows == [row.document_id for row in client.all_documents()]
            assert [one async for one in asynchronous.all_changes(YESTERDAY, limit=2)] == list(
                client.all_changes(YESTERDAY)
            )
            with pytest.raises(AnswerNotFoundError):
                await asynchronous.document("nothing")

    asyncio.run(ask())


def test_one_client_serves_several_threads(client: Client) -> None:
    with ThreadPoolExecutor(4) as threads:
        found = list(threads.map(lambda _: client.provision(SECTION), range(20)))
    assert all(answer == found[0] for answer in found)


def test_importing_the_client_loads_no_model_store_or_orchestrator() -> None:
    assert legal_pipeline.Client is Client
    code = (
        "import sys, legal_pipeline; legal_pipeline.Client; "
        "print(*sorted({'torch', 'dagster', 'qdrant_client', 'qdrant_edge', 'psycopg', 'numpy', 'lxml'} & sys.modules.keys()))"
    )
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert loaded.stdout.strip() == ""

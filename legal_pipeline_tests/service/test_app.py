"""The application without a server of its own: the loopback address, a missing index, PostgreSQL or store that are gone."""

from __future__ import annotations

import contextlib
import socket
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from starlette.testclient import TestClient

from legal_pipeline.errors import ConfigurationError
from legal_pipeline.pipeline import Pipeline
from legal_pipeline.reading.law_reader import LawReader
from legal_pipeline.registry.api_keys import ApiKeys
from legal_pipeline.registry.database import Database
from legal_pipeline.registry.embedded_postgres import EmbeddedPostgres
from legal_pipeline.service.app import make_app, serve
from legal_pipeline.service.gate import Gate, RateLimits, is_loopback
from legal_pipeline.service.problems import ProblemError
from legal_pipeline.settings import Settings
from legal_pipeline_tests.indexed_laws import FIRST, NOTE, run, write_law
from legal_pipeline_tests.processes import free_port
from legal_pipeline_tests.stores.qdrant_http_server import QdrantHttpServer, Trouble


@contextlib.contextmanager
def client_of(settings: Settings, host: str = "127.0.0.1") -> Iterator[TestClient]:
    """Of an application that asks for no keys."""
    with Pipeline.open(settings, database_timeout=1) as pipeline:
        app = make_app(LawReader(pipeline), Gate(ApiKeys(pipeline.registry.database), needs_key=False))
        with TestClient(app, base_url=f"http://{host}", raise_server_exceptions=False) as client:
            yield client


def test_on_the_loopback_address_the_owner_sees_everything_without_a_key(law_index: Settings) -> None:
    with client_of(law_index) as client:
        assert client.get(f"/v1/documents/{NOTE}").status_code == 200
        assert client.get("/metrics").status_code == 200
        # a wrong key is not forgiven
        assert client.get(f"/v1/documents/{NOTE}", headers={"Authorization": "Bearer lpk_x"}).status_code == 401


def test_another_name_of_the_loopback_address_needs_a_key(law_index: Settings) -> None:
    """A page in a browser that has its name lead to 127.0.0.1 is not the owner."""
    with client_of(law_index, "evil.example") as client:
        assert client.get(f"/v1/documents/{NOTE}").status_code == 403


@pytest.mark.parametrize("origin", ["https://evil.example", "null"])
def test_a_page_of_another_site_needs_a_key(law_index: Settings, origin: str) -> None:
    with client_of(law_index) as client:
        assert client.get(f"/v1/documents/{NOTE}", headers={"Origin": origin}).status_code == 403
        own = {"Origin": "http://localhost:8000"}
        assert client.get(f"/v1/documents/{NOTE}", headers=own).status_code == 200


def test_a_key_that_is_revoked_counts_no_more(database: Database) -> None:
    keys = ApiKeys(database)
    key, text = keys.create("somebody", audiences=["firm-a"])
    found = keys.find(text)
    assert found is not None
    assert (found.key_id, list(found.audiences)) == (key.key_id, ["firm-a"])
    with database.connection() as connection:
        kept = connection.execute("select api_keys::text as row from api_keys").fetchone()
    assert kept is not None
    assert text.rpartition("_")[2] not in kept["row"]
    assert keys.revoke(key.key_id)
    assert keys.find(text) is None
    assert not keys.revoke(key.key_id)
    with pytest.raises(ConfigurationError, match="read, admin"):
        keys.create("somebody", scopes=["write"])


def test_a_key_is_admitted_however_its_scheme_is_written_and_has_a_rate_of_its_own(database: Database) -> None:
    keys = ApiKeys(database)
    (_, first), (_, second) = (keys.create(name, requests_per_minute=1) for name in ("first", "second"))
    gate = Gate(keys, needs_key=True, clock=lambda: 0.0)
    assert gate.admit(f"bearer  {first} ", "law.example").viewer.audiences == frozenset()
    assert gate.admit(f"Bearer {second}", "law.example").key is not None
    for presented, status in ((f"Bearer {first}", 429), (f"Basic {first}", 401), (None, 401)):
        with pytest.raises(ProblemError) as refused:
            gate.admit(presented, "law.example")
        assert refused.value.status == status
        assert refused.value.headers == ({"Retry-After": "60"} if status == 429 else {"WWW-Authenticate": "Bearer"})


def test_an_address_that_others_reach_is_not_served_without_keys(settings: Settings) -> None:
    with pytest.raises(ConfigurationError, match="legal-pipeline keys create"):
        serve(settings, host="0.0.0.0", port=free_port())


def test_a_port_in_use_is_refused_before_the_service_starts(settings: Settings) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with pytest.raises(ConfigurationError, match="is in use"):
            serve(settings, host="127.0.0.1", port=taken.getsockname()[1])


def test_an_index_of_nothing_is_not_healthy(settings: Settings) -> None:
    with client_of(settings) as client:
        answer = client.get("/healthz")
        assert (answer.status_code, answer.headers["content-type"]) == (503, "application/problem+json")
        assert "nothing was indexed" in answer.json()["detail"]
        assert client.get("/v1/search", params={"q": "fyr"}).status_code == 503
        assert client.get("/v1/coverage").json()["documents"] == 0


def test_without_the_store_the_answer_is_503_with_a_reason(settings: Settings) -> None:
    gone = settings.model_copy(
        update={"qdrant_url": f"http://127.0.0.1:{free_port()}", "qdrant_attempts": 1, "stores": "qdrant"}
    )
    with client_of(gone) as client:
        answer = client.get("/healthz")
        assert answer.status_code == 503
        assert "Qdrant" in answer.json()["detail"]
        assert answer.headers["retry-after"]


@pytest.mark.filterwarnings("ignore:Payload indexes have no effect")
def test_without_the_store_a_search_is_503_until_it_is_back(settings: Settings, tmp_path: Path) -> None:
    server = QdrantHttpServer()
    with server.listening() as url:
        chosen = settings.model_copy(
            update={"qdrant_url": url, "qdrant_attempts": 1, "stores": "qdrant", "enrich": "none"}
        )
        write_law(tmp_path, "2001-01-01", FIRST)
        with Pipeline.open(chosen) as pipeline:
            run(pipeline, tmp_path)
        with client_of(chosen) as client:
            statuses = []
            for troubles in ([], [Trouble(status=503)], [Trouble(cut=True)], []):
                server.troubles += troubles
                answer = client.get("/v1/search", params={"q": "3 § lagen (2099:10)"})
                statuses.append(answer.status_code)
                assert answer.status_code == 200 or "Qdrant" in answer.json()["detail"]
            assert statuses == [200, 503, 503, 200]


def test_without_postgres_the_answer_is_503_until_it_is_back(settings: Settings, postgres: EmbeddedPostgres) -> None:
    name = settings.database_url_text.partition("?")[0].rpartition("/")[2]
    with client_of(settings) as client, psycopg.connect(postgres.url, autocommit=True) as server:
        assert client.get("/v1/coverage").status_code == 200
        server.execute(f"alter database {name} allow_connections false".encode())
        server.execute("select pg_terminate_backend(pid) from pg_stat_activity where datname = %s", (name,))
        answer = client.get("/v1/coverage")
        assert (answer.status_code, answer.json()["title"]) == (503, "Service Unavailable")
        server.execute(f"alter database {name} allow_connections true".encode())
        deadline = time.monotonic() + 20
        while (status := client.get("/v1/coverage").status_code) == 503 and time.monotonic() < deadline:
            time.sleep(0.1)
        assert status == 200


def test_a_rate_is_a_minutes_requests_at_once_and_then_as_many_as_come_in() -> None:
    now = [0.0]
    limits = RateLimits(lambda: now[0])
    assert [limits.wait("key", 60) for _ in range(60)] == [0.0] * 60
    assert limits.wait("key", 60) == pytest.approx(1)
    assert limits.wait("other", 60) == 0
    now[0] = 1.0
    assert limits.wait("key", 60) == 0
    assert limits.wait("key", 60) > 0


def test_a_key_that_was_idle_for_an_hour_has_a_minutes_requests() -> None:
    now = [0.0]
    limits = RateLimits(lambda: now[0])
    assert limits.wait("key", 2) == 0
    now[0] = 3600.0
    assert [limits.wait("key", 2) for _ in range(3)] == [0, 0, pytest.approx(30)]


@pytest.mark.parametrize(
    ("host", "is_own"),
    [("127.0.0.1", True), ("127.9.9.9", True), ("::1", True), ("[::1]", True), ("localhost", True), ("LOCALHOST", True),
     ("0.0.0.0", False), ("192.168.1.2", False), ("localhost.evil.example", False), ("", False)],
)  # fmt: skip
def test_which_hosts_are_this_machine(host: str, is_own: bool) -> None:
    assert is_loopback(host) == is_own

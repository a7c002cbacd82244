"""Rules of the server path that the client in memory cannot show: its errors, against a real local HTTP server."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest
from qdrant_client import QdrantClient, models

from legal_pipeline.errors import ConfigurationError, StoreError, StoreUnavailableError
from legal_pipeline.settings import load_settings
from legal_pipeline.stores.qdrant_answers import retry_policy, wait_before_next
from legal_pipeline.stores.qdrant_server import Placement, QdrantServerStore
from legal_pipeline.stores.registry import open_store
from legal_pipeline.stores.store import Model
from legal_pipeline_tests.stores.points import DIMENSION, act
from legal_pipeline_tests.stores.qdrant_http_server import QdrantHttpServer

pytestmark = pytest.mark.filterwarnings(
    "ignore:Payload indexes have no effect", "ignore:Api key is used with an insecure"
)

NAME = "legal_chunks"
MODEL = Model("small@1", "small")
KEY = "not-a-real-key"
IMPATIENT = retry_policy(attempts=2, wait=0.01)


@contextmanager
def answering(status: int) -> Iterator[str]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = b'{"status": {"error": "so it is"}}'
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *args: object) -> None:
            return

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.mark.parametrize(
    ("status", "error", "message"),
    [
        (401, ConfigurationError, "refused the API key .*QDRANT_API_KEY"),
        (403, ConfigurationError, "refused the API key"),
        (500, StoreUnavailableError, "HTTP 500 while preparing the collection"),
        (503, StoreUnavailableError, "HTTP 503"),
        (429, StoreUnavailableError, "429|Too Many"),
        (400, StoreError, "HTTP 400 .*so it is"),
    ],
)
def test_an_error_of_the_server_becomes_one_clear_sentence(status: int, error: type[Exception], message: str) -> None:
    with answering(status) as url:
        store = QdrantServerStore.connect(url, api_key=KEY, retries=IMPATIENT)
        with pytest.raises(error, match=message) as caught:
            store.ensure_collection(NAME, DIMENSION)
    assert type(caught.value) is error
    assert KEY not in str(caught.value)
    assert url in str(caught.value)


def test_a_server_that_is_away_may_be_asked_again() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    store = QdrantServerStore.connect(f"http://user:{KEY}@127.0.0.1:{port}", retries=IMPATIENT)
    laws = {name: act(name, {"1": "Lydelse."}) for name in ("se-sfs-1", "se-sfs-2", "se-sfs-3")}
    with pytest.raises(StoreUnavailableError, match="while writing se-sfs-1 and 2 more documents to legal") as caught:
        store.replace_documents(NAME, laws)
    assert "does not answer" in str(caught.value)
    assert caught.value.transient
    assert KEY not in str(caught.value)


def test_a_url_that_is_none_is_a_configuration_error() -> None:
    with pytest.raises(ConfigurationError, match="must look like"):
        QdrantServerStore.connect("localhost:6333")


def test_a_foreign_collection_is_refused_before_anything_is_written() -> None:
    client = QdrantClient(":memory:")
    vectors = models.VectorParams(size=DIMENSION, distance=models.Distance.COSINE)
    client.create_collection("unnamed", vectors_config=vectors)
    client.create_collection(
        "unmarked",
        vectors_config={"dense": vectors},
        sparse_vectors_config={"bm25": models.SparseVectorParams(modifier=models.Modifier.IDF)},
    )
    store = QdrantServerStore(client, where="the client in memory")
    for name in ("unnamed", "unmarked"):
        with pytest.raises(ConfigurationError, match="was not made by this version"):
            store.ensure_collection(name, DIMENSION)
        with pytest.raises(ConfigurationError, match="was not made by this version"):
            store.replace_document(name, "se-sfs-1", act("se-sfs-1", {"1": "Lydelse."}))
        assert client.count(name).count == 0


class OldServer(QdrantClient):
    """A server before 1.16: it ignores the metadata of a collection."""

    def create_collection(self, *arguments: Any, **options: Any) -> bool:
        return super().create_collection(*arguments, **options | {"metadata": None})


def test_a_server_that_keeps_no_metadata_is_refused_and_left_as_it_was() -> None:
    client = OldServer(":memory:")
    store = QdrantServerStore(client, where="the client in memory")
    with pytest.raises(ConfigurationError, match=r"keeps no collection metadata: version 1\.16 or later is needed"):
        store.ensure_collection(NAME, DIMENSION)
    assert client.get_collections().collections == []


@pytest.mark.parametrize(("backoff", "asked_for", "wait"), [(2, 0, 2), (2, 5, 5), (5, 2, 5), (2, 60, 30), (60, 0, 30)])
def test_the_longer_wait_of_ours_and_the_servers_is_waited_up_to_a_limit(
    backoff: float, asked_for: float, wait: float
) -> None:
    assert wait_before_next(backoff, asked_for) == wait


@pytest.fixture
def server() -> Iterator[QdrantHttpServer]:
    server = QdrantHttpServer()
    with server.listening():
        yield server


def params_of(server: QdrantHttpServer, name: str) -> models.CollectionParams:
    return QdrantClient(url=server.url, check_compatibility=False).get_collection(name).config.params


def test_a_collection_is_placed_as_the_settings_say(server: QdrantHttpServer, tmp_path: Path) -> None:
    settings = load_settings(
        home=tmp_path,
        qdrant_url=server.url,
        qdrant_shards=6,
        qdrant_replicas=2,
        qdrant_payload_on_disk=False,
        qdrant_vectors_on_disk=True,
    )
    store = open_store(settings)
    name = store.prepare("legal_chunks", DIMENSION, Model("small@1", "small", (("dense_other", 4),))).name
    params = params_of(server, name)
    assert (params.shard_number, params.replication_factor, params.on_disk_payload) == (6, 2, False)
    assert isinstance(params.vectors, dict)
    assert {vector: held.on_disk for vector, held in params.vectors.items()} == {"dense": True, "dense_other": True}
    store.replace_document(name, "se-sfs-1", act("se-sfs-1", {"1": "Lydelse."}))
    assert store.count("legal_chunks") == 1


def test_payloads_and_vectors_of_a_collection_move_and_its_points_stay(server: QdrantHttpServer) -> None:
    name = QdrantServerStore.connect(server.url).prepare(NAME, DIMENSION, MODEL).name
    QdrantServerStore.connect(server.url).replace_document(name, "se-sfs-1", act("se-sfs-1", {"1": "Lydelse."}))
    moving = QdrantServerStore.connect(server.url, placement=Placement(payload_on_disk=False, vectors_on_disk=True))
    assert moving.prepare(NAME, DIMENSION, MODEL).name == name
    params = params_of(server, name)
    assert isinstance(params.vectors, dict)
    assert (params.on_disk_payload, params.vectors["dense"].on_disk) == (False, True)
    assert moving.count(NAME) == 1
    server.requests.clear()
    moving.prepare(NAME, DIMENSION, MODEL)
    QdrantServerStore.connect(server.url).prepare(NAME, DIMENSION, MODEL)  # without settings nothing moves back
    assert server.writes == []


@pytest.mark.parametrize("placement", [Placement(shards=3), Placement(replicas=2)])
def test_another_number_of_shards_or_replicas_is_built_beside_the_live_collection(
    server: QdrantHttpServer, placement: Placement
) -> None:
    store = QdrantServerStore.connect(server.url)
    old = store.prepare(NAME, DIMENSION, MODEL)
    store.replace_document(old.name, "se-sfs-1", act("se-sfs-1", {"1": "Lydelse."}))
    divided = QdrantServerStore.connect(server.url, placement=placement)
    new = divided.prepare(NAME, DIMENSION, MODEL)
    assert (old.live, new.live) == (True, False)
    assert new.name != old.name
    assert divided.count(NAME) == 1
    divided.replace_document(new.name, "se-sfs-1", act("se-sfs-1", {"1": "Lydelse."}))
    divided.go_live(NAME, new.name)
    divided.drop(old.name)
    assert params_of(server, new.name).shard_number == (placement.shards or 1)
    assert divided.count(NAME) == 1

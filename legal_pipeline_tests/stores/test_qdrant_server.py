"""Rules of the server path that the client in memory cannot show: its errors, against a real local HTTP server."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest
from qdrant_client import QdrantClient, models

from legal_pipeline.errors import ConfigurationError, StoreError, StoreUnavailableError
from legal_pipeline.stores.qdrant_answers import retry_policy
from legal_pipeline.stores.qdrant_server import QdrantServerStore
from legal_pipeline_tests.stores.points import DIMENSION, act

pytestmark = pytest.mark.filterwarnings(
    "ignore:Payload indexes have no effect", "ignore:Api key is used with an insecure"
)

NAME = "legal_chunks"
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
    with pytest.raises(StoreUnavailableError, match="does not answer") as caught:
        store.replace_document(NAME, "se-sfs-1", act("se-sfs-1", {"1": "Lydelse."}))
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

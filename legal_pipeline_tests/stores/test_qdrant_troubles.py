"""A Qdrant server that is out of order, slow, gone or not ours: calls wait and are made again, and what fails has changed nothing."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
from httpx import Headers
from qdrant_client import models
from qdrant_client.http.exceptions import UnexpectedResponse

from legal_pipeline.errors import ConfigurationError, MissingCollectionError, StoreError, StoreUnavailableError
from legal_pipeline.stores.qdrant_answers import Retries, retry_policy, wait_before_next
from legal_pipeline.stores.qdrant_server import QdrantServerStore
from legal_pipeline.stores.store import Model, ReplaceResult
from legal_pipeline_tests.stores.points import act, direction, row_hashes
from legal_pipeline_tests.stores.qdrant_http_server import QdrantHttpServer, Trouble

pytestmark = pytest.mark.filterwarnings(
    "ignore:Payload indexes have no effect", "ignore:Api key is used with an insecure"
)

ALIAS, MODEL, KEY = "legal_chunks", Model("small@1", "small"), "not-a-real-key"
OLD = {"1": "Denna lag gäller badplatser.", "2": "Badplatsen ska ha livboj."}
NEW = {"1": "Denna lag gäller badplatser.", "2": "Badplatsen ska ha livboj och stege."}


@pytest.fixture
def server() -> Iterator[QdrantHttpServer]:
    server = QdrantHttpServer()
    with server.listening():
        yield server


def connect(server: QdrantHttpServer, *, attempts: int = 4, wait: float = 0.02, timeout: int = 5) -> QdrantServerStore:
    return QdrantServerStore.connect(server.url, api_key=KEY, timeout=timeout, retries=retry_policy(attempts, wait))


def stored(server: QdrantHttpServer, store: QdrantServerStore) -> list[str]:
    server.troubles.clear()
    return sorted(store.point_hashes(ALIAS, "a").values())


TROUBLES = {
    "500": Trouble(500),
    "503": Trouble(503),
    "500 but done": Trouble(500, after_work=True),
    "cut off": Trouble(cut=True),
    "429": Trouble(429),
}


def check_one_failure_in(every: int, server: QdrantHttpServer, trouble: Trouble) -> None:
    """From the first look for the collection to the deleting of what is stale: at every so many-th request."""

    def all_of_it() -> list[ReplaceResult]:
        store = connect(server)
        name = store.prepare(ALIAS, 8, MODEL).name
        return [store.replace_document(name, "a", act("a", wording)) for wording in (OLD, NEW)]

    all_of_it()
    requests = len(server.requests)
    assert requests > 15
    for failing in range(0, requests, every):
        server.client.delete_collection(server.client.get_collections().collections[0].name)
        server.client.update_collection_aliases(
            [models.DeleteAliasOperation(delete_alias=models.DeleteAlias(alias_name=ALIAS))]
        )
        server.indexes.clear()
        server.troubles[:] = [*[Trouble()] * failing, trouble]
        all_of_it()
        assert not server.troubles
        assert stored(server, connect(server)) == row_hashes(act("a", NEW)), f"request {failing}"


@pytest.mark.parametrize("trouble", TROUBLES.values(), ids=TROUBLES)
def test_a_failure_on_the_way_changes_nothing(server: QdrantHttpServer, trouble: Trouble) -> None:
    check_one_failure_in(9, server, trouble)


@pytest.mark.heavy
@pytest.mark.parametrize("trouble", TROUBLES.values(), ids=TROUBLES)
def test_a_failure_at_any_request_changes_nothing(server: QdrantHttpServer, trouble: Trouble) -> None:
    check_one_failure_in(1, server, trouble)


def test_a_server_out_of_order_for_a_while_is_waited_for(server: QdrantHttpServer) -> None:
    store = connect(server)
    name = store.prepare(ALIAS, 8, MODEL).name
    server.troubles[:] = [Trouble(500)] * 3
    begin = time.monotonic()
    assert store.replace_document(name, "a", act("a", OLD)) == ReplaceResult(2, 0, 0)
    # 20, 40 and 80 ms, shortened by up to half
    assert 0.07 <= time.monotonic() - begin < 5


def test_each_wait_is_twice_as_long_and_none_is_above_thirty_seconds() -> None:
    policy = retry_policy(attempts=20, wait=1)
    waits = [policy.backoff(attempt) for attempt in range(1, 20)]
    for attempt, wait in enumerate(waits):
        assert min(30, 2**attempt) / 2 <= wait <= min(30, 2**attempt)
    assert wait_before_next(1.0, asked_for=7) == 7
    assert wait_before_next(1.0, asked_for=3600) == 30


def test_what_the_server_asks_to_wait_is_waited(server: QdrantHttpServer) -> None:
    store = connect(server, wait=0.001)
    server.troubles[:] = [Trouble(429, headers=(("Retry-After", "1"),))]
    begin = time.monotonic()
    store.prepare(ALIAS, 8, MODEL)
    assert time.monotonic() - begin >= 1


def test_a_slow_answer_is_not_waited_for_for_ever(server: QdrantHttpServer) -> None:
    store = connect(server, attempts=2, timeout=1)
    name = store.prepare(ALIAS, 8, MODEL).name
    store.replace_document(name, "a", act("a", OLD))
    server.troubles[:] = [Trouble(delay=3)] * 2
    with pytest.raises(StoreUnavailableError, match=r"does not answer while writing a to .*tried 2 times in \d"):
        store.replace_document(name, "a", act("a", NEW))
    assert stored(server, store) == row_hashes(act("a", OLD))
    server.troubles[:] = [Trouble(delay=3)]
    store.replace_document(name, "a", act("a", NEW))
    assert stored(server, store) == row_hashes(act("a", NEW))


def test_a_server_that_does_not_come_back_is_waited_for_once(server: QdrantHttpServer) -> None:
    store = connect(server)
    name = store.prepare(ALIAS, 8, MODEL).name
    store.replace_document(name, "a", act("a", OLD))
    server.troubles[:] = [Trouble(500)] * 100
    server.requests.clear()
    with pytest.raises(
        StoreUnavailableError, match=r"HTTP 500 while writing a .*out of order.*tried 4 times"
    ) as caught:
        store.replace_document(name, "a", act("a", NEW))
    assert caught.value.transient
    assert KEY not in str(caught.value)
    for document_id in ("b", "c"):
        with pytest.raises(StoreUnavailableError, match=f"writing {document_id}"):
            store.replace_document(name, document_id, act(document_id, NEW))
    assert len(server.requests) == 4 + 1 + 1
    assert stored(server, store) == row_hashes(act("a", OLD))
    server.troubles[:] = [Trouble(500)] * 3  # it has come back since, and is waited for again
    assert store.replace_document(name, "a", act("a", NEW)) == ReplaceResult(1, 1, 1)


def test_a_search_waits_too(server: QdrantHttpServer) -> None:
    store = connect(server)
    name = store.prepare(ALIAS, 8, MODEL).name
    store.replace_document(name, "a", act("a", OLD))
    server.troubles[:] = [Trouble(503)] * 2
    assert len(store.query(ALIAS, dense=direction(1)).dense) == 2


def test_a_collection_that_the_server_lacks_is_missing(server: QdrantHttpServer) -> None:
    store = connect(server)
    store.prepare(ALIAS, 8, MODEL)
    server.troubles[:] = [Trouble(404)]
    with pytest.raises(MissingCollectionError, match="404"):
        store.query(ALIAS, dense=direction(1))


def test_a_wrong_key_is_refused_at_the_first_request_and_not_tried_again(server: QdrantHttpServer) -> None:
    server.api_key = "another-key"
    with pytest.raises(ConfigurationError, match=r"refused the API key .*QDRANT_API_KEY"):
        connect(server).prepare(ALIAS, 8, MODEL)
    assert server.requests == [("GET", "/collections")]


def test_a_collection_of_others_under_the_alias_is_refused_before_anything_is_written(server: QdrantHttpServer) -> None:
    vectors = models.VectorParams(size=8, distance=models.Distance.COSINE)
    server.client.create_collection(ALIAS, vectors_config=vectors)
    with pytest.raises(ConfigurationError, match=f"has a collection {ALIAS} of its own"):
        connect(server).prepare(ALIAS, 8, MODEL)
    assert server.writes == []


def test_an_alias_of_others_is_refused_before_anything_is_written(server: QdrantHttpServer) -> None:
    vectors = models.VectorParams(size=8, distance=models.Distance.COSINE)
    server.client.create_collection("theirs", vectors_config=vectors)
    server.client.update_collection_aliases(
        [models.CreateAliasOperation(create_alias=models.CreateAlias(collection_name="theirs", alias_name=ALIAS))]
    )
    with pytest.raises(ConfigurationError, match=r"the collection theirs .* was not made by this version"):
        connect(server).prepare(ALIAS, 8, MODEL)
    assert server.writes == []


def test_another_dimension_is_refused_before_anything_is_written(server: QdrantHttpServer) -> None:
    store = connect(server)
    name = store.prepare(ALIAS, 8, MODEL).name
    server.requests.clear()
    with pytest.raises(ConfigurationError, match="of 8 dimensions, the embedding model gives 16"):
        store.ensure_collection(name, 16, MODEL)
    assert server.writes == []


def test_a_server_that_came_back_is_waited_for_again_when_it_fails_the_next_time() -> None:
    retries, tried = Retries("the server", retry_policy(3, 0)), list[str]()

    def fail() -> None:
        tried.append("failed")
        raise StoreUnavailableError("no answer")

    for outcomes in (3, 1):
        tried.clear()
        with pytest.raises(StoreUnavailableError):
            retries.call("counting", fail)
        assert len(tried) == outcomes
    assert retries.call("counting", lambda: 7) == 7
    tried.clear()
    with pytest.raises(StoreUnavailableError, match="tried 3 times"):
        retries.call("counting", fail)
    assert len(tried) == 3


@pytest.mark.parametrize(
    ("status", "error"),
    [(408, StoreUnavailableError), (500, StoreUnavailableError), (404, MissingCollectionError), (409, StoreError)],
)
def test_what_a_status_of_the_server_means(status: int, error: type[Exception]) -> None:
    def refuse() -> None:
        raise UnexpectedResponse(status, "refused", b"so it is", Headers())

    with pytest.raises(StoreError) as raised:
        Retries("the server", retry_policy(1, 0)).call("counting", refuse)
    assert type(raised.value) is error
    assert f"the server answered HTTP {status} while counting: so it is" in str(raised.value)

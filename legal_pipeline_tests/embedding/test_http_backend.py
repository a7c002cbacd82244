"""Embedding servers, over both protocols: nothing is lost or doubled, what is wrong is a typed error, and the key is never shown."""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import pytest

from legal_pipeline.embedding.admission import NotAdmittedError, probe_texts
from legal_pipeline.embedding.embedder import Embedder
from legal_pipeline.embedding.http_backend import HttpBackend
from legal_pipeline.embedding.http_protocols import BadAnswerError, OpenAi
from legal_pipeline.embedding.model_table import ModelTable
from legal_pipeline.embedding.options import BackendOptions
from legal_pipeline.embedding.registry import configured_embedders, open_embedder, options_of
from legal_pipeline.embedding.server import Server
from legal_pipeline.embedding.windows import Window
from legal_pipeline.errors import ConfigurationError, EmbeddingError, EmbeddingUnavailableError
from legal_pipeline.settings import Settings
from legal_pipeline_tests.embedding.embedding_server import KEY, EmbeddingServer, Fault, Rows
from legal_pipeline_tests.real_documents import existing

TEXTS = [
    f"{number} § Fyren ska vara tänd i {number} timmar." + " Fyrvakten ska vara vaken." * (number % 5)
    for number in range(100)
]


def by_length(texts: Sequence[str]) -> Rows:
    """A vector that says which text it is of."""
    return [[float(len(text)), float(sum(map(ord, text)) % 997), 1.0] for text in texts]


@pytest.fixture(params=["tei", "openai"])
def server(request: pytest.FixtureRequest) -> Iterator[EmbeddingServer]:
    with EmbeddingServer(by_length, tei=request.param == "tei") as started:
        yield started


@pytest.fixture
def pauses() -> list[float]:
    return []


@pytest.fixture
def backend(server: EmbeddingServer, pauses: list[float]) -> HttpBackend:
    return opened(server, pauses)


def opened(server: EmbeddingServer, pauses: list[float], **limits: Any) -> HttpBackend:
    described = Server(server.url, "m", KEY, **{"batch": 8, "timeout_seconds": 5.0, "attempts": 4, **limits})
    return HttpBackend(described, dimension=3, sleep=pauses.append)


def windows(texts: Sequence[str]) -> list[Window]:
    return [Window(number, text, 1, 1) for number, text in enumerate(texts)]


def assert_whole(backend: HttpBackend, server: EmbeddingServer) -> None:
    assert np.array_equal(backend.encode(windows(TEXTS)), np.float32(by_length(TEXTS)))
    assert sorted(text for batch in server.batches for text in batch) == sorted(TEXTS), "each text is embedded once"


def test_vectors_come_in_the_order_of_the_texts_in_batches_with_the_key(
    backend: HttpBackend, server: EmbeddingServer
) -> None:
    assert_whole(backend, server)
    assert max(map(len, server.batches)) == 8
    assert server.keys == {f"Bearer {KEY}"}


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_server_that_is_busy_or_broken_is_asked_again_later(
    backend: HttpBackend, server: EmbeddingServer, pauses: list[float], status: int
) -> None:
    server.faults = [Fault(status, retry_after="7"), Fault(status), Fault(status)]
    assert_whole(backend, server)
    assert len(pauses) == 3
    assert max(pauses) >= 7


def test_pauses_grow_and_a_server_that_stays_broken_is_a_transient_error(
    server: EmbeddingServer, pauses: list[float]
) -> None:
    server.faults = [Fault(500)] * 4
    with pytest.raises(EmbeddingUnavailableError, match="failed 4 times, at last with status 500") as raised:
        opened(server, pauses).encode(windows(TEXTS[:3]))
    assert raised.value.transient
    assert pauses[0] < pauses[1] < pauses[2]
    assert KEY not in str(raised.value)


def test_a_server_that_asks_to_wait_too_long_is_not_waited_for(server: EmbeddingServer, pauses: list[float]) -> None:
    server.faults = [Fault(429, retry_after="3600")]
    with pytest.raises(EmbeddingUnavailableError, match="asks to wait 3600 s"):
        opened(server, pauses).encode(windows(TEXTS[:3]))
    assert pauses == []


def test_a_silent_server_is_asked_again_and_nothing_is_doubled(server: EmbeddingServer, pauses: list[float]) -> None:
    server.faults = [Fault(status=500, silence=1.0)]
    backend = opened(server, pauses, timeout_seconds=0.5, concurrency=1)
    assert_whole(backend, server)
    assert len(pauses) == 1


def test_a_server_that_is_not_there_is_a_transient_error(pauses: list[float]) -> None:
    with EmbeddingServer(by_length) as gone:
        pass
    with pytest.raises(EmbeddingUnavailableError, match="failed 4 times"):
        opened(gone, pauses).encode(windows(TEXTS[:1]))


def short(answer: Any) -> Any:
    return answer[:-1] if isinstance(answer, list) else {**answer, "data": answer["data"][:-1]}


def doubled(answer: Any) -> Any:
    if isinstance(answer, list):
        return [*answer, answer[0]]
    return {**answer, "data": [*answer["data"][:-1], answer["data"][0]]}


def not_numbers(answer: Any) -> Any:
    if isinstance(answer, list):
        return [["a", "b", "c"] for _ in answer]
    return {**answer, "data": [{**row, "embedding": [None, 1, 2]} for row in answer["data"]]}


@pytest.mark.parametrize("altered", [short, doubled, not_numbers, lambda _: b"<html>", lambda _: {"data": 3}])
def test_an_answer_that_is_not_one_vector_per_text_is_asked_for_again_and_then_an_error(
    server: EmbeddingServer, pauses: list[float], altered: Callable[[Any], Any]
) -> None:
    server.faults = [Fault(altered=altered)]
    assert_whole(opened(server, pauses, concurrency=1), server)
    server.faults = [Fault(altered=altered)] * 4
    with pytest.raises(EmbeddingError, match="an answer of no use"):
        opened(server, pauses).encode(windows(TEXTS[:3]))


def test_an_answer_in_another_order_is_read_by_its_indexes(pauses: list[float]) -> None:
    def shuffled(answer: Any) -> Any:
        return {**answer, "data": random.Random(7).sample(answer["data"], len(answer["data"]))}

    with EmbeddingServer(by_length, tei=False) as server:
        server.faults = [Fault(altered=shuffled)] * 13
        found = opened(server, pauses).encode(windows(TEXTS))
    assert np.array_equal(found, np.float32(by_length(TEXTS)))


def test_an_answer_without_the_vector_of_a_text_names_its_index() -> None:
    data = [{"index": index, "embedding": [1.0]} for index in (0, 2, 2)]
    with pytest.raises(
        BadAnswerError,
        match=r"3 vectors for 3 texts; no vector has the index 1; the index 2 is repeated or not expected",
    ):
        OpenAi("http://localhost", "lamps").vectors({"data": data}, 3)


def test_vectors_of_another_dimension_are_refused_at_once(backend: HttpBackend, server: EmbeddingServer) -> None:
    server.vectors = lambda texts: [[1.0] * 4 for _ in texts]
    with pytest.raises(EmbeddingError, match="dimension 4, expected 3"):
        backend.encode(windows(TEXTS[:3]))


def test_batches_that_the_server_finds_too_large_are_halved(pauses: list[float]) -> None:
    with EmbeddingServer(by_length, most_texts=4) as server:
        described = Server(f"{server.url}/embed", "m", batch=32)
        assert_whole(HttpBackend(described, dimension=3, sleep=pauses.append), server)
        server.faults = [Fault(413)] * 10
        with pytest.raises(EmbeddingError, match="refuses a text of 4 characters as too large"):
            HttpBackend(described, dimension=3).encode(windows(["fyra"]))


@pytest.mark.parametrize("status", [401, 403, 404])
def test_a_key_or_an_address_that_is_refused_is_a_configuration_error(
    backend: HttpBackend, server: EmbeddingServer, status: int
) -> None:
    server.faults = [Fault(status)]
    with pytest.raises(ConfigurationError, match=f"status {status}: check address, model m and key") as raised:
        backend.encode(windows(TEXTS[:1]))
    assert KEY not in str(raised.value)


def test_what_is_no_address_is_refused_and_a_backend_http_needs_one() -> None:
    with pytest.raises(ConfigurationError, match="expected https://host"):
        HttpBackend(Server("localhost:8080", "m"))
    with pytest.raises(ConfigurationError, match="LEGAL_PIPELINE_EMBEDDING_URL"):
        open_embedder(options=BackendOptions("http"))


@pytest.fixture(scope="module")
def local() -> Embedder:
    return open_embedder()


def test_a_server_that_serves_the_packaged_model_has_its_name_and_is_admitted_once(
    local: Embedder, server: EmbeddingServer, settings: Settings
) -> None:
    server.vectors = lambda texts: local.embed_passages(texts).vectors.tolist()
    configured = settings.model_copy(update={"embedding_url": server.url, "embedding_batch": 16})
    remote = open_embedder(options=options_of(configured), home=settings.home)
    made = remote.embed_passages(TEXTS)
    assert remote.name == local.name
    assert (made.vectors * local.embed_passages(TEXTS).vectors).sum(axis=1).min() > 0.9999
    assert made.total_tokens == local.embed_passages(TEXTS).total_tokens
    asked = server.requests
    open_embedder(options=options_of(configured), home=settings.home).embed_queries(["fyr"])
    assert server.requests == asked + 1, "the probe is not asked again"


def test_a_server_with_another_model_is_refused_with_the_figure(
    local: Embedder, server: EmbeddingServer, settings: Settings
) -> None:
    def others(texts: Sequence[str]) -> Rows:
        noise = np.random.default_rng(len(texts)).normal(size=(len(texts), 384)) * 0.02
        return (local.embed_passages(texts).vectors + noise).tolist()  # type: ignore[no-any-return]

    server.vectors = others
    options = options_of(settings.model_copy(update={"embedding_url": server.url}))
    with pytest.raises(NotAdmittedError, match=r"cosine 0\.\d+ at least and 0\.\d+ on the mean of 100 texts, expected"):
        open_embedder(options=options, home=settings.home).embed_passages(TEXTS)


def test_a_model_that_only_the_server_has_must_stay_what_it_was(server: EmbeddingServer, settings: Settings) -> None:
    configured = settings.model_copy(update={"embedding_url": server.url, "embedding_model": "house-model-3"})
    options = options_of(configured)

    def embed(options: BackendOptions) -> int:
        return len(open_embedder("house-model-3", options, home=settings.home).embed_passages([*TEXTS, "lag " * 900]))

    assert embed(options) == 101
    assert sum(len(batch) for batch in server.batches) > 101 + len(probe_texts()), "the long text went in windows"
    name = open_embedder("house-model-3", options, home=settings.home).name
    assert name == "house-model-3@served/windows-1-400"
    server.vectors = lambda texts: [[1.0, float(len(text) % 7), 0.0] for text in texts]
    for path in existing(settings.home, "**/admitted-*.json"):
        path.unlink()  # as after an hour
    with pytest.raises(NotAdmittedError):
        embed(options)
    assert options.server is not None
    renamed = dataclasses.replace(options, server=dataclasses.replace(options.server, revision="2"))
    assert embed(renamed) == 101
    assert open_embedder("house-model-3", renamed, home=settings.home).name == "house-model-3@2/windows-1-400"


@pytest.mark.parametrize("served_name", [None, "house"])
def test_a_server_is_asked_for_each_model_of_a_table_by_its_own_name(
    settings: Settings, served_name: str | None
) -> None:
    changes = {"embedding_model": "eng=house-1,*=house-2", "embedding_served_name": served_name}
    with EmbeddingServer(by_length, tei=False) as server:
        configured = settings.model_copy(update={**changes, "embedding_url": server.url})
        ModelTable.parse(configured.embedding_model).open(
            lambda model: open_embedder(model, options_of(configured), home=settings.home)
        ).of("eng").embed_passages(TEXTS)
        assert server.models == {served_name or "house-1"}
        configured_embedders(configured).of("swe").embed_passages(TEXTS)
        assert server.models == ({served_name} if served_name else {"house-1", "house-2"})


def test_the_key_is_in_no_representation_of_the_options(settings: Settings) -> None:
    configured = Settings(home=settings.home, embedding_url="http://127.0.0.1:1", embedding_key=KEY)  # type: ignore[arg-type]
    assert KEY not in repr(configured) + repr(options_of(configured))

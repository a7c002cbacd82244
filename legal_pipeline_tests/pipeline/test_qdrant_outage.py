"""Runs against a Qdrant server that is out of order, gone or not ours: they wait, fail documents with a clear message and lose nothing."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

import pytest
from pydantic import SecretStr

from legal_pipeline.pipeline import Pipeline
from legal_pipeline_tests.pipeline.conftest import Bench, Law
from legal_pipeline_tests.stores.qdrant_http_server import QdrantHttpServer, Trouble

pytestmark = pytest.mark.filterwarnings(
    "ignore:Payload indexes have no effect", "ignore:Api key is used with an insecure"
)

NUMBERS = ("2099:10", "2099:11")
OLD, NEW = "Fyrvakten ska vara vaken.", "Fyrvakten ska vara vaken och nykter."
WRITES = "PUT .*/points$"


@pytest.fixture
def server() -> Iterator[QdrantHttpServer]:
    server = QdrantHttpServer()
    with server.listening():
        yield server


def reopened(bench: Bench, server: QdrantHttpServer, key: str = "key") -> Bench:
    """With the settings of the server, as a new process would open them."""
    old = bench.pipeline.resources
    settings = old.settings.model_copy(
        update={
            "qdrant_url": server.url,
            "qdrant_api_key": SecretStr(key),
            "qdrant_attempts": 3,
            "qdrant_wait_seconds": 0.02,
            "qdrant_timeout_seconds": 5,
            "stores": "qdrant",
            "enrich": "none",
        }
    )
    pipeline = Pipeline(dataclasses.replace(old, settings=settings), old.registry.database)
    return dataclasses.replace(bench, pipeline=pipeline, events=[])


def write(bench: Bench, law: Law, text: str) -> None:
    for number in NUMBERS:
        bench.write(f"{number.replace(':', '-')}.txt", law(number, text, "Fyren ska tändas i skymningen."))


def texts(bench: Bench) -> set[str]:
    return {
        str(hit.payload["chunk_text"]).partition(" ")[2]
        for hit in bench.pipeline.search("vaken fyrvakt", limit=20, passage_tokens=0)
    }


def test_a_server_out_of_order_for_a_while_is_waited_for(bench: Bench, law: Law, server: QdrantHttpServer) -> None:
    bench = reopened(bench, server)
    write(bench, law, OLD)
    server.troubles[:] = [Trouble(500)] * 2
    bench.ingest()
    assert bench.failures == {}
    assert not server.troubles
    assert bench.pipeline.registry.counts() == {"completed": 2}


def test_what_could_not_be_written_fails_keeps_its_old_version_and_is_written_by_the_next_run(
    bench: Bench, law: Law, server: QdrantHttpServer
) -> None:
    bench = reopened(bench, server)
    write(bench, law, OLD)
    bench.ingest()
    before = texts(bench)
    write(bench, law, NEW)
    server.matching, server.troubles[:] = WRITES, [Trouble(500)] * 100
    bench.ingest()
    assert len(bench.failures) == 2
    for document_id, error in bench.failures.items():
        assert "HTTP 500" in str(error)
        row = bench.pipeline.registry.document(document_id)
        assert row is not None
        assert row.status == "failed"
        assert f"writing {document_id}" in str(row.last_error)
    assert texts(bench) == before
    embedded = len(bench.embedder.texts)
    assert embedded
    server.troubles.clear()
    bench = reopened(bench, server)
    bench.ingest()
    assert bench.failures == {}
    assert bench.pipeline.registry.counts() == {"completed": 2}
    assert any("nykter" in text for text in texts(bench))
    assert not any("nykter" in text for text in bench.chunk_texts), "its vectors were kept"


def test_one_document_that_the_server_refuses_leaves_its_neighbour_alone(
    bench: Bench, law: Law, server: QdrantHttpServer
) -> None:
    bench = reopened(bench, server)
    write(bench, law, OLD)
    # the group of both is refused, then the first of them alone
    server.matching, server.troubles[:] = WRITES, [Trouble(400)] * 2
    bench.ingest()
    assert list(bench.failures) == ["se-sfs-2099-10"]
    assert "HTTP 400" in str(bench.failures["se-sfs-2099-10"])
    assert bench.pipeline.registry.counts() == {"completed": 1, "failed": 1}


def test_a_wrong_key_fails_every_document_with_the_name_of_the_setting_and_writes_nothing(
    bench: Bench, law: Law, server: QdrantHttpServer
) -> None:
    server.api_key = "right"
    bench = reopened(bench, server, key="wrong")
    write(bench, law, OLD)
    bench.ingest()
    assert {str(error).partition("; ")[2] for error in bench.failures.values()} == {"check QDRANT_API_KEY"}
    assert server.writes == []
    bench = reopened(bench, server, key="right")
    bench.ingest()
    assert bench.failures == {}


def test_a_server_that_is_gone_is_named_and_the_documents_wait_for_it(
    bench: Bench, law: Law, server: QdrantHttpServer
) -> None:
    away = QdrantHttpServer()
    with away.listening() as url:
        pass
    away.url = url
    gone = reopened(bench, away)
    write(gone, law, OLD)
    gone.ingest()
    assert len(gone.failures) == 2
    for error in gone.failures.values():
        assert f"the Qdrant server {url} does not answer" in str(error)
    back = reopened(bench, server)
    back.ingest()
    assert back.failures == {}
    assert len(texts(back)) >= 2

"""A searcher that stays open: how often the store is opened and asked, and that nobody is kept out of it meanwhile."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from legal_pipeline.pipeline import STAGES, Pipeline
from legal_pipeline.processing.publication import Publication
from legal_pipeline.registry.database import Database
from legal_pipeline.settings import Settings
from legal_pipeline.stores.qdrant_edge import QdrantEdgeStore
from legal_pipeline_tests.counting import CountingEmbedder
from legal_pipeline_tests.pipeline.conftest import Bench, Law
from legal_pipeline_tests.stores.counted import counted_calls
from legal_pipeline_tests.stores.qdrant_http_server import QdrantHttpServer

QUERIES = ("tillsyn på fyren", "4 § SFS 2099:20", "fyrvakten", "skymning")
TEXTS = (
    "En fyrvakt ska vara vaken.", "Fyren ska tändas i skymningen.", "Vid dimma ska mistluren ljuda.",
    "Tillsyn på fyren utövas av lotsen.", "Lotsen ansvarar för fyren.", "Beslut enligt denna lag får överklagas.",
)  # fmt: skip


@pytest.fixture
def indexed(bench: Bench, law: Law) -> Bench:
    for number in range(20, 23):
        bench.write(f"fyr{number}.txt", law(f"2099:{number}", *(f"{text[:-1]} i område {number}." for text in TEXTS)))
    bench.ingest()
    assert bench.failures == {}
    return bench


def test_many_searches_open_each_collection_once_and_ask_it_four_times_each(indexed: Bench) -> None:
    with counted_calls() as calls:
        for query in QUERIES:
            assert indexed.pipeline.search(query)
    assert calls.opens == 2, "chunks and questions"
    _check_calls(indexed)


def _check_calls(indexed: Bench) -> None:
    """The calls are: all lists, those of cited provisions too; the questions, the chunks that they ask for; where the neighbours stand, and
    what they say."""
    options: dict[str, Any] = {"limit": 3, "fold_duplicates": False}
    hits = indexed.pipeline.search("tillsyn på fyren", **options)
    assert len({hit.document_id for hit in hits}) > 1
    with counted_calls() as calls:
        indexed.pipeline.search("tillsyn på fyren", **options)
    assert calls.queries <= 4
    with counted_calls() as calls:
        indexed.pipeline.search("4 § SFS 2099:20", **options)
    assert calls.queries <= 3


def test_what_waits_for_the_store_gets_it_while_a_searcher_is_idle(indexed: Bench) -> None:
    assert indexed.pipeline.search("fyrvakten")
    (live,) = [
        one.generation.name
        for one in indexed.pipeline.collections()
        if one.alias == "legal_chunks" and one.store == "qdrant"
    ]
    other = QdrantEdgeStore(indexed.pipeline.resources.settings.home / "qdrant", lock_timeout=20)
    points = other.count(live)
    assert points > 0
    assert indexed.pipeline.search("fyrvakten"), "and the next search opens it again"
    assert other.count(live) == points


def test_two_that_each_hold_what_the_other_one_waits_for_both_go_on(settings: Settings, indexed: Bench) -> None:
    """A search reads chunks, then questions; a writer that holds the questions wants the chunks."""
    names = [one.generation.name for one in indexed.pipeline.collections() if one.store == "qdrant"]
    stores = [QdrantEdgeStore(settings.home / "qdrant", lock_timeout=20) for _ in range(2)]
    holding = threading.Barrier(2)

    def use(store: QdrantEdgeStore, first: str, second: str) -> list[int]:
        with store.kept_open([first, second], "searching"):
            found = [store.count(first)]
            holding.wait(20)
            return [*found, store.count(second)]

    indexed.pipeline.searcher.close()
    with ThreadPoolExecutor(2) as pool:
        one = pool.submit(use, stores[0], names[0], names[1])
        other = pool.submit(use, stores[1], names[1], names[0])
        assert one.result(60) == other.result(60)[::-1]


def test_a_searcher_shows_what_was_published_since_its_last_search(bench: Bench, law: Law) -> None:
    bench.write("fyr.txt", law("2099:10", "En fyrvakt ska vara vaken."))
    bench.ingest()
    first, *_ = bench.pipeline.search("fyrvakt")
    assert first.payload["chunk_text"].endswith("vaken.")
    bench.write("fyr.txt", law("2099:10", "En fyrvakt ska vara nykter."))
    bench.ingest()
    first, *_ = bench.pipeline.search("fyrvakt")
    assert first.payload["chunk_text"].endswith("nykter.")


def test_a_searcher_is_used_by_several_threads(indexed: Bench) -> None:
    alone = {query: [hit.chunk_id for hit in indexed.pipeline.search(query)] for query in QUERIES}
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda query: [hit.chunk_id for hit in indexed.pipeline.search(query)], QUERIES * 2))
    assert together == [alone[query] for query in QUERIES * 2]


@pytest.fixture
def on_a_server(
    settings: Settings, model: CountingEmbedder, law: Law, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Pipeline, QdrantHttpServer]]:
    """A pipeline with one law and questions on a Qdrant server in strict mode."""
    server = QdrantHttpServer()
    with server.listening() as url, Database.open(settings):
        chosen = settings.model_copy(update={"qdrant_url": url, "stores": "qdrant", "enrich": "prefixes,questions"})
        with Pipeline.open(chosen) as pipeline:
            bench = Bench(pipeline, tmp_path_factory.mktemp("laws"), CountingEmbedder(model), None)  # type: ignore[arg-type]
            texts = ("En fyrvakt ska vara vaken.", "Fyren ska tändas i skymningen.", "Vid dimma ska mistluren ljuda.")
            bench.write("fyr.txt", law("2099:10", *texts))
            found = bench.register()
            list(pipeline.run([*found.to_run]))
            yield pipeline, server


@pytest.mark.filterwarnings("ignore:Payload indexes have no effect")
def test_a_server_in_strict_mode_answers_the_default_search(on_a_server: tuple[Pipeline, QdrantHttpServer]) -> None:
    pipeline, _ = on_a_server
    first, *_ = pipeline.search("när ljuder mistluren")
    assert "mistluren" in first.payload["chunk_text"]
    assert first.neighbours, "passages filter on the chunk's number"
    assert first.score_parts.get("question") is not None, "questions filter on the chunk's id"


@pytest.mark.filterwarnings("ignore:Payload indexes have no effect")
def test_a_search_asks_a_server_for_points_alone(on_a_server: tuple[Pipeline, QdrantHttpServer]) -> None:
    """Which collections are live and of which model is asked once; dense and sparse go in one request."""
    pipeline, server = on_a_server
    pipeline.search("när ljuder mistluren")
    server.requests.clear()
    pipeline.search("när tänds fyren")
    assert {path.rpartition("/points/")[2] for _, path in server.requests} == {"query/batch"}
    assert len(server.requests) <= 4


def test_several_runs_of_a_process_open_each_collection_once(bench: Bench, law: Law) -> None:
    with counted_calls() as calls, bench.pipeline.kept_open():
        for number in (10, 11, 12):
            bench.write(f"fyr{number}.txt", law(f"2099:{number}", "En fyrvakt ska vara vaken."))
            bench.ingest()
    assert bench.failures == {}
    assert calls.opens == len({stage.collection for stage in STAGES if isinstance(stage, Publication)})
    assert len(bench.pipeline.search("fyrvakt", fold_duplicates=False)) == 3

"""Chunks are embedded in a thread of their own while the stages between cutting and embedding run; nothing else changes by it."""

from __future__ import annotations

import threading
from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pytest

from legal_pipeline.embedding.embedder import Embedder, Embeddings
from legal_pipeline.errors import ConfigurationError, EmbeddingError
from legal_pipeline.processing import embedding_ahead
from legal_pipeline.processing.embedding_ahead import MOST_TEXTS, PORTION, EmbeddingAhead
from legal_pipeline.processing.recent_tables import RecentTables
from legal_pipeline_tests.pipeline.conftest import Bench, Law
from legal_pipeline_tests.pipeline.test_embedding_failures import POISON, Refusing
from legal_pipeline_tests.replay import ByWords


class InThreads(ByWords):
    """Remembers each call's texts and thread; fails calls with a text that holds `POISON`."""

    def __init__(self, error: Exception | None = None) -> None:
        self.calls: list[tuple[str, list[str]]] = []
        self.error = error

    def embed_passages(self, texts: Sequence[str]) -> Embeddings:
        self.calls.append((threading.current_thread().name, list(texts)))
        if self.error is not None and any(POISON in text for text in texts):
            raise self.error
        return super().embed_passages(texts)


def texts(count: int) -> list[str]:
    return [f"{'fyr ' * (number % 7)}vakt {number}" for number in range(count)]


def test_texts_are_embedded_ahead_in_portions_and_each_once() -> None:
    model, given = InThreads(), texts(2 * PORTION + 5)
    ahead = EmbeddingAhead(lambda: model)
    ahead.put(given[:50])
    ahead.put(given)
    made = ahead.embed_passages(given)
    ahead.close()
    expected = ByWords().embed_passages(given)
    assert np.array_equal(made.vectors, expected.vectors)
    assert (made.embedded_tokens, made.total_tokens) == (expected.embedded_tokens, expected.total_tokens)
    by_thread = [(thread.startswith("embedding-ahead"), len(asked)) for thread, asked in model.calls]
    assert sorted(by_thread) == [(False, 5), (True, PORTION), (True, PORTION)]
    assert sorted(text for _, asked in model.calls for text in asked) == sorted(given)


def test_only_so_many_texts_are_kept_and_one_that_was_handed_out_makes_room() -> None:
    model, given = InThreads(), texts(MOST_TEXTS + PORTION)
    ahead = EmbeddingAhead(lambda: model)
    ahead.put(given)
    ahead.embed_passages(given[:PORTION])
    ahead.put(given[MOST_TEXTS:])
    ahead.close()
    assert sum(len(asked) for thread, asked in model.calls if thread.startswith("embedding-ahead")) <= len(given)
    assert ahead.embed_passages(given[-3:]).vectors.shape == (3, ByWords.dimension)


def test_a_portion_that_fails_is_asked_again_by_who_wants_it() -> None:
    model, given = InThreads(EmbeddingError("a vector that is not finite")), texts(2 * PORTION)
    given[3] = POISON
    ahead = EmbeddingAhead(lambda: model)
    ahead.put(given)
    with pytest.raises(EmbeddingError):
        ahead.embed_passages(given)
    assert len(ahead.embed_passages([text for text in given if text != POISON])) == len(given) - 1
    ahead.close()


def test_a_model_that_is_not_there_is_asked_once() -> None:
    model, given = InThreads(ConfigurationError("no such model")), [f"{POISON} {text}" for text in texts(3 * PORTION)]
    ahead = EmbeddingAhead(lambda: model)
    ahead.put(given)
    with pytest.raises(ConfigurationError):
        ahead.embed_passages(given)
    ahead.close()
    assert len(model.calls) == 1


def test_closing_ends_the_thread_after_the_portion_at_work() -> None:
    begun, go_on = threading.Event(), threading.Event()

    class Slow(InThreads):
        def embed_passages(self, texts: Sequence[str]) -> Embeddings:
            begun.set()
            assert go_on.wait(60)
            return super().embed_passages(texts)

    model = Slow()
    ahead = EmbeddingAhead(lambda: model)
    ahead.put(texts(8 * PORTION))
    assert begun.wait(60)
    threading.Timer(0.2, go_on.set).start()
    ahead.close()
    assert len(model.calls) == 1
    assert not any(thread.name.startswith("embedding-ahead") for thread in threading.enumerate())


def write_laws(bench: Bench, law: Law, refused: int | None = None) -> None:
    for number in range(4):
        word = POISON if number == refused else "Vaken"
        sections = [f"{word} ska fyrvakt {number} i torn {section} vara." for section in range(1, 7)]
        bench.write(f"{number}.txt", law(f"2099:{10 + number}", *sections))


@pytest.mark.parametrize("enrich", ["", "prefixes,summaries,questions"])
def test_a_run_makes_the_same_vectors_and_events_with_and_without(
    bench: Bench, law: Law, enrich: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = bench.pipeline.resources.settings.model_copy(update={"enrich": enrich})
    object.__setattr__(bench.pipeline.resources, "settings", settings)
    write_laws(bench, law)
    monkeypatch.setattr(embedding_ahead, "PORTION", 4)
    watched = Watching(bench.embedder.inner, EmbeddingError("never"))
    bench.embedder.inner = watched
    bench.ingest()
    assert "embedding-ahead" in watched.threads
    assert len(set(watched.texts)) == len(watched.texts)

    def tables() -> dict[str, pa.Table]:
        warehouse = bench.pipeline.warehouse
        return {name: warehouse.read_table(("chunk_embeddings",), name) for name in bench.done("chunk_embeddings")}

    with_thread, order = tables(), [(event.asset_key, event.document_id) for event in bench.events]
    for folder in ("chunk_embeddings", "chunks"):
        for name in with_thread:
            bench.pipeline.warehouse.delete((folder,), name)
    monkeypatch.setattr(EmbeddingAhead, "put", lambda *_: None)
    bench.events = list(bench.pipeline.run(list(with_thread)))
    assert [(event.asset_key, event.document_id) for event in bench.events] == order
    assert tables() == with_thread
    assert len(with_thread) == 4


class Watching(Refusing):
    """The real model, with the threads that asked it."""

    def __init__(self, inner: Embedder, error: Exception) -> None:
        super().__init__(inner, error)
        self.threads: set[str] = set()

    def embed_passages(self, texts: Sequence[str]) -> Embeddings:
        self.threads.add(threading.current_thread().name.partition("_")[0])
        return super().embed_passages(texts)


def test_a_text_that_was_refused_ahead_fails_its_own_document(
    bench: Bench, law: Law, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embedding_ahead, "PORTION", 4)
    write_laws(bench, law, refused=2)
    watched = Watching(bench.embedder.inner, EmbeddingError("a vector that is not finite"))
    bench.embedder.inner = watched
    bench.ingest()
    assert "embedding-ahead" in watched.threads
    assert set(bench.failures) == {"se-sfs-2099-12"}
    assert bench.pipeline.registry.counts() == {"completed": 3, "failed": 1}


def test_a_run_that_is_left_in_its_midst_leaves_no_thread(
    bench: Bench, law: Law, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embedding_ahead, "PORTION", 4)
    write_laws(bench, law)
    found = bench.register()
    run = bench.pipeline.run([*found.to_run])
    for event in run:
        if event.asset_key == ("context_prefixes",):
            break
    run.close()
    assert not any(thread.name.startswith("embedding-ahead") for thread in threading.enumerate())
    assert "processing" not in bench.pipeline.registry.counts()


def test_recent_tables_keep_so_many_bytes_and_drop_what_was_used_least_recently() -> None:
    table = pa.table({"number": pa.array(range(100), pa.int64())})
    recent = RecentTables(most_bytes=2 * table.nbytes)
    for name in "abc":
        recent.put((("chunks",), name), table)
        recent.get((("chunks",), "a"))
    assert [recent.get((("chunks",), name)) is not None for name in "abc"] == [True, False, True]
    recent.put((("chunks",), "d"), pa.table({"number": pa.array(range(1000), pa.int64())}))
    assert recent.get((("chunks",), "d")) is None
    recent.drop((("chunks",), "a"))
    recent.put((("chunks",), "e"), table)
    assert [recent.get((("chunks",), name)) is not None for name in "ace"] == [False, True, True]

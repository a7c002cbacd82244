"""Another embedding model: a new collection beside the old one, which searches read until the new one has every document."""

from __future__ import annotations

import dataclasses
import json
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass

import pytest

from legal_pipeline.embedding.embedder import Embedder, Embeddings, unit_rows
from legal_pipeline.errors import ConfigurationError
from legal_pipeline.pipeline import Failed, Pipeline
from legal_pipeline.processing.generations import State
from legal_pipeline.settings import Settings
from legal_pipeline_tests.counting import CountingEmbedder
from legal_pipeline_tests.pipeline.conftest import Bench, Law

TEXTS = ("En fyrvakt ska vara vaken.", "Fyren ska tändas i skymningen.", "Vid dimma ska mistluren ljuda.")
NUMBERS = ("2099:10", "2099:11", "2099:12")
IDS = tuple(f"se-sfs-{number.replace(':', '-')}" for number in NUMBERS)
SHORT = "short"


@dataclass
class ShortEmbedder:
    """The first 96 numbers of the real model's vectors: a model of its own, with another dimension."""

    inner: Embedder
    name: str = "short@1"
    dimension: int = 96

    @property
    def max_tokens(self) -> int:
        return self.inner.max_tokens

    def embed_passages(self, texts: Sequence[str]) -> Embeddings:
        full = self.inner.embed_passages(texts)
        vectors = unit_rows(full.vectors[:, : self.dimension], model=self.name)
        return Embeddings(vectors, full.embedded_tokens, full.total_tokens)

    embed_queries = embed_passages


def with_model(bench: Bench, setting: str, stores: str, models: dict[str, Embedder]) -> Bench:
    """The same home under other settings, as another process would open it."""
    old = bench.pipeline.resources
    settings = old.settings.model_copy(update={"embedding_model": setting, "stores": stores, "enrich": "questions"})
    resources = dataclasses.replace(
        old, settings=settings, make_embedder=lambda settings: models[settings.embedding_model]
    )
    return dataclasses.replace(bench, pipeline=Pipeline(resources, old.registry.database), events=[])


@dataclass
class Change:
    """The pipeline before and after the model was changed; `old` and `new` remember what they embedded."""

    before: Bench
    after: Bench
    old: CountingEmbedder
    new: CountingEmbedder
    models: dict[str, Embedder]

    def run(self, *document_ids: str) -> None:
        events = list(self.after.pipeline.run(document_ids))
        assert [event for event in events if isinstance(event, Failed)] == []

    def asked(self, query: str) -> tuple[list[str], bool, bool]:
        """(texts of the hits, whether the old model read the query, whether the new one did)

        A query that a model read before is not read again."""
        self.old.texts.clear()
        self.new.texts.clear()
        hits = self.after.pipeline.search(query, limit=20, passage_tokens=0)
        return [str(hit.payload["chunk_text"]) for hit in hits], query in self.old.texts, query in self.new.texts

    def states(self, alias: str = "legal_chunks") -> dict[str, State]:
        """By store and model."""
        return {
            f"{one.store} {one.generation.model.name.partition('@')[0]}": one
            for one in self.after.pipeline.collections()
            if one.alias == alias
        }


def lamp_act() -> str:
    """An Act in English, as a line of `docs.jsonl`."""
    content = [{"type": "section", "num": "1", "heading": "Lamps", "text": "Every lamp shall be lit at dusk."}]
    return json.dumps(
        {
            "doc_id": "lamp-1",
            "doc_type": "act",
            "title": "Lamp Act",
            "jurisdiction": "zw",
            "language": "en",
            "source_url": "/akn/zw/act/2099/1/eng@1999-01-01",
            "content": content,
        }
    )


@pytest.fixture(params=["qdrant,pgvector", "pgvector"])
def change(bench: Bench, law: Law, request: pytest.FixtureRequest) -> Change:
    old, new = bench.embedder, CountingEmbedder(ShortEmbedder(bench.embedder.inner))
    models: dict[str, Embedder] = {"all-MiniLM-L6-v2": old, SHORT: new}
    before = with_model(bench, "all-MiniLM-L6-v2", request.param, models)
    for number in NUMBERS:
        texts = [text.replace(".", f" i distrikt {number}.") for text in TEXTS]
        bench.write(f"{number.replace(':', '-')}.txt", law(number, *texts))
    before.ingest()
    assert before.failures == {}
    return Change(before, with_model(bench, SHORT, request.param, models), old, new, models)


def test_searches_go_on_with_the_old_model_until_the_new_collection_is_complete(change: Change) -> None:
    texts, with_old, with_new = change.asked("mistluren ljuder i dimma")
    assert (len(texts), with_old, with_new) == (9, True, False)
    change.run(*IDS[:2])
    assert change.asked("mistluren ljuder i dimma") == (texts, False, False), "its vector is kept"
    assert change.asked("en vaken fyrvakt")[1:] == (True, False)
    for name, state in change.states().items():
        built = name.endswith("short")
        assert (state.generation.live, state.documents) == (not built, 2 if built else 3)
        assert state.missing == ((IDS[2],) if built else ())
    change.run(IDS[2])
    found, with_old, with_new = change.asked("mistluren ljuder i dimma")
    assert (sorted(found), with_old, with_new) == (sorted(texts), False, True)
    assert all(state.generation.live and name.endswith("short") for name, state in change.states().items())


def test_a_document_that_is_new_or_changed_meanwhile_is_seen_with_the_switch(change: Change, law: Law) -> None:
    changed = "Fyrvakten ska vara utsövd."
    change.after.write("2099-10.txt", law("2099:10", changed, *TEXTS[1:]))
    change.after.write("2099-13.txt", law("2099:13", "Fyrskeppet ska ligga för ankar.", "Fyrskeppet ska vara rött."))
    change.after.register()
    change.run(IDS[0], "se-sfs-2099-13")
    texts, _, _ = change.asked("utsövd fyrvakt på fyrskeppet")
    assert len(texts) == 9
    assert not any("utsövd" in text or "ankar" in text for text in texts), (
        "the old version of the one, nothing of the other"
    )
    change.run(*IDS[1:])
    texts, _, _ = change.asked("utsövd fyrvakt på fyrskeppet")
    assert len(texts) == 11
    assert sum("utsövd" in text or "ankar" in text for text in texts) == 2


def test_a_document_that_is_purged_meanwhile_holds_nothing_up(change: Change) -> None:
    change.run(*IDS[:2])
    change.after.pipeline.registry.tombstone(IDS[2])
    change.after.pipeline.purge()
    change.run(IDS[0])
    assert all(state.generation.live and name.endswith("short") for name, state in change.states().items())
    assert len(change.asked("fyrvakt")[0]) == 6


def test_what_is_half_built_is_dropped_when_the_settings_are_taken_back(change: Change) -> None:
    change.run(IDS[0])
    assert len(change.states()) == 2 * len({state.store for state in change.states().values()})
    dropped = change.before.pipeline.sweep()
    assert dropped
    assert all(state.generation.live and not name.endswith("short") for name, state in change.states().items())
    assert len(change.asked("fyrvakt")[0]) == 9


def test_what_is_half_built_stays_while_the_settings_name_its_model(change: Change) -> None:
    change.run(IDS[0])
    before = change.states()
    assert change.after.pipeline.sweep() == []
    assert change.states() == before


def test_a_text_that_was_cut_by_meaning_is_cut_again_with_the_new_model(change: Change) -> None:
    sentences = ("The keeper trims the lamp at dusk.", "The boats sail out at dawn.", "The baker sells bread in town.")
    change.before.write("notes.txt", "\n\n".join([" ".join(sentences * 8)] * 3))
    change.before.ingest()
    (event,) = change.before.done("chunks", "semantic").values()
    change.run(event.document_id)
    assert set(sentences) <= set(change.new.texts)


def test_a_model_that_is_gone_is_named_and_nothing_is_searched_with_another(change: Change) -> None:
    change.run(IDS[0])
    change.models["all-MiniLM-L6-v2"] = ShortEmbedder(change.old.inner, name="all-MiniLM-L6-v2@of another hash")
    with pytest.raises(ConfigurationError, match="bring the old model back"):
        change.after.pipeline.search("fyrvakt")


def test_questions_and_chunks_change_their_model_together_or_questions_wait(change: Change) -> None:
    if "qdrant" not in change.after.pipeline.resources.settings.store_names:
        pytest.skip("questions are in Qdrant")
    change.run(*IDS[:2])
    assert {state.generation.live for state in change.states("quim_questions").values()} == {True, False}
    hit = change.after.pipeline.search("När ska fyren tändas?", limit=1)[0]
    assert "question" in hit.score_parts
    change.run(IDS[2])
    assert [state.generation.live for state in change.states("quim_questions").values()] == [True]
    hit = change.after.pipeline.search("När ska fyren tändas?", limit=1)[0]
    assert "question" in hit.score_parts


#: The law of the change is Swedish; what else there is goes on with the old model.
TABLE = f"swe={SHORT},*=all-MiniLM-L6-v2"


#: The text of each hit and its similarity, which says whose vectors were compared.
Answer = tuple[tuple[str, float], ...]


def answer(pipeline: Pipeline, query: str) -> Answer:
    hits = pipeline.search(query, limit=40, passage_tokens=0)
    return tuple(sorted((str(hit.payload["chunk_text"]), round(hit.score_parts["dense"], 4)) for hit in hits))


class Reader:
    """Searches again and again in a thread of its own; `answers` are what it was given."""

    def __init__(self, pipeline: Pipeline, query: str) -> None:
        self.answers: list[Answer] = []
        self.error: Exception | None = None
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._search, args=(pipeline, query))

    def _search(self, pipeline: Pipeline, query: str) -> None:
        while not self._stop.is_set() and self.error is None:
            try:
                self.answers.append(answer(pipeline, query))
            except Exception as error:
                self.error = error
            time.sleep(0.02)  # whoever writes comes between two searches

    def __enter__(self) -> Reader:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()


def test_from_one_model_to_a_table_and_to_another_one_every_answer_is_whole_and_of_one_collection(
    change: Change,
) -> None:
    bench = change.before
    bench.write("docs.jsonl", lamp_act())
    bench.ingest()
    assert bench.failures == {}
    everything = [*IDS, "zw-act-2099-1"]
    stores = bench.pipeline.resources.settings.stores
    query = "När ska fyren tändas i skymningen?"
    before = answer(bench.pipeline, query)
    assert len(before) == 10
    for setting, models in ((TABLE, {"short", "all-MiniLM-L6-v2"}), (SHORT, {"short"})):
        after = with_model(bench, setting, stores, change.models)
        with Reader(after.pipeline, query) as reader:
            for document_id in everything:
                events = list(after.pipeline.run([document_id]))
                assert [event for event in events if isinstance(event, Failed)] == []
            following = answer(after.pipeline, query)
        assert reader.error is None
        assert [text for text, _ in following] == [text for text, _ in before]
        changed = [found != before for found in reader.answers]
        assert set(reader.answers) <= {before, following}
        assert changed[0] is False
        assert changed == sorted(changed), "once switched, always switched"
        assert following != before
        before = following
        (live,) = {one.generation.model.name for one in after.pipeline.collections() if one.alias == "legal_chunks"}
        assert {name.split("=")[-1].partition("@")[0] for name in live.split(",")} == models


def test_a_table_embeds_each_language_with_its_model_and_a_query_with_those_that_read_it(change: Change) -> None:
    bench = change.before
    bench.write("docs.jsonl", lamp_act())
    after = with_model(bench, TABLE, bench.pipeline.resources.settings.stores, change.models)
    change.old.texts.clear()
    after.ingest()
    assert after.failures == {}
    assert any("lit at dusk" in text for text in change.old.texts)
    assert not any("distrikt" in text for text in change.old.texts)
    assert any("distrikt" in text for text in change.new.texts)
    change = dataclasses.replace(change, after=after)
    assert change.asked("När ska fyren tändas i skymningen?")[1:] == (True, True)
    assert change.asked("When shall every lamp in the house be lit?")[1:] == (True, False)


def test_a_document_keeps_its_vectors_when_the_table_says_of_it_what_one_model_said(change: Change) -> None:
    bench = change.before
    after = with_model(
        bench, f"eng={SHORT},*=all-MiniLM-L6-v2", bench.pipeline.resources.settings.stores, change.models
    )
    change.old.texts.clear()
    change.new.texts.clear()
    assert [event for event in after.pipeline.run(IDS) if isinstance(event, Failed)] == []
    assert (change.old.texts, change.new.texts) == ([], [])
    assert all(one.generation.live for one in after.pipeline.collections() if one.missing == ())


def test_a_model_is_opened_once_for_all_runs_of_a_process(bench: Bench, law: Law) -> None:
    old = bench.pipeline.resources
    opened: list[str] = []

    def make(settings: Settings) -> Embedder:
        opened.append(settings.embedding_model)
        return old.make_embedder(settings)

    resources = dataclasses.replace(old, make_embedder=make)
    bench = dataclasses.replace(bench, pipeline=Pipeline(resources, old.registry.database))
    for text in TEXTS[:2]:
        bench.write("fyr.txt", law(NUMBERS[0], text))
        bench.ingest()
        assert bench.failures == {}
        assert bench.done("chunk_embeddings")
    assert opened
    assert len(opened) == len(set(opened))

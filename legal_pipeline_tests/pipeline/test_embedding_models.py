"""Another embedding model: a new collection beside the old one, which searches read until the new one has every document."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass

import pytest

from legal_pipeline.embedding.embedder import Embedder, Embeddings, unit_rows
from legal_pipeline.errors import ConfigurationError
from legal_pipeline.pipeline import Failed, Pipeline
from legal_pipeline.processing.generations import State
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
        """(texts of the hits, whether the old model read the query, whether the new one did)"""
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
    assert change.asked("mistluren ljuder i dimma") == (texts, True, False)
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

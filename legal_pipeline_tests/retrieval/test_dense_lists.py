"""Searches over a table of models: which model is asked, and that law in another language than the question is found by its meaning."""

from __future__ import annotations

import math
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest

from legal_pipeline.embedding.embedder import Embeddings
from legal_pipeline.embedding.model_table import Embedders
from legal_pipeline.model.identity import point_id
from legal_pipeline.retrieval.dense_lists import (
    OTHER_SHARE,
    SMALL_OTHER_SHARE,
    Nearest,
    dense_list,
    dense_queries,
    interleaved,
    is_short,
    nearest,
    query_language,
)
from legal_pipeline.retrieval.hit import Hit
from legal_pipeline.retrieval.search import View, search
from legal_pipeline.stores.qdrant_edge import QdrantEdgeStore
from legal_pipeline.stores.store import ROW_HASH, AnyOf, Model, Not, Point, Query, RankedLists, ScoredPoint, VectorStore
from legal_pipeline_tests.embedding.named import Named

ENGLISH = "When must the keeper of a lighthouse light the lamp in the evening?"
SWEDISH = "När måste den som vaktar fyren tända lampan om kvällen?"
MEANINGS = {"lamp": 0, "lampan": 0, "lykta": 0, "fee": 1, "avgift": 1, "lampe": 0}
TEXTS = {
    "eng": [f"The lamp number {n} is lit at dusk." for n in range(8)] + [f"A fee of {n} dollars is paid." for n in range(8)],
    "swe": ["Fyrens lykta brinner från skymningen.", *(f"En avgift om {n} kronor tas ut." for n in range(8))],
    "deu": ["Die lampe brennt in der Nacht."],
}  # fmt: skip


@dataclass
class Index:
    store: VectorStore
    english: Named
    other: Named

    @property
    def embedders(self) -> Embedders:
        return Embedders({"eng": self.english}, self.other)

    def found(self, query: str, limit: int = 5) -> list[Hit]:
        return search(query, View(self.store, lambda: self.embedders, "chunks"), limit=limit)


def _payload(chunk_id: str, language: str) -> dict[str, str]:
    return {
        "chunk_id": chunk_id, "chunk_text": chunk_id, "language": language, ROW_HASH: chunk_id, "document_id": language,
    }  # fmt: skip


@pytest.fixture
def index(tmp_path: Path) -> Index:
    found = Index(QdrantEdgeStore(tmp_path), Named("english@1", 4, MEANINGS), Named("many@1", 6, MEANINGS))
    embedders = found.embedders
    model = Model(embedders.name, "eng=english,*=many", embedders.further)
    found.store.ensure_collection("chunks", embedders.dimension, model)
    points = []
    for language, texts in TEXTS.items():
        vectors = embedders.of(language).embed_passages(texts).vectors
        for number, (text, vector) in enumerate(zip(texts, vectors, strict=True)):
            chunk_id = f"{language}/{number}"
            payload = {**_payload(chunk_id, language), "chunk_text": text}
            points.append(
                Point(point_id(chunk_id), language, vector, text, language, payload, embedders.vector_of(language))
            )
    found.store.upsert("chunks", points)
    return found


def test_a_question_finds_law_in_another_language_among_its_first_hits(index: Index) -> None:
    hits = index.found(ENGLISH)
    assert [hit.payload["language"] for hit in hits[:3]] == ["eng"] * 3, "the query's own law is not crowded out"
    assert {"swe/0", "deu/0"} & {hit.chunk_id for hit in hits}
    assert {hit.chunk_id for hit in hits if hit.payload["language"] == "eng"} <= {f"eng/{n}" for n in range(8)}


def test_a_model_for_one_language_is_not_asked_in_another(index: Index) -> None:
    assert index.found(SWEDISH)[0].chunk_id == "swe/0"
    assert (index.english.queries, index.other.queries) == ([], [SWEDISH])
    index.found(ENGLISH)
    assert (index.english.queries, index.other.queries) == ([ENGLISH], [SWEDISH, ENGLISH])


def test_a_query_too_short_to_say_its_language_has_that_of_what_its_words_find(index: Index) -> None:
    index.found("avgift")
    assert (index.english.queries, index.other.queries) == ([], ["avgift"])


def test_where_nothing_says_the_language_every_model_is_asked(index: Index) -> None:
    index.found("xyz")
    assert (index.english.queries, index.other.queries) == (["xyz"], ["xyz"])


def test_a_bare_citation_asks_no_model(index: Index) -> None:
    index.found("2 kap. 3 §")
    assert (index.english.queries, index.other.queries) == ([], [])


@dataclass
class Together(Named):
    """An embedder that answers only while another one is asked and, if it has to wait for it, after the caller's other work."""

    meeting: threading.Barrier = field(default_factory=lambda: threading.Barrier(2, timeout=20))
    after: threading.Event | None = None

    def embed_queries(self, texts: Sequence[str]) -> Embeddings:
        self.meeting.wait()
        if self.after is not None and not self.after.wait(20):
            raise TimeoutError("the caller did no other work")
        return super().embed_queries(texts)


def test_two_models_embed_a_query_at_the_same_time_and_the_caller_works_with_the_lists_of_its_own() -> None:
    worked = threading.Event()
    english = Together("english@1", 4, MEANINGS)
    other = Together("many@1", 6, MEANINGS, meeting=english.meeting, after=worked)
    ready: list[str] = []

    def work(lists: Sequence[Nearest]) -> None:
        ready.extend(dense.using for dense in lists)
        worked.set()

    found = nearest(ENGLISH, Embedders({"eng": english}, other), "eng", meanwhile=work)
    assert [dense.using for dense in found] == ["dense", "dense_many"]
    assert ready == ["dense"]


class RecordingStore(QdrantEdgeStore):
    """Records the lists of each request: the vector's name, or "words"."""

    def __init__(self, directory: Path) -> None:
        super().__init__(directory)
        self.requests: list[list[str]] = []

    def query_batch(self, collection: str, queries: Sequence[Query]) -> list[RankedLists]:
        self.requests.append(["words" if query.dense is None else query.using for query in queries])
        return super().query_batch(collection, queries)


def test_no_list_waits_for_another_lists_model_and_none_is_requested_twice(index: Index, tmp_path: Path) -> None:
    store = RecordingStore(tmp_path)
    index.store.close()
    search(ENGLISH, View(store, lambda: index.embedders, "chunks"), limit=1)
    assert store.requests[:2] == [["dense", "words"], ["dense_many"]]
    assert store.requests[2:] == [["dense_many"]], (
        "few points in the query's language: those of other languages move up"
    )


def test_a_list_is_asked_for_as_many_points_as_its_share_puts_among_the_first(index: Index) -> None:
    lists = nearest(ENGLISH, index.embedders, "eng")
    assert [query.limit for query in dense_queries(lists, (), 50, shared=True)] == [50, math.ceil(50 * OTHER_SHARE)]
    assert [query.limit for query in dense_queries(lists, (), 50)] == [50, 50]


def test_a_query_in_words_of_the_law_leaves_other_languages_fewer_places_than_a_question(index: Index) -> None:
    words = "the lamp number of the lighthouse is lit at dusk"
    shares = [[dense.share for dense in nearest(query, index.embedders, "eng")] for query in (ENGLISH, words)]
    assert shares == [[1, OTHER_SHARE], [1, SMALL_OTHER_SHARE]]
    languages = [[hit.payload["language"] for hit in index.found(query, 12)] for query in (ENGLISH, words)]
    first_other = [next(place for place, language in enumerate(found) if language != "eng") for found in languages]
    assert first_other[0] < 5 <= first_other[1]


def test_where_the_querys_own_language_has_no_law_that_of_the_others_is_found_as_deep(index: Index) -> None:
    texts = [f"Lykta {n} brinner från skymningen." for n in range(60)]
    vectors = index.other.embed_passages(texts).vectors
    using = index.embedders.vector_of("swe")
    index.store.delete_document("chunks", "eng")
    index.store.upsert(
        "chunks",
        [
            Point(point_id(text), "swe", vector, text, "swe", _payload(text, "swe"), using)
            for text, vector in zip(texts, vectors, strict=True)
        ],
    )
    assert len(index.found(ENGLISH, limit=40)) == 40


def test_a_chunk_in_another_language_with_a_rare_word_of_the_query_is_among_the_first_hits(index: Index) -> None:
    text = "Fyren Skagerak tänds av vaktaren."
    (vector,) = index.other.embed_passages([text]).vectors
    using = index.embedders.vector_of("swe")
    point = Point(point_id(text), "skagerak", vector, text, "swe", _payload(text, "swe"), using)
    index.store.upsert("chunks", [point])
    hits = index.found("Which keeper must watch over Skagerak during the storms of winter?")
    assert text in [hit.chunk_id for hit in hits[:2]]


def test_one_model_is_asked_as_ever(index: Index) -> None:
    (one,) = nearest(ENGLISH, Embedders({}, index.other), None)
    assert (one.using, one.conditions, one.share) == ("dense", (), 1.0)


def test_points_of_other_languages_stand_behind_every_few_of_the_querys_own() -> None:
    points = [ScoredPoint(str(number), 1.0, {}) for number in range(4)]
    scores = [1.0, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2]
    found = [score for _, score in interleaved(points, scores, OTHER_SHARE)]
    assert 0.6 < found[0] < 0.7, "the fourth place"
    assert 0.2 < found[1] < 0.3, "the eighth"
    assert 0.2 > found[2] > found[3] > 0
    alone = [score for _, score in interleaved(points, [], OTHER_SHARE)]
    assert alone == sorted(alone, reverse=True)


def test_the_language_is_the_given_one_then_the_texts_then_that_of_the_hits() -> None:
    hits = [ScoredPoint(str(n), 1.0, {"language": language}) for n, language in enumerate(("deu", "swe", "swe"))]
    assert query_language(ENGLISH, ["fra"], lambda: hits) == "fra"
    assert query_language(ENGLISH, ["fra", "eng"], lambda: hits) == "eng"
    assert query_language("avgift", (), lambda: hits) == "swe"
    assert query_language("avgift", (), list) is None


def test_only_the_first_hits_tell_the_language_of_a_query() -> None:
    languages = ["swe"] * 10 + ["eng"] * 20
    hits = [ScoredPoint(str(number), 1.0, {"language": language}) for number, language in enumerate(languages)]
    assert query_language("avgift", (), lambda: hits) == "swe"


def _answer(names: str) -> RankedLists:
    return RankedLists(tuple(ScoredPoint(name, 1.0, {}) for name in names))


def _list(using: str, share: float = 1.0) -> Nearest:
    vector = np.ones(1, np.float32)
    return Nearest(vector, lambda: vector, using, share=share)


def test_a_list_with_a_small_share_has_a_place_behind_every_few_of_the_main_list() -> None:
    points = dense_list([_list("other", 0.25), _list("own")], [_answer("xyz"), _answer("abcde")])
    assert "".join(point.id for point in points) == "abcxdeyz"


def test_the_other_lists_are_needed_in_full_only_if_each_main_list_is_short() -> None:
    lists = [_list("own"), _list("second"), _list("other", 0.25)]
    assert is_short(lists, [_answer("ab"), _answer("a"), _answer("abc")], 3)
    assert not is_short(lists, [_answer("abc"), _answer("a"), _answer("a")], 3)


def test_the_law_of_other_countries_is_asked_for_without_that_of_the_union() -> None:
    of_union, own, others = nearest(ENGLISH, Embedders({}, Named("many@1", 6, MEANINGS)), "eng", ["se"], ["eu"])
    assert [each.conditions[0] for each in (of_union, own)] == [
        AnyOf("jurisdiction", ("eu",)),
        AnyOf("jurisdiction", ("se",)),
    ]
    assert others.conditions == (Not(AnyOf("jurisdiction", ("se", "eu"))),)
    assert (of_union.share, own.share, others.share) == (OTHER_SHARE, 1.0, SMALL_OTHER_SHARE)

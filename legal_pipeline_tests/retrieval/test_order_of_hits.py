"""Which hits of a small index come first and which stand under another one. Not here: the lists that are merged (`test_dense_lists`)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from legal_pipeline.model.identity import point_id
from legal_pipeline.retrieval.fusion import RRF_K
from legal_pipeline.retrieval.hit import Hit
from legal_pipeline.retrieval.passages import with_beside
from legal_pipeline.retrieval.search import View, search
from legal_pipeline.retrieval.vector_weights import UNWEIGHTED, VectorWeights
from legal_pipeline.stores.qdrant_edge import QdrantEdgeStore
from legal_pipeline.stores.store import ROW_HASH, Point
from legal_pipeline_tests.by_words import ByWords

MODEL = ByWords()


def point(document_id: str, section: int, text: str, *, to: str = "chunks", **more: Any) -> Point:
    name = f"{document_id}/{section}"
    payload = {
        "chunk_id": name, "path": name, "chunk_text": text, "language": "eng", "jurisdiction": "zw", "seq": section,
        "title": document_id, "eid": f"sec_{section}", "provisions": [f"sec_{section}"], "work_uris": [f"/{document_id}"],
        "num_tokens": 10, ROW_HASH: name, **more,
    }  # fmt: skip
    (vector,) = MODEL.embed_passages([text]).vectors
    return Point(point_id(f"{to}/{name}"), document_id, vector, text, str(payload["language"]), payload)


@dataclass
class Index:
    store: QdrantEdgeStore
    removed: Collection[str] = ()
    asked: list[Sequence[str]] = field(default_factory=list)

    def write(self, document_id: str, section: int, text: str, *, to: str = "chunks", **more: Any) -> None:
        self.write_all([point(document_id, section, text, to=to, **more)], to=to)

    def write_all(self, points: Sequence[Point], *, to: str = "chunks") -> None:
        self.store.ensure_collection(to, MODEL.dimension)
        self.store.upsert(to, points)

    def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        """The reranker: a longer text is better."""
        self.asked.append(texts)
        return [float(len(text)) for text in texts]

    def hits(
        self,
        query: str,
        *,
        is_reranked: bool = False,
        questions: str | None = None,
        weights: VectorWeights = UNWEIGHTED,
        **options: Any,
    ) -> list[Hit]:
        view = View(
            self.store,
            lambda: MODEL,
            "chunks",
            questions,
            weights,
            reranker=self if is_reranked else None,
            removed=lambda ids: set(self.removed) & set(ids),
        )
        return search(query, view, **options)


@pytest.fixture
def index(tmp_path: Path) -> Iterator[Index]:
    store = QdrantEdgeStore(tmp_path)
    yield Index(store)
    store.close()


def ids(hits: Sequence[Hit]) -> list[str]:
    return [hit.chunk_id for hit in hits]


@pytest.mark.parametrize("passage_tokens", [0, 15])
@pytest.mark.parametrize("is_reranked", [False, True])
def test_what_its_source_has_removed_comes_last_however_well_it_answers(
    index: Index, passage_tokens: int, is_reranked: bool
) -> None:
    index.write("gone", 1, "The keeper lights the brass lamp at dusk and trims it again before midnight.")
    index.write("kept", 1, "A keeper sleeps.")
    index.write("other", 1, "Boats are moored.")
    index.removed = ("gone",)
    query = "the keeper lights the brass lamp at dusk"
    hits = index.hits(query, is_reranked=is_reranked, passage_tokens=passage_tokens)
    assert ids(hits)[-1] == "gone/1"
    assert len(hits) == 3
    assert not any("midnight" in text for texts in index.asked for text in texts)
    index.removed = ()
    assert ids(index.hits(query, is_reranked=is_reranked, passage_tokens=passage_tokens))[0] == "gone/1"


def test_a_cited_provision_of_a_removed_act_comes_behind_the_others_that_are_cited_and_before_what_is_not(
    index: Index,
) -> None:
    index.write("gone", 3, "The keeper lights the lamp.")
    index.write("kept", 3, "Boats are moored.")
    index.write("kept", 4, "The keeper lights the lamp.")
    index.removed = ("gone",)
    assert ids(index.hits("section 3 keeper lights the lamp")) == ["kept/3", "gone/3", "kept/4"]


def test_the_reranker_leaves_cited_provisions_first(index: Index) -> None:
    index.write("act", 3, "Short.")
    index.write("act", 4, "The keeper lights the lamp at dusk, and once more at midnight.")
    index.write("act", 5, "The keeper lights the lamp.")
    assert ids(index.hits("section 3 the keeper lights the lamp", is_reranked=True)) == ["act/3", "act/4", "act/5"]


def test_a_chunk_that_only_its_question_leads_to_is_found(index: Index) -> None:
    for number in range(60):
        index.write("other", number, f"Where there is the one, {number} is at the other.")
    index.write("act", 1, "Oil: seven shillings.")
    query = "where is the lamp at"
    index.write("act", 1, query, to="questions", source_chunk_id="act/1")
    index.write("act", 2, "is oil dear", to="questions", source_chunk_id="act/nowhere")
    assert "act/1" not in ids(index.hits(query, limit=5))
    hits = index.hits(query, limit=5, questions="questions")
    (found,) = [hit for hit in hits if hit.chunk_id == "act/1"]
    assert found.payload["chunk_text"] == "Oil: seven shillings."
    assert found.score_parts["question_rank"] == 1


def test_a_copy_in_another_act_stands_under_its_hit_with_its_own_texts_in_other_languages(index: Index) -> None:
    words = " ".join(f"Lamp {number} of the harbour is lit by its keeper at dusk." for number in range(12))
    index.write("act", 1, f"{words} Always.", work_uri="/act")
    index.write("copy", 1, words, work_uri="/copy")
    index.write("copy-sna", 1, "Mwenje unobatidzwa nomuchengeti.", work_uri="/copy", language="sna")
    (hit,) = index.hits("lamp of the harbour lit by its keeper always", fold_duplicates=True)
    assert hit.chunk_id == "act/1"
    assert [each.chunk_id for each in hit.duplicates] == ["copy/1", "copy-sna/1"]
    assert hit.other_languages == ()


def test_a_cited_provision_is_scored_by_its_places_among_all_hits(index: Index) -> None:
    index.write_all(
        [
            point("act", 3, "Boats are moored by the keeper."),
            point("act", 4, "The keeper lights the lamp at dusk."),
            point("act", 5, "The keeper trims the lamp."),
        ]
    )
    (cited, *_) = index.hits("section 3 the keeper lights the lamp")
    parts = cited.score_parts
    assert (cited.chunk_id, parts["bm25_rank"]) == ("act/3", 3)
    assert parts["rrf"] == pytest.approx(1 / (RRF_K + parts["dense_rank"]) + 1 / (RRF_K + parts["bm25_rank"]))


def test_of_many_acts_with_the_cited_section_the_named_one_and_without_a_name_the_first_is_found(index: Index) -> None:
    """A hundred Acts have a better section 3 by words than the one that the query names."""
    named = point("harbour", 3, "Boats are moored.", title="Harbour Lamps Act")
    index.write_all([named, *(point(f"act-{n:02}", 3, "The harbour lamps burn.") for n in range(100))])
    assert ids(index.hits("lights and lanterns: section 3 of the Harbour Lamps Act", limit=1)) == ["harbour/3"]
    assert ids(index.hits("section 3", limit=10)) == [f"act-{n:02}/3" for n in range(10)]


def test_what_is_not_cited_is_reranked_behind_however_many_cited_provisions(index: Index) -> None:
    texts = ("The lamp burns.", "The lamp burns at dusk, and once more at midnight.")
    index.write_all([point("note", seq, text) for seq, text in enumerate(texts, start=1)])
    index.write_all([point(f"act-{n:02}", 3, f"The lamp of bay {n} burns.") for n in range(60)])
    hits = index.hits("section 3 lamp burns", limit=62, is_reranked=True)
    assert ids(hits)[60:] == ["note/2", "note/1"]
    (asked,) = index.asked
    assert sorted(text.rpartition("\n")[2] for text in asked) == sorted(texts)


def test_what_has_the_words_of_a_bare_citation_is_not_reranked(index: Index) -> None:
    index.write_all([point("act", 3, "Boats are moored."), point("act", 4, "See section 3.")])
    assert ids(index.hits("section 3", is_reranked=True)) == ["act/3", "act/4"]
    assert index.asked == []


def test_behind_many_copies_with_the_words_of_a_bare_citation_other_texts_are_found(index: Index) -> None:
    copied = " ".join(f"Section section {n} section of the harbour book." for n in range(12))
    index.write_all([point(f"copy-{n:02}", 1, copied) for n in range(60)])
    others = (
        "Of boats, in a long text with many other words, see the section.",
        "Oars: no section is of oars, nor of sails.",
    )
    index.write_all([point(f"other-{n}", 1, text) for n, text in enumerate(others)])
    hits = index.hits("section 7", limit=3, fold_duplicates=True)
    assert {hit.document_id.partition("-")[0] for hit in hits} == {"copy", "other"}
    assert len(hits) == 3


def test_a_passage_leaves_its_place_among_the_hits_to_another_text_and_counts_what_is_beside_it(index: Index) -> None:
    index.write_all([point("act", seq, f"The keeper lights lamp {seq} at dusk.") for seq in range(1, 5)])
    index.write("other", 1, "A lamp is a light.")
    query = "the keeper lights the lamp at dusk"
    alone = {hit.chunk_id: hit.score for hit in index.hits(query)}
    first, second = index.hits(query, limit=2, passage_tokens=1_000)
    assert (first.document_id, len(first.neighbours), second.chunk_id) == ("act", 3, "other/1")
    assert first.score_parts["beside"] > 0
    assert first.score == pytest.approx(with_beside(alone[first.chunk_id], first.score_parts["beside"]))


def test_the_rank_of_a_question_weighs_as_one_by_vector(index: Index) -> None:
    index.write("act", 1, "Oil: seven shillings.")
    query = "where is oil"
    index.write("act", 1, query, to="questions", source_chunk_id="act/1")
    (hit,) = index.hits(query, questions="questions", weights=VectorWeights({"eng": 0.5}, {"eng": 0.5}))
    ranks = [hit.score_parts[f"{name}_rank"] for name in ("dense", "question", "bm25")]
    assert ranks == [1, 1, 1]
    assert hit.score_parts["rrf"] == pytest.approx((0.5 + 0.5 + 1) / (RRF_K + 1))


@pytest.mark.parametrize("limit", [0, -1])
def test_no_hits_are_given_where_none_are_wanted(index: Index, limit: int) -> None:
    index.write_all([point("act", seq, "The lamp burns.") for seq in (1, 2, 3)])
    assert index.hits("lamp", limit=limit) == []

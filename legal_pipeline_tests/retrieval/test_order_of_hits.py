"""Which hits of a small index come first and which stand under another one. Not here: the lists that are merged (`test_dense_lists`)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from legal_pipeline.model.identity import point_id
from legal_pipeline.retrieval.hit import Hit
from legal_pipeline.retrieval.search import View, search
from legal_pipeline.stores.qdrant_edge import QdrantEdgeStore
from legal_pipeline.stores.store import ROW_HASH, Point
from legal_pipeline_tests.by_words import ByWords

MODEL = ByWords()


@dataclass
class Index:
    store: QdrantEdgeStore
    removed: Collection[str] = ()
    asked: list[Sequence[str]] = field(default_factory=list)

    def write(self, document_id: str, section: int, text: str, *, to: str = "chunks", **more: Any) -> None:
        name = f"{document_id}/{section}"
        payload = {
            "chunk_id": name, "path": name, "chunk_text": text, "language": "eng", "jurisdiction": "zw", "seq": section,
            "title": document_id, "eid": f"sec_{section}", "provisions": [f"sec_{section}"], "work_uris": [f"/{document_id}"],
            "num_tokens": 10, ROW_HASH: name, **more,
        }  # fmt: skip
        (vector,) = MODEL.embed_passages([text]).vectors
        self.store.ensure_collection(to, MODEL.dimension)
        language = str(payload["language"])
        self.store.upsert(to, [Point(point_id(f"{to}/{name}"), document_id, vector, text, language, payload)])

    def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        """The reranker: a longer text is better."""
        self.asked.append(texts)
        return [float(len(text)) for text in texts]

    def hits(self, query: str, *, is_reranked: bool = False, questions: str | None = None, **options: Any) -> list[Hit]:
        view = View(
            self.store,
            lambda: MODEL,
            "chunks",
            questions,
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

"""Rules of folding near-duplicates."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from legal_pipeline.chunking.near_duplicates import THRESHOLD, shingles
from legal_pipeline.retrieval.folding import fold, group_languages
from legal_pipeline.retrieval.search import View, search
from legal_pipeline.stores.qdrant_edge import QdrantEdgeStore
from legal_pipeline.stores.store import Point, Query, RankedLists
from legal_pipeline_tests.by_words import ByWords
from legal_pipeline_tests.stores.points import provision

TEXT = " ".join(f"Ord{number} om badplatser och bryggor i kommunen." for number in range(30))


def chunk(name: str, document: str, text: str = TEXT, **more: Any) -> dict[str, Any]:
    return {"chunk_id": name, "document_id": document, "chunk_text": text, **more}


def folded(
    chunks: list[dict[str, Any]], limit: int = 10, apart: frozenset[str] = frozenset()
) -> list[tuple[str, list[str]]]:
    found = fold(chunks, lambda one: one, limit, apart=lambda one: one["chunk_id"] in apart)
    return [(one["chunk_id"], [each["chunk_id"] for each in under]) for one, under in found]


def test_a_chunk_of_another_document_that_nearly_repeats_a_hit_stands_under_it() -> None:
    near = TEXT.replace("Ord7 ", "Ordet ")
    assert folded([chunk("a", "1"), chunk("b", "2", near), chunk("c", "3", "Något helt annat om fyrar.")]) == [
        ("a", ["b"]),
        ("c", []),
    ]


def test_of_one_document_nothing_is_folded() -> None:
    assert folded([chunk("a", "1"), chunk("b", "1")]) == [("a", []), ("b", [])]


def test_what_repeats_a_folded_chunk_stands_under_the_shown_one() -> None:
    assert folded([chunk("a", "1"), chunk("b", "2"), chunk("c", "3")]) == [("a", ["b", "c"])]


def test_the_cited_provision_and_generated_text_are_shown_by_themselves() -> None:
    chunks = [chunk("a", "1"), chunk("b", "2"), chunk("c", "3", generator="extractive")]
    assert folded(chunks, apart=frozenset({"b"})) == [("a", []), ("b", []), ("c", [])]


@given(st.lists(st.integers(0, 1), min_size=30, max_size=60), st.integers(0, 60), st.integers(0, 3))
def test_texts_are_near_by_their_shingles_exactly(kinds: list[int], place: int, changes: int) -> None:
    """The map of bits, which is compared first, decides nothing by itself."""
    words = [f"{'ord' if kind else 'fyr'}{number % 40}" for number, kind in enumerate(kinds)]
    other = list(words)
    for change in range(changes):
        other[(place + 7 * change) % len(other)] = f"annat{change}"
    left, right = shingles(" ".join(words)), shingles(" ".join(other))
    near = len(left & right) / len(left | right) >= THRESHOLD
    found = folded([chunk("a", "1", " ".join(words)), chunk("b", "2", " ".join(other))])
    assert found == ([("a", ["b"])] if near else [("a", []), ("b", [])])


def test_the_limit_counts_what_is_shown_and_later_duplicates_are_still_listed() -> None:
    chunks = [chunk("a", "1"), chunk("b", "2"), chunk("c", "3", "Något helt annat om fyrar."), chunk("d", "4")]
    assert folded(chunks, limit=1) == [("a", ["b", "d"])]


def test_the_limit_counts_what_is_never_folded_too() -> None:
    chunks = [chunk("a", "1"), chunk("b", "2"), chunk("c", "3", generator="extractive")]
    assert folded(chunks, limit=1, apart=frozenset({"b"})) == [("a", [])]


def test_a_repetition_stands_under_its_text_although_hits_that_are_never_folded_come_first() -> None:
    chunks = [chunk("a", "1"), chunk("b", "2", generator="extractive"), chunk("c", "3"), chunk("d", "4")]
    assert folded(chunks, apart=frozenset({"a"})) == [("a", []), ("b", []), ("c", ["d"])]


def in_language(
    name: str, language: str, eid: str | None = "art_1", work: str | None = "/akn/ch/act/2031/7", **more: Any
) -> dict[str, Any]:
    return chunk(name, f"ch-act-2031-7-{language}", language=language, eid=eid, work_uri=work, **more)


def grouped(chunks: list[dict[str, Any]]) -> list[tuple[str, list[str]]]:
    found = group_languages(chunks, lambda one: one)
    return [(one["chunk_id"], [each["chunk_id"] for each in under]) for one, under in found]


def test_a_provision_in_other_languages_stands_under_its_best_hit() -> None:
    chunks = [
        in_language("f", "fra"),
        in_language("x", "deu", "art_2"),
        in_language("d", "deu"),
        in_language("i", "ita"),
    ]
    assert grouped(chunks) == [("f", ["d", "i"]), ("x", [])]


def test_parts_of_a_provision_in_one_language_are_hits_of_their_own() -> None:
    chunks = [in_language("d1", "deu"), in_language("d2", "deu"), in_language("f1", "fra"), in_language("f2", "fra")]
    assert grouped(chunks) == [("d1", ["f1", "f2"]), ("d2", [])]


def test_another_wording_of_a_provision_is_not_its_text_in_another_language() -> None:
    chunks = [
        in_language("now", "deu", valid_from="2031-01-01"),
        in_language("then", "fra", valid_from="2029-01-01"),
        in_language("maintenant", "fra", valid_from="2031-01-01"),
    ]
    assert grouped(chunks) == [("now", ["maintenant"]), ("then", [])]


def test_a_text_without_a_date_is_a_wording_in_force_in_another_language() -> None:
    chunks = [in_language("d", "deu", valid_from="2031-01-01"), in_language("f", "fra"), in_language("i", "ita")]
    assert grouped(chunks) == [("d", ["f", "i"])]


def test_nothing_is_grouped_without_a_work_and_a_provision() -> None:
    chunks = [
        in_language("a", "deu", None),
        in_language("b", "fra", None),
        in_language("c", "deu", work=None),
        in_language("d", "fra", work=None),
    ]
    assert grouped(chunks) == [("a", []), ("b", []), ("c", []), ("d", [])]


class RecordingStore(QdrantEdgeStore):
    """Records how many points it is asked for."""

    def __init__(self, directory: Path) -> None:
        super().__init__(directory)
        self.limits: list[int] = []

    def query_batch(self, collection: str, queries: Sequence[Query]) -> list[RankedLists]:
        self.limits += [query.limit for query in queries]
        return super().query_batch(collection, queries)


def test_more_candidates_that_are_all_copies_end_a_search(tmp_path: Path) -> None:
    model, text = ByWords(), f"{TEXT} Kommunen besiktigar bryggan."
    texts = [f"{text} Lag {number}." for number in range(900)] + [
        "Bryggan ska besiktigas av kommunen, och det varje år."
    ]

    def point(number: int) -> Point:
        made = provision(f"act-{number:03}", "1", texts[number])
        (vector,) = model.embed_passages([texts[number]]).vectors
        return Point(made.id, made.document_id, vector, made.text, made.language, made.payload)

    store = RecordingStore(tmp_path)
    store.ensure_collection("legal_chunks", model.dimension)
    store.upsert("legal_chunks", [point(number) for number in range(len(texts))])
    hits = search(
        f"{TEXT} bryggan besiktigar kommunen",
        View(store, lambda: model), languages=["swe"], fold_duplicates=True,
    )  # fmt: skip
    assert 1 <= len(hits) <= 2
    assert len(hits[0].duplicates) >= 199
    assert store.limits == [50, 200]
    store.close()

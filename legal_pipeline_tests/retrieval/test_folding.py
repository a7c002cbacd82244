"""Rules of folding near-duplicates."""

from __future__ import annotations

from typing import Any

from legal_pipeline.retrieval.folding import fold

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


def test_the_limit_counts_what_is_shown_and_later_duplicates_are_still_listed() -> None:
    chunks = [chunk("a", "1"), chunk("b", "2"), chunk("c", "3", "Något helt annat om fyrar."), chunk("d", "4")]
    assert folded(chunks, limit=1) == [("a", ["b", "d"])]

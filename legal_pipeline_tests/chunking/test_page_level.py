"""`page_level`: a page is a chunk, a schedule is whole, a degraded scan says so and weighs less."""

from __future__ import annotations

from typing import Any

from legal_pipeline.chunking.cut import chunk
from legal_pipeline.chunking.packing import MAX_TOKENS, PREFIX_TOKENS
from legal_pipeline.chunking.router import RouterOptions
from legal_pipeline.model.document import Document
from legal_pipeline.text.tokens import count_tokens
from legal_pipeline_tests.chunking.plain import Part, document

PAGE = "The keeper of the northern rock reports that the lamp was lit at dusk and put out at dawn."


def scan(*confidences: float | None, **fields: Any) -> Document:
    pages = [
        Part(
            "page",
            f"{PAGE} Sheet {number}.",
            str(number),
            attributes={} if value is None else {"ocr_confidence": value},
        )
        for number, value in enumerate(confidences, start=1)
    ]
    metadata = {"ocr_confidence": 0.72, "total_pages": len(pages)}
    return document(*pages, **{"doc_type": "other", "metadata": metadata, **fields})


def test_a_page_is_a_chunk_with_its_number_and_its_confidence() -> None:
    rows = chunk(scan(0.72, 0.61), RouterOptions("page_level")).chunks
    assert [(row.chunk_type, row.path) for row in rows] == [("page", "Page 1"), ("page", "Page 2")]
    assert [row.metadata["page_number"] for row in rows] == [1, 2]
    assert [row.metadata["ocr_confidence"] for row in rows] == [0.72, 0.61]
    assert {row.metadata["total_pages"] for row in rows} == {2}


def test_a_degraded_page_weighs_half_and_asks_for_review_and_a_clean_one_does_not() -> None:
    rows = chunk(scan(0.79, 0.80, None), RouterOptions("page_level")).chunks
    assert [row.retrieval_weight for row in rows] == [0.5, 1.0, 0.5], (
        "a page without its own confidence has the document's"
    )
    assert [row.requires_manual_review for row in rows] == [True, False, True]


def test_a_schedule_without_pages_is_one_chunk() -> None:
    made = document(
        *(Part("section", f"{n}. The keeper of rock {n} keeps a book of ships.", str(n)) for n in (1, 2)),
        Part("schedule", "FIRST SCHEDULE", "1", "Fees", children=(
            Part("paragraph", "Lamp oil: 4 dollars."), Part("paragraph", "Wicks: 1 dollar."),
        )),
    )  # fmt: skip
    (row,) = [row for row in chunk(made).chunks if row.strategy == "page_level"]
    assert row.path == "Schedule 1"
    assert row.contextual_header == "Lighthouses Act (Act 4 of 2099) > Schedule 1: Fees"
    assert row.chunk_text == "FIRST SCHEDULE\n\nLamp oil: 4 dollars.\n\nWicks: 1 dollar."


def test_a_table_over_the_budget_splits_between_rows() -> None:
    lines = [f"Rock {number} | {number} metres | lamp of class {number}" for number in range(300)]
    made = document(
        *(Part("section", f"{n}. The keeper of rock {n} keeps a book of ships.", str(n)) for n in (1, 2)),
        Part("table", "\n".join(lines)),
    )
    rows = [row for row in chunk(made).chunks if row.strategy == "page_level"]
    assert len(rows) > 1
    assert [line for row in rows for line in row.chunk_text.split("\n")] == lines
    assert [row.path for row in rows[:2]] == ["Table", "Table#2"]
    assert all(row.num_tokens + count_tokens(row.contextual_header) + PREFIX_TOKENS <= MAX_TOKENS for row in rows)

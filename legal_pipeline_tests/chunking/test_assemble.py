"""The columns that all chunks of a document share."""

from __future__ import annotations

from typing import Any

import pytest

from legal_pipeline.chunking.assemble import assemble
from legal_pipeline.chunking.chunk import Chunk, Draft, Segment
from legal_pipeline.chunking.cut import chunk
from legal_pipeline.errors import ChunkingError
from legal_pipeline_tests.chunking.plain import Part, document


def row(**fields: Any) -> Chunk:
    (found,) = chunk(document(Part("section", "1. A keeper lights the lamp.", "1"), **fields)).chunks
    return found


@pytest.mark.parametrize(
    ("metadata", "status"),
    [
        ({"repealed": "2099-01-01", "consolidated_through": "Act 5 of 2098", "in_force": "2090-01-01"}, "repealed"),
        ({"consolidated_through": "Act 5 of 2098", "in_force": "2090-01-01"}, "amended"),
        ({"in_force": "2090-01-01"}, "in_force"),
        ({}, None),
    ],
)
def test_the_status_of_a_work_is_what_its_source_states(metadata: dict[str, Any], status: str | None) -> None:
    assert row(metadata=metadata).temporal_status == status


def test_the_day_of_a_text_is_that_of_its_wording_before_that_of_its_decision_or_issue() -> None:
    stated = {"date_decided": "2098-02-01", "issued": "2097-03-01"}
    assert row(as_of_date="2099-01-01", metadata=stated).date_context == "2099-01-01"
    assert row(metadata=stated).date_context == "2098-02-01"
    assert row(metadata={"issued": "2097-03-01"}).date_context == "2097-03-01"


def test_the_chunks_of_a_document_that_requires_a_review_require_it() -> None:
    assert [row(requires_manual_review=value).requires_manual_review for value in (True, False)] == [True, False]


def test_parties_and_bench_are_columns_by_name() -> None:
    stated = {"parties": {"first": "Keeper", "second": "Harbour Board"}, "bench": {"type": "full", "strength": 3}}
    found = row(metadata=stated).metadata
    assert (found["parties"], found["bench"], found["bench_strength"]) == (["Keeper", "Harbour Board"], "full", 3)


def test_a_bench_that_is_a_name_stays_one_and_a_document_without_a_number_has_no_citation() -> None:
    found = row(metadata={"bench": "Division Bench"}, number=None).metadata
    assert found["bench"] == "Division Bench"
    assert "number" not in found
    assert "canonical_citation" not in found


def test_text_in_no_chunk_is_an_error_with_its_beginning_and_place() -> None:
    made = document(Part("section", "1. A keeper lights the lamp.", "1"), "A note behind the section.")
    segment = Segment("statute_boundary", "by hand", (), ())
    draft = Draft(((0, 28),), "statutory_text", "Section 1", "", 0)
    with pytest.raises(ChunkingError, match=r"1 gaps; .*A note behind the section") as raised:
        assemble(made, [(segment, "1", [draft])], (), {})
    assert raised.value.position == "28..56"


def test_two_chunks_with_one_path_are_an_error_that_names_the_path() -> None:
    made = document("The lamp.", "The horn.")
    segment = Segment("statute_boundary", "by hand", (), ())
    drafts = [Draft((span,), "statutory_text", "Section 1", "", 0) for span in ((0, 9), (11, 20))]
    with pytest.raises(ChunkingError, match=r"'Section 1'.* occurs 2 times"):
        assemble(made, [(segment, "1", drafts)], (), {})

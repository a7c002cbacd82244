"""`chunks.jsonl`: its object and schema, and what a row that does not fit it does."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from legal_pipeline.building.builder import DocumentBuilder
from legal_pipeline.building.source import SourceFile
from legal_pipeline.chunking.cut import chunk
from legal_pipeline.chunking.export import FOLDED, export_rows, schema
from legal_pipeline.chunking.router import RouterOptions
from legal_pipeline.errors import ChunkingError
from legal_pipeline.model import tables
from legal_pipeline.parsing.registry import parse
from legal_pipeline_tests.chunking.english import english, prose, section

#: The object of a line, field by field.
SEED_FIELDS = {
    "chunk_id", "doc_id", "chunk_text", "section_path", "start_char", "end_char", "num_tokens", "language", "doc_type",
    "date_context", "entities", "source_url", "metadata",
}  # fmt: skip


def rows(doc_type: str = "act", strategy: str = "sliding_window", **fields: Any) -> list[dict[str, Any]]:
    def write(builder: DocumentBuilder) -> None:
        if doc_type == "judgment":
            builder.block("1. The keeper appeals.", "numbered_paragraph", "1")
        else:
            with builder.node("part", "II", "Lamps"):
                section(builder, "12A", "Trimming", prose(30))

    document = english(write, doc_type, **fields)
    found = [row.to_row() for row in chunk(document, RouterOptions(strategy)).chunks]
    # as the warehouse gives them back: absent metadata is null
    return list(tables.table(found, tables.CHUNKS).to_pylist())


def test_the_schema_is_valid_and_ships_with_the_package() -> None:
    Draft202012Validator.check_schema(schema())
    assert set(schema()["required"]) == SEED_FIELDS == set(schema()["properties"])


def test_a_line_has_the_fields_of_the_seed_and_no_others() -> None:
    first, *_ = export_rows(rows(as_of_date="2099-12-31"))
    assert set(first) == SEED_FIELDS
    assert first["doc_id"] == "zw-act-2099-7"
    assert first["section_path"] == "Part II > Section 12A"
    assert (first["doc_type"], first["language"], first["date_context"]) == ("act", "eng", "2099-12-31")
    assert set(first["entities"]) >= {"people", "courts", "places", "statute_refs", "dates", "case_refs"}
    assert first["metadata"]["section"] == "Section 12A — Trimming"
    assert first["metadata"]["chunk_index"] == 0
    assert first["metadata"]["additional_context"].startswith("Lighthouses Act > Part II")


def test_the_names_of_the_other_seeds_stand_in_metadata() -> None:
    (first, *_), (judgment,) = export_rows(rows()), export_rows(
        rows("judgment", metadata={"neutral_citation": "[2099] ZWHHC 7", "date_decided": "2099-05-14", "court": "High Court of Zimbabwe"})
    )  # fmt: skip
    found = first["metadata"]
    assert (found["chunk_strategy"], found["raptor_level"], found["source_type"]) == ("sliding_window", 2, "act")
    assert (found["source_act"], found["source_section"]) == ("Lighthouses Act", "Section 12A — Trimming")
    found = judgment["metadata"]
    assert (found["source_act"], found["source_section"]) == (None, "Body > Para 1")
    assert (found["neutral_citation"], found["date_decided"]) == ("[2099] ZWHHC 7", "2099-05-14")
    assert (found["court"], found["canonical_citation"]) == ("High Court of Zimbabwe", "[2099] ZWHHC 7")
    assert judgment["date_context"] == "2099-05-14"


@pytest.mark.parametrize(
    ("ours", "seeds"),
    [("regulation", "act"), ("agency_regulation", "act"), ("precedent_case", "judgment"), ("appeal_decision", "judgment"),
     ("constitution", "constitution"), ("guidance", "other"), ("other", "other")],
)  # fmt: skip
def test_document_types_are_folded_to_four_and_the_own_one_is_kept(ours: str, seeds: str) -> None:
    (row, *_) = rows()
    (line,) = export_rows([{**row, "doc_type": ours}])
    assert (line["doc_type"], line["metadata"]["source_type"]) == (seeds, ours)
    assert set(FOLDED.values()) <= {"act", "judgment", "constitution", "other"}


def test_entities_of_the_row_are_carried() -> None:
    (row, *_) = rows()
    entities = {"people": ["Moyo J"], "statute_refs": ["section 12A"], "dates": ["2099-05-14"], "courts": None}
    (line,) = export_rows([{**row, "entities": entities}])
    assert line["entities"] == {
        "people": ["Moyo J"], "courts": [], "places": [], "statute_refs": ["section 12A"], "dates": ["2099-05-14"], "case_refs": [],
    }  # fmt: skip


def test_a_date_that_is_none_is_absent_not_guessed() -> None:
    (row, *_) = rows()
    (line,) = export_rows([{**row, "date_context": "the day that the Minister appoints"}])
    assert line["date_context"] is None


def test_a_near_duplicate_names_the_chunk_that_it_repeats() -> None:
    found = rows()
    lines = list(export_rows(found, {found[1]["chunk_id"]: found[0]["chunk_id"]}))
    assert "near_duplicate_of" not in lines[0]["metadata"]
    assert lines[1]["metadata"]["near_duplicate_of"] == lines[0]["chunk_id"]


@pytest.mark.parametrize(
    ("field", "value", "position"),
    [("chunk_text", "x" * 5001, "$.chunk_text"), ("chunk_text", "", "$.chunk_text"), ("num_tokens", 0, "$.num_tokens"),
     ("language", "English", "$.language"), ("chunk_id", "7", "$.chunk_id"), ("start_char", -1, "$.start_char")],
)  # fmt: skip
def test_a_row_that_does_not_fit_is_an_error_that_names_chunk_and_field(
    field: str, value: object, position: str
) -> None:
    (row, *_) = rows()
    with pytest.raises(ChunkingError, match="does not fit the schema") as caught:
        list(export_rows([{**row, field: value}]))
    assert caught.value.position == position


def test_only_windows_are_held_to_5000_characters() -> None:
    (row, *_) = rows(strategy="statute_boundary")
    (line,) = export_rows([{**row, "chunk_text": "x " * 3000}])
    assert len(line["chunk_text"]) == 6000


@pytest.mark.corpus
@pytest.mark.parametrize("strategy", ["sliding_window", "statute_boundary"])
def test_real_acts_and_judgments_fit_the_schema(corpus: Path, strategy: str) -> None:
    validator = Draft202012Validator(schema())
    for name in ("zw/zimlii_json/zw-1985-16.json", "zw/importer_html/zw-cpa.html", "in/judgments_text/72703592.txt"):
        path = corpus / name
        document = parse(SourceFile(path.name, path.read_bytes()))
        result = chunk(document, RouterOptions(strategy))
        lines = list(export_rows(row.to_row() for row in result.chunks))
        assert len(lines) == len(result.chunks)
        for line in lines:
            validator.validate(line)


@pytest.mark.parametrize(
    ("stated", "citation"),
    [
        ({"canonical_citation": "Act 7", "neutral_citation": "[2099] ZWHHC 7", "citation": "1 ZLR 7", "number": "7"}, "Act 7"),
        ({"neutral_citation": "[2099] ZWHHC 7", "citation": "1 ZLR 7", "number": "7"}, "[2099] ZWHHC 7"),
        ({"citation": "1 ZLR 7", "number": "7"}, "1 ZLR 7"),
        ({"number": "7"}, "7"),
        ({}, None),
    ],
)  # fmt: skip
def test_the_citation_of_a_line_is_the_first_that_the_document_has(stated: dict[str, str], citation: str) -> None:
    (row, *_) = rows()
    (line,) = export_rows([{**row, "metadata": stated}])
    assert line["metadata"]["canonical_citation"] == citation
    assert line["metadata"]["title"] == "zw-act-2099-7"


def test_the_act_of_a_line_is_named_for_acts_and_constitutions_alone() -> None:
    (row, *_) = rows()
    lines = export_rows({**row, "doc_type": doc_type} for doc_type in ("act", "constitution", "judgment", "guidance"))
    named = [line["metadata"]["source_act"] for line in lines]
    assert named == ["Lighthouses Act", "Lighthouses Act", None, None]


def test_a_line_has_its_own_context_before_its_header_and_none_without_both() -> None:
    (row, *_) = rows()
    own = {**row, "metadata": {**row["metadata"], "additional_context": "Of lamps."}}
    lines = export_rows([own, row, {**row, "contextual_header": ""}])
    contexts = [line["metadata"]["additional_context"] for line in lines]
    assert contexts == ["Of lamps.", row["contextual_header"], None]


def test_a_line_has_the_spans_of_its_text_only_if_they_are_several() -> None:
    (row, *_) = rows()
    (one,) = export_rows([{**row, "spans": [(0, 10)]}])
    (two,) = export_rows([{**row, "spans": [(0, 10), (20, 30)]}])
    assert "spans" not in one["metadata"]
    assert two["metadata"]["spans"] == [[0, 10], [20, 30]]


def test_a_date_is_a_day_and_nothing_behind_it() -> None:
    (row, *_) = rows()
    lines = export_rows({**row, "date_context": date} for date in ("2099-05-14", "2099-05-14 or later", "", None))
    assert [line["date_context"] for line in lines] == ["2099-05-14", None, None, None]


def test_of_several_fields_that_do_not_fit_the_first_by_name_is_reported() -> None:
    (row, *_) = rows()
    with pytest.raises(ChunkingError) as caught:
        list(export_rows([{**row, "start_char": -1, "language": "English", "num_tokens": 0, "chunk_text": ""}]))
    assert caught.value.position == "$.chunk_text"

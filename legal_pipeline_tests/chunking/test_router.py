"""The router's rules in their order, on documents that would satisfy later ones too; reasons, segments and forced strategies."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from legal_pipeline.building.source import SourceFile
from legal_pipeline.chunking.cut import chunk
from legal_pipeline.chunking.registry import STRATEGIES
from legal_pipeline.chunking.router import RouterOptions, route
from legal_pipeline.errors import ConfigurationError
from legal_pipeline.model.document import Document
from legal_pipeline.parsing.registry import parse
from legal_pipeline_tests.chunking.plain import HashEncoder, Part, document
from legal_pipeline_tests.real_documents import existing

SECTIONS = tuple(Part("section", f"{n}. The keeper of rock {n} keeps a book of ships.", str(n)) for n in (1, 2))
HEADINGS = tuple(Part("heading", f"Chapter on {word}") for word in ("lamps", "fog"))
LOOSE = "Circular to all keepers. " * 40
TAGGED = Part("block", "The keeper was on duty.", attributes={"para_id": "Para 4"})
PAGES = tuple(Part("page", f"Sheet {n} of the report on lamps and fog.", str(n)) for n in (1, 2))
SCAN = {"ocr_confidence": 0.55}


def first(made: Document, **options: Any) -> tuple[str, str]:
    segments, _ = route(made, RouterOptions(**options))
    return segments[0].strategy, segments[0].reason


def read(corpus: Path, pattern: str) -> Document:
    path = existing(corpus, pattern)[0]
    return parse(SourceFile(path.name, path.read_bytes()))


def test_1_a_forced_strategy_wins_over_everything() -> None:
    made = document(*SECTIONS, TAGGED, metadata={"profile": "rightline"})
    assert first(made, strategy="markdown_merge") == ("markdown_merge", "forced by configuration")


@pytest.mark.parametrize(
    "strategy", ["paragraf", "statute_boundary", "page_level", "markdown_merge", "recursive_semantic", "semantic"]
)
def test_every_forced_strategy_leaves_no_text_out(strategy: str) -> None:
    made = document(LOOSE, *HEADINGS, *SECTIONS, PAGES[0], LOOSE)
    result = chunk(made, RouterOptions(strategy), HashEncoder)
    assert result.coverage == 1.0
    assert {row.metadata["route_reason"] for row in result.chunks if row.strategy == strategy} <= {
        "forced by configuration", "schedules and tables"
    }  # fmt: skip


def test_2_the_profile_comes_before_tags_and_structure() -> None:
    made = document(*SECTIONS, TAGGED)
    assert first(made, profile="rightline") == ("sliding_window", "profile rightline")
    assert first(document(*SECTIONS, metadata={"profile": "rightline"}))[1] == "profile rightline"
    regulation = document(*SECTIONS, doc_type="regulation")
    assert first(regulation, profile="immigration")[1] == "profile immigration"
    assert first(made, profile="immigration")[1] != "profile immigration", "an act is not an immigration document"


def test_3_paragraph_tags_come_before_structure() -> None:
    assert first(document(*SECTIONS, TAGGED)) == ("tagged_paragraph", "paragraph tags")


def test_3_one_tagged_paragraph_among_others_is_enough() -> None:
    untagged = Part("block", "It was dark.")
    assert first(document(TAGGED, untagged, *SECTIONS))[0] == "tagged_paragraph"
    assert first(document(untagged, *SECTIONS))[0] == "statute_boundary"


def test_a_forced_strategy_is_told_of_the_provisions_and_schedules_in_the_text() -> None:
    made = document(LOOSE, *SECTIONS, Part("schedule", "Forms of lamps.", "1"))
    segments, _ = route(made, RouterOptions("semantic"))
    assert [node.type for segment in segments for node, _ in segment.nodes] == ["section", "section", "schedule"]


def test_4_provisions_are_cut_as_statutes_however_little_of_the_text_they_hold() -> None:
    assert first(document(*SECTIONS)) == ("statute_boundary", "2 provisions")
    segments, _ = route(document(*HEADINGS, LOOSE, *SECTIONS, LOOSE, LOOSE))
    assert [segment.strategy for segment in segments] == ["statute_boundary", "markdown_merge"]


def test_4_swedish_sections_go_to_paragraf_and_those_of_other_countries_do_not() -> None:
    assert first(document(*SECTIONS, jurisdiction="se")) == ("paragraf", "2 provisions")
    parts = (LOOSE, *HEADINGS, Part("schedule", "FIRST SCHEDULE", "1"), LOOSE)
    for markdown in (document(*parts, *SECTIONS, format="markdown"), document(*parts, format="markdown")):
        assert "paragraf" not in {segment.strategy for segment in route(markdown)[0]}


def test_4_a_document_that_is_one_section_is_never_cut_by_meaning() -> None:
    assert first(document(SECTIONS[0]))[0] == "statute_boundary"


def test_4_judgments_by_their_parts_or_their_numbered_paragraphs() -> None:
    parts = document(Part("background", "Facts of the case."), Part("decision", "Dismissed."), doc_type="judgment")
    assert first(parts)[0] == "judgment_structural"
    numbered = document(
        *(Part("numbered_paragraph", f"{n}. The lamp failed.", str(n)) for n in (1, 2, 3)), doc_type="judgment"
    )
    assert first(numbered)[0] == "judgment_structural"
    assert chunk(numbered, RouterOptions(), HashEncoder).coverage == 1.0
    two = [Part("numbered_paragraph", f"{n}. The lamp failed.", str(n)) for n in (1, 2)]
    assert first(document(*two, doc_type="judgment"))[0] == "judgment_structural"
    assert first(document(two[0], doc_type="judgment"))[0] == "semantic"
    assert first(document(*two, doc_type="precedent_case"))[0] == "judgment_structural"
    issue = Part("issue", "Whether a keeper may sleep.", "1")
    assert first(document(issue, doc_type="judgment"))[0] == "judgment_structural"


def test_4_the_body_of_a_document_with_forced_propositions_is_cut_by_its_structure() -> None:
    assert first(document(*SECTIONS), strategy="proposition") == ("statute_boundary", "2 provisions")


def test_5_partial_structure_comes_before_a_degraded_scan() -> None:
    assert first(document(*HEADINGS, LOOSE, *PAGES, metadata=SCAN))[0] == "recursive_semantic"
    assert first(document(HEADINGS[0], LOOSE))[0] == "semantic", "one heading is not a structure"


def test_6_swedish_text_and_markdown_without_provisions_are_merged() -> None:
    assert first(document(*HEADINGS, LOOSE, jurisdiction="se")) == ("markdown_merge", "no provisions")
    assert first(document(*HEADINGS, LOOSE, format="markdown")) == ("markdown_merge", "no provisions")


def test_7_a_degraded_scan_goes_page_by_page_and_a_clean_one_does_not() -> None:
    assert first(document(*PAGES, metadata=SCAN)) == ("page_level", "OCR confidence 0.55")
    assert first(document(*PAGES, metadata={"ocr_confidence": 0.80}))[0] == "semantic"


def test_8_everything_else_is_cut_by_meaning() -> None:
    assert first(document(LOOSE)) == ("semantic", "no structure")


def test_schedules_and_tables_of_a_structured_act_are_their_own_segment() -> None:
    made = document(*SECTIONS, Part("schedule", "FIRST SCHEDULE", "1"), "A note.")
    segments, _ = route(made)
    assert [(segment.strategy, segment.reason) for segment in segments] == [
        ("page_level", "schedules and tables"),
        ("statute_boundary", "2 provisions"),
        ("markdown_merge", "text outside the provisions"),
    ]


def test_swedish_schedules_are_cut_with_the_sections_and_without_them() -> None:
    schedule = Part("schedule", "Fyrar och deras höjd i meter.", "1")
    for made in (document(*SECTIONS, schedule, jurisdiction="se"), document(LOOSE, schedule, jurisdiction="se")):
        (row,) = [row for row in chunk(made).chunks if row.chunk_type == "appendix"]
        assert (row.strategy, row.path) == ("paragraf", "bilaga.1")


def test_a_long_title_and_a_numbered_part_of_text_are_named_chunks_of_an_act() -> None:
    text = Part("block", "Keepers of lamps and of bells are paid in the first week of each month.")
    part = Part("part", "", "3", "Pay", children=(Part("heading", "Pay"), text))
    rows = chunk(document(Part("longtitle", "An Act to keep lamps and bells."), *SECTIONS, part)).chunks
    assert [(row.strategy, row.path) for row in rows] == [
        ("statute_boundary", "Long title"),
        ("statute_boundary", "Section 1"),
        ("statute_boundary", "Section 2"),
        ("statute_boundary", "Part 3"),
    ]


def test_a_heading_over_text_outside_the_provisions_is_in_the_chunk_of_that_text() -> None:
    result = chunk(document(*SECTIONS, Part("heading", "Circulars"), "All keepers write to the Board in May."))
    assert result.chunks[-1].chunk_text == "Circulars\n\nAll keepers write to the Board in May."
    assert result.exclusions == ()


def test_reasons_stand_on_every_chunk_and_in_the_result() -> None:
    result = chunk(document(*SECTIONS, Part("schedule", "FIRST SCHEDULE", "1")))
    assert {(row.strategy, row.metadata["route_reason"]) for row in result.chunks} == set(result.route)


def test_unknown_names_are_configuration_errors() -> None:
    with pytest.raises(ConfigurationError, match="semantic"):
        RouterOptions("nothing")
    with pytest.raises(ConfigurationError, match="rightline"):
        RouterOptions(profile="nothing")
    with pytest.raises(ConfigurationError, match="unknown strategies"):
        RouterOptions(parameters={"nothing": {}})
    assert RouterOptions(parameters={"semantic": {"hard": 0.5}}).to_json()["parameters"] == {"semantic": {"hard": 0.5}}
    assert "semantic" in STRATEGIES


@pytest.mark.corpus
@pytest.mark.parametrize(
    ("pattern", "strategy"),
    [
        ("in/acts_json/ipc.json", "statute_boundary"),
        ("zw/zimlii_json/*.json", "statute_boundary"),
        ("in/judgments_rr/dev/*.txt", "judgment_structural"),
        ("tagged/scr_headnote*.txt", "tagged_paragraph"),
        ("se/riksdagen_html/*.html", "paragraf"),
        ("se/selex_md/sfs-1977-1160*.md", "paragraf"),
        ("tagged/pe_005*.md", "statute_boundary"),
        ("tagged/pe_050*.md", "markdown_merge"),
    ],
)
def test_real_documents_go_where_their_structure_says(corpus: Path, pattern: str, strategy: str) -> None:
    assert strategy in {segment.strategy for segment in route(read(corpus, pattern))[0]}


def test_the_list_of_notes_that_ends_an_act_is_excluded() -> None:
    notes = tuple(Part("footnote", f"{n} Section {n} amended by the Rocks Law.", str(n)) for n in range(1, 7))
    _, exclusions = route(document(*SECTIONS, *notes))
    assert [item.reason for item in exclusions] == ["list of notes"]


def test_a_few_footnotes_and_those_of_a_report_are_not() -> None:
    notes = tuple(Part("footnote", f"{n} So the keeper said.", str(n)) for n in range(1, 7))
    assert not route(document(*SECTIONS, *notes[:3]))[1]
    assert not route(document(*SECTIONS, *notes, doc_type="other"))[1]

"""`llm_plan`: what a plan must keep, plans by rules, and chunks taken from the source lines. Mostly on own documents."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from legal_pipeline.building.builder import DocumentBuilder
from legal_pipeline.building.source import SourceFile
from legal_pipeline.chunking.chunk import ChunkedDocument, Segment
from legal_pipeline.chunking.coverage import gaps
from legal_pipeline.chunking.cut import chunk, chunk_batch
from legal_pipeline.chunking.llm_plan import STRATEGY
from legal_pipeline.chunking.packing import MAX_TOKENS, PREFIX_TOKENS
from legal_pipeline.chunking.plan import (
    ChunkPlan,
    ExcludedLines,
    PlannedChunk,
    criteria,
    plan_text,
    source_lines,
    validate_plan,
)
from legal_pipeline.chunking.plan_rules import plan_by_rules, type_by_name
from legal_pipeline.chunking.router import RouterOptions
from legal_pipeline.chunking.strategy import Tools
from legal_pipeline.errors import ChunkingError
from legal_pipeline.model.document import Document
from legal_pipeline.parsing.registry import parse
from legal_pipeline.text.tokens import count_tokens
from legal_pipeline_tests.examples import examples

IMMIGRATION = RouterOptions(profile="immigration")

_REASON = (
    "The record shows that the Petitioner scored the entries of forty sculptors at the regional kite festival, and the "
    "organiser's letter describes the score sheets that she filled in. "
)
APPEAL = [
    ("heading", "I. BACKGROUND"),
    ("block", "The Petitioner builds kites. She filed the petition in May 2098. The Director of the Texas Service Center denied it."),
    ("heading", "II. LAW"),
    ("block", "The petitioner must show eligibility by a preponderance of the evidence. Matter of Chawathe, 25 I&N Dec. 369, 375."),
    ("heading", "III. ANALYSIS"),
    ("heading", "A. Judging"),
    (
        "block",
        "The Director concluded that the festival was a hobby fair. He noted that no fee was paid to the jury. On appeal, the "
        "Petitioner submits the score sheets. " + _REASON,
    ),
    ("block", "We withdraw the Director's finding on this point. The Petitioner has met the plain language of this criterion."),
    ("heading", "B. Scholarly Articles"),
    (
        "block",
        "The Director determined that two articles were advertisements. We agree with the Director, for the articles name no author. "
        "The Petitioner has not established this criterion.",
    ),
    ("heading", "IV. CONCLUSION"),
    ("block", "The Petitioner has met three criteria. The appeal is sustained."),
]  # fmt: skip


def built(rows: list[tuple[str, str]], doc_type: str, title: str = "Matter of K-I-T-E-") -> Document:
    builder = DocumentBuilder()
    for kind, text in rows:
        if kind == "heading":
            builder.heading(text)
        else:
            builder.block(text, "block")
    return builder.document(
        SourceFile("decision.txt", b"not read by a chunker"),
        document_id="us-decision-aao-test",
        title=title,
        jurisdiction="us",
        doc_type=doc_type,
        language="eng",
    )


@pytest.fixture
def appeal() -> Document:
    return built(APPEAL, "appeal_decision")


REGULATION = """From 8 CFR 299.5

(a) General. A maker of kites may file a petition under this section when the kite flies.

(b) Definition. As used in this section, kite means a frame that the wind carries.

(c) Initial evidence. A petition must be accompanied by at least three of the following:

(1) Documentation of the maker's receipt of lesser nationally or internationally recognized prizes or awards for kites;

(2) Evidence of the maker's participation, on a panel, as a judge of the work of others in the field of kites;

(3) Evidence of authorship of scholarly articles on kites.

(d) Decision. The officer decides whether each of the conditions is shown by a preponderance of the evidence.
"""


@pytest.fixture
def regulation() -> Document:
    return parse(SourceFile("299-5.txt", REGULATION.encode()), "cfr_text")


def check(document: Document, result: ChunkedDocument) -> None:
    for row in result.chunks:
        assert row.strategy == "llm_plan"
        assert row.generator == "rules"
        assert row.chunk_text == "\n".join(document.text[start:end] for start, end in row.spans)
        assert row.num_tokens + count_tokens(row.contextual_header) + PREFIX_TOKENS <= MAX_TOKENS
    assert not gaps(document.text, [span for row in result.chunks for span in row.spans], result.exclusions)
    spans = sorted(span for row in result.chunks for span in row.spans)
    assert all(low[1] <= high[0] for low, high in itertools.pairwise(spans)) or document.doc_type == "appeal_decision"


# -- plans -------------------------------------------------------------------------------------------------------------


def whole(document: Document) -> ChunkPlan:
    return ChunkPlan(document.doc_type, (PlannedChunk(1, len(source_lines(document))),))


def test_a_plan_over_all_lines_is_valid(appeal: Document) -> None:
    validate_plan(appeal, whole(appeal))


def test_lines_planned_twice_are_refused(appeal: Document) -> None:
    plan = ChunkPlan("appeal_decision", (PlannedChunk(1, 5), PlannedChunk(5, len(source_lines(appeal)))))
    with pytest.raises(ChunkingError, match="line 5 is planned twice"):
        validate_plan(appeal, plan)


def test_a_line_that_is_both_chunk_and_exclusion_is_refused(appeal: Document) -> None:
    plan = dataclasses.replace(whole(appeal), excluded=(ExcludedLines(2, 2, "denied_argument"),))
    with pytest.raises(ChunkingError, match="line 2 is planned twice"):
        validate_plan(appeal, plan)


@pytest.mark.parametrize(("start", "end"), [(0, 3), (3, 2), (1, 10_000)])
def test_lines_outside_the_document_are_refused(appeal: Document, start: int, end: int) -> None:
    with pytest.raises(ChunkingError, match=f"lines {start} to {end}"):
        validate_plan(appeal, ChunkPlan("appeal_decision", (PlannedChunk(start, end),)))


def test_a_plan_that_leaves_more_than_two_percent_out_is_refused(appeal: Document) -> None:
    plan = ChunkPlan("appeal_decision", (PlannedChunk(1, len(source_lines(appeal)) - 2),))
    with pytest.raises(ChunkingError, match="is in no chunk"):
        validate_plan(appeal, plan)


def test_a_plan_that_leaves_three_percent_out_is_refused() -> None:
    document = built([("block", "The kite rises. " * 97), ("block", "The kite falls. " * 3)], "precedent_case")
    lines = [document.text[start:end] for start, end in source_lines(document)]
    last = max(number for number, line in enumerate(lines, 1) if "rises" in line)
    with pytest.raises(ChunkingError, match=r"3\.\d% of the text is in no chunk"):
        validate_plan(document, ChunkPlan("precedent_case", (PlannedChunk(1, last),)))


def test_what_a_plan_leaves_out_below_two_percent_is_an_exclusion_with_a_reason() -> None:
    document = built([("block", "The kite rises. " * 100), ("block", "Amen.")], "precedent_case")
    count = len(source_lines(document))
    drafts, exclusions = STRATEGY.chunk(
        document,
        Segment("llm_plan", "test", ((0, len(document.text)),)),
        Tools(plan=ChunkPlan("precedent_case", (PlannedChunk(1, count - 1),), generator="a model")),
    )
    assert [document.text[item.start : item.end] for item in exclusions] == ["Amen."]
    assert "2%" in exclusions[0].reason
    assert {draft.generator for draft in drafts} == {"a model"}


def test_an_excluded_share_must_not_hide_kept_text_of_a_regulation(regulation: Document) -> None:
    lines = len(source_lines(regulation))
    plan = ChunkPlan("regulation", (PlannedChunk(2, lines),), (ExcludedLines(1, 1, "background"),))
    with pytest.raises(ChunkingError, match="its text is kept"):
        validate_plan(regulation, plan)


def test_unknown_criteria_and_reasons_are_refused(appeal: Document) -> None:
    lines = len(source_lines(appeal))
    with pytest.raises(ChunkingError, match="criterion 'fame'"):
        validate_plan(appeal, ChunkPlan("appeal_decision", (PlannedChunk(1, lines, criterion_tag="fame"),)))
    with pytest.raises(ChunkingError, match="'dull' is not a reason"):
        validate_plan(appeal, ChunkPlan("appeal_decision", (PlannedChunk(2, lines),), (ExcludedLines(1, 1, "dull"),)))


def test_a_precedent_has_no_criterion() -> None:
    document = built([("block", "The two-step test applies.")], "precedent_case")
    with pytest.raises(ChunkingError, match="criterion_tag is null"):
        validate_plan(document, ChunkPlan("precedent_case", (PlannedChunk(1, 1, criterion_tag="judging"),)))


def test_the_planner_reads_the_same_lines_that_the_chunks_are_cut_from(appeal: Document) -> None:
    spans = source_lines(appeal)
    assert plan_text(appeal).split("\n") == [appeal.text[start:end] for start, end in spans]


def test_there_are_ten_criteria_each_with_its_own_paragraph() -> None:
    assert len(criteria()) == 10
    assert len({row["citation"] for row in criteria().values()}) == 10


# -- appeal decisions --------------------------------------------------------------------------------------------------


def test_the_directors_denied_arguments_stand_in_no_chunk_and_the_exclusion_says_why(appeal: Document) -> None:
    result = chunk(appeal, IMMIGRATION)
    check(appeal, result)
    everything = "\n".join(row.chunk_text for row in result.chunks)
    for denied in ("hobby fair", "no fee was paid", "two articles were advertisements"):
        assert denied not in everything
        (item,) = [item for item in result.exclusions if denied in appeal.text[item.start : item.end]]
        assert item.reason == "a denied Director's argument"


def test_a_sentence_that_says_that_the_director_was_wrong_is_kept() -> None:
    wrong = "The Director concluded that the kite fair was small, and we withdraw that finding, for the Director erred."
    rows = [("heading", "III. ANALYSIS"), ("block", f"The Director found that no fee was paid. {wrong} {_REASON}")]
    document = built(rows, "appeal_decision")
    result = chunk(document, IMMIGRATION)
    check(document, result)
    (row,) = result.chunks
    assert wrong in row.chunk_text
    assert "no fee" not in row.chunk_text


def test_the_background_of_an_appeal_is_excluded(appeal: Document) -> None:
    result = chunk(appeal, IMMIGRATION)
    found = {item.reason for item in result.exclusions if "builds kites" in appeal.text[item.start : item.end]}
    assert found == {"background of an appeal"}


def test_a_winning_argument_is_one_chunk_with_its_criterion(appeal: Document) -> None:
    (row,) = [row for row in chunk(appeal, IMMIGRATION).chunks if row.metadata.get("criterion_tag") == "judging"]
    assert row.metadata["is_winning_argument"] is True
    assert "score sheets that she filled in" in row.chunk_text
    assert "We withdraw the Director's finding" in row.chunk_text
    assert row.contextual_header.startswith("[APPEAL: Matter of K-I-T-E- - A. Judging]\n[CRITERION: Judging]")


def test_an_argument_that_was_lost_is_not_a_winning_one(appeal: Document) -> None:
    (row,) = [row for row in chunk(appeal, IMMIGRATION).chunks if row.metadata.get("criterion_tag") == "authorship"]
    assert row.metadata["is_winning_argument"] is False


def test_the_last_statement_on_an_argument_decides_whether_it_wins() -> None:
    won = "We withdraw the Director's finding on the fair."
    lost = "The Petitioner has not established this criterion."
    for first, last, wins in ((won, lost, False), (lost, won, True)):
        rows = [("heading", "III. ANALYSIS"), ("heading", "A. Judging"), ("block", f"{_REASON}{first} {last}")]
        (row,) = chunk(built(rows, "appeal_decision"), IMMIGRATION).chunks
        assert row.metadata["is_winning_argument"] is wins


def test_the_legal_test_of_the_law_part_is_named_and_has_no_criterion(appeal: Document) -> None:
    (row,) = [row for row in chunk(appeal, IMMIGRATION).chunks if "II. LAW" in row.path]
    assert row.metadata["legal_standard"] == "Preponderance of Evidence"
    assert "criterion_tag" not in row.metadata


def test_a_sustained_appeal_wins(appeal: Document) -> None:
    (row,) = [row for row in chunk(appeal, IMMIGRATION).chunks if "CONCLUSION" in row.path]
    assert row.metadata["is_winning_argument"] is True


def long_argument(paragraphs: int) -> Document:
    reasons = [("block", f"On appeal, we turn to festival {n}. " + _REASON * 3) for n in range(paragraphs)]
    return built([("heading", "III. ANALYSIS"), ("heading", "A. Judging"), *reasons], "appeal_decision")


def test_an_argument_over_a_thousand_words_continues_with_fifty_to_a_hundred_words_repeated() -> None:
    document = long_argument(24)
    result = chunk(document, IMMIGRATION)
    check(document, result)
    rows = result.chunks
    assert len(rows) > 1
    for before, after in itertools.pairwise(rows):
        shared = document.text[after.start_char : before.end_char]
        assert 50 <= len(shared.split()) <= 100
        assert document.text[before.end_char :].lstrip(" ").startswith("\n\n")  # it ends with a paragraph
    assert all(len(row.chunk_text.split()) <= 1000 for row in rows)
    assert all(len(row.chunk_text.split()) >= 500 for row in rows[:-1])


def test_arguments_of_two_criteria_do_not_overlap(appeal: Document) -> None:
    rows = chunk(appeal, IMMIGRATION).chunks
    spans = sorted(span for row in rows for span in row.spans)
    assert all(low[1] <= high[0] for low, high in itertools.pairwise(spans))


def test_a_decision_without_headings_begins_its_reasoning_where_the_appellate_body_speaks() -> None:
    rows = [
        ("block", "The kite maker filed a petition."),
        ("block", "On appeal, counsel shows the kite. We find that it flies."),
    ]
    document = built(rows, "appeal_decision")
    result = chunk(document, IMMIGRATION)
    check(document, result)
    assert [row.chunk_text for row in result.chunks] == [rows[1][1]]


def test_a_heading_of_the_cover_page_does_not_begin_the_reasoning() -> None:
    rows = [
        ("heading", "PUBLIC COPY"),
        ("block", "The kite maker filed a petition."),
        ("block", "On appeal, counsel shows the kite. We find that it flies."),
    ]
    result = chunk(built(rows, "appeal_decision"), IMMIGRATION)
    assert [row.chunk_text for row in result.chunks] == [rows[2][1]]


def test_a_decision_in_which_nothing_is_recognised_is_kept_whole() -> None:
    document = built([("heading", "PUBLIC COPY"), ("block", "Kites fly.")], "appeal_decision")
    assert "Kites fly." in chunk(document, IMMIGRATION).chunks[0].chunk_text


# -- regulations and precedents ----------------------------------------------------------------------------------------


def test_every_criterion_of_a_regulation_is_a_chunk_of_its_own_with_its_citation(regulation: Document) -> None:
    result = chunk(regulation, IMMIGRATION)
    check(regulation, result)
    found = {row.metadata["criterion_tag"]: row for row in result.chunks if row.metadata.get("criterion_tag")}
    assert {tag: row.path for tag, row in found.items()} == {
        "awards": "8 CFR § 299.5(c)(1)",
        "judging": "8 CFR § 299.5(c)(2)",
        "authorship": "8 CFR § 299.5(c)(3)",
    }
    assert found["judging"].metadata["section_level"] == 3
    assert found["judging"].contextual_header == "[REGULATION: 8 CFR § 299.5(c)(2)]\n[CRITERION: Judging]"


def test_the_parts_of_a_criterion_are_in_its_chunk() -> None:
    text = REGULATION.replace(
        "in the field of kites;",
        "in the field of kites, where the panel:\n\n(i) Met in public; and\n\n(ii) Kept scores of every kite that flew;",
    )
    result = chunk(parse(SourceFile("299-5.txt", text.encode()), "cfr_text"), IMMIGRATION)
    (judging,) = (row for row in result.chunks if row.metadata.get("criterion_tag") == "judging")
    assert judging.path == "8 CFR § 299.5(c)(2)"
    assert "Met in public" in judging.chunk_text
    assert "Kept scores of every kite" in judging.chunk_text


def test_small_rules_of_a_regulation_share_a_chunk(regulation: Document) -> None:
    first = chunk(regulation, IMMIGRATION).chunks[0]
    assert "may file a petition" in first.chunk_text
    assert "the wind carries" in first.chunk_text


def test_a_precedent_is_cut_at_headings_and_every_chunk_keeps_its_size() -> None:
    part = (
        "The officer weighs the evidence of the kite together and in its entirety in the final merits determination. "
    )
    rows = [("heading", "Background"), ("block", "The kite fell. " * 150)]
    rows += [("heading", "Final Merits"), *(("block", part * 8) for _ in range(10))]
    document = built(rows, "precedent_case", "Kite v. Wind")
    result = chunk(document, IMMIGRATION)
    check(document, result)
    assert result.chunks[0].path == "Kite v. Wind - Background"
    tests = [row for row in result.chunks if row.metadata.get("legal_standard") == "Final Merits Determination"]
    assert tests[0].path == "Kite v. Wind - Final Merits Determination"
    assert all(len(row.chunk_text.split()) <= 1000 for row in result.chunks)
    assert not any("criterion_tag" in row.metadata for row in result.chunks)


def test_a_paragraph_above_the_token_limit_is_cut_at_sentences() -> None:
    document = built([("block", "Supercalifragilistic kites 1234567890 rise. " * 400)], "precedent_case")
    result = chunk(document, IMMIGRATION)
    check(document, result)
    assert len(result.chunks) > 1
    assert all(row.chunk_text.endswith(".") for row in result.chunks)


_sentence = st.sampled_from(
    [
        "The Director found that the kite was small.", "We disagree with the Director.", "The record shows a kite.",
        "The Petitioner has met this criterion.", "He also noted the wind.", "It flew.", "kite " * 120 + ".",
    ]
)  # fmt: skip
_row = st.one_of(
    st.tuples(
        st.just("heading"),
        st.sampled_from(["I. BACKGROUND", "II. ANALYSIS", "A. Judging", "B. Awards", "IV. CONCLUSION"]),
    ),
    st.tuples(st.just("block"), st.lists(_sentence, min_size=1, max_size=9).map(" ".join)),
)


@given(st.lists(_row, min_size=2, max_size=20), st.sampled_from(["appeal_decision", "precedent_case", "regulation"]))
@examples(80)
def test_every_plan_by_rules_is_valid_and_its_chunks_keep_every_promise(
    rows: list[tuple[str, str]], doc_type: str
) -> None:
    document = built([*rows, ("heading", "II. ANALYSIS"), ("block", "We find that the kite flies.")], doc_type)
    plan = plan_by_rules(document)
    validate_plan(document, plan)
    covered = {n for item in plan.items for n in range(item.start_line, item.end_line + 1)}
    assert covered == set(range(1, len(source_lines(document)) + 1))
    result = chunk(document, IMMIGRATION)
    check(document, result)
    assert [row.dumps() for row in chunk(document, IMMIGRATION).chunks] == [row.dumps() for row in result.chunks]


def test_a_plan_of_a_model_names_it_and_a_plan_of_rules_says_why_no_model_planned(appeal: Document) -> None:
    class Model:
        def plan(self, documents: Sequence[Document]) -> list[ChunkPlan | Exception]:
            return [dataclasses.replace(plan_by_rules(one), generator="a model/1") for one in documents]

    class Silence:
        def plan(self, documents: Sequence[Document]) -> list[ChunkPlan | Exception]:
            return [dataclasses.replace(plan_by_rules(one), fallback="no answer") for one in documents]

    class Trouble:
        def plan(self, documents: Sequence[Document]) -> list[ChunkPlan | Exception]:
            return [ChunkingError("not today") for _ in documents]

    by_model, by_rules, error = (
        chunk_batch([appeal], IMMIGRATION, planner=planner)[0] for planner in (Model(), Silence(), Trouble())
    )
    assert isinstance(by_model, ChunkedDocument)
    assert isinstance(by_rules, ChunkedDocument)
    assert {row.generator for row in by_model.chunks} == {"a model/1"}
    assert {row.generator for row in by_rules.chunks} == {"rules"}
    assert {row.metadata["plan_fallback"] for row in by_rules.chunks} == {"no answer"}
    assert not {row.input_hash for row in by_model.chunks} & {row.input_hash for row in by_rules.chunks}
    assert isinstance(error, ChunkingError)


@pytest.mark.parametrize(
    ("name", "doc_type"),
    [
        ("appeal_quintanilla.txt", "appeal_decision"),
        ("AAO-2019-JAN0219_01B2203.txt", "appeal_decision"),
        ("kazarian_case.txt", "precedent_case"),
        ("matter-of-chawathe.md", "precedent_case"),
        ("uscis_regulations.txt", "regulation"),
        ("8cfr-notes.txt", None),
        ("upload-17.txt", None),
        ("showcases.txt", None),
    ],
)
def test_a_file_name_says_the_type_of_a_document_or_nothing(name: str, doc_type: str | None) -> None:
    assert type_by_name(name) == doc_type


@pytest.mark.corpus
def test_the_criteria_of_8_cfr_204_5_are_found_in_the_real_text(corpus: Path) -> None:
    path = corpus / "us" / "excerpts" / "8cfr_204.5_h_EXCERPT.txt"
    document = parse(SourceFile(path.name, path.read_bytes()))
    result = chunk(document, IMMIGRATION)
    check(document, result)
    found = {row.metadata["criterion_tag"]: row.path for row in result.chunks if row.metadata.get("criterion_tag")}
    # The excerpt ends in (v).
    assert found == {tag: row["citation"] for tag, row in list(criteria().items())[:5]}


@pytest.mark.corpus
def test_a_real_opinion_and_a_real_appeal_keep_every_promise(corpus: Path) -> None:
    for name in ("kazarian_2010_opening_EXCERPT.txt", "aao_2009_geoscience_OCR_EXCERPT.txt"):
        path = corpus / "us" / "excerpts" / name
        document = parse(SourceFile(path.name, path.read_bytes()))
        check(document, chunk(document, IMMIGRATION))


def test_a_part_of_a_precedent_that_is_cut_keeps_its_heading() -> None:
    rows = [("heading", "Background"), *(("block", "The kite fell upon the roof. " * 25) for _ in range(16))]
    result = chunk(built(rows, "precedent_case", "Kite v. Wind"), IMMIGRATION)
    assert len(result.chunks) > 2
    assert all(row.path.startswith("Kite v. Wind - Background") for row in result.chunks)

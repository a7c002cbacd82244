"""`sliding_window`: sizes, boundaries, overlap, merging and paths."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from legal_pipeline.building.builder import DocumentBuilder
from legal_pipeline.building.source import SourceFile
from legal_pipeline.chunking.chunk import Chunk, ChunkedDocument
from legal_pipeline.chunking.cut import chunk
from legal_pipeline.chunking.router import RouterOptions
from legal_pipeline.model import tables
from legal_pipeline.model.document import Amendment, Document
from legal_pipeline.parsing.registry import parse
from legal_pipeline.text.sentences import sentence_spans
from legal_pipeline.text.tokens import count_tokens
from legal_pipeline_tests.chunking.english import english, prose, section
from legal_pipeline_tests.chunking.plain import Part, document
from legal_pipeline_tests.examples import examples
from legal_pipeline_tests.real_documents import existing

CAP = 5000


def cut(document: Document, **parameters: int) -> ChunkedDocument:
    return chunk(document, RouterOptions("sliding_window", parameters={"sliding_window": dict(parameters)}))


def repeated(document: Document, before: Chunk, after: Chunk) -> str:
    """The text that both chunks hold."""
    spans = [(max(start, after.start_char), end) for start, end in before.spans if end > after.start_char]
    return "\n".join(document.text[start:end] for start, end in spans).strip()


def check_windows(document: Document, result: ChunkedDocument) -> Counter[str]:
    """Every promise of windows, computed anew from the document; returns how often windows began at which boundary."""
    begun: Counter[str] = Counter()
    for row in result.chunks:
        assert row.chunk_text == "\n".join(document.text[start:end] for start, end in row.spans)
        assert len(row.chunk_text) <= CAP
        assert row.num_tokens <= 660
    for before, after in itertools.pairwise(result.chunks):
        assert before.start_char < after.start_char
        boundary = after.metadata.get("overlap_boundary")
        if boundary is None:
            assert before.end_char <= after.start_char, (before.path, after.path)
            continue
        text = repeated(document, before, after)
        assert after.chunk_text.startswith(text)
        assert count_tokens(text) == after.metadata["overlap_tokens"]
        assert 0.15 <= count_tokens(text) / before.num_tokens <= 0.20, (before.path, after.path)
        begun[boundary] += 1
    assert result.coverage == 1.0
    assert (
        len({row.path for row in result.chunks}) == len({row.chunk_id for row in result.chunks}) == len(result.chunks)
    )
    tables.table([row.to_row() for row in result.chunks], tables.CHUNKS)
    return begun


def base(path: str) -> str:
    return path.partition("#")[0]


def test_a_long_section_becomes_windows_that_overlap_and_a_section_never_runs_into_the_next() -> None:
    def write(builder: DocumentBuilder) -> None:
        with builder.node("part", "II", "Lamps"):
            section(builder, "12A", "Trimming", prose(30), prose(30, 31))
            section(builder, "13", "Oil", prose(16, 90))

    document = english(write)
    result = cut(document)
    begun = check_windows(document, result)
    assert [base(row.path) for row in result.chunks] == ["Part II > Section 12A"] * 4 + ["Part II > Section 13"]
    assert begun["sentence"] >= 2
    assert result.chunks[0].metadata["section"] == "Section 12A — Trimming"
    for row in result.chunks[:-1]:
        assert row.chunk_text.endswith(".")
    assert all(256 <= row.num_tokens <= 512 for row in result.chunks[:3])


def test_a_window_starts_at_a_clause_where_no_sentence_starts_in_the_band_and_else_at_a_word() -> None:
    clauses = "The keeper shall " + ", ".join(f"polish lens number {number} with a soft cloth" for number in range(150))
    words = "The keeper shall polish " + " ".join(f"lens {number} and" for number in range(400))
    for text, boundary in ((clauses, "clause"), (words, "word")):
        document = english(lambda builder, text=text: section(builder, "1", "Lenses", text))  # type: ignore[misc]
        begun = check_windows(document, cut(document))
        assert set(begun) == {boundary}


def test_neighbouring_short_sections_of_a_part_merge_and_keep_their_paths() -> None:
    def write(builder: DocumentBuilder) -> None:
        for part, numbers in (("I", ("1", "2", "3")), ("II", ("4", "6"))):
            with builder.node("part", part, "Keepers"):
                for num in numbers:
                    section(builder, num, f"Duty {num}", prose(4, int(num) * 10))

    document = english(write)
    result = cut(document)
    check_windows(document, result)
    assert [row.path for row in result.chunks] == ["Part I > Sections 1-3", "Part II > Sections 4, 6"]
    assert result.chunks[0].metadata["paths"] == ["Part I > Section 1", "Part I > Section 2", "Part I > Section 3"]
    assert result.chunks[0].metadata["eids"] == ["part_i__sec_1", "part_i__sec_2", "part_i__sec_3"]


def test_sections_that_are_not_short_stay_apart_and_the_merged_stay_under_the_target() -> None:
    def write(builder: DocumentBuilder) -> None:
        for num, sentences in (("1", 6), ("2", 14), ("3", 8), ("4", 8), ("5", 8)):
            section(builder, num, f"Duty {num}", prose(sentences, int(num) * 20))

    result = cut(english(write))
    assert [row.path for row in result.chunks] == ["Section 1", "Section 2", "Sections 3-4", "Section 5"]
    assert all(row.num_tokens <= 512 for row in result.chunks)


def test_a_group_that_took_a_tiny_section_does_not_take_the_next_one_too() -> None:
    def write(builder: DocumentBuilder) -> None:
        for number, sentences in (("1", 11), ("2", 1), ("3", 5)):
            section(builder, number, "Lamps", prose(sentences))

    assert [row.path for row in cut(english(write)).chunks] == ["Sections 1-2", "Section 3"]


def test_merged_sections_have_all_their_eids_and_a_section_alone_its_last_amendment_and_its_validity() -> None:
    made = document(Part("section", "5. A lamp is lit.", "5"), Part("section", "4. A bell rings.", "4"))
    (row,) = cut(made).chunks
    assert (row.path, row.metadata["eids"]) == ("Sections 5, 4", ["sec_5", "sec_4"])
    made = document(Part("section", "5. A lamp is lit.", "5"))
    made.nodes[0].amendments = (Amendment("Act 1 of 2098"), Amendment("Act 2 of 2099"))
    made.nodes[0].valid_from, made.nodes[0].valid_to = "2099-01-01", "2100-01-01"
    (row,) = cut(made).chunks
    assert (row.metadata["amended_by"], row.valid_from, row.valid_to) == ("Act 2 of 2099", "2099-01-01", "2100-01-01")


def test_a_window_of_a_judgment_has_the_type_of_the_parts_that_hold_most_of_it() -> None:
    facts, reasons = "The keeper slept through the night. " * 6, "A keeper owes care to ships. " * 9
    parts = [
        Part(kind, text.strip())
        for kind, text in (("background", facts), ("motivation", reasons), ("background", facts))
    ]
    (row,) = cut(document(*parts, doc_type="judgment")).chunks
    assert row.chunk_type == "facts"


def test_a_dissent_names_its_paragraphs_and_a_headnote_of_two_windows_its_parts() -> None:
    dissent = Part("dissent", children=[Part("numbered_paragraph", "7. I would let him sleep.", "7")])
    made = document(Part("headnote", prose(30)), Part("motivation", "He may not sleep."), dissent, doc_type="judgment")
    assert [row.path for row in cut(made).chunks] == [
        "Headnote > Part 1", "Headnote > Part 2", "Body", "Dissent > Para 7",
    ]  # fmt: skip


def test_the_header_of_an_act_shares_no_window_with_the_text_below_it() -> None:
    section_one = Part("section", "1. A lamp is lit.", "1")
    rows = cut(
        document(
            Part("header", "THE GAZETTE OF LAMPS, No. 4"), Part("block", "Keepers write to the Board."), section_one
        )
    ).chunks
    assert [(row.chunk_type, row.chunk_text) for row in rows[:2]] == [
        ("header", "THE GAZETTE OF LAMPS, No. 4"),
        ("markdown", "Keepers write to the Board."),
    ]


def test_a_section_and_an_article_do_not_merge() -> None:
    made = document(Part("section", "1. The keeper lights the lamp.", "1"), Part("article", "2. The bell rings.", "2"))
    assert [row.path for row in cut(made).chunks] == ["Section 1", "Article 2"]


def test_a_heading_over_text_between_the_sections_begins_the_window_of_that_text() -> None:
    made = document(
        Part("section", "1. The keeper lights the lamp.", "1"),
        Part("heading", "Circulars"),
        "All keepers write to the Board in May.",
        Part("section", "2. The bell rings.", "2"),
    )
    assert "Circulars\n\nAll keepers write to the Board in May." in [row.chunk_text for row in cut(made).chunks]


def test_two_wordings_of_a_section_do_not_merge() -> None:
    def write(builder: DocumentBuilder) -> None:
        with builder.node("section", "1", "Oil", valid_to="2100-01-01"):
            builder.block("1. The lamp burns oil.", "subsection")
        with builder.node("section", "1", "Oil", valid_from="2100-01-01"):
            builder.block("1. The lamp burns gas.", "subsection")

    assert [row.path for row in cut(english(write)).chunks] == ["Section 1", "Section 1@2100-01-01"]


@pytest.mark.parametrize("lead", range(4, 20))
def test_a_list_a_quotation_and_a_table_that_fit_are_in_one_window(lead: int) -> None:
    def write(builder: DocumentBuilder) -> None:
        with builder.node("section", "1", "Stores"):
            builder.heading("1. Stores")
            builder.block(prose(lead), "subsection")
            with builder.node("subsection", "2"):
                builder.add("(2) The store of a station shall hold—")
                for letter in "abcdefgh":
                    builder.block(
                        f"({letter}) {letter} casks of oil of the first quality, sealed by the board;", "paragraph"
                    )
            builder.block(prose(10, 40), "subsection")
            builder.block(f"“{prose(7, 60)}”", "quotation")
            builder.block(prose(10, 80), "subsection")
            builder.block("\n".join(f"Lamp {row} | {row} litres | {row} hours | brass" for row in range(20)), "table")
            builder.block(prose(10, 100), "subsection")

    document = english(write)
    result = cut(document)
    check_windows(document, result)
    kept = [node for node in document.walk() if node.type in ("quotation", "table")]
    (store,) = (node for node in document.walk() if node.num == "2")
    for start, end in [*((node.start, node.end) for node in kept), (store.start, store.end)]:
        assert any(row.start_char <= start and end <= row.end_char for row in result.chunks), document.text[
            start : start + 60
        ]


def test_a_list_that_does_not_fit_is_cut_between_its_items() -> None:
    def write(builder: DocumentBuilder) -> None:
        with builder.node("section", "2", "Interpretation"):
            builder.add("2. In this Act—")
            for number in range(60):
                builder.block(f"({number}) “lamp {number}” means a lamp of class {number}, whatever it burns;", "item")

    document = english(write)
    result = cut(document)
    check_windows(document, result)
    assert len(result.chunks) > 2
    assert all(re.match(r"2\.|\(\d+\) “lamp", row.chunk_text) for row in result.chunks)
    assert all(row.chunk_text.endswith(";") for row in result.chunks)


@pytest.mark.parametrize("lead", range(10, 24))
def test_no_window_ends_with_a_heading_or_a_line_that_announces_the_next(lead: int) -> None:
    def write(builder: DocumentBuilder) -> None:
        with builder.node("section", "1", "Watch"):
            builder.add("1. Watch")
            builder.block(prose(lead), "subsection")
            builder.heading("Relief of the watch")
            builder.block("The keeper on watch shall not leave the gallery unless:", "subsection")
            builder.block(prose(30, 50), "subsection")

    document = english(write)
    for row in cut(document).chunks:
        assert not row.chunk_text.endswith(("watch", "unless:"))


def test_a_document_shorter_than_a_fragment_has_a_window() -> None:
    document = parse(SourceFile("note.txt", b"Lamps are lit."))
    result = cut(document)
    assert [row.chunk_text for row in result.chunks] == ["Lamps are lit."]
    assert result.exclusions == ()


def test_an_empty_section_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    def write(builder: DocumentBuilder) -> None:
        section(builder, "1", "Oil", prose(2))
        with builder.node("section", "2", "Gas"):
            builder.add("Gas")

    cut(english(write))
    assert "Section 2 has no text" in caplog.text


def judgment(headnote: int, paragraphs: int, sentences: int) -> Document:
    def write(builder: DocumentBuilder) -> None:
        builder.block("IN THE HIGH COURT\n\nKeeper v The Harbour Board", "header")
        builder.block(prose(headnote), "headnote")
        with builder.node("background"):
            for number in range(1, paragraphs + 1):
                builder.block(f"{number}. {prose(sentences, number * 100)}", "numbered_paragraph", str(number))
        with builder.node("decision"):
            builder.block("99. The claim is dismissed with costs.", "numbered_paragraph", "99")

    return english(write, "judgment")


def test_a_headnote_stands_apart_and_windows_of_the_body_name_their_paragraphs() -> None:
    document = judgment(headnote=8, paragraphs=12, sentences=5)
    result = cut(document)
    check_windows(document, result)
    assert [row.path for row in result.chunks[:2]] == ["Header", "Headnote"]
    body = result.chunks[2:]
    assert all(re.fullmatch(r"Body > Paras? \d+(-\d+)?(#\d)?", row.path) for row in body)
    for row in body:
        low, _, high = row.path.removeprefix("Body > Para").lstrip("s ").partition("#")[0].partition("-")
        for number in (int(low), int(high or low)):
            node = next(node for node in document.walk() if node.num == str(number))
            assert node.start < row.end_char
            assert row.start_char < node.end
    assert body[-1].path.endswith("99")


def test_a_long_headnote_is_cut_into_parts_that_repeat_about_15_percent() -> None:
    document = judgment(headnote=60, paragraphs=3, sentences=3)
    result = cut(document)
    check_windows(document, result)
    parts = [row for row in result.chunks if row.chunk_type == "headnote"]
    assert [row.path for row in parts] == [f"Headnote > Part {number}" for number in range(1, len(parts) + 1)]
    assert len(parts) > 2


def test_a_paragraph_over_several_windows_has_numbered_paths() -> None:
    document = judgment(headnote=4, paragraphs=1, sentences=80)
    windows = [row for row in cut(document).chunks if row.path.startswith("Body")]
    assert [row.path for row in windows][:3] == ["Body > Para 1", "Body > Para 1#2", "Body > Para 1#3"]
    # the number of the window is none of the text's
    assert not any("#" in row.contextual_header for row in windows)
    assert windows[0].contextual_header == windows[1].contextual_header


def test_a_text_without_spaces_or_sentences_never_passes_5000_characters() -> None:
    for text in ("x" * 30_000, "=" * 12_000, "ångström—" * 4_000, "\u0bb2\u0bbf" * 9_000):
        document = english(lambda builder, text=text: section(builder, "1", "Noise", text))  # type: ignore[misc]
        result = cut(document)
        assert max(len(row.chunk_text) for row in result.chunks) <= CAP
        assert result.coverage == 1.0


@pytest.mark.parametrize("sentences", [57, 62, 67])
def test_the_last_window_of_a_long_section_has_the_minimum_of_tokens(sentences: int) -> None:
    text = " ".join(f"Lamp {number} is lit at {number % 12 + 1}." for number in range(sentences))
    document = english(lambda builder: section(builder, "1", "Lamps", text))
    windows = cut(document, minimum=200).chunks
    assert len(windows) == 2
    assert windows[-1].num_tokens >= 200


def test_ids_of_windows_survive_text_inserted_in_an_earlier_section() -> None:
    def act(more: str) -> Document:
        def write(builder: DocumentBuilder) -> None:
            section(builder, "1", "Oil", prose(15), more)
            section(builder, "2", "Gas", prose(50, 200))

        return english(write)

    before, after = (
        [row for row in cut(act(more)).chunks if base(row.path) == "Section 2"] for more in ("", prose(3, 900))
    )
    assert len(before) > 2
    assert [(row.chunk_id, row.input_hash) for row in before] == [(row.chunk_id, row.input_hash) for row in after]


_text = st.lists(
    st.sampled_from([prose(1), prose(3, 5), "no lamp is lit", "(a) oil;", "“Quoted: a lamp, a lens.”", "x" * 90, "Å — ö §", "A: b"]),
    min_size=1,
    max_size=40,
)  # fmt: skip
_kinds = st.sampled_from(["subsection", "paragraph", "item", "proviso", "quotation", "table", "heading", "remark"])
_nodes = st.lists(st.tuples(_kinds, _text, st.sampled_from([" ", "\n", " — "])), min_size=1, max_size=8)


@given(st.lists(_nodes, min_size=1, max_size=5), st.sampled_from(["act", "judgment"]))
@examples(80)
def test_every_promise_of_windows_holds_on_generated_documents(
    sections: list[list[tuple[str, list[str], str]]], kind: str
) -> None:
    def write(builder: DocumentBuilder) -> None:
        for number, nodes in enumerate(sections, start=1):
            with builder.node("section" if kind == "act" else "numbered_paragraph", str(number)):
                builder.add(f"{number}. The lamp")
                for node, texts, separator in nodes:
                    builder.block(separator.join(texts), node)

    document = english(write, kind)
    result = cut(document)
    check_windows(document, result)
    for before, after in itertools.pairwise(result.chunks):
        same = base(before.path) == base(after.path) or (before.path[:4], after.path[:4]) == ("Body", "Body")
        assert bool(after.metadata.get("overlap_boundary")) == same, (before.path, after.path)
    assert [row.dumps() for row in cut(document).chunks] == [row.dumps() for row in result.chunks]


ACTS = (
    "zimlii_json/zw-1985-16.json",
    "zimlii_json/zw-1998-12.json",
    "zimlii_json/zw-2004-23.json",
    "importer_html/zw-cpa.html",
)


@pytest.mark.corpus
def test_windows_of_zimbabwean_acts_mostly_begin_at_a_sentence(corpus: Path) -> None:
    begun: Counter[str] = Counter()
    for name in ACTS:
        path = corpus / "zw" / name
        document = parse(SourceFile(path.name, path.read_bytes()))
        begun += check_windows(document, cut(document))
    total = begun.total()
    assert total > 80
    print(f"{total} windows begin at: {dict(begun)}")
    assert begun["sentence"] / total > 0.5
    assert begun["word"] / total < 0.15
    assert begun["character"] == 0


@pytest.mark.corpus
def test_a_window_begins_at_a_sentence_whenever_one_begins_in_the_band(corpus: Path) -> None:
    path = corpus / "zw" / "zimlii_json" / "zw-2004-23.json"
    document = parse(SourceFile(path.name, path.read_bytes()))
    result = cut(document)
    for before, after in itertools.pairwise(result.chunks):
        if after.metadata.get("overlap_boundary") in ("clause", "word"):
            size = before.num_tokens
            for start, _ in sentence_spans(before.chunk_text, document.language):
                share = count_tokens(before.chunk_text[start:]) / size
                # a token of tolerance at each end of the window before
                assert not 0.15 + 2 / size <= share <= 0.20 - 2 / size, before.chunk_text[start : start + 60]


@pytest.mark.corpus
def test_real_judgments_keep_the_promises_and_cite_their_paragraphs(corpus: Path) -> None:
    paths = [
        *existing(corpus / "in" / "judgments_text", "*.txt"),
        *existing(corpus / "in" / "judgments_pdf", "*.txt"),
    ]
    assert len(paths) >= 5
    for path in paths:
        document = parse(SourceFile(path.name, path.read_bytes()))
        result = cut(document)
        check_windows(document, result)
        body = [row for row in result.chunks if row.path.startswith("Body")]
        assert (
            sum("> Para" in row.path for row in body) >= len(body) - 1
        )  # what stands behind the signatures has no number


@pytest.mark.parametrize(("name", "value"), [("cap", 700), ("target", 120)])
def test_a_smaller_limit_makes_more_windows_that_keep_it(name: str, value: int) -> None:
    document = english(lambda builder: section(builder, "1", "Watches", prose(120)))
    usual, smaller = cut(document).chunks, cut(document, **{name: value}).chunks
    assert len(smaller) > len(usual)
    sizes = [
        len(row.chunk_text) if name == "cap" else row.num_tokens * 4 // 5 for row in smaller
    ]  # a quarter more to end a sentence
    assert max(sizes) <= value

"""The rules of `markdown_merge`."""

from __future__ import annotations

import pytest

from legal_pipeline.building.builder import DocumentBuilder
from legal_pipeline.building.source import SourceFile
from legal_pipeline.chunking.cut import chunk
from legal_pipeline.chunking.router import RouterOptions
from legal_pipeline.model.document import Document
from legal_pipeline_tests.chunking.plain import Part
from legal_pipeline_tests.chunking.plain import document as plain_document

SENTENCE = "Lotsen ska gå ombord före sundet och lämna fartyget först när det har passerat den sista pricken. "


def note(*blocks: str, title: str = "Lotsning i sundet") -> Document:
    """A document without provisions; blocks that begin with `#` are headings."""
    builder = DocumentBuilder()
    for block in blocks:
        level = len(block) - len(block.lstrip("#"))
        if level:
            builder.heading(block.lstrip("# "), attributes={"level": level})
        else:
            builder.block(block.strip(), "block")
    return builder.document(
        SourceFile("lotsning.md", b"not read by a chunker"),
        document_id="se-ofs-2099-3",
        title=title,
        number="ÖFS 2099:3",
        jurisdiction="se",
        doc_type="guidance",
        language="swe",
    )


def test_neighbouring_blocks_merge_until_300_tokens_and_never_past_500() -> None:
    chunks = chunk(note(*[SENTENCE * 3] * 40)).chunks
    assert [row.path for row in chunks] == [f"md.chunk{number}" for number in range(1, len(chunks) + 1)]
    assert all(300 <= row.num_tokens <= 500 for row in chunks[:-1])
    assert {row.content_role for row in chunks} == {"MARKDOWN_CHUNK"}
    assert {row.contextual_header for row in chunks} == {"Lotsning i sundet (ÖFS 2099:3)"}


def test_no_chunk_runs_across_a_heading_of_the_first_two_levels() -> None:
    chunks = chunk(note("# Före sundet", SENTENCE, "## Efter sundet", SENTENCE, "### Vid dimma", SENTENCE)).chunks
    assert [row.chunk_text.split("\n")[0] for row in chunks] == ["Före sundet", "Efter sundet"]
    assert "Vid dimma" in chunks[1].chunk_text


def test_headings_that_follow_each_other_stay_with_the_text_below_them() -> None:
    (row,) = chunk(note("# Lotsning", "## Före sundet", SENTENCE)).chunks
    assert row.chunk_text.startswith("Lotsning\n\nFöre sundet\n\n")


def test_more_headings_than_a_chunk_has_room_for_are_several_chunks() -> None:
    headings = [f"# Förteckning {number} över fyrar och bojar i sundet" for number in range(400)]
    document = note(*headings, "En fyr släcks aldrig.")
    found = chunk(document)
    assert len(found.chunks) > 1
    assert found.coverage == 1.0


def test_a_heading_stays_with_the_text_below_it_where_a_chunk_is_full() -> None:
    full = chunk(note("# Lotsning", SENTENCE * 12, "### Vid dimma", SENTENCE * 12)).chunks
    assert [row.chunk_text.split("\n")[0] for row in full] == ["Lotsning", "Vid dimma"]
    for sentences in range(1, 22):
        blocks = [SENTENCE * sentences, "### Vid dimma", "#### Om natten", SENTENCE * sentences] * 4
        chunks = chunk(note("# Lotsning", *blocks)).chunks
        assert all(row.chunk_text.endswith("pricken.") for row in chunks)
        assert "".join(row.chunk_text.replace("\n", "") for row in chunks).count("Om natten") == 4


def test_a_block_above_1000_tokens_is_cut_between_sentences() -> None:
    chunks = chunk(note(SENTENCE * 120)).chunks
    assert len(chunks) > 1
    assert all(row.num_tokens <= 1000 for row in chunks)
    assert all(row.chunk_text.endswith("pricken.") for row in chunks)


def test_a_fragment_under_20_characters_is_left_out_and_listed() -> None:
    result = chunk(note("# Före sundet och efter", SENTENCE, "# Slut"))
    assert len(result.chunks) == 1
    assert [item.reason for item in result.exclusions] == ["a fragment under 20 characters"]
    assert result.coverage == 1.0


def test_a_title_of_a_thousand_words_leaves_as_much_room_for_the_text_as_it_takes_in_a_chunk() -> None:
    chunks = chunk(note(*[SENTENCE * 3] * 40, title="Lotsning i sundet " * 500)).chunks
    assert all(300 <= row.num_tokens <= 500 for row in chunks[:-1])


def sizes(*tokens: int) -> list[int]:
    """How many blocks of so many tokens each chunk has."""
    made = plain_document(*(" ".join(["lamp"] * number) for number in tokens), doc_type="other")
    return [len(row.chunk_text.split("\n\n")) for row in chunk(made, RouterOptions("markdown_merge")).chunks]


@pytest.mark.parametrize(
    ("tokens", "expected"),
    [((100, 100, 98, 50), [3, 1]), ((100, 100, 97, 50), [4]), ((249, 250), [2]), ((250, 250), [1, 1]), ((300, 50), [1, 1])],
)  # fmt: skip
def test_blocks_merge_up_to_exactly_the_target_and_the_limit(tokens: tuple[int, ...], expected: list[int]) -> None:
    assert sizes(*tokens) == expected


def test_no_chunk_runs_across_the_beginning_of_a_chapter() -> None:
    chapters = [Part("chapter", f"The lamps of tower {number} are of brass.", str(number)) for number in (1, 2)]
    made = plain_document("These are the lamps of all towers.", *chapters, doc_type="other")
    rows = chunk(made, RouterOptions("markdown_merge")).chunks
    assert [row.chunk_text for row in rows] == ["These are the lamps of all towers.", *(part.text for part in chapters)]


@pytest.mark.parametrize(("length", "is_kept"), [(19, False), (20, True)])
def test_a_fragment_of_exactly_twenty_characters_is_a_chunk(length: int, is_kept: bool) -> None:
    chapter = Part("chapter", "x" * length, "1")
    made = plain_document("These are the lamps of all towers.", chapter, doc_type="other")
    result = chunk(made, RouterOptions("markdown_merge"))
    assert (len(result.chunks), len(result.exclusions)) == ((2, 0) if is_kept else (1, 1))

"""`tagged_paragraph`: blocks, tags and sub-chunks, from the bytes of a note to its chunks."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from legal_pipeline.building.source import SourceFile
from legal_pipeline.chunking.chunk import Chunk, ChunkedDocument
from legal_pipeline.chunking.cut import chunk
from legal_pipeline.chunking.router import RouterOptions
from legal_pipeline.chunking.tagged_paragraph import MAX_CHARS, split_block
from legal_pipeline.model import tables
from legal_pipeline.model.document import Document
from legal_pipeline.model.identity import collapse
from legal_pipeline.parsing.tagged.notes import parse
from legal_pipeline.text.sentences import sentence_spans
from legal_pipeline_tests.chunking.english import english, prose
from legal_pipeline_tests.chunking.plain import Part
from legal_pipeline_tests.chunking.plain import document as plain_document
from legal_pipeline_tests.real_documents import existing


def cut(document: Document) -> ChunkedDocument:
    return chunk(document, RouterOptions("tagged_paragraph"))


def note(text: str) -> Document:
    return parse(SourceFile("10. Keeper v Board.txt", text.encode()))


BULLETS = f"""■ The board must light every lamp. {prose(20)} [Para 26]
■ A keeper who sleeps is no keeper. [Paras 133 to 135]
■ Fog is no defence. [Para  140 ]
"""


def test_every_sub_chunk_inherits_the_tag_and_the_file_and_no_tag_is_in_the_text() -> None:
    result = cut(note(BULLETS))
    first = [row for row in result.chunks if row.metadata.get("para_id") == "[Para 26]"]
    assert len(first) > 1
    assert [row.path for row in first] == ["Para 26", *(f"Para 26#{part}" for part in range(2, len(first) + 1))]
    assert [row.path for row in result.chunks[len(first) :]] == ["Paras 133 to 135", "Para 140"]
    assert result.chunks[-2].metadata["paras"] == ["133", "134", "135"]
    for row in result.chunks:
        assert row.source_file == "10. Keeper v Board.txt"
        assert "[Para" not in row.chunk_text
        assert "■" not in row.chunk_text
        assert row.contextual_header.endswith(row.metadata["para_id"])
    tables.table([row.to_row() for row in result.chunks], tables.CHUNKS)


def test_sub_chunks_end_at_sentences_are_filled_to_1200_characters_and_do_not_overlap() -> None:
    result = cut(note(BULLETS))
    for before, after in itertools.pairwise(result.chunks):
        assert before.end_char <= after.start_char
        assert before.chunk_text.endswith(".")
        assert len(before.chunk_text) <= MAX_CHARS
        if before.eid == after.eid:
            low, high = sentence_spans(after.chunk_text, "eng")[0]
            assert len(before.chunk_text) + 1 + high - low > MAX_CHARS, "the next sentence would have fitted"


def test_notes_without_bullets_are_split_at_their_tags() -> None:
    text = "The board must light every lamp. [Para 3]\n\nFog is no defence,\nnor is snow. [Para 4]\n\nCosts follow. [Para 5]\n"
    assert [(row.path, row.chunk_text) for row in cut(note(text)).chunks] == [
        ("Para 3", "The board must light every lamp."),
        ("Para 4", "Fog is no defence, nor is snow."),
        ("Para 5", "Costs follow."),
    ]


def test_a_longer_sentence_is_cut_at_a_clause_and_a_longer_clause_between_words() -> None:
    clauses = "The keeper shall " + ", ".join(f"polish lens number {number}" for number in range(80)) + "."
    words = "The keeper shall polish " + " ".join(f"lens {number} and" for number in range(150)) + " rest."
    for text, ends in ((clauses, ","), (words, None)):
        document = english(lambda builder, text=text: builder.block(text, "block") and None)  # type: ignore[misc]
        rows = cut(document).chunks
        assert len(rows) >= 2
        for row in rows[:-1]:
            assert 600 < len(row.chunk_text) <= MAX_CHARS
            assert document.text[row.end_char] == " "
            assert ends is None or row.chunk_text.endswith(ends)


def test_text_outside_the_blocks_is_kept_without_a_tag() -> None:
    text = "KEEPER v BOARD\nDate of Judgment: 5 November 2099\nDelivered by: Justice Moyo\n\n" + BULLETS
    result = cut(note(text))
    assert result.chunks[0].path == "Text"
    assert "para_id" not in result.chunks[0].metadata
    assert result.coverage == 1.0


@example("a" * 90, 20)
@given(st.text(alphabet="ab .;,!?(\n—é", max_size=4000), st.integers(20, 400))
def test_no_piece_passes_the_limit_and_none_is_lost(text: str, limit: int) -> None:
    text = collapse(text) or "a"
    document = english(lambda builder: builder.block(text, "block") and None)  # type: ignore[arg-type]
    spans = split_block(document, (0, len(text)), limit)
    assert all(end - start <= limit for start, end in spans)
    assert all(before[1] <= after[0] for before, after in itertools.pairwise(spans))
    assert "".join(text[start:end] for start, end in spans).replace(" ", "") == text.replace(" ", "")


@pytest.mark.corpus
def test_blocks_and_tags_equal_the_gold_in_every_mode(corpus: Path) -> None:
    modes = set()
    for gold_file in existing(corpus / "tagged" / "derived", "*.gold.json"):
        gold = json.loads(gold_file.read_text("utf-8"))
        name = gold_file.name.replace(".gold.json", ".txt")
        document = parse(SourceFile(name, gold_file.with_name(name).read_bytes()))
        blocks: dict[str | None, list[Chunk]] = {}
        for row in cut(document).chunks:
            assert len(row.chunk_text) <= MAX_CHARS
            blocks.setdefault(row.eid, []).append(row)
        found = [
            (collapse(" ".join(row.chunk_text for row in rows)), rows[0].metadata["paras"]) for rows in blocks.values()
        ]
        wanted = [(collapse(block["text"]), [str(number) for number in block["paras"]]) for block in gold["blocks"]]
        assert found == wanted, name
        tags = [collapse(node.attributes["tag"]) for node in document.walk() if node.type == "block"]
        assert tags == [collapse(block["tag"]) for block in gold["blocks"]]
        assert all(len({row.metadata["para_id"] for row in rows}) == 1 for rows in blocks.values())
        modes.add(gold["meta"]["mode"])
    assert modes >= {"bullet_tag", "noisy", "tag_only"}


def test_blocks_and_the_text_between_them_come_in_order_and_each_block_counts_its_own_parts() -> None:
    tagged = Part(
        "block", "The keeper lit the lamp at dusk.", attributes={"para_id": "[Para 26]"},
        children=(Part("page_number", "7"), Part("paragraph", "He put it out at dawn, as he must.")),
    )  # fmt: skip
    made = plain_document(
        "HIGH COURT OF THE ISLES, AT THE LIGHTHOUSE", tagged, "Between the blocks there is a text.",
        Part("block", "No tag is on this block of text.", "4"), Part("block", "Nor on this one, which has no number."),
    )  # fmt: skip
    assert [(row.path, row.chunk_text.split()[0]) for row in cut(made).chunks] == [
        ("Text", "HIGH"),
        ("Para 26", "The"),
        ("Para 26#2", "He"),
        ("Text-2", "Between"),
        ("Block 4", "No"),
        ("Block", "Nor"),
    ]
    assert [row.contextual_header.rpartition(" > ")[2] for row in cut(made).chunks[1:3]] == ["[Para 26]"] * 2

"""Rules of the pieces of a text, and of the overlap between neighbouring chunks."""

from __future__ import annotations

import pytest

from legal_pipeline.building.builder import DocumentBuilder
from legal_pipeline.building.source import SourceFile
from legal_pipeline.chunking.pieces import block_pieces, overlap_of


@pytest.mark.parametrize(
    ("tokens", "repeated"),
    [
        ([40, 30, 10, 10, 10], 2),
        ([40, 30, 9, 10, 11], 1),
        ([50, 50], 1),
        ([40, 60], 0),
        ([100], 0),
    ],
)
def test_the_longest_tail_within_its_share_is_repeated_or_the_last_piece_alone(
    tokens: list[int], repeated: int
) -> None:
    assert overlap_of(tokens, share=0.2, most=0.5) == repeated


def test_a_long_block_is_cut_at_its_lines_before_its_sentences() -> None:
    lines = ("The lamp is lit. It is put out.", "The horn sounds in fog. It is silent at noon.", "The boat is moored.")
    builder = DocumentBuilder()
    builder.block("\n".join(lines), "block")
    document = builder.document(
        SourceFile("note.txt", b"not read"),
        document_id="a",
        title="A note",
        jurisdiction="gb",
        doc_type="note",
        language="eng",
    )
    spans = [(0, len(document.text))]
    assert block_pieces(document, spans, 100).texts(document) == ["\n".join(lines)]
    assert block_pieces(document, spans, 12).texts(document) == list(lines)
    assert block_pieces(document, spans, 7).texts(document)[:2] == ["The lamp is lit.", "It is put out."]

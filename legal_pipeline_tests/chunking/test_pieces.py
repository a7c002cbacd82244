"""Rules of the pieces of a text, and of the overlap between neighbouring chunks."""

from __future__ import annotations

import pytest

from legal_pipeline.building.builder import DocumentBuilder
from legal_pipeline.building.source import SourceFile
from legal_pipeline.chunking.pieces import (
    Pieces,
    block_pieces,
    drafts_of,
    heading_starts,
    headings_with_text,
    overlap_of,
    windows,
)
from legal_pipeline_tests.chunking.plain import Part, document


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
    made = builder.document(
        SourceFile("note.txt", b"not read"),
        document_id="a",
        title="A note",
        jurisdiction="gb",
        doc_type="note",
        language="eng",
    )
    spans = [(0, len(made.text))]
    assert block_pieces(made, spans, 100).texts(made) == ["\n".join(lines)]
    assert block_pieces(made, spans, 12).texts(made) == list(lines)
    assert block_pieces(made, spans, 7).texts(made)[:2] == ["The lamp is lit.", "It is put out."]


LAMPS = document(
    "Circular.",
    Part("heading", "Lamps"),
    Part("block", "The lamp is lit at dusk."),
    Part("heading", "Horns"),
    Part("heading", "In fog"),
    Part("block", "The horn sounds in fog."),
)


def lamps(left_out: str = "") -> Pieces:
    """Each line of the text as a piece of ten tokens."""
    spans = []
    at = 0
    for line in LAMPS.text.split("\n\n"):
        if line != left_out:
            spans.append((at, at + len(line)))
        at += len(line) + 2
    return Pieces(tuple(spans), (10,) * len(spans))


@pytest.mark.parametrize(
    ("groups", "limit", "expected"),
    [
        ([(0, 5), (5, 6)], 100, [(0, 3), (3, 6)]),
        # as many headings as fit: ten tokens and a line end for each
        ([(0, 5), (5, 6)], 32, [(0, 3), (3, 6)]),
        ([(0, 5), (5, 6)], 31, [(0, 4), (4, 6)]),
        ([(0, 5), (5, 6)], 20, [(0, 5), (5, 6)]),
        # headings alone begin the next group
        ([(0, 3), (3, 5), (5, 6)], 100, [(0, 3), (3, 6)]),
        ([(0, 2), (2, 6)], 100, [(0, 1), (1, 6)]),
        # the last group ends as it is, and text is not a heading
        ([(0, 3), (3, 5)], 100, [(0, 3), (3, 5)]),
        ([(0, 1), (1, 3), (3, 6)], 100, [(0, 1), (1, 3), (3, 6)]),
    ],
)
def test_headings_at_the_end_of_a_group_are_moved_to_the_text_below_them(
    groups: list[tuple[int, int]], limit: int, expected: list[tuple[int, int]]
) -> None:
    assert headings_with_text(LAMPS, lamps(), groups, limit) == expected


def test_a_heading_is_not_moved_over_text_that_is_left_out() -> None:
    assert headings_with_text(LAMPS, lamps("In fog"), [(0, 4), (4, 5)], 100) == [(0, 4), (4, 5)]


@pytest.mark.parametrize(("limit", "begins"), [(95, 2), (94, 3), (84, 3), (83, 4), (73, 4), (72, 5)])
def test_an_overlap_is_as_long_as_the_limit_allows(limit: int, begins: int) -> None:
    tokens = (40, 30, 10, 10, 10, 30, 30)
    pieces = Pieces(tuple((at, at + 1) for at in range(7)), tokens)
    assert windows(pieces, [(0, 5), (5, 7)], 0.3, 0.5, limit) == [(0, 5), (begins, 7)]


def test_a_chunk_is_counted_from_the_last_heading_or_division_before_it() -> None:
    made = document(
        "Circular.",
        Part("chapter", "Of lamps", "1", children=[Part("section", "The lamp is lit.", "1")]),
        Part("heading", "Fog"),
        Part("block", "The horn sounds."),
    )
    chapter, heading = made.text.index("Of lamps"), made.text.index("Fog")
    assert heading_starts(made) == [0, chapter, heading]
    spans = ((0, 9), (chapter, chapter + 8), (heading, heading + 3), (heading + 5, len(made.text)))
    found = drafts_of(
        made, Pieces(spans, (1,) * 4), [(0, 1), (1, 3), (2, 4), (3, 4)], prefix="p", header="", chunk_type="t"
    )
    assert [draft.anchor for draft in found] == [0, chapter, heading, heading]

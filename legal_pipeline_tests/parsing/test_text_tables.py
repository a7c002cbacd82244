"""Cells of tables in plain text: what lies in one cell is one line, and offsets lead back to the raw text."""

from __future__ import annotations

import pytest

from legal_pipeline.parsing.text_tables import TableColumns, read_table


@pytest.mark.parametrize(
    ("cells", "row", "pairs"),
    [
        ([[("Barge  of oak", 0)], [("2 crowns", 20)]], ["Barge of oak", "2 crowns"], [(0, 0), (6, 7), (15, 20)]),
        ([[("Barge", 0), ("of oak", 30)]], ["Barge of oak"], [(0, 0), (6, 30)]),
        ([[("light-", 0), ("house", 30)]], ["lighthouse"], [(0, 0), (5, 30)]),
    ],
)
def test_the_fragments_of_a_cell_are_joined_and_every_piece_knows_its_place(
    cells: list[list[tuple[str, int]]], row: list[str], pairs: list[tuple[int, int]]
) -> None:
    assert TableColumns.join_cells(cells) == (row, pairs)


def test_the_cells_of_a_table_with_tabs_know_their_place_in_the_file() -> None:
    lines = ["Boat\tFee", "Barge\t2 crowns", "Raft\t1 crown"]
    table = read_table(lines, 40)
    assert table is not None
    text, pairs = table
    raw = " " * 40 + "\n".join(lines)
    assert text == "Boat | Fee\nBarge | 2 crowns\nRaft | 1 crown"
    assert [text[at:].split(" | ")[0].split("\n")[0] for at, _ in pairs] == [
        raw[place:].split("\t")[0].split("\n")[0] for _, place in pairs
    ]

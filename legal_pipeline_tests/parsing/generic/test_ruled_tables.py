"""Tables of plain text whose columns are drawn with dashes: one table, one line per row, nothing lost."""

from __future__ import annotations

import pytest

from legal_pipeline.parsing.readers.plain_text import text_blocks
from legal_pipeline.parsing.text_tables import is_rule
from legal_pipeline_tests.growth import at_most

_ROWS = "Lamps | Keepers\nNorth tower | 12\nSouth tower on the rock | 7"
_WITH_A_RULE_ABOVE = """\
  ------------- ---------
  Lamps         Keepers
  North tower   12
  South tower   7
  ------------- ---------
"""
_WITH_A_HEADING = """\
  Lamps         Keepers
  ------------- ---------
  North tower   12
  South tower   7
"""
_WRAPPED = """\
  ------------------------
  Lamps         Keepers
  ------------- ----------
  North tower   12

  South tower   7
  on the rock
  ------------------------
"""
_WRAPPED_WITHOUT_A_HEADING = """\
  ------------- ----------
  Lamps         Keepers

  North tower   12

  South tower   7
  on the rock
  ------------- ----------
"""
_TABLES = {
    _WITH_A_RULE_ABOVE: "Lamps | Keepers\nNorth tower | 12\nSouth tower | 7",
    _WITH_A_HEADING: "Lamps | Keepers\nNorth tower | 12\nSouth tower | 7",
    _WRAPPED: _ROWS,
    _WRAPPED_WITHOUT_A_HEADING: _ROWS,
}


@pytest.mark.parametrize("printed", _TABLES)
def test_the_rows_of_a_table_with_drawn_columns_are_its_lines(printed: str) -> None:
    raw = f"The towers have these keepers:\n\n{printed}\nA keeper may leave the tower at dawn.\n"
    before, table, after = text_blocks(raw)
    assert (before.kind, table.kind, after.kind) == ("text", "table", "text")
    assert table.text == _TABLES[printed]
    for (offset, at), end in zip(
        table.offsets, [*(pair[0] for pair in table.offsets[1:]), len(table.text)], strict=True
    ):
        piece = table.text[offset:end].split("\n")[0].rstrip(" |")
        assert raw[at : at + len(piece)] == piece


@pytest.mark.parametrize(
    "text",
    [
        "A rule\n\n----- -----\n\nparts this text.",
        "----- -----\nThis sentence runs over the drawn columns.\n----- -----",
        "A sentence.\n\n----------\n\n(1) A note below it.",
    ],
)
def test_dashes_between_sentences_are_not_a_table(text: str) -> None:
    assert [block.kind for block in text_blocks(text)] == ["text"] * 3 or "table" not in [
        block.kind for block in text_blocks(text)
    ]


def test_rules_without_end_are_read_in_linear_time() -> None:
    assert is_rule("--- ---")
    text = "--- ---\na   b\nsome running text over the columns\n" * 20_000
    with at_most(10):
        text_blocks(text)

"""Reprints of Acts: numbers in the margin above their text, text in larger type than illustrations, pages of notes between."""

from __future__ import annotations

from legal_pipeline.parsing.pdf.blocks import blocks_of_pdf
from legal_pipeline.parsing.pdf.glyphs import Line, Page
from legal_pipeline.parsing.pdf.layout import lay_out, text_size
from legal_pipeline.parsing.pdf.paragraphs import TextBlock, text_blocks

_LEFT, _RIGHT = 90.0, 450.0
_TEXT = [
    "(1) The keeper of the tower winds up the clock on every morning",
    "and on every evening, and he hears it ring over the harbour.",
]


def _lines(rows: list[tuple[str, float]], number: int, top: float = 700.0) -> list[Line]:
    """Lines of (text, size) that fill the column."""
    found = []
    for text, size in rows:
        right = _RIGHT if len(text) > 55 else _LEFT + 6 * len(text)
        found.append(Line(text, _LEFT, right, top, size, number))
        top -= 1.3 * size
    return found


def test_a_number_in_the_margin_above_its_text_is_the_number_of_the_text() -> None:
    rows: list[Line] = []
    for article in range(1, 5):
        top = 740.0 - 70 * article
        rows.append(Line(f"{article}.", 60.0, 70.0, top + 14, 11.0, 1))
        rows += _lines([(text, 11.0) for text in _TEXT], 1, top)
    (layout,) = lay_out([Page(1, 595, 842, rows)])
    assert layout.matter == []
    texts = [block.text for block in text_blocks([layout], 11.0)]
    assert texts == [text for article in range(1, 5) for text in (f"{article}.", " ".join(_TEXT))]


def test_a_page_number_in_the_margin_is_not_in_the_text() -> None:
    rows = [*_lines([(text, 11.0) for text in _TEXT * 3], 1), Line("17", 60.0, 70.0, 400.0, 11.0, 1)]
    (layout,) = lay_out([Page(1, 595, 842, rows)])
    assert [matter.text for matter in layout.matter] == ["17"]


def test_text_in_larger_type_than_most_of_the_document_is_no_heading() -> None:
    """More than half of the characters are illustrations in small type."""
    rows = [("7. A promise of a clock is kept.", 12.0), *[(text, 12.0) for text in _TEXT], *[(_TEXT[0], 10.0)] * 3]
    pages = [Page(number, 595, 842, _lines([("CLOCKS", 20.0), *rows], number)) for number in (1, 2)]
    size = text_size(pages)
    assert size == 12.0
    blocks = blocks_of_pdf(text_blocks(lay_out(pages), size), size)
    assert {block.text for block in blocks if block.level} == {"CLOCKS"}


def test_pages_of_notes_between_those_of_a_law_have_no_provisions() -> None:
    pages = [(number, 12.0 if number % 2 else 8.0) for number in range(1, 13)]
    found = [TextBlock(f"Art. {number} inserted by Act {number}.", number, size) for number, size in pages]
    assert [block.kind for block in blocks_of_pdf(found, 12.0)] == ["text", "footnote"] * 6


def test_a_schedule_in_small_type_is_text() -> None:
    found = [TextBlock(f"{number}. Of clocks.", number, 12.0 if number < 6 else 8.0) for number in range(1, 13)]
    assert {block.kind for block in blocks_of_pdf(found, 12.0)} == {"text"}

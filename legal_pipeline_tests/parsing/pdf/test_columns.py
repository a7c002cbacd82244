"""Pages in two columns are read column by column; tables and pages in one column stay as they are."""

from __future__ import annotations

from legal_pipeline.parsing.pdf.glyphs import Line, Page, merge
from legal_pipeline.parsing.pdf.layout import body_size, lay_out
from legal_pipeline.parsing.pdf.paragraphs import text_blocks

_SIZE, _STEP = 9.0, 11.0
_LEFT, _RIGHT, _WIDTH = 50.0, 310.0, 240.0
_LINES = [
    "The keeper of the tower winds the clock",
    "on every morning and on every evening",
    "and he hears it ring over the harbour.",
]


def _column(texts: list[str], left: float, top: float, number: int) -> list[Line]:
    """Lines of one column, full except for those that end a sentence."""
    return [
        Line(text, left, left + (180 if text.endswith(".") else _WIDTH), top - place * _STEP, _SIZE, number)
        for place, text in enumerate(texts)
    ]


def _page(number: int, left: list[str], right: list[str], title: str = "") -> Page:
    lines = [*_column(left, _LEFT, 700, number), *_column(right, _RIGHT, 700, number)]
    if title:
        lines.insert(0, Line(title, 200, 420, 720, _SIZE, number))
    return Page(number, 600, 800, lines)


def _articles(first: int, last: int) -> list[str]:
    return [text for number in range(first, last + 1) for text in (f"Article {number}. {_LINES[0]}", *_LINES[1:])]


def _texts(*pages: Page) -> list[str]:
    return [block.text for block in text_blocks(lay_out(pages), body_size(pages))]


def test_the_right_column_follows_the_left_one() -> None:
    texts = _texts(_page(1, _articles(1, 5), _articles(6, 10), title="Law of the clocks of the harbour"))
    assert texts[0] == "Law of the clocks of the harbour"
    assert [text.split(".")[0] for text in texts[1:]] == [f"Article {number}" for number in range(1, 11)]
    assert all(text.endswith("over the harbour.") for text in texts[1:])


def test_a_sentence_goes_on_in_the_next_column() -> None:
    left, right = _articles(1, 5)[:-1], [_LINES[2], *_articles(6, 10)]
    texts = _texts(_page(1, left, right))
    assert [text.split(".")[0] for text in texts] == [f"Article {number}" for number in range(1, 11)]
    assert texts[4].endswith("on every evening and he hears it ring over the harbour.")


def test_a_short_last_page_has_the_columns_of_the_page_before() -> None:
    texts = _texts(_page(1, _articles(1, 5), _articles(6, 10)), _page(2, _articles(11, 11), _articles(12, 12)))
    assert [text.split(".")[0] for text in texts] == [f"Article {number}" for number in range(1, 13)]


def test_a_heading_over_both_columns_is_read_where_it_is_printed_and_not_where_the_file_has_it() -> None:
    page = _page(1, _articles(1, 5), _articles(6, 10))
    below = _page(1, _articles(11, 15), _articles(16, 20))
    for line in below.segments:
        line.baseline -= 250
    heading = Line("Law of the bells of the harbour", 200, 420, 480, _SIZE, 1)
    texts = _texts(Page(1, 600, 800, [*page.segments, *below.segments, heading]))
    begins = [f"Article {number}" for number in range(1, 21)]
    begins.insert(10, "Law of the bells of the harbour")
    assert [text.split(".")[0] for text in texts] == begins


def test_columns_below_a_long_text_over_the_whole_page_are_read_one_after_the_other() -> None:
    page = _page(1, _articles(1, 4), _articles(5, 8))
    for line in page.segments:
        line.baseline -= 420
    over = [
        Line(f"{_LINES[0]} {_LINES[1]} of the year {place}", _LEFT, _RIGHT + _WIDTH, 740 - place * _STEP, _SIZE, 1)
        for place in range(38)
    ]
    over[-1].text, over[-1].x1 = "and he hears it ring.", 200
    texts = _texts(Page(1, 600, 800, [*over, *page.segments]))
    assert [text.split(".")[0] for text in texts if text.startswith("Article")] == [
        f"Article {number}" for number in range(1, 9)
    ]
    assert all(text.endswith("over the harbour.") for text in texts if text.startswith("Article"))


def test_the_rows_of_a_table_are_not_columns() -> None:
    left = [f"Fee of the clock number {number}" for number in range(1, 13)]
    right = [f"Pounds for each hour: {number}" for number in range(1, 13)]
    texts = _texts(_page(1, left, right))
    assert all(
        f"Fee of the clock number {number} Pounds for each hour: {number}" in " ".join(texts) for number in range(1, 13)
    )


def test_a_raised_figure_beside_a_raised_ending_belongs_to_their_line() -> None:
    """The mark of a note, "3", is raised above "nd", which is raised above "2"."""
    line = [Line("On the 2", 72, 120, 700, 12, 1), Line("nd", 120, 128, 704, 8, 1), Line("3", 128, 131, 707, 5, 1)]
    (merged,) = merge(line)
    assert merged.text.startswith("On the 2nd")
    assert merged.marks == ["3"]

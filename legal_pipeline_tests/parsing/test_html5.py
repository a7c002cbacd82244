"""HTML pages: what was cut off is refused with its place, and no cell's text is lost or doubled."""

from __future__ import annotations

import pytest

from legal_pipeline.building.source import SourceFile
from legal_pipeline.errors import LimitExceededError, TruncatedDocumentError
from legal_pipeline.parsing.html5 import (
    block_text,
    inline_text,
    list_marker,
    prepare_inline,
    read_html,
    read_loose_html,
    table_rows,
)
from legal_pipeline.parsing.registry import parse


def source(text: str) -> SourceFile:
    return SourceFile("page.html", text.encode())


@pytest.mark.parametrize(
    ("page", "tag"),
    [
        ("<html><body><p>a</p></body>", "html"),
        ("<article><p>a</p>", "article"),
        ("<div><div>a</div>", "div"),
        ("<p>a<table><tr><td>b", "table"),
    ],
)
def test_a_page_that_does_not_close_what_it_opens_is_truncated(page: str, tag: str) -> None:
    with pytest.raises(TruncatedDocumentError, match=f"<{tag}> at character") as caught:
        read_html(source(page))
    assert "character" in caught.value.position


def test_a_page_that_ends_inside_a_tag_is_truncated() -> None:
    with pytest.raises(TruncatedDocumentError, match="inside the tag"):
        read_html(source("<article><p>a</p></article><div cla"))


def test_paragraphs_and_cells_need_no_end_tag() -> None:
    page = read_html(source("<div><p>a<p>b</p><table><tr><td>c<td>d</table></div>"))
    assert inline_text(page.css("p")[1]) == "b"


def test_words_of_comments_and_scripts_open_nothing() -> None:
    read_html(source("<div>a<!-- <div> --><script>x = '<table>'</script></div>"))


def test_deep_nesting_is_a_limit_not_a_crash() -> None:
    with pytest.raises(LimitExceededError, match="nested"):
        read_html(source("<div>" * 5000 + "</div>" * 5000))


def test_a_page_with_open_ends_may_be_deep_but_not_so_deep_that_the_parser_takes_minutes() -> None:
    page = read_loose_html("<div>" * 4000 + "Section 1" + "</div><div>" * 9000)
    assert "Section 1" in page.text()
    with pytest.raises(LimitExceededError, match=r"character 25,000: elements nested 5,001 deep"):
        read_loose_html("<div>" * 50_000 + "Section 1")


def test_spanning_cells_keep_their_text_once() -> None:
    page = read_html(
        source(
            "<table><caption>T</caption><thead><tr><th colspan=2>A</th><th>B</th></tr></thead>"
            "<tr><td rowspan=2>c</td><td>d</td><td><p>e</p><ul><li>f</li></ul></td></tr><tr><td>g</td><td></td></tr></table>"
        )
    )
    rows = table_rows(page.css_first("table"))
    assert rows == [["T"], ["A", "B"], ["c", "d", "e - f"], ["g", ""]]


def test_numbers_of_a_list_in_a_cell_are_kept() -> None:
    page = read_html(source('<div>x<ol type="a"><li>one</li><li>two</li></ol></div>'))
    assert block_text(page.css_first("div")) == "x a) one b) two"


def test_pictures_leave_their_description_and_lines_join_at_hyphens() -> None:
    page = read_html(source("<p>före-  skrifter om  buss-\nhållplatser <img alt='Förbjudet' src='x'></p>"))
    prepare_inline(page, SourceFile("page.html", b"x"))
    assert inline_text(page.css_first("p")) == "föreskrifter om busshållplatser Förbjudet"


@pytest.mark.parametrize(
    ("index", "kind", "mark"),
    [
        (3, "1", "3."),
        (2, "a", "b)"),
        (27, "a", "aa)"),
        (702, "a", "zz)"),
        (703, "a", "aaa)"),
        (4, "i", "iv)"),
        (21, "i", "xxi)"),
        (3999, "i", "mmmcmxcix)"),
        (4000, "i", "4000)"),
        (2, "A", "B)"),
        (703, "A", "AAA)"),
        (9, "-", "-"),
    ],
)
def test_marks_of_html_lists(index: int, kind: str, mark: str) -> None:
    assert list_marker(index, kind) == mark


_ACT = "<html><body><div><h1>Lag (2031:7) om lyktor</h1><p>1 § Lyktan ska vara tänd.</p><p>2 § En ansökan prövas"


@pytest.mark.parametrize("end", ["", " inom", " inom en månad.</p>"])
def test_a_page_that_ends_before_what_it_opened_is_refused(end: str) -> None:
    with pytest.raises(TruncatedDocumentError, match="the page ends inside") as caught:
        parse(SourceFile("lyktor.html", f"{_ACT}{end}".encode()))
    assert caught.value.document == "lyktor.html"


def test_a_page_may_leave_out_the_end_tags_that_html_does_not_require() -> None:
    whole = _ACT.replace("<div>", "") + " inom en månad."
    assert "inom en månad." in parse(SourceFile("lyktor.html", whole.encode())).text
    fragment = _ACT.replace("<html><body><div>", "") + " inom"
    assert parse(SourceFile("lyktor.html", fragment.encode())).text.endswith("inom")


def test_an_empty_element_of_xhtml_holds_nothing_that_follows() -> None:
    body = (
        '<body><p class="title"><a id="top"/>JUDGMENT OF THE COURT</p><p>Lamp <b/>1 burns.<br/>Lamp 2 too.</p></body>'
    )
    page = read_loose_html(f'<?xml version="1.0"?>{body}')
    assert [len(node.text()) for node in page.css("a, b")] == [0, 0]
    assert len(read_loose_html(body).css_first("a").text()) > 0  # in HTML the link goes on

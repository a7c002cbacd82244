"""The blocks of an HTML page and of a plain text: styles, numbers of items, menus, joined lines and running headers."""

from __future__ import annotations

import pytest

from legal_pipeline.building.source import SourceFile
from legal_pipeline.parsing.blocks import Block, join_blocks, noted_column, part_of_block, split_block
from legal_pipeline.parsing.readers.html import PageBlock, page_addresses, page_blocks, page_title
from legal_pipeline.parsing.readers.marginal_notes import with_notes_behind
from legal_pipeline.parsing.readers.plain_text import text_blocks
from legal_pipeline.parsing.readers.unstopped_numbers import numbered_lines
from legal_pipeline.parsing.text_lines import text_lines


def page(body: str, head: str = "") -> list[PageBlock]:
    return page_blocks(SourceFile("p.html", f"<html><head>{head}</head><body>{body}</body></html>".encode()))


def blocks(body: str) -> list[Block]:
    return [item.block for item in page(body)]


def texts(body: str) -> list[str]:
    return [block.text for block in blocks(body)]


_PROSE = "<p>The keeper lights the lamp at dusk and puts it out at dawn each day of the year.</p>" * 3


@pytest.mark.parametrize(
    ("html", "looks"),
    [
        ("<b>Lamps</b>", "b"),
        ("<b>Lamps</b>.", "b"),
        ("<b>Lamps</b> burn", ""),
        ("<strong><i>Lamps</i></strong>", "bi"),
        ("<em>Lamps</em> <i>burn</i>", "i"),
        ("<span style='font-weight: 700'>Lamps</span>", "b"),
        ("<span style='font-weight: 400'>Lamps</span>", ""),
        ("<a href='#s1'>Lamps</a>", "l"),
        ("<a href='/s1'>Lamps</a>", ""),
        ("<a href='#s1'>Lamps</a> 7", ""),
        ("( )", ""),
    ],
)
def test_a_block_has_a_style_if_all_its_words_have_it(html: str, looks: str) -> None:
    block = blocks(f"<p>{html}</p>{_PROSE}")[0]
    assert "b" * block.bold + "i" * block.italic + "l" * block.is_link == looks


def test_the_styles_of_elements_around_a_block_are_its_own() -> None:
    html = (
        "<center>Lamps</center><div align='center'><p>Oil</p><p align='left'>Wick</p></div><blockquote>“Fees”</blockquote>"
        "<div class='footnotes'><p>1 Or a lantern.</p></div><h2>Piers</h2><b><p>Bold</p></b>"
    )
    found = {block.text: block for block in blocks(html + _PROSE)}
    assert [found[text].centred for text in ("Lamps", "Oil", "Wick")] == [True, True, False]
    assert (found["“Fees”"].is_quoted, found["Piers"].is_quoted) == (True, False)
    assert (found["1 Or a lantern."].kind, found["Piers"].kind) == ("footnote", "text")
    assert (found["Piers"].level, found["Bold"].level, found["Bold"].bold) == (2, 0, True)


@pytest.mark.parametrize(
    ("items", "expected"),
    [
        ("<ol><li>Oil<li>Wick</ol>", ["1. Oil", "2. Wick"]),
        ("<ol start='4'><li>Oil<li value='9'>Wick<li>Lamp</ol>", ["4. Oil", "9. Wick", "10. Lamp"]),
        ("<ol start='-4'><li>Oil</ol>", ["1. Oil"]),
        ("<ol start='1234567'><li>Oil</ol>", ["1. Oil"]),
        ("<ol><li>(a) Oil<li>(b) Wick</ol>", ["(a) Oil", "(b) Wick"]),
        ("<ol><li hidden>Oil<li>Wick</ol>", ["1. Wick"]),
        ("<ol><li><li>Wick</ol>", ["2. Wick"]),
        ("<ul><li>Oil<li>Wick</ul>", ["Oil", "Wick"]),
        ("<ol><li>Oil<ol type='a'><li>Wick</ol><li>Lamp</ol>", ["1. Oil", "a) Wick", "2. Lamp"]),
        ("<ul><li><p>(1)</p><p>Oil</p></ul>", ["(1) Oil"]),
        ("<ul><li><p>(1)</p><p>(2) Oil</p></ul>", ["(1)", "(2) Oil"]),
        ("<ul><li><p>(1)</p></ul>", ["(1)"]),
        ("<ol><li data-n='5'>Oil<li data-n='6'>Wick</ol>", ["5. Oil", "6. Wick"]),
        ("<ol><li data-n='5'>Oil<li data-n='7'>Wick</ol>", ["1. Oil", "2. Wick"]),
        ("<ol><li data-n='1'>Oil<li data-n='2'>Wick</ol>", ["1. Oil", "2. Wick"]),
        ("<ol start='4'><li data-n='1'>Oil<li data-n='2'>Wick</ol>", ["4. Oil", "5. Wick"]),
    ],
)
def test_items_of_lists_have_the_numbers_that_the_page_shows(items: str, expected: list[str]) -> None:
    assert texts(items) == expected


def test_items_know_how_deep_they_are() -> None:
    assert [block.depth for block in blocks("<ul><li>Oil<ul><li>Wick</ul></ul><p>Lamp</p>")] == [1, 2, 0]


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p><span>4A.</span><b>Fees</b></p>", "4A. Fees"),
        ("<p><span>(a)</span>the owner</p>", "(a) the owner"),
        ("<p><span>(a)</span>12 owners</p>", "(a)12 owners"),
        ("<p><span>§ 5</span><b>Fees</b></p>", "§ 5 Fees"),
        ("<p><span>§ 5</span>fees</p>", "§ 5fees"),
        ("<p><span>SCHEDULE</span><b>Lamps</b></p>", "SCHEDULE Lamps"),
        ("<p><span>THE</span><b>Lamps</b></p>", "THELamps"),
        ("<p><span>4A.</span> <b>Fees</b></p>", "4A. Fees"),
        ("<p>See <span>4.</span><b>Fees</b></p>", "See 4.Fees"),
    ],
)
def test_a_number_in_an_element_of_its_own_is_apart_from_the_words(html: str, expected: str) -> None:
    assert texts(html) == [expected]


def test_parts_of_the_site_are_apart_unless_they_hold_the_text() -> None:
    site = "<nav>Laws</nav><aside>News</aside><div role='navigation'>Home</div><div class='topMenu'>Top</div>"
    found = {item.block.text: (item.apart, item.in_menu) for item in page(site + _PROSE)}
    assert [found[text] for text in ("Laws", "News", "Home", "Top")] == [
        (True, True), (True, False), (found["Home"][0], True), (False, True),
    ]  # fmt: skip
    assert all(not item.apart for item in page(f"<form>{_PROSE}</form><p>Lamps burn at night.</p>"))
    assert all(not item.in_menu for item in page(f"<div class='menu'>{_PROSE}</div><p>Lamps burn at night.</p>"))


def test_a_block_is_linked_if_half_of_its_letters_are_links_to_any_place() -> None:
    html = "<p><a href='/a'>Lamps</a> burn.</p><p><a href='/a'>Oil</a> is dear.</p><p><a name='x'>Wick</a></p><p><img alt='Crest'></p>"
    assert [item.linked for item in page(html)] == [True, False, False, True]


def test_hidden_words_and_scripts_are_no_text_and_the_initial_of_a_word_is_part_of_it() -> None:
    hidden = "<span style='display: none'>do not</span><span hidden>never</span>"
    html = f"<p>Lamps {hidden} burn.</p><script>x</script><p><img alt='T'>he end</p>"
    assert texts(html) == ["Lamps burn.", "The end"]


def test_a_table_of_values_has_rows_and_one_for_layout_has_blocks() -> None:
    row = "<tr><td>{}</td><td>{}</td></tr>"
    values = blocks(f"<table>{row.format('Lamp', '2')}{row.format('', '')}{row.format('Oil', '')}</table>")
    assert [(block.text, block.kind) for block in values] == [("Lamp | 2\nOil |", "table")]
    for cell in ("<h2>Oil</h2>", "<table><tr><td>Oil</td><td>2</td></tr></table>", "oil " * 400):
        assert "table" not in [block.kind for block in blocks(f"<table>{row.format('Lamp', cell)}</table>")][:1]


def test_the_title_and_the_addresses_of_a_page_are_those_that_it_states() -> None:
    head = (
        "<title> Lamps  Act </title><link rel='canonical' href='https://x/1'><meta property='og:url' content='https://x/2'>"
        "<!-- saved from url=(0013)https://x/3 -->"
    )
    source = SourceFile("p.html", f"<html><head>{head}</head><body>x</body></html>".encode())
    assert (page_title(source), page_addresses(source)) == ("Lamps Act", ["https://x/1", "https://x/2", "https://x/3"])
    empty = SourceFile("p.html", b"<html><head><title> </title></head><body>x</body></html>")
    assert (page_title(empty), page_addresses(empty)) == (None, [])


_LONG = "The keeper of the harbor lights every lamp on the pier at dusk each day,"


def lines(text: str) -> list[str]:
    return [block.text for block in text_blocks(text)]


@pytest.mark.parametrize(
    ("text", "count"),
    [
        (f"{_LONG}\nand in fog.\n{_LONG}", 2),
        (f"{_LONG}\n{_LONG[:40]}\nand in fog.", 1),
        (f"{_LONG}\n{_LONG[:66]}.\n(a) oil", 2),
        (f"{_LONG}\n{_LONG[:61]} section\n5. of the Act.", 1),
        (f"{_LONG[:-1]}.\nDUTIES OF KEEPERS\n1. Lamps burn.", 3),
        (f"{_LONG}\nunless—\n(a) oil is dear.", 2),
        (f"{_LONG}\nLamps ......... 7\nOil ......... 9", 2),
    ],
)
def test_wrapped_lines_are_one_block_and_numbers_begin_another(text: str, count: int) -> None:
    assert len(lines(text)) == count


def test_a_line_that_is_repeated_on_three_pages_is_running_with_any_number() -> None:
    body = [f"Lamp {word} burns at night in the harbor." for word in ("red", "green", "white")]
    pages = "\f".join(f"Lamps Act   {number}\n\n{text}\n\n{number}\n" for number, text in enumerate(body, 1))
    found = [(block.text, block.kind) for block in text_blocks(pages)]
    assert [text for text, kind in found if kind == "text"] == body
    assert [text for text, kind in found if kind == "running"][:2] == ["Lamps Act 1", "1"]
    two = "\f".join(pages.split("\f")[:2])
    assert {block.kind for block in text_blocks(two)} == {"text"}


def test_a_header_and_a_footer_do_not_divide_the_sentence_around_them() -> None:
    parts = ["The keeper lights the lamp", "of the harbor at dusk.", "and in fog."]
    rest = [f"The {name} lamp burns at night." for name in ("amber", "blue", "coral", "dusk")]
    pages = (
        f"{rest[0]}\n\n{parts[0]}",
        f"{parts[1]}\n\n{rest[1]}",
        f"{rest[2]}\n\n{parts[0]}",
        f"{parts[2]}\n\n{rest[3]}",
    )
    printed = "\f".join(f"Lamps Act {number}\n\n{text}\n{number}\n" for number, text in enumerate(pages, 1))
    found = [block.text for block in text_blocks(printed) if block.kind == "text"]
    assert "The keeper lights the lamp of the harbor at dusk." in found
    assert "The keeper lights the lamp and in fog." in found


def numbered(text: str) -> list[int]:
    return sorted(numbered_lines(list(text_lines(text))))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1  Scope\n\n2  Fees\n\n3  Oil\n", [0, 2, 4]),
        ("1  Scope\n\n2  Fees\n", []),
        ("1  Scope\n   This Act.\n2  Fees\n   Ten.\n", [0, 2]),
        ("1  Scope\n   This Act.\n2  Fees\nTen.\n", []),
        ("1  Scope\n\n2  fees\n\n2  Fees\n\n3  Oil\n", [0, 4, 6]),
        ("2  Fees\n\n3  Oil\n\n4  Wick\n", []),
        ("1  Scope\n\n2  Fees\n\n8  Oil\n", [0, 2, 4]),
        ("1  Scope\n\n2  Fees\n\n9  Oil\n", []),
        ("1  Scope.\n2  Fees.\n3  Oil.\n", [0, 1, 2]),
        ("1  Scope.\n2  Fees.\n4  Oil.\n", []),
        ("1  Scope.\nLamps\n2  Fees.\nOil and wick\n3  Oil.\n", [0, 2, 4]),
        ("1  Scope.\nlamps\n2  Fees.\n3  Oil.\n", []),
        ("1  (1) Lamps burn.\n\n2  (1) Oil.\n\n3  (1) Wick.\n", [0, 2, 4]),
    ],
)
def test_sections_without_a_stop_follow_each_other_behind_ended_lines(text: str, expected: list[int]) -> None:
    assert numbered(text) == expected


def test_marginal_notes_in_a_line_are_footnotes_behind_it_with_their_offsets() -> None:
    text = "<<NOTE: Fees.>> Lamps <<NOTE: 7 USC 1.>> burn. <<NOTE: End.>>"
    found = with_notes_behind(Block(text, offsets=((0, 100),)))
    assert [(block.text, block.kind) for block in found] == [
        ("Lamps burn.", "text"), ("<<NOTE: Fees.>>", "footnote"), ("<<NOTE: 7 USC 1.>>", "footnote"), ("<<NOTE: End.>>", "footnote"),
    ]  # fmt: skip
    assert found[0].offsets == ((0, 116), (6, 141))
    assert [block.offsets[0] for block in found[1:]] == [(0, 100), (0, 122), (0, 147)]
    only = with_notes_behind(Block("<<NOTE: Fees.>>"))
    assert [(block.text, block.kind) for block in only] == [("<<NOTE: Fees.>>", "footnote")]


def test_the_parts_of_a_block_keep_the_places_of_their_words() -> None:
    block = Block("oil and wick", offsets=((0, 100), (4, 110), (8, 120)))
    assert part_of_block(block, 4, 12) == ("and wick", [(0, 110), (4, 120)])
    assert part_of_block(block, 5, 8) == ("nd ", [(0, 111)])
    first, second = split_block(block, 3)
    assert (first.text, first.offsets, second.text) == ("oil", ((0, 100),), "and wick")
    joined = join_blocks(first, second)
    assert (joined.text, joined.offsets) == (block.text, block.offsets)


def test_a_table_of_numbered_texts_without_a_note_is_no_table_with_notes() -> None:
    texts = ["1. Lamps burn at night.", "2. Keepers light them at dusk."]
    assert noted_column([[[text], []] for text in texts]) is None
    assert noted_column([[[texts[0]], ["Lamps"]], [[texts[1]], []]]) == 0

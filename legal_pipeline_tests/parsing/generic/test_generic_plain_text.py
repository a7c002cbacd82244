"""Rules of generic plain text: blocks at blank lines, sure headings only, and nothing marked up is taken for prose."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from legal_pipeline.building.source import SourceFile
from legal_pipeline.errors import EmptyDocumentError, UnknownFormatError
from legal_pipeline.model.document import check_tree
from legal_pipeline.parsing.generic import plain_text
from legal_pipeline.parsing.registry import detect, parse
from legal_pipeline.parsing.text_tables import CELL_SEPARATOR

LETTER = """TO ALL KEEPERS

The lamp is lit at dusk. It is put out at
dawn by the keeper on duty.

Keepers bring
- oil for one night
- a dry match

Sincerely yours
"""


def source(text: str, name: str = "letter.txt", **hints: str) -> SourceFile:
    return SourceFile(name, text.encode(), hints=hints)


def test_blocks_stand_at_blank_lines_and_wrapped_lines_are_joined() -> None:
    document = plain_text.FORMAT.parse(source(LETTER))
    texts = [(node.type, document.text_of(node)) for node in document.nodes]
    assert texts[:2] == [
        ("heading", "TO ALL KEEPERS"),
        ("block", "The lamp is lit at dusk. It is put out at dawn by the keeper on duty."),
    ]
    assert [child.type for child in document.nodes[2].children] == ["item", "item"]


def test_items_have_the_number_of_their_mark() -> None:
    text = "Keepers bring\n1. oil for one night\n2) a dry match\n(iii) a cloth\n- a key\n"
    (block,) = plain_text.FORMAT.parse(source(text)).nodes
    assert [item.num for item in block.children] == ["1", "2", "iii", None]


def test_a_short_line_is_no_heading_unless_it_is_sure() -> None:
    document = plain_text.FORMAT.parse(source(LETTER))
    assert document.nodes[3].type == "block"
    assert [node.type for node in plain_text.FORMAT.parse(source("Chapter 4 Boats\n\nText here.")).nodes] == [
        "heading",
        "block",
    ]


def test_the_offset_map_leads_back_to_the_raw_text() -> None:
    document = plain_text.FORMAT.parse(source(LETTER))
    at = document.text.index("dawn")
    raw = document.raw_offset(at)
    assert raw is not None
    assert LETTER[raw : raw + 4] == "dawn"


@given(st.text(alphabet="abc åÄ.-\n\t1)", min_size=1, max_size=300))
@example("aa\t1\naa\t1")
def test_every_word_survives_in_order(text: str) -> None:
    if not text.strip("\n\t ") or not text.strip():
        return
    try:
        document = plain_text.FORMAT.parse(source(text))
    except EmptyDocumentError:
        return
    check_tree(document)
    found, expected = ("".join(printed.split()).replace("-", "") for printed in (document.text, text))
    if any(
        node.type == "table" for node in document.walk()
    ):  # cells have separators, and the lines of a wrapped cell are joined
        found, expected = sorted(found.replace(CELL_SEPARATOR.strip(), "")), sorted(expected)
    assert found == expected


@pytest.mark.parametrize(
    "text",
    [
        '{"name": "something", "items": [1, 2]}',
        '{"cut": "off',
        '[{"a": 1}]',
        '["a", "b"]',
        "<?xml version='1.0'?><root><a>text</a></root>",
        "<unknown><b>text</b></unknown>",
        "Intro line\n<div class='x'>text</div>",
        '{"a": 1}\n{"a": 2}\n',
    ],
)
def test_marked_up_text_that_no_parser_knows_is_refused_with_the_closest_formats(text: str) -> None:
    with pytest.raises(UnknownFormatError) as caught:
        detect(source(text))
    assert caught.value.closest


@pytest.mark.parametrize("text", ["[2025] ZWHHC 304\n\nThe court held so.", "a < b and b > c", "Prices {net} rose."])
def test_brackets_alone_do_not_make_markup(text: str) -> None:
    assert plain_text.sniff(source(text)) == 0.5


def test_hints_name_the_document() -> None:
    document = plain_text.FORMAT.parse(
        source("Some text.", jurisdiction="ZW", number="GN 12", language="en", title="Notice")
    )
    assert (document.document_id, document.title, document.language) == ("zw-gn-12", "Notice", "eng")


@pytest.mark.parametrize(
    "text", ["Article 1\n\ufeff of lamps", "\u200bA lamp.\u2060 \n", "lamps\ufeff\n\n\ufeff\n\nand fires"]
)
def test_zero_width_signs_at_line_ends_leave_no_spaces(text: str) -> None:
    canonical = plain_text.FORMAT.parse(source(text)).text
    assert canonical.strip(" \u200b\u2060\ufeff") == canonical
    assert "  " not in canonical


@pytest.mark.parametrize(
    ("name", "text", "title"),
    [
        ("lighthouse-act_2012.txt", "the lamp is lit at dusk.\n\nIt is put out at dawn.\n", "Lighthouse act 2012"),
        ("by-law-2016-4.txt", "the lamp is lit at dusk.\n", "By law 2016-4"),
        ("lighthouse-act_2012.txt", "The Lighthouse Act\n\nThe lamp is lit at dusk.\n", "The Lighthouse Act"),
        ("x.txt", "The lamp is lit at dusk.\n\nIt is put out at dawn.\n", "X"),
    ],
)
def test_a_title_in_the_text_goes_before_the_words_of_the_file_s_name(name: str, text: str, title: str) -> None:
    assert plain_text.FORMAT.parse(source(text, name)).title == title


TOLLS = """Tolls of the canal

Vessel             Toll          Paid at
Barge, laden       2 dollars     the upper lock, or by
or empty                         letter
Raft               1 dollar      the lower lock

Nobody pays twice.
"""


def test_a_row_of_a_table_whose_cells_wrap_is_one_row() -> None:
    document = plain_text.FORMAT.parse(source(TOLLS))
    (node,) = [node for node in document.walk() if node.type == "table"]
    assert document.text_of(node) == (
        "Vessel | Toll | Paid at\nBarge, laden or empty | 2 dollars | the upper lock, or by letter\nRaft | 1 dollar | the lower lock"
    )
    assert [node.type for node in document.nodes] == ["heading", "table", "block"]
    for position, raw in document.offset_map:
        assert document.text[position] == TOLLS[raw]


@pytest.mark.parametrize(
    "lines",
    [
        "5.      The keeper lights the lamp at dusk\n        and puts it out at dawn.\n6.      The keeper sleeps by day.",
        "(a)     a frame that the wind carries;\n(b)     a tail of ribbon.",
        "The  keeper   lights  the   lamp   at  dusk\nand  puts  it  out   at   dawn   every   day.",
        "Done at the lighthouse        The keeper",
    ],
)
def test_numbers_and_justified_lines_are_no_table(lines: str) -> None:
    document = plain_text.FORMAT.parse(source(f"Rules of the lamp\n\n{lines}\n\nNobody pays twice.\n"))
    assert all(node.type != "table" for node in document.walk())


@pytest.mark.parametrize(
    ("lines", "rows"),
    [
        ("Lamp\tFee\tDuty\nharbour\t12\tcleans\nriver\t7\tlooks", "Lamp | Fee | Duty\nharbour | 12 | cleans\nriver | 7 | looks"),
        ("Lamp\tFee\nHarbour\t12\nriver\t7", "Lamp | Fee\nHarbour | 12\nriver | 7"),
        ("1\tHarbour lamps\t12\n2\triver lamps\t", "1 | Harbour lamps | 12\n2 | river lamps | "),
    ],
)  # fmt: skip
def test_each_line_of_a_table_with_tabs_is_a_row(lines: str, rows: str) -> None:
    document = plain_text.parse(source(f"The fees are these.\n\n{lines}\n\nThey are paid in May.\n"))
    (table,) = [node for node in document.walk() if node.type == "table"]
    assert document.text_of(table) == rows


@pytest.mark.parametrize("label", ["{0}.", "Article {0}", "§ {0}"])
def test_numbers_that_a_tab_sets_apart_are_not_a_table(label: str) -> None:
    lines = "\n".join(f"{label.format(number)}\tThe keeper lights lamp {number}." for number in (1, 2, 3))
    document = plain_text.parse(source(f"The duties are these.\n\n{lines}\n"))
    assert not [node for node in document.walk() if node.type == "table"]


@pytest.mark.parametrize(
    ("line", "is_heading"),
    [
        ("LAMPS", True),
        ("OIL", False),
        ("7 OIL", False),
        ("LAMPS:", False),
        ("a) LAMPS", False),
        ("(II) LAMPS", False),
        ("Lamps", False),
        ("LAMPS\nOIL OF LAMPS", False),
        ("L" * 100, True),
        ("L" * 101, False),
        ("Schedule 2 Fees", True),
        ("Schedule of fees", False),
    ],
)
def test_a_line_in_capitals_or_with_a_label_is_a_heading_if_it_is_short_and_no_sentence(
    line: str, is_heading: bool
) -> None:
    document = plain_text.parse(source(f"The lamp is lit at dusk.\n\n{line}\n\nIt is put out at dawn.\n"))
    assert document.nodes[1].type == ("heading" if is_heading else "block")


@pytest.mark.parametrize(
    ("first", "is_title"),
    [
        ("The harbour lamps", True),
        ("The harbour\nlamps", False),
        ("the harbour lamps", False),
        ("The lamps burn.", False),
        ("Lamps " * 17, False),
    ],
)
def test_the_first_block_is_the_title_if_it_is_one_short_line(first: str, is_title: bool) -> None:
    document = plain_text.parse(source(f"{first}\n\nThe lamp is lit at dusk.\n"))
    assert document.nodes[0].type == ("heading" if is_title else "block")
    assert plain_text.parse(source(first)).nodes[0].type == "block"


def test_the_line_above_a_list_introduces_it_and_is_no_item() -> None:
    (block,) = plain_text.parse(source("Keepers bring\noil:\n1. a can\nof oil\n2. a match\n")).nodes
    document = plain_text.parse(source("Keepers bring\noil:\n1. a can\nof oil\n2. a match\n"))
    assert document.text == "Keepers bring oil:\n1. a can of oil\n2. a match"
    assert [(item.num, document.text_of(item)) for item in block.children] == [
        ("1", "1. a can of oil"),
        ("2", "2. a match"),
    ]
    (plain,) = plain_text.parse(source("1. a can\n2. a match\n")).nodes
    assert [item.num for item in plain.children] == ["1", "2"]
    assert not plain_text.parse(source("- a can\nof oil\n")).nodes[0].children


def test_a_label_with_its_first_paragraph_begins_a_block_below_a_heading_as_long_as_the_lines() -> None:
    """Wrapped lines without blank ones, as a parliament's print becomes text."""
    lines = ["USTAWA", "z dnia 3 maja 2031 r.", "o latarniach"]
    for number in range(1, 5):
        lines += [
            f"Rozdział {number}",
            "Decyzje w sprawach o uznanie latarni za niedostatecznie oświetloną nocą",
            f"Art. {number}. 1. Prezes zarządu wydaje decyzję o uznaniu latarni za ciemną i",
            "nakazuje latarnikowi zapalenie lampy o zmierzchu oraz gaszenie jej o świcie",
            "każdego dnia roku, także w czasie mgły.",
            "2. Decyzję doręcza się latarnikowi, o którym mowa w ust. 1, w terminie trzech",
            "dni.",
        ]
    document = parse(SourceFile("latarnie.txt", "\n".join(lines).encode()))
    assert [(node.type, node.num) for node in document.provisions()] == [("article", str(n)) for n in range(1, 5)]
    assert [node.heading for node in document.walk() if node.type == "chapter"] == [lines[4]] * 4


def test_behind_the_header_of_a_page_and_a_blank_line_a_label_begins_an_article() -> None:
    things = ("oil", "glass", "wick", "chimney", "tower", "ladder", "bell", "boat")
    articles = [
        f"    Article {number}. {thing.title()}\n    The keeper cares for the {thing} of the pier at dusk and at dawn,\n"
        f"and writes down in the book of the {thing} what was done, as the Board has laid down for it in"
        for number, thing in enumerate(things, 1)
    ]
    pages = [f"              JOURNAL OF THE HARBOUR / No 9                      {page}\n" for page in range(11, 19)]
    text = "\f".join(f"{page}\n{article}\n" for article, page in zip(articles, pages, strict=True))
    document = parse(SourceFile("lamps.txt", text.encode(), hints={"doc_type": "act"}))
    assert [node.num for node in document.walk() if node.type == "article"] == [str(n) for n in range(1, 9)]

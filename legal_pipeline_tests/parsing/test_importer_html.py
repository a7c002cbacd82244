"""Acts as word processors export them: order and look of paragraphs give the hierarchy."""

from __future__ import annotations

from pathlib import Path

import pytest

from legal_pipeline.building.source import SourceFile
from legal_pipeline.errors import EmptyDocumentError, LimitExceededError, UnknownFormatError
from legal_pipeline.model.document import Document, Node
from legal_pipeline.parsing import importer_html
from legal_pipeline.parsing.registry import parse
from legal_pipeline_tests.parsing.invariants import check_invariants, parsed
from legal_pipeline_tests.real_documents import existing

STYLE = 'style="margin-left: 1cm; text-indent: 0cm"'


def page(*paragraphs: str) -> bytes:
    """`*text*` is bold, `=text=` is centred, `/text/` is italic."""
    out = []
    for text in paragraphs:
        align = ' align="center"' if text.startswith("=") else ""
        text = text.strip("=")
        if text.startswith("*"):
            text = f"<b>{text.strip('*')}</b>"
        elif text.startswith("/"):
            text = f"<i>{text.strip('/')}</i>"
        out.append(f"<p{align} {STYLE}>{text}</p>")
    return f"<body>{''.join(out)}</body>".encode()


def act(*paragraphs: str) -> Document:
    document = importer_html.FORMAT.parse(SourceFile("act.html", page(*paragraphs)))
    check_invariants(document)
    return document


FRONT = (
    "*No. 4/1991*",
    "=*ZIMBABWE*=",
    "=*ACT*=",
    "To levy tolls on canals.",
    "ENACTED by the Parliament of Zimbabwe.",
)


def numbered(document: Document) -> list[tuple[str, str]]:
    return [(node.type, node.num) for node in document.walk() if node.num]


def of_type(document: Document, kind: str) -> list[Node]:
    return [node for node in document.walk() if node.type == kind]


def test_a_page_whose_law_is_in_tables_is_another_format() -> None:
    """The page of a register: only its list of sources is in paragraphs with styles."""
    notes = f"<p {STYLE}>1. Tolls Ordinance 1951</p><p {STYLE}>PART 1</p>"
    rows = "".join(
        f"<table><tr><td>Toll {num}</td></tr><tr><td>{num}. A toll is paid.</td></tr></table>" for num in range(1, 6)
    )
    text = f"<html><body><h1>Zimbabwe Tolls Act 1998</h1>{rows}{notes}</body></html>".encode()
    document = parse(SourceFile("act.html", text))
    assert document.format == "generic_html"


def test_parts_sections_subsections_and_lists_are_recovered() -> None:
    document = act(
        *FRONT, "=PART I=", "=Preliminary=", "*1 Short title*", "This Act may be cited as the Canal Tolls Act.",
        "=PART II=", "=Tolls=", "*2 Tolls*", "(1) A barge pays—", "(a) a toll; and", "(b) if laden—", "(i) a charge; or", "(ii) a bond;",
        "before it enters the canal.", "(2) A raft pays nothing.",
    )  # fmt: skip
    assert numbered(document) == [
        ("part", "I"), ("section", "1"), ("part", "II"), ("section", "2"), ("subsection", "1"), ("paragraph", "a"), ("paragraph", "b"),
        ("item", "i"), ("item", "ii"), ("subsection", "2"),
    ]  # fmt: skip
    assert [part.heading for part in of_type(document, "part")] == ["Preliminary", "Tolls"]
    assert document.text_of(of_type(document, "subsection")[0]).endswith("before it enters the canal.")
    assert not document.text_of(of_type(document, "item")[1]).endswith("canal.")


def test_the_arrangement_of_sections_is_a_table_of_contents() -> None:
    document = act(
        *FRONT, "=*ARRANGEMENT OF SECTIONS*=", "=*PART I PRELIMINARY*=", "1. Short title.", "2. Interpretation.",
        "=*PART II TOLLS*=", "3. Tolls.",
        "=*PART I PRELIMINARY*=", "*1. Short title*", "This is the Act.", "*2. Interpretation*", "Words have meanings.",
        "=*PART II TOLLS*=", "*3. Tolls*", "Tolls are due.",
    )  # fmt: skip
    assert [node.num for node in document.provisions()] == ["1", "2", "3"]
    (toc,) = of_type(document, "toc")
    assert document.text_of(toc).startswith("ARRANGEMENT OF SECTIONS")
    assert document.text_of(toc).endswith("3. Tolls.")
    assert [node.num for node in of_type(document, "part")] == ["I", "II"]


def test_a_reference_at_a_line_start_is_no_subsection() -> None:
    document = act(
        *FRONT,
        "*1 Tolls*",
        "(1) A toll is due.",
        "(2) A person referred to in subsection",
        "(1) of a barge pays it.",
        "(3) It is small.",
    )
    assert [node.num for node in of_type(document, "subsection")] == ["1", "2", "3"]
    assert "in subsection (1) of a barge pays it." in document.text


def test_a_sentence_broken_by_the_page_is_one_block() -> None:
    document = act(*FRONT, "*1 Tolls*", "A person who in the course of business", "carries goods pays a toll.")
    assert "in the course of business carries goods" in document.text


def test_running_headers_stand_in_the_tree_and_out_of_the_paragraph_numbers() -> None:
    body = [f"({letter}) a toll of some dollars;" for letter in "abcdefgh"]
    document = act(
        *FRONT,
        "*1 Tolls*",
        "The tolls are—",
        *body,
        "*No. 4/1991*",
        "*2 Rafts*",
        "None.",
        "/Printed by the Government Printer, Harare/",
        "7",
    )
    kinds = {node.type: document.text_of(node) for node in document.walk() if node.type.startswith(("running", "page"))}
    assert kinds == {
        "running_header": "No. 4/1991",
        "running_footer": "Printed by the Government Printer, Harare",
        "page_number": "7",
    }


def test_a_schedule_has_its_paragraphs_headings_and_no_sections() -> None:
    document = act(
        *FRONT, "*1 Board*", "The Schedule applies to the board.", "=*FIRST SCHEDULE*=", "=Provisions applicable to the board=",
        "/Quorum/", "1. Three members are a quorum.", "/Term of office/", "2. (1) A member serves for a year.", "(2) He may serve again.",
    )  # fmt: skip
    (schedule,) = of_type(document, "schedule")
    assert (schedule.num, schedule.heading) == ("FIRST", "Provisions applicable to the board")
    assert [(node.type, node.num, node.heading) for node in schedule.children if node.num] == [
        ("paragraph", "1", "Quorum"),
        ("paragraph", "2", "Term of office"),
    ]
    assert [node.num for node in document.provisions()] == ["1"]
    assert "2. (1) A member serves" in document.text


def test_a_table_is_rows_of_cells() -> None:
    table = "<table><tr><td>Barge</td><td>2 dollars</td></tr><tr><td>Raft</td><td>1 dollar</td></tr></table>"
    data = page(*FRONT, "*1 Tolls*", "The tolls are:").replace(b"</body>", f"{table}</body>".encode())
    document = importer_html.FORMAT.parse(SourceFile("act.html", data))
    (node,) = of_type(document, "table")
    assert document.text_of(node) == "Barge | 2 dollars\nRaft | 1 dollar"


def test_hidden_bookmarks_are_no_text() -> None:
    data = page(*FRONT, "*1 Tolls*", "Due.").replace(
        b"<b>1 Tolls", b'<span style="display: none">[PCh1s1]</span><b>1 Tolls'
    )
    assert "PCh1s1" not in importer_html.FORMAT.parse(SourceFile("act.html", data)).text


def test_identity_and_title_come_from_the_front_and_the_first_section() -> None:
    document = act(*FRONT, "*1 Short title*", "This Act may be cited as the Canal Tolls Act [Chapter 9:01].")
    assert (document.document_id, document.work_uri, document.title) == (
        "zw-act-1991-4",
        "/akn/zw/act/1991/4",
        "Canal Tolls Act",
    )


def test_the_chapter_number_of_a_revised_edition_above_the_title_is_not_a_chapter_of_the_act() -> None:
    document = act(
        "=CHAPTER 7<br/>THE CANAL TOLLS ACT=", "To levy tolls.", "*1 Short title*", "This is the Canal Tolls Act."
    )
    assert not of_type(document, "chapter")
    assert document.metadata["chapter"] == "Chapter 7"


def test_paragraphs_without_any_section_are_a_typed_error() -> None:
    with pytest.raises(EmptyDocumentError, match="no section"):
        importer_html.FORMAT.parse(SourceFile("act.html", page("A letter.", "No law at all.")))


def test_a_page_without_the_words_of_an_act_is_not_taken_for_one() -> None:
    assert importer_html.sniff(SourceFile("letter.html", page("A letter."))) < 0.5


def test_absurd_nesting_is_a_typed_error() -> None:
    with pytest.raises(LimitExceededError):
        importer_html.FORMAT.parse(SourceFile("act.html", b"<div>" * 5000 + page("*1 Tolls*", "Due.")))


@pytest.mark.corpus
def test_every_file_of_the_zimbabwean_folder_parses_or_fails_as_its_notes_say(corpus: Path) -> None:
    formats: dict[str, str] = {}
    for path in existing(corpus / "zw", "*/*"):
        if path.suffix in (".txt", ".pdf"):  # references for tests; PDF has tests of its own
            continue
        if path.name == "sample_unconstitutional_provisions.json":
            with pytest.raises(UnknownFormatError) as caught:
                parse(SourceFile(path.name, path.read_bytes()))
            assert "akn_html" in caught.value.closest
            continue
        formats[path.name] = parsed(path).format
    assert set(formats.values()) == {"zimlii_json", "importer_html", "akn_xml", "akn_html", "docx"}
    assert formats["footnotes.html"] == "akn_html"


@pytest.mark.corpus
def test_bluebell_markup_is_no_format_of_its_own(corpus: Path) -> None:
    for path in existing(corpus / "zw", "*/*.bluebell.txt"):
        try:
            document = parse(SourceFile(path.name, path.read_bytes()))
        except UnknownFormatError:
            continue
        assert document.format == "plain_text"
        assert all(node.num for node in document.provisions()), "what is recognised has the numbers of its lines"


def test_the_country_is_the_one_that_the_front_names() -> None:
    document = act(
        "*No. 9 of 1991*", "=*TANZANIA*=", "=*ACT*=", "To levy tolls on canals.",
        "*1 Short title*", "This Act may be cited as the Canal Tolls Act.",
        "*2 Barges*", "A barge of Kenya, or registered in Kenya, pays what a barge pays in Kenya.",
    )  # fmt: skip
    assert (document.jurisdiction, document.work_uri) == ("tz", "/akn/tz/act/1991/9")


@pytest.mark.parametrize(
    "notice", ["G.N. No. 55 of 1990", "Government Notice No. 55 of 1990", "Legal Notice No. 55/1990"]
)
def test_the_number_of_a_notice_is_not_that_of_the_act(notice: str) -> None:
    text = ("*1 Short title*", "This Act may be cited as the Canal Tolls Act.", "*2 Barges*", "A barge pays.")
    front = ("=*ZIMBABWE*=", "=*ACT*=", f"Brought into force by {notice}", "To levy tolls on canals.")
    assert act(*front, *text).number is None
    assert act("*No. 4/1991*", *front, *text).number == "Act 4 of 1991"
    assert act(*front, "*No. 4/1991*", *text).number == "Act 4 of 1991"


def test_a_part_in_capitals_alone_on_its_line_needs_no_look() -> None:
    """Programs lose what is centred; a sentence about a part is none."""
    document = act(
        *FRONT,
        *("PART I", "Preliminary", "*1 Short title*", "This Act is the Lamp Act, and Part I is short."),
        *("PART II", "Lamps", "*2 Lamps*", "A lamp burns at night.", "PART OF THE LAND is dark."),
    )
    assert [(node.type, node.num, node.heading) for node in document.nodes if node.type == "part"] == [
        ("part", "I", "Preliminary"),
        ("part", "II", "Lamps"),
    ]


def test_a_short_sentence_over_a_section_is_not_the_heading_of_the_division() -> None:
    document = act(
        *FRONT,
        *("*1 Short title*", "This Act is the Lamp Act."),
        *("PART II", "Lamps burn.", "*2 Lamps*", "A lamp burns at night."),
        *("PART III", "Oil", "*3 Oil*", "The port pays for oil."),
    )
    assert [(node.num, node.heading) for node in document.walk() if node.type == "part"] == [
        ("II", None),
        ("III", "Oil"),
    ]


def test_a_contract_is_no_act_of_the_country_whose_law_governs_it() -> None:
    lines = [
        "LAMP SUPPLY AGREEMENT",
        "IT IS AGREED under the Harbour Act:",
        "PART I",
        "<b>1. Definitions</b>",
        "In this Agreement a lamp burns oil.",
    ]
    lines += ["<b>2. Law</b>", "This Agreement is governed by the law of Kenya."]
    text = "<html><body>" + "".join(f'<p style="margin:0">{line}</p>' for line in lines) + "</body></html>"
    document = parse(SourceFile("contract.html", text.encode()))
    assert (document.doc_type, document.jurisdiction) == ("other", "xx")
